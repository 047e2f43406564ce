// The panel with what a seat may say: acts of the game, offers and answers, and doubts about the board.

import { h, named, sure } from "/dom.js";
import { placed } from "/parts.js";
import { about, seat } from "/place.js";
import { Acts, throws } from "/spaces.js";
import { _ } from "/words.js";

/** @typedef {import("./screen.js").Screen} Screen */

/** What may be said in every game: the words on the button, and the question before it is said. @type {Record<string, string[]>} */
const SAYINGS = {
  hint: [_("Show me a good move")],
  resign: [_("Resign"), _("Resign this game? The other side wins.")],
  "offer-draw": [_("Offer a draw"), _("Offer a draw?")],
  "agree-draw": [_("Agree to the draw"), _("Agree to the draw? The game is then over.")],
  "decline-draw": [_("Decline the draw")],
  "ask-take-back": [_("Take back …"), _("Ask to take your last move back? The other side has to agree.")],
  "agree-take-back": [_("Let them take it back"), _("Let the other side take their last move back?")],
  "decline-take-back": [_("Don't let them take it back")],
  "ask-throw-again": [_("Wrong roll …"), _("Ask to enter the roll again? The other side has to agree.")],
  "agree-throw-again": [_("Let them enter it again"), _("Let the other side enter the roll again?")],
  "decline-throw-again": [_("The roll counts")],
  "pass-always": [_("Stop asking me; let everything through")],
  "pass-ask": [_("Ask me again from now on")],
  "withdraw-take-back": [_("Don't take it back after all")],
};

/** The acts of the game that this seat may say now. @param {any} may @param {any} scene */
export function sayable(may, scene = null) {
  return new Acts(may?.acts ?? [], about.printed, scene?.labels, may?.labels);
}

/** What is said at this moment. @param {Screen} screen */
export function acts(screen) {
  const { may, view } = screen.state;
  if (!seat || !may) return [];
  const answers = may.says.filter(isAnswer);
  return [
    answers.length && view.offer
      ? h(
          "div.row",
          {},
          answers.map((text) => saying(screen, text)),
        )
      : null,
    throws(may.throws ?? [], screen.tell),
    ofTheGame(screen),
  ];
}

/** What may be said at any time, and doubts about the board. @param {Screen} screen */
export function asides(screen) {
  const { may, view } = screen.state;
  if (!seat || !may) return [];
  const rest = may.says.filter((text) => !isAnswer(text));
  const doubts = !view.outcome && view.phase !== "setup";
  return [
    rest.length
      ? h(
          "div.row.says",
          {},
          rest.map((text) => saying(screen, text, text === "resign" ? ".quiet" : "")),
        )
      : null,
    doubts ? asShown(screen) : null,
    doubts && screen.state.chosen ? sensor(screen) : null,
  ];
}

const isAnswer = (text) => /^(agree|decline)-/.test(text);

/** What is said in this game alone. @param {Screen} screen */
function ofTheGame(screen) {
  const { draw, hands, scene, state, tell } = screen;
  const { may, view } = state;
  const carry = hands ? (origin, target) => hands.carry(origin, target) : null;
  const own = scene?.acts?.(may, view, seat, tell, draw, carry);
  const moves = Object.keys(may.moves ?? {}).length > 0;
  return own ?? sayable(may, scene).buttons(state.chosen, screen.act, moves);
}

/** A button for what may be said in every game. What can't be undone is asked first. */
function saying(screen, text, kind = "") {
  const [label, asked] = SAYINGS[text] ?? [text];
  const say = async () => {
    const { scene, state, tell } = screen;
    const question = (text === "resign" && (await scene?.leaving?.(state.view, seat))) || asked;
    if (!question || (await sure(question, label))) await tell(text);
  };
  return h(`button${kind}`, { "data-key": text, onclick: say }, label);
}

/** What another seat offers or asks of this one; nothing if it has no answer to give. @param {import("./state.js").State} state */
export function offered({ may, view }) {
  if (!view.offer || !may?.says.some(isAnswer)) return null;
  const { seat: by, thing } = view.offer;
  const whose = { seat: named(by) };
  return thing === "draw"
    ? _("{seat} offered a draw.", whose)
    : thing === "throw-again"
      ? _("{seat} asked to enter the roll again: it was wrong.", whose)
      : _("{seat} asked to take the last move back.", whose);
}

/** The way on where the board senses what is not so. @param {Screen} screen */
function asShown({ tell }) {
  return h(
    "details",
    { "data-part": "wrong" },
    h("summary", {}, _("Something wrong on the board?")),
    h(
      "p",
      {},
      _(
        "If all pieces are where this screen shows them and everyone agrees, the game goes on. You then play the squares with a wrong sensor by hand.",
      ),
    ),
    h(
      "div.row",
      {},
      h("button", { "data-key": "stands", onclick: () => tell("stands") }, _("The pieces are as shown")),
    ),
  );
}

/** A sensor that is wrong: its space is played by hand. @param {Screen} screen */
function sensor({ hands, state, tell }) {
  const chosen = state.chosen ?? "";
  return h(
    "details",
    { "data-part": `sensor ${chosen}` },
    h("summary", {}, _("Is the sensor of {space} wrong?", { space: placed(chosen) })),
    h(
      "p",
      {},
      _("If everyone agrees, the umpire ignores this sensor; whoever moves here enters it on the phone."),
    ),
    h(
      "div.row",
      {},
      h(
        "button",
        { onclick: () => tell(`by-hand ${chosen}`) },
        _("Play {space} by hand", { space: placed(chosen) }),
      ),
      h("button", { onclick: () => tell(`by-reed ${chosen}`) }, _("Use the sensor again")),
    ),
    hands ? saidByHand(chosen, state.may.moves?.[chosen] ?? [], tell) : null,
  );
}

/** Where hands move pieces, a move that a space played by hand did not sense is said here. */
function saidByHand(origin, targets, tell) {
  return targets.length
    ? [
        h("p", {}, _("After that, if the board doesn't notice a move, say where the piece went:")),
        h(
          "div.row",
          {},
          targets.map((target) =>
            h(
              "button",
              { "data-key": `said ${target}`, onclick: () => tell(`${origin}-${target}`) },
              `${placed(origin)}–${placed(target)}`,
            ),
          ),
        ),
      ]
    : null;
}
