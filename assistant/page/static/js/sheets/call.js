/** A call that counted: whose it was, that it never was, or that something is missing before it. */

import { button, el, refill } from "./dom.js";
import { find, lineOf, same, tell } from "./events.js";
import { insertSheet } from "./insert.js";
import { joinHint } from "./join.js";
import { seatName, seats } from "./seats.js";
import { attempt } from "./sending.js";
import { settle, sheet } from "./sheet.js";

/** @param {any} ctx @param {string} event */
export function callSheet(ctx, event) {
  const first = find(ctx.state, event);
  if (first === null || first.kind !== "call") return;
  sheet(ctx, tell(ctx, first), (body, self) => {
    let seen = first;
    const may = ctx.role === "correct";
    const draw = () => refill(body, ...(may ? corrections(ctx, () => seen, self) : [joinHint(ctx, self.close)]));
    draw();
    self.onState((state) => {
      const now = find(state, event);
      body.hidden = now === null;
      if (now === null) self.say(ctx.t("taps.call.gone"), "trouble");
      else if (!same(now, seen)) {
        seen = now;
        self.title(tell(ctx, seen));
        draw();
        settle(body);
        self.say(ctx.t("taps.call.now", { what: tell(ctx, seen) }));
      }
    });
  }, { name: "call" });
}

function corrections(ctx, seen, self) {
  const reseat = (/** @type {number} */ seat) => {
    if (seat === seen().seat) return;
    attempt(ctx, self, () => ({ do: "reseat", event: seen().event, was: seen().seat, seat }),
      { still: ctx.t("taps.seat.still", { name: seatName(ctx, seat) }) });
  };
  const drop = () => attempt(ctx, self, () => ({ do: "drop", event: seen().event, was: lineOf(seen()) }),
    { still: ctx.t("taps.drop.still") });
  const before = () => {
    self.close();
    insertSheet(ctx, seen().event);
  };
  return [
    el("h3", {}, ctx.t("taps.call.who")),
    seats(ctx, ctx.t("taps.call.who"), reseat, { chosen: seen().seat, doing: "reseat" }),
    el("div", { class: "acts" },
      button(drop, { class: "button", data: { do: "drop" } }, ctx.t("taps.call.never")),
      button(before, { class: "button", data: { do: "insert" } }, ctx.t("taps.card.missed"))),
  ];
}
