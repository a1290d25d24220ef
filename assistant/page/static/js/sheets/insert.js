/** Something that nobody saw or heard: a card or a call, before what stands there. */

import { button, el, refill } from "./dom.js";
import { find, tell } from "./events.js";
import { picker } from "./picker.js";
import { seatName, seats } from "./seats.js";
import { attempt } from "./sending.js";
import { sheet } from "./sheet.js";
import { callName, partsOf, VERBS, WANTS_NUMBER } from "./verbs.js";

/** @param {any} ctx @param {string} event what it was missed before */
export function insertSheet(ctx, event) {
  const stands = find(ctx.state, event);
  if (stands === null) return;
  sheet(ctx, ctx.t("taps.insert"), (body, self) => {
    const chosen = { seat: 0, kind: "card" };
    const where = el("p", { class: "quiet" }, ctx.t("taps.insert.before", { what: tell(ctx, stands) }));
    const what = el("div", { class: "sheet-part", hidden: true });
    const who = el("div", { class: "sheet-part" });
    const kinds = el("div", { class: "switch", role: "group", "aria-label": ctx.t("taps.insert.what"), hidden: true });
    const put = (/** @type {string} */ verb, /** @type {Record<string, any>} */ rest) =>
      attempt(ctx, self, () => ({ do: "insert", before: event, verb, seat: chosen.seat, ...rest }));
    const draw = () => {
      refill(who, el("h3", {}, ctx.t("taps.insert.who")),
        seats(ctx, ctx.t("taps.insert.who"), (seat) => {
          chosen.seat = seat;
          draw();
        }, { chosen: chosen.seat }));
      kinds.hidden = what.hidden = chosen.seat === 0;
      refill(kinds, ...["card", "call"].map((kind) => button(() => {
        chosen.kind = kind;
        draw();
      }, { "aria-pressed": String(chosen.kind === kind), data: { do: `insert-${kind}` } }, ctx.t(`taps.insert.${kind}`))));
      refill(what, chosen.kind === "card"
        ? picker(ctx, (card) => put("play", { card }))
        : el("div", { class: "verbs" }, ...(VERBS[ctx.state.game.name] || []).filter((call) => !WANTS_NUMBER.includes(call))
          .map((call) => button(() => {
            const [verb, args] = partsOf(call);
            put(verb, { args });
          }, { class: "button", data: { do: "insert-call", verb: call } }, callName(ctx, call)))));
      if (chosen.seat) self.title(ctx.t("taps.insert.of", { name: seatName(ctx, chosen.seat) }));
    };
    draw();
    body.append(where, who, kinds, what);
    self.onState((state) => {
      const now = find(state, event);
      body.hidden = now === null;
      if (now === null) self.say(ctx.t("taps.call.gone"), "trouble");
      else refill(where, ctx.t("taps.insert.before", { what: tell(ctx, now) }));
    });
  }, { name: "insert" });
}
