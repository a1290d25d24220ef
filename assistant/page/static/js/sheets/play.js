/** A card told by hand: nobody sees the table, or nobody saw this card. */

import { button, el, refill } from "./dom.js";
import { picker } from "./picker.js";
import { seatName, seats } from "./seats.js";
import { attempt } from "./sending.js";
import { settle, sheet } from "./sheet.js";

/** Who lays the next card; whose turn it will be to lead where a round has not begun. @param {any} state */
function due(state) {
  return state.turn ?? null;
}

/** @param {any} ctx @param {number | null} [who] a certain player, else the one whose turn it is */
export function playSheet(ctx, who = null) {
  sheet(ctx, ctx.t("taps.play"), (body, self) => {
    let seat = who ?? due(ctx.state);
    let picked = who !== null;
    let open = false;
    let seen = ctx.state.last_event;
    const lay = (/** @type {string} */ card) =>
      attempt(ctx, self, () => ({ do: "say", verb: "play", seat, args: [card] }),
        { still: ctx.t("taps.card.still", { card: ctx.cardName(card) }) });
    const draw = () => {
      const whose = button(() => {
        open = !open;
        draw();
      }, { class: "button", "aria-expanded": String(open), data: { do: "other-seat" } }, ctx.t("taps.play.other"));
      const name = seat === null ? ctx.t("taps.play.due") : ctx.t("taps.play.for", { name: seatName(ctx, seat) });
      self.title(name);
      refill(body,
        open && seats(ctx, ctx.t("taps.card.who"), (chosen) => {
          seat = chosen;
          picked = true;
          open = false;
          draw();
        }, { chosen: seat, first: due(ctx.state) }),
        picker(ctx, lay),
        !open && el("div", { class: "acts" }, whose));
    };
    draw();
    self.onState((state) => {
      if (state.last_event === seen) return;
      seen = state.last_event;
      const now = picked ? seat : due(state);
      if (now !== seat && now !== null) self.say(ctx.t("taps.play.moved", { name: seatName(ctx, now) }));
      else self.say(ctx.t("taps.play.moved-on"));
      seat = now;
      draw();
      settle(body);
    });
  }, { name: "play" });
}
