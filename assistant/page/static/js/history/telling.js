/** Dates, numbers and scores in words. */

import { el } from "../dom.js";

/** « 30 novembre 2026 », « 1er décembre 2026 » (browsers leave that out). @param {string} iso */
export function day(iso, ctx) {
  const [year, month, date] = iso.split("-").map(Number);
  const said = new Date(year, month - 1, date).toLocaleDateString(ctx.lang, { day: "numeric", month: "long", year: "numeric" });
  return (ctx.lang === "fr" ? said.replace(/^1 /, "1er ") : said).replace(/ /g, "\u00a0");
}

/** « 7 manches », on one line. @param {string} key @param {number} n */
export function counted(key, n, ctx) {
  return ctx.tn(key, n).replace(/ /g, "\u00a0");
}

/** « 1 long, 2 petits ». @param {{points?: number, longs?: number, petits?: number}} score */
export function points(score, ctx) {
  if (score.points !== undefined) return counted("board.points", score.points, ctx);
  return [counted("board.longs", score.longs, ctx), counted("board.petits", score.petits, ctx)].join(", ");
}

/** `0:42`, `1:02:05`. @param {number} seconds */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Both teams with their marks on a line.
 * @param {{id: string, name?: any, label?: any}[]} teams
 * @param {(team: object) => object} scoreOf
 * @param {string|null} [winner]
 */
export function scores(teams, scoreOf, ctx, winner = null) {
  return el(
    "p",
    { class: "h-scores" },
    ...teams.map((team) =>
      el(
        "span",
        { class: "h-score", data: { team: team.id, won: team.id === winner ? "yes" : null } },
        el("span", { class: "h-name", text: capital(ctx.both(team.label || team.name)) }),
        " ",
        points(scoreOf(team), ctx),
      ),
    ),
  );
}
