// What people are asked, and how they answer: questions of the umpire and proposals to the table.

import { h, named } from "/dom.js";
import { placed } from "/parts.js";
import { about, seat } from "/place.js";
import { _, listed } from "/words.js";

/** @type {[string, string]} */
const YES_NO = [_("Yes"), _("No")];
/** @type {[string, string]} */
const WHETHER_ATTACK = [_("Attack"), _("Don't attack")];
/** What yes and no mean, where a question has words of its own for them. @type {Record<string, [string, string]>} */
const ANSWERS = {
  "attack-pending": WHETHER_ATTACK,
  "attack-counting": WHETHER_ATTACK,
  "attack-here": WHETHER_ATTACK,
  "in-hand": [_("In my hand"), _("I have put it down")],
};
/** What it means to name none of those that are asked about. @type {Record<string, string>} */
const NONE_OF_THEM = {
  "attack-which": WHETHER_ATTACK[1],
  "attack-where": WHETHER_ATTACK[1],
  "moved-where": ANSWERS["in-hand"][0],
};

/** By this an answer says which question it is for. */
const nameOf = (question) => [question.code, ...question.spaces].join(" ");

/** The umpire asks: a place to name, or yes and no. `say(text)` passes the answer on. */
export function questionOf(question, say) {
  return (
    targetsOf(question, say) ??
    yesNo(
      question.seat ? [question.seat] : about.seats,
      nameOf(question),
      say,
      ANSWERS[question.code] ?? YES_NO,
    )
  );
}

/** The table is asked whether it agrees to something. */
export function proposalOf(proposal, say) {
  return yesNo(proposal.asked, proposal.thing, say, YES_NO);
}

/** A button for each of the places that are asked about, for whoever is asked. */
function targetsOf(question, say) {
  const none = NONE_OF_THEM[question.code];
  if (!none || question.seat !== seat) return null;
  const [origin, ...targets] = question.spaces;
  return h(
    "div.row",
    {},
    targets.map((target) => h("button", { onclick: () => say(`${origin}-${target}`) }, placed(target))),
    h("button", { "data-key": "no", onclick: () => say(`no ${nameOf(question)}`) }, none),
  );
}

/** Buttons for whoever is asked; the others see who that is. `what` says which question they answer: by the time a thumb comes down another may be asked. */
function yesNo(asked, what, say, [yes, no]) {
  return asked.includes(seat)
    ? h(
        "div.row",
        {},
        h("button.main", { "data-key": "yes", onclick: () => say(`yes ${what}`) }, yes),
        h("button", { "data-key": "no", onclick: () => say(`no ${what}`) }, no),
      )
    : h(
        "p.faint",
        {},
        _("Waiting for an answer: {seats}. The buttons on the board answer, too.", {
          seats: listed(asked.map(named)),
        }),
      );
}
