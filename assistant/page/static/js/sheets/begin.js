/** Another game: which one, who sits where and deals, by which rules; a rematch is one tap. */

import { button, el, freshId, refill } from "./dom.js";
import { keepNames, nameFields } from "./names.js";
import { fetchRules, optionsOf, ruleFields } from "./rules.js";
import { seatName } from "./seats.js";
import { attempt } from "./sending.js";
import { sheet } from "./sheet.js";

/** Numbers of players of each game, the usual one first. */
export const SEATS = {
  "trut": [4, 2],
  "trut-gatine": [4, 2],
  "trut-robin-red": [4, 2],
  "truc": [2],
  "truc-y-flou": [6],
};

/** @param {any} ctx @param {Record<string, string>} [changed] house rules that are to differ from now */
export function beginSheet(ctx, changed = {}) {
  sheet(ctx, ctx.t("taps.begin"), (body, self) => {
    const after = ctx.state.game.n;
    const wish = {
      game: ctx.state.game.name,
      seats: ctx.state.game.seats,
      dealer: 0,
      options: /** @type {Record<string, string>} */ ({ ...changed }),
      known: /** @type {any} */ (null),
      names: /** @type {Record<string, string> | null} */ (null),
      read: /** @type {(() => Record<string, string>) | null} */ (null),
    };
    const begin = (/** @type {Record<string, any>} */ what) =>
      attempt(ctx, self, () => ({ do: "begin", after, ...what }),
        { undo: false, done: () => what.names && keepNames(Object.values(what.names)) });
    const fresh = el("div", {});
    const draw = () => {
      if (wish.read) wish.names = { ...wish.names, ...wish.read() };
      refill(fresh, form(ctx, wish, draw, begin));
    };
    draw();
    if (ctx.state.phase !== "over") body.append(el("p", { class: "warn" }, ctx.t("taps.begin.running")));
    body.append(
      button(() => begin({}), { class: "big rematch", data: { do: "rematch" } },
        el("strong", {}, ctx.t("taps.rematch")), el("span", {}, ctx.t("taps.rematch.same"))),
      fresh);
    self.onState((state) => {
      if (state.game.n === after) return;
      self.say(ctx.t("taps.begin.begun"));
      body.hidden = true;
    });
  }, { name: "begin", wide: true });
}

/** The form of a game that differs from the last. */
function form(ctx, wish, draw, begin) {
  const games = ctx.state.can && ctx.state.can.begin && ctx.state.can.begin.length ? ctx.state.can.begin : [ctx.state.game.name];
  const counts = /** @type {Record<string, number[]>} */ (SEATS)[wish.game] || [4];
  if (!counts.includes(wish.seats)) wish.seats = counts[0];
  if (wish.dealer > wish.seats) wish.dealer = 0;
  const { element, read } = nameFields(ctx, wish.seats, wish.names);
  wish.read = read;
  const rules = el("div", { class: "rules", "aria-busy": "true" });
  const more = el("details", { class: "more", data: { part: "rules" } }, el("summary", {}, ctx.t("taps.rules")), rules);
  more.addEventListener("toggle", async () => {
    if (!more.open || rules.childElementCount) return;
    wish.known = wish.known || await fetchRules(ctx);
    rules.removeAttribute("aria-busy");
    refill(rules, ...wish.known ? ruleFields(ctx, wish.known, wish.game, wish.options) : [el("p", {}, ctx.t("taps.rules.none"))]);
  });
  more.open = Object.keys(wish.options).length > 0;
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    begin({
      game: wish.game,
      seats: wish.seats,
      names: read(),
      options: allOptions(ctx, wish),
      ...(wish.dealer ? { dealer: wish.dealer } : {}),
    });
  };
  return el("form", { class: "form", on: { submit: enter } },
    el("h3", {}, ctx.t("taps.begin.other")),
    games.length > 1 && choice(ctx, ctx.t("taps.begin.game"),
      games.map((/** @type {string} */ name) => [name, ctx.t(`taps.game.${name}`)]), wish.game, (name) => {
        wish.game = name;
        wish.options = {};
        draw();
      }, "game"),
    counts.length > 1 && choice(ctx, ctx.t("taps.begin.seats"),
      counts.slice().sort().map((n) => [n, ctx.tn("taps.begin.players", n)]), wish.seats, (n) => {
        wish.seats = n;
        draw();
      }, "seats"),
    el("h3", {}, ctx.t("taps.names")), element,
    dealers(ctx, wish),
    more,
    el("div", { class: "acts at-end" },
      el("button", { type: "submit", class: "button primary", data: { do: "begin" } }, ctx.t("taps.begin.go"))));
}

/** All house rules of the game that is wanted, where one of them was changed; null: as they are. */
function allOptions(ctx, wish) {
  if (!Object.keys(wish.options).length) return null;
  const now = wish.game === ctx.state.game.name
    ? ctx.state.game.options
    : Object.fromEntries(optionsOf(wish.known, wish.game).map((/** @type {any} */ one) => [one.name, String(one.value)]));
  return { ...now, ...wish.options };
}

/** One of a few. */
function choice(ctx, title, values, chosen, choose, name) {
  const group = freshId(name);
  return el("fieldset", { class: "choice", data: { choice: name } }, el("legend", {}, title),
    el("div", { class: "choice-values" }, ...values.map(([value, text]) => {
      const id = freshId(name);
      const input = /** @type {HTMLInputElement} */ (el("input", {
        type: "radio", id, name: group, value, data: { [name]: value }, on: { change: () => choose(value) },
      }));
      input.checked = value === chosen;
      return el("span", { class: "choice-value" }, input, el("label", { for: id }, text));
    })));
}

/** Who deals first: the one whose turn it is by the rules, or another. */
function dealers(ctx, wish) {
  const same = wish.seats === ctx.state.game.seats;
  const values = [[0, ctx.t("taps.begin.dealer-next")]];
  for (let seat = 1; seat <= wish.seats; seat += 1) {
    values.push([seat, same ? seatName(ctx, seat) : ctx.t(`taps.side.${wish.seats}.${seat}`)]);
  }
  return choice(ctx, ctx.t("taps.begin.dealer"), values, wish.dealer, (seat) => {
    wish.dealer = seat;
  }, "dealer");
}
