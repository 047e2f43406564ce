import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { script } from "./page.js";

/** What a browser brings: the tab's icon, a motor, a lock on the screen. */
const icon = { href: "", setAttribute: (_name, value) => (icon.href = value) };
const buzzed = [];
const played = [];
const locks = [];
Object.assign(globalThis, {
  document: {
    title: "",
    visibilityState: "visible",
    addEventListener: (_name, call) => (globalThis.document.seen = call),
    getElementById: (id) =>
      id === "icon" ? icon : { textContent: JSON.stringify({ words: {}, language: "en" }) },
  },
});
Object.defineProperty(globalThis, "navigator", {
  value: {
    userActivation: { hasBeenActive: true },
    vibrate: (ms) => buzzed.push(ms),
    wakeLock: {
      request: async () => {
        const lock = { released: false, release: async () => (lock.released = true) };
        locks.push(lock);
        return lock;
      },
    },
  },
});
const { Attention } = await script("attention");
const soon = () => new Promise((resolve) => setTimeout(resolve));

test("the own turn changes the tab, plays and buzzes once", () => {
  const attention = new Attention(() => played.push("turn"));
  attention.show("Red · Boardumpire", false, true);
  assert.equal(globalThis.document.title, "Red · Boardumpire");
  attention.show("Red · Boardumpire", true, true);
  attention.show("Red · Boardumpire", true, true);
  assert.equal(globalThis.document.title, "● Your turn · Red · Boardumpire");
  assert.match(icon.href, /^data:image/);
  const turn = icon.href;
  assert.equal(buzzed.length, 1);
  assert.deepEqual(played, ["turn"]);
  attention.show("Red · Boardumpire", false, true);
  assert.equal(globalThis.document.title, "Red · Boardumpire");
  assert.notEqual(icon.href, turn);
  const file = new URL("../../controller/umpire/boardumpire/web/static/icon.svg", import.meta.url);
  assert.equal(
    decodeURIComponent(icon.href.replace("data:image/svg+xml,", "")),
    readFileSync(file, "utf8").trim(),
  );
});

test("the screen stays awake while a game goes on, also after the page was hidden", async () => {
  locks.length = 0;
  const attention = new Attention(() => played.push("turn"));
  attention.show("Red", false, true);
  await soon();
  assert.deepEqual(
    locks.map(({ released }) => released),
    [false],
  );
  locks[0].released = true; // as a browser does to a page that is hidden
  globalThis.document.seen();
  await soon();
  assert.deepEqual(
    locks.map(({ released }) => released),
    [true, false],
  );
  attention.show("Red", false, false);
  await soon();
  assert.deepEqual(
    locks.map(({ released }) => released),
    [true, true],
  );
});
