import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { _, call, called, counted, language, listed, seat } = await script("words", {
  language: "ru",
  words: {
    "{seat} to move": "ходит {seat}",
    "and {n} more": {
      one: "и ещё {n} дело",
      few: "и ещё {n} дела",
      many: "и ещё {n} дел",
      other: "и ещё {n}",
    },
    Red: "Красные",
  },
});
const { named } = await script("dom");

test("a sentence is told in the screen's language, with its values", () => {
  assert.equal(language, "ru");
  assert.equal(_("{seat} to move", { seat: seat("Red") }), "ходит Красные");
});

test("a sentence without a translation stays English, a name without a value stays a name", () => {
  assert.equal(_("{seat} to {verb}", { seat: "Blue" }), "Blue to {verb}");
});

test("a count takes the form that the language has for it", () => {
  const said = [1, 2, 5, 21].map((n) => counted("and one more", "and {n} more", n));
  assert.deepEqual(said, ["и ещё 1 дело", "и ещё 2 дела", "и ещё 5 дел", "и ещё 21 дело"]);
});

test("names are listed as one lists them", () => {
  assert.equal(listed(["А", "Б", "В"]), "А, Б и В");
});

test("who gave a name is called by it until others play", () => {
  call({ red: "Анна (Красные)" });
  assert.deepEqual([named("red"), named("blue"), named(null)], ["Анна (Красные)", "Blue", ""]);
  assert.equal(_("{seat} to move", { seat: named("red") }), "ходит Анна (Красные)");
  call({ blue: "{seat} <b> (Blue)" });
  assert.equal(_("{seat} to move", { seat: named("blue") }), "ходит {seat} <b> (Blue)");
  call(undefined);
  assert.deepEqual([named("red"), called], ["Красные", {}]);
});

test("a player between brackets has none of its own", () => {
  const anna = { seat: "Anna (Red)", text: "Blackout (once)" };
  assert.equal(_("The card ({seat}): “{text}”", anna), "The card (Anna, Red): “Blackout (once)”");
  assert.equal(_("{seat}: {text}", anna), "Anna (Red): Blackout (once)");
  assert.equal(_("Marker ({seat})", { seat: "Red" }), "Marker (Red)");
});
