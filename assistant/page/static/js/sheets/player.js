/** A player: what he may say now, a card of his, his name. */

import { button, el, refill } from "./dom.js";
import { callsSheet, mayBeSaid } from "./calls.js";
import { namesSheet } from "./names.js";
import { playSheet } from "./play.js";
import { seatName } from "./seats.js";
import { attempt } from "./sending.js";
import { settle, sheet } from "./sheet.js";
import { partsOf } from "./verbs.js";

/** @param {any} ctx @param {number} seat */
export function playerSheet(ctx, seat) {
  sheet(ctx, seatName(ctx, seat), (body, self) => {
    let shown = "";
    const say = (/** @type {string} */ call) => {
      const [verb, args] = partsOf(call);
      return attempt(ctx, self, () => ({ do: "say", verb, seat, args }));
    };
    const go = (/** @type {() => any} */ next) => () => {
      self.close();
      next();
    };
    const draw = (/** @type {boolean} */ moved) => {
      const may = mayBeSaid(ctx).filter((one) => one.seats.includes(seat) && !one.number);
      const now = JSON.stringify([may, ctx.state.phase, seatName(ctx, seat)]);
      if (now === shown) return;
      shown = now;
      self.title(seatName(ctx, seat));
      refill(body,
        el("div", { class: "bigs" }, ...may.map((one) =>
          button(() => say(one.call), { class: "big", data: { do: "say", verb: one.call, seat } }, one.text))),
        el("div", { class: "menu-items" },
          button(go(() => playSheet(ctx, seat)), { class: "menu-item", data: { do: "play" } }, ctx.t("taps.player.card")),
          button(go(() => callsSheet(ctx, seat)), { class: "menu-item", data: { do: "calls" } }, ctx.t("taps.player.calls")),
          button(go(() => namesSheet(ctx, seat)), { class: "menu-item", data: { do: "names" } }, ctx.t("taps.player.name"))));
      if (moved) settle(body);
    };
    draw(false);
    self.onState(() => draw(true));
  }, { name: "player" });
}
