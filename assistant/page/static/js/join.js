/** From watching to correcting: the join code of the table is exchanged for a cookie. */

import { el } from "./dom.js";

/**
 * What this device may do (`GET /api/role`); `may_join` is false where the code would travel readable by everybody.
 * @typedef {{role: string, secure: boolean, may_join: boolean, https?: string|null}} Rights
 */

/** Ask for them again; without an answer what was known stays. */
export async function askRights(ctx) {
  try {
    ctx.rights = await (await ctx.api("/api/role")).json();
  } catch (problem) {
    console.error(problem);
  }
}

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
  if (!window.isSecureContext) {
    ctx.code = given; // it is not sent where others can read it; the phone's page hands it on to the secure page
    return;
  }
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

/** Ask for the code; where it cannot be sent, say where it can. */
export function openJoin(ctx) {
  if (ctx.rights && !ctx.rights.may_join) {
    ctx.sheet(ctx.t("shell.join.title"), (body) => {
      body.append(el("p", { text: ctx.t("shell.join.unsafe") }));
      const there = ctx.rights.https;
      if (!there) return;
      body.append(el("p", {}, el("a", { class: "button primary", href: there + (ctx.code ? `#code=${ctx.code}` : ""), text: ctx.t("shell.join.safe") })));
    });
    return;
  }
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
