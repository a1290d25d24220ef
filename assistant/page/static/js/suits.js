/**
 * The shapes of the suits, around (0, 0), some 90 high. `pip` is filled with the suit's colour, `pip-line` drawn with
 * it, `pip-gold`, `pip-light` and `pip-fill` are the second colours of the Spanish suits.
 */

const p = (d, cls = "pip") => ["path", { class: cls, d }];
const c = (cx, cy, r, cls = "pip") => ["circle", { class: cls, cx, cy, r }];

/** @type {Object<string, [string, Object<string, any>][]>} */
export const SHAPES = {
  s: [p("M0-46C8-26 42-10 42 14C42 31 29 38 18 36C12 35 7 31 4 26C5 36 9 42 16 46H-16C-9 42-5 36-4 26C-7 31-12 35-18 36C-29 38-42 31-42 14C-42-10-8-26 0-46Z")],
  h: [p("M0 44C-8 24-43 6-43-19C-43-35-31-43-20-43C-10-43-3-36 0-27C3-36 10-43 20-43C31-43 43-35 43-19C43 6 8 24 0 44Z")],
  d: [p("M0-47C9-28 22-12 37 0C22 12 9 28 0 47C-9 28-22 12-37 0C-22-12-9-28 0-47Z")],
  c: [
    p("M4 8C6 32 10 41 17 46H-17C-10 41-6 32-4 8Z"),
    c(0, -23, 21),
    c(-22, 10, 21),
    c(22, 10, 21),
    p("M-10-12H10L8 12H-8Z"),
  ],
  // espadas: a sword, point upwards
  "e-spanish": [
    p("M0-48L9-34V16H-9V-34Z"),
    p("M0-40V14", "pip-light"),
    p("M-24 14Q0 22 24 14L26 22Q0 31-26 22Z", "pip-gold"),
    p("M-4.5 25H4.500V39H-4.500Z", "pip-fill"),
    c(0, 43, 6, "pip-gold"),
  ],
  // bastos: a cudgel with its knots
  "b-spanish": [
    p("M-13-40C-15-50 15-50 14-40L9 14L7 44Q0 50-7 44L-9 14Z"),
    p("M13-30C26-34 28-22 21-18L11-12Z"),
    p("M-13-14C-27-17-28-5-20-2L-10 3Z"),
    p("M10 6C21 5 22 15 15 18L8 19Z"),
    p("M-4-36Q0-20-3-4M4-12Q2 10 3 30", "pip-light"),
  ],
  // oros: a coin with a sun
  "o-spanish": [
    c(0, 0, 45, "pip-gold"),
    c(0, 0, 45, "pip-line"),
    c(0, 0, 33, "pip-line"),
    p("M0-28L6-11L20-20L11-6L28 0L11 6L20 20L6 11L0 28L-6 11L-20 20L-11 6L-28 0L-11-6L-20-20L-6-11Z"),
    c(0, 0, 8, "pip-gold"),
  ],
  // copas: a cup
  "c-spanish": [
    p("M-34-40H34C34-10 22 4 8 8V24C14 26 22 32 24 42H-24C-22 32-14 26-8 24V8C-22 4-34-10-34-40Z"),
    p("M-37-46H37V-36H-37Z", "pip-gold"),
    p("M-28 40H28V47H-28Z", "pip-gold"),
    c(0, -18, 9, "pip-gold"),
    p("M-10 14H10V20H-10Z", "pip-gold"),
  ],
};
