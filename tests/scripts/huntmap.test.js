import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { Pencil, month, newest, visits, wayOf } = await script("game/fall-of-the-fuhrer/huntmap");
const { links, nearest, told } = await script("game/fall-of-the-fuhrer/walk");

const LINES = [
  ["bonn", "koblenz"],
  ["koblenz", "trier"],
  ["koblenz", "frankfurt"],
  ["frankfurt", "kassel"],
];

/** What a browser keeps on the device. */
function kept() {
  const all = new Map();
  globalThis.localStorage = {
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => all.set(key, value),
    removeItem: (key) => all.delete(key),
  };
  return all;
}

test("two rounds a month, from May 1944 to April 1945", () => {
  assert.equal(month(1), "May 1944");
  assert.equal(month(2), "May 1944");
  assert.equal(month(3), "June 1944");
  assert.equal(month(17), "January 1945");
  assert.equal(month(24), "April 1945");
});

test("of each city the newest answer counts", () => {
  const answers = [
    { round: 2, at: "bonn", here: true },
    { round: 4, at: "kassel", here: false },
    { round: 5, at: "bonn", here: false },
  ];
  assert.deepEqual(Object.fromEntries(newest(answers)), {
    bonn: { round: 5, here: false },
    kassel: { round: 4, here: false },
  });
});

test("his way has the numbers of its rounds, a city that he came back to has several", () => {
  assert.deepEqual(Object.fromEntries(visits(["bonn", "trier", "bonn"])), { bonn: [1, 3], trier: [2] });
});

test("a screen draws the token's way, his own the whole one", () => {
  assert.deepEqual(wayOf({ trail: ["bonn"] }), ["bonn"]);
  assert.deepEqual(wayOf({ trail: ["bonn"], sheet: { entries: ["bonn", "trier"] } }), ["bonn", "trier"]);
});

test("the pencil goes from perhaps to not to nothing, and stays on the device", () => {
  const all = kept();
  const pencil = new Pencil();
  pencil.open("marks");
  pencil.tap("bonn");
  assert.deepEqual(pencil.marks, { bonn: "maybe" });
  pencil.tap("bonn");
  pencil.tap("trier");
  const after = new Pencil();
  after.open("marks");
  assert.deepEqual(after.marks, { bonn: "not", trier: "maybe" });
  pencil.tap("bonn");
  assert.deepEqual(pencil.marks, { trier: "maybe" });
  pencil.clear();
  assert.deepEqual(pencil.marks, {});
  assert.equal(all.size, 0);
});

test("what a device kept that is no list of marks is passed over", () => {
  kept().set("marks", "{broken");
  const pencil = new Pencil();
  pencil.open("marks");
  assert.deepEqual(pencil.marks, {});
});

test("links are counted along the lines", () => {
  assert.deepEqual(Object.fromEntries(links(LINES, "bonn")), {
    bonn: 0,
    koblenz: 1,
    trier: 2,
    frankfurt: 2,
    kassel: 3,
  });
});

test("the nearest is looked for at the end of each round, and a capture is no near miss", () => {
  const entries = ["bonn", "trier", "kassel"];
  const at = (round, infantry, tank) => ({ round, pieces: { infantry, tank } });
  const moments = [
    at(0, "bonn", "bonn"),
    at(1, "koblenz", "kassel"),
    at(1, "kassel", "kassel"),
    at(2, "koblenz", "trier"),
    at(3, "kassel", "trier"),
  ];
  assert.deepEqual(nearest(moments, entries, LINES), [
    { piece: "tank", round: 2, far: 0 },
    { piece: "infantry", round: 2, far: 1 },
  ]);
  assert.deepEqual(nearest([], entries, LINES), []);
});

test("each seat is told of it in words of its own", () => {
  const near = { piece: "infantry", round: 9, far: 1 };
  const owners = { infantry: "allies" };
  assert.equal(told(near, owners, "allies"), "You were one road away in round 9 (infantry).");
  assert.equal(told(near, owners, "hitler"), "infantry: one road away from you in round 9.");
  assert.equal(told(near, owners, null), "infantry: one road away from Hitler in round 9.");
  assert.equal(told({ ...near, far: 2 }, owners, "allies"), "You were 2 roads away in round 9 (infantry).");
  assert.equal(told({ ...near, far: 0 }, owners, "allies"), "You were in his city in round 9 (infantry).");
});
