"""What seats say about the game, and the clock: resigning, draws, take-backs, time (E5, Q27).

A take-back is agreed here and carried out by whoever holds the game's history (`boardrules.history`): the
event `take-back` says whose last turn is undone. It is refused once that turn told something (a battle, or a
Scout that gave itself away).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from boardrules.core import CLOCK, Event, Outcome, Refusal, Seat
from boardrules.stratego import ends
from boardrules.stratego.actions import (
    AGREE_DRAW,
    AGREE_TAKE_BACK,
    ASK_TAKE_BACK,
    DECLINE_DRAW,
    DECLINE_TAKE_BACK,
    OFFER_DRAW,
    RESIGN,
    SAYINGS,
    SEATS,
    WITHDRAW_TAKE_BACK,
    TableAction,
)
from boardrules.stratego.facts import OpenOffer, StrategoFacts
from boardrules.stratego.refusals import refused

_ANSWERS: Final = {
    AGREE_DRAW: "draw",
    DECLINE_DRAW: "draw",
    AGREE_TAKE_BACK: "take-back",
    DECLINE_TAKE_BACK: "take-back",
}


def open_commands(facts: StrategoFacts, seat: Seat) -> tuple[TableAction, ...]:
    """What `seat` may say now, in a fixed order."""
    return tuple(say for say in SAYINGS.get(seat, ()) if why_not(facts, say) is None)


def why_not(facts: StrategoFacts, say: TableAction) -> Refusal | None:
    """Why a seat may not say this now."""
    if say not in SAYINGS.get(say.seat, ()):
        return refused("stratego/unknown-action")
    if facts.outcome is not None:
        return refused("stratego/over")
    if say.seat == CLOCK or say.words == RESIGN:
        return None
    if say.words in _ANSWERS:
        return _answer_refusal(facts, say)
    if say.words == WITHDRAW_TAKE_BACK:
        mine = facts.offer is not None and facts.offer == OpenOffer(say.seat, "take-back")
        return None if mine else refused("stratego/no-offer")
    if facts.offer is not None and not _gives_way(facts, facts.offer):
        return refused("stratego/offer-open", seat=facts.offer.seat)
    return _take_back_refusal(facts, say) if say.words == ASK_TAKE_BACK else None


def _gives_way(facts: StrategoFacts, offer: OpenOffer) -> bool:
    """Whether another offer takes the place of this one: of a draw that was offered by who is not to move.

    It has stood through its owner's own move, say, and he would rather have that move back.
    """
    return offer.thing == "draw" and offer.seat != SEATS[facts.side]


def surviving_offer(offer: OpenOffer | None, side: int) -> OpenOffer | None:
    """What is still offered after a turn of `side`: the draw that it offered itself (Q27)."""
    own = offer is not None and offer == OpenOffer(SEATS[side], "draw")
    return offer if own else None


def _answer_refusal(facts: StrategoFacts, say: TableAction) -> Refusal | None:
    offer = facts.offer
    if offer is None or offer.thing != _ANSWERS[say.words]:
        return refused("stratego/no-offer")
    return refused("stratego/own-offer") if offer.seat == say.seat else None


def _take_back_refusal(facts: StrategoFacts, say: TableAction) -> Refusal | None:
    if facts.latest is None or facts.latest.seat != say.seat:
        return refused("stratego/nothing-to-take-back")
    return refused("stratego/told") if facts.tells else None


def time_up(seat: Seat) -> tuple[Outcome, tuple[Event, ...]]:
    """E5: the clock of `seat` has run out."""
    outcome = ends.won(1 - SEATS.index(seat), ends.TIME)
    return outcome, (Event("time", (("seat", seat),)), ends.over_event(outcome))


def apply_command(facts: StrategoFacts, say: TableAction) -> tuple[StrategoFacts, tuple[Event, ...]]:
    """The facts after an allowed saying, and what everybody hears."""
    outcome = None
    if say.seat == CLOCK:
        outcome, events = time_up(Seat(say.words.removeprefix("time ")))
    elif say.words == RESIGN:
        outcome = ends.won(1 - SEATS.index(say.seat), ends.RESIGNATION)
        events = (Event("resign", (("seat", say.seat),)), ends.over_event(outcome))
    elif say.words == AGREE_DRAW:
        outcome = Outcome(None, ends.AGREED)
        events = (Event("agree", (("seat", say.seat), ("thing", "draw"))), ends.over_event(outcome))
    elif say.words == AGREE_TAKE_BACK:
        other = SEATS[1 - SEATS.index(say.seat)]
        events = (Event("take-back", (("seat", other),)),)
    elif say.words in (OFFER_DRAW, ASK_TAKE_BACK):
        thing = "draw" if say.words == OFFER_DRAW else "take-back"
        event = Event("offer", (("seat", say.seat), ("thing", thing)))
        return replace(facts, offer=OpenOffer(say.seat, thing)), (event,)
    elif say.words == WITHDRAW_TAKE_BACK:
        events = (Event("withdraw", (("seat", say.seat), ("thing", "take-back"))),)
    else:
        events = (Event("decline", (("seat", say.seat), ("thing", _ANSWERS[say.words]))),)
    return replace(facts, offer=None, outcome=outcome), events
