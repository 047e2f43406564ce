"""What seats say about the game, and the clock: resigning, taking back, time (G26, H1, H2, H6).

A take-back is agreed here and carried out by whoever holds the game's history (`boardrules.history`). Only
the seat that acted last may ask, and only if nothing came of it that can't be unheard: no answer, die or
ticket. On paper Hitler may ask for his last answer until he acts again, whatever came of it (H6). A die that
was read wrongly may be entered again, if Hitler agrees, while its piece has not moved yet.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from boardrules.core import CHANCE, CLOCK, Action, Event, Refusal, Seat
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import HITLER, WordAction
from boardrules.fuhrer.ends import RESIGNATION, TIME, outcome_of_loss, side_of_seat
from boardrules.fuhrer.facts import FuhrerFacts, HitlerSheet, StageResult
from boardrules.fuhrer.refusals import make_refusal

TAKE_BACK: Final = "take-back"
THROW_AGAIN: Final = "throw-again"
"""What a seat may ask for."""
MOVE_STAGE_NAME: Final = "move"
"""The stages in which a piece has rolled and not yet moved."""


def offered_thing(facts: FuhrerFacts) -> str:
    """What the seat of `facts.offer` asks for: the Allies, once a die is thrown, to enter it again."""
    return THROW_AGAIN if facts.stage.name == MOVE_STAGE_NAME and facts.offering_seat != HITLER else TAKE_BACK


def available_commands(facts: FuhrerFacts, seat: Seat) -> tuple[WordAction, ...]:
    """What `seat` may say now, in a fixed order."""
    rules = facts.rules
    return tuple(
        say
        for say in actions.table_word_actions(rules.board, seat, rules.seats)
        if find_refusal(facts, say) is None
    )


def find_refusal(facts: FuhrerFacts, action: WordAction) -> Refusal | None:
    """Why a seat may not say this now."""
    if action not in actions.table_word_actions(facts.rules.board, action.seat, facts.rules.seats):
        return make_refusal("fuhrer/unknown-action")
    if facts.outcome is not None:
        return make_refusal("fuhrer/over")
    if action.seat == CLOCK or action.written_text == actions.RESIGN:
        if (
            facts.stage.is_result_settled and action.seat != HITLER
        ):  # H3: the sheet alone can still change who has won
            return make_refusal("fuhrer/over")
        return None
    offer = facts.offering_seat
    if action.written_text == actions.ASK_TAKE_BACK:
        if offer is not None:
            return make_refusal("fuhrer/offer-open", seat=offer)
        return None if facts.undo_seat == action.seat else make_refusal("fuhrer/nothing-to-take-back")
    if action.written_text == actions.ASK_THROW:
        if offer is not None:
            return make_refusal("fuhrer/offer-open", seat=offer)
        thrown = facts.stage.name == MOVE_STAGE_NAME and action.seat != HITLER
        return None if thrown else make_refusal("fuhrer/nothing-to-throw-again")
    if offer is None or offered_thing(facts) not in action.written_text:
        return make_refusal("fuhrer/no-offer")
    if action.written_text == actions.WITHDRAW_TAKE_BACK:
        return None if offer == action.seat else make_refusal("fuhrer/no-offer")
    return make_refusal("fuhrer/own-offer") if side_of_seat(offer) == side_of_seat(action.seat) else None


def seat_to_undo(facts: FuhrerFacts, action: WordAction) -> Seat | None:
    """Whose last action an allowed saying undoes, if it undoes one."""
    if action.written_text == actions.AGREE_TAKE_BACK:
        return facts.offering_seat
    return CHANCE if action.written_text == actions.AGREE_THROW else None


def apply_command(
    facts: FuhrerFacts, sheet: HitlerSheet, legal: Collection[Action], action: WordAction
) -> StageResult:
    """What comes of an allowed saying; `legal` are the actions that stay legal if the game goes on."""
    seat, words = action.seat, action.written_text
    if seat == CLOCK:
        loser = Seat(words.partition(" ")[2])
        told = Event("time", (("seat", loser),))
        return facts.keeper.end_game(facts, sheet, outcome_of_loss(loser, TIME), (told,))
    if words == actions.RESIGN:
        told = Event("resign", (("seat", seat),))
        return facts.keeper.end_game(facts, sheet, outcome_of_loss(seat, RESIGNATION), (told,))
    if words in (actions.ASK_TAKE_BACK, actions.ASK_THROW):
        facts = replace(facts, offering_seat=seat)
    thing = offered_thing(facts)
    if words in (actions.ASK_TAKE_BACK, actions.ASK_THROW):
        told = Event("offer", (("seat", seat), ("thing", thing)))
    elif words == actions.AGREE_TAKE_BACK:
        told = Event("take-back", (("seat", facts.offering_seat),))
        facts = replace(facts, offering_seat=None)
    elif words == actions.AGREE_THROW:
        told = Event("take-back", (("seat", CHANCE), ("thing", THROW_AGAIN)))
        facts = replace(facts, offering_seat=None)
    elif words == actions.WITHDRAW_TAKE_BACK:
        facts = replace(facts, offering_seat=None)
        told = Event("withdraw", (("seat", seat), ("thing", "take-back")))
    else:
        facts = replace(facts, offering_seat=None)
        told = Event("decline", (("seat", seat), ("thing", thing)))
    return StageResult(facts, sheet, legal, (told,))
