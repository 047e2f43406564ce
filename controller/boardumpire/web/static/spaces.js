// What a seat may say about places: by what its acts name, never by which game it is. A place is tapped on the map.

import { h } from "/dom.js";
import { called, isPiece } from "/pieces.js";
import { _ } from "/words.js";

const LABELS = {
  go: (place, rest) =>
    [
      _("Go to {place}", { place }),
      _("Go to {place} with a ticket", { place }),
      _("Go to {place} with two tickets", { place }),
    ][rest.filter((word) => word.startsWith("ticket")).length],
  hide: (place) => _("Start in {place}", { place }),
  ask: (place) => _("Ask about {place}", { place }),
  written: (place, rest) =>
    rest.some((word) => word.startsWith("recapture="))
      ? _("Written: re-capture of {place}", { place })
      : place
        ? [
            _("Written: the token goes to {place}", { place }),
            _("Written: the token goes to {place}, one ticket", { place }),
            _("Written: the token goes to {place}, two tickets", { place }),
          ][tickets(rest)]
        : [_("Written"), _("Written: one ticket"), _("Written: two tickets")][tickets(rest)],
  stay: () => _("Stay"),
  roll: () => _("Roll the die"),
  liberate: () => _("Liberate"),
  done: () => _("Ask no more"),
  recapture: () => _("Re-capture"),
  yes: () => _("Yes"),
  no: () => _("No"),
};

const tickets = (rest) => rest.filter((word) => word.startsWith("ticket")).length;

/** Acts as {plain, at}: those that name no place, and by place those that do. */
export class Acts {
  constructor(acts, printed) {
    this.names = new Map(printed.spaces.map((space) => [space.id, space.name]));
    this.plain = [];
    this.at = new Map();
    for (const act of acts) {
      const places = act
        .split(" ")
        .slice(1)
        .map((word) => word.split("=").pop())
        .filter((word) => this.names.has(word));
      if (!places.length) this.plain.push(act);
      for (const place of places.length > 1 && act.startsWith("ask ") ? places : places.slice(-1)) {
        this.at.set(place, [...(this.at.get(place) ?? []), act]);
      }
    }
  }

  /** How an act is called. */
  label(act) {
    const [verb, ...rest] = act.split(" ");
    const places = rest
      .map((word) => word.split("=").pop())
      .filter((word) => this.names.has(word))
      .map((word) => this.names.get(word));
    if (LABELS[verb]) return LABELS[verb](places.join(" + "), rest);
    return isPiece(verb) && places.length
      ? _("{piece} starts in {place}", { piece: called(verb), place: places[0] })
      : act;
  }

  /** Buttons: what names no place, what may be said of the place that is chosen, else how to choose one. */
  buttons(chosen, say) {
    const button = (act, kind = "") =>
      h(`button${kind}`, { "data-key": act, onclick: () => say(act) }, this.label(act));
    const here = this.at.get(chosen) ?? [];
    return [
      this.plain.length
        ? h(
            "div.row",
            { role: "group", "aria-label": _("What you can do") },
            this.plain.map((act) => button(act, this.at.size ? "" : ".main")),
          )
        : null,
      here.length
        ? h(
            "div.row",
            { role: "group", "aria-label": this.names.get(chosen) },
            here.map((act) => button(act, ".main")),
          )
        : null,
      this.at.size && !here.length ? h("p", {}, _("Tap a place with a ring on the map.")) : null,
    ];
  }
}

/** The faces of a die that people throw themselves. */
export function throws(faces, say) {
  return faces.length
    ? h(
        "div.row",
        { role: "group", "aria-label": _("What the die shows") },
        faces.map((face) =>
          h("button.main", { "data-key": face, onclick: () => say(face) }, face.split(" ").pop()),
        ),
      )
    : null;
}

/** Where a seat says which it is itself: the help, and what it keeps for itself. */
export function helps(view, say, store) {
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
      _("Show where he may be, from what everybody knows"),
    ),
    h(
      "textarea",
      {
        rows: 4,
        "data-key": "notes",
        "aria-label": _("Notes"),
        placeholder: _("Notes: they stay on this device"),
        oninput: ({ target }) => localStorage.setItem(store, target.value),
      },
      localStorage.getItem(store) ?? "",
    ),
  );
}

/** The sheet of a game on paper: a city for each round, tapped on the map one after the other. */
export function sheetOf(entries, acts, say, undo) {
  return h(
    "div",
    {},
    h("p", {}, _("Enter your sheet: tap the places on the map, round by round.")),
    h(
      "ol.notes",
      {},
      entries.map((entry, round) => h("li", {}, `${round + 1}. ${acts.names.get(entry)}`)),
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
