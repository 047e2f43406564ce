// What pieces look like, and what people call them.

import { h, s } from "/dom.js";
import { _ } from "/words.js";

const FACES = { B: "bomb", F: "flag" };
const CREST = "M0-9 8-5 8 2Q8 8 0 11-8 8-8 2L-8-5Z";

/** What people call a rank. */
export const RANKS = {
  10: _("Marshal"),
  9: _("General"),
  8: _("Colonel"),
  7: _("Major"),
  6: _("Captain"),
  5: _("Lieutenant"),
  4: _("Sergeant"),
  3: _("Miner"),
  2: _("Scout"),
  S: _("Spy"),
  B: _("Bomb"),
  F: _("Flag"),
  "?": _("hidden"),
  tank: _("Tank"),
  spy: _("Spy"),
  infantry: _("Infantry"),
};

/** Whose pieces are pawns, each with a letter that is printed on it in every language. */
const PAWNS = { security: "G", american: "A", british: "B", dutch: "D", french: "F", polish: "P" };

const COLOURS = ["red", "blue", "white", "black", "hidden"];

export const seatClass = (seat) => (COLOURS.includes(seat) || PAWNS[seat] ? seat : "other");
export const initial = (seat) => PAWNS[seat] ?? "";

/** What every piece's look refers to. */
export function defs() {
  return s(
    "defs",
    {},
    s(
      "linearGradient",
      { id: "shine", x2: 0, y2: 1 },
      s("stop", { offset: 0, "stop-color": "#fff", "stop-opacity": 0.28 }),
      s("stop", { offset: 0.5, "stop-color": "#fff", "stop-opacity": 0.02 }),
      s("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0.26 }),
    ),
  );
}

/** What a piece of a view is: its rank, or what kind it is where everybody may know. */
export const kindOf = (piece) => piece?.rank ?? piece?.kind;

/** The parts of a piece, around its middle. `sign` is what the game draws on it (`signs` of a view). */
export function face({ seat, rank, badge, sign = null }) {
  if (PAWNS[seat])
    return [
      s("circle.shade", { cy: 2, r: 16 }),
      seat === "security"
        ? s("path.block", { d: "M-15-15H15V4Q15 12 0 16-15 12-15 4Z" })
        : s("circle.block", { r: 16 }),
      s("text.rank", { y: 6.6 }, PAWNS[seat]),
    ];
  const parts = [
    s("rect.shade", { x: -16, y: -14, width: 32, height: 32, rx: 5 }),
    s("rect.block", { x: -16, y: -16, width: 32, height: 32, rx: 5 }),
    s("rect.shine", { x: -16, y: -16, width: 32, height: 32, rx: 5, fill: "url(#shine)" }),
  ];
  if (sign) parts.push(s("text.rank.of-game", { y: 9.5 }, sign));
  else if (rank === undefined || rank === null || rank === "?") parts.push(s("path.crest", { d: CREST }));
  else if (FACES[rank] === "bomb")
    parts.push(s("circle.ink", { cy: 2, r: 7.5 }), s("path.fuse", { d: "M4-4Q7-9 11-10" }));
  else if (FACES[rank] === "flag") parts.push(s("path.ink", { d: "M-7-10H9L5-5 9 0H-4V11H-7Z" }));
  else
    parts.push(
      s(
        "text.rank",
        { y: 6.6 },
        String(rank).length > 2 ? String(RANKS[rank] ?? rank)[0].toUpperCase() : String(rank),
      ),
    );
  if (badge)
    parts.push(
      s("circle.badge", { cx: 14, cy: -14, r: 7.5 }),
      s("text.count", { x: 14, y: -11 }, String(badge)),
    );
  return parts;
}

/** A small piece for lists. */
export function chip(seat, rank, label) {
  return h(
    "span.chip",
    { title: label ?? RANKS[rank] ?? rank, class: `chip ${seatClass(seat)}` },
    rank === "?" ? "–" : String(rank),
  );
}
