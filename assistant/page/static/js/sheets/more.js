/** Everything that is wanted now and then: pause, score by hand, names, rules, another game. */

import { button, el, refill } from "./dom.js";
import { beginSheet } from "./begin.js";
import { namesSheet } from "./names.js";
import { rulesSheet } from "./rules.js";
import { concedeSheet, resultSheet, roundRuns, scoreSheet, voidRound } from "./score.js";
import { send } from "./sending.js";
import { sheet } from "./sheet.js";

/** @param {any} ctx */
export function moreSheet(ctx) {
  sheet(ctx, ctx.t("taps.more"), (body, self) => {
    let shown = "";
    const item = (/** @type {string} */ name, /** @type {string} */ words, /** @type {() => any} */ act) => button(() => {
      self.close();
      act();
    }, { class: "menu-item", data: { do: name } }, words);
    const order = (/** @type {string} */ what) => () => send(ctx, { do: what }, { undo: false });
    const draw = () => {
      const state = ctx.state;
      const now = JSON.stringify([state.paused, roundRuns(state), state.phase]);
      if (now === shown) return;
      shown = now;
      refill(body, el("div", { class: "menu-items" },
        state.phase !== "over" && (state.paused
          ? item("resume", ctx.t("taps.resume"), order("resume"))
          : item("pause", ctx.t("taps.pause"), order("pause"))),
        item("repeat", ctx.t("taps.repeat"), order("repeat")),
        item("say-score", ctx.t("taps.say-score"), order("score")),
        state.phase !== "over" && item("result", ctx.t("taps.result"), () => resultSheet(ctx)),
        state.phase !== "over" && item("score", ctx.t("taps.score"), () => scoreSheet(ctx)),
        roundRuns(state) && item("annul", ctx.t("taps.annul"), () => voidRound(ctx)),
        state.phase !== "over" && item("concede", ctx.t("taps.concede"), () => concedeSheet(ctx)),
        item("names", ctx.t("taps.names"), () => namesSheet(ctx)),
        item("rules", ctx.t("taps.rules"), () => rulesSheet(ctx, (changed) => beginSheet(ctx, changed))),
        item("begin", ctx.t("taps.begin"), () => beginSheet(ctx))));
    };
    draw();
    self.onState(draw);
  }, { name: "more" });
}
