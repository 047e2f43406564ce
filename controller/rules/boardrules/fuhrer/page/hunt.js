// Fall of the Führer on a screen: flags, calendar and answers, the sheet of whoever hides, and what acts are called.

import { h, named } from "/dom.js";
import { MapMarks, month, months, Pencil, saidOf } from "./huntmap.js";
import { parts, PIPS, placed, signed } from "/parts.js";
import { called } from "/pieces.js";
import { _, counted, listed } from "/words.js";

const LABELS = {
  go: (place, rest) =>
    [
      _("Move to {place}", { place }),
      _("Move to {place} with a ticket", { place }),
      _("Move to {place} with two tickets", { place }),
    ][rest.filter((word) => word.startsWith("ticket")).length],
  hide: (place) => _("Start in {place}", { place }),
  ask: (place) => _("Ask about {place}", { place }),
  written: (place, rest) =>
    rest.some((word) => word.startsWith("recapture="))
      ? _("Written down: {place} recaptured", { place })
      : place
        ? [
            _("Written down: the token moves to {place}", { place }),
            _("Written down: the token moves to {place}, one ticket", { place }),
            _("Written down: the token moves to {place}, two tickets", { place }),
          ][tickets(rest)]
        : [_("Written down"), _("Written down: one ticket"), _("Written down: two tickets")][tickets(rest)],
  stay: () => _("Stay"),
  liberate: () => _("Liberate"),
  done: () => _("No more questions"),
  recapture: () => _("Recapture"),
};

const STARTS = {
  tank: _("Choose where your Tank starts"),
  spy: _("Choose where your Spy starts"),
  infantry: _("Choose where your Infantry starts"),
};
const ROUNDS = 24;
/** How many cities the Spy asks about in a turn. */
const QUESTIONS = 2;

/** What a seat is asked in each phase. @type {Record<string, (view: any) => string>} */
const TITLES = {
  place: ({ piece }) => STARTS[piece],
  hide: () => _("Choose the city where you start"),
  tank: () => _("What does your Tank do?"),
  move: ({ piece, die }) =>
    counted("{piece}: move along one road, or stay", "{piece}: move along up to {n} roads, or stay", die, {
      piece: called(piece),
    }),
  ask: ({ asked }) =>
    counted(
      "Where should the Spy ask? One question left",
      "Where should the Spy ask? {n} questions left",
      QUESTIONS - asked.length,
    ),
  hitler: ({ round }) => _("Your secret move of round {round}", { round }),
};

/** How it is done, where no button does it. @type {Record<string, string>} */
const HOW = { move: _("Move to a city with a ring."), hide: _("Nobody else sees it.") };

const rolled = (tag, die) => signed(tag, _("Dice: {dice}", { dice: die }), PIPS[die] ?? String(die));
const flights = (tag, left) => signed(tag, _("Tickets left: {left}", { left }), "✈".repeat(left) || "–");

const tickets = (rest) => rest.filter((word) => word.startsWith("ticket")).length;

/** @type {typeof import("/parts.js").PARTS} */
const PARTS = {
  round: {
    title: _("Calendar"),
    draw: (round) =>
      round
        ? h(
            "div",
            {},
            h("p.date", {}, h("strong", {}, month(round)), " · ", _("Round {round} of 24.", { round })),
            h("progress", { max: ROUNDS, value: round, "aria-label": _("Calendar") }),
          )
        : null,
  },
  die: {
    title: _("Dice"),
    draw: (die) => rolled("p.dice", die),
  },
  tickets: {
    title: _("Tickets"),
    draw: (left) => flights("p.dice", left),
  },
  sheet: { title: _("Sheet"), draw: sheet },
  answers: {
    title: _("Answers"),
    draw: (answers) =>
      h(
        "ol.notes",
        { tabindex: 0, "aria-label": _("Answers") },
        answers.map(({ round, at, here }) => h("li", {}, `${round}. ${placed(at)} ${here ? "✓" : "✗"}`)),
      ),
  },
  trail: {
    title: _("where Hitler was two rounds ago"),
    draw: (trail) => h("p", {}, trail.map(placed).join(" → ")),
  },
};

export class Scene {
  #printed;
  #spaces;
  /** @type {string | null} */
  #seat = null;
  #drawn = new MapMarks();
  #pencil = new Pencil();
  /** @type {any} */
  #view = null;
  /** @type {any} */
  #board = null;
  /** The finale, once the game is over. @type {any} */
  #walk = null;
  /** Whether this screen has seen the game while it went on. */
  #live = false;
  /** Whether this is a replay, which shows his way step by step already. */
  replaying = false;
  /** The cities that were entered of the sheet of a game on paper. @type {string[]} */
  #entries = [];
  /** Whoever moves to where he is stays there. */
  labels = {
    ...LABELS,
    go: (place, rest) =>
      rest.length === 1 && rest[0] === this.#view?.sheet?.at
        ? _("Stay in {place}", { place })
        : LABELS.go(place, rest),
  };

  constructor(printed) {
    this.#printed = printed;
    this.#spaces = new Map(printed.spaces.map((space) => [space.id, space]));
  }

  /** Whose screen this is: only a seat's own has a pencil. */
  sit(seat) {
    this.#seat = seat;
    if (seat) this.#pencil.open(`boardumpire marks ${seat}`);
  }

  /** What the panels of this scene rest on beside the view. */
  kept() {
    return [...this.#entries];
  }

  /** Whose win is the win of a seat. */
  side(seat) {
    return seat === "hitler" ? "hitler" : "allies";
  }

  /** Nothing of this seat's stays on the device. */
  forget() {
    this.#entries = [];
    this.#pencil.clear();
  }

  /** Flags, answers and his way, whatever a lamp has to say there; what is pencilled in is its person's own. */
  draw(board, view) {
    if (view.phase === "place") this.#pencil.clear();
    this.#view = view;
    this.#board = board;
    this.#drawn.draw(board, view, this.#pencil, this.#spaces, this.#walk?.until);
    const { outcome } = view;
    if (!outcome) this.#live = true;
    if (!outcome || !view.sheet?.entries.length) this.#endWalk();
    else if (!this.#walk && !this.replaying) this.#beginWalk();
  }

  /** The whole way once more, city by city, when all may know it. */
  async #beginWalk() {
    const [view, board] = [this.#view, this.#board];
    this.#walk = { until: Infinity, end: () => {} }; // nobody begins it twice
    const { Walk } = await import("./walk.js");
    if (this.#view !== view) {
      this.#walk = null;
      return this.draw(board, this.#view);
    }
    this.#walk = new Walk(view, this.#seat, () =>
      this.#drawn.draw(board, this.#view, this.#pencil, this.#spaces, this.#walk?.until),
    );
    this.#walk.open(board, this.#printed.lines ?? [], this.#live);
  }

  #endWalk() {
    this.#walk?.end();
    this.#walk = null;
  }

  /** The months of the calendar. */
  print(board) {
    return months(board, this.#printed.lamps);
  }

  /** A pencil, on a seat's own screen. */
  tools(lens) {
    if (!this.#seat) return null;
    const button = lens("pencil", _("Pencil: mark cities for yourself"), "✎", () => {
      this.#pencil.on = !this.#pencil.on;
      button.setAttribute("aria-pressed", String(this.#pencil.on));
      document.body.classList.toggle("pencils", this.#pencil.on);
    });
    button.setAttribute("aria-pressed", "false");
    return button;
  }

  /** Whether taps are pencil marks. */
  get pencil() {
    return this.#pencil.on;
  }

  /** What a small screen shows beside the title: the date, the die, the tickets. */
  strip({ round, die, tickets: left }) {
    return round
      ? h(
          "div.strip",
          {},
          h("span", {}, `${month(round)} · ${round}/${ROUNDS}`),
          die ? rolled("span.dots", die) : null,
          flights("span", left),
        )
      : null;
  }

  /** Of a city that is held, where its lamp has something else to say; and what is drawn there besides. */
  spoken(space, mark, legend) {
    const view = this.#view ?? {};
    const held = view.flags?.includes(space) && !mark.startsWith("held") ? legend.get("held")?.means : null;
    return [held, ...saidOf(space, view, this.#pencil)].filter(Boolean).join(", ") || null;
  }

  /** What is drawn at a city. */
  explain(space) {
    return saidOf(space, this.#view ?? {}, this.#pencil);
  }

  /** Where whoever hides is, on the screen that knows it. */
  stands(view) {
    return view.sheet?.at ? { [view.sheet.at]: [{ seat: "hidden", rank: "★" }] } : {};
  }

  /** Pieces share a city in peace: where Hitler is nobody sees. */
  foe() {
    return false;
  }

  /** The same, beside what simulated hands have put there. */
  beside(view, board) {
    const at = view.sheet?.at ? board.place(view.sheet.at) : null;
    return at
      ? [
          {
            key: "hidden",
            seat: "hidden",
            rank: "★",
            x: at.x - 12,
            y: at.y - 12,
            is: "stands",
            small: 0.6,
          },
        ]
      : [];
  }

  /** The pieces that what happened is about; of him only what everybody was told. */
  met(events, view) {
    const told = (...kinds) => events.find(({ kind }) => kinds.includes(kind));
    const ours = (piece, stays = true) => ({ seat: view?.owners?.[piece] ?? piece, rank: piece, stays });
    const his = (rank, stays = true) => ({ seat: "hidden", rank, stays });
    const answer = told("answer");
    if (answer) return [ours("spy"), his(answer.thing === "yes" ? "★" : "✗")];
    if (told("captured")) return [ours("infantry"), his("★", false)];
    const mover = events.find(({ piece }) => piece);
    if (mover) return [ours(mover.piece)];
    return told("hidden", "moved", "token", "ticket", "flight", "recaptured", "sheet") ? [his("?")] : [];
  }

  /** What its seat is asked now; of other seats it is said whose turn it is. */
  situation(view, seat) {
    if (view.to_act.includes(seat))
      return TITLES[view.phase] ? [TITLES[view.phase](view), HOW[view.phase] ?? null] : null;
    if (view.phase === "ask")
      return [_("{seats}: the Spy's questions", { seats: listed(view.to_act.map(named)) })];
    const sets = view.phase === "place" || view.phase === "hide";
    return sets ? [_("Waiting for {seats} to set up", { seats: listed(view.to_act.map(named)) })] : null;
  }

  /** A city of the sheet is tapped, or one with the pencil. Whether it was meant so. */
  tapped(view, seat, space) {
    if (this.#pencil.on) {
      if (space) this.#pencil.tap(space);
      return true;
    }
    if (view.phase !== "sheet" || !space || !view.to_act.includes(seat)) return false;
    this.#entries.push(space);
    return true;
  }

  /** The sheet, while it is entered; else what is said is said with the usual buttons. */
  acts(_may, view, seat, say, redraw) {
    if (view.phase !== "sheet" || !view.to_act.includes(seat)) return null;
    const undo = () => {
      this.#entries.pop();
      redraw();
    };
    return sheetOf(this.#entries, say, undo);
  }

  #rubOut() {
    this.#pencil.clear();
    if (this.#view) this.draw(this.#board, this.#view);
  }

  /** What everybody knows, the sheet for its own seat, and that seat's help and notes. */
  parts(view, seat, say = null, store = "") {
    return [...parts(view, PARTS), seat && say ? helps(view, say, store, () => this.#rubOut()) : null];
  }
}

function sheet({ at, trapped, entries }) {
  return h(
    "div",
    {},
    at
      ? h(
          "p",
          {},
          trapped
            ? _("Now in {place}, which is liberated: you can't leave.", { place: placed(at) })
            : _("Now in {place}.", { place: placed(at) }),
        )
      : null,
    h(
      "ol.notes",
      { tabindex: 0, "aria-label": _("Sheet") },
      entries.map((entry, round) => h("li", {}, `${round + 1}. ${placed(entry)}`)),
    ),
  );
}

/** Where a seat says which it is itself: the help, and what it keeps for itself. */
function helps(view, say, store, rubOut) {
  const on = "possible" in view;
  return h(
    "details.part",
    { "data-part": "help" },
    h("summary", {}, _("Notes and help")),
    h(
      "label.toggle",
      {},
      h("input", {
        type: "checkbox",
        "data-key": "help",
        checked: on,
        onchange: () => say(on ? "help off" : "help on"),
      }),
      _("Show where he may be, from what everyone knows"),
    ),
    h(
      "p",
      {},
      _(
        "The pencil (✎ on the map) marks cities for you alone: tap once for “perhaps here”, twice for “not here”. Nothing of it leaves this device.",
      ),
    ),
    h("div.row", {}, h("button", { "data-key": "rub-out", onclick: rubOut }, _("Rub out all pencil marks"))),
    h(
      "textarea",
      {
        rows: 4,
        "data-key": "notes",
        "aria-label": _("Notes"),
        placeholder: _("Notes (they stay on this device)"),
        oninput: ({ target }) => localStorage.setItem(store, target.value),
      },
      localStorage.getItem(store) ?? "",
    ),
  );
}

/** The sheet of a game on paper: a city for each round, tapped on the map one after the other. */
function sheetOf(entries, say, undo) {
  return h(
    "div",
    {},
    h("p", {}, _("Enter your sheet: tap the cities on the map, round by round.")),
    h(
      "ol.notes",
      { tabindex: 0, "aria-label": _("Sheet") },
      entries.map((entry, round) => h("li", {}, `${round + 1}. ${placed(entry)}`)),
    ),
    h(
      "div.row",
      {},
      h(
        "button",
        { "data-key": "undo", disabled: !entries.length, onclick: undo },
        _("Take the last one back"),
      ),
      h(
        "button.main",
        { "data-key": "sheet", disabled: !entries.length, onclick: () => say(`sheet ${entries.join(" ")}`) },
        _("This is the whole sheet"),
      ),
    ),
  );
}
