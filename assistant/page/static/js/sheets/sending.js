/** What a tap comes to: it goes out, a sentence says what it changed, and a button takes it back. */

import { button } from "./dom.js";
import { toast } from "./toast.js";

/** @typedef {{ ok: boolean, code?: string, text?: any, event?: string | null, last_event?: string | null,
 *   cards?: string[] }} Answer */

/**
 * The words of an answer. @param {any} ctx @param {Answer} answer @returns {string}
 */
export function wordsOf(ctx, answer) {
  const text = answer.text ? ctx.both(answer.text) : "";
  if (text) return text;
  const key = answer.ok ? "taps.done" : `taps.no.${answer.code || "refused"}`;
  return ctx.t(ctx.has(key) ? key : "taps.no.refused");
}

/** Whether a tap came too late because somebody else had changed the same thing. @param {Answer} answer */
export const overtaken = (answer) => !answer.ok && answer.code === "changed";

/**
 * Send a tap and tell what became of it. What somebody else has overtaken is told by whoever sent it, if `quiet` says
 * so, since it knows what the person still wants.
 * @param {any} ctx
 * @param {Record<string, any>} what
 * @param {{ quiet?: boolean, undo?: boolean }} [how] `undo`: offer to take it back
 * @returns {Promise<Answer>}
 */
export async function send(ctx, what, { quiet = false, undo = true } = {}) {
  if (!ctx.line.on) toast(ctx, ctx.t("taps.waiting.kept"));
  const answer = /** @type {Answer} */ (await ctx.tap(what));
  if (answer.code === "given-up" || (quiet && !answer.ok)) return answer;
  if (!answer.ok) {
    toast(ctx, wordsOf(ctx, answer), { kind: "trouble" });
    return answer;
  }
  const last = answer.last_event;
  if (!undo || !last) {
    toast(ctx, wordsOf(ctx, answer));
    return answer;
  }
  const gone = toast(ctx, wordsOf(ctx, answer), {
    label: ctx.t("taps.undo"), act: () => takeBack(ctx, last), gone: () => stop(),
  });
  let shown = false; // the state may come after the answer
  const stop = ctx.onState((/** @type {any} */ state) => {
    if (state.last_event === last) shown = true;
    else if (shown) queueMicrotask(gone); // something else is the last thing now
  });
  return answer;
}

/**
 * Send a tap out of a sheet, which closes when it is followed and says why when it is not. Where somebody else was
 * quicker, what the person wanted stays one tap away (`still`, the words of that button).
 * @param {any} ctx
 * @param {import("./sheet.js").Sheet} self
 * @param {() => Record<string, any>} what as things are when it is sent
 * @param {{ still?: string, undo?: boolean, done?: () => void }} [how]
 */
export async function attempt(ctx, self, what, { still = "", undo = true, done = () => {} } = {}) {
  self.hush();
  const waits = !ctx.line.on;
  if (waits) self.close();
  else self.busy(true);
  const answer = await send(ctx, what(), { quiet: !waits, undo });
  if (answer.ok) done();
  if (waits) return;
  if (answer.ok || answer.code === "given-up") self.close();
  else if (!self.isOpen()) toast(ctx, wordsOf(ctx, answer), { kind: "trouble" });
  else {
    self.busy(false);
    const again = () => attempt(ctx, self, what, { still, undo, done });
    const more = overtaken(answer) && still ? [button(again, { class: "button", data: { do: "still" } }, still)] : [];
    self.say(wordsOf(ctx, answer), overtaken(answer) ? "news" : "trouble", ...more);
  }
}

/** Take back the last event, if it still is this one. @param {any} ctx @param {string} event */
export function takeBack(ctx, event) {
  return send(ctx, { do: "undo", event }, { undo: false });
}
