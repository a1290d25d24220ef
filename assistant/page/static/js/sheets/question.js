/** The question that waits, as a card at the bottom of the page; it goes as soon as anybody has answered. */

import { button, el, refill } from "./dom.js";
import { send } from "./sending.js";
import { PACKS } from "./picker.js";

/** @param {any} ctx @param {HTMLElement} place @returns {() => void} stops */
export function question(ctx, place) {
  let shown = "";
  const draw = () => {
    const asked = ctx.role === "correct" && ctx.state && ctx.state.question; // those who watch read it on the board
    const now = asked ? JSON.stringify([asked, ctx.lang]) : "";
    if (now === shown) return;
    shown = now;
    place.hidden = !asked;
    if (asked) refill(place, ...card(ctx, asked));
    else refill(place);
  };
  const stops = [ctx.onState(draw), ctx.onRole(draw), ctx.onLang(draw)];
  draw();
  return () => stops.forEach((stop) => stop());
}

function card(ctx, asked) {
  const words = el("p", { class: "question-text" }, ctx.both(asked.text));
  const answers = el("div", { class: "question-answers", role: "group", "aria-label": ctx.both(asked.text) });
  for (const one of asked.answers || []) {
    const label = ctx.both(one.text);
    const face = isCard(ctx, one.value) && ctx.card(one.value, { hidden: true });
    answers.append(button(async () => {
      for (const other of answers.querySelectorAll("button")) other.disabled = true;
      const answer = await send(ctx, { do: "reply", question: asked.id, answer: one.value });
      if (!answer.ok) for (const other of answers.querySelectorAll("button")) other.disabled = false;
    }, { class: "answer", data: { answer: String(one.value), do: "reply" } }, face, label));
  }
  return [words, answers];
}

/** @param {any} ctx @param {any} value */
function isCard(ctx, value) {
  const pack = /** @type {any} */ (PACKS)[ctx.state.game.pack];
  if (typeof value !== "string" || !pack) return false;
  return pack.suits.some((/** @type {string} */ suit) => pack.ranks.some((/** @type {string} */ rank) => rank + suit === value));
}
