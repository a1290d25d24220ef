/** How the machine is doing, in words, and the traffic lights of a calibrated table. */

import { el, setText } from "../dom.js";

const SLOW = 8; // pictures a second that the eyes look at; fewer and hands are missed
const SHAPES = { green: "●", amber: "▲", red: "■" };

export class Figures {
  /** @param {any} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.figures = null;
    this.lights = [];
    this.title = el("h2");
    this.warning = el("p", { class: "senses-warning", hidden: true });
    this.rows = el("dl", { class: "figures" });
    this.lightsTitle = el("h3");
    this.lightsList = el("ul", { class: "lights" });
    this.element = el("section", { class: "panel senses-figures" }, this.title, this.warning, this.rows, this.lightsTitle, this.lightsList);
  }

  tells(figures) {
    this.figures = figures;
    this.draw();
  }

  shine(lights) {
    this.lights = lights;
    this.drawLights();
  }

  forget() {
    this.figures = null;
    this.lights = [];
    this.draw();
    this.drawLights();
  }

  draw() {
    const { ctx, figures } = this;
    setText(this.title, ctx.t("senses.figures"));
    const rows = figures ? this.facts(figures) : [];
    this.element.hidden = !rows.length && !this.lights.length;
    rows.forEach(([term, value], at) => {
      if (!this.rows.children[at]) this.rows.append(el("div", {}, el("dt"), el("dd")));
      const [dt, dd] = this.rows.children[at].children;
      setText(dt, term);
      setText(dd, value);
    });
    while (this.rows.children.length > rows.length) this.rows.lastElementChild.remove();
    const table = figures && figures.table;
    const slow = table && figures.camera && table.t > 10 && table.looked < SLOW;
    this.warning.hidden = !slow;
    setText(this.warning, slow ? ctx.t("senses.slow", { n: this.number(table.looked, 0), all: this.number(table.pictures, 0) }) : "");
  }

  /** @returns {[string, string][]} */
  facts({ table, passing, camera, microphone }) {
    const { ctx } = this;
    const t = (key, fields) => ctx.t(`senses.figure.${key}`, fields);
    const none = t("none");
    if (!table) return camera ? [[t("pictures"), t("passing.value", { n: passing })]] : [];
    const n = (value, digits) => this.number(value, digits);
    const delay = (middle, most) => (middle === null ? none : t("delay", { middle: n(middle / 1000, 1), most: n(most / 1000, 1) }));
    const facts = [];
    if (table.down.length) facts.push([t("down"), table.down.map((part) => ctx.t(`senses.part.${part}`)).join(", ")]);
    if (camera) {
      facts.push([t("pictures"), t("pictures.value", { pictures: n(table.pictures, 0), looked: n(table.looked, 0) })]);
      facts.push([t("dropped"), n(table.dropped + table.stale, 0)]);
      facts.push([t("eyes"), table.eyes_ms === null ? none : t("eyes.value", { n: n(table.eyes_ms, 0) })]);
      facts.push([t("card"), delay(table.card_ms, table.card_ms_p95)]);
    }
    if (microphone) {
      facts.push([t("ears"), table.ears_percent === null ? none : t("ears.value", { n: n(table.ears_percent, 0) })]);
      facts.push([t("lost"), t("lost.value", { n: n(table.sound_lost, 1) })]);
      facts.push([t("knock"), delay(table.knock_ms, table.knock_ms_p95)]);
    }
    facts.push([t("memory"), t("memory.value", { n: n(table.rss_mb, 0) })]);
    return facts;
  }

  drawLights() {
    const { ctx } = this;
    setText(this.lightsTitle, ctx.t("senses.lights"));
    this.lightsTitle.hidden = this.lightsList.hidden = !this.lights.length;
    this.lightsList.replaceChildren(
      ...this.lights.map((light) => {
        const fields = { level: ctx.t(`senses.light.${light.level}`), title: ctx.both(light.title), figure: ctx.both(light.figure) };
        const advice = ctx.both(light.advice);
        return el(
          "li",
          { data: { level: light.level } },
          el("span", { class: "light-shape", "aria-hidden": "true", text: SHAPES[light.level] }),
          el("span", { class: "unseen", text: ctx.t("senses.light.line", fields) }),
          el("span", { class: "light-title", "aria-hidden": "true", text: fields.title }),
          el("span", { class: "quiet", "aria-hidden": "true", text: fields.figure }),
          advice && el("span", { class: "light-advice", text: advice }),
        );
      }),
    );
  }

  number(value, digits) {
    return new Intl.NumberFormat(this.ctx.lang, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value);
  }
}
