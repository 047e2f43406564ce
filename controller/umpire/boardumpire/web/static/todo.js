// The panel that says what there is to do now. The first of its cases that fits is shown.

import { offered } from "/acts.js";
import { questionOf, proposalOf } from "/asked.js";
import { h, named } from "/dom.js";
import { outcome, placed, standing } from "/parts.js";
import { chip, kindOf } from "/pieces.js";
import { about, seat } from "/place.js";
import { _, counted, listed } from "/words.js";

/** How many chores are listed. */
const MANY = 12;
/** Who acts where nobody does. */
const CHANCE = "chance";

/** @typedef {import("./screen.js").Screen} Screen */

const head = (text, ...rest) => [h("h2", { id: "todo", tabindex: -1 }, text), ...rest];

/** What the panel shows. @param {Screen} screen */
export function todo(screen) {
  const silent = screen.state.board.silent ?? [];
  const before = about.rules && ["setup", "deploy", "place"].includes(screen.state.view.phase);
  const { devices } = screen.state;
  const away = screen.state.away.filter((one) => one !== seat);
  return [
    panel(screen),
    away.length ? h("p.away", {}, _("No screen open: {seats}", { seats: listed(away.map(named)) })) : [],
    devices > 1
      ? h(
          "p.devices",
          {},
          _("Your seat is open on {count} devices. If you don't know one of them, have its link renewed.", {
            count: devices,
          }),
        )
      : [],
    silent.map((text) => h("p", {}, text)),
    before ? h("p.faint", {}, _("Rules: {rules}", { rules: about.rules })) : [],
  ].flat();
}

/** @param {Screen} screen */
function panel(screen) {
  const { scene, setup, state } = screen;
  const { board, view } = state;
  if (screen.hands && !screen.hands.power) return powerless();
  if (board.waits) return head(_("The game waits"), h("p", {}, board.waits));
  const proposals = [...(board.proposals ?? [])].reverse(); // the newest first
  if (view.outcome && !proposals.length) return ended(screen);
  if (proposals.length || board.question) return asked(screen, proposals);
  if (screen.drafting) return setup.panel(screen.say, screen.ready);
  if (view.phase === "setup" && seat && view.ready?.[seat] && view.army) return setUp(screen);
  const busy = board.chores.length > 0 && !concerned(state);
  if (board.chores.length && !busy) return chores(screen);
  if (busy && !(view.to_act.includes(seat) && state.may?.acts.length))
    return head(_("{seats} to tidy up the board", { seats: listed(owners(board).map(named)) }));
  const wish = offered(state);
  if (wish) return head(wish);
  const situation = view.outcome ? null : scene?.situation?.(view, seat, state.may, state.told);
  if (situation) {
    const [title, ...told] = situation;
    return head(
      title,
      scene.strip?.(view) ?? null,
      told.filter(Boolean).map((text) => h("p", {}, text)),
      scene.countdown?.(board.window) ?? null,
    );
  }
  if (view.phase === "setup" && setup?.draft.size)
    return head(
      _("Put your pieces on the board"),
      h("p", {}, _("Then tell the umpire which piece is which. Nobody else sees it.")),
    );
  return turn(state);
}

/** All that is asked: what the umpire asks stays, whatever others propose meanwhile. @param {Screen} screen */
function asked({ state, tell }, proposals) {
  const { board, view } = state;
  const proposed = proposals.flatMap((each) => [h("p", {}, each.text), proposalOf(each, tell)]);
  if (!board.question) return head(_("Do you all agree?"), ...proposed);
  return head(
    _("The umpire asks"),
    h("p", {}, board.question.text),
    compared(view, board.question),
    questionOf(board.question, tell),
    ...proposed,
  );
}

function powerless() {
  return [
    h("h2", {}, _("The power is off")),
    h("p", {}, _("The umpire will be back in a moment. The game is saved.")),
  ];
}

/** What an end is for whoever was on that side. */
function result({ winner }, side) {
  if (!winner) return null;
  return winner.split("+").includes(side) ? _("You win!") : _("You lose");
}

const score = ([at, won]) => `${named(at)} ${won}`;

/** The game is over. @param {Screen} screen */
function ended(screen) {
  const { scene, state, tell } = screen;
  const how = outcome(state.view.outcome, about.ends, about.seats);
  const own = seat && result(state.view.outcome, scene?.side?.(seat) ?? seat);
  const again = h("a.button", { href: "/replay" }, _("Watch it again"));
  const rematch = seat
    ? h("button.main", { "data-key": "again", onclick: () => tell("new-game") }, _("Rematch"))
    : null;
  const other = about.joins
    ? h(seat ? "button" : "button.main", { onclick: () => newGame(screen.leave) }, _("New game"))
    : null;
  return head(
    own || how,
    own ? h("p", {}, how) : null,
    state.evening.length
      ? h("p.score", {}, _("This evening: {scores}", { scores: listed(state.evening.map(score)) }))
      : null,
    screen.ahead
      ? [
          h("p", {}, _("A new game has begun.")),
          h(
            "div.row",
            {},
            h("button.main", { "data-key": "ahead", onclick: screen.leave }, _("Go to the new game")),
            again,
          ),
        ]
      : h("div.row", {}, rematch, other, again),
  );
}

/** The dialog is fetched once somebody wants it. `leave` is called as a game is asked for. */
async function newGame(leave) {
  (await import("/tabletop.js")).newGame(leave);
}

/** This seat's set-up is in; it may still be changed. @param {Screen} screen */
function setUp({ draw, setup, state }) {
  const { to_act: waited } = state.view;
  const change = () => {
    setup.editing = true;
    draw();
  };
  return head(
    _("You are ready"),
    h(
      "p",
      {},
      waited.length
        ? _("Waiting for: {seats}.", { seats: listed(waited.map(named)) })
        : _("Waiting for the pieces to be in place."),
    ),
    h("div.row", {}, h("button", { onclick: change }, _("Change the set-up"))),
  );
}

/** Whose pieces the chores are about. */
const owners = ({ chores: open }) => [...new Set(open.map((chore) => chore.seat))];

/** Whether chores are this screen's affair: the table's always; a seat's where its pieces are in them, or nobody's, or where they come of what it did. @param {import("./state.js").State} state */
function concerned({ board, told }) {
  const last = [...told].reverse().find(({ kind, ok }) => kind === "ruling" && ok);
  return !seat || last?.seat === seat || owners(board).some((owner) => !owner || owner === seat);
}

/** The piece that belongs there, where this screen knows which it is. */
function wanted(view, space) {
  const [piece, ...more] = [(view.board ?? standing(view))[space] ?? []].flat();
  const rank = kindOf(piece) ?? "?";
  return rank === "?" || more.length ? null : chip(piece.seat, rank);
}

/** Questions about which piece is where. */
const WHICH = ["same-places", "who-stands"];

/** The pieces that should stand where a question is about, to compare with those that do. */
function compared(view, { code, spaces }) {
  const chips = WHICH.includes(code) ? spaces.map((space) => [wanted(view, space), placed(space)]) : [];
  if (!chips.some(([piece]) => piece)) return null;
  return h(
    "p.pieces",
    {},
    chips.map(([piece, place]) => h("span", {}, piece, " ", place)),
  );
}

/** The board differs from what should stand there. @param {Screen} screen */
function chores({ hands, state }) {
  const { chores: listedChores, text } = state.board;
  return head(
    listedChores.every((chore) => chore.do === "put")
      ? _("Put these pieces on the board")
      : _("Tidy up the board"),
    hands
      ? h(
          "div.row",
          {},
          h("button.main", { "data-key": "tidy", onclick: () => hands.tidyUp() }, _("Let the hands do it")),
        )
      : null,
    h(
      "ul.chores",
      {},
      listedChores
        .slice(0, MANY)
        .map((chore, place) =>
          h(
            `li.do-${chore.do}`,
            {},
            chore.do === "put" ? wanted(state.view, chore.space) : null,
            ` ${text[place] ?? chore.space}`,
          ),
        ),
    ),
    listedChores.length > MANY
      ? h("p.faint", {}, counted("and one more", "and {n} more", listedChores.length - MANY))
      : null,
  );
}

/** Whose turn it is. @param {import("./state.js").State} state */
function turn({ may, view }) {
  if (seat && view.to_act.includes(seat)) {
    const said = !Object.keys(may.moves).length && may.acts.length; // all there is to do is said below
    return head(
      said ? _("Your turn") : _("Your turn: move a piece"),
      said
        ? null
        : h(
            "p.rings",
            {},
            _(
              "Pick a piece: rings show where it can go. The lights on the board show less, so they give nothing away.",
            ),
          ),
    );
  }
  const waited = listed(view.to_act.filter((one) => one !== CHANCE).map(named));
  return head(
    !waited
      ? _("Wait a moment")
      : view.phase === "setup"
        ? _("Waiting for {seats} to set up", { seats: waited })
        : _("{seats} to move", { seats: waited }),
  );
}
