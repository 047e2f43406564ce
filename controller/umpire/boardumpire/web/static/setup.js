// A set-up, made on the seat's own device: by drag, by key, at random, from those that the game has ready, or
// from those that this device keeps.

import { askFor, h, named, toast } from "/dom.js";
import { called } from "/pieces.js";
import { _, counted } from "/words.js";

const STORE = "boardumpire set-ups";

export class Setup extends EventTarget {
  /** Whether this seat is still to set up. */
  #open = false;
  /** Whether the game was over that this screen saw last. */
  #over = false;
  /** The set-up of the game before. @type {Map<string, string>} */
  last = new Map();

  /**
   * @param {string} seat
   * @param {{ say: (verb: string, more: any) => Promise<any> }} line  to the umpire
   * @param {{ spaces: { id: string, x: number, y: number }[], looks?: { presets?: Record<string, string> } }} printed
   *   what is on the board, and the set-ups that the game has ready
   */
  constructor(seat, line, printed) {
    super();
    this.seat = seat;
    this.line = line;
    this.printed = printed;
    this.draft = this.#taken();
    this.army = {};
    this.zone = new Set();
    this.editing = true;
    this.picked = null;
  }

  /** What was drafted when this page was left or loaded anew: a phone does that by itself to what nobody looks at. */
  #taken() {
    const key = `boardumpire draft ${this.seat}`;
    const keep = () => {
      try {
        if (this.#open) sessionStorage.setItem(key, JSON.stringify([...this.draft]));
        else sessionStorage.removeItem(key);
      } catch {
        /* a device that keeps nothing */
      }
    };
    for (const moment of ["pagehide", "visibilitychange"]) addEventListener(moment, keep);
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
    this.last.clear();
    this.#open = false;
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
    this.#open = view.phase === "setup" && !ready;
    if (view.phase !== "setup" || (!ready && was)) this.editing = true; // also for the next game
    if (view.outcome) this.#over = true;
    else if (this.#over && view.phase === "setup") this.#anew();
  }

  /** Another game begins with an empty side; what this seat had before is ready to be taken again. */
  #anew() {
    this.#over = false;
    this.last = new Map([...this.draft].filter(([, rank]) => rank in this.army));
    this.draft = new Map();
    this.picked = null;
  }

  /** Stand this seat's army as it stood in the game before. */
  repeat() {
    this.draft = new Map(this.last);
    this.picked = null;
    this.#changed();
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

  /** Have the umpire stand an army: one that is ready, or one at random around what stands already. */
  async ask(preset = "") {
    const kept = preset || this.complete || !this.draft.size ? "" : this.text;
    const asked = (this.asked = {});
    const { ok, text, setup: found } = await this.line.say("suggest", { preset, text: kept });
    if (!ok) toast(text, "refused");
    if (!found || !this.editing || this.asked !== asked) return;
    this.draft = new Map(Object.entries(found));
    this.picked = null;
    this.#changed();
  }

  /** Left and right change places. */
  mirror() {
    this.draft = mirrored(this.draft, this.zone, this.printed.spaces);
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
    const presets = Object.entries(this.printed.looks?.presets ?? {});
    const missing = this.left().reduce((sum, [, count]) => sum + count, 0);
    return [
      h("h2", { id: "todo", tabindex: -1 }, _("{seat}, set up your army", { seat: named(this.seat) })),
      h(
        "p",
        {},
        full
          ? _("All pieces are in place. Check your set-up, then say that you are ready. Nobody else sees it.")
          : counted(
              "Drag your pieces onto your side of the board, or tap a piece and then a square. {n} piece left to place.",
              "Drag your pieces onto your side of the board, or tap a piece and then a square. {n} pieces left to place.",
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
        h("button", { "data-key": "random", onclick: () => this.ask() }, _("Random")),
        this.last.size
          ? h("button", { "data-key": "last", onclick: () => this.repeat() }, _("As last time"))
          : null,
      ),
      this.draft.size
        ? h(
            "div.row",
            {},
            h("button", { "data-key": "check", onclick: () => say("check", this.text) }, _("Check")),
            h("button", { "data-key": "mirror", onclick: () => this.mirror() }, _("Mirror")),
            h("button", { "data-key": "clear", onclick: () => this.clear() }, _("Clear")),
            full ? h("button", { "data-key": "keep", onclick: () => this.store() }, _("Save …")) : null,
          )
        : null,
      presets.length
        ? h(
            "details",
            { "data-part": "presets" },
            h("summary", {}, _("Set-ups to begin with")),
            h(
              "div.row",
              {},
              presets.map(([preset, name]) =>
                h("button", { "data-key": `preset ${preset}`, onclick: () => this.ask(preset) }, name),
              ),
            ),
          )
        : null,
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

/**
 * A set-up with left and right changed over; as it was where a piece would leave its zone.
 * @param {Map<string, string>} draft
 * @param {Set<string>} zone
 * @param {{ id: string, x: number, y: number }[]} spaces
 */
export function mirrored(draft, zone, spaces) {
  const across = spaces.map(({ x }) => x);
  const ends = Math.min(...across) + Math.max(...across);
  const other = ({ x, y }) =>
    spaces.find((each) => Math.abs(each.x + x - ends) < 1 && Math.abs(each.y - y) < 1)?.id;
  const over = new Map(spaces.map((space) => [space.id, other(space)]));
  const found = [...draft].map(([space, rank]) => /** @type {[string, string]} */ ([over.get(space), rank]));
  return found.every(([space]) => zone.has(space)) ? new Map(found) : draft;
}
