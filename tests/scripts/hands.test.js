import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { script } from "./page.js";

/** What a browser brings: a socket that a test opens and answers. @type {any[]} */
const sockets = [];
class Socket {
  static OPEN = 1;
  readyState = Socket.OPEN;
  sent = [];
  constructor() {
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
}
Object.assign(globalThis, {
  WebSocket: Socket,
  location: { protocol: "http:", host: "board" },
  localStorage: { getItem: () => null },
});
const { Hands } = await script("hands");
mock.timers.enable({ apis: ["setTimeout"] });

/** Hands that have carried Red's piece from d4 to d5, as its screen sees it. */
function carrying() {
  const hands = new Hands({}, () => {});
  const socket = sockets.at(-1);
  const sees = (is, at = {}) =>
    socket.onmessage({
      data: JSON.stringify({
        kind: "world",
        pieces: [{ id: 1, seat: "red", is, ...at }],
        stuck: {},
        diodes: {},
        power: true,
      }),
    });
  sees("stands", { slot: "d4" });
  assert.ok(hands.carry("d4", "d5"));
  return { hands, socket, sees, did: () => socket.sent.slice(1) };
}

test("what is to be put right is, also where the board is seen late", () => {
  const { hands, sees, did } = carrying();
  const chores = [{ do: "put", space: "d5", seat: "red" }];
  hands.heard({ kind: "ruling" });
  hands.look({ chores });
  mock.timers.tick(1000);
  assert.deepEqual(did(), [], "the piece isn't seen in the hand yet");
  sees("held");
  mock.timers.tick(1000);
  assert.deepEqual(did(), [{ do: "tidy", chores }]);
});

test("what is over is laid aside, also where the board is seen late", () => {
  const { hands, sees, did } = carrying();
  hands.heard({ kind: "ruling" });
  mock.timers.tick(1000);
  sees("held");
  mock.timers.tick(1000);
  assert.deepEqual(did(), [{ do: "aside" }]);
  sees("beside");
  mock.timers.tick(1000);
  assert.equal(did().length, 1);
});

test("what others hold before anything is ruled on stays in the hand", () => {
  const { sees, did } = carrying();
  sees("held");
  mock.timers.tick(1000);
  assert.deepEqual(did(), []);
});
