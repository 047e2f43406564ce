// What is seldom done: a trade that is put together, and what is asked before a man dares or a seat leaves. It is fetched then.

import { h, named, sure } from "/dom.js";
import { _ } from "/words.js";

const KINDS = ["rope", "key", "pass", "cutter"];

/** With whom, what is given and what for. */
export function trade(castle, view, seat, offers, say, redraw) {
  const others = [...new Set(offers.map((act) => act[1]))];
  const wish = castle.trade;
  if (!others.includes(wish.to)) Object.assign(wish, { to: others[0], give: {}, want: {} });
  const words = (side) => KINDS.flatMap((kind) => Array(wish[side][kind] ?? 0).fill(kind));
  const field = (side, kind, most) =>
    h("input", {
      type: "number",
      inputmode: "numeric",
      min: 0,
      max: most,
      value: Math.min(wish[side][kind] ?? 0, most),
      disabled: !most,
      "data-key": `${side} ${kind}`,
      "aria-label":
        side === "give"
          ? _("You give: {item}", { item: castle.item(kind) })
          : _("You get: {item}", { item: castle.item(kind) }),
      oninput: ({ target }) => {
        wish[side][kind] = Math.max(0, Math.min(most, Math.round(Number(target.value)) || 0));
        redraw();
      },
    });
  const whom = h(
    "select",
    {
      "data-key": "trade with",
      "aria-label": _("With whom"),
      onchange: ({ target }) => {
        Object.assign(wish, { to: target.value, give: {}, want: {} });
        redraw();
      },
    },
    others.map((other) => h("option", { value: other, selected: other === wish.to }, named(other))),
  );
  const mine = view.equipment[seat],
    theirs = view.equipment[wish.to],
    empty = !words("give").length && !words("want").length;
  const offer = ({ currentTarget }) => {
    currentTarget.closest("details").open = false;
    const text = `trade ${[wish.to, ...words("give"), "for", ...words("want")].join(" ")}`;
    Object.assign(wish, { give: {}, want: {}, open: false });
    say(text);
  };
  return [
    h("div.row", {}, whom),
    h(
      "div.goods",
      {},
      h("span", {}),
      h("small", {}, _("You give")),
      h("small", {}, _("You get")),
      KINDS.filter((kind) => mine[kind] || theirs[kind]).map((kind) => [
        h("span", {}, castle.item(kind)),
        field("give", kind, mine[kind]),
        field("want", kind, theirs[kind]),
      ]),
    ),
    h(
      "div.row",
      {},
      h("button.main", { "data-key": "trade", disabled: empty, onclick: offer }, _("Offer it")),
    ),
  ];
}

/** What is asked before a seat leaves: the game is over only where no other Escape Officer is left (G18). */
export function leaving(view, seat) {
  const others = Object.entries(view.seats).some(([id, has]) => id !== seat && id !== "security" && !has.out);
  return others
    ? _("Resign this game? You are then out: your pawns stay where they are, and the others play on.")
    : _("Resign this game? You are the last Escape Officer: the game is then over.");
}

/** Whether somebody really stakes everything on this man. */
export function dares(man) {
  return sure(
    _(
      "Do or Die? Your card is turned up and shows how often you roll; only this man moves this turn: {place}. If he doesn't reach a Target, you are out of the game. This can't be taken back.",
      { place: man },
    ),
    _("Do or Die"),
  );
}
