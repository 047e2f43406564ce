// Who may still sit down: a code to photograph for each free seat, and for a seat whose phone is lost.

import { fill, h, named } from "/dom.js";
import { about } from "/place.js";
import { _ } from "/words.js";

/** Where spectators look on, whom nobody needs to know. */
export function spectators() {
  return h(
    "details.part.watch",
    { "data-part": "watch" },
    h("summary", {}, _("Spectators")),
    about.alone ? null : h("p", {}, _("Scan this code to watch; you don't need a seat.")),
    h(
      "div.codes",
      {},
      h(
        "figure.code",
        {},
        about.alone
          ? null
          : h("img", {
              src: "/qr/watch.svg",
              loading: "lazy",
              width: 260,
              height: 260,
              alt: _("A code to scan: it opens the spectators' screen"),
            }),
        h("figcaption", {}, h("a", { href: "/watch" }, "/watch")),
      ),
    ),
  );
}

function code(seat, renewed) {
  return h(
    "figure.code",
    {},
    h("img", {
      src: `/qr/${seat}.svg${renewed ? "?lost" : ""}`,
      width: 260,
      height: 260,
      alt: _("A code to scan: it opens the seat {seat}", { seat: named(seat) }),
    }),
    h("figcaption", {}, named(seat)),
  );
}

/** The free seats, where no other device reaches this page: each opens in a window of its own. */
function windows(free) {
  const link = ({ seat, path }) =>
    h("a.button", { href: path, target: "_blank", "data-seat": seat }, named(seat));
  fetch("/join.json")
    .then((answer) => answer.json())
    .then(({ seats: all }) => {
      const row = document.querySelector(".free .row"); // the one that is shown by then
      if (row) fill(row, all.filter(({ seat, path }) => path && free.includes(seat)).map(link));
    });
  return h(
    "section.part.free",
    { "aria-label": _("Free seats") },
    h("h2", {}, _("Take your seats")),
    h(
      "p",
      {},
      _("Open each seat in its own window. Phones can't join: the page was started for this computer only."),
    ),
    h("div.row", {}),
  );
}

/** The free seats with their codes. */
export function seats(free) {
  if (free.length && about.alone) return windows(free);
  return free.length
    ? h(
        "section.part.free",
        { "aria-label": _("Free seats") },
        h("h2", {}, _("Sit down with your phone")),
        h("p", {}, _("Scan the code of a seat. It is shown until somebody sits there.")),
        h(
          "div.codes",
          {},
          free.map((seat) => code(seat, false)),
        ),
      )
    : null;
}

/** For whoever has lost a phone: the seats that are taken. */
export function lost(all, free) {
  const taken = all.filter((seat) => !free.includes(seat) && !(seat in (about.machines ?? {})));
  if (!taken.length || about.alone) return null;
  const show =
    (seat) =>
    ({ currentTarget }) =>
      fill(currentTarget.closest("details").querySelector("[data-own]"), code(seat, true));
  return h(
    "details.part.lost",
    { "data-part": "lost" },
    h("summary", {}, _("Lost your phone?")),
    h(
      "p",
      {},
      _("Scan the seat's code with the new phone; the others are then asked whether it is the same person."),
    ),
    h(
      "div.row",
      {},
      taken.map((seat) =>
        h("button", { type: "button", "data-key": `lost ${seat}`, onclick: show(seat) }, named(seat)),
      ),
    ),
    h("div.codes", { "data-own": "" }),
  );
}
