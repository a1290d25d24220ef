/** The bar at the bottom, in reach of the thumb: undo and redo, calls, a card, everything else. */

import { button, el, icon } from "./dom.js";
import { beginSheet } from "./begin.js";
import { callsSheet, mayBeSaid, mustSpeak } from "./calls.js";
import { moreSheet } from "./more.js";
import { playSheet } from "./play.js";
import { resultSheet } from "./score.js";
import { seatName } from "./seats.js";
import { send, takeBack } from "./sending.js";
import { pending, waitingSheet } from "./waiting.js";

/** @param {any} ctx @param {HTMLElement} place @returns {() => void} stops */
export function controls(ctx, place) {
  const undone = el("span", { class: "what" });
  const undo = button(() => takeBack(ctx, ctx.state.last_event), { class: "control undo", data: { do: "undo" } },
    icon("undo"), el("span", { class: "words" }, undone));
  const again = () => send(ctx, { do: "redo" }, { undo: false });
  const redo = button(again, { class: "control redo", data: { do: "redo" } }, icon("redo"));
  const main = el("div", { class: "control-main" });
  const waits = button(() => waitingSheet(ctx), { class: "waits", hidden: true, data: { do: "waiting" } });
  place.append(waits, undo, redo, main);
  let shown = "";
  const draw = () => {
    const state = ctx.state;
    place.hidden = !state || ctx.role !== "correct";
    if (place.hidden) return;
    drawBack(ctx, undo, undone, redo);
    const waiting = ctx.line.on ? 0 : pending(ctx).length;
    waits.hidden = !waiting;
    if (waiting) waits.replaceChildren(icon("wait"), ctx.tn("taps.waiting.count", waiting));
    const buttons = mainButtons(ctx);
    const now = JSON.stringify([buttons, ctx.lang]);
    if (now === shown) return;
    shown = now;
    const focus = main.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.do : null;
    main.replaceChildren(...buttons.map(([name, drawn, words, kind]) =>
      button(ACTS[name](ctx), { class: `control ${kind}`, data: { do: name } },
        icon(/** @type {any} */ (drawn)), el("span", { class: "words" }, words))));
    if (focus) {
      const again = main.querySelector(`[data-do="${focus}"]`) || main.querySelector("button");
      if (again instanceof HTMLElement) again.focus();
    }
  };
  const stops = [ctx.onState(draw), ctx.onRole(draw), ctx.onLang(draw), ctx.onPending(draw), ctx.onLine(draw)];
  draw();
  return () => stops.forEach((stop) => stop());
}

/** What each of the big buttons does. @type {Record<string, (ctx: any) => () => any>} */
const ACTS = {
  deal: (ctx) => () => send(ctx, { do: "say", verb: "deal", seat: null, args: [] }),
  calls: (ctx) => () => callsSheet(ctx),
  play: (ctx) => () => playSheet(ctx),
  result: (ctx) => () => resultSheet(ctx),
  begin: (ctx) => () => beginSheet(ctx),
  resume: (ctx) => () => send(ctx, { do: "resume" }, { undo: false }),
  more: (ctx) => () => moreSheet(ctx),
};

/** The buttons that help now: name, icon, words, kind. @returns {[string, string, string, string][]} */
function mainButtons(ctx) {
  const { state } = ctx;
  const speaker = mustSpeak(state);
  /** @type {[string, string, string, string][]} */
  const all = [];
  if (state.paused) all.push(["resume", "again", ctx.t("taps.resume"), "lead"]);
  else if (state.phase === "over") all.push(["begin", "again", ctx.t("taps.bar.begin"), "lead"]);
  else {
    if (state.phase === "deal") all.push(["deal", "deal", ctx.t("taps.deal"), "lead"], ["result", "again", ctx.t("taps.bar.result"), ""]);
    else if (speaker !== null) all.push(["calls", "say", ctx.t("taps.bar.answer", { name: seatName(ctx, speaker) }), "lead"]);
    else all.push(["calls", "say", ctx.t(mayBeSaid(ctx).some((one) => one.call === "trut") ? "taps.bar.who-truts" : "taps.bar.calls"), "lead"]);
    if (speaker === null && state.phase !== "deal") all.push(["play", "card", ctx.t("taps.bar.card"), ""]);
  }
  all.push(["more", "more", ctx.t("taps.bar.more"), ""]);
  return all;
}

/** Undo says what it takes back, redo what it brings back. */
function drawBack(ctx, undo, undone, redo) {
  const { state } = ctx;
  const can = state.can || {};
  undo.disabled = !can.undo || !state.last_event;
  redo.hidden = !can.redo;
  const what = state.undo && state.undo.text ? ctx.both(state.undo.text).replace(/\.$/, "") : "";
  const words = undo.disabled || !what ? ctx.t("taps.undo") : ctx.t("taps.undo.what", { what });
  if (undone.textContent !== words) undone.textContent = words;
  undo.title = words;
  const back = state.redo && state.redo.text ? ctx.both(state.redo.text).replace(/\.$/, "") : "";
  const again = !back ? ctx.t("taps.redo") : ctx.t("taps.redo.what", { what: back });
  redo.title = again;
  redo.setAttribute("aria-label", again);
}
