/** This phone as the table's camera and microphone. */

import { el, empty, setText } from "./dom.js";
import { Sending } from "./phone/sending.js";

/** The browsers whose warning is explained, the one at hand first. */
const BROWSERS = ["chrome", "safari", "firefox"];

function thisBrowser() {
  const agent = navigator.userAgent;
  if (/Firefox|FxiOS/.test(agent)) return "firefox";
  return /iPhone|iPad|Macintosh/.test(agent) && !/CriOS|Chrome/.test(agent) ? "safari" : "chrome";
}

class PhoneView {
  constructor(root, ctx) {
    this.root = root;
    this.ctx = ctx;
    this.status = null;
    this.why = null;
    this.offs = [ctx.onRole(() => this.begin()), ctx.onLang(() => this.draw())];
    this.begin();
  }

  t(key, fields) {
    return this.ctx.t(`phone.${key}`, fields);
  }

  close() {
    this.offs.forEach((off) => off());
    if (this.sending) this.sending.stop();
    this.sending = null;
    this.closed = true;
  }

  /** Ask what the table wants of a phone. */
  async begin() {
    if (this.sending) return;
    try {
      this.status = await (await this.ctx.api("/api/phone")).json();
    } catch (problem) {
      this.status = null;
      this.offline = problem.text;
    }
    if (!this.closed && !this.sending) this.draw();
  }

  draw() {
    if (this.sending) {
      this.drawSending();
      return;
    }
    empty(this.root);
    this.root.append(el("h2", { text: this.t("title") }), ...this.before());
  }

  // -- before it begins

  before() {
    if (!window.isSecureContext) return this.insecure();
    if (!this.status) return [this.stopped() || el("p", { class: "panel", role: "alert", text: this.ctx.both(this.offline || this.t("offline")) }), this.again()];
    if (this.status.camera === "none" && this.status.microphone === "none") {
      return [this.stopped() || "", el("p", { class: "panel", text: this.t("not-wanted") }), el("p", {}, el("code", { text: "trut watch --web 0.0.0.0 --camera phone --mic phone" })), this.again()];
    }
    if (this.ctx.role !== "correct") {
      return [
        el("p", { class: "panel", text: this.t("join") }),
        el("button", { class: "button primary", type: "button", text: this.ctx.t("shell.join.open"), on: { click: () => this.ctx.join() } }),
      ];
    }
    if (!navigator.mediaDevices || !window.AudioWorkletNode) return [el("p", { class: "panel", role: "alert", text: this.t("old-browser") })];
    return this.ready();
  }

  ready() {
    const wanted = ["camera", "microphone"].filter((part) => this.status[part] !== "none");
    this.boxes = wanted.map((part) => {
      const box = el("input", { type: "checkbox", id: `phone-${part}`, checked: true });
      return el("label", { class: "phone-part", for: `phone-${part}` }, box, el("span", { text: this.t(`part.${part}`) }));
    });
    const start = el("button", {
      class: "button primary phone-start",
      type: "button",
      data: { phone: "start" },
      text: this.t(wanted.includes("camera") ? "start" : "start-sound"),
      on: { click: () => this.start(false) },
    });
    return [
      this.stopped(),
      this.why === "taken"
        ? el("button", { class: "button danger", type: "button", data: { phone: "take-over" }, text: this.t("take-over"), on: { click: () => this.start(true) } })
        : null,
      wanted.includes("camera") ? this.advice() : el("p", { class: "panel", text: this.t("sound-only") }),
      wanted.length > 1 ? el("div", { class: "phone-parts" }, ...this.boxes) : null,
      start,
      el("p", { class: "quiet", text: this.t("private") }),
    ].filter(Boolean);
  }

  /** Why it does not send any more, where it was not the person who stopped it. */
  stopped() {
    if (!this.why) return null;
    const key = this.ctx.has(`phone.stopped.${this.why}`) ? `stopped.${this.why}` : "stopped.failed";
    return el("p", { class: "panel problem", role: "alert", text: this.t(key) });
  }

  advice() {
    const steps = ["stand", "side", "power", "quiet"].map((step) => el("li", { text: this.t(`advice.${step}`) }));
    return el("ol", { class: "panel phone-advice" }, ...steps);
  }

  again() {
    return el("button", { class: "button", type: "button", text: this.t("again"), on: { click: () => this.begin() } });
  }

  /** The page came over a connection on which no browser lets it see or hear: the way to the other address. */
  insecure() {
    const { status } = this;
    const code = this.ctx.code ? `&code=${encodeURIComponent(this.ctx.code)}` : "";
    const address = status && status.https ? `https://${location.hostname}:${new URL(status.https).port || 443}` : null;
    const here = thisBrowser();
    const order = [here, ...BROWSERS.filter((name) => name !== here)];
    return [
      el("p", { class: "panel", text: this.t("insecure") }),
      el("h3", { text: this.t("warning") }),
      el("p", { text: this.t("warning.why") }),
      ...order.map((name) =>
        el(
          "details",
          { class: "phone-browser", open: name === here },
          el("summary", { text: this.t(`warning.${name}`) }),
          el("ol", {}, ...this.t(`warning.${name}.how`).split("|").map((step) => el("li", { text: step.trim() }))),
        ),
      ),
      status && status.fingerprint
        ? el("div", { class: "phone-fingerprint" }, el("p", { text: this.t("fingerprint") }), fingerprint(status.fingerprint))
        : null,
      address
        ? el("a", { class: "button primary phone-start", href: `${address}/#phone${code}`, data: { phone: "https" }, text: this.t("to-secure") })
        : el("p", { class: "problem", text: this.t("no-secure") }),
    ].filter(Boolean);
  }

  // -- while it sends

  start(takeOver) {
    const parts = { camera: false, microphone: false };
    for (const label of this.boxes) {
      const box = label.querySelector("input");
      parts[box.id.replace("phone-", "")] = box.checked;
    }
    if (!parts.camera && !parts.microphone) return;
    this.why = null;
    this.parts = parts;
    this.shown = null;
    this.build(parts);
    this.sending = new Sending({ video: this.video, canvas: this.canvas, parts, told: (doing) => this.told(doing), way: forcedWay() });
    this.sending.takeOver = takeOver;
    this.sending.start();
    this.drawSending();
    this.battery();
  }

  /** The elements that stay while it sends. */
  build(parts) {
    this.video = el("video", { class: "phone-source", playsinline: true, muted: true, "aria-hidden": "true", tabindex: "-1" });
    this.video.muted = true;
    this.canvas = el("canvas", { class: "phone-picture", role: "img", width: 640, height: 360 });
    this.state = el("p", { class: "phone-state", role: "status" });
    this.figures = el("p", { class: "phone-figures" });
    this.bar = el("span", { class: "phone-level-bar" });
    this.level = el("div", { class: "phone-level", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 }, this.bar);
    this.hint = el("p", { class: "phone-hint", hidden: true });
    this.tools = el("div", { class: "phone-tools" });
    this.stopButton = el("button", { class: "button phone-stop", type: "button", data: { phone: "stop" }, on: { click: () => this.stop() } });
    this.stage = el(
      "div",
      { class: "phone-stage" },
      parts.camera ? el("div", { class: "phone-frame" }, this.video, this.canvas) : null,
      el("div", { class: "phone-side" }, this.state, this.figures, parts.microphone ? this.level : null, this.hint, this.tools, this.stopButton),
    );
    if (!parts.camera) this.stage.append(this.video);
    empty(this.root).append(this.stage);
  }

  drawSending() {
    this.canvas.setAttribute("aria-label", this.t("picture"));
    this.level.setAttribute("aria-label", this.t("level"));
    setText(this.stopButton, this.t("stop"));
    this.drawTools();
    this.shown = null;
  }

  drawTools() {
    empty(this.tools);
    if (!this.parts.camera) return;
    const { camera } = this.sending;
    this.tools.append(el("button", { class: "button", type: "button", data: { phone: "turn" }, text: this.t("turn"), on: { click: () => camera.turn() } }));
    const { can } = camera;
    if (can.torch) {
      this.tools.append(el("button", { class: "button", type: "button", "aria-pressed": "false", text: this.t("torch"), on: { click: (event) => toggle(event.currentTarget, (on) => camera.torch(on)) } }));
    }
    if (can.zoom && can.zoom.max > can.zoom.min) {
      const range = el("input", { type: "range", id: "phone-zoom", min: can.zoom.min, max: Math.min(can.zoom.max, 4 * can.zoom.min), step: can.zoom.step || 0.1, value: can.zoom.min });
      range.addEventListener("input", () => camera.zoom(Number(range.value)));
      this.tools.append(el("label", { class: "phone-zoom", for: "phone-zoom" }, el("span", { text: this.t("zoom") }), range));
    }
  }

  /** @param {import("./phone/sending.js").Doing} doing */
  told(doing) {
    if (doing.how === "stopped") {
      this.ended(doing.why);
      return;
    }
    if (this.shown !== doing.how) {
      if (doing.how === "sending") this.drawTools(); // what the camera can is known now
      this.shown = doing.how;
      this.state.dataset.how = doing.how;
      setText(this.state, this.t(`state.${doing.how}`));
    }
    setText(this.figures, this.figuresOf(doing));
    const level = Math.min(100, Math.round(100 * Math.sqrt(doing.level)));
    this.bar.style.transform = `scaleX(${level / 100})`;
    this.level.setAttribute("aria-valuenow", String(level));
    if (this.sending && this.sending.canStayAwake === false && this.hint.hidden) this.hintOf("awake");
  }

  figuresOf(doing) {
    if (doing.how !== "sending") return "";
    const parts = [];
    if (this.parts.camera) parts.push(this.ctx.tn("phone.rate", Math.round(doing.rate), {}));
    if (this.parts.camera && doing.delay !== null) parts.push(this.t("delay", { ms: Math.round(doing.delay / 10) * 10 }));
    if (doing.way === "upload") parts.push(this.t("by-upload"));
    if (doing.held) parts.push(this.t("held"));
    return parts.join(" · ");
  }

  hintOf(key, fields) {
    this.hint.hidden = false;
    this.hint.dataset.key = key;
    setText(this.hint, this.t(`hint.${key}`, fields));
  }

  /** A phone that runs empty in the middle of a game is worth a word in time. */
  async battery() {
    if (!navigator.getBattery) return;
    const battery = await navigator.getBattery().catch(() => null);
    if (!battery) return;
    const look = () => {
      if (!this.sending) return;
      if (!battery.charging && battery.level <= 0.3) this.hintOf("battery", { percent: Math.round(100 * battery.level) });
      else if (this.hint.dataset.key !== "awake") this.hint.hidden = true;
    };
    battery.onlevelchange = battery.onchargingchange = look;
    look();
  }

  stop() {
    if (this.sending) this.sending.stop();
  }

  ended(why) {
    if (!this.sending) return;
    this.sending = null;
    this.why = why || null;
    if (!this.closed) this.begin();
  }
}

/** In pieces that a narrow page may break between. */
function fingerprint(text) {
  return el("code", {}, ...text.split(":").flatMap((pair, i) => (i ? [":", el("wbr"), pair] : [pair])));
}

function toggle(button, act) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  act(on);
}

/** `#phone/upload` sends by plain uploads from the beginning: for tests, and for whoever looks for a fault. */
function forcedWay() {
  return location.hash.startsWith("#phone/upload") ? "upload" : "socket";
}

export default {
  id: "phone",
  title: "phone.title",
  role: "correct",
  mount(root, ctx) {
    const view = new PhoneView(root, ctx);
    return () => view.close();
  },
};
