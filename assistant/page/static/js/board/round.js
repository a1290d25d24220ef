/** The round so far: the tricks that were played, small, and what was called. */

import { card } from "../cards.js";
import { el, keyed, setAttribute, setData, setText } from "../dom.js";
import { seatName, teamName } from "./names.js";

export class RoundSoFar {
  constructor(ctx, tapped) {
    this.ctx = ctx;
    this.tapped = tapped;
    this.trickList = el("ol", { class: "tricks-list" });
    this.callList = el("ol", { class: "calls-list" });
    this.tricks = el("section", { class: "tricks" }, this.trickList);
    this.calls = el("section", { class: "calls" }, this.callList);
  }

  draw(state) {
    const { ctx } = this;
    setAttribute(this.tricks, "aria-label", ctx.t("board.tricks"));
    setAttribute(this.calls, "aria-label", ctx.t("board.calls"));
    const lying = new Set(state.trick.map((one) => one.event));
    const tricks = (state.round_cards || [])
      .map((cards, n) => ({ cards, n, result: (state.tricks || [])[n] || null }))
      .filter(({ cards }) => cards.length && !cards.every((one) => lying.has(one.event)));
    const calls = state.calls || [];
    this.tricks.hidden = !tricks.length;
    this.calls.hidden = !calls.length;
    setData(this.trickList, "count", tricks.length);
    keyed(this.trickList, tricks, (trick) => `${state.round}-${trick.n}`, () => this.makeTrick(), (element, trick) => this.drawTrick(element, trick, state));
    keyed(this.callList, calls, (call) => call.event, (call) => this.makeCall(call), (element, call) => this.drawCall(element, call, state));
  }

  makeTrick() {
    return el("li", { class: "trick" }, el("span", { class: "trick-result" }, el("span", { class: "trick-n" }), " ", el("span", { class: "trick-what" })), el("span", { class: "trick-cards" }));
  }

  drawTrick(element, { cards, n, result }, state) {
    const { ctx, tapped } = this;
    const [words, place] = element.children;
    const team = state.teams.find((known) => known.id === result);
    setData(element, "result", result);
    setData(element, "team", team ? team.id : null);
    setText(words.firstChild, ctx.t("board.trick", { n: n + 1 }));
    setText(words.lastChild, team ? teamName(ctx, team) : result === "rotten" ? ctx.t("board.trick.rotten") : "");
    keyed(
      place,
      cards,
      (one) => `${one.event}-${one.card}`,
      (one) =>
        el(
          tapped ? "button" : "span",
          { class: "small-slot", type: tapped ? "button" : null, data: { event: one.event }, on: tapped ? { click: () => tapped({ kind: "card", event: one.event }) } : {} },
          card(one.card, { pack: state.game.pack, size: "small", hidden: true }),
        ),
      (slot, one) => {
        setAttribute(slot, "role", tapped ? null : "img");
        setAttribute(slot, "aria-label", ctx.t("board.laid", { name: seatName(ctx, state, one.seat), card: ctx.cardName(one.card) }));
      },
    );
  }

  makeCall(call) {
    const { tapped } = this;
    return el(
      "li",
      {},
      el(tapped ? "button" : "span", { class: "call", type: tapped ? "button" : null, data: { event: call.event, verb: call.verb }, on: tapped ? { click: () => tapped({ kind: "call", event: call.event }) } : {} }),
    );
  }

  drawCall(element, call, state) {
    const { ctx } = this;
    const text = ctx.both(call.says || call.text);
    setText(element.firstChild, call.seat && call.says ? ctx.t("board.call", { name: seatName(ctx, state, call.seat), call: text }) : text);
  }
}
