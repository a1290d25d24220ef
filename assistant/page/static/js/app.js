/** The page: one line to the referee, one view at a time, and what all views share (`ctx`). */

import { api } from "./api.js";
import { card, cardName } from "./cards.js";
import { confirm, openSheet } from "./dialog.js";
import { setText } from "./dom.js";
import { askRights, joinByLink, openJoin } from "./join.js";
import { startMenu } from "./menu.js";
import { Line } from "./socket.js";
import { Texts } from "./texts.js";
import { applyTheme } from "./theme.js";
import { startTelevision } from "./television.js";
import { toast } from "./toast.js";
import { HELPERS, HOME, VIEWS } from "./views.js";

const texts = new Texts();
const hearers = { state: new Set(), role: new Set(), line: new Set(), pending: new Set() };
const tell = (which, what) => [...hearers[which]].forEach((fn) => fn(what));
const hear = (which, fn) => {
  hearers[which].add(fn);
  return () => hearers[which].delete(fn);
};

const line = new Line({
  state(state) {
    ctx.state = state;
    tell("state", state);
  },
  hello(hello) {
    if (!texts.chosen && hello.lang) texts.speak(hello.lang, false).catch(noWords);
    if (hello.role !== ctx.role) {
      ctx.role = hello.role;
      document.documentElement.dataset.role = hello.role;
      tell("role", hello.role);
    }
  },
  line(on) {
    tell("line", on);
  },
  pending() {
    tell("pending", line.pending());
  },
});

/** What every view is given. */
const ctx = {
  /** The newest state, null before the first. */
  state: null,
  /** `watch` or `correct`. */
  role: "watch",
  get lang() {
    return texts.lang;
  },
  /** What this device may do, null until it is known (js/join.js). */
  rights: null,
  /** A join code from the address that could not be sent from here. */
  code: null,
  /** What comes behind the view's name in the address: `#history/game-3` gives `["game-3"]`. */
  path: [],
  /** Call `fn` with the state, now if there is one and whenever it changes. */
  onState(fn) {
    if (ctx.state) fn(ctx.state);
    return hear("state", fn);
  },
  onRole: (fn) => hear("role", fn),
  onLang: (fn) => texts.onLang(fn),
  /** Call `fn(true|false)` when the line to the referee comes and goes. */
  onLine: (fn) => hear("line", fn),
  get line() {
    return { on: line.on, heard: line.heard };
  },
  /** Tell the referee, who judges it by what the person saw (`rev`); where it is no, `text` says why. */
  async tap(what) {
    const answer = await line.tap({ rev: ctx.state ? ctx.state.rev : 0, ...what });
    if (answer.code === "watch-only") line.again(); // the cookie counts no more: be greeted as what we are
    if (!answer.ok && !answer.text) answer.text = texts.t(`shell.tap.${answer.code}`);
    return answer;
  },
  /** Taps that wait for the line: `{id, what, giveUp()}`. */
  pending: () => line.pending(),
  onPending: (fn) => hear("pending", fn),
  t: (key, fields) => texts.t(key, fields),
  tn: (key, n, fields) => texts.tn(key, n, fields),
  both: (text) => texts.both(text),
  has: (key) => texts.has(key),
  api: (path, options) => api(path, options, texts),
  card: (name, options = {}) => card(name, { pack: ctx.state && ctx.state.game.pack, label: ctx.cardName(name), ...options }),
  cardName: (name, pack) => cardName(name, pack || (ctx.state && ctx.state.game.pack), texts),
  toast: (text) => toast(texts.both(text)),
  confirm: (text, yes) => confirm(ctx, text, yes),
  sheet: (title, fill) => openSheet(ctx, title, fill),
  /** Somebody tapped something on the board, `{kind: "card", event}`; `taps.js` takes it over. */
  tapped() {},
  join: () => openJoin(ctx),
  /** The cookie has changed: the server shall greet this page anew. */
  reconnect: () => line.again(),
  speak: (lang) => texts.speak(lang).catch(noWords),
  go(view) {
    location.hash = view === HOME ? "" : `#${view}`;
  },
  views: VIEWS,
};

let shown = { id: null, key: null, leave: () => {} };
let turn = 0;

/** Show the view that the address names. */
async function show() {
  const [id, ...path] = decodeURIComponent(location.hash.slice(1).split("&")[0]).split("/");
  const view = VIEWS.find((known) => known.id === id) || VIEWS.find((known) => known.id === HOME);
  ctx.path = path;
  const key = [view.id, ...path].join("/");
  if (key === shown.key) return;
  const mine = (turn += 1);
  let module;
  try {
    module = (await view.load()).default;
  } catch (problem) {
    console.error(problem);
    ctx.toast(texts.t("shell.no-view"));
    return;
  }
  if (mine !== turn) return; // another one was asked for meanwhile
  shown.leave();
  const root = document.createElement("div");
  root.className = `view view-${view.id}`;
  root.dataset.view = view.id;
  const main = document.getElementById("main");
  main.replaceChildren(root);
  document.documentElement.dataset.view = view.id;
  const first = shown.id === null;
  shown = { id: view.id, key, title: view.title, leave: module.mount(root, ctx) || (() => {}) };
  entitle();
  if (!first) main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function entitle() {
  document.title = shown.id && shown.id !== HOME ? `${texts.t(shown.title)} · Trut` : "Trut";
}

function noWords(problem) {
  console.error(problem);
  ctx.toast(texts.has("shell.offline") ? texts.t("shell.offline") : "…");
}

/** Say when what is shown is old. */
function startConnectionBar() {
  const bar = document.getElementById("connection");
  let timer;
  const draw = () => {
    bar.hidden = line.on || !line.heard;
    if (!bar.hidden) {
      const time = new Date(line.heard).toLocaleTimeString(texts.lang, { hour: "2-digit", minute: "2-digit" });
      setText(bar, texts.t("shell.lost", { time }));
    }
  };
  ctx.onLine((on) => {
    document.documentElement.dataset.line = on ? "on" : "off";
    clearTimeout(timer);
    if (on) draw();
    else timer = setTimeout(draw, 700); // a line that is back at once is not worth a word
  });
  ctx.onLang(draw);
}

async function start() {
  applyTheme();
  for (let wait = 500; ; wait = Math.min(8000, wait * 2)) {
    try {
      await texts.load();
      break;
    } catch (problem) {
      console.error(problem);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address names the view
    document.getElementById("main").focus();
  });
  startConnectionBar();
  startMenu(ctx);
  startTelevision(ctx);
  ctx.onLang(entitle);
  for (const load of HELPERS) {
    try {
      (await load()).default.start(ctx);
    } catch (problem) {
      console.error(problem);
    }
  }
  await joinByLink(ctx);
  askRights(ctx);
  line.open();
  addEventListener("hashchange", async () => {
    await joinByLink(ctx);
    await show();
  });
  await show();
  document.documentElement.dataset.ready = "yes";
}

start();
