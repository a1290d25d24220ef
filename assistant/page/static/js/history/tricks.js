/** A game trick by trick. Everything that happened is a button to its moment. */

import { el, empty } from "../dom.js";
import { clock, scores } from "./telling.js";

const SURE = 0.8;

export class Tricks {
  /**
   * @param {object} ctx
   * @param {(k: number) => void} open  shows the table at a moment
   */
  constructor(ctx, open) {
    this.ctx = ctx;
    this.open = open;
    this.element = el("div", { class: "h-tricks" });
    this.element.addEventListener("click", (event) => {
      const button = event.target.closest("[data-k]");
      if (button) open(Number(button.dataset.k));
    });
    this.made = new Map();
  }

  /** @param {object} game  as GET /api/games/<id> gives it, with all rounds in `list` */
  draw(game) {
    const { ctx } = this;
    this.game = game;
    this.names = new Map(game.players.map((player) => [player.seat, ctx.both(player.name)]));
    const lang = ctx.lang;
    const rounds = game.list.map((round, at) => {
      const key = `${lang} ${JSON.stringify(round)}`;
      const known = this.made.get(at);
      if (known && known.key === key) return known.element;
      const element = this.round(round);
      this.made.set(at, { key, element });
      return element;
    });
    const after = game.after.length ? [el("section", { class: "h-round" }, el("h2", { text: ctx.t("history.after") }), el("ol", { class: "h-things" }, ...game.after.flatMap((thing) => this.thing(thing))))] : [];
    const nothing = rounds.length + after.length ? [] : [el("p", { class: "quiet", text: ctx.t("history.empty") })];
    const wanted = [...rounds, ...after, ...nothing];
    if (wanted.length !== this.element.children.length || wanted.some((one, at) => one !== this.element.children[at])) {
      empty(this.element).append(...wanted);
    }
  }

  /** Mark what has just happened at a moment. @param {number} k @param {boolean} follow  bring it into view */
  mark(k, follow) {
    for (const old of this.element.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const now = this.element.querySelector(`[data-k="${k}"]:not(.h-note)`);
    if (!now) return;
    now.setAttribute("aria-current", "step");
    if (follow) now.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  round(round) {
    const { ctx } = this;
    const first = round.passages.flatMap((passage) => passage.things).find((thing) => thing.t !== null);
    return el(
      "section",
      { class: "h-round" },
      el(
        "h2",
        { class: "h-round-title" },
        ctx.t("history.round", { n: round.n }),
        " ",
        el("span", { class: "quiet", text: ctx.t("history.dealt", { name: this.names.get(round.dealer) }) }),
        first && el("span", { class: "quiet h-time", text: clock(first.t) }),
      ),
      ...round.passages.map((passage) => this.passage(passage)),
      this.end(round),
    );
  }

  passage(passage) {
    const { ctx } = this;
    const things = passage.things.filter((thing) => thing.verb !== "deal");
    if (!things.length && !passage.result) return null;
    return el(
      "div",
      { class: "h-trick" },
      passage.n && el("h3", { text: ctx.t("history.trick", { n: passage.n }) }),
      el("ol", { class: "h-things" }, ...things.flatMap((thing) => this.thing(thing))),
      passage.result && el("p", { class: "h-result", data: { rotten: passage.result.rotten ? "yes" : null } }, this.told(passage.result)),
    );
  }

  thing(thing) {
    if (thing.kind === "card") return this.card(thing);
    if (thing.kind === "call") return this.call(thing);
    return this.note(thing);
  }

  card(thing) {
    const { ctx } = this;
    const name = this.names.get(thing.seat);
    const said = ctx.t(thing.best ? "history.best" : "history.card", { name, card: ctx.cardName(thing.card, this.game.pack) });
    const unsure = thing.p !== null && thing.p < SURE;
    const card = el(
      "li",
      { class: "h-thing" },
      el(
        "button",
        { class: "h-card", type: "button", "aria-label": said, data: { k: thing.k, team: thing.seat % 2 ? "A" : "B", best: thing.best ? "yes" : null } },
        el("span", { class: "h-name", text: name }),
        ctx.card(thing.card, { pack: this.game.pack, hidden: true }),
        unsure && el("span", { class: "h-unsure quiet", text: ctx.t("history.unsure", { p: Math.round(thing.p * 100) }) }),
      ),
    );
    return thing.text ? [card, el("li", { class: "h-follows" }, this.effect(thing))] : card;
  }

  call(thing) {
    const { ctx } = this;
    const name = this.names.get(thing.seat) || "";
    const words = ctx.both(thing.quote);
    return el(
      "li",
      { class: "h-thing" },
      el(
        "button",
        { class: "h-call", type: "button", "aria-label": ctx.t("history.said", { name, words }), data: { k: thing.k, team: thing.seat % 2 ? "A" : "B" } },
        el("span", { class: "h-name", text: name }),
        el("span", { class: "h-words", text: ctx.t("history.quote", { words }) }),
      ),
      this.effect(thing),
    );
  }

  effect(thing) {
    const text = thing.text ? this.ctx.both(thing.text) : "";
    if (!text && !(thing.clauses || []).length) return null;
    return el("span", { class: "h-effect quiet" }, this.told(thing));
  }

  note(thing) {
    const { ctx } = this;
    const title = { infraction: thing.expected === false ? "history.refused" : "history.infraction", correction: "history.correction" }[thing.kind];
    return el(
      "li",
      { class: "h-thing h-wide" },
      el(
        "button",
        { class: "h-note", type: "button", data: { k: thing.k, kind: thing.kind } },
        title && el("strong", { text: ctx.t(title) }),
        title && " ",
        this.told(thing),
      ),
    );
  }

  end(round) {
    const { ctx, game } = this;
    const award = round.award ? this.told(round.award) : [ctx.t("history.manche-running")];
    return el(
      "div",
      { class: "h-end" },
      el("p", { class: round.award ? "h-award" : "quiet" }, ...award),
      round.award && scores(game.teams, (team) => round.score[team.id], ctx),
    );
  }

  /** A sentence and the clauses behind it. */
  told(what) {
    const parts = [this.ctx.both(what.text)];
    for (const clause of what.clauses || []) parts.push(" ", el("span", { class: "h-clause", text: clause }));
    return parts;
  }
}
