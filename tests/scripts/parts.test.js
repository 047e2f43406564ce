import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { evening, lineOf, nameSpaces, once, outcome, standing } = await script("parts");
const { call } = await script("words");

nameSpaces([
  { id: "a3", name: "a3" },
  { id: "munich", name: "Munich" },
]);

test("a refusal says who, what and why", () => {
  const refused = {
    kind: "ruling",
    ok: false,
    seat: "red",
    action: "ask munich",
    refusal: { text: "Not now." },
  };
  assert.deepEqual(lineOf(refused), [["refused", "Red ask Munich: Not now."]]);
});

test("steps of one walk are told as one", () => {
  const step = (from, to) => ({ kind: "move", seat: "red", from, to });
  const walk = {
    kind: "ruling",
    ok: true,
    text: ["one", "two"],
    events: [step("a3", "a4"), step("a4", "a5")],
  };
  assert.deepEqual(lineOf(walk), [["ruling", "Red: a3 to a5."]]);
});

test("what everybody was told is not told again in private", () => {
  assert.deepEqual(lineOf({ kind: "private", refusal: { text: "x" }, alone: false }), []);
  assert.deepEqual(lineOf({ kind: "private", refusal: { text: "x" }, alone: true }), [
    ["private", "For you alone: x"],
  ]);
});

test("an end is told by its winner and its reason, an unknown reason by the winner", () => {
  const ends = { "won flag": "{winner} has the Flag.", "draw agreed": "Agreed." };
  assert.equal(outcome({ winner: "red", reason: "flag" }, ends), "Red has the Flag.");
  assert.equal(outcome({ winner: "red+blue", reason: "flag" }, ends), "Red + Blue has the Flag.");
  assert.equal(outcome({ winner: "red", reason: "new" }, ends), "Red won");
  assert.equal(
    outcome({ winner: "red", reason: "no-move" }, { "won no-move": "{winner} wins: {loser} can't move." }, [
      "red",
      "blue",
    ]),
    "Red wins: Blue can't move.",
  );
  assert.equal(outcome({ winner: null, reason: "agreed" }, ends), "Agreed.");
  assert.equal(outcome({ winner: null, reason: "new" }, ends), "A draw");
});

test("a name with a sign that replacing has a use for stays as it is", () => {
  call({ red: "$& $' (Red)" });
  assert.equal(
    outcome({ winner: "red", reason: "flag" }, { "won flag": "{winner} won." }),
    "$& $' (Red) won.",
  );
  call({});
});

test("pieces that a view tells by name belong to their owners", () => {
  assert.deepEqual(standing({ pieces: { tank: "munich" }, owners: { tank: "allies" } }), {
    munich: [{ seat: "allies", rank: "tank" }],
  });
});

test("the end is told once: with what brought it, or by itself", () => {
  const brought = {
    kind: "ruling",
    ok: true,
    text: ["a3 attacks a8.", "Red has captured the Flag and wins."],
  };
  const over = { kind: "over", text: "Red has captured the Flag and wins." };
  assert.deepEqual(once([brought, over]), [brought]);
  const late = { kind: "over", text: "Red won on time." };
  assert.deepEqual(once([brought, late]), [brought, late]);
});

test("an evening's score is of the same people, one game after the other", () => {
  const hour = 3600 * 1000;
  const game = (at, won, people = ["Anna", "Ben"], id = "duel") => ({
    game: id,
    begun_ms: at * hour,
    results: people.map((player, place) => [
      player,
      ["red", "blue"][place],
      won === null ? null : won === place,
    ]),
  });
  assert.deepEqual(evening([]), []);
  assert.deepEqual(evening([game(30, 0)]), [], "one game has no score");
  assert.deepEqual(evening([game(31, 0), game(30, 1), game(29, null)]), [
    ["red", 1],
    ["blue", 1],
  ]);
  const swapped = game(30, 0, ["Ben", "Anna"]);
  assert.deepEqual(
    evening([game(31, 0), swapped]),
    [
      ["red", 1],
      ["blue", 1],
    ],
    "whoever sits elsewhere is the same person",
  );
  const nobody = ["", ""];
  assert.deepEqual(
    evening([game(31, 0, nobody), game(30, 0, nobody), game(29, 0)]),
    [
      ["red", 2],
      ["blue", 0],
    ],
    "who gave no name is known by the seat",
  );
  assert.deepEqual(evening([game(60, 0), game(30, 0)]), [], "that was another evening");
  assert.deepEqual(evening([game(31, 0), game(30, 0, ["Anna", "Ben"], "hunt"), game(29, 0)]), []);
});
