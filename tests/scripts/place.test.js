import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

globalThis.location ??= { pathname: "/seat/allies" };
const seats = ["hitler", "allies"];
const board = "/board/en-1.json";
const { about, far, unroll } = await script("place", {
  words: {},
  language: "en",
  seats,
  printed: {},
  board,
});

test("a board with two sides is turned round for the second seat", () => {
  assert.equal(far(), "allies");
});

test("what is printed on the board is put to the rest, and a map is read upright by both seats", async () => {
  const asked = [];
  globalThis.fetch = async (path) => {
    asked.push(path);
    return Response.json({ lines: [["bonn", "kiel"]] });
  };
  await unroll();
  assert.deepEqual(asked, [board]);
  assert.deepEqual(about.printed.lines, [["bonn", "kiel"]]);
  assert.equal(far(), null);
});
