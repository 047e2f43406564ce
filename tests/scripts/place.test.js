import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

globalThis.location ??= { pathname: "/seat/allies" };
const seats = ["hitler", "allies"];
const printed = { lines: [["bonn", "kiel"]] };
const { far } = await script("place", { words: {}, language: "en", seats, printed });

test("a map is read upright by both of two seats", () => {
  assert.equal(far, null);
});
