import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { drafted, held, ofDraft, spokenOf, viewed } = await script("drawn", {
  words: {},
  language: "en",
  printed: { looks: { names: { 2: "Scout" } } },
});

/** A board a hundred wide a space: `c` is at 300. */
const board = {
  place: (space) => (/^[a-h]/.test(space) ? { x: (space.charCodeAt(0) - 96) * 100, y: 0 } : null),
  stand: (space, number) => ({ x: (space.charCodeAt(0) - 96) * 100 + number, y: 9 }),
  beside: (own, place, count) => ({ x: place, y: count }),
};
const red = { seat: "red", rank: "2" };
const blue = { seat: "blue", rank: "?" };

test("a piece that moves keeps its key, so that it is drawn moving", () => {
  const first = viewed({ board: { a3: red, b6: blue } }, board, new Map(), false);
  const second = viewed({ board: { a4: red, b6: blue } }, board, first.keys, false);
  assert.equal(second.keys.get("a4/0"), first.keys.get("a3/0"));
  assert.equal(second.keys.get("b6/0"), first.keys.get("b6/0"));
});

test("a piece takes no key of the other side's", () => {
  const first = viewed({ board: { a3: red } }, board, new Map(), false);
  const second = viewed({ board: { a4: blue } }, board, first.keys, false);
  assert.notEqual(second.keys.get("a4/0"), first.keys.get("a3/0"));
  assert.equal(second.keys.size, 1);
});

test("several pieces on a space stand side by side, and small", () => {
  const { pieces } = viewed({ board: { c1: [red, red] } }, board, new Map(), false);
  assert.deepEqual(
    pieces.map(({ x, small }) => [x, small]),
    [
      [292.5, 0.72],
      [307.5, 0.72],
    ],
  );
});

test("where a board has a spot for each piece of a space, that is taken", () => {
  const { pieces } = viewed({ board: { c1: [red, red] } }, board, new Map(), true);
  assert.deepEqual(
    pieces.map(({ x, y, small }) => [x, y, small]),
    [
      [300, 9, 1],
      [301, 9, 1],
    ],
  );
});

test("what stands on no space of the board is not drawn", () => {
  assert.deepEqual(viewed({ board: { z9: red } }, board, new Map(), false).pieces, []);
});

test("a piece whose kind everybody may know is called by it", () => {
  const view = { board: { a1: { seat: "white", kind: "rook" } } };
  const { pieces } = viewed(view, board, new Map(), false);
  assert.equal(pieces[0].rank, "rook");
  assert.equal(spokenOf(pieces, []).a1, "White's rook");
});

test("what a game's scene adds stands beside what everybody sees", () => {
  const own = { c1: [{ seat: "hidden", rank: "★" }], d4: [blue] };
  assert.deepEqual(held({ board: { c1: red, e5: blue } }, own), {
    c1: [red, own.c1[0]],
    d4: [blue],
    e5: blue,
  });
  const { pieces } = viewed({ board: { c1: red } }, board, new Map(), false, own);
  assert.deepEqual(
    pieces.map(({ space, seat, small }) => [space, seat, small]),
    [
      ["c1", "red", 0.72],
      ["c1", "hidden", 0.72],
      ["d4", "blue", 1],
    ],
  );
});

test("a draft is what was placed, and what is left of the army beside the board", () => {
  const setup = {
    seat: "red",
    draft: new Map([["a1", "F"]]),
    left: () => [
      ["B", 2],
      ["S", 1],
      ["2", 0],
    ],
  };
  const pieces = drafted(setup, board);
  assert.deepEqual(
    pieces.map(({ key, badge }) => [key, badge]),
    [
      ["draft:a1", undefined],
      ["army:B", 2],
      ["army:S", null],
    ],
  );
  assert.ok(pieces.every(({ key }) => ofDraft(key)));
  assert.ok(!ofDraft("red a3/0 0"));
  assert.ok(!ofDraft(null));
});

test("who listens hears the signs that are drawn on a piece", () => {
  const spoken = spokenOf(
    [
      { space: "d5", ...red, moved: true, known: true },
      { space: "b6", ...blue, moved: true, known: false },
    ],
    [],
  );
  assert.match(spoken.d5, /^Red's .*Scout.*, has moved, known to everybody$/);
  assert.equal(spoken.b6, "Blue: a piece, has moved");
});

test("a hidden rank is never read out, nor is whoever hides", () => {
  const spoken = spokenOf(
    [
      { space: "a3", ...red },
      { space: "b6", ...blue },
      { space: "c1", seat: "hidden", rank: "★" },
      { seat: "red", rank: "B", is: "beside" },
    ],
    [["a1", "F"]],
  );
  assert.deepEqual(Object.keys(spoken), ["a3", "b6", "a1"]);
  assert.match(spoken.a3, /^Red's .*Scout/);
  assert.equal(spoken.b6, "Blue: a piece");
});
