// The line to the umpire: numbered frames come in, what a seat says goes out and is answered. When it breaks it
// is taken up again where it was: the umpire sends what was missed, and what was not answered is said again. While it
// is broken, or its answers are late, nothing new is said: it would be done at some later moment, unseen.

import { sized } from "/frames.js";
import { _, language } from "/words.js";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
const LOOK = 20000;
const PATIENCE = 6000;
/** How late an answer may be before nothing else is said. */
const LATE = 2500;

export class Line extends EventTarget {
  #path;
  #home;
  /** @type {WebSocket | null} */
  #socket = null;
  /** The run of the umpire that this line knows. @type {string | null} */
  #epoch = null;
  #n = 0;
  #wait = FIRST_WAIT;
  #timer = 0;
  #beat = 0;
  #late = 0;
  #open = new Map();
  #count = 0;
  #ended = false;
  /** Frames that came before somebody listened; `null` from then on. @type {any[] | null} */
  #waiting = [];
  #me = Math.random().toString(36).slice(2, 10);

  /**
   * @param {string} path  of the socket
   * @param {string | null} home  the page of the seat whose line it is; it is refused once another device sits there
   */
  constructor(path, home = null) {
    super();
    this.#path = path;
    this.#home = home;
    addEventListener("online", () => this.#again(0));
    addEventListener("offline", () => this.#broken("no network"));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#look();
    });
    this.#connect();
  }

  /** Whoever listens is ready: what came before is told now. */
  open() {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const frame of waiting) this.#take(frame);
  }

  /** Whether the umpire hears now what is said: the line stands, and no answer is late. */
  get hears() {
    const now = performance.now();
    return this.#stands && [...this.#open.values()].every(({ since }) => now - since < LATE);
  }

  /** Whether the umpire has been heard on this socket, and its end is not known. */
  #stands = false;

  /** Say something; resolves with the answer `{ok, text}`: at once where the umpire doesn't hear it. */
  say(verb, more = {}) {
    return this.hears ? this.#say(verb, more) : Promise.resolve({ ok: false, text: unheard() });
  }

  /** Ask the umpire for a sign of life, unless its answer to something is awaited anyway. */
  probe() {
    if (!this.#open.size) this.#say("here");
  }

  #say(verb, more = {}) {
    const id = `${this.#me}-${++this.#count}`;
    const message = { do: verb, id, ...more };
    return new Promise((resolve) => {
      this.#open.set(id, { message, resolve, epoch: this.#epoch, since: performance.now() });
      this.#send(message);
    });
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.#path}`,
    );
    this.#socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.#send({ do: "hello", epoch: this.#epoch, n: this.#n, language });
      for (const asked of this.#open.values()) {
        if (asked.epoch !== this.#epoch) continue;
        asked.since = performance.now();
        this.#send(asked.message);
      }
    };
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (this.#socket === socket) this.#closed(code, reason, opened);
    };
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(sized(message));
  }

  /** @param {import("../../../../../tests/scripts/wire.js").Frame | import("../../../../../tests/scripts/wire.js").Answer} frame */
  #take(frame) {
    if (this.#waiting) {
      this.#waiting.push(frame);
      return;
    }
    clearTimeout(this.#late);
    this.#wait = FIRST_WAIT;
    this.#stands = true;
    if (frame.kind === "answer") {
      this.#open.get(frame.id)?.resolve(frame);
      this.#open.delete(frame.id);
      return;
    }
    if (frame.kind === "snapshot") {
      if (this.#epoch !== null && frame.epoch !== this.#epoch) this.#forget(frame.epoch);
      this.#epoch = frame.epoch;
      for (const asked of this.#open.values()) asked.epoch ??= frame.epoch;
      this.#n = frame.n;
    } else if (frame.kind === "here" || frame.kind === "away") {
      // nothing was missed
    } else if (frame.n === this.#n + 1) {
      this.#n = frame.n;
    } else {
      this.#broken("a message is missing");
      return;
    }
    this.dispatchEvent(new CustomEvent("up"));
    this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
    this.#rhythm();
  }

  /** The umpire was restarted: what was not answered may or may not have been heard. */
  #forget(epoch) {
    for (const [id, asked] of this.#open) {
      if (asked.epoch === null || asked.epoch === epoch) continue;
      asked.resolve({
        ok: false,
        text: _("The umpire was restarted. Please check whether your last answer got through."),
      });
      this.#open.delete(id);
    }
  }

  #rhythm() {
    clearTimeout(this.#beat);
    this.#beat = setTimeout(() => this.#look(), LOOK);
  }

  /** Ask whether anybody is there. */
  #look() {
    if (document.visibilityState !== "visible") return;
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      this.#again(0);
      return;
    }
    this.#say("here");
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#broken("no answer"), PATIENCE);
    this.#rhythm();
  }

  #broken(why) {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#closed(1006, why);
  }

  #closed(code, reason, opened = true) {
    clearTimeout(this.#beat);
    clearTimeout(this.#late);
    this.#stands = false;
    if (code === 4403) this.#ended = true;
    this.dispatchEvent(new CustomEvent("down", { detail: { code, reason, ended: this.#ended } }));
    if (!this.#ended) this.#again(this.#wait);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 1.7);
    if (!opened && !this.#ended) this.#ask();
  }

  /** A browser doesn't say why a socket was refused: has another device taken the seat while this one was away? */
  async #ask() {
    const status =
      this.#home &&
      (await fetch(this.#home, { method: "HEAD", cache: "no-store" }).then(
        (answer) => answer.status,
        () => 0,
      ));
    if (status !== 403 || this.#ended) return;
    clearTimeout(this.#timer);
    this.#closed(4403, "this seat is another device's");
  }

  #again(wait) {
    clearTimeout(this.#timer);
    if (this.#ended || this.#socket?.readyState === WebSocket.OPEN) return;
    this.#timer = setTimeout(() => this.#connect(), wait);
  }
}

/** What somebody reads who does something while the umpire doesn't hear it. */
export const unheard = () =>
  _("No connection to the umpire: nothing was done. Try again once the connection is back.");
