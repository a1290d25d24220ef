/**
 * Something that takes a while at the table: hands, cards, knocks, phrases. It lasts as long as this page asks how it
 * goes; leaving the panel ends it.
 */

import { ask } from "./parts.js";

const EVERY = 400; // ms
const SOUND = 150; // ms, where a level is shown

export class Lesson {
  #name = null;
  #timer = null;
  #over = false;

  /**
   * @param {object} ctx
   * @param {(state: object, over: boolean) => void} told how it goes
   * @param {(problem: any) => void} lost it is over though nobody ended it
   */
  constructor(ctx, told, lost) {
    this.ctx = ctx;
    this.told = told;
    this.lost = lost;
    this.leave = () => this.stop();
    addEventListener("pagehide", this.leave);
  }

  get name() {
    return this.#name;
  }

  /** Take up a lesson that has begun, as the server told of it. @param {{lesson: string, state: object, over: boolean}} begun */
  begin(begun, sound = false) {
    this.#name = begun.lesson;
    this.every = sound ? SOUND : EVERY;
    this.take(begun);
    this.#next();
  }

  /** What the server said of it. */
  take(said) {
    if (this.#over) return;
    this.#over = said.over;
    this.told(said.state, said.over);
    if (said.over) this.#end();
  }

  #next() {
    if (!this.#over) this.#timer = setTimeout(() => this.#ask(), this.every);
  }

  async #ask() {
    try {
      this.take(await ask(this.ctx, `/api/lesson?lesson=${encodeURIComponent(this.#name)}`));
    } catch (problem) {
      if (this.#over) return;
      if (problem.status !== 0 && problem.status !== 429) {
        this.#end();
        this.lost(problem);
        return;
      }
    }
    this.#next();
  }

  /** End it, also while the page goes away. */
  stop() {
    if (this.#over || !this.#name) return;
    this.#end();
    fetch("/api/lesson/stop", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ lesson: this.#name }),
      credentials: "same-origin",
      keepalive: true,
    }).catch(() => {}); // it ends by itself when nobody asks any more
  }

  #end() {
    this.#over = true;
    clearTimeout(this.#timer);
    removeEventListener("pagehide", this.leave);
  }
}
