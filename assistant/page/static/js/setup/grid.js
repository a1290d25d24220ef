/** All cards of a pack: which are learnt, which is asked for now, which are missing, which look alike. */

import { el, setAttribute, setData } from "../dom.js";

const MARKS = { learnt: "✓", wanted: "!", alike: "≈", missing: "" };

/** The pack whose faces a pattern's cards have. @param {string} like */
export function packOf(like) {
  if (like.startsWith("spanish")) return "spanish40";
  return like === "numbered8" ? "numbered8" : "french32";
}

export class Grid {
  #cards = new Map();

  /** @param {object} ctx @param {string} like @param {string[]} cards @param {(card: string) => void} tapped */
  constructor(ctx, like, cards, tapped) {
    this.ctx = ctx;
    this.pack = packOf(like);
    const suits = new Set(cards.map((card) => card.slice(-1)));
    this.root = el("div", { class: "setup-grid", role: "group", "aria-label": ctx.t("setup.deck.grid"), data: { rank: like === "numbered8" ? 8 : cards.length / suits.size } });
    for (const card of cards) {
      const mark = el("span", { class: "setup-mark", "aria-hidden": "true" });
      const one = el("button", { class: "setup-card", type: "button", data: { card }, on: { click: () => tapped(card) } }, ctx.card(card, { pack: this.pack, size: "small", hidden: true }), mark);
      this.#cards.set(card, { one, mark });
      this.root.append(one);
    }
  }

  /** @param {{shown: Object<string, number>, wanted: string|null, alike: string[][]}} state */
  show(state) {
    const alike = new Set(state.alike.flat());
    for (const [card, { one, mark }] of this.#cards) {
      const is = card === state.wanted ? "wanted" : !state.shown[card] ? "missing" : alike.has(card) ? "alike" : "learnt";
      setData(one, "is", is);
      if (mark.textContent !== MARKS[is]) mark.textContent = MARKS[is];
      setAttribute(one, "aria-label", this.ctx.t(`setup.deck.card.${is}`, { card: this.ctx.cardName(card, this.pack) }));
    }
  }
}

/** What the marks mean. @param {object} ctx */
export function legend(ctx) {
  return el(
    "ul",
    { class: "setup-legend", "aria-hidden": "true" },
    ...Object.keys(MARKS).map((is) => el("li", {}, el("span", { class: "setup-mark setup-legend-mark", data: { is }, text: MARKS[is] }), el("span", { text: ctx.t(`setup.deck.legend.${is}`) }))),
  );
}
