/** What the players are called; the names of earlier evenings are kept on this device and nowhere else. */

import { memory } from "../texts.js";
import { button, el, freshId } from "./dom.js";
import { PLACES, teamOf } from "./seats.js";
import { attempt } from "./sending.js";
import { sheet } from "./sheet.js";

const KEPT = "names";
const MOST = 24;
/** Letters that a name may have. */
export const LONGEST = 24;

/** Names used on this device, the newest first. @returns {string[]} */
export function earlierNames() {
  try {
    const kept = JSON.parse(memory.get(KEPT) || "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Keep names for another evening. @param {string[]} names */
export function keepNames(names) {
  memory.set(KEPT, JSON.stringify([...new Set([...names.filter(Boolean), ...earlierNames()])].slice(0, MOST)));
}

/** Forget them all. */
export function forgetNames() {
  memory.set(KEPT, null);
}

/**
 * A field for each seat, around the table.
 * @param {any} ctx @param {number} count
 * @param {Record<string, string> | null} [typed] what stands in them; else the names of the players now
 * @returns {{ element: HTMLElement, read: () => Record<string, string> }}
 */
export function nameFields(ctx, count, typed = null) {
  const list = freshId("earlier");
  const places = /** @type {any} */ (PLACES)[count];
  const ring = el("div", { class: `placed names placed-${count}` });
  /** @type {HTMLInputElement[]} */
  const fields = [];
  for (let seat = 1; seat <= count; seat += 1) {
    const player = ctx.state.players.find((/** @type {any} */ one) => one.seat === seat);
    const id = freshId("name");
    const side = player && count === ctx.state.game.seats && player.side ? ctx.both(player.side) : ctx.t(`taps.side.${count}.${seat}`);
    const field = /** @type {HTMLInputElement} */ (el("input", {
      id, type: "text", list, maxlength: LONGEST, autocomplete: "off", autocapitalize: "words", spellcheck: "false",
      enterkeyhint: "next", placeholder: side, value: typed ? typed[seat] : player && player.given ? player.name : null,
      data: { name: seat },
    }));
    fields.push(field);
    ring.append(el("div", { class: `name team-${teamOf(seat).toLowerCase()}`, data: { at: places[seat - 1] } },
      el("label", { for: id }, side), field));
  }
  const known = el("datalist", { id: list }, ...earlierNames().map((name) => el("option", { value: name })));
  const read = () => Object.fromEntries(fields.map((field, i) => [String(i + 1), field.value.trim().replace(/\s+/g, " ")]));
  return { element: el("div", {}, ring, known), read };
}

/** @param {any} ctx @param {number | null} [seat] whose name is to be given */
export function namesSheet(ctx, seat = null) {
  sheet(ctx, ctx.t("taps.names"), (body, self) => {
    const { element, read } = nameFields(ctx, ctx.state.game.seats);
    const enter = (/** @type {Event} */ event) => {
      event.preventDefault();
      const names = read();
      attempt(ctx, self, () => ({ do: "names", names }), { undo: false, still: ctx.t("taps.names.still"), done: () => keepNames(Object.values(names)) });
    };
    const forget = button(() => {
      forgetNames();
      forget.remove();
      self.say(ctx.t("taps.names.forgotten"));
    }, { class: "button", data: { do: "forget-names" } }, ctx.t("taps.names.forget"));
    body.append(el("form", { class: "form", on: { submit: enter } }, element,
      el("p", { class: "quiet" }, ctx.t("taps.names.kept")),
      el("div", { class: "acts at-end" }, earlierNames().length > 0 && forget,
        el("button", { type: "submit", class: "button primary", data: { do: "names-save" } }, ctx.t("taps.save")))));
    const wanted = seat === null ? null : body.querySelector(`[data-name="${seat}"]`);
    if (wanted instanceof HTMLInputElement) wanted.focus();
  }, { name: "names" });
}
