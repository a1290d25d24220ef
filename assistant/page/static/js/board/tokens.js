/** The tokens of the game: a round one for a petit, a long one for a long, bone inlaid with the colour of the team. */

import { svg } from "../dom.js";

/** @param {boolean} there  one that lies there, or the place for one */
export function longToken(there) {
  const box = { class: `token token-long${there ? "" : " token-place"}`, viewBox: "0 0 40 110", "aria-hidden": "true", data: { token: there ? "long" : "place" } };
  if (!there) return svg("svg", box, svg("rect", { class: "token-slot", x: 4, y: 4, width: 32, height: 102, rx: 12 }));
  return svg(
    "svg",
    box,
    svg("rect", { class: "token-edge", x: 2, y: 4, width: 36, height: 105, rx: 13 }),
    svg("rect", { class: "token-bone", x: 2, y: 1, width: 36, height: 103, rx: 13 }),
    svg("rect", { class: "token-line", x: 8, y: 8, width: 24, height: 89, rx: 8 }),
    svg("path", { class: "token-inlay", d: "M20 34L28 52.5L20 71L12 52.5Z" }),
    svg("circle", { class: "token-inlay", cx: 20, cy: 20, r: 3.2 }),
    svg("circle", { class: "token-inlay", cx: 20, cy: 85, r: 3.2 }),
    svg("path", { class: "token-shine", d: "M6 16V88" }),
  );
}

/** @param {boolean} there */
export function petitToken(there) {
  const box = { class: `token token-petit${there ? "" : " token-place"}`, viewBox: "0 0 60 60", "aria-hidden": "true", data: { token: there ? "petit" : "place" } };
  if (!there) return svg("svg", box, svg("circle", { class: "token-slot", cx: 30, cy: 30, r: 26 }));
  return svg(
    "svg",
    box,
    svg("circle", { class: "token-edge", cx: 30, cy: 31.5, r: 28 }),
    svg("circle", { class: "token-bone", cx: 30, cy: 29, r: 28 }),
    svg("circle", { class: "token-notches", cx: 30, cy: 29, r: 23 }),
    svg("circle", { class: "token-line", cx: 30, cy: 29, r: 16 }),
    svg("circle", { class: "token-inlay", cx: 30, cy: 29, r: 7 }),
    svg("path", { class: "token-shine", d: "M10 22A22 22 0 0 1 26 7" }),
  );
}
