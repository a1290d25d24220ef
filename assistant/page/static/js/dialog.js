/** A sheet over the page: from below on a phone, in the middle elsewhere. Escape and a tap beside it close it. */

import { el } from "./dom.js";

/**
 * @param {object} ctx
 * @param {string} title
 * @param {(body: HTMLElement, close: (value?: any) => void) => void} fill  draws what is in it
 * @param {(value: any) => void} [closed]  told what it was closed with
 * @returns {(value?: any) => void} close
 */
export function openSheet(ctx, title, fill, closed = () => {}) {
  const before = document.activeElement;
  const body = el("div", { class: "sheet-body" });
  const heading = el("h2", { class: "sheet-title", id: `sheet-${(openSheet.count = (openSheet.count || 0) + 1)}`, text: title });
  const away = el("button", { class: "icon-button sheet-close", type: "button", "aria-label": ctx.t("shell.close"), text: "×" });
  const dialog = el("dialog", { class: "sheet", "aria-labelledby": heading.id }, el("div", { class: "sheet-head" }, heading, away), body);
  let open = true;
  const close = (value) => {
    if (!open) return;
    open = false;
    if (dialog.close && dialog.open) dialog.close();
    dialog.remove();
    if (before && before.isConnected) before.focus({ preventScroll: true });
    closed(value);
  };
  away.addEventListener("click", () => close());
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && close());
  fill(body, close);
  document.body.append(dialog);
  if (dialog.showModal) dialog.showModal();
  else without(dialog, close);
  return close;
}

/** A browser without `<dialog>`: it lies there open, and Escape closes it. */
function without(dialog, close) {
  dialog.setAttribute("open", "");
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-modal", "true");
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && close());
  const first = dialog.querySelector("button, input, select, a[href]");
  if (first) first.focus();
}

/** Ask yes or no. @returns {Promise<boolean>} */
export function confirm(ctx, text, yes) {
  return new Promise((resolve) => {
    openSheet(
      ctx,
      ctx.t("shell.sure"),
      (body, close) => {
        body.append(
          el("p", { text: ctx.both(text) }),
          el(
            "div",
            { class: "buttons" },
            el("button", { class: "button", type: "button", text: ctx.t("shell.no"), on: { click: () => close(false) } }),
            el("button", { class: "button primary", type: "button", text: yes ? ctx.both(yes) : ctx.t("shell.yes"), on: { click: () => close(true) } }),
          ),
        );
      },
      (value) => resolve(value === true),
    );
  });
}
