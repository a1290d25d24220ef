/** What the referee says and does: the state bar, his last announcement, a refusal, a question. */

import { el, setAttribute, setData, setText, svg } from "../dom.js";
import { namesOf, seatName } from "./names.js";

/** A shape for each state: nobody has to tell them by their colour. */
const ICONS = {
  waiting: "M12 5v7l5 3M12 21a9 9 0 1 1 0-18a9 9 0 0 1 0 18Z",
  hand: "M7 12V6.500a1.5 1.5 0 0 1 3 0V11V4.500a1.5 1.5 0 0 1 3 0V11V5.500a1.5 1.5 0 0 1 3 0V12V8.500a1.5 1.5 0 0 1 3 0V15c0 4-3 6.5-6.5 6.500S7 20 5 16l-1.5-3a1.5 1.5 0 0 1 2.6-1.500Z",
  still: "M2 12s3.5-6.5 10-6.500S22 12 22 12s-3.5 6.5-10 6.500S2 12 2 12ZM12 15a3 3 0 1 0 0-6a3 3 0 0 0 0 6Z",
  complete: "M4 12.500l5.5 5.500L20 6.5",
  question: "M8.5 9a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.5-1.7 3M12 19v.2",
  paused: "M8 5v14M16 5v14",
  over: "M7 4h10v5a5 5 0 0 1-10 0ZM12 14v4M8 20h8M7 6H3.500c0 3 1.5 5 4 5M17 6h3.500c0 3-1.5 5-4 5",
  lost: "M3 3l18 18M9 5h6l2 3h3v9M16 19H4V8h3",
  "no-eyes": "M5 8h11v9H5zM16 11l4-2.500v8L16 14",
};

const LONG = 90; // letters; more than that is written smaller

export class Notes {
  constructor(ctx, tapped) {
    this.ctx = ctx;
    this.icon = svg("path", { d: ICONS.waiting });
    this.bar = el("span", { class: "state-text" });
    this.state = el("p", { class: "state-bar", data: { bar: "waiting" } }, svg("svg", { class: "state-icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, this.icon), this.bar);
    this.said = el("p", { class: "said", data: { said: "" } });
    this.asked = el(tapped ? "button" : "p", { class: "asked", type: tapped ? "button" : null, hidden: true, on: tapped ? { click: () => tapped({ kind: "question" }) } : {} });
    this.element = el("section", { class: "notes" }, this.state, el("div", { class: "notes-text" }, this.asked, this.said));
  }

  draw(state) {
    const { ctx } = this;
    setAttribute(this.element, "aria-label", ctx.t("board.bar"));
    const bar = ICONS[state.bar] ? state.bar : "waiting";
    setData(this.state, "bar", bar);
    setAttribute(this.icon, "d", ICONS[bar]);
    setText(this.bar, this.words(state, bar));
    const question = state.question;
    this.asked.hidden = !question;
    setData(this.asked, "question", question ? question.id : null);
    setText(this.asked, question ? ctx.both(question.text) : "");
    const refused = state.infraction;
    const text = refused || (state.said && !(question && state.said.question) ? state.said.text : null);
    setText(this.said, ctx.both(text));
    setData(this.said, "long", ctx.both(text).length > LONG ? "yes" : null);
    setData(this.said, "said", state.said ? state.said.n : "");
    setData(this.said, "infraction", refused ? "yes" : null);
    this.said.hidden = !text;
  }

  /** Where nothing else is going on, whose turn it is says more than that we wait, or that there is no camera. */
  words(state, bar) {
    const { ctx } = this;
    if (bar !== "waiting" && bar !== "no-eyes") return ctx.t(`board.bar.${bar}`);
    if (state.awaiting && state.awaiting.length) return ctx.t("board.bar.speak", { name: namesOf(ctx, state, state.awaiting) });
    if (state.turn) return ctx.t("board.bar.turn", { name: seatName(ctx, state, state.turn) });
    if (bar === "no-eyes" && state.devices.microphone === "none") return ctx.t("board.bar.pad");
    return ctx.t(bar === "waiting" && state.phase === "deal" ? "board.bar.deal" : `board.bar.${bar}`);
  }
}
