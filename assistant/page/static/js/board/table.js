/** The table: who sits where, the cards of the trick as they lie, what is at stake in the middle. */

import { card } from "../cards.js";
import { el, keyed, setAttribute, setData, setText } from "../dom.js";
import { playerName, scoreText, teamName } from "./names.js";
import { longToken, petitToken } from "./tokens.js";

/** Where the seats are on the screen, as in the camera's picture: seat 1 at the bottom. */
const PLACES = {
  2: { 1: "bottom", 2: "top" },
  4: { 1: "bottom", 2: "left", 3: "top", 4: "right" },
  6: { 1: "bottom", 2: "bottom-right", 3: "top-right", 4: "top", 5: "top-left", 6: "bottom-left" },
};
const SURE = 0.8; // below, a reading is marked as unsure
const TOKENS = 7; // that come down for the winners

export class Table {
  constructor(ctx, tapped) {
    this.ctx = ctx;
    this.tapped = tapped;
    this.seats = el("ul", { class: "seats" });
    this.stake = el("div", { class: "stake", data: { stake: "" } });
    this.end = el("div", { class: "end", hidden: true });
    this.felt = el("div", { class: "felt" }, this.seats, this.stake, this.end);
    this.element = el("section", { class: "table" }, this.felt);
    this.state = null;
    if (window.ResizeObserver) new ResizeObserver(() => this.fit()).observe(this.element);
    else addEventListener("resize", () => this.fit());
  }

  draw(state) {
    const { ctx } = this;
    this.state = state;
    setAttribute(this.element, "aria-label", ctx.t("board.table"));
    const over = state.winner !== null && state.winner !== undefined;
    const laid = new Map(state.trick.map((one) => [one.seat, one]));
    const leader = state.trick.length ? state.trick[0].seat : null;
    const calls = (state.calls || []).filter((call) => call.seat && !isPast(call, laid.get(call.seat)));
    const spoken = new Map(calls.map((call) => [call.seat, call]));
    keyed(
      this.seats,
      state.players,
      (player) => `${state.game.seats}-${player.seat}`,
      (player) => this.station(player, PLACES[state.game.seats][player.seat]),
      (element, player) => this.drawStation(element, { player, state, laid: laid.get(player.seat), leads: leader === player.seat, call: spoken.get(player.seat) }),
    );
    this.drawStake(state, over);
    this.drawEnd(state, over);
    setData(this.element, "seats", state.game.seats);
    setData(this.element, "over", over ? "yes" : null);
    this.fit();
  }

  // -- one seat

  station(player, place) {
    const tag = this.tapped ? "button" : "span";
    const type = this.tapped ? "button" : null;
    const name = el("span", { class: "plate-name" });
    const plate = el(tag, { class: "plate", type, data: { player: player.seat } }, el("span", { class: "plate-dealer", "aria-hidden": "true" }), name, el("span", { class: "plate-cards", "aria-hidden": "true" }));
    if (this.tapped) plate.addEventListener("click", () => this.tapped({ kind: "player", seat: player.seat }));
    return el("li", { class: "seat", data: { seat: player.seat, place, team: player.team } }, plate, el("div", { class: "lay" }));
  }

  drawStation(element, { player, state, laid, leads, call }) {
    const { ctx } = this;
    const [plate, lay] = element.children;
    const [dealer, name, cards] = plate.children;
    const named = playerName(ctx, player);
    setData(element, "turn", player.turn ? "yes" : null);
    setData(element, "speaks", player.speaks ? "yes" : null);
    setData(element, "dealer", player.dealer ? "yes" : null);
    setData(element, "leads", leads ? "yes" : null);
    setData(element, "laid", laid ? "yes" : null);
    setText(name, named);
    setData(name, "long", named.length > (state.game.seats === 6 ? 7 : 9) ? "yes" : null);
    setText(dealer, ctx.t("board.dealer.letter"));
    dealer.hidden = !player.dealer;
    const held = Math.max(0, Math.min(6, player.cards || 0));
    keyed(cards, Array.from({ length: held }, (_, n) => String(n)), (key) => key, () => el("span", { class: "plate-card" }));
    const about = [named];
    if (player.dealer) about.push(ctx.t("board.dealer"));
    if (player.turn) about.push(ctx.t("board.turn"));
    if (player.speaks) about.push(ctx.t("board.speaks"));
    if (player.cards !== null && player.cards !== undefined) about.push(ctx.tn("board.cards", player.cards));
    setAttribute(plate, "aria-label", about.join(", "));
    const things = [{ key: laid ? `${laid.event}-${laid.card}` : "none", laid, player, named }];
    keyed(
      lay,
      [...things, ...(leads ? [{ key: "leads", leads }] : []), ...(call ? [{ key: `${call.event}-${ctx.lang}`, call }] : [])],
      (thing) => thing.key,
      (thing) => (thing.call ? this.bubble(thing.call, named) : thing.leads ? el("span", { class: "leads" }) : this.card(thing, state)),
      (made, thing) => {
        if (thing.leads) setText(made, ctx.t("board.leads"));
        else if (!thing.call) this.nameCard(made, thing);
      },
    );
  }

  card({ laid, player }, state) {
    const { tapped } = this;
    const tag = tapped ? "button" : "span";
    const slot = el(tag, { class: `slot${laid ? "" : " slot-empty"}`, type: tapped ? "button" : null });
    if (laid) {
      slot.append(card(laid.card, { pack: state.game.pack, hidden: true }), el("span", { class: "unsure", "aria-hidden": "true", text: "?" }));
      setData(slot, "event", laid.event);
      if (tapped) slot.addEventListener("click", () => tapped({ kind: "card", event: laid.event }));
    } else if (tapped) slot.addEventListener("click", () => tapped({ kind: "gap", seat: player.seat }));
    return slot;
  }

  nameCard(slot, { laid, named }) {
    const { ctx } = this;
    const unsure = Boolean(laid) && laid.p !== null && laid.p !== undefined && laid.p < SURE;
    setData(slot, "unsure", unsure ? "yes" : null);
    if (laid) setAttribute(slot, "aria-label", ctx.t(unsure ? "board.laid.unsure" : "board.laid", { name: named, card: ctx.cardName(laid.card) }));
    else setAttribute(slot, "aria-label", ctx.t("board.not-laid", { name: named }));
    setAttribute(slot, "role", this.tapped ? null : "img");
  }

  bubble(call, named) {
    const { ctx, tapped } = this;
    const text = ctx.both(call.says || call.text);
    return el(
      tapped ? "button" : "span",
      {
        class: "bubble",
        type: tapped ? "button" : null,
        "aria-label": call.says ? ctx.t("board.call", { name: named, call: text }) : text,
        data: { event: call.event, verb: call.verb },
        on: tapped ? { click: () => tapped({ kind: "call", event: call.event }) } : {},
      },
      text,
    );
  }

  // -- the middle

  drawStake(state, over) {
    const { ctx } = this;
    this.stake.hidden = over || !state.stake;
    if (this.stake.hidden) return;
    const kind = state.stake === "petit" ? "petit" : state.stake === "long" ? "long" : "points";
    setData(this.stake, "stake", state.stake);
    keyed(
      this.stake,
      [kind, "text"],
      (part) => part,
      (part) => (part === "petit" ? petitToken(true) : part === "long" ? longToken(true) : el("span", { class: part === "text" ? "stake-text" : "stake-mark" })),
      (element, part) => {
        if (part !== "text") return;
        keyed(element, ["label", "what"], (key) => key, (key) => el("span", { class: `stake-${key}` }), (span, key) => setText(span, key === "label" ? ctx.t("board.stake") : stakeWords(ctx, state)));
      },
    );
  }

  drawEnd(state, over) {
    const { ctx } = this;
    const team = over && state.teams.find((known) => known.id === state.winner);
    this.end.hidden = !team;
    setData(this.end, "team", team ? team.id : null);
    if (!team) {
      this.end.replaceChildren();
      return;
    }
    const key = `${state.game.n}-${state.winner}-${ctx.lang}-${teamName(ctx, team)}-${JSON.stringify(state.teams.map((one) => one.score))}`;
    if (this.end.dataset.shown === key) return;
    this.end.dataset.shown = key;
    const other = state.teams.find((known) => known.id !== state.winner);
    const make = "points" in team.score ? petitToken : longToken;
    this.end.replaceChildren(
      el("div", { class: "fall", "aria-hidden": "true" }, ...Array.from({ length: TOKENS }, (_, n) => el("span", { class: "fall-token", data: { n } }, make(true)))),
      el("p", { class: "end-text", text: ctx.tn("board.wins", team.seats.length, { name: teamName(ctx, team) }) }),
      el("p", { class: "end-score", text: ctx.t("board.to", { won: scoreText(ctx, team), lost: scoreText(ctx, other) }) }),
    );
  }

  // -- sizes

  /** Cards as large as the table allows: two rows of them, or three beside each other. */
  fit() {
    if (!this.state) return;
    const { clientWidth: width, clientHeight: height } = this.felt;
    if (!width || !height) return;
    const text = parseFloat(getComputedStyle(this.felt).fontSize);
    const seats = this.state.game.seats;
    const middle = seats === 2 ? 2.6 : seats === 4 ? 3.4 : 2.8; // the stake, in letters
    const tall = (height - (2 * 2.5 + middle + 1.6) * text) / 2;
    const wide = (width - (seats === 2 ? 2 : 3.2) * text) / (seats === 2 ? 2 : 3);
    const size = Math.max(34, Math.min(tall * (5 / 7), wide));
    this.felt.style.setProperty("--card", `${size.toFixed(1)}px`);
    const beside = seats !== 6 ? (width - size) / 2 - 0.9 * text : width / 3 - 0.4 * text;
    this.felt.style.setProperty("--beside", `${beside.toFixed(1)}px`); // how wide what stands left or right may be
  }
}

/** A word for what the round is worth; the sentence where there is none. */
function stakeWords(ctx, state) {
  const points = /^points (\d+)$/.exec(state.stake);
  if (points) return ctx.tn("board.points", Number(points[1]));
  const key = `board.stake.${state.stake}`;
  return ctx.has(key) ? ctx.t(key) : ctx.both(state.stake_text);
}

/**
 * Whether the player has laid this card since he made that call: the card is not to be hidden any longer. Events are
 * numbered as they come. @param {any} call @param {any} laid his card in this trick, if any
 */
function isPast(call, laid) {
  const number = (/** @type {string} */ event) => Number(event.slice(1));
  return Boolean(laid) && number(laid.event) > number(call.event);
}
