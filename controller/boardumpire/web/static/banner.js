// What just happened: one line above the board, with the pieces that met. It stays until the next thing happens. All
// of it was told to this screen anyway: what everybody heard, what its seat alone heard, and what its view held before.

import { fill, h } from "/dom.js";
import { lineOf } from "/parts.js";
import { drawnPiece } from "/pieces.js";
import { about } from "/place.js";

/** The spaces between which hands moved a piece last: the ends of what one message told. @returns {[string, string] | null} */
export function way({ events = [] }) {
  const steps = events.filter(({ from, to }) => typeof from === "string" && typeof to === "string");
  return steps.length ? [steps[0].from, steps[steps.length - 1].to] : null;
}

/**
 * The pieces that met, as this screen knows them: told with the event, or as its view had them before.
 * @param {any} message
 * @param {any} before  the view from before
 * @returns {{seat: string, rank: string, stays: boolean}[]}
 */
export function met({ events = [], seat: attacks }, before) {
  const battle = events.find(({ result, from, to }) => result && from && to);
  if (!battle) return [];
  const stays = { attacker: [true, false], defender: [false, true], both: [false, false] }[battle.result];
  return [
    [battle.from, battle.attacker],
    [battle.to, battle.defender],
  ].map(([space, told], side) => {
    const stood = [before?.board?.[space]].flat()[0] ?? {};
    const other = about.seats.length === 2 ? about.seats.find((seat) => seat !== attacks) : null;
    const whose = stood.seat ?? (side ? other : attacks) ?? "other";
    return { seat: whose, rank: told ?? stood.rank ?? "?", stays: stays?.[side] ?? true };
  });
}

export class Banner {
  element = h("div.banner");
  /** Where the last piece went. @type {[string, string] | null} */
  way = null;

  /** Show what a message tells, if it tells of the game. `live`: it happens now, so what moves may move. */
  hear(message, before, live) {
    if (message.kind === "private" ? !message.text?.length : message.kind !== "ruling" || !message.ok) return;
    const [line] = lineOf(message);
    if (!line) return;
    const alone = message.kind === "private";
    if (alone) this.element.append(h("p", {}, line[1]));
    else this.#show(line[1], met(message, before), live);
    const gone = alone ? null : way(message);
    if (gone) this.way = gone;
  }

  /** Begin anew with what this screen was told. */
  retell(told) {
    this.way = null;
    fill(this.element);
    for (const message of told) this.hear(message, null, false);
  }

  #show(text, pieces, live) {
    const [attacker, defender] = pieces.map(({ seat, rank, stays }, side) => {
      const drawn = drawnPiece(seat, rank);
      drawn.setAttribute("class", `drawn ${stays ? "stays" : "falls"} ${side ? "second" : "first"}`);
      return drawn;
    });
    fill(this.element, attacker ?? null, h("p", {}, text), defender ?? null);
    this.element.classList.toggle("live", live);
  }
}
