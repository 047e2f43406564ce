import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { Scene } = await script("game/escape-from-colditz/castle");

const spaces = [
  { id: "canteen3", name: "Canteen 3" },
  { id: "a1", name: "Appel area a1" },
];
const scene = new Scene({ scenery: { names: {}, circles: {}, tunnels: {} }, spaces, lines: [] });
const view = { phase: "main", to_act: ["american"], open: null, points: 2 };
const asked = (moves, acts) => scene.situation(view, "american", { moves, acts });

test("who may not end the turn yet is told which pawn has to move on", () => {
  assert.deepEqual(asked({ canteen3: ["a1"] }, []), ["Canteen 3: no pawn may stay there, move it on"]);
  assert.equal(asked({ canteen3: ["a1"] }, ["end"])[0], "Move your pawns: 2 points left");
  assert.equal(asked({ canteen3: ["a1"], a1: ["canteen3"] }, [])[0], "Move your pawns: 2 points left");
  assert.match(asked({ canteen3: ["a1"] }, ["discard tunnel"])[1], /more than three cards/);
});

test("while guards are posted the others read that they will be", () => {
  const posting = { phase: "deploy", to_act: ["security"], turn: "security", open: null };
  assert.equal(scene.situation(posting, "american", null)[0], "Security: guards to post");
  assert.equal(scene.situation(posting, "security", null)[0], "Post your guards");
});
