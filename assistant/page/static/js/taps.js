/**
 * Taps: everything by which a person corrects and steers the game. The scoreboard says what was tapped; a sheet shows
 * what can be done about it; the referee judges; a sentence tells what came of it.
 */

import { callSheet } from "./sheets/call.js";
import { callsSheet } from "./sheets/calls.js";
import { cardSheet } from "./sheets/card.js";
import { controls } from "./sheets/controls.js";
import { el } from "./sheets/dom.js";
import { playSheet } from "./sheets/play.js";
import { playerSheet } from "./sheets/player.js";
import { question } from "./sheets/question.js";
import { resultSheet, roundRuns, scoreSheet } from "./sheets/score.js";

/** Something on the board was tapped. @param {any} ctx @param {any} what */
function tapped(ctx, what) {
  if (!ctx.state) return;
  const may = ctx.role === "correct";
  if (what.kind === "card") cardSheet(ctx, what.event);
  else if (what.kind === "call") callSheet(ctx, what.event);
  else if (!may) ctx.join();
  else if (what.kind === "player") playerSheet(ctx, what.seat);
  else if (what.kind === "team") (roundRuns(ctx.state) ? scoreSheet : resultSheet)(ctx);
  else if (what.kind === "gap") playSheet(ctx, what.seat ?? null);
  else if (what.kind === "calls") callsSheet(ctx);
  else if (what.kind === "question") focusQuestion();
}

function focusQuestion() {
  const first = document.querySelector("#question button");
  if (first instanceof HTMLElement) first.focus();
}

/** The place at the bottom of every view. @param {string} id @param {Record<string, any>} given */
function place(id, given) {
  const there = document.getElementById(id);
  if (there) return there;
  const made = el("section", { id, hidden: true, ...given });
  foot().append(made);
  return made;
}

/** The foot of the page; toasts stand above it, however high it is. */
function foot() {
  const there = document.getElementById("foot");
  if (there) return there;
  const made = el("div", { id: "foot", class: "foot" });
  document.body.append(made);
  const measure = () => document.documentElement.style.setProperty("--foot", `${made.offsetHeight}px`);
  new ResizeObserver(measure).observe(made);
  return made;
}

export default {
  /** @param {any} ctx what all views share (js/app.js) */
  start(ctx) {
    ctx.tapped = (/** @type {any} */ what) => tapped(ctx, what);
    document.body.append(el("div", { id: "told-says", class: "unseen", role: "status" }));
    foot().append(el("div", { id: "told", class: "told" }));
    const asks = place("question", { class: "question" });
    const bar = place("controls", { class: "controls" });
    const name = () => {
      asks.setAttribute("aria-label", ctx.t("taps.question"));
      bar.setAttribute("aria-label", ctx.t("taps.controls"));
    };
    name();
    ctx.onLang(name);
    question(ctx, asks);
    controls(ctx, bar);
  },
};
