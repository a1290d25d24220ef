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
          deals(ctx, seat) && button(() => attempt(ctx, self, () => dealing(ctx, seat), { undo: false }),
            { class: "menu-item", data: { do: "dealer" } }, ctx.t("taps.player.deals")),
          button(go(() => namesSheet(ctx, seat)), { class: "menu-item", data: { do: "names" } }, ctx.t("taps.player.name"))));
      if (moved) settle(body);
    };
    draw(false);
    self.onState(() => draw(true));
  }, { name: "player" });
}

/** Whether another player may be told to deal: between rounds, and where no manche is won yet. */
function deals(ctx, seat) {
  const { state } = ctx;
  const player = state.players.find((/** @type {any} */ one) => one.seat === seat);
  return state.phase === "deal" && !player.dealer && state.teams.every((/** @type {any} */ team) => !team.manches);
}

/** The game goes on from this score with another dealer, in a record of its own, as when it is said aloud. */
function dealing(ctx, seat) {
  const score = Object.fromEntries(ctx.state.teams.map((/** @type {any} */ team) => [team.id, team.score]));
  return { do: "begin", after: ctx.state.game.n, dealer: seat, score };
}
