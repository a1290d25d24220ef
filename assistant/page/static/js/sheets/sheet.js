/** A sheet: a dialog that comes up from below on a phone, and stands in the middle of a wider screen. */

import { button, el, freshId, icon } from "./dom.js";

/** @typedef {{ close: () => void, say: (text: string, kind?: string, ...more: any[]) => void,
 *   title: (text: string) => void, hush: () => void, onState: (fn: (state: any) => void) => void,
 *   busy: (on: boolean) => void, isOpen: () => boolean, dialog: HTMLElement }} Sheet */

/** Milliseconds in which a tap does nothing after a sheet has changed by itself: the finger was on its way. */
export const SETTLING = 400;

/**
 * Open a sheet.
 * @param {any} ctx
 * @param {string} title its words at the top
 * @param {(body: HTMLElement, sheet: Sheet) => (void | (() => void))} fill puts its content in; may return what to
 *   do when it closes
 * @param {{ name?: string, wide?: boolean }} [how]
 * @returns {() => void} closes it
 */
export function sheet(ctx, title, fill, { name = "", wide = false } = {}) {
  const id = freshId("sheet");
  const heading = el("h2", { id, class: "sheet-title", tabindex: "-1" }, title);
  const note = el("div", { class: "sheet-note", role: "status", hidden: true });
  const body = el("div", { class: "sheet-body" });
  const leave = button(() => close(), { class: "icon-button sheet-close", "aria-label": ctx.t("taps.close"),
    data: { do: "close" } }, icon("close"));
  const dialog = el("dialog", { class: wide ? "sheet taps wide" : "sheet taps", "aria-labelledby": id, data: { sheet: name } },
    el("header", { class: "sheet-head" }, heading, leave), note, body);
  const before = document.activeElement;
  /** @type {(() => void)[]} */
  const endings = [];
  /** @type {Set<(state: any) => void>} */
  const hearers = new Set();
  let open = true;
  let busy = false;
  let missed = false;

  function close() {
    if (dialog.open) dialog.close();
    else ended();
  }
  function ended() {
    if (!open) return;
    open = false;
    for (const end of endings.splice(0)) end();
    dialog.remove();
    focusAgain(before);
  }

  dialog.addEventListener("close", ended);
  dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  heading.focus({ preventScroll: true });

  const self = /** @type {Sheet} */ ({
    close,
    dialog,
    title: (/** @type {string} */ text) => heading.replaceChildren(text),
    say(/** @type {string} */ text, kind = "news", ...more) {
      if (!more.length && kind === "news" && note.querySelector("button")) return; // what is still to be done stays
      note.hidden = false;
      note.className = `sheet-note ${kind}`;
      note.replaceChildren(el("p", {}, text), ...more);
      note.scrollIntoView({ block: "nearest" });
    },
    hush() {
      note.hidden = true;
      note.replaceChildren();
    },
    isOpen: () => open,
    /** While a tap of one's own is under way nothing is redrawn: what changes then is what was asked for. */
    busy(/** @type {boolean} */ on) {
      busy = on;
      body.toggleAttribute("inert", on);
      body.classList.toggle("settling", on);
      if (on || !missed) return;
      missed = false;
      if (open) for (const fn of hearers) fn(ctx.state);
    },
    onState(/** @type {(state: any) => void} */ fn) {
      hearers.add(fn);
      endings.push(ctx.onState((/** @type {any} */ state) => {
        missed = busy || missed;
        if (open && !busy) fn(state);
      }));
    },
  });
  const end = fill(body, self);
  if (end) endings.push(end);
  return close;
}

/** Back to what was tapped, or to what stands in its place now. @param {Element | null} before */
function focusAgain(before) {
  if (!(before instanceof HTMLElement)) return;
  const { event, player, team } = before.dataset;
  const named = Object.entries({ do: before.dataset.do, event, player, team }).find(([, name]) => name);
  const again = named && document.querySelector(`[data-${named[0]}="${named[1]}"]`);
  const next = before.isConnected ? before : again || document.querySelector("#controls button:not(:disabled)");
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/**
 * Let no tap through for a moment, because what lies under the finger has just changed.
 * @param {HTMLElement} body
 */
export function settle(body) {
  body.classList.add("settling");
  setTimeout(() => body.classList.remove("settling"), SETTLING);
}
