/** For those who listen: what the referee announces and asks, each once, and nothing of what was before they came. */

import { setText } from "../dom.js";

export class Speaker {
  #said = null;
  #asked = null;
  #first = true;

  constructor(ctx) {
    this.ctx = ctx;
    this.says = document.getElementById("says");
    this.asks = document.getElementById("asks");
  }

  hear(state) {
    const said = state.said;
    const question = state.question;
    const n = said ? said.n : null;
    const id = question ? question.id : null;
    if (!this.#first && said && n !== this.#said && !said.question) setText(this.says, this.ctx.both(said.text));
    if (!this.#first && question && id !== this.#asked) setText(this.asks, this.ctx.both(question.text));
    if (!question) setText(this.asks, "");
    this.#said = n;
    this.#asked = id;
    this.#first = false;
  }
}
