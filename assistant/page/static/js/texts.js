/** The sentences of the page, in French or in English; they come from the server (`/texts/fr`, `/texts/en`). */

export const LANGUAGES = ["fr", "en"];

/** What this device remembers; a browser that keeps nothing (private mode, no storage) is no error. */
export const memory = {
  /** @param {string} key @returns {string|null} */
  get(key) {
    try {
      return localStorage.getItem(`trut.${key}`);
    } catch {
      return null;
    }
  },
  /** @param {string} key @param {string|null} value */
  set(key, value) {
    try {
      if (value === null) localStorage.removeItem(`trut.${key}`);
      else localStorage.setItem(`trut.${key}`, value);
    } catch {
      /* it is remembered until the page is closed */
    }
  },
};

export class Texts {
  #words = {};
  #listeners = new Set();
  lang = "fr";
  /** Whether the person, or this device, has chosen the language; else the server's counts. */
  chosen = false;

  /** The language of this device: what was chosen, else what the browser speaks. */
  constructor() {
    const kept = memory.get("lang");
    const spoken = (navigator.languages || [navigator.language || ""]).map((name) => name.slice(0, 2).toLowerCase());
    const known = spoken.find((name) => LANGUAGES.includes(name));
    this.chosen = LANGUAGES.includes(kept) || known !== undefined;
    this.lang = LANGUAGES.includes(kept) ? kept : known || "fr";
  }

  /** Fetch the sentences of the language; without them the page would speak in keys. */
  async load() {
    const lang = this.lang;
    const answer = await fetch(`/texts/${lang}`, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`texts: ${answer.status}`);
    const words = await answer.json();
    if (lang !== this.lang) return; // another one was chosen meanwhile
    this.#words = words;
    document.documentElement.lang = lang;
    this.fill(document);
    for (const fn of [...this.#listeners]) fn(lang);
  }

  /**
   * Speak another language from now on.
   * @param {string} lang
   * @param {boolean} [remember] on this device
   */
  async speak(lang, remember = true) {
    if (!LANGUAGES.includes(lang)) return;
    if (remember) {
      memory.set("lang", lang);
      this.chosen = true;
    }
    if (lang === this.lang && Object.keys(this.#words).length) return;
    this.lang = lang;
    await this.load();
  }

  /** @param {(lang: string) => void} fn called whenever the sentences are others @returns {() => void} stop */
  onLang(fn) {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  /** Whether there is such a sentence. @param {string} key */
  has(key) {
    return Object.prototype.hasOwnProperty.call(this.#words, key);
  }

  /**
   * The sentence of a key, with its fields put in.
   * @param {string} key
   * @param {Object<string, any>} [fields]
   */
  t(key, fields = {}) {
    const sentence = this.has(key) ? this.#words[key] : key;
    return this.#set(sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole)));
  }

  /** A sentence that depends on a number: `key.one`, `key.many`. French says one for 0 and 1. */
  tn(key, n, fields = {}) {
    const one = this.lang === "fr" ? Math.abs(n) < 2 : n === 1;
    return this.t(`${key}.${one ? "one" : "many"}`, { n, ...fields });
  }

  /** What the server says in both languages. @param {{fr: string, en: string}|string|null|undefined} text */
  both(text) {
    if (text === null || text === undefined) return "";
    return this.#set(typeof text === "string" ? text : text[this.lang] || text.fr || text.en || "");
  }

  /** In French a mark stays with its word: no line begins with one. */
  #set(text) {
    return this.lang === "fr" ? text.replace(/ (?=[:;?!»])/g, "\u00a0").replace(/« /g, "«\u00a0") : text;
  }

  /** Put their sentences into all elements that name one: `data-t` the text, `data-t-label` the accessible name. */
  fill(root) {
    for (const element of root.querySelectorAll("[data-t]")) element.textContent = this.t(element.dataset.t);
    for (const element of root.querySelectorAll("[data-t-label]")) {
      element.setAttribute("aria-label", this.t(element.dataset.tLabel));
    }
  }
}
