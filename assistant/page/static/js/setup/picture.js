/** The camera's picture, a new one twice a second at most, and only while somebody looks. */

import { el } from "../dom.js";

const EVERY = 550; // ms
const AFTER_TROUBLE = 2000;

export class Picture {
  #timer = null;
  #stopped = false;
  #next = new Image();
  /** Whether also what lies beside the table is shown. */
  whole = true;

  /**
   * @param {string} label what it is, for who does not see it
   * @param {(there: boolean) => void} told whether pictures come
   */
  constructor(label, told = () => {}) {
    this.img = el("img", { class: "setup-picture", alt: label, draggable: "false" });
    this.told = told;
    this.seen = () => document.visibilityState === "visible" && this.#soon(0);
    document.addEventListener("visibilitychange", this.seen);
    this.#next.onload = () => {
      this.img.src = this.#next.src;
      this.told(true);
      this.#soon(EVERY);
    };
    this.#next.onerror = () => {
      this.told(false);
      this.#soon(AFTER_TROUBLE);
    };
    this.#soon(0);
  }

  #soon(ms) {
    clearTimeout(this.#timer);
    if (this.#stopped || document.visibilityState !== "visible") return;
    this.#timer = setTimeout(() => {
      this.#next.src = `/api/table/picture.jpg?whole=${this.whole ? 1 : 0}&at=${Date.now()}`;
    }, ms);
  }

  /** Show all of it, or only the table. */
  show(whole) {
    this.whole = whole;
    this.#soon(0);
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.seen);
    this.#next.onload = this.#next.onerror = null;
    this.#next.src = "";
  }
}
