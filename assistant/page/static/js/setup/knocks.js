/** Knocks: five of them, then half a minute without any. */

import { el, empty, setText } from "../dom.js";
import { Lesson } from "./lesson.js";
import { ask, askTwice, busy, button, levelBar, missing, statusLine } from "./parts.js";

/** @param {HTMLElement} root @param {object} ctx @returns {() => void} */
export function mount(root, ctx) {
  const status = statusLine();
  const known = el("p", { class: "quiet" });
  const level = levelBar(ctx.t("setup.knocks.level"));
  const fists = el("ol", { class: "setup-fists", "aria-hidden": "true" });
  const result = el("p", { class: "quiet" });
  const without = el("div", {});
  const begin = button(ctx.t("setup.knocks.begin"), start, "primary");
  const stop = button(ctx.t("setup.stop"), () => {
    end();
    rest();
    status.say(ctx.t("setup.ended"));
  });
  const pause = el("p", { class: "setup-pause", text: ctx.t("setup.pause") });
  let lesson = null;
  let told = "";

  root.append(el("p", { class: "setup-about", text: ctx.t("setup.knocks.about") }), known, without, status.line, fists, level.meter, result, el("div", { class: "setup-ways" }, begin, stop), pause, el("p", { class: "quiet", text: ctx.t("setup.knocks.kept") }));
  rest();
  look();

  async function look() {
    try {
      const now = await ask(ctx, "/api/knocks");
      setText(known, ctx.t(now.known ? "setup.knocks.known" : "setup.knocks.unknown"));
      empty(without);
      if (now.microphone !== "on") without.append(missing(ctx, "microphone", now.microphone));
    } catch (problem) {
      status.say(ctx.both(problem.text), "bad");
    }
  }

  function start() {
    return busy(ctx, begin, status, async () => {
      setText(result, "");
      const begun = await askTwice(ctx, "/api/knocks/begin", {}).catch((problem) => {
        look();
        throw problem;
      });
      if (!begun) return;
      lesson = new Lesson(ctx, show, (problem) => {
        rest();
        status.say(ctx.both(problem.text), "bad");
      });
      begin.hidden = true;
      for (const one of [stop, pause, fists, level.meter]) one.hidden = false;
      empty(without);
      lesson.begin(begun, true);
    });
  }

  function show(state, over) {
    level.show(Math.sqrt(state.level));
    if (fists.childElementCount !== state.wanted) {
      fists.replaceChildren(...Array.from({ length: state.wanted }, (_, n) => el("li", { text: String(n + 1) })));
    }
    [...fists.children].forEach((one, n) => (one.dataset.heard = n < state.count || state.phase !== "knocks" ? "yes" : "no"));
    const left = 5 * Math.ceil(state.left / 5); // a screen reader is not told every second
    const text =
      state.phase === "knocks"
        ? `${ctx.t("setup.knocks.knock")} ${ctx.tn("setup.knocks.count", state.count, { all: state.wanted })}`
        : `${ctx.t("setup.knocks.talk")} ${ctx.t("setup.knocks.left", { n: left })}`;
    if (!over && text !== told) status.say(text);
    told = text;
    if (over) finish(state);
  }

  function finish(state) {
    rest();
    if (state.problem) status.say(ctx.both(state.problem), "bad");
    else if (state.gain) {
      const fields = { after: state.gain.after, before: state.gain.before, all: state.gain.knocks };
      status.say(ctx.t(state.used ? "setup.knocks.learnt" : "setup.knocks.learnt.later", fields), "good");
      setText(result, ctx.t("setup.knocks.false", { after: state.gain.false_after, before: state.gain.false_before }));
    } else status.say(ctx.t("setup.ended"));
    look();
  }

  function rest() {
    lesson = null;
    told = "";
    begin.hidden = false;
    for (const one of [stop, pause, fists, level.meter]) one.hidden = true;
  }

  function end() {
    if (lesson) lesson.stop();
  }

  return end;
}
