/** What the panels share: a line that says how it goes, a level, the sentence for a missing device. */

import { el, setText } from "../dom.js";

/** A line that says how things go; it is read out when it changes. */
export function statusLine() {
  const line = el("p", { class: "setup-status", role: "status" });
  return {
    line,
    /** @param {string} text @param {"" | "good" | "bad"} [tone] */
    say(text, tone = "") {
      line.dataset.tone = tone;
      setText(line, capital(text));
    },
  };
}

/** A sentence with a capital: what the command line says begins with its own name. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A bar that shows how loud it is; nothing for a screen reader, whom the knocks and phrases tell. */
export function levelBar(label) {
  const bar = el("span", { class: "setup-level-bar" });
  const meter = el("div", { class: "setup-level", "aria-hidden": "true" }, el("span", { class: "setup-level-name", text: label }), el("span", { class: "setup-level-track" }, bar));
  return {
    meter,
    /** @param {number} level from 0 to 1 */
    show(level) {
      bar.style.transform = `scaleX(${Math.max(0, Math.min(1, level)).toFixed(3)})`;
      bar.dataset.loud = level > 0.95 ? "yes" : "no";
    },
  };
}

/**
 * What to do about a device that is not there.
 * @param {object} ctx @param {"camera"|"microphone"} device @param {"none"|"lost"} how
 */
export function missing(ctx, device, how) {
  return el(
    "div",
    { class: "panel setup-missing", role: "status" },
    el("p", { class: "setup-missing-what", text: ctx.t(`setup.${device}.${how}`) }),
    el("p", { class: "quiet", text: ctx.t(`setup.${device}.${how}.how`) }),
  );
}

/** A button. @param {string} text @param {() => void} click @param {string} [more] classes */
export function button(text, click, more = "") {
  return el("button", { class: `button ${more}`, type: "button", text, on: { click } });
}

/**
 * Do something that takes a while: the button rests, and what went wrong is said.
 * @param {object} ctx @param {HTMLButtonElement} by @param {{say: Function}} status @param {() => Promise<void>} work
 */
export async function busy(ctx, by, status, work) {
  if (by.disabled) return;
  by.disabled = true;
  try {
    await work();
  } catch (problem) {
    if (problem instanceof Error && problem.name !== "AbortError") console.error(problem);
    status.say(ctx.both(problem.text) || String(problem.message || ""), "bad");
  } finally {
    by.disabled = false;
  }
}

/** Ask a route and give its JSON. */
export async function ask(ctx, path, json) {
  const answer = await ctx.api(path, json === undefined ? {} : { json });
  return answer.json();
}

/**
 * Send something that may need a yes first: what is there already is only written over after it.
 * @returns {Promise<any|null>} null where the person said no
 */
export async function askTwice(ctx, path, json) {
  try {
    return await ask(ctx, path, json);
  } catch (problem) {
    if (problem.status !== 409 || problem.error !== "exists") throw problem;
    if (!(await ctx.confirm(capital(ctx.both(problem.text)), ctx.t("setup.replace")))) return null;
    return ask(ctx, path, { ...json, replace: true });
  }
}
