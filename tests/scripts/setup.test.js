import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { Setup, mirrored } = await script("setup");

/** The squares of a board 30 mm apart: a1 b1 ... */
function squares(files, rows) {
  return [...files].flatMap((file, x) =>
    rows.map((row) => ({ id: `${file}${row}`, x: 15 + 30 * x, y: 30 * row })),
  );
}

const eight = squares("abcdefgh", [1, 2, 3]);

/** A seat's draft of two pieces, whose umpire answers with what `answers` holds, in this order. */
function drafting(answers, asked) {
  globalThis.sessionStorage ??= { getItem: () => null, removeItem() {}, setItem() {} };
  globalThis.addEventListener ??= () => {};
  const setup = new Setup(
    "red",
    {
      say: async (verb, { preset, text }) => {
        assert.equal(verb, "suggest");
        asked.push([preset, text]);
        return { ok: true, text: "", setup: await answers.shift() };
      },
    },
    { spaces: eight },
  );
  setup.meet({ army: { F: 1, B: 1 }, ready: {}, phase: "setup" }, { zone: eight.map(({ id }) => id) });
  return setup;
}

test("left and right change places, and twice is as it was", () => {
  const zone = new Set(eight.map(({ id }) => id));
  const draft = new Map([
    ["a1", "F"],
    ["b2", "B"],
    ["h3", "2"],
  ]);
  const once = mirrored(draft, zone, eight);
  assert.deepEqual(Object.fromEntries(once), { h1: "F", g2: "B", a3: "2" });
  assert.deepEqual(mirrored(once, zone, eight), draft);
});

test("a set-up whose mirror leaves the zone stays as it is", () => {
  const draft = new Map([["a1", "F"]]);
  assert.equal(mirrored(draft, new Set(["a1", "b1"]), eight), draft);
});

test("what stands already is told to the umpire, who stands the rest", async () => {
  const asked = [];
  const setup = drafting([Promise.resolve({ a1: "F", b1: "B" })], asked);
  setup.draft.set("a1", "F");
  await setup.ask();
  assert.deepEqual(asked, [["", "setup a1=F"]]);
  assert.deepEqual(Object.fromEntries(setup.draft), { a1: "F", b1: "B" });
  assert.equal(setup.complete, true);
});

test("a whole set-up gives way to a new one, and to one that is ready", async () => {
  const asked = [];
  const found = { a1: "F", b1: "B" };
  const setup = drafting([Promise.resolve(found), Promise.resolve(found), Promise.resolve(found)], asked);
  await setup.ask();
  await setup.ask();
  setup.draft.delete("a1");
  await setup.ask("fortress");
  assert.deepEqual(asked, [
    ["", ""],
    ["", ""],
    ["fortress", ""],
  ]);
});

test("of two that were asked for the later stays, and none comes once it is said", async () => {
  /** @type {(found: any) => void} */
  let late = () => {};
  const setup = drafting(
    [new Promise((resolve) => (late = resolve)), Promise.resolve({ c1: "F", d1: "B" })],
    [],
  );
  const first = setup.ask();
  await setup.ask();
  late({ a1: "F", b1: "B" });
  await first;
  assert.deepEqual(Object.fromEntries(setup.draft), { c1: "F", d1: "B" });
});
