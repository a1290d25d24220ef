/** The games that are kept, and one of them trick by trick, with the table as it stood at any moment. */

import { Game } from "./history/game.js";
import { List } from "./history/list.js";

export default {
  /** `#history` lists the games; `#history/<game>` opens one, `#history/<game>/<moment>` at a moment. */
  mount(root, ctx) {
    const [id, moment] = ctx.path;
    const shown = id ? new Game(root, ctx, id, moment) : new List(root, ctx);
    return () => shown.close();
  },
};
