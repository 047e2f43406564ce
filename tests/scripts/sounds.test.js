import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { script } from "./page.js";

/** What a browser brings: a store, touches, and oscillators, which say when they begin. */
let store = new Map();
let touch = () => {};
let begun = [];
const node = { connect: (to) => to, disconnect: () => {} };
const level = { setValueAtTime: () => {}, linearRampToValueAtTime: () => {} };
Object.assign(globalThis, {
  localStorage: {
    getItem: (key) => store.get(key) ?? null,
    setItem: (key, value) => store.set(key, value),
  },
  addEventListener: (_name, call) => (touch = call),
  AudioContext: class {
    currentTime = 0;
    destination = node;
    state = "suspended";
    createGain = () => ({ ...node, context: this });
    resume() {
      this.state = "running";
    }
  },
  OscillatorNode: class {
    constructor(_audio, { frequency }) {
      Object.assign(this, node, { frequency });
    }
    start = (at) => begun.push([this.frequency, at]);
    stop = () => {};
  },
  GainNode: class {
    gain = level;
    connect = node.connect;
  },
});
const { Sounds } = await script("sounds");
const tunes = { accepted: [[880, 80, 80]] };
const pitches = () => begun.map(([hz]) => hz);

beforeEach(() => {
  store = new Map();
  begun = [];
});

test("the own turn is heard unless somebody wants it silent, and no other sound is", () => {
  const sounds = new Sounds(tunes);
  sounds.turn();
  assert.deepEqual(begun, [], "nothing before a touch");
  touch();
  sounds.play("accepted");
  assert.deepEqual(begun, []);
  sounds.turn();
  assert.equal(begun.length, 3);
  sounds.setTune(false);
  sounds.turn();
  assert.equal(begun.length, 3);
  const again = new Sounds(tunes);
  touch();
  again.turn();
  assert.equal(begun.length, 3, "the device keeps it");
  assert.equal(again.unasked, false);
});

test("the own turn waits until the sound of what brought it is over", () => {
  store.set("boardumpire sounds", "yes");
  const sounds = new Sounds(tunes);
  assert.equal(sounds.unasked, true);
  touch();
  sounds.play("accepted");
  sounds.turn();
  assert.deepEqual(pitches(), [880, 784, 988, 1175]);
  assert.ok(begun[1][1] >= begun[0][1] + 0.16);
  sounds.play("accepted");
  assert.equal(begun[4][1], begun[0][1], "a sound of the board waits for nothing");
});
