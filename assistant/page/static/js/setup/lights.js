/** The five traffic lights: told apart by shape too, each with its figure and what to do. */

import { el, svg } from "../dom.js";

const SHAPES = {
  green: () => svg("circle", { cx: 12, cy: 12, r: 10 }),
  amber: () => svg("path", { d: "M12 2L23 21H1Z" }),
  red: () => svg("rect", { x: 3, y: 3, width: 18, height: 18 }),
};

/** @param {object} ctx @param {{level: string, title: object, figure: object, advice: object|null}[]} lights */
export function lightsList(ctx, lights) {
  return el(
    "ul",
    { class: "setup-lights", "aria-label": ctx.t("setup.table.lights") },
    ...lights.map((light) =>
      el(
        "li",
        { class: "setup-light", data: { level: light.level, light: light.light } },
        svg("svg", { class: "setup-lamp", viewBox: "0 0 24 24", "aria-hidden": "true" }, SHAPES[light.level]()),
        el(
          "div",
          {},
          el("p", { class: "setup-light-name" }, el("span", { text: ctx.both(light.title) }), el("span", { class: "unseen", text: ` : ${ctx.t(`setup.table.level.${light.level}`)}. ` })),
          el("p", { class: "setup-light-figure", text: ctx.both(light.figure) }),
          light.advice && el("p", { class: "setup-light-advice", text: ctx.both(light.advice) }),
        ),
      ),
    ),
  );
}
