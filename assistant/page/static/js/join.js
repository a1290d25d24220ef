/** From watching to correcting: the join code of the table is exchanged for a cookie. */

import { el } from "./dom.js";

/**
 * A link with `#code=…` (or `#phone&code=…`, for a view) joins by itself; the code leaves the address bar, so that
 * nobody reads it or sends it on.
 */
export async function joinByLink(ctx) {
  const parts = location.hash.slice(1).split("&");
  const code = parts.find((part) => part.startsWith("code="));
  if (!code) return;
  const given = decodeURIComponent(code.slice(5));
  const rest = parts.filter((part) => part !== code).join("&");
  history.replaceState(null, "", location.pathname + location.search + (rest && `#${rest}`));
  const text = await join(ctx, given);
  ctx.toast(text || ctx.t("shell.join.done"));
}

/** @returns {Promise<string|null>} why not, null where it went well */
async function join(ctx, code) {
  try {
    await ctx.api("/api/join", { json: { code: code.trim() } });
  } catch (problem) {
    if (problem.status === 403) return ctx.t("shell.join.wrong");
    if (problem.status === 429) return ctx.t("shell.join.often");
    return ctx.both(problem.text);
  }
  ctx.reconnect();
  return null;
}

/** Ask for the code. */
export function openJoin(ctx) {
  const close = ctx.sheet(ctx.t("shell.join.title"), (body) => {
    const why = el("p", { class: "problem", id: "join-why", role: "alert" });
    const input = el("input", {
      class: "field code",
      id: "join-code",
      name: "code",
      autocomplete: "one-time-code",
      autocapitalize: "characters",
      spellcheck: "false",
      maxlength: "32",
      required: true,
      "aria-describedby": "join-why join-how",
    });
    const form = el(
      "form",
      { data: { join: "form" } },
      el("p", { id: "join-how", class: "quiet", text: ctx.t("shell.join.how") }),
      el("label", { for: "join-code", text: ctx.t("shell.join.code") }),
      input,
      why,
      el("div", { class: "buttons" }, el("button", { class: "button primary", type: "submit", text: ctx.t("shell.join.go") })),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      why.textContent = "";
      const text = await join(ctx, input.value);
      if (text === null) {
        close();
        ctx.toast(ctx.t("shell.join.done"));
      } else {
        why.textContent = text;
        input.select();
      }
    });
    body.append(form);
    setTimeout(() => input.focus(), 0);
  });
}
