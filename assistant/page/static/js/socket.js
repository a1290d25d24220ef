/**
 * The line to the referee: a web socket that comes back by itself, or, where there is none, a question every second.
 *
 * Told apart: `on` (the newest state is here), `off` (what is shown is from `heard`). A tap waits until its answer has
 * come, through any number of broken lines, under one id: the referee follows it once. After the referee has been
 * started anew the events of old taps are others, so these are given back unanswered.
 */

const PING = 3000; // ms without a word before we ask
const PONG = 2500; // ms that the answer may take
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const REFUSED = 1008; // the code of a socket that the server will not have: too many watch
const AFTER_REFUSAL = 15000;
const POLL = 1500;
const BEFORE_POLLING = 3; // sockets that never opened
const PATIENCE = 20000; // ms that an answer may take while the line is there

/** @typedef {{ok: boolean, code?: string, text?: any}} Answer */

export class Line {
  #socket = null;
  #failed = 0; // sockets in a row that brought no word
  #timers = {};
  #waiting = new Map(); // id -> {message, resolve, timer}
  #count = 0;
  #me = token();
  #polls = false;
  #closed = false;
  #greeted = false; // by the referee, on this socket
  on = false;
  /** When the last word came, ms since 1970; 0 for never. */
  heard = 0;
  /** The referee's boot id. */
  server = null;

  /**
   * @param {{state: (state: object) => void, hello: (hello: object) => void, line: (on: boolean) => void, pending: () => void}} told
   */
  constructor(told) {
    this.told = told;
  }

  open() {
    addEventListener("online", () => this.now());
    addEventListener("pageshow", (event) => event.persisted && this.again());
    addEventListener("offline", () => this.#ask(1000));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.now());
    this.#connect();
  }

  /** The page woke up: is the line still there? Ask at once, or try at once. */
  now() {
    if (this.#socket && this.#socket.readyState === WebSocket.OPEN) this.#ask(1500);
    else if (!this.#socket || this.#socket.readyState !== WebSocket.CONNECTING) this.again();
  }

  /** A new line at once (another role, a page out of the browser's cache). */
  again() {
    this.#failed = 0;
    this.#drop();
    this.#connect();
  }

  close() {
    this.#closed = true;
    this.#drop();
    clearTimeout(this.#timers.retry);
    clearTimeout(this.#timers.poll);
  }

  /**
   * Tell the referee something.
   * @param {object} what `{do: "rename", …}`
   * @returns {Promise<Answer>}
   */
  tap(what) {
    const id = `${this.#me}-${(this.#count += 1)}`;
    const message = JSON.stringify({ type: "tap", id, ...what });
    return new Promise((resolve) => {
      this.#waiting.set(id, { what, message, resolve, timer: null });
      this.#send(id);
      this.told.pending();
    });
  }

  /** What was tapped and not answered yet, the oldest first. @returns {{id: string, what: object, giveUp: () => void}[]} */
  pending() {
    const given = { ok: false, code: "given-up" };
    return [...this.#waiting].map(([id, { what }]) => ({ id, what, giveUp: () => this.#answer(id, given) }));
  }

  // -- the socket

  #connect() {
    clearTimeout(this.#timers.retry);
    if (this.#closed) return;
    let socket;
    try {
      socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    } catch {
      this.#broke();
      return;
    }
    this.#socket = socket;
    this.#greeted = false;
    const mine = (fn) => (event) => socket === this.#socket && fn(event);
    socket.onopen = mine(() => this.#ask(PONG));
    socket.onmessage = mine((event) => this.#word(event.data));
    socket.onclose = mine((event) => this.#broke(event.code === REFUSED ? AFTER_REFUSAL : 0));
    this.#timers.pong = setTimeout(mine(() => this.#broke()), PING + PONG); // one that never opens
  }

  #word(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    this.#heardNow();
    this.#failed = 0;
    this.#stopPolling();
    if (message.type === "hello") this.#hello(message);
    else if (message.type === "state") this.#state(message);
    else if (message.type === "answer") this.#answer(message.id, message);
  }

  #hello(hello) {
    if (this.server !== null && this.server !== hello.server) {
      for (const id of [...this.#waiting.keys()]) this.#answer(id, { ok: false, code: "restarted" });
    }
    this.server = hello.server;
    this.#greeted = true;
    this.told.hello(hello);
    for (const id of this.#waiting.keys()) this.#send(id);
  }

  #state(state) {
    this.told.state(state);
    this.#is(true);
  }

  #answer(id, answer) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    waiting.resolve(answer);
    this.told.pending();
  }

  /** Send what waits; the time that its answer may take counts while the line is there. */
  #send(id) {
    if (!this.#greeted || !this.#socket || this.#socket.readyState !== WebSocket.OPEN) return;
    const waiting = this.#waiting.get(id);
    this.#socket.send(waiting.message);
    clearTimeout(waiting.timer);
    waiting.timer = setTimeout(() => this.#answer(id, { ok: false, code: "no-answer" }), PATIENCE);
  }

  #heardNow() {
    this.heard = Date.now();
    clearTimeout(this.#timers.pong);
    clearTimeout(this.#timers.ping);
    this.#timers.ping = setTimeout(() => this.#ask(PONG), PING);
  }

  /** Is anybody there? No answer within `ms`: there is not. */
  #ask(ms) {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    clearTimeout(this.#timers.ping);
    clearTimeout(this.#timers.pong);
    socket.send(JSON.stringify({ type: "ping" }));
    this.#timers.pong = setTimeout(() => socket === this.#socket && this.#broke(), ms);
  }

  #broke(least = 0) {
    this.#drop();
    this.#failed += 1;
    this.#is(this.#polls && this.on);
    const wait = Math.max(least, Math.min(LONGEST_WAIT, FIRST_WAIT * 1.8 ** (this.#failed - 1)));
    this.#timers.retry = setTimeout(() => this.#connect(), wait * (0.7 + 0.6 * Math.random()));
    if (this.#failed >= BEFORE_POLLING && !this.#polls) this.#poll();
  }

  #drop() {
    clearTimeout(this.#timers.ping);
    clearTimeout(this.#timers.pong);
    const socket = this.#socket;
    this.#socket = null;
    this.#greeted = false;
    for (const waiting of this.#waiting.values()) clearTimeout(waiting.timer);
    if (socket && socket.readyState <= WebSocket.OPEN) socket.close();
  }

  #is(on) {
    if (on === this.on) return;
    this.on = on;
    this.told.line(on);
  }

  // -- without sockets

  async #poll() {
    this.#polls = true;
    try {
      const answer = await fetch("/api/state", { credentials: "same-origin", cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      if (!this.#polls) return;
      this.heard = Date.now();
      this.#state(state);
    } catch {
      if (this.#polls) this.#is(false);
    }
    if (this.#polls && !this.#closed) this.#timers.poll = setTimeout(() => this.#poll(), POLL);
  }

  #stopPolling() {
    this.#polls = false;
    clearTimeout(this.#timers.poll);
  }
}

/** A name for this page, unlikely to be another's. `crypto.randomUUID` wants a secure page, this does not. */
function token() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
}
