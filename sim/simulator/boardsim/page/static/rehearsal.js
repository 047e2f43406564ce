// A simulated board whose service is another process: pieces, lamps and buttons alone.

import { byId, h } from "/dom.js";
import { Board } from "/board.js";
import { bareHands } from "/hands.js";

const about = JSON.parse(byId("about").textContent ?? "{}");
const board = new Board(about.printed, false);
const bench = h("div.bench");
const nobody = { view: {}, learned: new Map() };
byId("who").textContent = about.name;
document.title = `${about.name} · Boardumpire`;
byId("table").append(board.element);
byId("side").append(
  h("p", {}, "This is the board. Its page is ", h("a", { href: about.page }, about.page), "."),
  bench,
);
bareHands(board, (hands, chosen) => {
  if (hands.lit) board.setLit(hands.lit);
  board.setPieces(hands.pieces(nobody, { near: about.near, hide: null }));
  hands.panel(bench, chosen);
});
