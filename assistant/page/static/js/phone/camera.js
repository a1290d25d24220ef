/** The phone's camera: opened, held steady, photographed as often as the table asks. */

import { drawTurned, pageAngle, quarterTurns } from "./upright.js";

/** Pictures under way at most: more would only queue. */
const MOST_UNDER_WAY = 2;
/** Milliseconds after which focus, colours and light have settled and are held. */
const SETTLED = 5000;
/** Milliseconds after the page has turned in which no picture is sure to be turned along. */
const TURNING = 600;
/** Milliseconds that a picture is old when a browser shows it and does not say when it was taken. */
const USUAL_AGE = 40;
/** By which share the light may change before it is measured anew, and for how many seconds. */
const CHANGED = 0.3;
const CHANGED_FOR = 4;

export const VIDEO = {
  facingMode: { ideal: "environment" },
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 30, max: 30 },
};

export class PhoneCamera {
  /**
   * @param {HTMLVideoElement} video  where the camera's picture runs
   * @param {HTMLCanvasElement} canvas  what is sent, shown to the person
   * @param {(picture: {n: number, taken: number, leftOut: number, blob: Blob}) => boolean} send
   *   false: it could not even be tried
   */
  constructor(video, canvas, send) {
    this.video = video;
    this.canvas = canvas;
    this.send = send;
    this.ask = { rate: 10, width: 1280, quality: 0.8 };
    this.more = 0;
    this.underWay = 0;
    this.leftOut = 0;
    this.next = 0;
    this.n = 0;
    this.track = null;
    this.timers = [];
    this.turnedAt = -TURNING;
    this.turned = () => (this.turnedAt = performance.now());
  }

  /** @param {MediaStreamTrack} track */
  async start(track) {
    this.stop();
    this.track = track;
    this.angle = pageAngle();
    this.shape = null;
    this.video.srcObject = new MediaStream([track]);
    await this.video.play().catch(() => {}); // it plays by itself where it may
    addEventListener("orientationchange", this.turned);
    if (screen.orientation && screen.orientation.addEventListener) screen.orientation.addEventListener("change", this.turned);
    await this.control("continuous");
    this.timers.push(setTimeout(() => this.hold(), SETTLED), setInterval(() => this.watchLight(), 1000));
    this.running = true;
    this.loop(track);
  }

  stop() {
    this.running = false;
    this.timers.forEach((timer) => clearTimeout(timer)); // of intervals too
    this.timers = [];
    removeEventListener("orientationchange", this.turned);
    if (screen.orientation && screen.orientation.removeEventListener) screen.orientation.removeEventListener("change", this.turned);
    if (this.track) this.track.stop();
    this.track = null;
    this.video.srcObject = null;
    this.underWay = 0;
  }

  /** What was under way is not coming any more. */
  forget() {
    this.underWay = 0;
  }

  /** Milliseconds since anything went out or was acknowledged, while something is under way; else 0. */
  get waiting() {
    return this.underWay ? performance.now() - this.lastMove : 0;
  }

  /** The table has a picture. */
  arrived() {
    this.lastMove = performance.now();
    this.underWay = Math.max(0, this.underWay - 1);
  }

  /** Turn the picture by a quarter, clockwise. */
  turn() {
    this.more = (this.more + 1) % 4;
  }

  // -- pictures

  /** For as long as this track is the camera. */
  loop(track) {
    if (!this.running || track !== this.track) return;
    if (this.video.requestVideoFrameCallback) {
      this.video.requestVideoFrameCallback((now, about) => {
        this.shoot(about && about.captureTime);
        this.loop(track);
      });
    } else {
      this.timers.push(setInterval(() => this.video.readyState >= 2 && this.shoot(), 1000 / 30));
    }
  }

  shoot(captured) {
    const now = performance.now();
    const interval = 1000 / this.ask.rate;
    if (!this.running || now < this.next - 8 || now - this.turnedAt < TURNING || !this.video.videoWidth) return;
    this.next = Math.max(this.next + interval, now - interval);
    if (this.underWay >= MOST_UNDER_WAY) {
      this.leftOut += 1;
      return;
    }
    const turns = quarterTurns(pageAngle(), this.angle, this.more);
    if (!this.fits(turns)) return;
    drawTurned(this.canvas, this.video, turns, this.ask.width);
    const taken = captured > now - 1000 && captured <= now ? captured : now - USUAL_AGE;
    const leftOut = this.leftOut;
    this.leftOut = 0;
    this.underWay += 1;
    this.lastMove = now;
    this.canvas.toBlob(
      (blob) => {
        this.n += 1;
        if (!blob || !this.running || !this.send({ n: this.n, taken, leftOut, blob })) this.arrived();
      },
      "image/jpeg",
      this.ask.quality,
    );
  }

  /** Whether the picture has the shape it should: while a page turns, the camera's picture may not have turned yet. */
  fits(turns) {
    const wide = this.video.videoWidth >= this.video.videoHeight !== (turns + this.more) % 2 > 0;
    if (this.shape === null) this.shape = wide;
    return wide === this.shape;
  }

  // -- focus and light

  /** What the camera lets be set. */
  get can() {
    return this.track && this.track.getCapabilities ? this.track.getCapabilities() : {};
  }

  /** Each by itself: a browser refuses all of a set where it cannot do one of it. */
  async apply(...sets) {
    for (const set of sets) {
      try {
        await this.track.applyConstraints({ advanced: [set] });
      } catch {
        /* it stays as it was */
      }
    }
  }

  async control(mode) {
    const can = this.can;
    await this.apply(
      ...["focusMode", "exposureMode", "whiteBalanceMode"].filter((what) => (can[what] || []).includes(mode)).map((what) => ({ [what]: mode })),
    );
  }

  /** Keep focus, light and colours as they have settled: hands over the table shall not change them. */
  async hold() {
    if (!this.track || !this.track.getSettings) return;
    const can = this.can;
    const now = this.track.getSettings();
    const manual = (what, value) => (can[what] || []).includes("manual") && now[value] !== undefined;
    const sets = [];
    if (manual("focusMode", "focusDistance")) sets.push({ focusMode: "manual", focusDistance: now.focusDistance });
    if (manual("exposureMode", "exposureTime")) {
      const set = { exposureMode: "manual", exposureTime: now.exposureTime };
      if (now.iso !== undefined) set.iso = now.iso;
      sets.push(set);
    }
    if (manual("whiteBalanceMode", "colorTemperature")) sets.push({ whiteBalanceMode: "manual", colorTemperature: now.colorTemperature });
    await this.apply(...sets);
    this.held = sets.length > 0;
    this.light = this.brightness();
    this.other = 0;
  }

  /** Whoever turns on a lamp shall not have to come to the phone: where the light has changed it is measured anew. */
  async watchLight() {
    if (!this.held || !this.track) return;
    const now = this.brightness();
    this.other = Math.abs(now - this.light) > CHANGED * Math.max(8, this.light) ? this.other + 1 : 0;
    if (this.other < CHANGED_FOR) return;
    this.held = false;
    await this.control("continuous");
    this.timers.push(setTimeout(() => this.hold(), SETTLED / 2));
  }

  brightness() {
    const small = (this.small = this.small || Object.assign(document.createElement("canvas"), { width: 16, height: 9 }));
    const pen = small.getContext("2d", { willReadFrequently: true });
    pen.drawImage(this.video, 0, 0, 16, 9);
    const pixels = pen.getImageData(0, 0, 16, 9).data;
    let sum = 0;
    for (let i = 0; i < pixels.length; i += 4) sum += pixels[i + 1];
    return sum / (pixels.length / 4);
  }

  /** @param {boolean} on */
  torch(on) {
    return this.apply({ torch: on });
  }

  /** @param {number} times */
  zoom(times) {
    return this.apply({ zoom: times });
  }
}
