/**
 * In the audio thread: what the microphone hears, in blocks of 16 bits, counted from the beginning of the take. Nothing
 * is kept.
 */

const SIZE = 2048;

class PhoneSound extends AudioWorkletProcessor {
  constructor() {
    super();
    this.begin(0);
    this.port.onmessage = (event) => this.begin(event.data.take);
  }

  /** A new take: its samples are counted from 0. */
  begin(take) {
    this.take = take;
    this.first = 0;
    this.held = 0;
    this.block = new Int16Array(SIZE);
  }

  process(inputs) {
    const channels = inputs[0];
    const samples = channels.length ? channels[0] : new Float32Array(128); // nothing is connected just now: silence
    for (let i = 0; i < samples.length; i += 1) {
      const loud = Math.max(-1, Math.min(1, samples[i]));
      this.block[this.held] = Math.round(loud * 32767);
      this.held += 1;
      if (this.held === SIZE) this.send();
    }
    return true;
  }

  send() {
    const { take, first, block } = this;
    this.port.postMessage({ take, first, block }, [block.buffer]);
    this.first += SIZE;
    this.held = 0;
    this.block = new Int16Array(SIZE);
  }
}

registerProcessor("phone-sound", PhoneSound);
