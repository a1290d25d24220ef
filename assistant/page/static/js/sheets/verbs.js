/** The calls of each game, in the words of the record and in the order in which they are shown. */

const FAMILY = ["trut", "brelan", "tierce", "deux-petits", "accept", "fold", "pass"];

/** @type {Record<string, string[]>} */
export const VERBS = {
  "trut": FAMILY,
  "trut-robin-red": ["trut", "brelan", "tierce", "deux-petits", "accept", "fold"],
  "trut-gatine": [
    "trut", "brelan", "tierce", "deux-petits", "accept", "fold", "hold", "refuse", "sing", "silent", "discard", "redeal",
  ],
  "truc": ["raise", "rest", "accept", "refuse", "fold", "redeal"],
  "truc-y-flou": [
    "embit", "raise 1", "raise 2", "raise 10", "raise rest", "falta", "flor", "better", "rest", "accept", "refuse", "sing",
    "silent", "truc", "retruc", "balou 4", "balou 6", "balou partido", "trucrest", "declare",
  ],
};

/** Calls that want a number said with them. */
export const WANTS_NUMBER = ["declare"];

/**
 * A call as one says it: "Je trute". @param {any} ctx @param {string} call verb and words, "raise 2" @returns {string}
 */
export function callName(ctx, call) {
  const verb = call.split(" ")[0];
  for (const key of [`taps.say.${ctx.state.game.name}.${call}`, `taps.say.${call}`, `taps.say.${verb}`]) {
    if (ctx.has(key)) return ctx.t(key);
  }
  return call;
}

/** Its parts: the verb and the words after it. @param {string} call @returns {[string, string[]]} */
export function partsOf(call) {
  const [verb, ...args] = call.split(" ");
  return [verb, args];
}
