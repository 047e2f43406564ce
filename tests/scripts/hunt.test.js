import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { Scene } = await script("game/fall-of-the-fuhrer/hunt");

const printed = { spaces: [{ id: "munich", name: "Munich", x: 0, y: 0, w: 10, h: 10 }] };
const board = { place: () => ({ x: 200, y: 100 }) };

test("whoever hides is drawn on the screen that knows where", () => {
  const scene = new Scene(printed);
  assert.deepEqual(scene.beside({}, board), []);
  assert.deepEqual(scene.stands({}), {});
  assert.equal(scene.beside({ sheet: { at: "munich" } }, board)[0].x, 188);
  assert.deepEqual(Object.keys(scene.stands({ sheet: { at: "munich" } })), ["munich"]);
});

test("a tap is meant for the sheet only while its seat enters it", () => {
  const scene = new Scene(printed);
  const view = { phase: "sheet", to_act: ["hitler"] };
  assert.equal(scene.tapped({ ...view, phase: "move" }, "hitler", "munich"), false);
  assert.equal(scene.tapped(view, "allies", "munich"), false);
  assert.equal(scene.tapped(view, "hitler", null), false);
  assert.deepEqual(scene.kept(), []);
  assert.equal(scene.tapped(view, "hitler", "munich"), true);
  assert.deepEqual(scene.kept(), ["munich"]);
  scene.forget();
  assert.deepEqual(scene.kept(), []);
});

test("what happened is drawn with what everybody was told, never with where he is", () => {
  const scene = new Scene(printed);
  const view = { owners: { spy: "spy", tank: "tank-spy" }, sheet: { at: "munich" } };
  const drawn = (...events) => scene.met(events, view).map(({ seat, rank }) => [seat, rank]);
  assert.deepEqual(drawn({ kind: "went", piece: "tank", from: "bonn", to: "kiel" }), [["tank-spy", "tank"]]);
  assert.deepEqual(drawn({ kind: "answer", at: "ulm", thing: "no" })[1], ["hidden", "✗"]);
  assert.deepEqual(drawn({ kind: "answer", at: "ulm", thing: "yes" })[1], ["hidden", "★"]);
  assert.deepEqual(drawn({ kind: "moved", round: 3 }, { kind: "token", at: "bonn" }), [["hidden", "?"]]);
  assert.deepEqual(drawn({ kind: "offer", seat: "spy" }), []);
});

test("whoever hides may stay where he is, and reads it so", () => {
  const element = () => ({ setAttribute() {}, append() {}, replaceChildren() {} });
  globalThis.document.createElementNS ??= element;
  const scene = new Scene(printed);
  const drawn = { layers: { print: element(), signs: element() }, place: () => null };
  scene.draw(drawn, { phase: "hitler", round: 2, sheet: { at: "munich", entries: ["munich"] } });
  assert.equal(scene.labels.go("Munich", ["munich"]), "Stay in Munich");
  assert.equal(scene.labels.go("Bonn", ["bonn"]), "Move to Bonn");
  assert.equal(scene.labels.go("Bonn", ["bonn", "ticket=1"]), "Move to Bonn with a ticket");
});

test("while the Spy asks, the others read that it does", () => {
  const view = { phase: "ask", to_act: ["tank-spy"], asked: [] };
  assert.deepEqual(new Scene(printed).situation(view, "hitler"), ["Tank-spy: the Spy's questions"]);
  assert.equal(
    new Scene(printed).situation(view, "tank-spy")[0],
    "Where should the Spy ask? 2 questions left",
  );
});
