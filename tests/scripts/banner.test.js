import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

globalThis.location ??= { pathname: "/seat/red" };
const { met, way } = await script("banner", {
  words: {},
  language: "en",
  seats: ["red", "blue"],
  printed: {},
});

const battle = (more) => ({
  seat: "blue",
  events: [{ kind: "battle", from: "d5", to: "d4", result: "attacker", ...more }],
});

test("both pieces of a battle are drawn as everybody was told", () => {
  assert.deepEqual(met(battle({ attacker: "9", defender: "S" }), null), [
    { seat: "blue", rank: "9", stays: true },
    { seat: "red", rank: "S", stays: false },
  ]);
});

test("where no ranks are told, each is as this screen knew it", () => {
  const before = { board: { d5: { seat: "blue", rank: "?" }, d4: { seat: "red", rank: "3" } } };
  assert.deepEqual(met(battle({ result: "both" }), before), [
    { seat: "blue", rank: "?", stays: false },
    { seat: "red", rank: "3", stays: false },
  ]);
});

test("the way of a walk is from its first place to its last", () => {
  const step = (from, to) => ({ kind: "move", seat: "red", from, to });
  assert.deepEqual(way({ events: [step("a3", "a4"), step("a4", "a5")] }), ["a3", "a5"]);
  assert.equal(way({ events: [{ kind: "answer", at: "kiel" }] }), null);
  assert.deepEqual(met({ events: [step("a3", "a4")] }, null), []);
});
