/** The house rules: what each one says, where it is from, and how it is played here. */

import { button, el, freshId, refill } from "./dom.js";
import { sheet } from "./sheet.js";

/** @param {any} ctx @returns {Promise<any>} the answer of /api/rules, null where it cannot be had */
export async function fetchRules(ctx) {
  try {
    return await (await ctx.api("/api/rules")).json();
  } catch {
    return null;
  }
}

/** The house rules of one game. @param {any} known @param {string} name */
export function optionsOf(known, name) {
  const game = known.games.find((/** @type {any} */ one) => one.name === name);
  return game ? game.options : [];
}

/**
 * A row for each rule, with its sentence, its source and a choice.
 * @param {any} ctx @param {any} known @param {string} game
 * @param {Record<string, string>} changed filled with what differs from now
 * @param {() => void} [told] called after each change
 */
export function ruleFields(ctx, known, game, changed, told = () => {}) {
  return optionsOf(known, game).map((/** @type {any} */ option) => rule(ctx, option, changed, told));
}

function rule(ctx, option, changed, told) {
  const id = freshId("rule");
  const about = freshId("about");
  const now = String(changed[option.name] ?? option.value);
  const set = (/** @type {string} */ value) => {
    if (value === String(option.value)) delete changed[option.name];
    else changed[option.name] = value;
    row.classList.toggle("changed", value !== String(option.value));
    told();
  };
  const field = option.values && option.values.length
    ? el("select", { id, "aria-describedby": about, data: { rule: option.name }, on: { change: (/** @type {any} */ event) => set(event.target.value) } },
      ...option.values.map((/** @type {any} */ one) => {
        const value = String(one.value ?? one);
        const usual = value === String(option.default) ? ` ${ctx.t("taps.rules.usual")}` : "";
        return el("option", { value, selected: value === now }, `${one.text ? ctx.both(one.text) : value}${usual}`);
      }))
    : el("input", {
      id, type: "number", inputmode: "numeric", min: 1, max: 999, value: now, "aria-describedby": about, data: { rule: option.name },
      on: { change: (/** @type {any} */ event) => event.target.validity.valid && event.target.value && set(String(Number(event.target.value))) },
    });
  const row = el("div", { class: now === String(option.value) ? "rule" : "rule changed", data: { option: option.name } },
    el("label", { for: id }, option.title ? ctx.both(option.title) : option.name), field,
    el("p", { id: about, class: "rule-says" }, ctx.both(option.sentence), " ",
      el("span", { class: "source" }, sourceOf(ctx, option))));
  return row;
}

/** Clause and source: "règle T-50 · Wikipédia". */
function sourceOf(ctx, option) {
  const clause = option.clause || (option.clauses || []).join(", ");
  const source = option.source ? ctx.both(option.source) : "";
  if (!clause) return source;
  return [ctx.t("taps.rules.clause", { clause }), source].filter(Boolean).join(" · ");
}

/** All of them, to read and to change for the next game. @param {any} ctx @param {(changed: any) => void} begin */
export function rulesSheet(ctx, begin) {
  sheet(ctx, ctx.t("taps.rules"), (body, self) => {
    const place = el("div", { class: "rules", "aria-busy": "true" });
    /** @type {Record<string, string>} */
    const changed = {};
    const next = button(() => {
      self.close();
      begin(changed);
    }, { class: "button primary", data: { do: "rules-begin" }, disabled: true }, ctx.t("taps.rules.begin"));
    body.append(el("p", { class: "quiet" }, ctx.t("taps.rules.how", { game: ctx.t(`taps.game.${ctx.state.game.name}`) })), place,
      ctx.role === "correct" && el("div", { class: "acts at-end" }, next));
    fetchRules(ctx).then((known) => {
      place.removeAttribute("aria-busy");
      const told = () => {
        next.disabled = Object.keys(changed).length === 0;
      };
      refill(place, ...known ? ruleFields(ctx, known, ctx.state.game.name, changed, told) : [el("p", {}, ctx.t("taps.rules.none"))]);
    });
  }, { name: "rules", wide: true });
}
