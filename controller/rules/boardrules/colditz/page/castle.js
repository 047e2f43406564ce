// Escape from Colditz on a screen: what places are called, what a seat may do in plain words, what everybody sees.
// It is drawn from what the state offers: rules are the umpire's.

import { h, named, s } from "/dom.js";
import { cards, drawnCard, goods, hand } from "./castlecards.js";
import { explained, ground, keyOfMap, signs, spots, state } from "./castlemap.js";
import { countdown, ending, round, spent, standing } from "./castletable.js";
import { about } from "/place.js";
import { _, counted, listed } from "/words.js";

const KINDS = ["rope", "key", "pass", "cutter"];
const WORDS = {
  roll: _("Roll the dice"),
  stay: _("Keep this roll"),
  draw: _("Take a card"),
  skip: _("Don't take a card"),
  ready: _("The guards are posted"),
  pass: _("No, let it pass"),
  accept: _("Accept the trade"),
  decline: _("Decline it"),
  search: _("General Search instead of moving"),
  keep: _("Leave the other markers"),
  end: _("End the turn"),
};
const dice = (throws) => throws.map((each) => each.join(" + ")).join(", ");
const faces = (pips) => pips.map((each) => "⚀⚁⚂⚃⚄⚅"[each - 1]).join(" ");
/** R019: guards on outer posts. */
const [LEAST_OUTSIDE, MOST_OUTSIDE] = [2, 7];
/** The seat whose pieces are guards. */
const GUARDS = "security";
const FIRST = ["roll", "draw", "ready", "accept"];

/** How an act's button looks among so many: what comes first stands out, and an end that wastes points doesn't. */
export function weight(act, many, points) {
  if (act === "end") return points ? ".quiet" : ".main";
  return FIRST.includes(act) || many === 1 ? ".main" : "";
}

export class Scene {
  title = _("The map of the castle");
  #scenery;
  #names;
  #spaces;
  /** @type {SVGElement | null} */
  #layer = null;
  #lines = [];
  /** @type {typeof import("./castletrade.js") | null} */
  #trading = null;

  constructor(printed) {
    this.#scenery = printed.scenery;
    this.#names = printed.scenery.names ?? {};
    this.#spaces = new Map(printed.spaces.map((space) => [space.id, space]));
    this.#lines = printed.lines;
    this.trade = { to: null, give: {}, want: {} };
    this.away = new Set();
    /** The turn that its person wants to end himself. */
    this.held = "";
  }

  get scenery() {
    return this.#scenery;
  }

  // What things are called

  word(key) {
    return this.#names[key] ?? key.split(" ").pop();
  }

  /** Guards arrest, and whoever steps onto a guard is arrested: R080, R088. */
  foe(one, other) {
    return (one === GUARDS) !== (other === GUARDS);
  }

  card(id) {
    return this.#scenery.cards[id] ?? { title: id, text: "" };
  }

  /** A circle as people call it: where it is, and what is printed on it. */
  name(id) {
    if (!id.includes("/")) return this.#spaces.get(id)?.name ?? id;
    const [room, number] = id.split("/");
    return _("{place}, in the tunnel, {number}", { place: this.word(`room ${room}`), number });
  }

  #short(id) {
    return /\d+$/.exec(id)?.[0] ?? id;
  }

  /** What an act is about: circles, pairs of circles, seats, tunnels. */
  called(word) {
    if (this.#scenery.circles[word] || this.#spaces.has(word) || word.includes("/")) return this.name(word);
    const pair = word.split("-");
    if (pair.length === 2 && pair.every((id) => this.#scenery.circles[id]))
      return pair.map((id) => this.name(id)).join(" → ");
    if (this.#scenery.tunnels[word]) return this.word(`room ${word}`);
    return named(word);
  }

  item(kind) {
    return this.word(`item ${kind}`);
  }

  /** What is printed on a circle, and what its room gives. */
  explain(id) {
    return explained(this.#scenery, id, (key) => this.word(key));
  }

  // The map

  #at(board) {
    return (id, top = false) => {
      const space = this.#spaces.get(id);
      return !space ? null : top ? board.at(space).y - space.h / 2 : board.at(space);
    };
  }

  ground(board) {
    return ground(this.#scenery, this.#lines, this.#at(board));
  }

  signs(board) {
    this.#layer = s("g.castle", { "aria-hidden": "true" });
    return s(
      "g",
      {},
      signs(this.#scenery, this.#at(board), (key) => this.word(key)),
      this.#layer,
    );
  }

  /** What circles are called, for whoever looks from near. */
  spots(board) {
    return spots(this.#scenery, this.#at(board), (id) =>
      this.#scenery.circles[id].room ? this.#short(id) : this.word(`circle ${id}`),
    );
  }

  draw(board, view) {
    this.#layer?.replaceChildren(...state(this.#scenery, view, this.#at(board)));
  }

  /** What is drawn beside what happened: the men it is about, a card, dice. */
  met(events) {
    const told = (...kinds) => events.find(({ kind }) => kinds.includes(kind));
    const man = (seat, stays = true) => ({ seat, rank: null, stays });
    const caught = told("arrest", "killed", "missed");
    if (caught) return [man("security"), man(caught.seat, caught.kind === "missed")];
    const whom =
      events.find(({ seat }) => seat) ??
      (told("recall", "search", "relief", "appel", "detect") && { seat: "security", to: null });
    if (!whom) return [];
    const { seat, to } = whom;
    const thrown = told("dice")?.dice;
    if (thrown) return [man(seat), h("span.dots", {}, faces(thrown))];
    if (told("play", "card", "discard"))
      return [man(seat), drawnCard(this.card(told("play")?.card ?? "").title)];
    return told("trade", "offer") ? [man(seat), man(to)] : [man(seat)];
  }

  // What is to do

  /** Whose move it is and what is open, as a title and sentences. `told`: what this screen heard, the latest last. */
  situation(view, seat, may, told = []) {
    const open = view.open,
      asked = open?.asked ?? view.to_act,
      mine = asked.includes(seat),
      who = listed(asked.filter((one) => one !== "chance").map(named));
    const full = may?.acts.some((text) => text.startsWith("discard "))
      ? _("You hold more than three cards: play one or discard one before you end the turn.")
      : "";
    if (view.phase === "deploy" && !open)
      return [mine ? _("Post your guards") : _("{seat}: guards to post", { seat: named(view.turn) })];
    if (open?.what === "answer") {
      const what =
        open.to === "arrest"
          ? _("A guard comes to arrest a man: {place}.", { place: this.called(open.at) })
          : this.#played(view, open, view.turn === seat);
      const fits = may?.acts.some((text) => text.startsWith("play "));
      return [
        !mine
          ? _("Waiting for an answer: {seat}", { seat: who })
          : !fits
            ? _("None of your cards fits")
            : open.to === "arrest"
              ? _("Do you prevent the arrest?")
              : _("Do you want to respond?"),
        what,
        mine && !fits
          ? _(
              "Everyone who holds a card is asked, so nobody learns who could play one. Answer when you like.",
            )
          : "",
      ];
    }
    if (open?.what === "trade")
      return [
        mine ? _("A trade is offered to you") : _("{seat}: a trade to think about", { seat: who }),
        view.offer && [open.from, ...asked].includes(seat)
          ? _("You get: {get}. You give: {give}.", {
              get: this.#goods(mine ? view.offer.give : view.offer.want),
              give: this.#goods(mine ? view.offer.want : view.offer.give),
            })
          : view.offer
            ? _("Offer ({seat}): {give}. In return: {want}.", {
                seat: named(open.from),
                give: this.#goods(view.offer.give),
                want: this.#goods(view.offer.want),
              })
            : _("Only the Escape Officers know what is in it."),
      ];
    if (open?.what === "confiscate")
      return [
        mine ? _("Give up an Equipment card") : _("{seat}: an Equipment card to give up", { seat: who }),
        this.#lost(told, open.seat),
      ];
    if (open?.what === "appel")
      return [
        mine ? _("Appel! Who stays away?") : _("{seat}: who lines up for the Appel?", { seat: who }),
        mine ? _("Any man who stays away may be arrested this turn, anywhere except on a safe circle.") : "",
      ];
    if (open?.what === "muster")
      return [
        mine
          ? _("Now send both men back to the Appel area")
          : _("{seat}: men go back to the Appel area", { seat: who }),
        mine
          ? counted(
              "Carry one man to a free circle of the Appel area. He is in: {rooms}.",
              "Carry {n} men to free circles of the Appel area. They are in: {rooms}.",
              open.rooms.length,
              { rooms: this.#mustered(open.rooms, view, seat) },
            )
          : "",
      ];
    if (open?.what === "chase")
      return [
        mine ? _("The guard has to leave the room") : _("{seat}: a guard has to leave a room", { seat: who }),
        mine ? _("Down that drop, or to the Commander's Office.") : "",
      ];
    if (open?.what === "markers")
      return [
        mine ? _("Which markers do you want to take away?") : _("{seat}: markers to look at", { seat: who }),
        "",
      ];
    const thrown = open?.what === "again" ? _("Dice: {dice}", { dice: dice(open.throws) }) : "";
    if (!mine && open && who) return [_("Waiting for an answer: {seat}", { seat: who }), thrown];
    if (!mine) return [who ? _("{seats} to move", { seats: who }) : _("Wait a moment"), thrown];
    if (open?.what === "again") return [_("A double! Once more?"), thrown, full];
    if (open?.what === "offer") return [_("A low roll: you may take a card"), ""];
    if (view.phase === "before")
      return [
        WORDS.roll,
        seat === "security"
          ? _("You may play cards before you roll.")
          : _("You may play cards and trade before you roll."),
      ];
    const [held, another] = Object.keys(may.moves);
    if (held && !another && !full && !may.acts.includes("end"))
      return [_("{place}: no pawn may stay there, move it on", { place: this.name(held) })];
    return [
      view.points
        ? counted("Move your pawns: one point left", "Move your pawns: {n} points left", view.points)
        : _("No points left: end the turn"),
      full,
      view.points ? _("Tap or lift a pawn: rings show where it may go with the points left.") : "",
    ];
  }

  /** The guard posts inside and outside, each with what is said of how many guards stand there, of how many. */
  posts(view) {
    const { circles } = this.#scenery;
    const all = Object.keys(circles).filter((id) => circles[id].is.includes("post"));
    const inner = all.filter((id) => circles[id].area === "inner");
    const outer = all.filter((id) => !inner.includes(id));
    const guarded = (ids) => ids.filter((id) => this.#guarded(view, id)).length;
    const officers = Object.keys(view.seats).length - 1;
    const guards = Object.values(view.places)
      .flat()
      .filter((name) => name.startsWith("security")).length;
    return [
      { label: _("Inside: {n} of {all} posted", { n: guarded(inner), all: officers }), ids: inner },
      {
        label: _("Outside: {n} of {least} to {most} posted", {
          n: guarded(outer),
          least: LEAST_OUTSIDE,
          most: Math.min(MOST_OUTSIDE, guards - officers),
        }),
        ids: outer,
      },
    ];
  }

  #guarded(view, id) {
    return (view.places[id] ?? []).some((name) => name.startsWith("security"));
  }

  /** Every guard post to tap. `free`: where a guard may still be posted. */
  #posting(view, free, post) {
    const button = (id) =>
      h(
        "button",
        {
          "data-key": `post ${id}`,
          "aria-label": this.name(id),
          "aria-pressed": String(this.#guarded(view, id)),
          disabled: !free.includes(id),
          onclick: () => post(id),
        },
        id,
      );
    return [
      h(
        "p",
        {},
        free.length
          ? _("Tap a post, or carry a guard there from Barracks.")
          : _(
              "Post one guard inside for each Escape Officer, and two to seven outside. Tap a post with a ring to send a guard.",
            ),
      ),
      this.posts(view).map(({ label, ids }) =>
        h(
          "div.posts",
          { role: "group", "aria-label": label },
          h("p.label", {}, label),
          h("div", {}, ids.map(button)),
        ),
      ),
    ];
  }

  /** Why a seat gives up Equipment: who of its men was arrested where, or which card wants it. */
  #lost(told, seat) {
    const events = [...told].reverse().flatMap((message) => message.events ?? []);
    const cause = events.find(({ kind, seat: whose }) =>
      kind === "arrest" ? whose === seat : kind === "play",
    );
    if (cause?.kind === "arrest")
      return _("{seat}: a man was arrested, on {place}.", {
        seat: named(seat),
        place: this.called(cause.at),
      });
    return cause
      ? _("{seat} played {card}.", { seat: named(cause.seat), card: this.card(cause.card).title })
      : "";
  }

  /** The rooms whose men go to the Appel area now, each with its sign. */
  #mustered(kinds, view, seat) {
    const own = Object.entries(view.places).filter(([, names]) =>
      names.some((name) => name.startsWith(`${seat}:`)),
    );
    const rooms = new Set(
      own
        .map(([space]) => this.#scenery.circles[space]?.room)
        .filter((room) => kinds.includes(this.#scenery.rooms[room])),
    );
    return listed(
      [...rooms].map((room) => `${this.word(`room ${room}`)} (${this.item(this.#scenery.rooms[room])})`),
    );
  }

  /** What is asked before a seat leaves. */
  async leaving(view, seat) {
    return (await import("./castletrade.js")).leaving(view, seat);
  }

  countdown(window) {
    return window ? countdown(window) : null;
  }

  #played(view, open, mine) {
    const card = this.card(open.card);
    return [
      _("{seat} played {card}.", { seat: named(view.turn), card: card.title }),
      mine ? card.text : _("The card ({seat}): “{text}”", { seat: named(view.turn), text: card.text }),
      open.aim.length ? listed(open.aim.map((word) => this.called(word))) : "",
    ]
      .filter(Boolean)
      .join(" ");
  }

  #goods(kinds) {
    return kinds.length ? listed(kinds.map((kind) => this.item(kind))) : _("nothing");
  }

  /** What it is called to leave what happens as it is. */
  passing(view) {
    return view.open?.to === "arrest" ? _("Let him be arrested") : WORDS.pass;
  }

  /**
   * Everything a seat may say, grouped. `carry`: simulated hands that carry a piece, where there are any.
   * @param {((origin: string, target: string) => void) | null} carry
   */
  acts(may, view, seat, say, redraw, carry = null) {
    const acts = may.acts.map((text) => text.split(" ")),
      by = (head) => acts.filter((act) => act[0] === head);
    const button = (act, label) =>
      h(
        `button${weight(act[0], acts.length, view.points)}`,
        { "data-key": act.join(" "), onclick: () => say(act.join(" ")) },
        label,
      );
    const called = (act) =>
      act === "roll" && view.open ? _("Roll once more") : act === "pass" ? this.passing(view) : WORDS[act];
    const fitting = view.open?.what === "answer" ? by("play") : [];
    const plain = [
      ...fitting.map((act) => this.#response(act, say)),
      ...acts.filter((act) => WORDS[act[0]] && act.length === 1).map((act) => button(act, called(act[0]))),
    ];
    if (by("discard").length && !by("end").length) plain.push(h("button", { disabled: true }, WORDS.end)); // its text says what comes first
    const told = [
      ...by("claim").map((act) => button(act, _("Take Equipment: {item}", { item: this.item(act[1]) }))),
      ...by("kit").map((act) =>
        button(
          act,
          act.length > 1
            ? _("Put an Escape Kit together with: {cards}", {
                cards: listed(act.slice(1).map((id) => this.card(id).title)),
              })
            : _("Put an Escape Kit together"),
        ),
      ),
      ...by("surrender").map((act) => button(act, this.item(act[1]))),
      ...by("unmark").map((act) =>
        button(act, _("Take the marker away: {place}", { place: this.called(act[1]) })),
      ),
    ];
    const steps = acts.filter((act) => act.length === 1 && act[0].includes("-"));
    if (view.phase === "deploy" && !view.open) {
      if (seat !== GUARDS) return [];
      const said = steps.map((act) => act[0].split("-")[1]);
      return [
        plain.length ? h("div.row", { role: "group", "aria-label": _("What you can do") }, plain) : null,
        ...(said.length
          ? this.#posting(view, said, (id) => say(`barracks-${id}`))
          : this.#posting(view, (carry && may.moves?.barracks) || [], (id) => carry?.("barracks", id))),
      ];
    }
    const turn = `${view.round} ${view.turn}`;
    return [
      plain.length || told.length
        ? h("div.row", { role: "group", "aria-label": _("What you can do") }, plain, told)
        : null,
      !about.lesson && this.held !== turn && spent(view, seat, may)
        ? ending(
            () => say("end"),
            () => {
              this.held = turn;
              redraw();
            },
          )
        : null,
      this.#choose("dare", by("dare"), _("Do or Die: {place}"), (text) => this.#dare(text, say)),
      this.#choose(
        "step",
        steps.map((act) => [act[0], ...act[0].split("-")]),
        _("Move: {place}"),
        (text) => say(text.split(" ")[0]),
      ),
      by("obey").length
        ? this.#appel(
            by("refuse")
              .filter((act) => act.length === 2)
              .map((act) => act[1]),
            say,
            redraw,
          )
        : null,
    ];
  }

  /** A card that fits what is asked now, and whom or what it is played for. */
  #response(act, say) {
    const [, id, ...aim] = act;
    const words = { card: this.card(id).title, place: listed(aim.map((word) => this.called(word))) };
    return h(
      "button.main",
      { "data-key": `respond ${act.join(" ")}`, onclick: () => say(act.join(" ")) },
      aim.length ? _("Play {card}: {place}", words) : _("Play {card}", words),
    );
  }

  /** The cards in hand, and a trade: they have a panel of their own. */
  hold(may, view, seat, say, redraw) {
    const by = (head) => (may?.acts ?? []).map((text) => text.split(" ")).filter((act) => act[0] === head);
    return [
      view.hand?.length ? hand(this, view, by("play"), by("discard"), say) : null,
      this.#trade(view, seat, by("trade"), say, redraw),
    ];
  }

  /** What a trade is put together with comes once this person thinks of one. */
  #trade(view, seat, offers, say, redraw) {
    if (!offers.length || !view.equipment) return null;
    const thought = async ({ target }) => {
      this.trade.open = target.open;
      if (!target.open || this.#trading) return;
      this.#trading = await import("./castletrade.js");
      redraw();
    };
    return h(
      "details.group",
      { "data-part": "trade", open: Boolean(this.trade.open), ontoggle: thought },
      h("summary", {}, _("Offer a trade")),
      this.#trading?.trade(this, view, seat, offers, say, redraw),
    );
  }

  /** Dice, points and hand in one line, for a small screen. */
  strip(view) {
    const rolled = this.#faces(view);
    const held = (view.hand ?? []).map((id) => this.card(id).title);
    const show = () => document.querySelector('[data-part="hand"]')?.scrollIntoView({ block: "center" });
    const moves = this.#rolled(view); // before the roll there is nothing to tell
    if (["over", "deploy"].includes(view.phase) || !(moves || held.length)) return null;
    return h(
      "div.strip",
      {},
      moves ? h("span.dots", { "aria-hidden": "true" }, rolled || "–") : null,
      view.points ? h("span", {}, counted("one point left", "{n} points left", view.points)) : null,
      held.length
        ? h(
            "button",
            { "data-key": "cards", title: listed(held), onclick: show },
            `${_("Cards")}: ${held.length}`,
          )
        : null,
    );
  }

  /** Whether whoever is to move has rolled. */
  #rolled(view) {
    return Boolean(this.#faces(view) || view.points);
  }

  #faces(view) {
    const throws = view.open?.throws ?? view.throws ?? [];
    return faces(throws.flat());
  }

  /** Nobody dares by a slip of the finger. */
  async #dare(text, say) {
    if (await (await import("./castletrade.js")).dares(this.called(text.split(" ")[1]))) say(text);
  }

  /** Many places to choose from are a list. */
  #choose(key, acts, label, say) {
    if (!acts.length) return null;
    const text = (act) =>
      act
        .slice(1)
        .map((word) => this.called(word))
        .join(" → ");
    if (acts.length <= 4)
      return h(
        "div.row",
        {},
        acts.map((act) =>
          h(
            "button",
            { "data-key": act.join(" "), onclick: () => say(act.join(" ")) },
            label.replace("{place}", () => text(act)),
          ),
        ),
      );
    const list = h(
      "select",
      { "data-key": `which ${key}`, "aria-label": label.replace("{place}", "") },
      acts.map((act) => h("option", { value: act.join(" ") }, text(act))),
    );
    return h(
      "div.row",
      {},
      list,
      h(
        "button",
        { "data-key": key, onclick: ({ currentTarget }) => say(currentTarget.previousElementSibling.value) },
        label.replace("{place}", "…"),
      ),
    );
  }

  /** What is said comes first: a list of many men is longer than the bar of a phone. */
  #appel(men, say, redraw) {
    const stays = men.filter((man) => this.away.has(man));
    const tick = (man) =>
      h(
        "label.toggle",
        {},
        h("input", {
          type: "checkbox",
          "data-key": `away ${man}`,
          checked: this.away.has(man),
          onchange: ({ target }) => {
            this.away[target.checked ? "add" : "delete"](man);
            redraw();
          },
        }),
        this.name(man),
      );
    return h(
      "div.group",
      {},
      h(
        "div.row",
        {},
        h(
          "button.main",
          {
            "data-key": "obey",
            onclick: () => {
              this.away.clear();
              say(stays.length ? `refuse ${stays.join(" ")}` : "obey");
            },
          },
          stays.length
            ? counted("All but one line up", "All but {n} line up", stays.length)
            : _("All line up"),
        ),
      ),
      men.length ? [h("p.label", {}, _("These men stay away:")), men.map(tick)] : null,
    );
  }

  /** Nothing of this seat's stays on the device. */
  forget() {
    this.trade = { to: null, give: {}, want: {} };
    this.away.clear();
  }

  /** What the panels rest on beside the view. */
  kept(view) {
    return [view.hand, view.open, this.trade, Boolean(this.#trading), [...this.away], this.held];
  }

  /** Hands as a replay shows them: that of the seat whose eyes it has, or all. */
  hands(view) {
    const all = view.hands ?? (view.seat ? { [view.seat]: view.hand } : {});
    return Object.entries(all)
      .filter(([, held]) => held.length)
      .map(([seat, held]) =>
        h(
          "details.part",
          { "data-part": `hand ${seat}`, open: true },
          h("summary", {}, `${named(seat)}: ${_("Cards")}`),
          hand(this, { hand: held }, [], [], () => {}, ""),
        ),
      );
  }

  // What is known

  parts(view, seat) {
    const open = ["over", "deploy"].includes(view.phase)
      ? []
      : [
          h(
            "details.part",
            { "data-part": "points", open: true },
            h("summary", {}, _("Dice")),
            this.#points(view),
          ),
        ];
    return [
      ...open,
      h(
        "details.part",
        { "data-part": "standing", open: true },
        h(
          "summary",
          {},
          _("Round {round} of {rounds}", { round: view.rounds - view.round + 1, rounds: view.rounds }),
        ),
        round(view, this.#scenery.rounds),
        standing(view, seat),
      ),
      view.equipment
        ? h(
            "details.part",
            { "data-part": "equipment", open: true },
            h("summary", {}, _("The officers' Equipment")),
            goods(this, view, KINDS),
          )
        : null,
      h(
        "details.part",
        { "data-part": "supply", open: seat === null },
        h("summary", {}, _("Supply, decks, markers, tunnels")),
        this.#supply(view),
      ),
      cards(this, seat),
      h(
        "details.part",
        { "data-part": "map" },
        h("summary", {}, _("What the map shows")),
        keyOfMap(this.#scenery, (key) => this.word(key)),
      ),
    ].filter(Boolean);
  }

  #points(view) {
    const throws = view.open?.throws ?? view.throws ?? [],
      rolled = this.#faces(view);
    return h(
      "div",
      {},
      h(
        "p.dots",
        {
          role: "img",
          "aria-label": throws.length ? _("Dice: {dice}", { dice: dice(throws) }) : _("Not rolled yet"),
        },
        rolled || "–",
      ),
      this.#rolled(view) && view.open?.what !== "again" // that roll may be added to
        ? h(
            "p.points",
            {},
            `${named(view.turn)}: `,
            counted("one point left", "{n} points left", view.points),
          )
        : null,
      view.releases
        ? h(
            "p",
            {},
            counted(
              "One man may leave Solitary for a point.",
              "{n} men may leave Solitary for a point each.",
              view.releases,
            ),
          )
        : null,
    );
  }

  #supply(view) {
    const { supply, decks } = view;
    const markers = Object.entries(view.markers).map(([pair, seat]) =>
      h("li", {}, _("Marker ({seat}): {place}", { seat: named(seat), place: this.called(pair) })),
    );
    const states = {
      open: (place) => _("Tunnel open: {place}", { place }),
      detected: (place) => _("Tunnel detected: {place}", { place }),
    };
    const tunnels = Object.entries(view.tunnels)
      .filter(([, how]) => states[how])
      .map(([room, how]) => h("li", {}, states[how](this.word(`room ${room}`))));
    return h(
      "ul",
      {},
      [
        ...KINDS.map((kind) => [this.item(kind), supply[kind]]),
        [_("Escape Kits"), supply.kits],
        [_("Opportunity cards"), decks.opportunity],
        [_("Security cards"), decks.security],
      ].map(([what, many]) => h("li", {}, `${what}: ${many}`)),
      markers,
      tunnels,
    );
  }
}
