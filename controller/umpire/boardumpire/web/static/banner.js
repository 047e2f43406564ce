// What just happened: one line above the board, with the pieces that met. It stays until the next thing happens. All
// of it was told to this screen anyway: what everybody heard, what its seat alone heard, and what its view held before.

import { fill, h } from "/dom.js";
import { lineOf, walked } from "/parts.js";
import { drawnPiece, kindOf } from "/pieces.js";
import { about } from "/place.js";

/** The spaces between which hands moved a piece last: the ends of what one message told. @returns {[string, string] | null} */
export function way({ events = [] }) {
  const steps = events.filter(({ from, to }) => typeof from === "string" && typeof to === "string");
  return steps.length ? [steps[0].from, steps[steps.length - 1].to] : null;
}

/** There is no room for more letters: they are for the list of what happened so far. */
const LONG = 120;
/** More letters than these are written smaller. */
const FULL = 60;

/** What is shown large for a moment, besides battles. */
const MOMENTS = new Set(
  "take dice play arrest killed missed kit escape dare appel answer captured liberated ticket flight".split(
    " ",
  ),
);

/** The piece that a view has there. */
const on = (view, space) => [view?.board?.[space]].flat()[0];

/**
 * The pieces that a message tells of, as this screen knows them: told with it, or as its view had them before.
 * @param {any} message
 * @param {any} before  the view from before; none where this screen was opened later
 * @param {any} after  the view from after, where that is known
 * @returns {{seat: string, rank: string, stays: boolean}[]}
 */
export function met({ events = [], seat: mover }, before, after = null) {
  const battle = events.find(({ result, from, to }) => result && from && to);
  const ends = battle ? [battle.from, battle.to] : way({ events });
  if (!ends || (!battle && !(before ?? after)?.board)) return [];
  const stays = { attacker: [true, false], defender: [false, true], both: [false, false] }[
    battle?.result
  ] ?? [true, false];
  const now = on(after, ends[1]);
  const other = about.seats.length === 2 ? about.seats.find((seat) => seat !== mover) : null;
  return [battle?.attacker, battle?.defender].flatMap((told, side) => {
    const whose = (side ? other : mover) ?? "other";
    const stood = on(before, ends[side]) ?? (stays[side] && (!whose || now?.seat === whose) ? now : null);
    if (side && !battle && (!stood || stood.seat === mover)) return [];
    return [{ seat: stood?.seat ?? whose, rank: told ?? kindOf(stood) ?? "?", stays: stays[side] }];
  });
}

/**
 * What there is room for of a message: a walk by its two ends, the first sentence, and of the others those that come
 * last, as they say what came of it. A long sentence is left out where there are others.
 */
export function brief(message) {
  const whole = walked(message);
  const { text, events } = whole;
  if (!Array.isArray(text) || !text.some((line) => line.length <= LONG)) return whole;
  const short = [...text.keys()].filter((place) => text[place].length <= LONG);
  let letters = 0;
  const kept = [short[0], ...short.slice(1).reverse()].filter(
    (place) => (letters += text[place].length) <= LONG,
  );
  const fits = (_one, place) => kept.includes(place);
  const told = events?.length === text.length ? events.filter(fits) : events;
  return { ...whole, text: text.filter(fits), events: told };
}

/** A message without how the game ended, where it tells what ended it: the end is said beside the board. */
function withoutEnd(message) {
  const { text, events } = message;
  const ends = Array.isArray(text) && events?.length === text.length && text.length > 1;
  const stays = (_one, place) => events[place].kind !== "over";
  return ends ? { ...message, text: text.filter(stays), events: events.filter(stays) } : message;
}

/** Two messages as one, where there is room for both. */
export function joined(first, then) {
  const { text: before = [], events = [] } = first ? walked(first) : {};
  const text = [before, then.text].flat();
  if (text.join("").length > LONG) return then;
  return { ...then, text, events: [...events, ...then.events] };
}

export class Banner {
  element = h("div.banner");
  #words = h("div");
  /** Where the last piece went. @type {[string, string] | null} */
  way = null;
  #scene;
  /** What a seat did last: what a die adds to it is told with it. @type {any} */
  #did = null;

  /** @param {any} scene  which may know other things to draw (`met`) */
  constructor(scene = null) {
    this.#scene = scene;
    this.#wait();
  }

  /** Show what a message tells, if it tells of the game. `live`: it happens now, so what moves may move. */
  hear(message, before, live, after = null) {
    if (message.kind === "private" ? !message.text?.length : message.kind !== "ruling" || !message.ok) return;
    const alone = message.kind === "private";
    // A roll comes at once: it would take away what was done before it (an answer, a liberated city)
    message = withoutEnd(message);
    if (message.seat === "chance") message = joined(this.#did, message);
    else if (!alone) this.#did = message;
    const [line] = lineOf(brief(message));
    if (!line) return;
    if (alone) this.#words.append(h("p", {}, line[1]));
    else {
      const drawn = this.#scene?.met?.(message.events ?? [], before ?? after) ?? met(message, before, after);
      this.#show(line[1], drawn, live);
    }
    if (!this.element.contains(this.#words)) fill(this.element, this.#words);
    this.element.classList.toggle("long", this.#words.textContent.length > FULL);
    const gone = alone ? null : way(message);
    if (gone) this.way = gone;
  }

  /**
   * What happened, large over the board for a moment, where it is one to look at; it goes by itself.
   * @param {any} message  that was heard last
   * @param {Element} over
   */
  moment({ kind, ok, events = [] }, over) {
    const drawn = [...this.element.querySelectorAll(":scope > :not(div)")];
    const looked = kind === "ruling" && ok && events.some((event) => event.result || MOMENTS.has(event.kind));
    if (!looked || !drawn.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const box = h(
      "div.moment",
      { "aria-hidden": "true", onanimationend: ({ target }) => target === box && box.remove() },
      drawn.map((one) => one.cloneNode(true)),
    );
    const size = over.querySelector("[data-piece]")?.getBoundingClientRect().width ?? 0;
    box.style.setProperty("--twice", `${Math.max(64, Math.round(2 * size))}px`);
    over.querySelector(".moment")?.remove();
    over.append(box);
  }

  /** Begin anew with what this screen was told. */
  retell(told, view = null) {
    this.way = this.#did = null;
    fill(this.#words);
    this.#wait();
    for (const message of told) this.hear(message, null, false, view);
  }

  /** Until something has happened its place is the title's: a board that jumps is hard to touch. */
  #wait() {
    fill(this.element, h("div", {}, h("p.game", {}, about.title)));
  }

  #show(text, pieces, live) {
    const [first, second] = pieces.map((piece, side) => {
      const drawn = piece.seat ? drawnPiece(piece.seat, piece.rank) : piece;
      drawn.classList.add("drawn", piece.stays === false ? "falls" : "stays", side ? "second" : "first");
      drawn.setAttribute("aria-hidden", "true"); // the sentence says it all
      return drawn;
    });
    fill(this.#words, h("p", {}, text));
    fill(this.element, first ?? null, this.#words, second ?? null);
    this.element.classList.toggle("live", live);
  }
}
