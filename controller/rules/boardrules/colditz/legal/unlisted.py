"""Whether a seat may do more than what is listed: walks, trades, circles of cards, answers to an Appel."""

from __future__ import annotations

from math import prod

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.legal.listing import listed_trades
from boardrules.colditz.moving.walk_search import shortest_walks
from boardrules.colditz.state.facts import AFTER_ROLL, BEFORE_ROLL, CHANCE_SIDE, ColditzFacts
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.core import Seat


def all_listed(facts: ColditzFacts, secrets: HiddenCards, seat: Seat) -> bool:
    """Whether what is listed for a seat is all that it may do."""
    side, turn = facts.rules.side_by_seat.get(seat, CHANCE_SIDE), facts.turn
    if side == CHANCE_SIDE or facts.table.outcome is not None:
        return True
    if facts.tasks:
        return side != facts.tasks[-1].side or facts.tasks[-1].kind != "appel"
    if _has_unlisted_trades(facts, secrets, side):
        return False
    if side != turn.side or turn.phase not in (BEFORE_ROLL, AFTER_ROLL):
        return True
    going = pawn_in_transit(facts)
    if going < 0 and _has_unlisted_aims(facts, secrets, side):
        return False
    return turn.phase == BEFORE_ROLL or not _has_longer_walks(facts, secrets, side, going)


def _has_longer_walks(facts: ColditzFacts, secrets: HiddenCards, side: int, going: int) -> bool:
    daring, nodes = facts.turn.daring_man, facts.rules.board.node_count
    pawns = (going,) if going >= 0 else (daring,) if daring >= 0 else facts.rules.pawns[side]
    return any(
        len(over) > 1
        for pawn in pawns
        if facts.node_by_pawn[pawn] < nodes
        for over in shortest_walks(facts, secrets.gear[side], pawn).values()
    )


def _has_unlisted_aims(facts: ColditzFacts, secrets: HiddenCards, side: int) -> bool:
    """Cards that are listed with the first of several circles."""
    cards, phase = facts.rules.cards.cards, facts.turn.phase
    for card in (cards[number] for number in sorted(set(secrets.hands[side]))):
        effect = EFFECTS[card.effect]
        now = not effect.is_answer and (effect.playable_phases is None or phase in effect.playable_phases)
        if now and list(effect.possible_aims(facts, side, card)) != list(
            effect.listed_aims(facts, side, card)
        ):
            return True
    return False


def _has_unlisted_trades(facts: ColditzFacts, secrets: HiddenCards, side: int) -> bool:
    """Trades of several cards, or of one for another of its kind (R093)."""
    listed = listed_trades(facts, secrets, side)
    with_whom = {facts.rules.side_by_seat[Seat(word.rest[0])] for word in listed}
    gear = secrets.gear
    every = sum(prod(count + 1 for count in (*gear[side], *gear[other])) - 1 for other in with_whom)
    return every > len(listed)
