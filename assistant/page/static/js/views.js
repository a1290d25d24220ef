/**
 * The views of the page. A view is a module whose default export has `mount(root, ctx)`, which draws it into `root`
 * and gives back what takes it away again. To add one: a line here, its style sheet in `index.html`, its title among
 * the words. It is loaded when somebody opens it.
 *
 * @type {{id: string, title: string, role: "watch"|"correct", load: () => Promise<any>}[]}
 */
export const VIEWS = [
  { id: "board", title: "board.title", role: "watch", load: () => import("./board.js") },
  { id: "history", title: "history.title", role: "watch", load: () => import("./history.js") },
  { id: "phone", title: "phone.title", role: "correct", load: () => import("./phone.js") },
  { id: "senses", title: "senses.title", role: "correct", load: () => import("./senses.js") },
  { id: "setup", title: "setup.title", role: "correct", load: () => import("./setup.js") },
];

/** Shown where the address names no view. */
export const HOME = "board";

/** Modules that are there on every view: their default export has `start(ctx)`. */
export const HELPERS = [() => import("./taps.js")];
