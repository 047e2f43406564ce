import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

/** What a document makes: a thing that remembers how it was drawn. */
class Drawn {
  attributes = {};
  style = {};
  constructor(tag) {
    this.tag = tag;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  append() {}
}
globalThis.document = /** @type {any} */ ({
  getElementById: () => null,
  createElementNS: (_space, tag) => new Drawn(tag),
});
const { face } = await script("pieces");

/** How the part of a piece with that class is drawn. */
const part = (seat, kind, rank = "?") =>
  face({ seat, rank }).find(({ attributes }) => attributes.class === kind)?.attributes.d;

test("each side's hidden pieces have a shape and a sign of their own", () => {
  for (const kind of ["block", "crest"]) {
    assert.ok(part("red", kind));
    assert.ok(part("blue", kind));
    assert.notEqual(part("red", kind), part("blue", kind));
  }
  assert.equal(part("red", "crest", "9"), undefined, "a rank that is known stands there instead");
  assert.equal(part("blue", "block", "9"), part("blue", "block"), "the shape tells nothing of the rank");
});
