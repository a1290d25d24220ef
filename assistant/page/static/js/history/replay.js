/** The table at any moment of a game: a slider, one move back and on, playing by itself. */

import { drawBoard } from "../board.js";
import { el, setAttribute, setText, svg } from "../dom.js";
import { scores } from "./telling.js";

const PACE = 1100; // milliseconds between two moves
const KEPT = 400; // moments that are remembered

const SIGNS = {
  first: "M18 5v14L8 12zM6 5v14",
  previous: "M16 5v14L6 12z",
  next: "M8 5v14l10-7z",
  last: "M6 5v14l10-7zM18 5v14",
  play: "M7 4v16l13-8z",
  stop: "M7 5h3v14H7zM14 5h3v14h-3z",
};

export class Replay {
  /**
   * @param {object} ctx
   * @param {string} id  of the game
   * @param {(k: number, byHand: boolean) => void} moved  called when another moment is shown
   */
  constructor(ctx, id, moved) {
    this.ctx = ctx;
    this.id = id;
    this.moved = moved;
    this.k = 0;
    this.of = 0;
    this.kept = new Map();
    this.board = el("div", { class: "h-board" });
    this.scores = el("p", { class: "h-scores" });
    this.said = el("p", { class: "h-said" });
    this.marks = el("div", { class: "h-marks", "aria-hidden": "true" });
    this.slider = el("input", { type: "range", class: "h-slider", min: "0", max: "0", step: "1", on: { input: () => this.go(Number(this.slider.value), true) } });
    this.count = el("span", { class: "h-count quiet" });
    this.buttons = {};
    const button = (name, act) => (this.buttons[name] = el("button", { class: "icon-button h-step", type: "button", data: { step: name }, on: { click: act } }, sign(name)));
    const bar = el(
      "div",
      { class: "h-steps" },
      button("first", () => this.go(0, true)),
      button("previous", () => this.go(this.k - 1, true)),
      button("play", () => this.toggle()),
      button("next", () => this.go(this.k + 1, true)),
      button("last", () => this.go(this.of, true)),
      this.count,
    );
    this.keys = el("p", { class: "h-keys quiet" });
    this.element = el("section", { class: "h-replay" }, this.scores, this.board, this.said, el("div", { class: "h-track" }, this.slider, this.marks), bar, this.keys);
    this.speak();
  }

  close() {
    clearTimeout(this.timer);
    this.closed = true;
  }

  /** Words in the language of the page. */
  speak() {
    const { ctx } = this;
    setAttribute(this.element, "aria-label", ctx.t("history.moment"));
    setAttribute(this.slider, "aria-label", ctx.t("history.slider"));
    for (const [name, button] of Object.entries(this.buttons)) this.name(button, name === "play" && this.playing ? "stop" : name);
    setText(this.keys, ctx.t("history.keys"));
    if (this.state) this.show(this.state);
  }

  name(button, name) {
    const words = this.ctx.t(`history.${name}`);
    setAttribute(button, "aria-label", words);
    setAttribute(button, "title", words);
  }

  /** The game has so many moves now; what was told of moments from `from` on may be otherwise. */
  grown(of, marks, from) {
    for (const k of [...this.kept.keys()]) if (k >= from) this.kept.delete(k);
    this.of = of;
    setAttribute(this.slider, "max", of);
    this.marks.replaceChildren(
      ...marks.map(({ k, kind }) => {
        const mark = el("span", { class: "h-mark", data: { kind } });
        mark.style.left = `${of ? (100 * k) / of : 0}%`;
        return mark;
      }),
    );
  }

  /** Show a moment. Of many that are asked for at once, as by dragging, only the last is fetched. */
  async go(k, byHand = false) {
    if (byHand) this.stop();
    this.wanted = Math.max(0, Math.min(this.of, k));
    this.slider.value = String(this.wanted);
    this.tell();
    this.moved(this.wanted, byHand);
    if (this.fetching) return;
    this.fetching = true;
    try {
      while (!this.closed) {
        const want = this.wanted;
        const state = await this.moment(want);
        if (this.closed) return;
        if (want === this.wanted) {
          this.k = want;
          this.show(state);
          break;
        }
      }
    } catch (problem) {
      this.stop();
      if (!this.closed && problem.error !== "no-such-moment") this.ctx.toast(problem.text);
    } finally {
      this.fetching = false;
    }
  }

  async moment(k) {
    const known = this.kept.get(k);
    if (known) return known;
    const state = await (await this.ctx.api(`/api/games/${encodeURIComponent(this.id)}/moment/${k}`)).json();
    if (this.kept.size > KEPT) this.kept.clear();
    this.kept.set(k, state);
    return state;
  }

  show(state) {
    this.state = state;
    const now = scores(state.teams, (team) => team.score, this.ctx, state.winner);
    this.scores.replaceWith(now);
    this.scores = now;
    drawBoard(this.board, state, this.ctx);
    this.tell();
  }

  tell() {
    const { ctx } = this;
    const k = this.wanted ?? this.k;
    setText(this.count, ctx.t("history.at", { k, n: this.of }));
    const state = this.kept.get(k);
    const said = k === 0 ? ctx.t("history.begin") : state && state.said ? ctx.both(state.said.text) : "";
    if (said) setText(this.said, said);
    setAttribute(this.slider, "aria-valuetext", said || null);
    for (const name of ["first", "previous"]) this.buttons[name].disabled = k <= 0;
    for (const name of ["next", "last"]) this.buttons[name].disabled = k >= this.of;
  }

  // -- by itself

  toggle() {
    if (this.playing) return this.stop();
    this.playing = true;
    this.draw("stop");
    if ((this.wanted ?? this.k) >= this.of) this.go(0);
    this.timer = setTimeout(() => this.step(), PACE);
  }

  async step() {
    if (!this.playing || this.closed) return;
    await this.go((this.wanted ?? this.k) + 1);
    if (this.wanted >= this.of) return this.stop();
    this.moment(Math.min(this.of, this.wanted + 1)).catch(() => {});
    this.timer = setTimeout(() => this.step(), PACE);
  }

  stop() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.draw("play");
  }

  draw(name) {
    const button = this.buttons.play;
    button.replaceChildren(sign(name));
    this.name(button, name);
  }

  /** Arrows, Home, End, P. @returns {boolean} whether the key was ours */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    const at = this.wanted ?? this.k;
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.of };
    if (event.key in steps) {
      if (event.target === this.slider) return false; // it knows these itself
      this.go(steps[event.key], true);
    } else if (event.key === "p" || event.key === "P") this.toggle();
    else return false;
    return true;
  }
}

function sign(name) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "h-sign" }, svg("path", { d: SIGNS[name] }));
}
