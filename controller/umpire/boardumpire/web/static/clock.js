// The clocks: what each seat has left, counted here between what the umpire says.

import { fill, h, named } from "/dom.js";
import { _ } from "/words.js";

const NOW = () => performance.now();

/** `15:04`, `1:02:03`; tenths below ten seconds. */
export function spelled(left) {
  const tenths = Math.max(0, Math.ceil(left / 100));
  if (tenths < 100) return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  const seconds = Math.ceil(left / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
}

export class Clocks {
  /** @type {import("../../../../../tests/scripts/wire.js").Clocks | null} */
  #told = null;
  #at = 0;
  #timer = 0;
  #faces = new Map();
  #called = "";

  constructor() {
    this.element = h("div.clocks", { role: "group", "aria-label": _("Clocks"), hidden: true });
    document.addEventListener("visibilitychange", () => this.#tick());
  }

  /** What the umpire said at that moment; `null` where time is not limited. */
  set(told, at = NOW()) {
    this.#told = told;
    this.#at = at;
    this.element.hidden = !told;
    const seats = Object.keys(told?.left_ms ?? {});
    const called = seats.map(named).join();
    if (told && this.#called !== called) this.#build(seats);
    this.#called = called;
    this.#tick();
  }

  /** What a seat has left now, in milliseconds. */
  left(seat) {
    const left = this.#told?.left_ms[seat] ?? 0;
    return Math.max(0, this.#told?.runs === seat ? left - (NOW() - this.#at) : left);
  }

  #build(seats) {
    this.#faces = new Map(seats.map((seat) => [seat, h("b", { role: "timer", "aria-live": "off" })]));
    fill(
      this.element,
      seats.map((seat) =>
        h(`span.clock.${seat}`, { "data-clock": seat }, h("span", {}, named(seat)), this.#faces.get(seat)),
      ),
    );
  }

  #tick() {
    clearTimeout(this.#timer);
    if (!this.#told) return;
    for (const [seat, face] of this.#faces) {
      const left = this.left(seat),
        text = spelled(left);
      if (face.textContent !== text) face.textContent = text;
      face.parentElement.classList.toggle("runs", this.#told.runs === seat);
      face.parentElement.classList.toggle("short", left <= this.#told.short_ms);
    }
    const left = this.#told.runs ? this.left(this.#told.runs) : 0;
    if (left > 0 && document.visibilityState === "visible")
      this.#timer = setTimeout(() => this.#tick(), left < 10_000 ? 100 : left % 1000 || 1000);
  }
}
