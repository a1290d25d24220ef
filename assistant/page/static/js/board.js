/** The scoreboard. */

import { el } from "./dom.js";

export default {
  mount(root, ctx) {
    const text = el("p", { text: ctx.t("board.waiting") });
    root.append(text);
    return ctx.onState((state) => {
      text.textContent = state.teams.map((team) => `${ctx.both(team.name)} ${JSON.stringify(team.score)}`).join(" · ");
    });
  },
};
