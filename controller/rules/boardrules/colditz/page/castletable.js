// What everybody at the table sees of all seats: the round track, who holds how much, whose men got away.

import { h, named } from "/dom.js";
import { _, counted } from "/words.js";

/** The round marker on its way to the eagle. */
export function round(view, rounds) {
  const left = view.round - 1;
  return h(
    "div",
    {},
    h("progress", { max: rounds, value: rounds - view.round, "aria-label": _("Rounds that are over") }),
    h(
      "p.faint",
      {},
      left
        ? counted("One round left after this one.", "{n} rounds left after this one.", left)
        : _("The marker is on the eagle: these are the last turns."),
    ),
  );
}

/** One row a seat. */
export function standing(view, mine) {
  const dares = Object.values(view.seats).some((has) => has.do_or_die);
  const head = [
    _("Seat"),
    _("Cards"),
    _("Equipment"),
    _("Kit"),
    _("Escaped"),
    ...(dares ? [_("Do or Die")] : []),
  ];
  return h(
    "table.seats",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head.map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h(
      "tbody",
      {},
      Object.entries(view.seats).map(([seat, has]) =>
        h(
          `tr${seat === view.turn ? ".turn" : ""}`,
          {},
          h(
            "th",
            { scope: "row" },
            h("span", { class: `flag ${seat}`, "aria-hidden": "true" }),
            named(seat),
            seat === mine ? ` (${_("you")})` : "",
            has.out ? ` – ${_("out")}` : "",
          ),
          [
            has.cards + (has.parts ?? 0),
            has.equipment,
            "kit" in has ? (has.kit ? "✓" : "–") : null,
            has.escapes,
            ...(dares ? ["do_or_die" in has ? (has.do_or_die ? "✓" : "–") : null] : []),
          ].map((value) => h("td", {}, value === undefined || value === null ? "" : String(value))),
        ),
      ),
    ),
  );
}

/** How long a person sees that the turn ends by itself. */
const ENDS_MS = 3000;

/**
 * Whether nothing is left to do in a turn but to end it, as everybody can see. Whoever holds a card ends the turn
 * himself: that it ends by itself would tell that no card fits.
 */
export function spent(view, seat, may) {
  const { cards, parts = 0 } = view.seats[seat];
  const [act, more] = may.acts;
  return !view.open && !view.points && !cards && !parts && act === "end" && !more && !hasAny(may.moves);
}

const hasAny = (moves) => Object.keys(moves ?? {}).length > 0;

/** Ends the turn soon, unless its person says `wait`; it may stand. @param {() => void} end @param {() => void} wait */
export function ending(end, wait) {
  const ends = performance.now() + ENDS_MS,
    face = h("span", { role: "timer" });
  const tick = () => {
    const seconds = Math.ceil((ends - performance.now()) / 1000);
    if (!face.isConnected && seconds * 1000 < ENDS_MS) return; // another panel stands there by now
    if (seconds <= 0) return end();
    face.textContent = counted("The turn ends in one second.", "The turn ends in {n} seconds.", seconds);
    setTimeout(tick, 250);
  };
  tick();
  return h(
    "p.row.ending",
    {},
    face,
    h("button.quiet", { "data-key": "wait", type: "button", onclick: wait }, _("Not yet")),
  );
}

/** How long an answer may still take, counted here between what the umpire says; it may stand. */
export function countdown({ left_ms: left, runs }) {
  const ends = performance.now() + left,
    face = h("p.label", { role: "timer", "data-whole": "" });
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((runs ? ends - performance.now() : left) / 1000));
    face.textContent = counted("one second left to answer", "{n} seconds left to answer", seconds);
    if (seconds && runs && (face.isConnected || performance.now() < ends - left + 1500))
      setTimeout(tick, 500);
  };
  tick();
  return face;
}
