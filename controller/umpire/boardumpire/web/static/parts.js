// What a view holds is what a screen shows: parts for what many games have (docs/program/add-a-game.md names the keys), each
// by its key. What one game alone has is drawn by its scene.

import { h, named } from "/dom.js";
import { called, chip } from "/pieces.js";
import { _ } from "/words.js";

/**
 * The parts by the key of a view that calls for them, in the order in which they are shown.
 * @type {Record<string, {title: string, open?: boolean, draw: (told: any, view: any) => any}>}
 */
export const PARTS = {
  hand: {
    title: _("In your hand"),
    draw: (cards) =>
      h(
        "ul.cards",
        {},
        cards.map((card) => h("li.card", {}, words(card))),
      ),
  },
  dice: {
    title: _("Dice"),
    draw: (dice) =>
      signed(
        "p.dice",
        _("Dice: {dice}", { dice: dice.join(", ") }),
        dice.map((pips) => h("span.die", {}, PIPS[pips] ?? String(pips))),
      ),
  },
  calendar: { title: _("Calendar"), draw: calendar },
  notes: {
    title: _("Notes"),
    draw: (notes) =>
      h(
        "ul.notes",
        { tabindex: 0, "aria-label": _("Notes") },
        notes.map((note) => h("li", {}, words(note))),
      ),
  },
  captured: { title: _("Losses"), draw: captured, open: true },
  battles: { title: _("Battles"), draw: battles },
};

/** Signs, with words for whoever listens. */
export function signed(tag, words, signs) {
  return h(tag, { role: "img", "aria-label": words }, signs);
}

export const PIPS = { 1: "⚀", 2: "⚁", 3: "⚂", 4: "⚃", 5: "⚄", 6: "⚅" };

const words = (thing) =>
  typeof thing === "string" || typeof thing === "number" ? String(thing) : Object.values(thing).join(" ");

const empty = (value) =>
  value === null ||
  value === undefined ||
  (Array.isArray(value)
    ? value.length === 0
    : typeof value === "object" && Object.values(value).every(empty));

/** The parts of a view, each a section; a game's own scene may bring others. */
export function parts(view, known = PARTS) {
  return Object.entries(known)
    .filter(([key, part]) => key in view && !empty(view[key]) && part.draw(view[key], view) !== null)
    .map(([key, part]) =>
      h(
        "details.part",
        { "data-part": key, open: !["battles"].includes(key) },
        h("summary", {}, part.title),
        part.draw(view[key], view),
      ),
    );
}

function calendar(date) {
  const { now, end, rows = [] } = date;
  return h(
    "div",
    {},
    h("p.date", {}, h("strong", {}, end === undefined ? String(now) : _("{now} of {end}", { now, end }))),
    end > 0 && Number.isFinite(now)
      ? h("progress", { max: end, value: now, "aria-label": _("Calendar") })
      : null,
    rows.map((row) => h("p", {}, words(row))),
  );
}

/** What a place is called on this board. */
const names = new Map();
export function nameSpaces(spaces) {
  for (const space of spaces) names.set(space.id, space.name);
}
export const placed = (space) => names.get(space) ?? space;

/** Pieces that a view tells by name. */
export function standing(view) {
  const found = {};
  for (const [space, held] of Object.entries(view.places ?? {}))
    found[space] = held.map((name) => ({ seat: name.split(":")[0], rank: null }));
  for (const [name, space] of Object.entries(view.pieces ?? {}))
    (found[space] ??= []).push({ seat: view.owners?.[name] ?? name, rank: name });
  return found;
}

/** The text of an action with its places by name: `ask munich`, `bonn-koblenz`. */
const worded = (action) =>
  action
    .split(" ")
    .map((word) => {
      for (let cut = word.indexOf("-"); cut > 0; cut = word.indexOf("-", cut + 1)) {
        const [from, to] = [word.slice(0, cut), word.slice(cut + 1)];
        if (names.has(from) && names.has(to))
          return [from, to].map(placed).join(/ /.test(placed(from) + placed(to)) ? " → " : "-");
      }
      return placed(word);
    })
    .join(" ");

function captured(taken) {
  return h(
    "dl.taken",
    {},
    Object.entries(taken)
      .filter(([, ranks]) => ranks.length)
      .map(([seat, ranks]) => [
        h("dt", {}, named(seat)),
        h(
          "dd",
          {},
          ranks.map((rank) => chip(seat, rank)),
        ),
      ]),
  );
}

function battles(fought) {
  const told = {
    attacker: (met) => _("{from}–{to}: {attacker} against {defender}, the attacker wins", met),
    defender: (met) => _("{from}–{to}: {attacker} against {defender}, the defender wins", met),
    both: (met) => _("{from}–{to}: {attacker} against {defender}, both leave the board", met),
  };
  return h(
    "ol.battles",
    {},
    fought.map((one) =>
      h(
        "li",
        {},
        told[one.result]({
          from: one.from,
          to: one.to,
          attacker: called(one.attacker),
          defender: called(one.defender),
        }),
      ),
    ),
  );
}

/** What was told, without an end of the game that the ruling before it has told already. @param {any[]} told */
export function once(told) {
  return told.filter(({ kind, text }, place) => {
    const before =
      kind === "over" &&
      told
        .slice(0, place)
        .reverse()
        .find((message) => message.kind === "ruling");
    return !(before && [before.text].flat().includes(text));
  });
}

/** What was told, without questions that a ruling has answered since. @param {any[]} told */
function answered(told) {
  const ruled = told.map(({ kind, ok }) => kind === "ruling" && ok).lastIndexOf(true);
  return told.filter(({ kind }, place) => kind !== "question" || place > ruled);
}

/** What was told so far, oldest first; `why` makes a button of the rule that a refusal rests on. */
export function history(told, why = (rule) => rule && null) {
  const lines = answered(once(told)).flatMap(lineOf);
  return h(
    "ol.history",
    { tabindex: 0, "aria-label": _("What happened so far") },
    lines.map(([kind, text, rule]) => h(`li.${kind}`, {}, text, rule ? [" ", why(rule)] : null)),
  );
}

/** A message with each walk of several steps told as one, by its two ends, whatever else happened on the way. */
export function walked(message) {
  const { text, events } = message;
  if (!Array.isArray(text) || !Array.isArray(events) || events.length !== text.length) return message;
  const said = [];
  const done = [];
  /** Where the walk stands in `said`. */
  let walk = -1;
  for (const [place, event] of events.entries()) {
    const begun = done[walk];
    if (event.kind === "move" && begun && begun.seat === event.seat && begun.to === event.from) {
      done[walk] = { ...begun, to: event.to };
      said[walk] = _("{seat}: {from} to {to}.", {
        seat: named(event.seat),
        from: placed(begun.from),
        to: placed(event.to),
      });
    } else {
      if (event.kind === "move") walk = done.length;
      said.push(text[place]);
      done.push(event);
    }
  }
  return { ...message, text: said, events: done };
}

export function lineOf(message) {
  const text = Array.isArray(message.text) ? walked(message).text.join(" ") : message.text;
  switch (message.kind) {
    case "ruling":
      return message.ok
        ? text
          ? [["ruling", text]]
          : []
        : [
            [
              "refused",
              `${named(message.seat)}${message.action ? ` ${worded(message.action)}` : ""}: ${message.refusal.text}`,
              ...(message.refusal.rule ? [message.refusal.rule] : []),
            ],
          ];
    case "private": {
      // A reason that everybody hears was told already; an answer is its seat's own, and needs no such words.
      if (message.refusal && !message.alone) return [];
      const own = message.answer || text || message.refusal?.text;
      if (!own) return [];
      const line = ["private", message.alone ? _("For you alone: {text}", { text: own }) : own];
      return [message.refusal?.rule ? [...line, message.refusal.rule] : line];
    }
    case "chores":
    case "turn":
      return [];
    default:
      return text ? [[message.kind, text]] : [];
  }
}

/**
 * How a game ended, in the words of the game.
 * @param {{winner: string | null, reason: string}} told
 * @param {Record<string, string>} ends  by `won REASON` and `draw REASON` the sentence
 * @param {string[]} seats  of that game
 */
export function outcome({ winner, reason }, ends, seats = []) {
  if (!winner) return ends[`draw ${reason}`] ?? _("A draw");
  const won = winner.split("+").map(named).join(" + ");
  const said = ends[`won ${reason}`];
  const lost = named(seats.find((seat) => seat !== winner));
  return said
    ? said.replace("{winner}", () => won).replace("{loser}", () => lost)
    : _("{seat} won", { seat: won });
}

/** What a lamp means now, of an entry of the legend. @param {any} entry @param {boolean} over  whether the game is */
export const meaning = (entry, over) => (over && entry?.at_end) || entry?.means;

/** All that a lamp may mean. */
const meanings = ({ means, at_end: ends }) =>
  ends ? _("{meaning}; at the end of the game: {end}", { meaning: means, end: ends }) : means;

/** What the lamps mean, those that are lit first. */
export function legend(printed, marks) {
  const lit = new Set(Object.values(marks).map((mark) => mark.split("+")[0]));
  const entries = printed.legend
    .filter((entry) => entry.means)
    .sort((one, two) => Number(lit.has(two.mark)) - Number(lit.has(one.mark)));
  return h(
    "ul.legend",
    {},
    entries.map((entry) => {
      const lamp = h(`span.lamp.${entry.class}`, { "aria-hidden": "true" });
      lamp.style.setProperty("--lamp", `rgb(${entry.rgb.join(" ")})`);
      return h(
        lit.has(entry.mark) ? "li.lit" : "li",
        {},
        lamp,
        h("span", {}, `${meanings(entry)} `, h("small", {}, `${entry.hue}, ${entry.pattern}`)),
      );
    }),
  );
}

/** Who begins the next game later than this plays on another evening. */
const EVENING_MS = 12 * 3600 * 1000;

/**
 * How often each seat of the last game has won this evening: in the games of the same people one after the other.
 * Nothing where that was the first one.
 * @param {{game: string, begun_ms: number, results?: [string, string, boolean | null][]}[]} games  the latest first
 * @returns {[string, number][]}
 */
export function evening(games) {
  /** @param {[string, string, boolean | null]} result */
  const who = ([player, at]) => player || at;
  /** @param {{results?: [string, string, boolean | null][]}} game */
  const people = ({ results = [] }) => results.map(who).sort().join();
  const [last] = games;
  const until = games.findIndex(
    (game, place) =>
      game.game !== last.game ||
      people(game) !== people(last) ||
      (place > 0 && games[place - 1].begun_ms - game.begun_ms > EVENING_MS),
  );
  const played = until < 0 ? games : games.slice(0, until);
  if (!last?.results?.length || played.length < 2) return [];
  return last.results.map((one) => [
    one[1],
    played.filter(({ results = [] }) => results.some((other) => who(other) === who(one) && other[2])).length,
  ]);
}
