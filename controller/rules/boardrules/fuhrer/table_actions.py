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
from boardrules.fuhrer.ends import RESIGNATION, TIME, lost, side
from boardrules.fuhrer.facts import FuhrerFacts, HitlerSheet, StageResult
from boardrules.fuhrer.refusals import refused

TAKE_BACK: Final = "take-back"
THROW: Final = "throw-again"
"""What a seat may ask for."""
MOVING: Final = "move"
"""The stages in which a piece has rolled and not yet moved."""


def asked_for(facts: FuhrerFacts) -> str:
    """What the seat of `facts.offer` asks for: the Allies, once a die is thrown, to enter it again."""
    return THROW if facts.stage.name == MOVING and facts.offer != HITLER else TAKE_BACK


def open_commands(facts: FuhrerFacts, seat: Seat) -> tuple[WordAction, ...]:
    """What `seat` may say now, in a fixed order."""
    rules = facts.rules
    return tuple(
        say for say in actions.seat_commands(rules.board, seat, rules.seats) if why_not(facts, say) is None
    )


def why_not(facts: FuhrerFacts, say: WordAction) -> Refusal | None:
    """Why a seat may not say this now."""
    if say not in actions.seat_commands(facts.rules.board, say.seat, facts.rules.seats):
        return refused("fuhrer/unknown-action")
    if facts.outcome is not None:
        return refused("fuhrer/over")
    if say.seat == CLOCK or say.words == actions.RESIGN:
        if facts.stage.settled and say.seat != HITLER:  # H3: the sheet alone can still change who has won
            return refused("fuhrer/over")
        return None
    offer = facts.offer
    if say.words == actions.ASK_TAKE_BACK:
        if offer is not None:
            return refused("fuhrer/offer-open", seat=offer)
        return None if facts.undo == say.seat else refused("fuhrer/nothing-to-take-back")
    if say.words == actions.ASK_THROW:
        if offer is not None:
            return refused("fuhrer/offer-open", seat=offer)
        thrown = facts.stage.name == MOVING and say.seat != HITLER
        return None if thrown else refused("fuhrer/nothing-to-throw-again")
    if offer is None or asked_for(facts) not in say.words:
        return refused("fuhrer/no-offer")
    if say.words == actions.WITHDRAW_TAKE_BACK:
        return None if offer == say.seat else refused("fuhrer/no-offer")
    return refused("fuhrer/own-offer") if side(offer) == side(say.seat) else None


def seat_to_undo(facts: FuhrerFacts, say: WordAction) -> Seat | None:
    """Whose last action an allowed saying undoes, if it undoes one."""
    if say.words == actions.AGREE_TAKE_BACK:
        return facts.offer
    return CHANCE if say.words == actions.AGREE_THROW else None


def apply_command(
    facts: FuhrerFacts, sheet: HitlerSheet, legal: Collection[Action], say: WordAction
) -> StageResult:
    """What comes of an allowed saying; `legal` are the actions that stay legal if the game goes on."""
    seat, words = say.seat, say.words
    if seat == CLOCK:
        loser = Seat(words.partition(" ")[2])
        told = Event("time", (("seat", loser),))
        return facts.keeper.ended(facts, sheet, lost(loser, TIME), (told,))
    if words == actions.RESIGN:
        told = Event("resign", (("seat", seat),))
        return facts.keeper.ended(facts, sheet, lost(seat, RESIGNATION), (told,))
    if words in (actions.ASK_TAKE_BACK, actions.ASK_THROW):
        facts = replace(facts, offer=seat)
    thing = asked_for(facts)
    if words in (actions.ASK_TAKE_BACK, actions.ASK_THROW):
        told = Event("offer", (("seat", seat), ("thing", thing)))
    elif words == actions.AGREE_TAKE_BACK:
        told = Event("take-back", (("seat", facts.offer),))
        facts = replace(facts, offer=None)
    elif words == actions.AGREE_THROW:
        told = Event("take-back", (("seat", CHANCE), ("thing", THROW)))
        facts = replace(facts, offer=None)
    elif words == actions.WITHDRAW_TAKE_BACK:
        facts = replace(facts, offer=None)
        told = Event("withdraw", (("seat", seat), ("thing", "take-back")))
    else:
        facts = replace(facts, offer=None)
        told = Event("decline", (("seat", seat), ("thing", thing)))
    return StageResult(facts, sheet, legal, (told,))
