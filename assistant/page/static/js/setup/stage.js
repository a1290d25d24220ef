/**
 * The picture of the table with what can be dragged on it: its corners, or the names of the players. A finger, a mouse
 * or the arrow keys move them; whether that can be is decided by the referee's server, and what cannot be springs back.
 */

import { el, empty, setAttribute, svg } from "../dom.js";

const MARGIN = 0.05; // of the picture's width, round it: a corner may lie outside
const STEP = 0.004; // of the picture's width, for an arrow key
const FAST = 5;
const AFTER_KEYS = 350; // ms without a key before what was moved is sent
const GLASS = 132; // CSS pixels of the magnifier
const ENLARGED = 2.5;

/** @typedef {{picture: {width: number, height: number}, table: {corners: number[][]}, places: Object<string, number[]>}} Setup */

export class Stage {
  #setup = null;
  #mode = "corners";
  #chosen = null;
  #keys = {};

  /**
   * @param {object} ctx
   * @param {HTMLImageElement} img
   * @param {{name: (seat: number) => string, moved: (change: object) => Promise<Setup|null>, chosen: (seat: number|null) => void}} told
   */
  constructor(ctx, img, told) {
    this.ctx = ctx;
    this.img = img;
    this.told = told;
    this.lines = svg("svg", { class: "setup-lines", "aria-hidden": "true", focusable: "false" });
    this.glass = el("canvas", { class: "setup-glass", width: 2 * GLASS, height: 2 * GLASS, "aria-hidden": "true", hidden: true });
    this.handles = el("div", { class: "setup-handles" });
    this.root = el("div", { class: "setup-stage" }, img, this.lines, this.handles, this.glass);
    this.root.addEventListener("click", (event) => this.#tapped(event));
  }

  get setup() {
    return this.#setup;
  }

  /** Show this table. @param {Setup} setup */
  show(setup) {
    const { width, height } = setup.picture;
    const other = !this.#setup || this.#setup.picture.width !== width || this.#setup.picture.height !== height;
    this.#setup = setup;
    if (other) {
      const margin = MARGIN * width;
      this.box = { left: -margin, top: -margin, width: width + 2 * margin, height: height + 2 * margin };
      this.root.style.aspectRatio = `${this.box.width} / ${this.box.height}`;
      this.root.style.setProperty("--ratio", String(this.box.height / this.box.width)); // for browsers without it
      this.img.style.left = this.img.style.right = `${(100 * margin) / this.box.width}%`;
      this.img.style.top = this.img.style.bottom = `${(100 * margin) / this.box.height}%`;
      this.img.style.width = `${(100 * width) / this.box.width}%`;
      this.img.style.height = `${(100 * height) / this.box.height}%`;
      this.root.dataset.laid = "yes";
      setAttribute(this.lines, "viewBox", `${this.box.left} ${this.box.top} ${this.box.width} ${this.box.height}`);
    }
    this.#draw();
  }

  /** What can be moved: "corners", "seats", or nothing. */
  set mode(mode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.choose(null);
    this.#draw();
  }

  get mode() {
    return this.#mode;
  }

  /** Choose the player whose place is shown next by a tap. */
  choose(seat) {
    this.#chosen = seat;
    for (const handle of this.handles.children) handle.setAttribute("aria-pressed", String(this.#mode === "seats" && Number(handle.dataset.n) === seat));
    this.told.chosen(seat);
  }

  // -- drawing

  #draw() {
    if (!this.#setup) return;
    this.#drawLines(this.#setup.table.corners);
    const items = this.#mode === "corners" ? this.#setup.table.corners.map((at, n) => ({ n, at })) : this.#mode === "seats" ? Object.entries(this.#setup.places).map(([seat, at]) => ({ n: Number(seat), at })) : [];
    const before = [...this.handles.children];
    const same = before.length === items.length && before.every((handle) => handle.dataset.kind === this.#mode);
    if (!same) {
      empty(this.handles);
      items.forEach((item) => this.handles.append(this.#handle(item.n)));
    }
    items.forEach(({ at }, i) => this.#place(this.handles.children[i], at));
  }

  #drawLines(corners) {
    empty(this.lines);
    const points = corners.map(([x, y]) => `${x},${y}`).join(" ");
    const thick = this.box.width / 320;
    this.lines.append(
      svg("polygon", { class: "setup-outline-under", points, "stroke-width": 2.4 * thick }),
      svg("polygon", { class: "setup-outline", points, "stroke-width": thick }),
    );
    if (this.#mode === "corners") return;
    for (const [seat, [x, y]] of Object.entries(this.#setup.places)) {
      this.lines.append(svg("circle", { class: "setup-seat-spot", "data-seat": seat, cx: x, cy: y, r: 3.2 * thick, "stroke-width": thick }));
    }
  }

  #handle(n) {
    const corners = this.#mode === "corners";
    const name = corners ? "" : this.told.name(n);
    const handle = el(
      "button",
      {
        type: "button",
        class: corners ? "setup-corner" : "setup-badge",
        data: { n, kind: this.#mode, seat: corners ? null : n },
        "aria-label": corners ? null : this.ctx.t("setup.table.seat.at", { name, seat: n }),
        "aria-pressed": corners ? null : "false",
      },
      corners ? "" : el("span", { class: "setup-badge-name", text: name }),
    );
    handle.addEventListener("pointerdown", (event) => this.#grab(event, handle));
    handle.addEventListener("keydown", (event) => this.#key(event, handle));
    if (!corners) handle.addEventListener("click", (event) => event.detail === 0 && this.choose(n)); // by the keyboard
    return handle;
  }

  /** Put a handle at a place of the picture; one that lies far outside shows at the rim. */
  #place(handle, [x, y]) {
    const { left, top, width, height } = this.box;
    handle.at = [x, y];
    handle.style.left = `${Math.max(1, Math.min(99, (100 * (x - left)) / width))}%`;
    handle.style.top = `${Math.max(1, Math.min(99, (100 * (y - top)) / height))}%`;
    if (this.#mode === "corners") {
      const text = this.ctx.t("setup.table.corner.at", {
        corner: this.ctx.t(`setup.table.corner.${Number(handle.dataset.n) + 1}`),
        x: Math.round((100 * x) / this.#setup.picture.width),
        y: Math.round((100 * y) / this.#setup.picture.height),
      });
      setAttribute(handle, "aria-label", text);
    }
  }

  // -- a finger

  #at(event) {
    const box = this.root.getBoundingClientRect();
    const { left, top, width, height } = this.box;
    return [left + ((event.clientX - box.left) / box.width) * width, top + ((event.clientY - box.top) / box.height) * height];
  }

  #grab(event, handle) {
    if (event.button > 0 || !this.#setup) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    const from = this.#at(event);
    const start = handle.at;
    let far = false;
    const move = (next) => {
      const now = this.#at(next);
      far = far || Math.hypot(now[0] - from[0], now[1] - from[1]) > 0.008 * this.box.width;
      if (!far) return;
      this.#drag(handle, [start[0] + now[0] - from[0], start[1] + now[1] - from[1]]);
    };
    const up = (next) => {
      for (const [name, fn] of [["pointermove", move], ["pointerup", up], ["pointercancel", up]]) handle.removeEventListener(name, fn);
      this.glass.hidden = true;
      if (far && next.type === "pointerup") this.#send(handle);
      else {
        this.#draw();
        if (!far && this.#mode === "seats") this.choose(Number(handle.dataset.n));
      }
    };
    for (const [name, fn] of [["pointermove", move], ["pointerup", up], ["pointercancel", up]]) handle.addEventListener(name, fn);
  }

  #drag(handle, at) {
    const { left, top, width, height } = this.box;
    const there = [Math.max(left, Math.min(left + width, at[0])), Math.max(top, Math.min(top + height, at[1]))];
    this.#place(handle, there);
    if (this.#mode !== "corners") return;
    const corners = this.#setup.table.corners.map((corner, n) => (n === Number(handle.dataset.n) ? there : corner));
    this.#drawLines(corners);
    this.#enlarge(there, corners);
  }

  /** What lies under the finger, beside it. */
  #enlarge([x, y], corners) {
    const { left, top, width, height } = this.box;
    const box = this.root.getBoundingClientRect();
    const px = ((x - left) / width) * box.width;
    const py = ((y - top) / height) * box.height;
    const above = py - GLASS - 44;
    this.glass.style.left = `${Math.max(0, Math.min(box.width - GLASS, px - GLASS / 2))}px`;
    this.glass.style.top = `${above >= -box.top ? above : py + 44}px`;
    this.glass.hidden = false;
    const pen = this.glass.getContext("2d");
    const scale = (2 * ENLARGED * box.width) / width; // canvas pixels for one of the picture
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = "#222";
    pen.fillRect(0, 0, 2 * GLASS, 2 * GLASS);
    pen.setTransform(scale, 0, 0, scale, GLASS - x * scale, GLASS - y * scale);
    if (this.img.complete && this.img.naturalWidth) pen.drawImage(this.img, 0, 0, this.#setup.picture.width, this.#setup.picture.height);
    pen.beginPath();
    corners.forEach(([cx, cy], n) => (n ? pen.lineTo(cx, cy) : pen.moveTo(cx, cy)));
    pen.closePath();
    for (const [colour, thick] of [["#000", 5], ["#fff", 2]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = (2 * thick) / scale;
      pen.stroke();
    }
  }

  /** A tap on the picture shows the place of the player who was chosen. */
  async #tapped(event) {
    if (this.#mode !== "seats" || this.#chosen === null || event.target.closest("button")) return;
    const seat = this.#chosen;
    const setup = await this.told.moved({ seat, at: this.#inside(this.#at(event)) });
    if (setup) {
      this.show(setup);
      this.choose(null);
    }
  }

  // -- keys

  #key(event, handle) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || !this.#setup) return;
    event.preventDefault();
    const step = STEP * this.#setup.picture.width * (event.shiftKey ? FAST : 1) * (this.#mode === "seats" ? FAST : 1);
    this.#drag(handle, [handle.at[0] + way[0] * step, handle.at[1] + way[1] * step]);
    this.glass.hidden = true;
    const n = handle.dataset.n;
    clearTimeout(this.#keys[n]);
    this.#keys[n] = setTimeout(() => this.#send(handle), AFTER_KEYS);
  }

  /** A place is shown in the picture, never beside it. */
  #inside([x, y]) {
    const { width, height } = this.#setup.picture;
    return [Math.max(0, Math.min(width, x)), Math.max(0, Math.min(height, y))];
  }

  async #send(handle) {
    const n = Number(handle.dataset.n);
    const change = this.#mode === "corners" ? { corner: n, at: handle.at } : { seat: n, at: this.#inside(handle.at) };
    const setup = await this.told.moved(change);
    if (setup) this.show(setup);
    else this.#draw(); // it springs back
  }

  stop() {
    Object.values(this.#keys).forEach(clearTimeout);
  }
}
