// What is drawn on the map of a hunt: flags, answers, the way of whoever hides, and what its person has pencilled in.

import { s } from "/dom.js";
import { _, language } from "/words.js";

/** The first round is in May 1944; each month has two. */
const YEAR = 1944,
  MAY = 4;
/** How far from the middle of a city a line ends, in mm. */
const RIM = 19;
/** What a tap with the pencil makes of a mark. @type {Record<string, string>} */
const NEXT = { "": "maybe", maybe: "not", not: "" };

/** The month of a round, in the language of the screen. @param {number} round @param {"short" | "long"} how */
export function month(round, how = "long", year = true) {
  const date = new Date(YEAR, MAY + Math.floor((round - 1) / 2), 1);
  return date.toLocaleDateString(language, {
    month: how,
    ...(year ? { year: how === "long" ? "numeric" : "2-digit" } : {}),
  });
}

/**
 * The newest answer about each city.
 * @param {{round: number, at: string, here: boolean}[]} answers
 * @returns {Map<string, {round: number, here: boolean}>}
 */
export function newest(answers = []) {
  return new Map(answers.map(({ round, at, here }) => [at, { round, here }]));
}

/**
 * By city in which rounds he was there, as far as this screen may know it.
 * @param {string[]} way  the city of round 1, of round 2 ...
 * @returns {Map<string, number[]>}
 */
export function visits(way) {
  const found = new Map();
  way.forEach((city, place) => found.set(city, [...(found.get(city) ?? []), place + 1]));
  return found;
}

/** The way that a screen knows: all of it on his own and once the game is over, else that of the token. */
export const wayOf = (view) => view.sheet?.entries ?? view.trail ?? [];

/** What one person has pencilled in. It stays on the device, and is gone with the game. */
export class Pencil {
  on = false;
  /** @type {Record<string, string>} */
  marks = {};
  #store = "";

  /** Marks of the seat whose screen this is. */
  open(store) {
    if (this.#store === store) return;
    this.#store = store;
    try {
      this.marks = JSON.parse(localStorage.getItem(store) ?? "{}");
    } catch {
      this.marks = {};
    }
  }

  tap(city) {
    const next = NEXT[this.marks[city] ?? ""];
    if (next) this.marks[city] = next;
    else delete this.marks[city];
    this.#keep();
  }

  clear() {
    if (!Object.keys(this.marks).length) return;
    this.marks = {};
    this.#keep();
  }

  #keep() {
    try {
      if (Object.keys(this.marks).length) localStorage.setItem(this.#store, JSON.stringify(this.marks));
      else localStorage.removeItem(this.#store);
    } catch {
      /* a device that keeps nothing */
    }
  }
}

/** The months over the lamps of the calendar. */
export function months(board, lamps) {
  const rounds = lamps.filter(({ id }) => id.startsWith("round-")).map((lamp) => board.at(lamp));
  return rounds
    .map((one, place) => [one, rounds[place + 1], place + 1])
    .filter(([, other, round]) => other && round % 2)
    .map(([one, other, round]) =>
      s(
        "text.month",
        { x: (one.x + other.x) / 2, y: one.y - 7.2 },
        month(round, "short", round === 1 || round === 17),
      ),
    );
}

export class MapMarks {
  /** @type {any} */
  #trail;
  /** @type {any} */
  #marks;
  #look = "";

  /**
   * @param {any} board
   * @param {any} view
   * @param {Pencil} pencil
   * @param {Map<string, any>} spaces  of the printed board
   * @param {number} [until]  how many cities of his way are shown: all, but in the finale
   */
  draw(board, view, pencil, spaces, until = Infinity) {
    const { flags = [], liberating: rising, answers, round, outcome } = view;
    const way = wayOf(view).slice(0, until),
      told = outcome ? way.length : (view.trail ?? []).length;
    const look = JSON.stringify([flags, rising, answers, round, way, told, pencil.marks]);
    if (this.#look === look) return;
    this.#look = look;
    if (!this.#trail) {
      board.layers.print.append((this.#trail = s("g.trail")));
      board.layers.signs.append((this.#marks = s("g.marks")));
    }
    this.#trail.replaceChildren(...trail(way, told, (city) => board.place(city)));
    const at = (city) => ({ ...board.place(city), r: (spaces.get(city)?.w ?? 0) / 2 });
    this.#marks.replaceChildren(
      ...[...newest(answers)].map(([city, clue]) =>
        answered(city, clue, at(city), clue.round === round && !outcome),
      ),
      ...[...visits(way)].map(([city, rounds]) =>
        visited(city, rounds, at(city), (rounds.at(-1) ?? 0) > told),
      ),
      ...(rising ? [...flags, rising] : flags).map((city) =>
        flag(city, at(city), city !== rising || flags.includes(city)),
      ),
      ...Object.entries(pencil.marks)
        .filter(([city]) => board.place(city))
        .map(([city, mark]) => pencilled(city, mark, at(city))),
    );
  }
}

/** His way from city to city; what only his own screen knows is dotted. */
function trail(way, told, place) {
  return way.slice(1).flatMap((city, step) => {
    const [from, to] = [place(way[step]), place(city)];
    if (way[step] === city || !from || !to) return [];
    const long = Math.hypot(to.x - from.x, to.y - from.y);
    const at = (far) => [from.x + ((to.x - from.x) * far) / long, from.y + ((to.y - from.y) * far) / long];
    const [[x1, y1], [x2, y2]] = [at(Math.min(RIM, long / 2 - 1)), at(Math.max(long - RIM, long / 2 + 1))];
    const line = { x1, y1, x2, y2 };
    const known = step + 1 < told;
    return [s("line.trail-edge", line), s(known ? "line.trail-step" : "line.trail-step.secret", line)];
  });
}

/** In which rounds he was there. */
function visited(city, rounds, { x, y, r }, secret) {
  const text = rounds.join(" ");
  const wide = 5 + 5.2 * text.length;
  return s(
    secret ? "g.visit.secret" : "g.visit",
    { "data-visit": city, transform: `translate(${x + r * 0.72} ${y + r * 0.72})` },
    s(
      "g.pill",
      {},
      s("rect", { x: -wide / 2, y: -6, width: wide, height: 12, rx: 6 }),
      s("text", { y: 3.2 }, text),
    ),
  );
}

/** What the Spy was told, and in which round; this round's is bright. */
function answered(city, { round, here }, { x, y, r }, now) {
  return s(
    `g.clue${here ? ".yes" : ".no"}${now ? ".fresh" : ""}`,
    { "data-clue": city, transform: `translate(${x - r * 0.72} ${y + r * 0.72})` },
    s(
      "g.pill",
      {},
      s("rect", { x: -11, y: -6.5, width: 22, height: 13, rx: 6.5 }),
      s("text", { y: 3.4 }, `${here ? "✓" : "✗"}${round}`),
    ),
  );
}

/** A flag that stands, or one that is being raised. */
function flag(city, { x, y, r }, up) {
  return s(
    "g",
    {
      class: "flag" + (up ? "" : " rising"),
      "data-flag": city,
      transform: `translate(${x - r * 0.62} ${y - r * 0.55})`,
    },
    s("path.pole", { d: "M0 7V-15" }),
    s("path.cloth", { d: "M0-15H15V-4H0Z" }),
    s("path.stripe", { d: "M0-11H15V-8H0Z" }),
  );
}

/** What its person noted: a ring for perhaps, a cross for not. */
function pencilled(city, mark, { x, y, r }) {
  const far = r + 3.5,
    near = r * 0.72;
  return mark === "maybe"
    ? s("circle.pencil", { cx: x, cy: y, r: far, "data-pencil": city })
    : s("path.pencil.not", {
        d: `M${x - near} ${y - near}L${x + near} ${y + near}M${x + near} ${y - near}L${x - near} ${y + near}`,
        "data-pencil": city,
      });
}

/** What is said of a city to those who listen. */
export function saidOf(city, view, pencil) {
  const clue = newest(view.answers).get(city);
  const rounds = visits(wayOf(view)).get(city);
  return [
    clue && (clue.here ? _("yes in round {round}", clue) : _("no in round {round}", clue)),
    rounds && _("Hitler was here in round {rounds}", { rounds: rounds.join(", ") }),
    { maybe: _("your pencil: perhaps here"), not: _("your pencil: not here") }[pencil.marks[city]],
  ].filter(Boolean);
}
