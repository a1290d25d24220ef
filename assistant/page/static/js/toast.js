/** A sentence that is there for a moment, and read out once. */

import { el } from "./dom.js";

const STAYS = 5000;

/** @param {string} text */
export function toast(text) {
  const place = document.getElementById("toasts");
  for (const old of place.children) if (old.textContent === text) old.remove();
  const note = el("p", { class: "toast", text });
  place.append(note);
  setTimeout(() => note.remove(), STAYS + 40 * text.length);
}
