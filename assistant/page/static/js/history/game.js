/** One game: its tricks on one side, the table at a moment on the other; on a phone one of the two. */

import { el, empty, setText } from "../dom.js";
import { Replay } from "./replay.js";
import { counted, day, scores } from "./telling.js";
import { Tricks } from "./tricks.js";

const RUNNING = "running";
const REST = 1500; // milliseconds at least between two looks at a running game

export class Game {
  constructor(root, ctx, id, moment) {
    this.ctx = ctx;
    this.id = id;
    this.game = null;
    this.follows = id === RUNNING && !moment;
    this.start = moment ? Number(moment) || 0 : null;
    this.replay = new Replay(ctx, id, (k, byHand) => this.moved(k, byHand));
    this.tricks = new Tricks(ctx, (k) => this.open(k));
    this.head = el("header", { class: "h-head" });
    this.tabs = { tricks: this.tab("tricks"), table: this.tab("table") };
    this.choice = el("div", { class: "h-tabs", role: "group" }, this.tabs.tricks, this.tabs.table);
    this.element = el("div", { class: "h-one", data: { tab: moment ? "table" : "tricks" } }, this.head, this.choice, this.tricks.element, this.replay.element);
    root.classList.add("h-wide-view");
    root.append(this.element);
    this.onKey = (event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.ends = [ctx.onLang(() => this.speak()), ctx.onRole(() => !this.game && this.load())];
    if (id === RUNNING) this.ends.push(ctx.onState((state) => this.heard(state)));
    this.speak();
    this.load();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("keydown", this.onKey);
    this.replay.close();
    this.ends.forEach((end) => end());
  }

  // -- what is known of the game

  async load(since = 1) {
    if (this.id !== RUNNING && this.ctx.role !== "correct") return this.fail({ error: "watch-only", text: this.ctx.t("history.code") });
    const mine = (this.turn = (this.turn || 0) + 1);
    try {
      const path = `/api/games/${encodeURIComponent(this.id)}${since > 1 ? `?since=${since}` : ""}`;
      const game = await (await this.ctx.api(path)).json();
      if (this.closed || mine !== this.turn) return;
      const before = this.game;
      if (since > 1 && (game.undone !== before.undone || game.begun !== before.begun)) return await this.load();
      if (since > 1) game.list = [...before.list.slice(0, since - 1), ...game.list];
      this.game = game;
      this.draw(before, since > 1);
    } catch (problem) {
      if (this.closed) return;
      if (this.game) this.ctx.toast(problem.text);
      else this.fail(problem);
    }
  }

  fail(problem) {
    const grave = problem.error !== "watch-only";
    empty(this.head).append(this.back(), el("p", { class: grave ? "problem" : "quiet", text: this.ctx.both(problem.text) }));
    if (!grave) {
      this.head.append(el("button", { class: "button", type: "button", text: this.ctx.t("history.give-code"), on: { click: () => this.ctx.join() } }));
    }
    this.element.classList.add("h-failed");
  }

  /** The running game has gone on: look again, not too often. */
  heard(state) {
    const now = `${state.game.n} ${state.last_event} ${state.rev}`;
    if (!this.game || this.looked === now || this.timer) return;
    this.looked = now;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.load(Math.max(1, this.game.list.length));
      if (this.ctx.state && `${this.ctx.state.game.n} ${this.ctx.state.last_event} ${this.ctx.state.rev}` !== now) this.heard(this.ctx.state);
    }, REST);
  }

  draw(before, onlyNew) {
    const { game } = this;
    this.element.classList.remove("h-failed");
    this.drawHead();
    this.tricks.draw(game);
    const things = [...game.list.flatMap((round) => round.passages.flatMap((passage) => passage.things)), ...game.after];
    const marks = things.filter((thing) => thing.kind === "infraction" || thing.kind === "correction");
    this.replay.grown(game.events, marks, onlyNew && before ? before.events + 1 : 0);
    const at = this.follows || !before ? (this.start ?? game.events) : Math.min(this.replay.wanted ?? 0, game.events);
    this.start = null;
    this.replay.go(at);
  }

  // -- what is shown

  speak() {
    const { ctx } = this;
    this.choice.setAttribute("aria-label", ctx.t("history.tabs"));
    for (const name of ["tricks", "table"]) setText(this.tabs[name], ctx.t(`history.tab.${name}`));
    this.show(this.element.dataset.tab);
    this.replay.speak();
    if (!this.game) return;
    this.drawHead();
    this.tricks.draw(this.game);
    this.tricks.mark(this.replay.wanted ?? 0, false);
  }

  drawHead() {
    const { ctx, game } = this;
    const path = `/api/games/${encodeURIComponent(this.id)}`;
    const facts = [game.date ? day(game.date, ctx) : "", counted("history.seats", game.seats, ctx), counted("history.rounds", game.rounds, ctx)];
    if (this.id === RUNNING) facts.unshift(ctx.t("history.running"));
    const rules = game.rules.map((rule) => ctx.both(rule.text)).join(", ");
    empty(this.head).append(
      el(
        "div",
        { class: "h-top" },
        this.back(),
        el(
          "div",
          { class: "h-take" },
          el("a", { class: "button", href: `${path}/record`, download: "", title: ctx.t("history.download-record"), text: ctx.t("history.record") }),
          el("a", { class: "button", href: `${path}/report?lang=${ctx.lang}`, download: "", title: ctx.t("history.download-report"), text: ctx.t("history.report") }),
        ),
      ),
      el(
        "div",
        { class: "h-about" },
        el("h1", { text: ctx.both(game.title) }),
        el("p", { class: "quiet", text: facts.filter(Boolean).join(" · ") }),
        scores(game.teams, (team) => team.score, ctx, game.winner),
        rules ? el("p", { class: "quiet", text: ctx.t("history.rules", { rules }) }) : "",
      ),
    );
  }

  back() {
    return el("a", { class: "button h-back", href: "#history", text: this.ctx.t("history.all") });
  }

  tab(name) {
    return el("button", { class: "h-tab", type: "button", on: { click: () => this.show(name) } });
  }

  show(name) {
    this.element.dataset.tab = name;
    for (const [other, button] of Object.entries(this.tabs)) button.setAttribute("aria-pressed", String(other === name));
  }

  /** Somebody tapped something that happened: show the table as it was then. */
  open(k) {
    this.show("table");
    this.replay.go(k, true);
  }

  moved(k, byHand) {
    if (byHand) this.follows = this.id === RUNNING && k >= this.replay.of;
    this.tricks.mark(k, byHand || this.replay.playing);
    history.replaceState(null, "", `#history/${this.id}${this.follows ? "" : `/${k}`}`);
  }

  key(event) {
    const field = event.target.closest && event.target.closest("select, textarea, input:not([type=range]), dialog");
    if (!field && this.game && this.replay.key(event)) event.preventDefault();
  }
}
