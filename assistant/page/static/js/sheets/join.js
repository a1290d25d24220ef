/** For those who only watch: what they would have to do to correct. */

import { button, el } from "./dom.js";

/** @param {any} ctx @param {() => void} close closes the sheet that it stands in */
export function joinHint(ctx, close) {
  return el("div", { class: "join-hint" },
    el("p", {}, ctx.t("taps.watching")),
    button(() => {
      close();
      ctx.join();
    }, { class: "button primary", data: { do: "join" } }, ctx.t("taps.join")));
}
