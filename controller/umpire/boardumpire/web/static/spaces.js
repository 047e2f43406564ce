// What a seat may say about places: by what its acts name, never by which game it is. A place is tapped on the map.

import { h } from "/dom.js";
import { called, isPiece } from "/pieces.js";
import { _ } from "/words.js";

/** What the words of acts are called; a game's scene may name more of its own. @type {Record<string, (place: string, rest: string[]) => string>} */
const LABELS = {
  roll: () => _("Roll the die"),
  yes: () => _("Yes"),
  no: () => _("No"),
};

/** So many acts with a tray have a button each; of more those are shown whose space is chosen. */
const TRAY_ACTS_SHOWN = 6;

/** Acts as {plain, at}: those that name no place, and by place those that do. */
export class Acts {
  /** @param {Record<string, string>} said by act with a tray what its button says */
  constructor(acts, printed, labels = {}, said = {}) {
    this.labels = { ...LABELS, ...labels };
    this.said = said;
    this.names = new Map(printed.spaces.map((space) => [space.id, space.name]));
    this.plain = [];
    this.at = new Map();
    for (const act of acts) {
      const words =
        said[act] && Object.keys(said).length > TRAY_ACTS_SHOWN ? act.split("-") : act.split(" ").slice(1);
      const places = words.map((word) => word.split("=").pop()).filter((word) => this.names.has(word));
      if (!places.length) this.plain.push(act);
      for (const place of places.length > 1 && act.startsWith("ask ") ? places : places.slice(-1)) {
        this.at.set(place, [...(this.at.get(place) ?? []), act]);
      }
    }
  }

  /** How an act is called. */
  label(act) {
    if (this.said[act]) return this.said[act];
    const [verb, ...rest] = act.split(" ");
    const places = rest
      .map((word) => word.split("=").pop())
      .filter((word) => this.names.has(word))
      .map((word) => this.names.get(word));
    if (this.labels[verb]) return this.labels[verb](places.join(" + "), rest);
    return isPiece(verb) && places.length
      ? _("{piece} starts in {place}", { piece: called(verb), place: places[0] })
      : act;
  }

  /** Buttons: what names no place, what may be said of the place that is chosen, else how to choose one. `moves`: whether a piece may move, too. */
  buttons(chosen, say, moves = false) {
    const button = (act, kind = "") =>
      h(`button${kind}`, { "data-key": act, onclick: () => say(act) }, this.label(act));
    const here = this.at.get(chosen) ?? [];
    return [
      this.plain.length
        ? h(
            "div.row",
            { role: "group", "aria-label": _("What you can do") },
            this.plain.map((act) => button(act, this.at.size || moves ? "" : ".main")),
          )
        : null,
      here.length
        ? h(
            "div.row",
            { role: "group", "aria-label": this.names.get(chosen) },
            here.map((act) => button(act, ".main")),
          )
        : null,
      this.at.size && !here.length && !Object.keys(this.said).length
        ? h("p", {}, _("Tap a city with a ring on the map."))
        : null,
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
