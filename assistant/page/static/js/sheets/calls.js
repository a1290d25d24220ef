/**
 * What is said at the table, told by hand: only what may be said now, by those who may say it; everything else is one
 * tap further. Whoever must speak comes first.
 */

import { button, el, freshId, refill } from "./dom.js";
import { seatName, seats, teamOf } from "./seats.js";
import { attempt } from "./sending.js";
import { settle, sheet } from "./sheet.js";
import { callName, partsOf, VERBS, WANTS_NUMBER } from "./verbs.js";

/** Not calls of players: these have buttons of their own. */
const OTHERWISE = ["annul", "deal", "cut", "hand", "set-score", "concede", "undo", "play"];

/** @typedef {{ call: string, seats: number[], text: string, number: boolean }} May */

/**
 * The calls that the rules allow now, one for each form of words.
 * @param {any} ctx @returns {May[]}
 */
export function mayBeSaid(ctx) {
  const found = [];
  for (const one of ctx.state.may || []) {
    if (OTHERWISE.includes(one.verb)) continue;
    const number = one.free === "number";
    if (!one.args || !one.args.length) found.push({ call: one.verb, seats: one.seats, text: ctx.both(one.text), number });
    else one.args.forEach((/** @type {string[]} */ args, /** @type {number} */ i) => {
      const call = [one.verb, ...args].join(" ");
      found.push({ call, seats: one.seats, text: one.texts ? ctx.both(one.texts[i]) : callName(ctx, call), number });
    });
  }
  return found;
}

/** Who must speak now, the first of them. @param {any} state @returns {number | null} */
export const mustSpeak = (state) => (state.awaiting && state.awaiting.length ? state.awaiting[0] : null);

/** @param {any} ctx @param {number | null} [who] only what this player may say */
export function callsSheet(ctx, who = null) {
  sheet(ctx, titleOf(ctx, who), (body, self) => {
    let shown = "";
    const draw = (/** @type {boolean} */ moved) => {
      const now = JSON.stringify([ctx.state.may, ctx.state.awaiting, ctx.state.phase]);
      if (now === shown) return;
      shown = now;
      self.title(titleOf(ctx, who));
      refill(body, ...choices(ctx, who, self));
      if (moved) {
        settle(body);
        self.say(ctx.t("taps.calls.moved"));
      }
    };
    draw(false);
    self.onState(() => draw(true));
  }, { name: "calls" });
}

function titleOf(ctx, who) {
  const speaker = mustSpeak(ctx.state);
  if (who !== null) return ctx.t("taps.calls.of", { name: seatName(ctx, who) });
  if (speaker !== null) return ctx.t("taps.calls.answer", { name: seatName(ctx, speaker) });
  return mayBeSaid(ctx).some((one) => one.call === "trut") ? ctx.t("taps.calls.who-truts") : ctx.t("taps.calls");
}

function choices(ctx, who, self) {
  const all = mayBeSaid(ctx).filter((one) => who === null || one.seats.includes(who));
  const speaker = who ?? mustSpeak(ctx.state);
  const parts = [];
  for (const seat of speakers(ctx, all, speaker)) {
    const only = (/** @type {May} */ one) => one.seats.length === 1 || seat === speaker;
    const his = all.filter((one) => one.seats.includes(seat) && only(one));
    if (his.length) parts.push(answers(ctx, his, seat, self));
  }
  const nobody = all.filter((one) => !one.seats.length);
  if (nobody.length) parts.push(el("div", { class: "bigs" }, ...nobody.map((one) =>
    button(() => say(ctx, one.call, null, self), { class: "big", data: { do: "say", verb: one.call } }, one.text))));
  for (const one of all) {
    const others = one.seats.filter((seat) => seat !== speaker);
    if (who === null && one.seats.length > 1 && others.length) parts.push(whose(ctx, one, others, self));
  }
  if (!all.length) parts.push(el("p", { class: "quiet" }, ctx.t("taps.calls.none")));
  parts.push(everything(ctx, who, self));
  return parts;
}

/** Those with something of their own to say: who must speak first, then the others in their order. */
function speakers(ctx, all, speaker) {
  const alone = all.filter((one) => one.seats.length === 1).map((one) => one.seats[0]);
  return [...new Set([...(speaker === null ? [] : [speaker]), ...alone.sort((a, b) => a - b)])];
}

/** Big buttons for what one player may say. */
function answers(ctx, calls, seat, self) {
  const name = seatName(ctx, seat);
  return el("div", { class: `answers team-${teamOf(seat).toLowerCase()}`, role: "group", "aria-label": name, data: { seat } },
    el("h3", {}, name),
    el("div", { class: "bigs" }, ...calls.map((one) => one.number
      ? numberForm(ctx, one.call, one.text, seat, self)
      : button(() => say(ctx, one.call, seat, self),
        { class: "big", data: { do: "say", verb: one.call, seat } }, one.text))));
}

/** One call, and who makes it. */
function whose(ctx, one, allowed, self) {
  const id = freshId("call");
  const made = el("section", { class: "sheet-part", "aria-labelledby": id }, el("h3", { id }, one.text));
  if (one.number) made.append(...allowed.map((seat) => numberForm(ctx, one.call, seatName(ctx, seat), seat, self)));
  else made.append(seats(ctx, one.text, (seat) => say(ctx, one.call, seat, self),
    { allowed, first: ctx.state.turn, doing: "say" }));
  for (const place of made.querySelectorAll("[data-do=say]")) place.setAttribute("data-verb", one.call);
  return made;
}

/** A call that says a number. */
function numberForm(ctx, call, label, seat, self) {
  const id = freshId("number");
  const field = /** @type {HTMLInputElement} */ (el("input", {
    id, type: "number", inputmode: "numeric", min: 0, max: 999, required: true, data: { number: call },
  }));
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    say(ctx, `${call} ${Number(field.value)}`, seat, self);
  };
  return el("form", { class: "number-form", on: { submit: enter } }, el("label", { for: id }, label), field,
    el("button", { type: "submit", class: "button primary", data: { do: "say", verb: call, seat } }, ctx.t("taps.say-it")));
}

/** Every call of the game, for what the rules do not expect now: they judge it. */
function everything(ctx, who, self) {
  const calls = VERBS[ctx.state.game.name] || [];
  const place = el("div", { class: "sheet-part", hidden: true });
  const grid = el("div", { class: "verbs" });
  for (const call of calls) {
    grid.append(button(() => {
      const name = callName(ctx, call);
      const tell = (/** @type {number} */ seat) => say(ctx, call, seat, self);
      place.hidden = false;
      if (WANTS_NUMBER.includes(call)) {
        const all = ctx.state.players.map((/** @type {any} */ player) => player.seat);
        refill(place, el("h3", {}, name), ...all.filter((/** @type {number} */ seat) => who === null || seat === who)
          .map((/** @type {number} */ seat) => numberForm(ctx, call, seatName(ctx, seat), seat, self)));
      } else if (who !== null) tell(who);
      else refill(place, el("h3", {}, name), seats(ctx, name, tell));
      place.scrollIntoView({ block: "nearest" });
    }, { class: "button", data: { do: "verb", verb: call } }, callName(ctx, call)));
  }
  return el("details", { class: "more", data: { part: "all-calls" } },
    el("summary", {}, ctx.t("taps.calls.all")), el("p", { class: "quiet" }, ctx.t("taps.calls.judged")), grid, place);
}

function say(ctx, call, seat, self) {
  const [verb, args] = partsOf(call);
  return attempt(ctx, self, () => ({ do: "say", verb, seat, args }), { still: callName(ctx, call) });
}
