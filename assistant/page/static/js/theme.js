/** Light or dark: as the device has it, unless somebody chose. */

import { memory } from "./texts.js";

export const THEMES = ["auto", "light", "dark"];

/** @returns {string} */
export function theme() {
  const kept = memory.get("theme");
  return THEMES.includes(kept) ? kept : "auto";
}

/** @param {string} [chosen] remembered on this device */
export function applyTheme(chosen) {
  if (chosen) memory.set("theme", chosen === "auto" ? null : chosen);
  const now = theme();
  if (now === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = now;
}
