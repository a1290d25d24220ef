/** The page as the café's scoreboard: nothing but the game, and a screen that stays on. `#tv` opens it so. */

import { memory } from "./texts.js";

const AWAKE = 4000; // ms that the menus stay after the last move

let on = false;
let timer;
let lock = null;

export const isTelevision = () => on;

/** @param {boolean} wanted @param {boolean} [whole] also ask for the whole screen (only after a tap) */
export function television(wanted, whole = false) {
  on = wanted;
  memory.set("tv", on ? "yes" : null);
  document.documentElement.dataset.tv = on ? "on" : "off";
  stir();
  wake();
  if (!whole) return;
  const root = document.documentElement;
  if (on && root.requestFullscreen) root.requestFullscreen().catch(() => {});
  else if (!on && document.fullscreenElement) document.exitFullscreen().catch(() => {});
}

/** Somebody is there: show the menus for a moment. */
function stir() {
  const root = document.documentElement;
  root.dataset.stirred = "yes";
  clearTimeout(timer);
  if (on) timer = setTimeout(() => (root.dataset.stirred = "no"), AWAKE);
}

/** Keep the screen on where the browser lets us (a secure page that is looked at). */
async function wake() {
  try {
    if (on && navigator.wakeLock && document.visibilityState === "visible" && (!lock || lock.released)) {
      lock = await navigator.wakeLock.request("screen");
    } else if (!on && lock) {
      await lock.release();
      lock = null;
    }
  } catch {
    lock = null; // the battery is low, or the page is not secure
  }
}

export function startTelevision() {
  for (const event of ["pointermove", "pointerdown", "keydown", "focusin"]) addEventListener(event, () => on && stir(), { passive: true });
  document.addEventListener("visibilitychange", wake);
  const asked = location.hash === "#tv";
  if (asked) history.replaceState(null, "", location.pathname + location.search);
  television(asked || memory.get("tv") === "yes");
}
