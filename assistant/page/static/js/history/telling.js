/** Dates and scores in words. */

/** « 30 novembre 2026 ». @param {string} iso */
export function day(iso, ctx) {
  const [year, month, date] = iso.split("-").map(Number);
  return new Date(year, month - 1, date).toLocaleDateString(ctx.lang, { day: "numeric", month: "long", year: "numeric" });
}

/** « 1 long, 2 petits ». @param {{points?: number, longs?: number, petits?: number}} score */
export function points(score, ctx) {
  if (score.points !== undefined) return ctx.tn("board.points", score.points);
  return [ctx.tn("board.longs", score.longs), ctx.tn("board.petits", score.petits)].join(", ");
}

/** `0:42`, `1:02:05`. @param {number} seconds */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
