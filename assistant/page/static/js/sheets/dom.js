/** What the sheets are made of beside `el`: buttons, icons, ids. */

import { el, svg } from "../dom.js";

export { el };

/**
 * A button; `act` is what a tap does.
 * @param {(event: Event) => any} act
 * @param {Record<string, any>} given attributes as in `el`
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLButtonElement}
 */
export function button(act, given, ...children) {
  return /** @type {HTMLButtonElement} */ (el("button", { type: "button", ...given, on: { click: act } }, ...children));
}

let made = 0;

/** An id that nothing else on the page has. @param {string} start @returns {string} */
export function freshId(start) {
  made += 1;
  return `${start}-${made}`;
}

/** Empty an element and fill it again. @param {Element} place @param {...(Node | string | null | false)} children */
export function refill(place, ...children) {
  place.replaceChildren(.../** @type {Node[]} */ (children.flat().filter((child) => child)));
}

/** Strokes in a 24 by 24 box. */
const STROKES = {
  undo: "M9 7 4 12l5 5 M4 12h10a6 6 0 0 1 6 6",
  redo: "M15 7l5 5-5 5 M20 12H10a6 6 0 0 0-6 6",
  say: "M4 5h16v11H11l-5 4v-4H4z",
  card: "M7 3h10v18H7z M12 9v6 M9 12h6",
  more: "M5 7h14 M5 12h14 M5 17h14",
  close: "M6 6l12 12 M18 6L6 18",
  deal: "M4 8l7-3 5 11-7 3z M13 6h6v11",
  wait: "M12 7v5l3 2 M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18",
  again: "M5 12a7 7 0 1 0 2-5 M7 3v4h4",
};

/**
 * A small drawing that says nothing to a screen reader: the words beside it do.
 * @param {keyof typeof STROKES} name
 */
export function icon(name) {
  const path = svg("path", { d: STROKES[name] });
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, path);
}
