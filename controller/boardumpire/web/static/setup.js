// A set-up, made on the seat's own device: by drag, by key, at random, or from those this device keeps.

import { askFor, h, named, toast } from "/dom.js";
import { called } from "/pieces.js";
import { _, counted } from "/words.js";

const STORE = "boardumpire set-ups";

export class Setup extends EventTarget {
  constructor(seat) {
    super();
    this.seat = seat;
    this.draft = this.#taken();
    this.army = {};
    this.zone = new Set();
    this.editing = true;
    this.picked = null;
  }

  /** What was drafted when this screen changed its language. */
  #taken() {
    const key = `boardumpire draft ${this.seat}`;
    addEventListener("leave", () => {
      try {
        sessionStorage.setItem(key, JSON.stringify([...this.draft]));
      } catch {
        /* a device that keeps nothing */
      }
    });
    try {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      sessionStorage.removeItem(key);
      return new Map(kept);
    } catch {
      return new Map();
    }
  }

  /** Another device sits here now: nothing of this seat's army stays, neither the draft nor what is kept of it. */
  forget() {
    const whose = `${this.game} ${this.seat}`;
    this.draft.clear();
    this.picked = null;
    try {
      sessionStorage.removeItem(`boardumpire draft ${this.seat}`);
      const all = JSON.parse(localStorage.getItem(STORE) ?? "{}");
      delete all[whose];
      localStorage.setItem(STORE, JSON.stringify(all));
    } catch {
      /* a device that keeps nothing */
    }
  }

  /** Take over what the umpire says the army and the zone are, and a set-up that is in already. */
  meet(view, may) {
    this.army = view.army ?? {};
    this.zone = new Set(may?.zone ?? []);
    this.game = view.game;
    const ready = view.ready?.[this.seat],
      was = this.wasReady;
    if (ready && !was) {
      this.draft = new Map(Object.entries(view.board).map(([space, piece]) => [space, piece.rank]));
      this.editing = false;
    }
    this.wasReady = ready;
    if (view.phase !== "setup" || (!ready && was)) this.editing = true; // also for the next game
  }

  /** Ranks with how many of them still wait in the tray. */
  /** @returns {[string, number][]} */
  left() {
    const used = [...this.draft.values()];
    return Object.entries(this.army)
      .map(
        ([rank, count]) =>
          /** @type {[string, number]} */ ([rank, count - used.filter((each) => each === rank).length]),
      )
      .sort(([one], [two]) => order(one) - order(two));
  }

  get complete() {
    return Object.keys(this.army).length > 0 && this.left().every(([, count]) => count === 0);
  }

  /** The rank of a draft's piece or of the tray, by the key it is drawn under. */
  rankOf(key) {
    return key.startsWith("army:") ? key.slice(5) : (this.draft.get(key.slice(6)) ?? null);
  }

  /** Put what is drawn under `key` on a space; a piece that stands there changes places with it. */
  put(key, space) {
    const rank = this.rankOf(key);
    const from = key.startsWith("draft:") ? key.slice(6) : null;
    if (rank === null) return;
    if (space === null || !this.zone.has(space)) {
      if (from !== null && space === null) this.draft.delete(from);
      else if (space !== null) toast(_("{space} isn't in your set-up zone.", { space }));
    } else if (from !== space) {
      const there = this.draft.get(space);
      if (from !== null) this.draft.delete(from);
      if (there !== undefined && from !== null) this.draft.set(from, there);
      this.draft.set(space, rank);
    }
    this.#changed();
  }

  /** Choose by tap or key: first a piece (of the tray or the board), then a space. */
  choose(key, space) {
    if (this.picked !== null && space !== null && this.zone.has(space)) {
      const picked = this.picked;
      this.picked = null;
      this.put(picked, space);
      if (
        picked.startsWith("army:") &&
        this.left().some(([rank, count]) => rank === picked.slice(5) && count > 0)
      )
        this.picked = picked;
    } else {
      const own = key ?? (space !== null && this.draft.has(space) ? `draft:${space}` : null);
      this.picked = this.picked === own ? null : own;
    }
    this.#changed();
  }

  random() {
    if (this.complete) this.draft.clear();
    const free = shuffled([...this.zone].filter((space) => !this.draft.has(space)));
    const safe = backmost(free, this.zone);
    if (safe && this.left().some(([rank, count]) => rank === FLAG && count)) {
      this.draft.set(safe, FLAG);
      free.splice(free.indexOf(safe), 1);
    }
    for (const [rank, count] of this.left())
      for (let one = 0; one < count; one++) this.draft.set(free.pop(), rank);
    this.picked = null;
    this.#changed();
  }

  clear() {
    this.draft.clear();
    this.picked = null;
    this.#changed();
  }

  get text() {
    return ["setup", ...[...this.draft].sort().map(([space, rank]) => `${space}=${rank}`)].join(" ");
  }

  // Kept on this device alone: nobody else is told

  kept() {
    try {
      return JSON.parse(localStorage.getItem(STORE) ?? "{}")[`${this.game} ${this.seat}`] ?? {};
    } catch {
      return {};
    }
  }

  #keep(change) {
    try {
      const all = JSON.parse(localStorage.getItem(STORE) ?? "{}");
      const mine = (all[`${this.game} ${this.seat}`] ??= {});
      change(mine);
      localStorage.setItem(STORE, JSON.stringify(all));
    } catch {
      toast(_("This device can't save anything for this page."));
    }
    this.#changed();
  }

  async store() {
    const name = await askFor(
      _("Save this set-up on this device as"),
      _("Set-up {number}", { number: Object.keys(this.kept()).length + 1 }),
      _("Save"),
    );
    if (name)
      this.#keep((mine) => {
        mine[name] = this.text;
      });
  }

  take(name) {
    const text = this.kept()[name];
    if (!text) return;
    this.draft = new Map(
      text
        .split(" ")
        .slice(1)
        .map((word) => word.split("=")),
    );
    this.#changed();
  }

  drop(name) {
    this.#keep((mine) => {
      delete mine[name];
    });
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** The panel beside the board. `say(verb, text)` goes to the umpire, `ready(text)` when all is done. */
  panel(say, ready) {
    const kept = Object.keys(this.kept());
    const full = this.complete;
    const missing = this.left().reduce((sum, [, count]) => sum + count, 0);
    return [
      h("h2", { id: "todo", tabindex: -1 }, _("{seat}, set up your army", { seat: named(this.seat) })),
      h(
        "p",
        {},
        full
          ? _("All pieces are in place. Check your set-up, then say that you are ready. Nobody else sees it.")
          : counted(
              "Drag your pieces onto your side of the board, or tap a piece and then a square. {n} is missing.",
              "Drag your pieces onto your side of the board, or tap a piece and then a square. {n} are missing.",
              missing,
            ),
      ),
      h(
        "div.row",
        {},
        h(
          "button.main",
          { "data-key": "ready", onclick: () => ready(this.text), disabled: !full },
          _("Ready"),
        ),
        h("button", { "data-key": "random", onclick: () => this.random() }, _("Random")),
        h(
          "button",
          { "data-key": "clear", onclick: () => this.clear(), disabled: this.draft.size === 0 },
          _("Clear"),
        ),
        h("button", { "data-key": "keep", onclick: () => this.store(), disabled: !full }, _("Save …")),
        h(
          "button",
          { "data-key": "check", onclick: () => say("check", this.text), disabled: this.draft.size === 0 },
          _("Check"),
        ),
      ),
      full
        ? null
        : h(
            "div.ranks",
            { role: "group", "aria-label": _("Your army") },
            this.left().map(([rank, count]) =>
              h(
                "button.token",
                {
                  "data-key": `token ${rank}`,
                  type: "button",
                  disabled: count === 0,
                  "aria-pressed": this.picked === `army:${rank}` ? "true" : "false",
                  onclick: () => this.choose(`army:${rank}`, null),
                },
                `${called(rank)}${count > 1 ? ` × ${count}` : ""}`,
              ),
            ),
          ),
      kept.length
        ? h(
            "ul.kept",
            { "aria-label": _("Set-ups saved on this device") },
            kept.map((name) =>
              h(
                "li",
                {},
                h("button", { "data-key": `take ${name}`, onclick: () => this.take(name) }, name),
                h(
                  "button.quiet",
                  {
                    "data-key": `drop ${name}`,
                    "aria-label": _("Delete {name}", { name }),
                    onclick: () => this.drop(name),
                  },
                  "×",
                ),
              ),
            ),
          )
        : null,
    ];
  }
}

const order = (rank) => ["F", "B", "S", "2", "3", "4", "5", "6", "7", "8", "9", "10"].indexOf(rank);

const FLAG = "F";

/** The first of these spaces that is in the row furthest from the enemy: a Flag in front is a foolish one. */
export function backmost(spaces, zone) {
  const row = (space) => Number(/\d+$/.exec(space));
  const rows = [...zone].map(row);
  const last = Math.min(...rows) === 1 ? 1 : Math.max(...rows);
  return spaces.find((space) => row(space) === last);
}

function shuffled(list) {
  const drawn = new Uint32Array(list.length);
  crypto.getRandomValues(drawn);
  return list
    .map((item, place) => [drawn[place], item])
    .sort(([one], [two]) => one - two)
    .map(([, item]) => item);
}
