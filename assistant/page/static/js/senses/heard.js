/** What was heard lately, the newest first: a fist or words, how surely, and what became of it. */

import { el, keyed, setText, svg } from "../dom.js";
import { percent } from "./picture.js";

const FIST = "M5 12V9a2 2 0 0 1 4 0V7a2 2 0 0 1 4 0v1a2 2 0 0 1 4 0v1a2 2 0 0 1 3 2v4c0 4-3 6-7 6s-8-2-8-6z";
const SPEECH = "M4 5h16v11H10l-4 4v-4H4z";

export class HeardList {
  /** @param {any} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.items = [];
    this.clock = null; // of the table, and when it was told
    this.title = el("h3");
    this.list = el("ol", { class: "heard" });
    this.none = el("p", { class: "quiet" });
    this.element = el("div", { class: "heard-part" }, this.title, this.list, this.none);
  }

  /** @param {any[]} items */
  hear(items) {
    this.items = items;
    this.draw();
  }

  /** @param {number} clock seconds of the table */
  tells(clock) {
    this.clock = { at: performance.now(), clock };
    this.draw();
  }

  forget() {
    this.items = [];
    this.clock = null;
    this.draw();
  }

  draw() {
    const { ctx } = this;
    setText(this.title, ctx.t("senses.heard"));
    setText(this.none, ctx.t("senses.heard.none"));
    this.none.hidden = this.items.length > 0;
    keyed(
      this.list,
      this.items,
      (item) => `${item.n}-${item.fate}-${ctx.lang}`,
      (item) => this.line(item),
      (element, item) => setText(element.querySelector(".heard-ago"), this.ago(item.t)),
    );
  }

  line(item) {
    const { ctx } = this;
    const came = ctx.both(item.came);
    const also = [
      item.speaker && ctx.t("senses.by", { name: item.speaker }),
      item.doubtful && item.rival && ctx.t("senses.doubtful", { rival: item.rival }),
    ].filter(Boolean);
    return el(
      "li",
      { class: "heard-item", data: { fate: item.fate } },
      svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: item.kind === "knock" ? FIST : SPEECH })),
      el(
        "div",
        { class: "heard-body" },
        el(
          "p",
          { class: "heard-head" },
          el("span", { class: "heard-what", text: this.what(item) }),
          el("span", { class: "heard-p", text: percent(ctx, item.p) }),
        ),
        (came || also.length > 0) && el("p", { class: "heard-came", text: [came, ...also].filter(Boolean).join(" · ") }),
      ),
      el("div", { class: "heard-end" }, el("span", { class: "heard-fate", text: ctx.t(`senses.fate.${item.fate}`) }), el("span", { class: "heard-ago quiet" })),
    );
  }

  what(item) {
    const { ctx } = this;
    if (item.kind === "phrase") return ctx.t("senses.words", { words: item.words });
    return item.hit > 1 ? ctx.t("senses.knock.again", { n: item.hit }) : ctx.t("senses.knock");
  }

  ago(t) {
    if (!this.clock) return "";
    const now = this.clock.clock + (performance.now() - this.clock.at) / 1000;
    const seconds = Math.max(0, Math.round(now - t));
    if (seconds < 2) return this.ctx.t("senses.ago.now");
    if (seconds < 60) return this.ctx.t("senses.ago.seconds", { n: seconds });
    return this.ctx.t("senses.ago.minutes", { n: Math.round(seconds / 60) });
  }
}
