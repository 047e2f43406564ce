// One phone for several seats: a curtain between them hides everything until the next one taps.

import { h, named } from "/dom.js";
import { _ } from "/words.js";

const STORE = "boardumpire passed round";

/** Set as this device sat down at all seats. */
const asked = new URLSearchParams(location.search);
if (asked.has("round")) {
  history.replaceState(null, "", location.pathname);
  keep(true);
}

/** @param {boolean} round */
function keep(round) {
  try {
    localStorage.setItem(STORE, round ? "yes" : "no");
  } catch {
    /* a device that keeps nothing isn't passed round */
  }
}

const kept = () => {
  try {
    return localStorage.getItem(STORE) === "yes";
  } catch {
    return false;
  }
};

/** Show or hide what is behind the curtain, and the way past the title: it would lead nowhere. @param {boolean} all */
function show(all) {
  for (const each of document.querySelectorAll("#room, .skip")) each.toggleAttribute("hidden", !all);
}

export class Curtain {
  #seat;
  #mine;
  #opened;
  /** @type {HTMLElement | null} */
  #box = null;

  /** `mine`: the seats that this device has; `opened` is called when the one whose seat it is looks. */
  constructor(seat, mine, opened) {
    this.#seat = seat;
    this.#mine = mine;
    this.#opened = opened;
    if (!this.round) return;
    this.close();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.close();
    });
  }

  /** Whether this phone is passed round. */
  get round() {
    return this.#seat !== null && this.#mine.length > 1 && kept();
  }

  /** Whether nothing may be shown now. */
  get closed() {
    return this.#box !== null;
  }

  /** Hide everything; with the seat that comes next, until its own screen is there. */
  close(next = "") {
    if (this.#box || !this.round) return;
    for (const shown of document.querySelectorAll("dialog")) shown.close();
    show(false);
    const box = (this.#box = h(
      "div.curtain",
      { id: "curtain" },
      h(
        "main",
        {},
        h("h1", {}, named(next || this.#seat)),
        h("p", {}, _("Is nobody else looking? Then tap.")),
        next ? null : h("button.main", { type: "button", onclick: () => this.#open() }, _("Show my screen")),
      ),
    ));
    document.body.append(box);
    box.querySelector("button")?.focus();
  }

  #open() {
    this.#box?.remove();
    this.#box = null;
    show(true);
    this.#opened();
  }

  /** When another seat of this phone is waited for, hand it over. */
  follow(waited) {
    if (!this.round || this.closed || waited.includes(this.#seat)) return;
    const next = this.#mine.find((seat) => waited.includes(seat));
    if (!next) return;
    this.close(next); // the old screen would stay in sight until the new one is there
    location.replace(`/seat/${encodeURIComponent(next)}`);
  }

  /** A switch for whoever has several seats on one device. */
  toggle() {
    if (this.#seat === null || this.#mine.length < 2) return null;
    return h(
      "button.quiet",
      {
        type: "button",
        "aria-pressed": kept() ? "true" : "false",
        "data-key": "round",
        onclick: () => {
          keep(!kept());
          location.reload();
        },
      },
      _("Pass this phone round"),
    );
  }
}
