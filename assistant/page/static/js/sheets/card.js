/**
 * A card that was laid: what it was taken for and why, and everything that can be put right about it.
 * The sheet follows the game while it is open; what the person wanted is kept when somebody else was quicker.
 */

import { button, el, refill } from "./dom.js";
import { find, lineOf, same } from "./events.js";
import { insertSheet } from "./insert.js";
import { joinHint } from "./join.js";
import { cardButton, out, picker } from "./picker.js";
import { seatName, seats } from "./seats.js";
import { attempt } from "./sending.js";
import { settle, sheet } from "./sheet.js";

/** Where a reading can come from. */
const SOURCES = ["camera", "microphone", "rules", "keyboard", "page", "voice", "told", "simulation"];

/** @param {any} ctx @param {string} event */
export function cardSheet(ctx, event) {
  const first = find(ctx.state, event);
  if (first === null || first.kind !== "card") return;
  const may = ctx.role === "correct";
  sheet(ctx, titleOf(ctx, first), (body, self) => {
    let seen = first;
    const face = el("div", { class: "card-now" });
    const rest = el("div", { class: "card-rest" });
    body.append(face, rest);
    refill(face, ...facts(ctx, seen, may));
    if (may) refill(rest, ...corrections(ctx, () => seen, self));
    else refill(rest, joinHint(ctx, self.close));
    self.onState((state) => {
      const now = find(state, event);
      if (now === null) {
        self.say(ctx.t("taps.card.gone"), "trouble");
        rest.hidden = true;
        return;
      }
      rest.hidden = false;
      if (same(now, seen)) return;
      seen = now;
      self.title(titleOf(ctx, seen));
      refill(face, ...facts(ctx, seen, may));
      if (may) refill(rest, ...corrections(ctx, () => seen, self));
      settle(body);
      self.say(ctx.t("taps.card.now", { card: ctx.cardName(seen.card), name: seatName(ctx, seen.seat) }));
    });
  }, { name: "card" });
}

/** @param {any} ctx @param {any} one */
function titleOf(ctx, one) {
  const name = ctx.cardName(one.card);
  return name.charAt(0).toLocaleUpperCase(ctx.lang) + name.slice(1);
}

/** The card large, who laid it, how sure, from where; the picture behind it where there is one. */
function facts(ctx, one, may) {
  const lines = [
    el("p", { class: "strong" }, ctx.t("taps.card.by", { name: seatName(ctx, one.seat) })),
    SOURCES.includes(one.by) && el("p", {}, ctx.t(`taps.from.${one.by}`)),
    typeof one.p === "number" && el("p", {}, sure(ctx, one.p)),
  ];
  const shown = [
    ctx.card(one.card),
    el("div", { class: "card-facts" }, ...lines),
  ];
  if (may && one.by === "camera") {
    const picture = el("img", { src: `/api/card/${encodeURIComponent(one.event)}.jpg`, alt: ctx.t("taps.card.picture") });
    const framed = el("figure", { class: "close-up" }, picture, el("figcaption", {}, ctx.t("taps.card.seen")));
    picture.addEventListener("error", () => framed.remove());
    shown.push(framed);
  }
  return shown;
}

/** How sure a reading was, as a bar and in words. */
function sure(ctx, p) {
  const percent = Math.round(100 * p);
  const meter = el("meter", { min: 0, max: 1, low: 0.6, high: 0.85, optimum: 1, value: p, "aria-hidden": "true" });
  return el("span", { class: "sure" }, meter, ctx.t("taps.sure", { percent }));
}

/** Everything that can be put right. `seen` gives what the sheet shows now. */
function corrections(ctx, seen, self) {
  const rename = (/** @type {string} */ card) => {
    if (card === seen().card) self.close();
    else attempt(ctx, self, () => ({ do: "rename", event: seen().event, was: seen().card, card }),
      { still: ctx.t("taps.card.still", { card: ctx.cardName(card) }) });
  };
  const reseat = (/** @type {number} */ seat) => {
    if (seat === seen().seat) return;
    attempt(ctx, self, () => ({ do: "reseat", event: seen().event, was: seen().seat, seat }),
      { still: ctx.t("taps.seat.still", { name: seatName(ctx, seat) }) });
  };
  const drop = () => attempt(ctx, self, () => ({ do: "drop", event: seen().event, was: lineOf(seen()) }),
    { still: ctx.t("taps.drop.still") });
  const who = el("div", { class: "sheet-part", hidden: true },
    el("h3", {}, ctx.t("taps.card.who")),
    seats(ctx, ctx.t("taps.card.who"), reseat, { chosen: seen().seat }));
  const whose = button(() => {
    who.hidden = !who.hidden;
    whose.setAttribute("aria-expanded", String(!who.hidden));
  }, { "aria-expanded": "false", class: "button", data: { do: "reseat" } }, ctx.t("taps.card.other-player"));
  const before = () => {
    self.close();
    insertSheet(ctx, seen().event);
  };
  return [
    neighbours(ctx, seen(), rename),
    el("div", { class: "acts" },
      whose,
      button(drop, { class: "button", data: { do: "drop" } }, ctx.t("taps.card.never")),
      button(before, { class: "button", data: { do: "insert" } }, ctx.t("taps.card.missed"))),
    who,
    el("h3", {}, ctx.t("taps.card.all")),
    picker(ctx, rename, { but: seen().event }),
  ];
}

/** The likeliest other cards, as soon as the referee has named them. */
function neighbours(ctx, one, rename) {
  const row = el("div", { class: "likely", role: "group", "aria-label": ctx.t("taps.card.likely") });
  const part = el("div", { class: "sheet-part", data: { part: "likely" } }, el("h3", {}, ctx.t("taps.card.likely")), row);
  for (let place = 0; place < 4; place += 1) row.append(el("span", { class: "pick empty" }));
  const copies = ctx.state.game.pack === "numbered8" ? 4 : 1;
  ctx.tap({ do: "neighbours", event: one.event }).then((/** @type {any} */ answer) => {
    const cards = (answer.ok && answer.cards ? answer.cards : []).filter((/** @type {string} */ card) => card !== one.card);
    const gone = out(ctx.state, one.event);
    if (!cards.length) part.remove();
    else {
      const picks = cards.slice(0, 6).map((/** @type {string} */ card) =>
        cardButton(ctx, card, rename, { out: gone.get(card), most: copies }));
      refill(row, ...picks);
    }
  });
  return part;
}
