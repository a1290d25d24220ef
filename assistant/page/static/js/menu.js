/** The menu: the views, the language, the colours, the television, who may correct. */

import { el, empty } from "./dom.js";
import { isTelevision, television } from "./television.js";
import { LANGUAGES } from "./texts.js";
import { applyTheme, theme, THEMES } from "./theme.js";

/** @param {object} ctx */
export function startMenu(ctx) {
  for (const button of document.querySelectorAll("[data-menu]")) button.addEventListener("click", () => openMenu(ctx));
}

/** @param {object} ctx */
export function openMenu(ctx) {
  const close = ctx.sheet(ctx.t("shell.menu"), (body) => {
    const draw = () => {
      empty(body);
      body.append(views(ctx, () => close()), ...choices(ctx, draw), rights(ctx, () => close()));
    };
    draw();
  });
}

function views(ctx, close) {
  const here = document.documentElement.dataset.view;
  return el(
    "nav",
    { class: "menu-views", "aria-label": ctx.t("shell.views") },
    ...ctx.views
      .filter((view) => ctx.has(view.title) && (view.role === "watch" || ctx.role === "correct"))
      .map((view) =>
        el("button", {
          class: "menu-item",
          type: "button",
          data: { go: view.id },
          "aria-current": view.id === here ? "page" : null,
          text: ctx.t(view.title),
          on: {
            click: () => {
              close();
              ctx.go(view.id);
            },
          },
        }),
      ),
  );
}

function choices(ctx, draw) {
  return [
    choice(ctx.t("shell.language"), "lang", LANGUAGES.map((lang) => [lang, { fr: "Français", en: "English" }[lang]]), ctx.lang, async (lang) => {
      await ctx.speak(lang);
      draw();
    }),
    choice(ctx.t("shell.theme"), "theme", THEMES.map((name) => [name, ctx.t(`shell.theme.${name}`)]), theme(), applyTheme),
    choice(
      ctx.t("shell.television"),
      "tv",
      [
        ["off", ctx.t("shell.television.off")],
        ["on", ctx.t("shell.television.on")],
      ],
      isTelevision() ? "on" : "off",
      (value) => television(value === "on", true),
    ),
  ];
}

/** One of a few: radio buttons that look like one switch. */
function choice(title, name, values, chosen, choose) {
  return el(
    "fieldset",
    { class: "choice" },
    el("legend", { text: title }),
    el(
      "div",
      { class: "choice-values" },
      ...values.map(([value, text]) => {
        const id = `choice-${name}-${value}`;
        const input = el("input", { type: "radio", name: `choice-${name}`, id, value, on: { change: () => choose(value) } });
        input.checked = value === chosen;
        return el("span", { class: "choice-value" }, input, el("label", { for: id, text, lang: name === "lang" ? value : null }));
      }),
    ),
  );
}

function rights(ctx, close) {
  const may = ctx.role === "correct";
  return el(
    "div",
    { class: "menu-rights" },
    el("p", { class: "quiet", text: ctx.t(may ? "shell.role.correct" : "shell.role.watch") }),
    el("button", {
      class: "button",
      type: "button",
      data: { join: may ? "leave" : "open" },
      text: ctx.t(may ? "shell.leave" : "shell.join.open"),
      on: {
        click: async () => {
          close();
          if (!may) ctx.join();
          else {
            try {
              await ctx.api("/api/leave", { json: {} });
              ctx.reconnect();
            } catch (problem) {
              ctx.toast(problem.text);
            }
          }
        },
      },
    }),
  );
}
