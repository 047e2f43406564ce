import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { Acts } = await script("spaces");
const hunt = await script("game/fall-of-the-fuhrer/hunt");

const printed = {
  spaces: [
    { id: "munich", name: "Munich" },
    { id: "bonn", name: "Bonn" },
  ],
};

test("acts are found by the place that they name last, others stand by themselves", () => {
  const acts = new Acts(["roll", "go munich", "go bonn ticket=1", "written munich recapture=bonn"], printed);
  assert.deepEqual(acts.plain, ["roll"]);
  assert.deepEqual(acts.at.get("munich"), ["go munich"]);
  assert.deepEqual(acts.at.get("bonn"), ["go bonn ticket=1", "written munich recapture=bonn"]);
});

test("whoever asks about two places finds the act at either", () => {
  const acts = new Acts(["ask munich bonn"], printed);
  assert.deepEqual([...acts.at.keys()], ["munich", "bonn"]);
});

test("what is done with a tray is called as the game says it", () => {
  const acts = new Acts(["munich-off"], printed, {}, { "munich-off": "Take Munich off the board" });
  assert.equal(acts.label("munich-off"), "Take Munich off the board");
  assert.deepEqual(acts.plain, ["munich-off"]);
});

test("of many acts with a tray those of the chosen place are shown", () => {
  const said = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((tray) => [`tray${tray}-bonn`, `Put a piece on Bonn, from tray${tray}`]),
  );
  said["munich-off"] = "Take Munich off the board";
  const acts = new Acts(Object.keys(said), printed, {}, said);
  assert.deepEqual(acts.plain, []);
  assert.deepEqual(acts.at.get("munich"), ["munich-off"]);
  assert.equal(acts.at.get("bonn").length, 6);
});

test("an act is called by its words, as the game's scene calls it", () => {
  const { Scene } = hunt;
  const acts = new Acts([], printed, new Scene(printed).labels);
  assert.equal(acts.label("go munich"), "Move to Munich");
  assert.equal(acts.label("go munich ticket=1"), "Move to Munich with a ticket");
  assert.equal(acts.label("stay"), "Stay");
  assert.equal(acts.label("roll"), "Roll the die");
  assert.equal(acts.label("something else"), "something else");
  assert.equal(new Acts([], printed).label("go munich"), "go munich");
});
