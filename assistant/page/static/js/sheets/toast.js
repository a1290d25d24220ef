/**
 * What has just come of a tap: one sentence, and a button that takes it back. It stands in the foot of the page, which
 * grows for it: nothing on the board is covered.
 */

import { button, el } from "./dom.js";

/** Milliseconds that it stays, without and with a button; longer while it is looked at. */
const STAYS = 6000;
const STAYS_WITH_BUTTON = 10000;
/** Milliseconds until it is read out: unless the referee has announced the same by then, who is read out already. */
const READ_OUT = 400;

/**
 * @param {any} ctx
 * @param {string} text
 * @param {{ label?: string, act?: () => any, kind?: "news" | "trouble", gone?: () => void }} [how] `act` with its
 *   `label` makes a button; `gone` is called when it goes
 * @returns {() => void} takes it away
 */
export function toast(ctx, text, { label, act, kind = "news", gone: told = () => {} } = {}) {
  const region = /** @type {HTMLElement} */ (document.getElementById("told") || document.getElementById("toasts"));
  const made = el("div", { class: `told-line ${kind}`, data: { toast: kind } }, el("p", {}, text));
  let timer = 0;
  const gone = () => {
    clearTimeout(timer);
    if (made.isConnected) made.remove();
    told();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = window.setTimeout(gone, act ? STAYS_WITH_BUTTON : STAYS);
  };
  if (act && label) {
    made.append(button(() => {
      gone();
      act();
    }, { class: "toast-act", data: { do: "toast-act" } }, label));
  }
  for (const event of ["pointerenter", "focusin"]) made.addEventListener(event, () => clearTimeout(timer));
  for (const event of ["pointerleave", "focusout"]) made.addEventListener(event, wait);
  for (const old of region.querySelectorAll(".told-line")) old.remove(); // only the last thing can be taken back
  region.append(made);
  setTimeout(() => readOut(ctx, text), READ_OUT);
  wait();
  return gone;
}

/** @param {any} ctx @param {string} text */
function readOut(ctx, text) {
  const said = ctx.state && ctx.state.said ? ctx.both(ctx.state.said.text) : "";
  const place = document.getElementById("told-says");
  if (place && !said.includes(text)) place.textContent = text;
}
