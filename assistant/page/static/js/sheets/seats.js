/** Who sits where: the players' names, and a choice of one of them at his place around the table. */

import { button, el } from "./dom.js";

/** Where each seat is drawn, from seat 1 on: as the scoreboard and the camera have it, south at the bottom. */
export const PLACES = {
  2: ["s", "n"],
  4: ["s", "w", "n", "e"],
  6: ["s", "se", "ne", "n", "nw", "sw"],
};

/** What a player is called. @param {any} ctx @param {number | null | undefined} seat @returns {string} */
export function seatName(ctx, seat) {
  const player = ctx.state.players.find((/** @type {any} */ one) => one.seat === seat);
  if (!player) return ctx.t("taps.someone");
  return player.given || !player.side ? String(player.name) : ctx.both(player.side);
}

/** What a team is called. @param {any} ctx @param {string} id @returns {string} */
export function teamName(ctx, id) {
  const team = ctx.state.teams.find((/** @type {any} */ one) => one.id === id);
  if (!team) return id;
  return team.label ? ctx.both(team.label) : team.name;
}

/** The team of a seat. @param {number} seat @returns {"A" | "B"} */
export const teamOf = (seat) => (seat % 2 ? "A" : "B");

/**
 * A choice of a player, each at his place.
 * @param {any} ctx
 * @param {string} label what is asked
 * @param {(seat: number) => any} choose
 * @param {{ allowed?: number[] | null, chosen?: number | null, first?: number | null, doing?: string }} [how]
 *   `allowed` are the only ones that can be chosen, `first` stands out as the one whose turn it is
 * @returns {HTMLElement}
 */
export function seats(ctx, label, choose, { allowed = null, chosen = null, first = null, doing = "seat" } = {}) {
  const count = ctx.state.game.seats;
  const places = /** @type {any} */ (PLACES)[count] || PLACES[4];
  const ring = el("div", { class: `placed placed-${count}`, role: "group", "aria-label": label });
  for (let seat = 1; seat <= count; seat += 1) {
    const can = allowed === null || allowed.includes(seat);
    const kind = `placed-seat team-${teamOf(seat).toLowerCase()}${seat === first ? " first" : ""}`;
    ring.append(
      button(() => can && choose(seat), {
        class: kind,
        disabled: !can,
        "aria-pressed": chosen === null ? null : String(seat === chosen),
        data: { do: doing, seat, at: places[seat - 1] },
      }, seatName(ctx, seat)),
    );
  }
  return ring;
}
