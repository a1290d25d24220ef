/** One team's score: its longs and petits as tokens, or its points. */

import { el, keyed, setData, setText } from "../dom.js";
import { scoreText, teamName } from "./names.js";
import { longToken, petitToken } from "./tokens.js";

const MOST_PETITS = 8; // tokens drawn; the number beside them says the rest

export class Score {
  /** @param {object} ctx @param {"A"|"B"} id @param {((what: object) => void)|null} tapped */
  constructor(ctx, id, tapped) {
    this.ctx = ctx;
    this.name = el("span", { class: "team-name" });
    this.badge = el("span", { class: "team-fortial" });
    this.wins = el("span", { class: "team-wins", "aria-hidden": "true", text: "★" });
    this.marks = el("span", { class: "team-marks", "aria-hidden": "true" });
    this.words = el("span", { class: "unseen" });
    this.element = el(
      tapped ? "button" : "div",
      { class: "team", type: tapped ? "button" : null, data: { team: id }, on: tapped ? { click: () => tapped({ kind: "team", id }) } : {} },
      el("span", { class: "team-head" }, this.name, this.wins, this.badge),
      this.marks,
      this.words,
    );
  }

  draw(team, state) {
    const { ctx } = this;
    setText(this.name, teamName(ctx, team));
    setData(this.name, "long", teamName(ctx, team).length > 24 ? "yes" : null);
    setText(this.badge, team.fortial ? ctx.t("board.fortial") : "");
    this.badge.hidden = !team.fortial;
    this.wins.hidden = state.winner !== team.id;
    setData(this.element, "winner", state.winner === team.id ? "yes" : null);
    setData(this.element, "fortial", team.fortial ? "yes" : null);
    setData(this.element, "score", "points" in team.score ? team.score.points : `${team.score.longs}-${team.score.petits}`);
    setText(this.words, `: ${scoreText(ctx, team)}`);
    const rows = "points" in team.score ? points(ctx, team, state) : longsAndPetits(ctx, team, state);
    keyed(this.marks, rows, (row) => row.key, makeRow, drawRow);
  }
}

/** @typedef {{key: string, number: number, label: string, of?: string, tokens: {key: string, make: () => Element}[], part?: number}} Row */

/** @returns {Row[]} */
function longsAndPetits(ctx, team, state) {
  const { longs, petits } = team.score;
  const target = (state.game.to && state.game.to.longs) || 7;
  const converts = state.game.name !== "trut-gatine"; // there three petits do not make a long (G-31)
  return [
    { key: "longs", number: longs, label: unit(ctx, "board.longs", longs), tokens: row("long", longs, Math.min(target, 12), longToken) },
    { key: "petits", number: petits, label: unit(ctx, "board.petits", petits), tokens: row("petit", Math.min(petits, MOST_PETITS), converts ? 3 : 0, petitToken) },
  ];
}

/** @returns {Row[]} */
function points(ctx, team, state) {
  const target = state.game.to && state.game.to.points;
  const rows = [
    {
      key: "points",
      number: team.score.points,
      label: unit(ctx, "board.points", team.score.points),
      of: target ? ctx.t("board.of", { n: target }) : "",
      tokens: [],
      part: target ? Math.min(1, team.score.points / target) : 0,
    },
  ];
  if (team.manches !== null && team.manches !== undefined && (state.game.options || {}).manches !== "1") {
    rows.push({ key: "manches", number: team.manches, label: unit(ctx, "board.manches.unit", team.manches), tokens: row("manche", team.manches, 2, longToken) });
  }
  return rows;
}

/** The word alone, without its number. */
function unit(ctx, key, n) {
  return ctx.tn(key, n, { n: "" }).trim();
}

function row(name, there, places, make) {
  return Array.from({ length: Math.max(there, places) }, (_, n) => ({ key: `${name}${n}${n < there ? "" : "-"}`, make: () => make(n < there) }));
}

function makeRow({ key }) {
  return el(
    "span",
    { class: `mark mark-${key}` },
    el("span", { class: "mark-number" }),
    el("span", { class: "mark-label" }),
    el("span", { class: "mark-tokens" }),
    el("span", { class: "mark-bar" }, el("span", { class: "mark-bar-part" })),
  );
}

function drawRow(element, { number, label, of = "", tokens, part }) {
  const [count, words, place, bar] = element.children;
  setText(count, String(number));
  setText(words, of ? `${label} ${of}` : label);
  keyed(place, tokens, (token) => token.key, (token) => token.make());
  bar.hidden = part === undefined;
  if (part !== undefined) bar.firstChild.style.width = `${(100 * part).toFixed(1)}%`;
}
