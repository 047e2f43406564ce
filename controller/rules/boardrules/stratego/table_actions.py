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
    SEATS,
    TABLE_ACTIONS,
    WITHDRAW_TAKE_BACK,
    TableAction,
)
from boardrules.stratego.facts import OpenOffer, StrategoFacts
from boardrules.stratego.refusals import make_refusal

_ANSWERED_OFFERS: Final = {
    AGREE_DRAW: "draw",
    DECLINE_DRAW: "draw",
    AGREE_TAKE_BACK: "take-back",
    DECLINE_TAKE_BACK: "take-back",
}


def available_commands(facts: StrategoFacts, seat: Seat) -> tuple[TableAction, ...]:
    """What `seat` may say now, in a fixed order."""
    return tuple(say for say in TABLE_ACTIONS.get(seat, ()) if find_refusal(facts, say) is None)


def find_refusal(facts: StrategoFacts, action: TableAction) -> Refusal | None:
    """Why a seat may not say this now."""
    if action not in TABLE_ACTIONS.get(action.seat, ()):
        return make_refusal("stratego/unknown-action")
    if facts.outcome is not None:
        return make_refusal("stratego/over")
    if action.seat == CLOCK or action.words == RESIGN:
        return None
    if action.words in _ANSWERED_OFFERS:
        return _answer_refusal(facts, action)
    if action.words == WITHDRAW_TAKE_BACK:
        mine = facts.offer is not None and facts.offer == OpenOffer(action.seat, "take-back")
        return None if mine else make_refusal("stratego/no-offer")
    if facts.offer is not None and not _is_replaceable(facts, facts.offer):
        return make_refusal("stratego/offer-open", seat=facts.offer.seat)
    return _take_back_refusal(facts, action) if action.words == ASK_TAKE_BACK else None


def _is_replaceable(facts: StrategoFacts, offer: OpenOffer) -> bool:
    """Whether another offer takes the place of this one: of a draw that was offered by who is not to move.

    It has stood through its owner's own move, say, and he would rather have that move back.
    """
    return offer.thing == "draw" and offer.seat != SEATS[facts.side]


def surviving_offer(offer: OpenOffer | None, side: int) -> OpenOffer | None:
    """What is still offered after a turn of `side`: the draw that it offered itself (Q27)."""
    own = offer is not None and offer == OpenOffer(SEATS[side], "draw")
    return offer if own else None


def _answer_refusal(facts: StrategoFacts, action: TableAction) -> Refusal | None:
    offer = facts.offer
    if offer is None or offer.thing != _ANSWERED_OFFERS[action.words]:
        return make_refusal("stratego/no-offer")
    return make_refusal("stratego/own-offer") if offer.seat == action.seat else None


def _take_back_refusal(facts: StrategoFacts, action: TableAction) -> Refusal | None:
    if facts.last_move is None or facts.last_move.seat != action.seat:
        return make_refusal("stratego/nothing-to-take-back")
    return make_refusal("stratego/told") if facts.has_revealed else None


def time_up(seat: Seat) -> tuple[Outcome, tuple[Event, ...]]:
    """E5: the clock of `seat` has run out."""
    outcome = ends.win_outcome(1 - SEATS.index(seat), ends.TIME)
    return outcome, (Event("time", (("seat", seat),)), ends.over_event(outcome))


def apply_command(facts: StrategoFacts, action: TableAction) -> tuple[StrategoFacts, tuple[Event, ...]]:
    """The facts after an allowed saying, and what everybody hears."""
    outcome = None
    if action.seat == CLOCK:
        outcome, events = time_up(Seat(action.words.removeprefix("time ")))
    elif action.words == RESIGN:
        outcome = ends.win_outcome(1 - SEATS.index(action.seat), ends.RESIGNATION)
        events = (Event("resign", (("seat", action.seat),)), ends.over_event(outcome))
    elif action.words == AGREE_DRAW:
        outcome = Outcome(None, ends.AGREED)
        events = (Event("agree", (("seat", action.seat), ("thing", "draw"))), ends.over_event(outcome))
    elif action.words == AGREE_TAKE_BACK:
        other = SEATS[1 - SEATS.index(action.seat)]
        events = (Event("take-back", (("seat", other),)),)
    elif action.words in (OFFER_DRAW, ASK_TAKE_BACK):
        thing = "draw" if action.words == OFFER_DRAW else "take-back"
        event = Event("offer", (("seat", action.seat), ("thing", thing)))
        return replace(facts, offer=OpenOffer(action.seat, thing)), (event,)
    elif action.words == WITHDRAW_TAKE_BACK:
        events = (Event("withdraw", (("seat", action.seat), ("thing", "take-back"))),)
    else:
        events = (Event("decline", (("seat", action.seat), ("thing", _ANSWERED_OFFERS[action.words]))),)
    return replace(facts, offer=None, outcome=outcome), events
