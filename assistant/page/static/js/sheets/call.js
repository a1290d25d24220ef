/** A call that counted: whose it was, that it never was, or that something is missing before it. */

import { button, el, refill } from "./dom.js";
import { find, lineOf, same, tell } from "./events.js";
import { insertSheet } from "./insert.js";
import { joinHint } from "./join.js";
import { seatName, seats } from "./seats.js";
import { overtaken, send, wordsOf } from "./sending.js";
import { settle, sheet } from "./sheet.js";

/** @param {any} ctx @param {string} event */
export function callSheet(ctx, event) {
  const first = find(ctx.state, event);
  if (first === null || first.kind !== "call") return;
  sheet(ctx, tell(ctx, first), (body, self) => {
    let seen = first;
    const draw = () => refill(body, ...(ctx.role === "correct" ? corrections(ctx, () => seen, self) : [joinHint(ctx, self.close)]));
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
  const attempt = async (/** @type {any} */ what, /** @type {() => void} */ again, /** @type {string} */ label) => {
    self.hush();
    const answer = await send(ctx, what, { quiet: true });
    if (answer.ok || answer.code === "given-up") self.close();
    else self.say(wordsOf(ctx, answer), "trouble", ...(overtaken(answer) ? [button(again, { class: "button", data: { do: "still" } }, label)] : []));
  };
  const reseat = (/** @type {number} */ seat) => {
    if (seat === seen().seat) return;
    attempt({ do: "reseat", event: seen().event, was: seen().seat, seat }, () => reseat(seat),
      ctx.t("taps.seat.still", { name: seatName(ctx, seat) }));
  };
  const drop = () => attempt({ do: "drop", event: seen().event, was: lineOf(seen()) }, drop, ctx.t("taps.drop.still"));
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
