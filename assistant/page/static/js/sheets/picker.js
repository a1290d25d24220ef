/** All the cards of the pack as a grid, a row or two for each suit; those that are out already are marked. */

import { button, el } from "./dom.js";
import { seatName } from "./seats.js";

/** The packs of the five games, in the order in which their cards are shown. */
export const PACKS = {
  french32: { suits: ["s", "h", "d", "c"], ranks: ["7", "8", "9", "10", "J", "Q", "K", "A"], copies: 1 },
  spanish40: { suits: ["e", "b", "o", "c"], ranks: ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"], copies: 1 },
  numbered8: { suits: [""], ranks: ["1", "2", "3", "4", "5", "6", "7", "8"], copies: 4 },
};

/** The cards laid in the round that is shown, in their order. @param {any} state @returns {any[]} */
export function laid(state) {
  const all = new Map();
  for (const one of [...(state.round_cards || []).flat(), ...(state.trick || [])]) all.set(one.event, one);
  return [...all.values()];
}

/**
 * How often each card is out in this round, and who laid it last.
 * @param {any} state @param {string | null} [but] an event that does not count
 * @returns {Map<string, { times: number, seat: number }>}
 */
export function out(state, but = null) {
  const found = new Map();
  const seen = state.phase === "deal" || state.phase === "over" ? but !== null : true;
  for (const one of seen ? laid(state) : []) {
    if (one.event === but || !one.card) continue;
    found.set(one.card, { times: (found.get(one.card)?.times || 0) + 1, seat: one.seat });
  }
  return found;
}

/**
 * One card that can be chosen.
 * @param {any} ctx @param {string} name @param {(card: string) => any} choose
 * @param {{ out?: { times: number, seat: number }, most?: number }} [how]
 * @returns {HTMLButtonElement}
 */
export function cardButton(ctx, name, choose, { out: gone, most = 1 } = {}) {
  const pack = ctx.state.game.pack;
  const used = gone !== undefined && gone.times >= most;
  const label = used
    ? ctx.t("taps.card.out", { card: ctx.cardName(name), name: seatName(ctx, gone?.seat) })
    : ctx.cardName(name);
  const made = button(() => choose(name), {
    class: used ? "pick used" : "pick", "aria-label": label, title: label, data: { do: "card", card: name },
  }, ctx.card(name, { pack, hidden: true }));
  if (most > 1 && gone) made.append(el("span", { class: "left", "aria-hidden": "true" }, `${gone.times}/${most}`));
  return made;
}

/**
 * The grid.
 * @param {any} ctx
 * @param {(card: string) => any} choose
 * @param {{ but?: string | null, unseen?: boolean }} [how] `but`: the event that is corrected does not count as out;
 *   `unseen`: offer ranks without a suit too
 * @returns {HTMLElement}
 */
export function picker(ctx, choose, { but = null, unseen = true } = {}) {
  const pack = /** @type {any} */ (PACKS)[ctx.state.game.pack] || PACKS.french32;
  const gone = out(ctx.state, but);
  const grid = el("div", { class: `picker ${ctx.state.game.pack}` });
  for (const suit of pack.suits) {
    const label = suit ? ctx.t(`taps.suit.${ctx.state.game.pack}.${suit}`) : ctx.t("taps.all-cards");
    const row = el("div", { class: "suit-row", role: "group", "aria-label": label, data: { suit } });
    for (const rank of pack.ranks) {
      const name = `${rank}${suit}`;
      row.append(cardButton(ctx, name, choose, { out: gone.get(name), most: pack.copies }));
    }
    grid.append(row);
  }
  if (!unseen || pack.suits.length < 2) return grid;
  const row = el("div", { class: "suit-row", role: "group", "aria-label": ctx.t("taps.suit.unseen") });
  for (const rank of pack.ranks) row.append(cardButton(ctx, `${rank}?`, choose));
  const more = el("details", { class: "unseen-suits" }, el("summary", {}, ctx.t("taps.suit.unseen")), row);
  grid.append(more);
  return grid;
}
