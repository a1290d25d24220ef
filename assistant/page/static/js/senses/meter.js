/** The level of the microphone: a bar, its loudest moment, and the last seconds. */

import { el, setText } from "../dom.js";

const FLOOR = -70; // dB at the left end
const HISTORY = 80; // tenths of a second
const CLIP_SHOWN = 20; // tenths for which a cut-off stays told
const SILENT = -75;
const LOW = -50;

export class Meter {
  /** @param {any} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.levels = [];
    this.clip = 0;
    this.devices = null;
    this.title = el("h3");
    this.fill = el("span", { class: "meter-fill" });
    this.peak = el("span", { class: "meter-peak" });
    this.bar = el("div", { class: "meter-bar", role: "meter", "aria-valuemin": FLOOR, "aria-valuemax": 0 }, this.fill, this.peak);
    this.value = el("span", { class: "meter-value", "aria-hidden": "true" });
    this.canvas = el("canvas", { class: "meter-history", width: HISTORY * 4, height: 64, "aria-hidden": "true" });
    this.word = el("p", { class: "meter-word" });
    this.element = el("div", { class: "meter" }, this.title, el("div", { class: "meter-row" }, this.bar, this.value), this.canvas, this.word);
  }

  /** @param {[number, number, boolean][]} levels mean and peak in dB, cut off */
  hear(levels) {
    for (const level of levels) this.clip = level[2] ? CLIP_SHOWN : Math.max(0, this.clip - 1);
    this.levels = [...this.levels, ...levels].slice(-HISTORY);
    this.draw();
  }

  has(devices) {
    this.devices = devices;
    this.draw();
  }

  forget() {
    this.levels = [];
    this.clip = 0;
    this.draw();
  }

  draw() {
    const { ctx, levels } = this;
    const recent = levels.slice(-10);
    const [mean] = levels.length ? levels[levels.length - 1] : [-90];
    const peak = recent.length ? Math.max(...recent.map((level) => level[1])) : -90;
    const share = (db) => Math.max(0, Math.min(1, (db - FLOOR) / -FLOOR));
    setText(this.title, ctx.t("senses.level"));
    this.bar.setAttribute("aria-label", ctx.t("senses.level"));
    this.bar.setAttribute("aria-valuenow", Math.round(Math.max(FLOOR, peak)));
    const said = ctx.t("senses.level.value", { n: String(Math.round(peak)).replace("-", "−") });
    this.bar.setAttribute("aria-valuetext", said);
    this.bar.dataset.clipped = this.clip ? "yes" : "no";
    this.fill.style.transform = `scaleX(${share(mean).toFixed(3)})`;
    this.peak.style.left = `${(100 * share(peak)).toFixed(1)}%`;
    setText(this.value, levels.length ? said : "");
    const without = this.devices && !this.devices.microphone;
    this.bar.parentElement.hidden = this.canvas.hidden = Boolean(without);
    setText(this.word, ctx.t(`senses.level.${this.state(without)}`));
    this.word.dataset.level = this.state(without);
    this.drawHistory(share);
  }

  state(without) {
    if (without) return "none";
    if (!this.levels.length) return "waiting";
    if (this.clip) return "clipped";
    const loudest = Math.max(...this.levels.map((level) => level[1]));
    return loudest < SILENT ? "silent" : loudest < LOW ? "low" : "good";
  }

  drawHistory(share) {
    const pen = this.canvas.getContext("2d");
    const { width, height } = this.canvas;
    pen.clearRect(0, 0, width, height);
    if (!this.canvas.isConnected) return;
    const colours = getComputedStyle(this.canvas);
    const from = HISTORY - this.levels.length;
    this.levels.forEach(([mean, peak, clipped], at) => {
      const x = (from + at) * 4;
      pen.fillStyle = colours.getPropertyValue(clipped ? "--danger" : "--line");
      pen.fillRect(x, height * (1 - share(peak)), 3, height * share(peak));
      pen.fillStyle = colours.getPropertyValue("--good");
      pen.fillRect(x, height * (1 - share(mean)), 3, height * share(mean));
    });
  }
}
