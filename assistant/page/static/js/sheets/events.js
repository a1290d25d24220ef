/** Events as the state has them: a card or a call of this round, found again by its name. */

import { seatName } from "./seats.js";

/**
 * @param {any} state @param {string} id
 * @returns {{ kind: "card" | "call", event: string, seat: number, card?: string, verb?: string, text?: any, was?: string,
 *   p?: number | null, by?: string } | null}
 */
export function find(state, id) {
  for (const one of [...(state.round_cards || []).flat(), ...(state.trick || [])]) {
    if (one.event === id) return { kind: "card", ...one };
  }
  for (const one of state.calls || []) if (one.event === id) return { kind: "call", ...one };
  return null;
}

/** The line of the record, which says what the person saw. @param {any} one @returns {string} */
export function lineOf(one) {
  if (one.was) return one.was;
  return one.kind === "card" ? `play ${one.seat} ${one.card}` : `${one.verb} ${one.seat}`;
}

/** Whether it is still what it was. @param {any} a @param {any} b */
export const same = (a, b) => a !== null && b !== null && lineOf(a) === lineOf(b);

/** In words: "Marie : le sept de cœur", "Jean trute.". @param {any} ctx @param {any} one @returns {string} */
export function tell(ctx, one) {
  if (one.kind === "card") return ctx.t("taps.card.of", { name: seatName(ctx, one.seat), card: ctx.cardName(one.card) });
  return one.text ? ctx.both(one.text) : seatName(ctx, one.seat);
}
