import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

globalThis.location ??= { pathname: "/seat/red" };
const { apart, State } = await script("state", { words: {}, language: "en", seats: ["red", "blue"] });
const seat = "red";

const board = { chores: [], marks: {}, proposals: [], question: null };
const snapshot = {
  kind: "snapshot",
  n: 1,
  view: { to_act: ["red"], board: {} },
  may: { says: [], moves: { to: [], by: {} } },
  board,
  told: [],
};

test("a snapshot tells everything; a view and a board tell their part", () => {
  const state = new State();
  state.take(snapshot);
  assert.deepEqual(state.waitedFor(), ["red"]);
  state.take({ kind: "view", n: 2, view: { to_act: ["blue"] } });
  assert.equal(state.may, null);
  assert.equal(state.board, board);
  assert.deepEqual(state.waitedFor(), ["blue"]);
});

test("targets that are named once for all are each origin's own again", () => {
  const to = ["a3", "b3", "c3", "d3", "e3"];
  assert.deepEqual(apart({ to, by: { a2: "11", b2: "a0", c2: "00" } }), {
    a2: ["a3", "e3"],
    b2: ["b3", "d3"],
    c2: [],
  });
});

test("whoever is asked is waited for: the table before a seat, a seat before the turn", () => {
  const state = new State();
  state.take(snapshot);
  state.take({ kind: "board", n: 2, board: { ...board, question: { seat: "blue" } } });
  assert.deepEqual(state.waitedFor(), ["blue"]);
  state.take({ kind: "board", n: 3, board: { ...board, question: { seat: null } } });
  assert.deepEqual(state.waitedFor(), ["red"]);
  state.take({
    kind: "board",
    n: 4,
    board: { ...board, proposals: [{ asked: ["red"] }, { asked: ["blue"] }] },
  });
  assert.deepEqual(state.waitedFor(), ["red", "blue"]);
});

test("what was learnt of ranks goes with the game", () => {
  const state = new State();
  state.learned.set("p1", "10");
  state.take({ ...snapshot, view: { to_act: [], board: { a1: {} } } });
  assert.equal(state.learned.size, 1);
  state.take(snapshot);
  assert.equal(state.learned.size, 0);
});

test("only the latest messages are kept, and each is counted", () => {
  const state = new State();
  for (let n = 0; n < 260; n++) state.hear({ kind: "turn", n });
  assert.equal(state.told.length, 250);
  assert.equal(state.told[0].n, 10);
  assert.equal(state.heard, 260);
});

test("a seat that is another device's is forgotten whole", () => {
  const state = new State();
  state.take(snapshot);
  state.chosen = "a3";
  state.forget();
  assert.deepEqual({ ...state }, { ...new State() });
});

test("a screen shows the board at which its seat sits", () => {
  const state = new State();
  const boards = [
    { name: "", seats: ["blue"], chores: [], marks: {}, question: null, waits: "Wait." },
    { name: "north", seats: [seat], chores: [{ do: "put", space: "e5" }], marks: { e5: "put" }, waits: null },
  ];
  state.take({ kind: "board", n: 2, board: { ...board, waits: null, boards } });
  assert.deepEqual(state.board.marks, { e5: "put" });
  assert.equal(state.board.chores.length, 1);
  assert.equal(state.board.waits, null);
  assert.deepEqual(state.board.proposals, []);
});
