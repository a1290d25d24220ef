/** Taps that wait for the line to come back: kept, shown, and given up if the person wants that. */

import { button, el, freshId, refill } from "./dom.js";
import { find, tell } from "./events.js";
import { seatName } from "./seats.js";
import { sheet } from "./sheet.js";
import { callName } from "./verbs.js";

/** Those that only ask something are not worth a word. */
const SILENT = ["neighbours"];

/** What waits, the oldest first. @param {any} ctx @returns {{ id: string, what: any, giveUp: () => void }[]} */
export function pending(ctx) {
  return ctx.pending().filter((/** @type {any} */ one) => !SILENT.includes(one.what.do));
}

/** What a tap is for, in words. @param {any} ctx @param {any} what @returns {string} */
export function describe(ctx, what) {
  const event = what.event ? find(ctx.state, what.event) : null;
  const fields = {
    what: event ? tell(ctx, event) : "",
    card: what.card ? ctx.cardName(what.card) : what.verb === "play" ? ctx.cardName(what.args[0]) : "",
    name: what.seat ? seatName(ctx, what.seat) : "",
    call: what.verb ? callName(ctx, [what.verb, ...(what.args || [])].join(" ")) : "",
  };
  if (what.do === "say" && what.verb === "play") return ctx.t("taps.card.of", fields);
  if (what.do === "say" && what.seat) return ctx.t("taps.call.of", fields);
  const key = what.do === "say" ? `taps.wait.say.${what.verb}` : `taps.wait.${what.do}`;
  return ctx.has(key) ? ctx.t(key, fields) : ctx.t("taps.wait.other");
}

/** @param {any} ctx */
export function waitingSheet(ctx) {
  sheet(ctx, ctx.t("taps.waiting"), (body, self) => {
    const list = el("ul", { class: "waiting-list" });
    const draw = () => {
      const all = pending(ctx);
      if (!all.length) {
        self.close();
        return;
      }
      refill(list, ...all.map((one) => {
        const id = freshId("waits");
        return el("li", { data: { waits: one.what.do } }, el("span", { id }, describe(ctx, one.what)),
          button(() => {
            one.giveUp();
            draw();
          }, { class: "button", "aria-describedby": id, data: { do: "give-up" } }, ctx.t("taps.give-up")));
      }));
    };
    body.append(el("p", { class: "quiet" }, ctx.t("taps.waiting.how")), list);
    draw();
    return ctx.onPending(draw);
  }, { name: "waiting" });
}
