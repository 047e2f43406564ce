import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { backmost } = await script("setup");

test("a Flag is put into the row furthest from the enemy", () => {
  const near = ["a1", "b1", "a2", "b2", "a3"];
  assert.equal(backmost(["a3", "b2", "b1", "a1"], near), "b1");
  assert.equal(backmost(["a3", "b2"], near), undefined, "that row is full");
  assert.equal(backmost(["a6", "a7", "c8"], ["a6", "a7", "a8", "c8"]), "c8");
  assert.equal(backmost(["j7", "a10"], ["j7", "a10"]), "a10");
});
