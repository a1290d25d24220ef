/** The socket of those who look: JSON messages, and pictures with what lies over them. */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

export class SensesLine {
  #socket = null;
  #timer = 0;
  #failed = 0;
  #wanted = false;
  #width = 0;

  /**
   * @param {{message: (message: any) => void, picture: (header: any, jpeg: Blob) => void, line: (state: string) => void}} told
   *   `line`: `connecting`, `on`, `lost`, or `refused` after which it tries no more by itself
   */
  constructor(told) {
    this.told = told;
  }

  open() {
    this.#wanted = true;
    this.#failed = 0;
    this.#connect();
  }

  close() {
    this.#wanted = false;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket) socket.close();
  }

  /** How wide the picture is shown, in pixels of the screen. @param {number} width */
  wants(width) {
    const whole = Math.max(1, Math.min(4000, Math.round(width)));
    if (whole === this.#width) return;
    this.#width = whole;
    this.#say({ type: "want", width: whole });
  }

  /** A picture is shown: the next one may come. @param {number} n */
  got(n) {
    this.#say({ type: "got", n });
  }

  #say(message) {
    if (this.#socket && this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    clearTimeout(this.#timer);
    if (this.#socket) this.#socket.close();
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/senses`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.told.line("connecting");
    const mine = (fn) => (event) => socket === this.#socket && fn(event);
    socket.onopen = mine(() => {
      if (this.#width) this.#say({ type: "want", width: this.#width });
    });
    socket.onmessage = mine((event) => {
      this.#failed = 0;
      if (typeof event.data === "string") this.#word(JSON.parse(event.data));
      else this.#picture(event.data);
    });
    socket.onclose = mine(() => this.#broke());
  }

  #word(message) {
    if (message.type === "refused" || message.type === "closed") {
      this.#wanted = false;
      this.told.line("refused");
    } else {
      this.told.line("on");
    }
    this.told.message(message);
  }

  /** Four bytes: the length of the header; the header as JSON; the JPEG. */
  #picture(data) {
    const length = new DataView(data).getUint32(0);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    this.told.line("on");
    this.told.picture(header, new Blob([new Uint8Array(data, 4 + length)], { type: "image/jpeg" }));
  }

  #broke() {
    this.#socket = null;
    if (!this.#wanted) return;
    this.#failed += 1;
    this.told.line("lost");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.8 ** (this.#failed - 1));
    this.#timer = setTimeout(() => this.#wanted && this.#connect(), wait);
  }
}
