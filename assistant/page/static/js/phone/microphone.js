/** The phone's microphone: every sample, counted, as it is, without what browsers do to voices. */

export const AUDIO = {
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
  channelCount: { ideal: 1 },
};

export class PhoneMicrophone {
  /**
   * @param {(block: {take: number, first: number, ended: number, samples: Int16Array}) => void} send
   * @param {(level: number) => void} level  told how loud it is, 0 to 1
   */
  constructor(send, level) {
    this.send = send;
    this.level = level;
    this.take = 0;
    this.context = null;
  }

  /** Samples a second. */
  get rate() {
    return this.context ? this.context.sampleRate : 48000;
  }

  /**
   * To be called while a tap of the person's still counts: browsers let no page hear before.
   * @param {MediaStreamTrack} track
   */
  async start(track) {
    await this.stop();
    const Context = window.AudioContext || window.webkitAudioContext;
    const context = (this.context = new Context({ latencyHint: "interactive" }));
    this.track = track;
    const latency = track.getSettings ? track.getSettings().latency : 0;
    this.behind = 1000 * (latency > 0 && latency < 0.3 ? latency : 0);
    await context.audioWorklet.addModule("/static/js/phone-sound.js");
    const node = (this.node = new AudioWorkletNode(context, "phone-sound", { channelCount: 1, channelCountMode: "explicit" }));
    node.port.onmessage = (event) => this.heard(event.data);
    this.source = context.createMediaStreamSource(new MediaStream([track]));
    this.source.connect(node).connect(context.destination); // it says nothing; unconnected it would not be asked to hear
    this.newTake();
    context.onstatechange = () => {
      if (context.state === "running") this.newTake(); // time went on without samples
    };
    await this.resume();
  }

  newTake() {
    this.take = (this.take + 1) % 65536;
    this.node.port.postMessage({ take: this.take });
  }

  async resume() {
    if (this.context && this.context.state !== "running") await this.context.resume().catch(() => {});
  }

  async stop() {
    const context = this.context;
    this.context = null;
    if (this.track) this.track.stop();
    this.track = null;
    if (!context) return;
    context.onstatechange = null;
    this.node.port.onmessage = null;
    this.source.disconnect();
    this.node.disconnect();
    await context.close().catch(() => {});
  }

  heard({ take, first, block }) {
    if (take !== this.take) return; // from before
    this.send({ take, first, ended: performance.now() - this.behind, samples: block });
    let most = 0;
    for (let i = 0; i < block.length; i += 4) most = Math.max(most, Math.abs(block[i]));
    this.level(most / 32768);
  }
}
