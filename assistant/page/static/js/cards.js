/**
 * Cards, drawn: the French pack with its V, D, R, the Spanish pack of Truc y Flou, the numbers of Robin Red, a card
 * whose suit was not seen, a back. The index is large: it is read across a café.
 */

import { el, svg } from "./dom.js";
import { courtOf } from "./courts.js";
import { SHAPES } from "./suits.js";

const W = 250;
const H = 350;
const FRENCH_INDEX = { J: "V", Q: "D", K: "R" };
const FRENCH_COURTS = { J: "page", Q: "lady", K: "king" };
const SPANISH_COURTS = { 10: "page", 11: "rider", 12: "king" };
/** Gaps in the frame of a Spanish card, by which players know its suit from its edge (la pinta). */
const PINTA = { o: 0, c: 1, e: 2, b: 3 };

/** Two letters take the place of one. */
const NARROW = { textLength: 56, lengthAdjust: "spacingAndGlyphs" };

/** Where the pips of a card stand: columns and rows from 0 to 1. */
const PIPS = {
  1: [[0.5, 0.5]],
  2: [[0.5, 0], [0.5, 1]],
  3: [[0.5, 0], [0.5, 0.5], [0.5, 1]],
  4: [[0, 0], [1, 0], [0, 1], [1, 1]],
  5: [[0, 0], [1, 0], [0.5, 0.5], [0, 1], [1, 1]],
  6: [[0, 0], [1, 0], [0, 0.5], [1, 0.5], [0, 1], [1, 1]],
  7: [[0, 0], [1, 0], [0.5, 0.25], [0, 0.5], [1, 0.5], [0, 1], [1, 1]],
  8: [[0, 0], [1, 0], [0.5, 0.25], [0, 0.5], [1, 0.5], [0.5, 0.75], [0, 1], [1, 1]],
  9: [[0, 0], [1, 0], [0, 1 / 3], [1, 1 / 3], [0.5, 0.5], [0, 2 / 3], [1, 2 / 3], [0, 1], [1, 1]],
  10: [[0, 0], [1, 0], [0.5, 1 / 6], [0, 1 / 3], [1, 1 / 3], [0, 2 / 3], [1, 2 / 3], [0.5, 5 / 6], [0, 1], [1, 1]],
};

const FRENCH = /^([1-9]|10|[JQKA])[shdc?]$/;
const SPANISH = /^([1-7]|1[0-2])[eboc?]$/;

/** Rank and suit of a card as it is written: `"10s"`, `"7?"`, `"5"`. @param {string} name */
export function parse(name) {
  const found = /^(10|11|12|[1-9JQKA])([shdcebo?]?)$/.exec(name || "");
  return found ? { rank: found[1], suit: found[2] } : null;
}

/**
 * A card, drawn. Its size is that of its place: `.card` has the proportions, the width comes from the style sheet.
 * @param {string|null} name  null, and whatever is no card, is a back
 * @param {{pack?: string, size?: "small"|"", label?: string, hidden?: boolean}} [options] `hidden`: not for screen
 *   readers, as where a button around it has the name
 * @returns {HTMLElement}
 */
export function card(name, { pack = "french32", size = "", label = "", hidden = false } = {}) {
  const spanish = pack === "spanish40";
  const found = parse(name);
  const known = found && (spanish ? SPANISH : FRENCH).test(found.rank + (found.suit || "?")) ? found : null;
  const kind = !known ? "back" : pack === "numbered8" || !known.suit ? "number" : spanish ? "spanish" : "french";
  const face = { back, number, spanish: spanishFace, french: frenchFace }[kind];
  const suit = known && known.suit !== "?" ? known.suit : "";
  return el(
    "span",
    {
      class: `card card-${kind}${size ? ` card-${size}` : ""}`,
      role: hidden ? null : "img",
      "aria-label": hidden ? null : label || name || "",
      "aria-hidden": hidden ? "true" : null,
      data: { card: name || "", suit: spanish && suit ? `${suit}-spanish` : suit },
    },
    svg(
      "svg",
      { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true", focusable: "false" },
      svg("rect", { class: "card-paper", x: 1.5, y: 1.5, width: W - 3, height: H - 3, rx: 20 }),
      ...face(known),
    ),
  );
}

/**
 * What a card is called: « le sept de pique ».
 * @param {string|null} name
 * @param {string|null} pack
 * @param {import("./texts.js").Texts} texts
 */
export function cardName(name, pack, texts) {
  const known = parse(name);
  if (!known) return texts.t("card.unknown");
  if (!known.suit) return texts.t("card.number", { number: known.rank });
  const rank = texts.t(pack === "spanish40" ? `card.spanish.${known.rank}` : `card.rank.${known.rank}`);
  if (known.suit === "?") return texts.t("card.without-suit", { rank });
  const suit = texts.t(pack === "spanish40" ? `card.spanish.suit.${known.suit}` : `card.suit.${known.suit}`);
  return texts.t("card.of", { rank, suit });
}

/** A suit by itself, for lists and buttons. @param {string} suit @param {string} [pack] */
export function suitMark(suit, pack = "french32") {
  const key = pack === "spanish40" ? `${suit}-spanish` : suit;
  return svg("svg", { class: "suit-mark", viewBox: "-50 -50 100 100", "aria-hidden": "true", data: { suit: key } }, ...shape(key));
}

// -- faces

function frenchFace({ rank, suit }) {
  const index = FRENCH_INDEX[rank] || rank;
  if (suit === "?") return unknownSuit(index);
  return [
    ...corners(index, suit),
    ...(FRENCH_COURTS[rank] ? court(FRENCH_COURTS[rank], suit) : rank === "A" ? [at(suit, 125, 175, 1.35)] : pips(Number(rank), suit, 0.46)),
  ];
}

function spanishFace({ rank, suit }) {
  if (suit === "?") return unknownSuit(rank);
  const key = `${suit}-spanish`;
  const count = Number(rank);
  return [
    ...pinta(PINTA[suit]),
    ...corners(rank, null),
    ...(SPANISH_COURTS[rank] ? court(SPANISH_COURTS[rank], key) : count === 1 ? [at(key, 125, 175, 1.75)] : pips(count, key, count > 3 ? 0.6 : 0.78)),
  ];
}

function number({ rank }) {
  const count = Number(rank);
  const dots = Array.from({ length: count }, (_, n) => {
    const angle = (2 * Math.PI * n) / count - Math.PI / 2;
    return svg("circle", { class: "card-dot", cx: 125 + 84 * Math.cos(angle), cy: 175 + 84 * Math.sin(angle), r: 9 });
  });
  return [
    svg("rect", { class: "card-frame", x: 14, y: 14, width: W - 28, height: H - 28, rx: 12 }),
    ...corners(rank, null),
    svg("circle", { class: "card-ring", cx: 125, cy: 175, r: 66 }),
    ...dots,
    svg("text", { class: "card-number", x: 125, y: 211, "text-anchor": "middle", text: rank }),
  ];
}

function unknownSuit(index) {
  return [
    ...corners(index, null),
    svg("rect", { class: "card-unknown", x: 74, y: 104, width: 102, height: 142, rx: 16 }),
    svg("text", { class: "card-number card-question", x: 125, y: 208, "text-anchor": "middle", text: "?" }),
  ];
}

function back() {
  const lines = [];
  for (let x = -7; x <= 14; x += 1) {
    lines.push(svg("path", { class: "card-lattice", d: `M${x * 28 - 40} 20 l${310} ${310}M${x * 28 + 5} 330 l310 -310` }));
  }
  const inner = svg("svg", { x: 18, y: 18, width: W - 36, height: H - 36, viewBox: `18 18 ${W - 36} ${H - 36}` }, ...lines);
  return [
    svg("rect", { class: "card-back", x: 18, y: 18, width: W - 36, height: H - 36, rx: 10 }),
    inner,
    svg("ellipse", { class: "card-medal", cx: 125, cy: 175, rx: 46, ry: 60 }),
    svg("text", { class: "card-medal-letter", x: 125, y: 198, "text-anchor": "middle", text: "T" }),
  ];
}

// -- their parts

/** The index, above left and, upside down, below right. */
function corners(index, suit) {
  const corner = () => [
    svg("text", { class: "card-index", x: 35, y: 66, "text-anchor": "middle", text: index, ...(index.length > 1 ? NARROW : {}) }),
    suit && at(suit, 35, 98, 0.4),
  ];
  return [svg("g", {}, ...corner()), svg("g", { transform: `rotate(180 ${W / 2} ${H / 2})` }, ...corner())];
}

function pips(count, suit, size) {
  return PIPS[count].map(([x, y]) => at(suit, 88 + 74 * x, 66 + 218 * y, size, suit.length === 1 && y > 0.5));
}

function court(kind, suit) {
  const half = () => [courtOf(kind), at(suit, 83, 80, 0.36)];
  return [
    svg(
      "g",
      { transform: "translate(125 175) scale(0.9 1.02) translate(-125 -175)" },
      svg("rect", { class: "card-court-ground", x: 62, y: 50, width: 126, height: 250, rx: 6 }),
      svg("g", {}, ...half()),
      svg("g", { transform: `rotate(180 ${W / 2} ${H / 2})` }, ...half()),
      svg("rect", { class: "card-frame", x: 62, y: 50, width: 126, height: 250, rx: 6 }),
    ),
  ];
}

/** The frame of a Spanish card, with the gaps of its suit above and below. */
function pinta(gaps) {
  const edge = (y) => {
    const width = 222 - 14 * gaps;
    const piece = width / (gaps + 1);
    return Array.from({ length: gaps + 1 }, (_, n) => `M${14 + n * (piece + 14)} ${y}h${piece}`).join("");
  };
  return [svg("path", { class: "card-frame", d: `M14 14v322M236 14v322${edge(14)}${edge(336)}` })];
}

/** A suit at a place; `turned`: standing on its head. */
function at(suit, x, y, size, turned = false) {
  return svg("g", { transform: `translate(${x} ${y}) scale(${size})${turned ? " rotate(180)" : ""}` }, ...shape(suit));
}

function shape(suit) {
  return SHAPES[suit].map(([tag, attributes]) => svg(tag, attributes));
}
