/** The list of games: the one at the table, those that are kept, and one that is brought in from a file. */

import { el, empty } from "../dom.js";
import { counted, day, points } from "./telling.js";

const TYPE = "application/octet-stream";

export class List {
  constructor(root, ctx) {
    this.ctx = ctx;
    this.rows = [];
    this.more = 0;
    this.known = false;
    this.title = el("h1");
    this.games = el("ul", { class: "h-games" });
    this.foot = el("div", { class: "h-foot" });
    this.field = el("input", { type: "file", accept: ".trut,text/plain", multiple: true, class: "unseen", id: "h-file", tabindex: "-1" });
    this.field.addEventListener("change", () => this.take(this.field.files));
    this.element = el("div", { class: "h-list" }, this.title, this.games, this.foot, this.field);
    root.append(this.element);
    this.dropping();
    this.ends = [ctx.onLang(() => this.draw()), ctx.onRole(() => this.load())];
    let game = null;
    this.ends.push(
      ctx.onState((state) => {
        const now = `${state.game.n} ${state.round} ${state.winner}`;
        if (now !== game) this.load();
        game = now;
      }),
    );
    if (!ctx.state) this.load();
  }

  close() {
    this.closed = true;
    this.ends.forEach((end) => end());
  }

  async load() {
    const mine = (this.turn = (this.turn || 0) + 1);
    try {
      const answer = await (await this.ctx.api("/api/games")).json();
      if (this.closed || mine !== this.turn) return;
      this.rows = answer.games;
      this.more = answer.more;
      this.known = true;
      this.draw();
    } catch (problem) {
      if (!this.closed) this.ctx.toast(problem.text);
    }
  }

  draw() {
    const { ctx } = this;
    this.title.textContent = ctx.t("history.title");
    if (!this.known) return;
    empty(this.games).append(...this.rows.map((row) => this.row(row)));
    empty(this.foot);
    const joined = ctx.role === "correct";
    if (!this.rows.length) this.foot.append(el("p", { class: "quiet", text: ctx.t(joined ? "history.none" : "history.none-running") }));
    if (this.more) this.foot.append(el("p", { class: "quiet", text: ctx.tn("history.more", this.more) }));
    if (joined) {
      const pick = el("button", { class: "button", type: "button", text: ctx.t("history.import"), on: { click: () => this.field.click() } });
      this.foot.append(el("div", { class: "h-import" }, pick, el("p", { class: "quiet", text: ctx.t("history.import-hint") })));
    } else {
      const give = el("button", { class: "button", type: "button", text: ctx.t("history.give-code"), on: { click: () => ctx.join() } });
      this.foot.append(el("div", { class: "h-import" }, el("p", { class: "quiet", text: ctx.t("history.code") }), give));
    }
    this.element.dataset.drop = ctx.t("history.drop");
  }

  row(row) {
    const { ctx } = this;
    if (row.problem) {
      return el(
        "li",
        { class: "panel h-game h-damaged" },
        el("strong", { text: row.id }),
        el("p", { class: "problem", text: ctx.t("history.damaged") }),
        el("p", { class: "quiet", text: ctx.both(row.problem) }),
      );
    }
    const winner = row.teams.find((team) => team.id === row.winner);
    const state = row.running ? ctx.t("history.running") : winner ? ctx.t("history.over") : ctx.t("history.unfinished");
    return el(
      "li",
      {},
      el(
        "a",
        { class: "panel h-game", href: `#history/${row.id}`, data: { running: row.running ? "yes" : null } },
        el(
          "span",
          { class: "h-game-head" },
          el("strong", { text: ctx.both(row.title) }),
          el("span", { class: "h-badge", text: state }),
        ),
        el("span", { class: "quiet", text: [row.date ? day(row.date, ctx) : ctx.t("history.no-date"), counted("history.seats", row.seats, ctx), counted("history.rounds", row.rounds, ctx)].join(" · ") }),
        ...row.teams.map((team) =>
          el(
            "span",
            { class: "h-side", data: { team: team.id, won: team === winner ? "yes" : null } },
            el("span", { class: "h-side-name", text: ctx.both(team.name) }),
            el("span", { class: "h-side-score", text: points(team.score, ctx) }),
          ),
        ),
      ),
    );
  }

  // -- bringing one in

  dropping() {
    const over = (event) => {
      if (this.ctx.role !== "correct" || ![...(event.dataTransfer?.types || [])].includes("Files")) return;
      event.preventDefault();
      this.element.classList.add("h-dropping");
    };
    this.element.addEventListener("dragenter", over);
    this.element.addEventListener("dragover", over);
    this.element.addEventListener("dragleave", (event) => {
      if (!this.element.contains(event.relatedTarget)) this.element.classList.remove("h-dropping");
    });
    this.element.addEventListener("drop", (event) => {
      this.element.classList.remove("h-dropping");
      if (this.ctx.role !== "correct" || !event.dataTransfer?.files.length) return;
      event.preventDefault();
      this.take(event.dataTransfer.files);
    });
  }

  /** Send files to the table, one after the other; where it was one alone, open it. */
  async take(chosen) {
    const { ctx } = this;
    const files = [...chosen]; // the field's own list is emptied with it
    const brought = [];
    for (const file of files) {
      try {
        const answer = await (await ctx.api("/api/games", { body: file, type: TYPE })).json();
        brought.push(answer.id);
        ctx.toast(ctx.t(answer.known ? "history.known" : "history.imported", { id: answer.id }));
      } catch (problem) {
        ctx.toast(ctx.t("history.not-imported", { file: file.name, why: ctx.both(problem.text) }));
      }
    }
    this.field.value = "";
    if (this.closed || !brought.length) return;
    if (brought.length === 1 && files.length === 1) location.hash = `#history/${brought[0]}`;
    else this.load();
  }
}
