/** The deck: its cards shown to the camera one by one, laid out, or photographed with this phone. */

import { el, empty, setText } from "../dom.js";
import { Grid, legend, packOf } from "./grid.js";
import { Lesson } from "./lesson.js";
import { ask, busy, button, capital, statusLine } from "./parts.js";
import { smaller } from "./photo.js";
import { Picture } from "./picture.js";

/** @param {HTMLElement} root @param {object} ctx @returns {() => void} */
export function mount(root, ctx) {
  let leave = () => {};
  let gone = false;
  let camera = "none";
  const status = statusLine();

  choose();

  // -- which deck

  async function choose(words = "") {
    leave();
    leave = () => {};
    let decks;
    try {
      decks = await ask(ctx, "/api/deck");
    } catch (problem) {
      status.say(ctx.both(problem.text), "bad");
      root.append(status.line);
      return;
    }
    if (gone) return;
    camera = decks.camera;
    empty(root);
    root.append(el("p", { class: "setup-about", text: ctx.t("setup.deck.about") }), status.line, el("h3", { text: ctx.t("setup.deck.yours") }), known(decks.decks), el("h3", { text: ctx.t("setup.deck.new") }), form(decks));
    status.say(words, words ? "good" : "");
  }

  function known(decks) {
    if (!decks.length) return el("p", { class: "quiet", text: ctx.t("setup.deck.none") });
    return el(
      "ul",
      { class: "setup-list" },
      ...decks.map((deck) => {
        const how = deck.like ? `${ctx.t(`setup.deck.like.${deck.like}`)}, ${ctx.tn("setup.deck.shown", deck.shown, { all: deck.all })}` : ctx.t("setup.deck.broken");
        const more = deck.like && button(ctx.t("setup.deck.more"), () => begin(more, { name: deck.name, like: deck.like, more: true }));
        const play = deck.like && button(ctx.t("setup.deck.use"), () => use(play, deck.name));
        if (more) more.setAttribute("aria-label", ctx.t("setup.deck.more.of", deck));
        if (play) play.setAttribute("aria-label", ctx.t("setup.deck.use.of", deck));
        return el("li", { class: "setup-item" }, el("div", { class: "setup-item-name" }, deck.name, el("span", { text: how })), more, play);
      }),
    );
  }

  function form({ patterns, pack }) {
    const name = el("input", { class: "field", id: "setup-deck-name", maxlength: "60", autocomplete: "off", required: true });
    const like = el("select", { id: "setup-deck-like" }, ...patterns.map((pattern) => el("option", { value: pattern, selected: pattern === pack, text: ctx.t(`setup.deck.like.${pattern}`) })));
    const go = el("button", { class: "button primary", type: "submit", text: ctx.t("setup.deck.begin") });
    return el(
      "form",
      {
        class: "setup-form panel",
        on: {
          submit: (event) => {
            event.preventDefault();
            begin(go, { name: name.value.trim(), like: like.value });
          },
        },
      },
      el("label", { for: "setup-deck-name", text: ctx.t("setup.name") }),
      name,
      el("label", { for: "setup-deck-like", text: ctx.t("setup.deck.like") }),
      like,
      el("p", { class: "quiet", text: ctx.t("setup.deck.kept") }),
      go,
    );
  }

  function begin(by, wanted) {
    return busy(ctx, by, status, async () => {
      try {
        teach(await ask(ctx, "/api/deck/begin", wanted));
      } catch (problem) {
        if (problem.status !== 409 || problem.error !== "exists") throw problem;
        exists(wanted, problem);
      }
    });
  }

  /** There is such a deck: is it to be shown once more, or forgotten? */
  function exists(wanted, problem) {
    const close = ctx.sheet(ctx.t("setup.deck.exists", wanted), (body) => {
      const go = (how) => async () => {
        close();
        try {
          teach(await ask(ctx, "/api/deck/begin", { ...wanted, ...how }));
        } catch (trouble) {
          status.say(ctx.both(trouble.text), "bad");
        }
      };
      body.append(
        el("p", { text: capital(ctx.both(problem.text)) }),
        el("div", { class: "buttons" }, button(ctx.t("setup.deck.redo"), go({ replace: true }), "danger"), button(ctx.t("setup.deck.more"), go({ more: true }), "primary")),
      );
    });
  }

  function use(by, name) {
    return busy(ctx, by, status, async () => {
      const effect = await played(name);
      if (!effect) return;
      const text = ctx.t(`setup.deck.used.${effect}`, { name });
      status.say(text, "good");
      ctx.toast(text);
    });
  }

  /** Play with a deck; with one that lacks cards only where the person says so. @returns {Promise<string|null>} */
  async function played(name) {
    try {
      return (await ask(ctx, "/api/deck/use", { name })).effect;
    } catch (problem) {
      if (problem.error !== "incomplete") throw problem;
      if (!(await ctx.confirm(capital(ctx.both(problem.text)), ctx.t("setup.deck.use.anyway")))) return null;
      return (await ask(ctx, "/api/deck/use", { name, anyway: true })).effect;
    }
  }

  // -- the lesson

  function teach(begun) {
    const { name, like, cards } = begun.state;
    const pack = packOf(like);
    const called = (card) => ctx.cardName(card, pack);
    const grid = new Grid(ctx, like, cards, tapped);
    const asked = el("div", { class: "setup-asked" });
    const drawing = el("span", { class: "setup-asked-card" });
    const wish = el("p", { class: "quiet" });
    const bar = el("span", {});
    const count = el("p", { class: "quiet" });
    const live = el("div", { class: "setup-live", hidden: true });
    const unnamed = el("section", { hidden: true });
    const alike = el("p", { class: "quiet" });
    let state = begun.state;
    let picture = null;
    let naming = null;
    let last = begun.state.last ? begun.state.last.n : 0;
    let drawn = "";

    const watch = button(ctx.t("setup.deck.camera"), () =>
      busy(ctx, watch, status, async () => {
        take(await ask(ctx, "/api/deck/watch", { lesson: lesson.name, on: !state.watching }));
      }),
    );
    const spread = button(ctx.t("setup.deck.pack"), () => busy(ctx, spread, status, () => looked(ask(ctx, "/api/deck/pack", { lesson: lesson.name }))));
    watch.hidden = spread.hidden = camera === "none"; // photographs do as well
    const several = file("setup-photo", ctx.t("setup.deck.photo"), (photo) => send(photo, null));
    const single = file("setup-photo-one", "", (photo) => send(photo, state.wanted));
    const done = button(ctx.t("setup.deck.done"), () => {
      lesson.stop();
      choose();
    });
    const play = button(
      ctx.t("setup.deck.use"),
      () =>
        busy(ctx, play, status, async () => {
          const effect = await played(name);
          if (!effect) return;
          lesson.stop();
          await choose(ctx.t(`setup.deck.used.${effect}`, { name }));
        }),
      "primary",
    );

    empty(root);
    asked.append(drawing, el("div", {}, status.line, wish));
    unnamed.append(el("h3", { text: ctx.t("setup.deck.unnamed") }), el("p", { class: "quiet", text: ctx.t("setup.deck.unnamed.how") }), el("div", { class: "setup-unnamed" }), button(ctx.t("setup.deck.unnamed.none"), () => give(null)));
    root.append(
      el("div", { class: "setup-head" }, el("h3", { text: name }), count),
      el("div", { class: "setup-progress", "aria-hidden": "true" }, bar),
      asked,
      live,
      el("div", { class: "setup-ways" }, watch, spread, ...several, ...single),
      el("p", { class: "quiet", text: ctx.t("setup.deck.photo.how") }),
      unnamed,
      el("p", { class: "quiet", text: ctx.t("setup.deck.grid.how") }),
      grid.root,
      legend(ctx),
      alike,
      el("p", { class: "setup-pause", text: `${ctx.t("setup.pause")} ${ctx.t("setup.deck.restore")}` }),
      el("div", { class: "buttons" }, done, play),
    );

    const lesson = new Lesson(ctx, show, (problem) => choose().then(() => status.say(ctx.both(problem.text), "bad")));
    leave = () => {
      lesson.stop();
      if (picture) picture.stop();
    };
    lesson.begin(begun);

    function take(said) {
      lesson.take(said);
    }

    function show(now, over) {
      state = now;
      if (over) return;
      const learnt = cards.length - now.missing.length;
      setText(count, ctx.tn("setup.deck.shown", learnt, { all: cards.length }));
      bar.style.transform = `scaleX(${learnt / cards.length})`;
      if (now.problem) status.say(ctx.both(now.problem), "bad");
      else if (now.last && now.last.n > last) {
        status.say(ctx.t("setup.deck.thanks", { card: called(now.last.card) }), "good");
        last = now.last.n;
      }
      setText(wish, now.wanted ? ctx.t("setup.deck.show", { card: called(now.wanted) }) : ctx.t("setup.deck.complete"));
      if (drawn !== String(now.wanted)) {
        drawn = String(now.wanted);
        drawing.replaceChildren(...(now.wanted ? [ctx.card(now.wanted, { pack, hidden: true })] : []));
      }
      const label = root.querySelector('label[for="setup-photo-one"]');
      label.hidden = !now.wanted;
      if (now.wanted) setText(label, ctx.t("setup.deck.photo.of", { card: called(now.wanted) }));
      setText(watch, ctx.t(now.watching ? "setup.deck.camera.off" : "setup.deck.camera"));
      watch.setAttribute("aria-pressed", String(now.watching));
      watching(now.watching);
      grid.show(now);
      setText(alike, now.alike.length ? `${ctx.t("setup.deck.alike")} ${now.alike.map(([a, b]) => ctx.t("setup.deck.alike.pair", { a: called(a), b: called(b) })).join(" ; ")}.` : "");
      strangers(now.unnamed);
      play.disabled = learnt === 0;
    }

    /** The camera's picture while cards are shown to it. */
    function watching(on) {
      if (on && !picture) {
        picture = new Picture(ctx.t("setup.table.picture"));
        picture.show(false);
        live.append(picture.img, el("p", { class: "quiet", text: ctx.t("setup.deck.camera.how") }));
      } else if (!on && picture) {
        picture.stop();
        picture = null;
        empty(live);
      }
      live.hidden = !on;
    }

    /** Cards that wait for their names. */
    function strangers(numbers) {
      unnamed.hidden = !numbers.length;
      if (naming !== null && !numbers.includes(naming)) naming = null;
      const row = unnamed.querySelector(".setup-unnamed");
      const known = new Map([...row.children].map((one) => [Number(one.dataset.n), one]));
      row.replaceChildren(
        ...numbers.map((n) => {
          const one =
            known.get(n) ||
            el(
              "button",
              {
                type: "button",
                data: { n },
                "aria-label": ctx.t("setup.deck.unnamed.nth", { n }),
                on: {
                  click: () => {
                    naming = n;
                    strangers(state.unnamed);
                    status.say(ctx.t("setup.deck.unnamed.now"));
                  },
                },
              },
              el("img", { src: `/api/deck/card.jpg?lesson=${encodeURIComponent(lesson.name)}&unnamed=${n}`, alt: "" }),
            );
          one.setAttribute("aria-pressed", String(n === naming));
          return one;
        }),
      );
      unnamed.lastElementChild.disabled = naming === null;
    }

    async function give(card) {
      const n = naming;
      naming = null;
      try {
        take(await ask(ctx, "/api/deck/name", { lesson: lesson.name, n, card }));
      } catch (problem) {
        status.say(ctx.both(problem.text), "bad");
      }
    }

    async function tapped(card) {
      if (naming !== null) {
        await give(card);
        return;
      }
      try {
        take(await ask(ctx, "/api/deck/ask", { lesson: lesson.name, card }));
      } catch (problem) {
        status.say(ctx.both(problem.text), "bad");
      }
    }

    async function looked(answer) {
      status.say(ctx.t("setup.deck.looking"));
      const said = await answer;
      take(said);
      status.say(ctx.tn("setup.deck.found", said.found), "good");
    }

    async function send(photo, card) {
      let body;
      try {
        body = await smaller(photo);
      } catch {
        status.say(ctx.t("setup.deck.too-big"), "bad");
        return;
      }
      const path = `/api/deck/picture?lesson=${encodeURIComponent(lesson.name)}${card ? `&card=${encodeURIComponent(card)}` : ""}`;
      try {
        await looked(ctx.api(path, { body, type: body.type || "image/jpeg" }).then((answer) => answer.json()));
      } catch (problem) {
        status.say(ctx.both(problem.text), "bad");
      }
    }

    /** A button that takes a photograph, or picks one. */
    function file(id, text, taken) {
      const input = el("input", { type: "file", id, class: "setup-file", accept: "image/*" });
      input.addEventListener("change", () => {
        const photo = input.files[0];
        input.value = "";
        if (photo) taken(photo);
      });
      return [input, el("label", { for: id, class: "button", text })];
    }
  }

  return () => {
    gone = true;
    leave();
  };
}
