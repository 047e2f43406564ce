import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

/** What a browser brings: a socket that a test opens, answers and cuts. @type {any[]} */
const sockets = [];
class Socket {
  static OPEN = 1;
  readyState = 0;
  sent = [];
  constructor() {
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  begin() {
    this.readyState = Socket.OPEN;
    this.onopen();
    this.tell({ kind: "snapshot", epoch: "e", n: 0 });
  }
  tell(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}
/** The line goes on looking for the umpire; node needn't wait for that. */
const later = globalThis.setTimeout;
const soon = () => new Promise((resolve) => later(resolve));
const heard = {};
Object.assign(globalThis, {
  setTimeout: (...what) => later(...what).unref(),
  WebSocket: Socket,
  location: { protocol: "http:", host: "board", pathname: "/seat/red" },
  addEventListener: (name, call) => (heard[name] = call),
  document: {
    getElementById: () => ({ textContent: JSON.stringify({ words: {}, language: "en" }) }),
    addEventListener: () => {},
    visibilityState: "visible",
  },
});
const { Line } = await script("line");

const opened = () => {
  const line = new Line("/socket/red");
  line.open();
  sockets.at(-1).begin();
  return line;
};
const said = (socket) => socket.sent.filter((message) => message.do === "say").map(({ text }) => text);

test("what is said while the network is away is refused at once, and never sent", async () => {
  const line = opened();
  assert.ok(line.hears);
  heard.offline();
  assert.ok(!line.hears);
  for (const text of ["a3-a4", "a4-a5"]) {
    const answer = await line.say("say", { text });
    assert.ok(!answer.ok);
    assert.match(answer.text, /nothing was done/);
  }
  heard.online();
  await soon();
  sockets.at(-1).begin();
  assert.ok(line.hears);
  assert.deepEqual(sockets.flatMap(said), []);
});

test("what was on its way as the line broke is said again, once", async () => {
  const line = opened();
  const before = sockets.at(-1);
  const answered = line.say("say", { text: "a3-a4" });
  heard.offline();
  heard.online();
  await soon();
  const after = sockets.at(-1);
  after.begin();
  assert.deepEqual([said(before), said(after)], [["a3-a4"], ["a3-a4"]]);
  after.tell({ kind: "answer", id: after.sent.at(-1).id, ok: true });
  assert.ok((await answered).ok);
});

test("nothing else is said while an answer is late", async (context) => {
  const line = opened();
  const socket = sockets.at(-1);
  let now = performance.now();
  context.mock.method(performance, "now", () => now);
  line.say("say", { text: "a3-a4" });
  assert.ok(line.hears, "it may be on its way");
  now += 3000;
  assert.ok(!(await line.say("say", { text: "a4-a5" })).ok);
  socket.tell({ kind: "answer", id: socket.sent.at(-1).id, ok: true });
  line.say("say", { text: "a5-a6" });
  assert.deepEqual(said(socket), ["a3-a4", "a5-a6"]);
});
