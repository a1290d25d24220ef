/**
 * The upper half of a court card, in the frame from (62, 50) to (188, 175): a page, a lady, a rider, a king. Few
 * strokes: one knows them by what is on their heads.
 */

import { svg } from "./dom.js";

const p = (cls, d) => svg("path", { class: cls, d });
const c = (cls, cx, cy, r) => svg("circle", { class: cls, cx, cy, r });

const shoulders = () => [
  p("court-cloth", "M66 175C66 148 92 138 112 134H138C158 138 184 148 184 175Z"),
  p("court-gold", "M125 175L104 137L112 133L125 150L138 133L146 137Z"),
];
const face = () => [
  p("court-skin", "M116 122H134V138Q125 147 116 138Z"),
  p("court-skin", "M105 96Q105 76 125 76Q145 76 145 96Q145 128 125 130Q105 128 105 96Z"),
  c("court-ink", 117, 101, 2.4),
  c("court-ink", 133, 101, 2.4),
  p("court-stroke", "M125 103L122 112H127M119 119Q125 122 131 119"),
];

const HEADS = {
  page: () => [
    p("court-hair", "M102 92C96 112 98 124 104 130L112 126C106 116 106 104 106 94ZM148 92C154 112 152 124 146 130L138 126C144 116 144 104 144 94Z"),
    p("court-cloth", "M96 88C94 66 116 58 132 60C152 62 158 76 154 88C138 82 112 82 96 88Z"),
    p("court-gold", "M96 90C112 82 138 82 154 90L153 96C138 89 112 89 97 96Z"),
    p("court-feather", "M148 70C158 54 172 54 178 62C172 72 160 76 148 74Z"),
  ],
  lady: () => [
    p("court-hair", "M100 90C90 118 92 142 98 150L112 138C104 122 104 104 108 92ZM150 90C160 118 158 142 152 150L138 138C146 122 146 104 142 92Z"),
    p("court-hair", "M103 98C101 74 114 70 125 70C136 70 149 74 147 98C143 86 134 84 125 84C116 84 107 86 103 98Z"),
    p("court-gold", "M103 78L107 60L116 70L125 56L134 70L143 60L147 78C133 72 117 72 103 78Z"),
    c("court-gold", 125, 56, 3.5),
  ],
  rider: () => [
    p("court-hair", "M103 92C98 108 100 120 106 126L110 120C106 112 106 102 107 94ZM147 92C152 108 150 120 144 126L140 120C144 112 144 102 143 94Z"),
    p("court-cloth", "M88 86C100 76 104 62 125 60C146 62 150 76 162 86C148 90 102 90 88 86Z"),
    p("court-feather", "M132 66C140 50 156 50 164 56C160 66 146 72 132 70Z"),
    p("court-horse", "M140 175C138 158 146 150 152 142L154 130L160 140C174 142 180 154 182 164L174 169L164 162L160 175Z"),
    c("court-eye", 164, 152, 2.4),
  ],
  king: () => [
    p("court-hair", "M104 104C104 132 112 146 125 148C138 146 146 132 146 104C142 116 138 116 133 113C128 110 122 110 117 113C112 116 108 116 104 104Z"),
    p("court-lip", "M119 120Q125 123 131 120"),
    p("court-gold", "M98 84L94 56L110 68L125 50L140 68L156 56L152 84C138 77 112 77 98 84Z"),
    p("court-cloth", "M98 84C112 77 138 77 152 84L151 91C138 84 112 84 99 91Z"),
    c("court-gold", 125, 49, 4),
  ],
};

/** @param {"page"|"lady"|"rider"|"king"} kind */
export function courtOf(kind) {
  return svg("g", {}, ...shoulders(), ...face(), ...HEADS[kind]());
}
