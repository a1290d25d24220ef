/** The table: found in the picture, put right with a finger, looked at, saved and used at once. */

import { el, empty } from "../dom.js";
import { Lesson } from "./lesson.js";
import { lightsList } from "./lights.js";
import { ask, askTwice, busy, button, missing, statusLine } from "./parts.js";
import { Picture } from "./picture.js";
import { Stage } from "./stage.js";

const STEPS = ["corners", "seats", "check"];
const AGAIN = 2000; // ms between two looks for a camera

/** @param {HTMLElement} root @param {object} ctx @returns {() => void} */
export function mount(root, ctx) {
  const status = statusLine();
  let picture = null;
  let stage = null;
  let lesson = null;
  let step = "corners";
  let name = ctx.t("setup.table.usual-name");
  let timer = null;
  let gone = false;

  root.append(el("p", { class: "setup-about", text: ctx.t("setup.table.about") }));
  const steps = el("div", { class: "setup-steps", role: "group", "aria-label": ctx.t("setup.table.steps") });
  for (const id of STEPS) {
    steps.append(el("button", { class: "setup-step", type: "button", data: { step: id }, text: ctx.t(`setup.table.step.${id}`), on: { click: () => go(id) } }));
  }
  const veil = el("div", { class: "setup-veil panel", hidden: true }, el("p", { text: ctx.t("setup.table.veiled") }), button(ctx.t("setup.table.whole"), () => showAll(true)));
  const place = el("div", { class: "setup-place" });
  const tools = el("div", { class: "setup-tools" });
  const found = el("div", { class: "setup-found" });
  const without = el("div", { class: "setup-without" });
  const work = el("div", { class: "setup-work", hidden: true }, steps, veil, place, status.line, tools, found, saving());
  root.append(without, work);

  const seatName = (seat) => {
    const player = ctx.state && ctx.state.players.find((one) => one.seat === seat);
    if (player && player.given) return player.name;
    if (player && player.side) return ctx.both(player.side);
    return ctx.t("setup.seat", { seat });
  };

  look();

  /** Is there a camera? Ask until there is. */
  async function look() {
    if (gone) return;
    let table;
    try {
      table = await ask(ctx, "/api/table");
    } catch (problem) {
      if (!stage) status.say(ctx.both(problem.text), "bad");
      timer = setTimeout(look, AGAIN);
      return;
    }
    if (gone) return;
    empty(without);
    if (table.camera !== "on") {
      without.append(missing(ctx, "camera", table.camera));
      timer = setTimeout(look, AGAIN);
      if (!stage) return;
    } else if (!stage) await begin(table);
  }

  async function begin(table) {
    picture = new Picture(ctx.t("setup.table.picture"), (there) => {
      if (!there) {
        clearTimeout(timer);
        timer = setTimeout(look, 300);
      } else empty(without);
    });
    stage = new Stage(ctx, picture.img, { name: seatName, moved, chosen });
    place.append(stage.root);
    work.hidden = false;
    if (!table.live) work.prepend(el("p", { class: "setup-pause", text: ctx.t("setup.film") }));
    showAll(!(table.calibrated && inHand()));
    if (table.profile) {
      name = table.profile;
      work.querySelector("#setup-name").value = name;
    }
    go("corners");
    if (table.setup) {
      stage.show(table.setup);
      status.say(ctx.t("setup.table.kept", { name: table.profile }));
    } else await find(tools.querySelector("button"));
  }

  /** Whether somebody holds cards that this picture could show to others. */
  function inHand() {
    return Boolean(ctx.state && ctx.state.phase !== "over" && ctx.state.players.some((player) => player.cards));
  }

  function showAll(whole) {
    picture.show(whole);
    veil.hidden = whole;
  }

  // -- steps

  function go(to) {
    end();
    step = to;
    for (const one of steps.children) one.setAttribute("aria-pressed", String(one.dataset.step === to));
    stage.mode = to === "check" ? "none" : to;
    status.say("");
    empty(found);
    stage.root.hidden = false;
    empty(tools);
    if (to === "corners") {
      const seek = button(ctx.t("setup.table.find"), () => find(seek));
      tools.append(el("p", { class: "quiet", text: ctx.t("setup.table.corners.how") }), seek);
    } else if (to === "seats") {
      const sit = button(ctx.t("setup.table.sit"), () => sitting(sit));
      tools.append(el("p", { class: "quiet", text: ctx.t("setup.table.seats.how") }), sit, el("p", { class: "quiet", text: ctx.t("setup.table.sit.about") }));
    } else {
      const see = button(ctx.t("setup.table.check.go"), () => check(see), "primary");
      tools.append(el("p", { class: "quiet", text: ctx.t("setup.table.check.how") }), see);
    }
  }

  function find(by) {
    return busy(ctx, by, status, async () => {
      status.say(ctx.t("setup.table.finding"));
      const seats = ctx.state ? ctx.state.game.seats : 4;
      const { setup, confidence } = await ask(ctx, "/api/table/find", { seats });
      if (gone) return;
      stage.show(setup);
      status.say(ctx.t(`setup.table.found.${setup.table.found}`, { confidence: Math.round(100 * confidence) }));
    });
  }

  /** Something was dragged; the server decides whether that can be. */
  async function moved(change) {
    try {
      const { setup } = await ask(ctx, "/api/table/move", { setup: sent(), change });
      status.say("corner" in change ? ctx.t("setup.table.found.hand") : "");
      return setup;
    } catch (problem) {
      status.say(ctx.both(problem.text), "bad");
      return null;
    }
  }

  function chosen(seat) {
    if (seat !== null) status.say(ctx.t("setup.table.seat.now", { name: seatName(seat) }));
  }

  /** The table as the server takes it. */
  function sent() {
    const { picture: size, table, seats } = stage.setup;
    return { picture: size, table, seats };
  }

  // -- hands on the table

  function sitting(by) {
    return busy(ctx, by, status, async () => {
      let seated = 0;
      lesson = new Lesson(
        ctx,
        (state, over) => {
          stage.show(state.setup);
          if (state.waiting === null) status.say(ctx.t("setup.table.sit.done"), "good");
          else if (state.seated.length > seated) status.say(ctx.t("setup.table.sit.noted", { name: seatName(state.seated[state.seated.length - 1]) }), "good");
          else if (state.seated.length === seated && !over) setTimeout(() => ask1(state.waiting), 900);
          seated = state.seated.length;
          if (over) go_on();
        },
        (problem) => {
          status.say(ctx.both(problem.text), "bad");
          go_on();
        },
      );
      const ask1 = (seat) => lesson && step === "seats" && status.say(ctx.t("setup.table.sit.now", { name: seatName(seat) }));
      const go_on = () => {
        lesson = null;
        stop.remove();
        pause.remove();
        by.hidden = false;
      };
      const begun = await ask(ctx, "/api/table/sit", { setup: sent() });
      const stop = button(ctx.t("setup.stop"), () => {
        end();
        go_on();
        status.say(ctx.t("setup.ended"));
      });
      const pause = el("p", { class: "setup-pause", text: ctx.t("setup.pause") });
      by.hidden = true;
      by.after(stop);
      tools.append(pause);
      ask1(begun.state.waiting);
      lesson.begin(begun);
    });
  }

  function end() {
    if (lesson) lesson.stop();
    lesson = null;
  }

  // -- lights

  function check(by) {
    return busy(ctx, by, status, async () => {
      status.say(ctx.t("setup.table.checking"));
      const seen = await ask(ctx, "/api/table/look", { setup: sent(), lang: ctx.lang });
      if (gone || step !== "check") return;
      const cards = seen.cards.map((card) => ctx.cardName(card)).join(", ");
      status.say(seen.cards.length ? ctx.tn("setup.table.cards", seen.cards.length, { cards }) : ctx.t("setup.table.cards.none"));
      empty(found);
      const alt = ctx.t("setup.table.zones");
      found.append(
        lightsList(ctx, seen.lights),
        seen.advice ? el("p", { class: "quiet", text: ctx.both(seen.advice) }) : "",
        el("figure", { class: "setup-zones" }, el("img", { src: `/api/table/seen.jpg?n=${seen.picture}`, alt: "" }), el("figcaption", { class: "quiet", text: alt })),
      );
      stage.root.hidden = true;
    });
  }

  // -- saving

  function saving() {
    const input = el("input", { class: "field", id: "setup-name", maxlength: "60", value: name, autocomplete: "off", required: true });
    input.addEventListener("input", () => (name = input.value));
    const save = button(ctx.t("setup.table.save"), () => store(save), "primary");
    return el(
      "form",
      { class: "setup-save panel", on: { submit: (event) => (event.preventDefault(), store(save)) } },
      el("label", { for: "setup-name", text: ctx.t("setup.name") }),
      el("div", { class: "setup-row" }, input, save),
      el("p", { class: "quiet", text: ctx.t("setup.table.save.how") }),
    );
  }

  function store(by) {
    return busy(ctx, by, status, async () => {
      end();
      status.say(ctx.t("setup.table.saving"));
      const saved = await askTwice(ctx, "/api/table/save", { name: name.trim(), setup: sent() });
      if (!saved) {
        status.say("");
        return;
      }
      const text = ctx.t(`setup.table.saved.${saved.effect}`, { name: saved.profile });
      status.say(saved.remembered ? text : `${text} ${ctx.t("setup.table.not-remembered", { name: saved.profile })}`, "good");
      ctx.toast(text);
    });
  }

  return () => {
    gone = true;
    clearTimeout(timer);
    end();
    if (stage) stage.stop();
    if (picture) picture.stop();
  };
}
