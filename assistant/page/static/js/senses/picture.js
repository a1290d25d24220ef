/** The picture and what lies over it: the cards with their names, the zones of the seats, hands. Names are text. */

import { parse, suitMark } from "../cards.js";
import { seatName } from "../board/names.js";
import { el, keyed, setText, svg } from "../dom.js";

const LETTERS = 13; // CSS pixels of what is written over the picture
const SMALL = 480; // CSS pixels of width below which only names are written: the chances are in the list
const SURE = 0.9;
const FRENCH_INDEX = { J: "V", Q: "D", K: "R" };
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

export class PicturePanel {
  /** @param {any} ctx @param {{shown: (n: number) => void, width: (pixels: number) => void}} told */
  constructor(ctx, told) {
    this.ctx = ctx;
    this.told = told;
    this.header = null;
    this.held = false;
    this.devices = null;
    this.title = el("h2");
    this.image = el("img", { class: "senses-image", alt: "", hidden: true });
    this.over = svg("svg", { class: "senses-over", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.word = el("p", { class: "senses-word" });
    this.frame = el("div", { class: "senses-frame" }, this.image, this.over, this.word);
    this.count = el("h3");
    this.cards = el("ul", { class: "senses-cards" });
    this.hands = el("p", { class: "quiet" });
    this.element = el("section", { class: "panel senses-see" }, this.title, this.frame, this.count, this.cards, this.hands);
    this.url = null;
    if (window.ResizeObserver) {
      this.observer = new ResizeObserver(() => this.resize());
      this.observer.observe(this.frame);
    }
  }

  leave() {
    if (this.observer) this.observer.disconnect();
    this.forget();
  }

  /** Nothing is shown any more. */
  forget() {
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = this.header = null;
    this.held = false;
    this.image.hidden = true;
    this.image.removeAttribute("src");
    this.draw();
  }

  resize() {
    this.told.width(this.frame.clientWidth * Math.min(2, window.devicePixelRatio || 1));
    this.drawOver();
  }

  /** @param {any} header @param {Blob} jpeg */
  see(header, jpeg) {
    const url = URL.createObjectURL(jpeg);
    const done = () => {
      if (this.url) URL.revokeObjectURL(this.url);
      this.url = url;
      this.told.shown(header.n);
    };
    this.image.onload = done;
    this.image.onerror = done;
    this.image.src = url;
    this.image.hidden = false;
    this.header = header;
    this.held = false;
    this.frame.style.aspectRatio = `${header.width} / ${header.height}`;
    this.draw();
  }

  /** The camera was bumped: the last picture stays, and counts no more. @param {boolean} held */
  hold(held) {
    this.held = held;
    this.draw();
  }

  /** @param {{camera: boolean, microphone: boolean, over: boolean}} devices */
  has(devices) {
    this.devices = devices;
    this.draw();
  }

  draw() {
    const { ctx, header } = this;
    setText(this.title, ctx.t("senses.picture"));
    this.image.alt = ctx.t("senses.picture.alt");
    const without = this.devices && !this.devices.camera;
    const word = without ? "senses.picture.none" : this.held ? "senses.picture.held" : header ? "" : this.devices && this.devices.over ? "senses.picture.over" : "senses.picture.waiting";
    this.word.hidden = !word;
    setText(this.word, word ? ctx.t(word) : "");
    this.frame.dataset.held = this.held ? "yes" : "no";
    this.frame.dataset.empty = header ? "no" : "yes";
    this.drawOver();
    this.drawList();
  }

  drawOver() {
    const { header } = this;
    this.over.replaceChildren();
    if (!header || this.held) return;
    const { width, height } = header;
    const scale = width / Math.max(1, this.frame.clientWidth);
    this.over.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.over.style.fontSize = `${LETTERS * scale}px`;
    this.over.style.strokeWidth = `${2 * scale}px`;
    const at = ([x, y]) => [x * width, y * height];
    const points = (corners) => corners.map((corner) => at(corner).map((v) => v.toFixed(1)).join(",")).join(" ");
    if (header.table) this.over.append(svg("polygon", { class: "senses-table", points: points(header.table) }));
    for (const [start, end] of header.borders) {
      const [[x1, y1], [x2, y2]] = [at(start), at(end)];
      this.over.append(svg("line", { class: "senses-border", x1, y1, x2, y2 }));
    }
    for (const { seat, at: place } of header.seats) this.over.append(this.seat(seat, at(place), scale, header));
    for (const one of header.cards) {
      this.over.append(svg("polygon", { class: "senses-card", data: { sure: sureness(one) }, points: points(one.quad) }));
    }
    for (const one of header.cards) this.over.append(this.label(one, one.quad.map(at), scale, header));
  }

  seat(seat, [x, y], scale, header) {
    const hand = header.hands.includes(seat);
    const name = capital(seatName(this.ctx, this.ctx.state, seat)) || String(seat);
    const text = hand ? `${name} · ${this.ctx.t("senses.hand")}` : name;
    return written(text, x, y, scale, header, hand ? "senses-seat senses-hand" : "senses-seat");
  }

  label(one, quad, scale, header) {
    const small = this.frame.clientWidth < SMALL;
    const p = one.p === null || small ? "" : ` ${percent(this.ctx, one.p)}`;
    const x = quad.reduce((sum, [u]) => sum + u, 0) / 4;
    const within = quad.reduce((sum, [, v]) => sum + v, 0) / 4 + 0.35 * LETTERS * scale;
    const below = Math.max(...quad.map(([, v]) => v)) + 1.1 * LETTERS * scale;
    const text = `${short(one.card)}${p}`;
    return written(text, x, small ? within : below, scale, header, "senses-name", sureness(one));
  }

  drawList() {
    const { ctx, header } = this;
    const cards = header && !this.held ? header.cards : [];
    this.count.hidden = this.cards.hidden = this.hands.hidden = !header || this.held;
    setText(this.count, ctx.tn("senses.cards", cards.length));
    keyed(
      this.cards,
      cards,
      (one) => `${one.track}-${one.card}-${one.counted}-${ctx.lang}`,
      (one) => this.line(one),
      (element, one) => setText(element.querySelector(".senses-p"), one.p === null ? "" : percent(ctx, one.p)),
    );
    const names = header ? header.hands.map((seat) => seatName(ctx, ctx.state, seat) || String(seat)) : [];
    setText(this.hands, names.length ? ctx.t("senses.hands", { names: names.join(", ") }) : ctx.t("senses.hands.none"));
  }

  line(one) {
    const { ctx } = this;
    const known = parse(one.card);
    const pack = ctx.state ? ctx.state.game.pack : undefined;
    const name = one.card ? ctx.cardName(one.card) : ctx.t("senses.card.unread");
    const other = one.counted && one.counted !== one.card ? ctx.t("senses.card.counted", { card: ctx.cardName(one.counted) }) : "";
    return el(
      "li",
      { data: { sure: sureness(one) } },
      known && known.suit && known.suit !== "?" ? suitMark(known.suit, pack) : el("span", { class: "senses-no-suit", "aria-hidden": "true" }),
      el("span", { class: "senses-card-name", text: capital(name) }),
      other && el("span", { class: "senses-other", text: other }),
      el("span", { class: "senses-p" }),
    );
  }
}

/** @param {any} ctx @param {number} p */
export function percent(ctx, p) {
  return ctx.t("senses.percent", { n: Math.min(99, Math.round(100 * p)) });
}

export function capital(text) {
  return text ? text[0].toLocaleUpperCase() + text.slice(1) : "";
}

function sureness(one) {
  if (!one.card) return "no";
  return one.p !== null && one.p < SURE ? "little" : "yes";
}

/** As it is printed in the corner of the card. */
function short(card) {
  const known = parse(card);
  if (!known) return "?";
  const french = !known.suit || SIGNS[known.suit] || known.suit === "?";
  return `${(french && FRENCH_INDEX[known.rank]) || known.rank}${SIGNS[known.suit] || (known.suit === "?" ? "?" : "")}`;
}

/** Letters with a dark rim, readable on any table, and wholly within the picture. */
function written(text, x, y, scale, { width, height }, kind, sure = null) {
  const half = (0.34 * text.length + 0.5) * LETTERS * scale;
  const inside = (v, margin, most) => Math.max(margin, Math.min(most - margin, v));
  return svg("text", {
    class: kind,
    data: { sure },
    x: inside(x, half, width).toFixed(1),
    y: inside(y, 1.2 * LETTERS * scale, height).toFixed(1),
    "text-anchor": "middle",
    text,
  });
}
