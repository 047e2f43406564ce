// The finale of a hunt: his whole way once more, city by city, and how near they were. Asked for when a game is over.

import { h, s } from "/dom.js";
import { placed } from "/parts.js";
import { called, face } from "/pieces.js";
import { _, counted } from "/words.js";

/** How long each city is shown. */
const STEP_MS = 900;
/** Nearer than this was near enough to be told of. */
const NEAR = 3;

/**
 * How many links lie between a city and each other one.
 * @param {string[][]} lines @param {string} from @returns {Map<string, number>}
 */
export function links(lines, from) {
  const beside = new Map();
  for (const [one, other] of lines)
    for (const [city, next] of [
      [one, other],
      [other, one],
    ])
      beside.set(city, [...(beside.get(city) ?? []), next]);
  const far = new Map([[from, 0]]);
  for (const city of far.keys())
    for (const next of beside.get(city) ?? []) if (!far.has(next)) far.set(next, (far.get(city) ?? 0) + 1);
  return far;
}

/**
 * When each piece was nearest to him at the end of a round; not when it caught him.
 * @param {{round: number, pieces: Record<string, string>}[]} moments  of the whole game, in order
 * @param {string[]} entries  where he was at the end of each round
 * @param {string[][]} lines
 * @returns {{piece: string, round: number, far: number}[]}  the nearest first
 */
export function nearest(moments, entries, lines) {
  const rounds = new Map(
    moments.filter(({ round }) => round > 0).map(({ round, pieces }) => [round, pieces]),
  );
  const best = new Map();
  for (const [round, pieces] of rounds) {
    const city = entries[round - 1];
    if (!city) continue;
    const from = links(lines, city);
    for (const [piece, at] of Object.entries(pieces)) {
      const far = from.get(at) ?? Infinity;
      const caught = piece === "infantry" && far === 0;
      if (!caught && far < (best.get(piece)?.far ?? Infinity)) best.set(piece, { piece, round, far });
    }
  }
  return [...best.values()].sort((one, other) => one.far - other.far);
}

/** What is told of it, to the seat that reads it. */
export function told({ piece, round, far }, owners, seat) {
  const values = { piece: called(piece), round };
  if (owners?.[piece] === seat)
    return far
      ? counted(
          "You were one road away in round {round} ({piece}).",
          "You were {n} roads away in round {round} ({piece}).",
          far,
          values,
        )
      : _("You were in his city in round {round} ({piece}).", values);
  if (seat === "hitler")
    return far
      ? counted(
          "{piece}: one road away from you in round {round}.",
          "{piece}: {n} roads away from you in round {round}.",
          far,
          values,
        )
      : _("{piece}: in your city in round {round}.", values);
  return far
    ? counted(
        "{piece}: one road away from Hitler in round {round}.",
        "{piece}: {n} roads away from Hitler in round {round}.",
        far,
        values,
      )
    : _("{piece}: in Hitler's city in round {round}.", values);
}

/** Every moment of the game that ended last, as the record has it; none where it can't be had. */
async function recorded() {
  const from = async (path) => {
    const answer = await fetch(path);
    return answer.ok ? answer.json() : {};
  };
  const { games = [] } = await from("/games.json");
  if (!games.length) return [];
  const found = [];
  for (let count = 1; found.length < count;) {
    const part = await from(`/games/${games[0].number}.json?first=${found.length}`);
    if (!part.steps?.length) break;
    found.push(...part.steps.map(({ truth }) => truth));
    count = part.count;
  }
  return found;
}

export class Walk {
  /** How many cities of his way are shown. */
  until = Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #marker = s("g.piece.hidden.walker", {}, face({ seat: "hidden", rank: "★" }));
  #text = h("p", { "aria-live": "polite" });
  #near = h("ul.near", { tabindex: 0, "aria-label": _("Hitler's way") });
  #play = h("button", { "data-key": "walk", onclick: () => this.#start() });
  element = h(
    "section.finale",
    { "aria-label": _("Hitler's way") },
    h("div.row", {}, this.#play, this.#text),
    this.#near,
  );
  #board;
  #view;
  #redraw;

  /** @param {any} view  of the game that is over @param {string | null} seat  whose screen this is */
  constructor(view, seat, redraw) {
    this.#view = view;
    this.seat = seat;
    this.#redraw = redraw;
  }

  get #way() {
    return this.#view.sheet.entries;
  }

  /** Show it under the board; `live`: the game has ended just now, and it begins by itself. */
  open(board, lines, live) {
    this.#board = board;
    board.element.after(this.element);
    if (live && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.#start();
    else this.#rest();
    this.#tell(lines);
  }

  /** It goes away with the game. */
  end() {
    clearTimeout(this.#timer);
    this.#marker.remove();
    this.element.remove();
  }

  async #tell(lines) {
    const near = nearest(await recorded(), this.#way, lines);
    const shown = near.filter(({ far }) => far < NEAR);
    this.#near.replaceChildren(
      ...(shown.length ? shown : near.slice(0, 1)).map((one) =>
        h("li", { "data-near": one.piece }, told(one, this.#view.owners, this.seat)),
      ),
    );
  }

  /** All of it at once. */
  #rest() {
    this.until = Infinity;
    this.#marker.remove();
    this.#label("▶", _("Show Hitler's way"));
    this.#text.textContent = _("Hitler's route: {count} rounds, from {from} to {to}", {
      count: this.#way.length,
      from: placed(this.#way[0]),
      to: placed(this.#way.at(-1)),
    });
    this.#redraw();
  }

  #label(sign, words) {
    this.#play.textContent = sign;
    this.#play.setAttribute("aria-label", words);
    this.#play.title = words;
  }

  /** Play it from the beginning, or stop. */
  #start() {
    const playing = this.#timer !== undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (playing) return this.#rest();
    this.#label("❚❚", _("Pause"));
    this.#board.layers.pieces.append(this.#marker);
    this.#step(1);
  }

  #step(count) {
    const city = this.#way[count - 1],
      at = this.#board.place(city);
    this.until = count;
    if (at) this.#marker.style.transform = `translate(${at.x}px, ${at.y}px) scale(${this.#board.scale})`;
    this.element.dataset.at = city;
    this.#text.textContent = _("Round {round}: {place}", { round: count, place: placed(city) });
    this.#redraw();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (count < this.#way.length) this.#step(count + 1);
      else this.#rest();
    }, STEP_MS);
  }
}
