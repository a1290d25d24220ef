/** Voices: every player says every call once. */

import { el, empty, setText } from "../dom.js";
import { Lesson } from "./lesson.js";
import { ask, busy, button, levelBar, missing, statusLine } from "./parts.js";

/** @param {HTMLElement} root @param {object} ctx @returns {() => void} */
export function mount(root, ctx) {
  const status = statusLine();
  const level = levelBar(ctx.t("setup.knocks.level"));
  const without = el("div", {});
  const chooser = el("div", {});
  const number = el("p", { class: "setup-say" });
  const phrase = el("p", { class: "setup-phrase", role: "status", lang: "fr" });
  const next = el("p", { class: "quiet" });
  const hello = el("p", {});
  const skip = button(ctx.t("setup.voices.skip"), () => ask(ctx, "/api/voices/skip", { lesson: lesson.name }).catch((problem) => status.say(ctx.both(problem.text), "bad")));
  const stop = button(ctx.t("setup.stop"), () => {
    const name = lesson && lesson.name;
    if (lesson) lesson.stop();
    if (name) setTimeout(rest, 400); // what was said so far is being saved
    status.say(ctx.t("setup.ended"));
  });
  const speaking = el("div", { hidden: true }, hello, number, phrase, level.meter, el("div", { class: "setup-ways" }, skip, stop), next, el("p", { class: "setup-pause", text: ctx.t("setup.pause") }));
  let lesson = null;
  let remark = 0;

  root.append(el("p", { class: "setup-about", text: ctx.t("setup.voices.about") }), el("p", { class: "quiet", text: ctx.t("setup.voices.kept") }), without, status.line, speaking, chooser);
  rest();

  /** Who may speak, and who has. */
  async function rest() {
    lesson = null;
    speaking.hidden = true;
    try {
      const now = await ask(ctx, "/api/voices");
      empty(without);
      if (now.microphone !== "on") without.append(missing(ctx, "microphone", now.microphone));
      empty(chooser);
      chooser.append(who(now), el("h3", { text: ctx.t("setup.voices.known") }), known(now.known));
      chooser.hidden = false;
    } catch (problem) {
      status.say(ctx.both(problem.text), "bad");
    }
  }

  function who({ players }) {
    const boxes = players.map((name, n) => {
      const box = el("input", { type: "checkbox", id: `setup-voice-${n}`, value: name });
      box.checked = true;
      return el("div", { class: "setup-check" }, box, el("label", { for: `setup-voice-${n}`, text: name }));
    });
    const other = el("input", { class: "field", id: "setup-voice-other", maxlength: "40", autocomplete: "off" });
    const go = el("button", { class: "button primary", type: "submit", text: ctx.t("setup.voices.begin") });
    return el(
      "form",
      {
        class: "setup-form panel",
        on: {
          submit: (event) => {
            event.preventDefault();
            const names = boxes.map((row) => row.firstElementChild).filter((box) => box.checked).map((box) => box.value);
            if (other.value.trim()) names.push(other.value.trim());
            begin(go, names);
          },
        },
      },
      el("fieldset", { class: "setup-checks" }, el("legend", { text: ctx.t("setup.voices.who") }), ...boxes),
      el("label", { for: "setup-voice-other", text: ctx.t("setup.voices.other") }),
      other,
      go,
    );
  }

  function known(voices) {
    const names = Object.keys(voices);
    if (!names.length) return el("p", { class: "quiet", text: ctx.t("setup.voices.none") });
    return el(
      "ul",
      { class: "setup-list" },
      ...names.map((name) => {
        const away = button(ctx.t("setup.voices.forget"), () => forget(away, name), "danger");
        away.setAttribute("aria-label", ctx.t("setup.voices.forget.of", { name }));
        return el("li", { class: "setup-item" }, el("div", { class: "setup-item-name" }, name, el("span", { text: ctx.tn("setup.voices.phrases", voices[name].length) })), away);
      }),
    );
  }

  function forget(by, name) {
    return busy(ctx, by, status, async () => {
      if (!(await ctx.confirm(ctx.t("setup.voices.forget.sure", { name }), ctx.t("setup.voices.forget")))) return;
      await ask(ctx, "/api/voices/forget", { name });
      status.say(ctx.t("setup.voices.forgotten", { name }), "good");
      await rest();
    });
  }

  function begin(by, names) {
    return busy(ctx, by, status, async () => {
      const begun = await ask(ctx, "/api/voices/begin", { names });
      status.say("");
      remark = 0;
      chooser.hidden = true;
      speaking.hidden = false;
      lesson = new Lesson(ctx, show, (problem) => {
        rest();
        status.say(ctx.both(problem.text), "bad");
      });
      lesson.begin(begun, true);
    });
  }

  function show(state, over) {
    level.show(state.level);
    if (state.remark.n > remark) {
      remark = state.remark.n;
      const kind = state.remark.what[state.remark.what.length - 1];
      const words = state.remark.what.map((what) => ctx.t(`setup.voices.remark.${what}`)).join(" ");
      status.say(words, kind === "thanks" ? "good" : "");
    }
    if (over) {
      if (state.problem) status.say(ctx.both(state.problem), "bad");
      else if (!state.taken) status.say(ctx.t("setup.voices.done.none"));
      else status.say(`${ctx.tn("setup.voices.taken", state.taken)} ${ctx.t(state.used ? "setup.voices.used" : "setup.voices.later")}`, "good");
      rest();
      return;
    }
    if (!state.name) return;
    setText(hello, ctx.t(state.sitting > 1 ? "setup.voices.hello.again" : "setup.voices.hello", { name: state.name }));
    setText(number, `${ctx.t("setup.voices.number", { n: state.number, all: state.all })}. ${ctx.t("setup.voices.say")}`);
    setText(phrase, state.text ? `« ${state.text} »` : "");
    setText(next, state.left.length ? ctx.t("setup.voices.next", { names: state.left.join(", ") }) : "");
  }

  return () => {
    if (lesson) lesson.stop();
  };
}
