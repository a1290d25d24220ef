/**
 * What the machine sees and hears, for whoever sets up. Off until this view is opened: nothing is sent, and nothing
 * computed, while it is closed, stopped, or behind another tab.
 */

import { el, setText } from "./dom.js";
import { Figures } from "./senses/figures.js";
import { HeardList } from "./senses/heard.js";
import { SensesLine } from "./senses/line.js";
import { Meter } from "./senses/meter.js";
import { PicturePanel } from "./senses/picture.js";

export default { id: "senses", title: "senses.title", role: "correct", mount };

/** @param {HTMLElement} root @param {any} ctx @returns {() => void} */
function mount(root, ctx) {
  const view = new SensesView(root, ctx);
  return () => view.leave();
}

class SensesView {
  constructor(root, ctx) {
    this.ctx = ctx;
    this.looks = true;
    this.said = { key: "senses.connecting", fields: {} };
    this.line = new SensesLine({
      message: (message) => this.message(message),
      picture: (header, jpeg) => this.picture.see(header, jpeg),
      line: (state) => this.tell(state),
    });
    this.title = el("h1", { class: "senses-title" });
    this.intro = el("p", { class: "quiet senses-intro" });
    this.button = el("button", { class: "button", type: "button", on: { click: () => this.toggle() } });
    this.status = el("p", { class: "senses-status", role: "status" });
    this.join = el("button", { class: "button primary", type: "button", on: { click: () => ctx.join() } });
    this.picture = new PicturePanel(ctx, { shown: (n) => this.line.got(n), width: (pixels) => this.line.wants(pixels) });
    this.meter = new Meter(ctx);
    this.heard = new HeardList(ctx);
    this.figures = new Figures(ctx);
    this.soundTitle = el("h2");
    this.sound = el("section", { class: "panel senses-hear" }, this.soundTitle, this.meter.element, this.heard.element);
    this.parts = el("div", { class: "senses-parts" }, this.picture.element, this.sound, this.figures.element);
    root.append(el("div", { class: "senses-head" }, this.title, this.button), this.status, this.join, this.parts, this.intro);
    this.off = [
      ctx.onLang(() => this.draw()),
      ctx.onRole(() => this.resume()),
      ctx.onState(() => this.picture.draw()),
    ];
    this.seen = () => this.resume();
    document.addEventListener("visibilitychange", this.seen);
    this.tick = setInterval(() => this.heard.draw(), 1000);
    this.draw();
    this.picture.resize();
    this.resume();
  }

  leave() {
    clearInterval(this.tick);
    document.removeEventListener("visibilitychange", this.seen);
    for (const off of this.off) off();
    this.line.close();
    this.picture.leave();
  }

  toggle() {
    this.looks = !this.looks;
    this.resume();
  }

  /** Look, or look no more: as the person wants, may, and has the page before his eyes. */
  resume() {
    const may = this.ctx.role === "correct";
    this.line.close();
    if (may && this.looks && !document.hidden) {
      this.say("senses.connecting");
      this.line.open();
    } else {
      this.forget();
      this.say(may ? "senses.stopped" : "senses.join");
    }
    this.draw();
  }

  forget() {
    for (const part of [this.picture, this.meter, this.heard, this.figures]) part.forget();
  }

  message(message) {
    switch (message.type) {
      case "figures":
        this.picture.has(message);
        this.meter.has(message);
        this.figures.tells(message);
        this.heard.tells(message.clock);
        if (!message.camera && !message.microphone) this.say("senses.none");
        break;
      case "heard":
        this.heard.hear(message.items);
        break;
      case "level":
        this.meter.hear(message.levels);
        break;
      case "held":
        this.picture.hold(message.held);
        break;
      case "lights":
        this.figures.shine(message.lights);
        break;
      case "trouble":
        this.say("senses.trouble", { what: message.what });
        break;
      case "closed":
        this.looks = false;
        this.forget();
        this.say("senses.closed");
        this.draw();
        break;
      case "refused":
        this.looks = false;
        this.say(message.text);
        this.draw();
        break;
    }
  }

  tell(state) {
    if (state === "on" && ["senses.connecting", "senses.lost"].includes(this.said.key)) this.say(null);
    if (state === "lost") {
      this.forget();
      this.say("senses.lost");
    }
  }

  /** @param {string|{fr: string, en: string}|null} key a word of the page, or a sentence of the server */
  say(key, fields = {}) {
    this.said = { key, fields };
    this.drawStatus();
  }

  drawStatus() {
    const { key, fields } = this.said;
    setText(this.status, key === null ? "" : typeof key === "string" ? this.ctx.t(key, fields) : this.ctx.both(key));
    this.status.hidden = key === null;
  }

  draw() {
    const { ctx } = this;
    const may = ctx.role === "correct";
    setText(this.title, ctx.t("senses.title"));
    setText(this.intro, ctx.t("senses.intro"));
    setText(this.button, ctx.t(this.looks ? "senses.stop" : "senses.go"));
    setText(this.join, ctx.t("shell.join.open"));
    setText(this.soundTitle, ctx.t("senses.sound"));
    this.button.hidden = !may;
    this.join.hidden = may;
    this.parts.hidden = !may || !this.looks;
    this.drawStatus();
    this.picture.draw();
    this.meter.draw();
    this.heard.draw();
    this.figures.draw();
    this.figures.drawLights();
  }
}
