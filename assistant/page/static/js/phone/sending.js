/** A phone at work: devices and line together, kept going through everything but the person's own stop. */

import { PhoneCamera, VIDEO } from "./camera.js";
import { SocketLine, UploadLine } from "./line.js";
import { AUDIO, PhoneMicrophone } from "./microphone.js";

const PINGS_AT_FIRST = 10;
/** Milliseconds between two questions for the time. */
const PING = 1000;
const PING_AT_FIRST = 100;
/** Milliseconds without a word of the table after which the line counts as dead. */
const DEAF = 7000;
/** Milliseconds after which a picture that was not acknowledged is given up. */
const GIVEN_UP = 3000;
const SOONEST = 500;
const LATEST = 4000;
/** So often a socket may fail to open before plain uploads are tried. */
const REFUSALS = 2;
/** Milliseconds between two looks at a device that something else has taken. */
const AGAIN = 2000;

/** A word by which the table knows this page again. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What a person would call this phone. */
function nameOfThis() {
  const agent = navigator.userAgent;
  const system = /iPhone/.test(agent) ? "iPhone" : /iPad/.test(agent) ? "iPad" : /Android/.test(agent) ? "Android" : "";
  const browser = /Firefox|FxiOS/.test(agent) ? "Firefox" : /Chrome|CriOS/.test(agent) ? "Chrome" : /Safari/.test(agent) ? "Safari" : "";
  return [browser, system].filter(Boolean).join(" ");
}

/**
 * @typedef {Object} Doing  what the person is shown
 * @property {"starting"|"waiting"|"sending"|"asleep"|"lost"|"stopped"} how
 * @property {string} [why]  of `stopped`: `denied`, `no-device`, `busy`, `failed`, `taken`, `replaced`, `over`, `phone-not-wanted`
 * @property {"socket"|"upload"} [way]
 * @property {number} [rate]  pictures a second that arrive
 * @property {number|null} [delay]  milliseconds
 * @property {number} [level]  of the sound, 0 to 1
 */

export class Sending {
  /**
   * @param {{video: HTMLVideoElement, canvas: HTMLCanvasElement, parts: {camera: boolean, microphone: boolean},
   *   told: (doing: Doing) => void, way?: "socket"|"upload"}} given
   */
  constructor({ video, canvas, parts, told, way = "socket" }) {
    this.parts = { ...parts };
    this.tell = told;
    this.way = way;
    this.key = newKey();
    this.camera = new PhoneCamera(video, canvas, (picture) => Boolean(this.line) && this.line.picture(picture));
    this.microphone = new PhoneMicrophone(
      (block) => this.ready && this.line && this.line.sound(block),
      (level) => (this.level = Math.max(level, (this.level || 0) * 0.8)),
    );
    this.how = "starting";
    this.arrivals = [];
    this.delay = null;
    this.pause = SOONEST;
    this.refusals = 0;
    this.pings = new Map();
    this.pingNumber = 0;
    this.takeOver = false;
    this.seen = () => this.visibility();
    this.timer = setInterval(() => this.look(), 500);
  }

  // -- beginning and end

  /** To be called out of a tap. */
  async start() {
    document.addEventListener("visibilitychange", this.seen);
    addEventListener("pageshow", this.seen);
    try {
      await this.openDevices();
    } catch (problem) {
      this.stop(whyNot(problem));
      return;
    }
    this.stayAwake();
    this.connect();
  }

  stop(why) {
    clearInterval(this.timer);
    clearTimeout(this.retry);
    clearTimeout(this.pinging);
    document.removeEventListener("visibilitychange", this.seen);
    removeEventListener("pageshow", this.seen);
    if (this.line) this.line.close();
    this.line = null;
    this.ready = false;
    this.over = true;
    this.camera.stop();
    this.microphone.stop();
    if (this.lock) this.lock.release().catch(() => {});
    this.say("stopped", why);
  }

  say(how, why) {
    this.how = how;
    const now = performance.now();
    this.arrivals = this.arrivals.filter((at) => now - at < 3000);
    const span = this.arrivals.length > 1 ? this.arrivals[this.arrivals.length - 1] - this.arrivals[0] : 0;
    const rate = span > 0 ? (1000 * (this.arrivals.length - 1)) / span : 0;
    this.tell({ how, why, way: this.way, rate, delay: this.delay, level: this.level || 0, held: this.camera.held });
  }

  // -- devices

  async openDevices() {
    const wanted = { video: this.parts.camera && VIDEO, audio: this.parts.microphone && AUDIO };
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia(wanted);
    } catch (problem) {
      if (!(wanted.video && wanted.audio) || problem.name === "NotAllowedError") throw problem;
      stream = await navigator.mediaDevices.getUserMedia({ video: wanted.video, audio: false }); // no microphone: the eyes alone
      this.parts.microphone = false;
    }
    const [video] = stream.getVideoTracks();
    const [audio] = stream.getAudioTracks();
    if (video) await this.useCamera(video);
    if (audio) await this.useMicrophone(audio);
  }

  async useCamera(track) {
    this.watchTrack(track, "camera");
    await this.camera.start(track);
  }

  async useMicrophone(track) {
    this.watchTrack(track, "microphone");
    await this.microphone.start(track);
  }

  /** A phone call, another program, a browser that saves power: the table is told, and the device opened again. */
  watchTrack(track, part) {
    track.onended = () => {
      if (this.over) return;
      this.asleep();
      setTimeout(() => this.reopen(part), AGAIN);
    };
    track.onmute = () => this.asleep();
    track.onunmute = () => this.awake();
  }

  async reopen(part) {
    const device = part === "camera" ? this.camera : this.microphone;
    if (this.over || (device.track && device.track.readyState === "live")) return;
    try {
      const stream = await navigator.mediaDevices.getUserMedia(part === "camera" ? { video: VIDEO } : { audio: AUDIO });
      if (this.over) {
        stream.getTracks().forEach((track) => track.stop());
        return;
      }
      await (part === "camera" ? this.useCamera(stream.getVideoTracks()[0]) : this.useMicrophone(stream.getAudioTracks()[0]));
      this.awake();
    } catch {
      setTimeout(() => this.reopen(part), AGAIN);
    }
  }

  asleep() {
    this.sleeps = true;
    if (this.line) this.line.text({ type: "asleep" });
    if (!this.over) this.say("asleep");
  }

  awake() {
    if (document.hidden || this.over) return;
    this.sleeps = false;
    if (this.line) this.line.text({ type: "awake" });
    this.say(this.ready ? "sending" : "waiting");
  }

  visibility() {
    if (document.hidden) {
      this.asleep();
      return;
    }
    this.stayAwake();
    this.microphone.resume();
    if (this.parts.camera) this.camera.video.play().catch(() => {});
    for (const part of ["camera", "microphone"]) if (this.parts[part]) this.reopen(part);
    this.awake();
    if (!this.line) this.connect();
  }

  async stayAwake() {
    this.canStayAwake = Boolean(navigator.wakeLock);
    if (!this.canStayAwake || document.hidden) return;
    try {
      if (!this.lock || this.lock.released) this.lock = await navigator.wakeLock.request("screen");
    } catch {
      /* the phone saves power: it asks for itself when the page is seen again */
    }
  }

  // -- the line

  connect() {
    if (this.over) return;
    clearTimeout(this.retry);
    this.heard = performance.now();
    const begin = { ...this.parts, rate: Math.round(this.microphone.rate), key: this.key, name: nameOfThis(), take_over: this.takeOver };
    const Line = this.way === "socket" ? SocketLine : UploadLine;
    let line = null;
    line = new Line(
      begin,
      (message) => line === this.line && this.told(message),
      (how) => line === this.line && this.fell(how),
    );
    this.line = line;
    if (this.how !== "asleep") this.say("waiting");
  }

  fell(how) {
    this.line = null;
    this.ready = false;
    this.camera.forget();
    clearTimeout(this.pinging);
    if (this.over) return;
    if (how === "closed") return this.stop(this.lastWord || "over");
    this.refusals = how === "refused" ? this.refusals + 1 : 0;
    if (this.refusals >= REFUSALS) this.other();
    this.say("lost");
    this.retry = setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(LATEST, 2 * this.pause);
    return undefined;
  }

  /** The socket does not open though the table answers: the other way. */
  other() {
    this.refusals = 0;
    this.way = this.way === "socket" ? "upload" : "socket";
  }

  told(message) {
    this.heard = performance.now();
    switch (message.type) {
      case "ready":
        this.ready = true;
        this.pause = SOONEST;
        this.takeOver = true; // it was ours: after a break it is again
        this.parts = { camera: message.camera, microphone: message.microphone };
        this.camera.ask = message.ask;
        this.pingsLeft = PINGS_AT_FIRST;
        this.ping();
        this.say(this.sleeps ? "asleep" : "sending");
        break;
      case "ack":
        this.camera.arrived();
        this.camera.ask = message.ask;
        this.delay = message.delay;
        this.arrivals.push(this.heard);
        break;
      case "missed":
        this.camera.arrived();
        break;
      case "pong":
        this.ponged(message.n);
        break;
      case "refused":
        this.stop(message.code);
        break;
      case "replaced":
      case "over":
        this.lastWord = message.type;
        break;
      default:
    }
  }

  // -- the time

  ping() {
    clearTimeout(this.pinging);
    if (!this.line) return;
    this.pingsLeft = Math.max(0, this.pingsLeft - 1);
    this.pinging = setTimeout(() => this.ping(), this.pingsLeft ? PING_AT_FIRST : PING);
    if (!this.line.idle) return;
    this.pingNumber += 1;
    this.pings.set(this.pingNumber, performance.now());
    if (this.pings.size > 20) this.pings.delete(this.pings.keys().next().value);
    this.line.text({ type: "ping", n: this.pingNumber });
  }

  ponged(n) {
    const sent = this.pings.get(n);
    this.pings.delete(n);
    if (sent !== undefined && this.line) this.line.text({ type: "clock", n, sent, came: performance.now() });
  }

  /** Twice a second: the figures, and whether the table still answers. */
  look() {
    if (this.over) return;
    if (this.line && this.ready && performance.now() - this.heard > DEAF) this.line.end("lost");
    if (this.camera.waiting > GIVEN_UP) this.camera.forget();
    this.say(this.how);
  }
}

/** @returns {string} the code under which the person is told why a device does not open */
export function whyNot(problem) {
  switch (problem && problem.name) {
    case "NotAllowedError":
    case "SecurityError":
      return "denied";
    case "NotFoundError":
    case "OverconstrainedError":
      return "no-device";
    case "NotReadableError":
    case "AbortError":
      return "busy";
    default:
      return "failed";
  }
}
