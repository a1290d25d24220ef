/**
 * The line to the table: a web socket, or plain uploads where the browser refuses one (Safari does with a certificate
 * that the table made itself). Both take the same texts, pictures and blocks of sound, and bring the same answers.
 *
 * A line is given `told(message)` for what the table says and `fell(how)` for its end: `refused` (it never opened),
 * `lost` (the network is gone), `closed` (the table does not want it any more).
 */

const OPENING = 6000;
/** Bytes that wait in the socket from which sound is left out rather than queued: some two seconds. */
const FULL = 400000;

function socketAddress() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/phone`;
}

export class SocketLine {
  constructor(begin, told, fell) {
    this.told = told;
    this.fell = fell;
    this.sounds = 0;
    this.opened = false;
    this.socket = new WebSocket(socketAddress());
    this.socket.binaryType = "arraybuffer";
    const late = setTimeout(() => this.end("refused"), OPENING);
    this.socket.onopen = () => {
      clearTimeout(late);
      this.opened = true;
      this.text({ type: "begin", ...begin });
    };
    this.socket.onmessage = (event) => this.told(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      clearTimeout(late);
      this.end(!this.opened ? "refused" : event.code === 1000 ? "closed" : event.code === 1008 ? "judged" : "lost");
    };
  }

  get open() {
    return this.socket.readyState === 1;
  }

  end(how) {
    if (!this.fell) return;
    const { fell } = this;
    this.fell = null;
    this.socket.close();
    fell(how);
  }

  text(message) {
    if (this.open) this.socket.send(JSON.stringify(message));
  }

  picture({ n, taken, leftOut, blob }) {
    if (!this.open) return false;
    const head = new DataView(new ArrayBuffer(16));
    head.setUint8(0, 1);
    head.setUint8(1, Math.min(255, leftOut));
    head.setUint32(4, n, true);
    head.setFloat64(8, taken, true);
    this.socket.send(new Blob([head.buffer, blob]));
    return true;
  }

  sound({ take, first, ended, samples }) {
    if (!this.open || this.socket.bufferedAmount > FULL) return; // the table fills what is missing
    const message = new Uint8Array(24 + samples.byteLength);
    const head = new DataView(message.buffer);
    this.sounds += 1;
    head.setUint8(0, 2);
    head.setUint16(2, take, true);
    head.setUint32(4, this.sounds, true);
    head.setFloat64(8, ended, true);
    head.setFloat64(16, first, true);
    message.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), 24);
    this.socket.send(message);
  }

  /** Whether nothing waits to be sent: only then does a question for the time tell something. */
  get idle() {
    return this.open && this.socket.bufferedAmount === 0;
  }

  close() {
    this.fell = null;
    this.text({ type: "end" });
    this.socket.close();
  }
}

/** Seconds of sound that wait at most while an upload is under way. */
const MOST_SOUND = 3;
const LARGEST_SOUND = 180000;
const FAILURES = 4;

export class UploadLine {
  constructor(begin, told, fell) {
    this.begin = begin;
    this.told = told;
    this.fell = fell;
    this.open = false;
    this.failures = 0;
    this.sounds = 0;
    this.waiting = [];
    this.post("/api/phone/begin", JSON.stringify(begin), "application/json").catch(() => {});
  }

  get idle() {
    return this.open;
  }

  /** @returns {Promise<boolean>} whether it was taken; raises where the table was not reached */
  async post(path, body, type) {
    try {
      const answer = await fetch(path, { method: "POST", headers: { "content-type": type }, body, credentials: "same-origin", cache: "no-store" });
      const said = await answer.json().catch(() => ({}));
      if (!answer.ok) {
        if (answer.status === 429 || answer.status === 413 || answer.status === 415) return false; // this one alone
        if (path === "/api/phone/begin") this.told({ type: "refused", code: said.error });
        this.end(answer.status === 404 ? "lost" : "judged");
        return false;
      }
      this.failures = 0;
      if (said.sender) {
        this.sender = said.sender;
        this.open = true;
      }
      for (const message of said.messages || []) {
        this.told(message);
        if (message.type === "over" || message.type === "replaced") this.end("closed");
      }
      return true;
    } catch {
      this.failures += 1;
      if (!this.open) this.end("refused");
      else if (this.failures >= FAILURES) this.end("lost");
      throw new Error("offline");
    }
  }

  end(how) {
    if (!this.fell) return;
    const { fell } = this;
    this.fell = null;
    this.open = false;
    fell(how);
  }

  address(path, fields) {
    return `/api/phone/${path}?${new URLSearchParams({ sender: this.sender, ...fields })}`;
  }

  text(message) {
    if (this.open) this.post(this.address("tell", {}), JSON.stringify(message), "application/json").catch(() => {});
  }

  picture({ n, taken, leftOut, blob }) {
    if (!this.open) return false;
    const missed = () => this.told({ type: "missed" });
    this.post(this.address("picture", { n, taken, left_out: leftOut }), blob, "image/jpeg").then((taken) => taken || missed(), missed);
    return true;
  }

  sound(block) {
    if (!this.open) return;
    this.waiting.push(block);
    const most = (MOST_SOUND * this.begin.rate) / block.samples.length;
    while (this.waiting.length > most) this.waiting.shift(); // the table fills what is missing
    if (!this.sending) this.sendSound();
  }

  /** One upload after the other, each with all that came meanwhile. */
  async sendSound() {
    this.sending = true;
    while (this.waiting.length && this.open) {
      const [head] = this.waiting;
      const blocks = [];
      let size = 0;
      for (const block of this.waiting) {
        const follows = block.take === head.take && block.first === head.first + size / 2;
        if (!follows || size + block.samples.byteLength > LARGEST_SOUND) break;
        blocks.push(block);
        size += block.samples.byteLength;
      }
      this.sounds += 1;
      const { ended } = blocks[blocks.length - 1];
      const address = this.address("sound", { take: head.take, n: this.sounds, ended, first: head.first });
      try {
        await this.post(address, new Blob(blocks.map((block) => block.samples)), "application/octet-stream");
        this.waiting = this.waiting.filter((block) => !blocks.includes(block));
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200)); // it is sent again
      }
    }
    this.sending = false;
  }

  close() {
    this.fell = null;
    this.text({ type: "end" });
    this.open = false;
  }
}
