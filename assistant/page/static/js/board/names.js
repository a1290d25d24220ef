/** What players and teams are called on the board. */

/** The player's name, else the side of the table. */
export function playerName(ctx, player) {
  return player.given || !player.side ? ctx.both(player.name) : ctx.both(player.side);
}

/** @param {object} state @param {number} seat */
export function seatName(ctx, state, seat) {
  const player = state.players.find((known) => known.seat === seat);
  return player ? playerName(ctx, player) : String(seat);
}

/** « Marie, Paul et Anne » */
export function namesOf(ctx, state, seats) {
  const names = seats.map((seat) => seatName(ctx, state, seat));
  if (names.length < 2) return names.join("");
  return ctx.t("board.and", { first: names.slice(0, -1).join(", "), last: names[names.length - 1] });
}

export function teamName(ctx, team) {
  const name = ctx.both(team.label || team.name);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** « 2 longs, 1 petit » */
export function scoreText(ctx, team) {
  const score = team.score;
  const parts = "points" in score ? [ctx.tn("board.points", score.points)] : [ctx.tn("board.longs", score.longs), ctx.tn("board.petits", score.petits)];
  if (team.manches !== null && team.manches !== undefined) parts.push(ctx.tn("board.manches", team.manches));
  return parts.join(", ");
}
