// What pieces look like, and what people call them.

import { h, s } from "/dom.js";

const told = document.getElementById("about");
/** How the pieces of this game look and what they are called, as the game says it. */
const {
  names = {},
  signs = {},
  drawings = {},
  pawns = {},
  colours = {},
  guards = [],
} = told ? (JSON.parse(told.textContent).printed?.looks ?? {}) : {};

/** What the back of a hidden piece shows: each side has a sign of its own, which needs no colour to be told by. */
const CREST = "M0-9 8-5 8 2Q8 8 0 11-8 8-8 2L-8-5Z";
const STAR = "M0-11 2.8-3.9 10.5-3.4 4.6 1.5 6.5 8.9 0 4.8-6.5 8.9-4.6 1.5-10.5-3.4-2.8-3.9Z";
/** A block, and one whose corners are cut: also the shape says whose a piece is. */
const ROUNDED = "M-11-16H11Q16-16 16-11V11Q16 16 11 16H-11Q-16 16-16 11V-11Q-16-16-11-16Z";
const CUT = "M-9-16H9L16-9V9L9 16H-9L-16 9V-9Z";
/** The sides that look so. */
const SECOND = ["blue", "black"];

/** What people call a piece, by its print or its kind. */
export const called = (rank) => names[rank] ?? rank;
/** Whether a word names a kind of piece. */
export const isPiece = (word) => word in names;

const COLOURS = ["red", "blue", "white", "black", "hidden"];

export const seatClass = (seat) => (COLOURS.includes(seat) || pawns[seat] ? seat : "other");
export const initial = (seat) => pawns[seat] ?? "";

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

/** The parts of a piece, around its middle.  */
export function face({ seat, rank, badge = null, moved = false, known = false }) {
  if (pawns[seat])
    return [
      s("circle.shade", { cy: 2, r: 16 }),
      guards.includes(seat)
        ? s("path.block", { d: "M-15-15H15V4Q15 12 0 16-15 12-15 4Z" })
        : s("circle.block", { r: 16 }),
      s("text.rank", { y: 6.6 }, pawns[seat]),
    ];
  const second = SECOND.includes(seat);
  const d = second ? CUT : ROUNDED;
  const parts = [
    s("path.shade", { d, transform: "translate(0 2)" }),
    s("path.block", { d }),
    s("path.shine", { d, fill: "url(#shine)" }),
  ];
  if (colours[rank]) parts[1].style.fill = colours[rank];
  if (signs[rank]) parts.push(s("text.rank.of-game", { y: 9.5 }, signs[rank]));
  else if (rank === undefined || rank === null || rank === "?")
    parts.push(s("path.crest", { d: second ? STAR : CREST }));
  else if (drawings[rank] === "bomb")
    parts.push(s("circle.ink", { cy: 2, r: 7.5 }), s("path.fuse", { d: "M4-4Q7-9 11-10" }));
  else if (drawings[rank]?.startsWith("M")) parts.push(s("path.ink", { d: drawings[rank] }));
  else if (drawings[rank] === "flag") parts.push(s("path.ink", { d: "M-7-10H9L5-5 9 0H-4V11H-7Z" }));
  else
    parts.push(
      s(
        String(rank).length === 2 ? "text.rank.wide" : "text.rank",
        { y: String(rank).length === 2 ? 6.6 : 7.8 },
        String(rank).length > 2 ? String(called(rank))[0].toUpperCase() : String(rank),
      ),
    );
  if (moved) parts.push(s("path.has-moved", { d: "M-13 11l4-4v2.6h4.5v2.8h-4.5v2.6z" }));
  if (known)
    parts.push(s("path.is-known", { d: "M3.5 11q5-5.4 10 0-5 5.4-10 0zM8.5 9.4a1.6 1.6 0 1 0 .1 0z" }));
  if (badge)
    parts.push(
      s("circle.badge", { cx: 13, cy: -13, r: 9 }),
      s("text.count", { x: 13, y: -8.4 }, String(badge)),
    );
  return parts;
}

/** A piece for lists and sentences, outside the board. */
export function drawnPiece(seat, rank, label = called(rank)) {
  return s(
    "svg.drawn",
    { viewBox: "-18 -18 36 38", role: "img", "aria-label": label },
    s("g", { class: `of ${seatClass(seat)}` }, face({ seat, rank })),
  );
}

/** A small piece for lists. */
export function chip(seat, rank, label = called(rank)) {
  return h("span", { title: label, class: `chip ${seatClass(seat)}` }, drawnPiece(seat, rank, label));
}
