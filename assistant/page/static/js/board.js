/** The scoreboard: the marks of both sides, the table between them, what the referee says below. */

import { drawHeader } from "./board/header.js";
import { Notes } from "./board/notes.js";
import { RoundSoFar } from "./board/round.js";
import { Score } from "./board/score.js";
import { Speaker } from "./board/speaker.js";
import { Table } from "./board/table.js";
import { el, setData, setText } from "./dom.js";

/** One board in one place of the page. */
class Board {
  /**
   * @param {HTMLElement} root
   * @param {object} ctx
   * @param {boolean} live  a board to tap, in the middle of the game; else a picture of a moment
   */
  constructor(root, ctx, live) {
    const tapped = live ? (what) => ctx.tapped(what) : null;
    this.scores = { A: new Score(ctx, "A", tapped), B: new Score(ctx, "B", tapped) };
    this.table = new Table(ctx, tapped);
    this.notes = new Notes(ctx, tapped);
    this.round = new RoundSoFar(ctx, tapped);
    this.element = el(
      "div",
      { class: "board", data: { board: live ? "live" : "moment" } },
      this.scores.A.element,
      this.table.element,
      this.scores.B.element,
      this.notes.element,
      this.round.tricks,
      this.round.calls,
    );
    root.append(this.element);
  }

  draw(state) {
    setData(this.element, "game", state.game.name);
    setData(this.element, "seats", state.game.seats);
    setData(this.element, "kind", state.game.kind);
    setData(this.element, "state", state.bar);
    setData(this.element, "round", String(state.round ?? ""));
    for (const team of state.teams) this.scores[team.id].draw(team, state);
    for (const part of [this.table, this.notes, this.round]) part.draw(state);
  }
}

const drawn = new WeakMap();

/**
 * Draw any state into `root`: a moment of a game, not to be tapped, not read out.
 * @param {HTMLElement} root
 * @param {object} state  a state message
 * @param {object} ctx
 */
export function drawBoard(root, state, ctx) {
  let board = drawn.get(root);
  if (!board || board.element.parentNode !== root) drawn.set(root, (board = new Board(root, ctx, false)));
  board.draw(state);
}

export default {
  mount(root, ctx) {
    const waiting = el("p", { class: "board-waiting", text: ctx.t("board.waiting") });
    root.append(waiting);
    const speaker = new Speaker(ctx);
    const correct = el("button", { class: "button board-correct", type: "button", data: { join: "open" }, on: { click: () => ctx.join() } });
    let board = null;
    const draw = (state) => {
      if (!board) {
        waiting.remove();
        board = new Board(root, ctx, true);
        board.element.append(correct);
      }
      setText(correct, ctx.t("shell.join.open"));
      correct.hidden = ctx.role === "correct";
      board.draw(state);
      drawHeader(ctx, state);
      speaker.hear(state);
    };
    const ends = [
      ctx.onState(draw),
      ctx.onRole(() => ctx.state && draw(ctx.state)),
      ctx.onLang(() => {
        waiting.textContent = ctx.t("board.waiting");
        if (ctx.state) draw(ctx.state);
      }),
    ];
    return () => ends.forEach((end) => end());
  },
};
