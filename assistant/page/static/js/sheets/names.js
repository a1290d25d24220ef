/** What the players are called; the names of earlier evenings are kept on this device and nowhere else. */

import { memory } from "../texts.js";
import { button, el, freshId } from "./dom.js";
import { PLACES, seatName, teamOf } from "./seats.js";
import { overtaken, send, wordsOf } from "./sending.js";
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
 * @returns {{ element: HTMLElement, read: () => Record<string, string> }}
 */
export function nameFields(ctx, count) {
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
      enterkeyhint: "next", placeholder: side, value: player && player.given && count === ctx.state.game.seats ? player.name : null,
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
    const enter = async (/** @type {Event} */ event) => {
      event.preventDefault();
      self.hush();
      const names = read();
      const answer = await send(ctx, { do: "names", names }, { quiet: true, undo: false });
      if (answer.ok || answer.code === "given-up") {
        if (answer.ok) keepNames(Object.values(names));
        self.close();
      } else self.say(wordsOf(ctx, answer), overtaken(answer) ? "news" : "trouble");
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

/** A player: his name, and what he may say or lay. @param {any} ctx @param {number} seat */
export const playerTitle = (ctx, seat) => seatName(ctx, seat);
