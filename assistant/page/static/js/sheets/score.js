/** The score by hand: a whole round counted at once, a score agreed upon, a game given up, a round that is void. */

import { button, el, freshId, refill } from "./dom.js";
import { seatName, teamName } from "./seats.js";
import { attempt } from "./sending.js";
import { settle, sheet } from "./sheet.js";

/** Whether a round is running: its score cannot be told by hand before it ends. @param {any} state */
export const roundRuns = (state) => state.phase !== "deal" && state.phase !== "over";

/** Whether the game counts longs and petits. @param {any} state */
export const countsLongs = (state) => Boolean(state.game.to && state.game.to.longs);

/** Tell something that changes the score. What the person saw goes with it (`rev`): nobody's score is overwritten. */
function tell(ctx, self, verb, args) {
  return attempt(ctx, self, () => ({ do: "say", verb, seat: null, args }), { still: ctx.t("taps.score.still") });
}

/** A note and a way out, while a round runs. */
function running(ctx, self) {
  return [
    el("p", {}, ctx.t("taps.result.running")),
    el("div", { class: "acts" }, button(() => {
      self.close();
      voidRound(ctx);
    }, { class: "button", data: { do: "annul" } }, ctx.t("taps.annul"))),
  ];
}

/** Who won the round, and what for. @param {any} ctx */
export function resultSheet(ctx) {
  sheet(ctx, ctx.t("taps.result"), (body, self) => {
    let seen = ctx.state.last_event;
    const draw = () => refill(body, ...(roundRuns(ctx.state) ? running(ctx, self) : [
      el("p", { class: "quiet" }, ctx.t("taps.result.who")),
      el("div", { class: "versus" }, ...ctx.state.teams.map((/** @type {any} */ team) =>
        awards(ctx, team, (award) => tell(ctx, self, "result", [team.id, award])))),
    ]));
    draw();
    self.onState((state) => {
      if (state.last_event === seen) return;
      seen = state.last_event;
      draw();
      settle(body);
      self.say(ctx.t("taps.score.moved"));
    });
  }, { name: "result" });
}

/** What a team may be given for a round. */
function awards(ctx, team, give) {
  const name = teamName(ctx, team.id);
  const made = el("section", { class: `side team-${team.id.toLowerCase()}`, role: "group", "aria-label": name, data: { team: team.id } },
    el("h3", {}, name));
  if (countsLongs(ctx.state)) {
    for (const award of ["petit", "long"]) {
      made.append(button(() => give(award), { class: `big ${award}`, data: { do: "result", team: team.id, award } },
        ctx.t(`taps.result.${award}`)));
    }
    return made;
  }
  const usual = el("div", { class: "numbers" }, ...[1, 2, 3, 4].map((points) =>
    button(() => give(String(points)), { class: "big", data: { do: "result", team: team.id, award: points } },
      ctx.tn("board.points", points))));
  const field = /** @type {HTMLInputElement} */ (el("input", {
    type: "number", inputmode: "numeric", min: 1, max: 99, required: true, "aria-label": ctx.t("taps.result.other"),
    placeholder: ctx.t("taps.result.other"),
  }));
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    give(String(Number(field.value)));
  };
  made.append(usual, el("form", { class: "number-form", on: { submit: enter } }, field,
    el("button", { type: "submit", class: "button primary", data: { do: "result-other", team: team.id } }, ctx.t("taps.ok"))));
  return made;
}

/**
 * A number with less and more beside it.
 * @param {any} ctx @param {string} label @param {number} value @param {number} most @param {(value: number) => void} set
 * @param {Record<string, any>} [data]
 */
export function stepper(ctx, label, value, most, set, data = {}) {
  let now = value;
  const shown = el("output", { class: "step-value" }, String(now));
  const less = button(() => put(now - 1), { class: "step", "aria-label": ctx.t("taps.less", { what: label }), data: { do: "less", ...data } }, "−");
  const more = button(() => put(now + 1), { class: "step", "aria-label": ctx.t("taps.more-of", { what: label }), data: { do: "more", ...data } }, "+");
  function put(/** @type {number} */ next) {
    now = Math.min(most, Math.max(0, next));
    shown.textContent = String(now);
    less.disabled = now === 0;
    more.disabled = now === most;
    set(now);
  }
  put(now);
  return el("div", { class: "stepper", role: "group", "aria-label": label }, el("span", { class: "step-label" }, label), less, shown, more);
}

/** The parts of a score and how far each goes. @param {any} state @returns {[string, number][]} */
export function partsOfScore(state) {
  return countsLongs(state)
    ? [["longs", state.game.to.longs - 1], ["petits", 2]]
    : [["points", state.game.to.points - 1]];
}

/** The score that the players agree on. @param {any} ctx */
export function scoreSheet(ctx) {
  sheet(ctx, ctx.t("taps.score"), (body, self) => {
    const before = ctx.state.last_event;
    /** @type {Record<string, Record<string, number>>} */
    const score = {};
    for (const team of ctx.state.teams) score[team.id] = { ...team.score };
    const draw = () => {
      if (roundRuns(ctx.state)) {
        refill(body, ...running(ctx, self));
        return;
      }
      refill(body,
        el("div", { class: "versus" }, ...ctx.state.teams.map((/** @type {any} */ team) =>
          el("section", { class: `side team-${team.id.toLowerCase()}`, data: { team: team.id } },
            el("h3", {}, teamName(ctx, team.id)),
            ...partsOfScore(ctx.state).map(([part, most]) => stepper(ctx, ctx.t(`taps.score.${part}`),
              Math.min(most, score[team.id][part] || 0), most, (value) => {
                score[team.id][part] = value;
              }, { team: team.id, part }))))),
        el("div", { class: "acts at-end" }, button(() => {
          const args = ["A", "B"].flatMap((id) => [id, ...partsOfScore(ctx.state).map(([part]) => String(score[id][part] || 0))]);
          tell(ctx, self, "set-score", args);
        }, { class: "button primary", data: { do: "set-score" } }, ctx.t("taps.score.set"))));
    };
    let seen = before;
    draw();
    self.onState((state) => {
      if (state.last_event === seen) return;
      seen = state.last_event;
      draw();
      self.say(ctx.t("taps.score.moved"));
    });
  }, { name: "score" });
}

/** A team gives the game up. @param {any} ctx */
export function concedeSheet(ctx) {
  sheet(ctx, ctx.t("taps.concede"), (body, self) => {
    const sure = el("div", { class: "sheet-part" });
    const id = freshId("concede");
    body.append(el("p", { id }, ctx.t("taps.concede.who")),
      el("div", { class: "acts", role: "group", "aria-labelledby": id }, ...ctx.state.teams.map((/** @type {any} */ team) =>
        button(() => refill(sure,
          el("p", { class: "strong" }, ctx.t("taps.concede.sure", { team: teamName(ctx, team.id) })),
          button(() => tell(ctx, self, "concede", [team.id]), { class: "button danger", data: { do: "concede-sure" } },
            ctx.t("taps.concede"))),
        { class: `button team-${team.id.toLowerCase()}`, data: { do: "concede", team: team.id } }, teamName(ctx, team.id)))),
      sure);
  }, { name: "concede" });
}

/** The running round is void: asked once, since nobody wants that by a slip of the thumb. @param {any} ctx */
export function voidRound(ctx) {
  sheet(ctx, ctx.t("taps.annul"), (body, self) => {
    const { round } = ctx.state;
    const runs = roundRuns(ctx.state);
    const dealer = ctx.state.players.find((/** @type {any} */ player) => player.dealer);
    body.append(
      el("p", {}, runs ? ctx.t("taps.annul.sure", { name: seatName(ctx, dealer && dealer.seat) }) : ctx.t("taps.annul.none")),
      el("div", { class: "acts at-end" },
        button(self.close, { class: "button", data: { do: "cancel" } }, ctx.t("taps.cancel")),
        runs && button(() => tell(ctx, self, "annul", []), { class: "button danger", data: { do: "annul-sure" } }, ctx.t("taps.annul"))));
    self.onState((state) => {
      if (state.round !== round) self.say(ctx.t("taps.score.moved"));
    });
  }, { name: "annul" });
}
