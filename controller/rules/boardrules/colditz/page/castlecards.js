// The cards of a seat: its hand with what may be played, and Equipment.

import { h, named, s } from "/dom.js";
import { _ } from "/words.js";

/** A card beside a sentence: with the first letter of its title, or its back. */
export function drawnCard(title) {
  return s(
    "svg.drawn",
    { viewBox: "-18 -18 36 38" },
    s("rect.card-face", { x: -12, y: -17, width: 24, height: 35, rx: 3.5 }),
    title
      ? s("text.card-letter", { y: 6 }, [...title][0])
      : s("rect.card-back", { x: -8, y: -13, width: 16, height: 27, rx: 2 }),
  );
}

/** A hand: each card with its text and, where it may be played now, what it may be played for. */
export function hand(castle, view, plays, discards, say, title = _("In your hand")) {
  const many = new Map();
  for (const id of view.hand) many.set(id, (many.get(id) ?? 0) + 1);
  return h(
    "div.group",
    { "data-part": "hand" },
    title ? h("h3", {}, title) : null,
    h(
      "ul.hold",
      {},
      [...many].map(([id, count]) => {
        const card = castle.card(id),
          uses = plays.filter((act) => act[1] === id);
        return h(
          "li",
          {},
          h("h3", {}, count > 1 ? `${card.title} × ${count}` : card.title),
          h("p", {}, card.text),
          aimed(castle, id, uses, say),
          discards.some((act) => act[1] === id)
            ? h(
                "div.row",
                {},
                h(
                  "button",
                  { "data-key": `discard ${id}`, onclick: () => say(`discard ${id}`) },
                  _("Discard it face down"),
                ),
              )
            : null,
        );
      }),
    ),
  );
}

function aimed(castle, id, uses, say) {
  if (!uses.length) return null;
  const text = (act) =>
    act
      .slice(2)
      .map((word) => castle.called(word))
      .join(" → ");
  const play = (act, label, kind = ".main") =>
    h(`button${kind}`, { "data-key": act.join(" "), onclick: () => say(act.join(" ")) }, label);
  if (uses.length === 1 && uses[0].length === 2) return h("div.row", {}, play(uses[0], _("Play it")));
  if (uses.length <= 3)
    return h(
      "div.row",
      {},
      uses.map((act) => play(act, _("Play it: {place}", { place: text(act) }))),
    );
  const list = h(
    "select",
    { "data-key": `aim ${id}`, "aria-label": _("For whom or where") },
    uses.map((act) => h("option", { value: act.join(" ") }, text(act))),
  );
  return h(
    "div.row",
    {},
    list,
    h(
      "button.main",
      {
        "data-key": `play ${id}`,
        onclick: ({ currentTarget }) => say(currentTarget.previousElementSibling.value),
      },
      _("Play it"),
    ),
  );
}

/** Which kinds of Equipment each officer holds: for officers alone. */
export function goods(castle, view, kinds) {
  return h(
    "table.seats",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        kinds.map((kind) => h("th", { scope: "col" }, castle.item(kind))),
      ),
    ),
    h(
      "tbody",
      {},
      Object.entries(view.equipment).map(([seat, held]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("span", { class: `flag ${seat}`, "aria-hidden": "true" }), named(seat)),
          kinds.map((kind) => h("td", {}, String(held[kind]))),
        ),
      ),
    ),
  );
}

/** All cards of the decks that a seat may meet. */
export function cards(castle, seat) {
  const decks = { opportunity: _("Opportunity cards"), security: _("Security cards") };
  const first = seat === "security" ? ["security", "opportunity"] : ["opportunity", "security"];
  return h(
    "details.part",
    { "data-part": "cards" },
    h("summary", {}, _("All cards")),
    first.map((deck) => [
      h("p.label", {}, decks[deck]),
      h(
        "ul",
        {},
        Object.values(castle.scenery.cards)
          .filter((card) => card.deck === deck)
          .map((card) => h("li", {}, h("strong", {}, card.title), " ", card.text)),
      ),
    ]),
  );
}
