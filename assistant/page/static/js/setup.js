/** Setting up the table: where it lies, its cards, its knocks, its voices. One panel at a time. */

import { el, empty } from "./dom.js";

const PANELS = {
  table: () => import("./setup/table.js"),
  deck: () => import("./setup/deck.js"),
  knocks: () => import("./setup/knocks.js"),
  voices: () => import("./setup/voices.js"),
};

/** @param {HTMLElement} root @param {object} ctx @returns {() => void} */
function mount(root, ctx) {
  const name = Object.keys(PANELS).includes(ctx.path[0]) ? ctx.path[0] : "table";
  let leave = () => {};
  let turn = 0;

  async function draw() {
    const mine = (turn += 1);
    leave();
    leave = () => {};
    empty(root);
    root.classList.add("setup");
    root.append(el("h2", { class: "setup-title", text: ctx.t("setup.title") }));
    if (ctx.role !== "correct") {
      root.append(
        el("p", { text: ctx.t("setup.watch-only") }),
        el("button", { class: "button primary", type: "button", text: ctx.t("setup.join"), on: { click: () => ctx.join() } }),
      );
      return;
    }
    const body = el("div", { class: "setup-panel", data: { panel: name } });
    root.append(tabs(ctx, name), body);
    const panel = await PANELS[name]();
    if (mine === turn) leave = panel.mount(body, ctx);
  }

  const off = [ctx.onRole(draw), ctx.onLang(draw)];
  draw();
  return () => {
    turn += 1;
    leave();
    off.forEach((stop) => stop());
  };
}

function tabs(ctx, name) {
  return el(
    "nav",
    { class: "setup-tabs", "aria-label": ctx.t("setup.parts") },
    ...Object.keys(PANELS).map((panel) =>
      el("a", { href: `#setup/${panel}`, class: "setup-tab", "aria-current": panel === name ? "page" : null, text: ctx.t(`setup.${panel}`) }),
    ),
  );
}

export default { id: "setup", title: "setup.title", role: "correct", mount };
