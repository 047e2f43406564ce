import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { sized } = await script("frames");

test("every message is a whole number of kilobytes long, whatever it says", () => {
  for (let length = 0; length < 2100; length += 7) {
    const sent = sized({ do: "say", id: "a-1", text: "x".repeat(length) });
    assert.equal(Buffer.byteLength(sent) % 1024, 0);
  }
});

test("a resignation is as long as a move", () => {
  const said = (text) => sized({ do: "say", id: "a-1", text }).length;
  assert.equal(said("resign"), said("a4-a5"));
});

test("letters of any alphabet arrive as they were, and count as they are sent", () => {
  const message = { do: "say", id: "ü-1", text: "Führer · Ключ · 🏰" };
  const sent = sized(message);
  assert.match(sent, /^[\x20-\x7e]*$/);
  assert.equal(sent.length % 1024, 0);
  const { pad, ...read } = JSON.parse(sent);
  assert.deepEqual(read, message);
  assert.match(pad, /^ *$/);
});
