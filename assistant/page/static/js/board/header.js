/** What stands in the bar above the board: which game, which round, which device is gone. */

import { el, keyed, setText } from "../dom.js";

export function drawHeader(ctx, state) {
  const lost = Object.entries(state.devices || {}).filter(([, how]) => how === "lost");
  const game = ctx.t(`board.game.${state.game.name}`);
  const parts = [
    ...lost.map(([device]) => ({ key: device, class: "where-lost", text: ctx.t(`board.device.${device}`) })),
    { key: "game", class: "where-game", text: state.round ? `${game} · ${ctx.t("board.round", { n: state.round })}` : game },
  ];
  keyed(document.getElementById("where"), parts, (part) => part.key, (part) => el("span", { class: part.class, data: { device: part.key === "game" ? null : part.key } }), (span, part) => setText(span, part.text));
}
