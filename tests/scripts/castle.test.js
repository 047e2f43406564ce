import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { Scene } = await script("game/escape-from-colditz/castle");

const spaces = [
  { id: "canteen3", name: "Canteen 3" },
  { id: "a1", name: "Appel area a1" },
];
const scene = new Scene({ scenery: { names: {}, circles: {}, tunnels: {}, cards: {} }, spaces, lines: [] });
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

test("before the roll nobody reads of points, and the Security Officer nothing of trades", () => {
  const before = { ...view, phase: "before", points: 0, to_act: ["security"], turn: "security" };
  assert.doesNotMatch(scene.situation(before, "security", { moves: {}, acts: ["roll"] }).join(" "), /trade/);
  const officer = { ...before, to_act: ["american"] };
  assert.match(scene.situation(officer, "american", { moves: {}, acts: ["roll"] }).join(" "), /trade/);
  assert.equal(scene.strip(before), null);
});

test("who is asked without a card that fits reads so", () => {
  const open = { what: "answer", seat: "american", asked: ["american"], to: "arrest", at: "a1" };
  const asks = (acts) => scene.situation({ ...view, open }, "american", { moves: {}, acts })[2];
  assert.match(asks(["pass"]), /None of your cards fits/);
  assert.equal(asks(["pass", "play hideaway canteen3"]), "");
});

test("who gives up Equipment reads who was arrested where, or which card wants it", () => {
  const open = { what: "confiscate", seat: "american" };
  const why = (told) => scene.situation({ ...view, open }, "american", { moves: {}, acts: [] }, told)[1];
  const arrest = { events: [{ kind: "move" }, { kind: "arrest", seat: "american", at: "canteen3" }] };
  assert.equal(why([arrest, { kind: "turn" }]), "American: a man was arrested, on Canteen 3.");
  const search = { events: [{ kind: "play", seat: "security", card: "search" }] };
  assert.equal(why([arrest, search]), "Security: played search.");
  assert.equal(why([]), "");
});

test("who posts guards reads how many stand", () => {
  const castle = new Scene({
    scenery: { names: {}, circles: { n1: {}, n2: {} }, tunnels: {}, cards: {} },
    spaces,
    lines: [],
  });
  const places = { barracks: ["security:0", "security:1"], n1: ["security:2"], n2: ["american:0"] };
  const posting = { phase: "deploy", to_act: ["security"], turn: "security", open: null, places };
  assert.equal(castle.situation(posting, "security", null)[1], "1 guard posted.");
});
