import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

globalThis.location ??= { pathname: "/seat/red" };
const { brief, joined, met, way } = await script("banner", {
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

test("a piece that moved is drawn as this screen knows it, and what it took beside it", () => {
  const told = { seat: "red", events: [{ kind: "move", seat: "red", from: "a3", to: "a4" }] };
  const own = { board: { a3: { seat: "red", rank: "9" } } };
  assert.deepEqual(met(told, own), [{ seat: "red", rank: "9", stays: true }]);
  const enemy = { board: { a3: { seat: "red", rank: "?" }, a4: { seat: "blue", kind: "pawn" } } };
  assert.deepEqual(met(told, enemy), [
    { seat: "red", rank: "?", stays: true },
    { seat: "blue", rank: "pawn", stays: false },
  ]);
  const later = { board: { a4: { seat: "red", rank: "9" } } };
  assert.deepEqual(met(told, null, later), [{ seat: "red", rank: "9", stays: true }], "opened later");
  const gone = { board: { a4: { seat: "blue", rank: "4" } } };
  assert.deepEqual(met(told, null, gone), [{ seat: "red", rank: "?", stays: true }], "it moved on");
  assert.deepEqual(met(told, { pieces: {} }), [], "a game of its own draws what it has");
});

test("a long sentence is left to the list, where there are others", () => {
  const long = "x".repeat(200);
  const events = [{ kind: "captured" }, { kind: "sheet" }];
  assert.deepEqual(brief({ text: ["Found.", long], events }), { text: ["Found."], events: [events[0]] });
  assert.deepEqual(brief({ text: [long] }), { text: [long] });
});

test("of many sentences the first and the last are shown, with what they tell", () => {
  const text = Array.from(
    { length: 9 },
    (_none, number) => `American: Kitchen ${number} to Appel area a${number}.`,
  );
  const events = text.map((_line, number) => ({ kind: "line-up", number }));
  const short = brief({ kind: "ruling", text, events });
  assert.deepEqual(short.text, [text[0], text[7], text[8]]);
  assert.deepEqual(short.events, [events[0], events[7], events[8]]);
  assert.deepEqual(brief({ text: ["x".repeat(300)] }).text, ["x".repeat(300)]);
});

test("a long walk is told by where it ends, and with what came of it", () => {
  const stops = ["Appel area a6", "Guard post c16", "Kitchen 1", "Inner Courtyard d14", "Showers 3"];
  const steps = stops.slice(1).map((to, place) => ({
    text: `British: ${stops[place]} to ${to}.`,
    event: { kind: "move", seat: "british", from: stops[place], to },
  }));
  const ruling = (told) => ({
    kind: "ruling",
    text: told.map(({ text }) => text),
    events: told.map(({ event }) => event),
  });
  assert.deepEqual(brief(ruling(steps)).text, ["British: Appel area a6 to Showers 3."]);
  const rope = {
    text: "British: used Equipment, Rope (1), and left a marker there.",
    event: { kind: "use", seat: "british" },
  };
  const away = {
    text: "British: a man has escaped (Showers 3). That makes 1.",
    event: { kind: "escape", seat: "british" },
  };
  const escape = brief(ruling([...steps.slice(0, 2), rope, ...steps.slice(2), away]));
  assert.deepEqual(escape.text, ["British: Appel area a6 to Showers 3.", away.text]);
  assert.deepEqual(
    escape.events.map(({ kind }) => kind),
    ["move", "escape"],
  );
});

test("what a die adds is told with what was done before, where there is room for both", () => {
  const stays = {
    seat: "tank-spy",
    text: ["Tank stays.", "Kiel is liberated."],
    events: [{ kind: "stayed" }],
  };
  const rolls = { seat: "chance", text: ["Spy rolled 3."], events: [{ kind: "rolled" }] };
  const whole = joined(stays, rolls);
  assert.deepEqual(whole.text, ["Tank stays.", "Kiel is liberated.", "Spy rolled 3."]);
  assert.deepEqual(
    whole.events.map(({ kind }) => kind),
    ["stayed", "rolled"],
  );
  assert.deepEqual(joined({ seat: "tank-spy", text: [], events: [] }, rolls).text, rolls.text);
  assert.equal(joined({ ...stays, text: ["x".repeat(110)] }, rolls), rolls);
});
