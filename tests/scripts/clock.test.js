import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { spelled } = await script("clock");

for (const [left, text] of [
  [3_723_000, "1:02:03"],
  [904_000, "15:04"],
  [10_000, "0:10"],
  [9_900, "0:09.9"],
  [1, "0:00.1"],
  [0, "0:00.0"],
  [-5, "0:00.0"],
])
  test(`${left} ms are told as ${text}`, () => assert.equal(spelled(left), text));
