"""The parts of what a side may do in its turn: steps out of places, what men collect, other words, cards.

Each comes with the nodes that it depends on while only plain steps are taken. Nobody is on his way over
circles where he may not stay (R045).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardrules.colditz.cardplay.effect import CardEffect
from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.castle.actions import Command, word
from boardrules.colditz.castle.board import ANYWHERE, Mask
from boardrules.colditz.deck.cards import KINDS, Card
from boardrules.colditz.deck.hidden import HiddenCards
from boardrules.colditz.legal.listing import discards, place_steps, trades
from boardrules.colditz.state.facts import BEFORE, ColditzFacts
from boardrules.colditz.state.moves import takeable
from boardrules.colditz.state.rules import HAND, ColditzRules
from boardrules.colditz.turn import collecting
from boardrules.core import Action

Part = tuple[Sequence[Action], Mask]
"""Some of the actions of a turn, and the nodes that they depend on while only plain steps are taken."""

Plays = list[tuple[Card, CardEffect, Command | None]]
"""Cards, what they do, and what is said, if that is always the same."""


def places(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Part:
    """Steps out of Barracks and cells, and off the posts."""
    return place_steps(facts, side) if facts.points else ((), 0)


def collects(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Part:
    """What men in rooms may collect (1.9, 1.10)."""
    rules, standing = facts.rules, facts.table
    rooms = rules.board.rooms_all
    if not side:
        return (), 0
    kit = standing.kits_left and not standing.kits[side]
    if not kit and not facts.men & rooms:
        return (), rooms
    found: list[Command] = []
    counts, seat = collecting.in_rooms(facts, side), rules.seats[side]
    for kind, supply in enumerate(standing.supply):
        if supply and counts[kind] >= collecting.PAIR:
            found.append(word(seat, ("claim", KINDS[kind])))
    if kit:
        for cards, symbols in collecting.kits(rules, secrets.hands[side]):
            if all(counts[symbol] for symbol in symbols):
                found.append(word(seat, ("kit", *cards)))
    return found, rooms


def steady(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Part:
    """The words that don't depend on where pawns stand, but for markers that a guard went over."""
    rules, standing = facts.rules, facts.table
    if facts.turn.phase == BEFORE:
        found, depends_on = _dares(facts, side) if standing.dares else [], 0
    else:
        found, depends_on = held_up(facts, secrets, side)
        if standing.hands[side] <= HAND:
            found.append(rules.ends[side])
    cards = playable(rules, side, secrets.hands[side])[0]
    if cards:
        found += plays(facts, side, cards)
    found += trades(facts, secrets, side)
    return found, depends_on | rules.board.told


def looking(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Part:
    """The plays that depend on where pawns stand."""
    cards = playable(facts.rules, side, secrets.hands[side])[1]
    if not cards:
        return (), 0
    depends_on = 0
    for card, effect, _ in cards:
        depends_on |= effect.depends_on(facts, side, card)
    return plays(facts, side, cards), depends_on


PARTS: Final = (places, collects, steady, looking)
"""In the order in which they are listed, after the steps of pawns on circles and in tunnels."""


def held_up(facts: ColditzFacts, secrets: HiddenCards, side: int) -> tuple[list[Command], Mask]:
    """The words of a side, after its roll, that may be said even while a pawn has to go on (R045)."""
    table = facts.table
    found, depends_on = discards(facts, secrets, side) if table.hands[side] > HAND else [], 0
    if not side:
        seat, grid = facts.rules.seats[side], facts.rules.board
        if facts.turn.refusers and not facts.turn.moved:
            found.append(word(seat, ("search",)))
        if any(table.markers):
            numbers = takeable(facts)
            found += [word(seat, ("unmark", grid.crossing_name(number))) for number in numbers]
            for number, marker in enumerate(table.markers):
                if marker:  # a guard that comes to stand above it may take it (R118)
                    depends_on |= 1 << grid.crossings[number].upper
            depends_on = ANYWHERE if numbers else depends_on
    return found, depends_on


def _dares(facts: ColditzFacts, side: int) -> list[Command]:
    if not facts.table.dares >> side & 1:
        return []
    grid, seat = facts.rules.board, facts.rules.seats[side]
    nodes = sorted({facts.where[pawn] for pawn in facts.rules.pawns[side]})
    return [word(seat, ("dare", grid.names[node])) for node in nodes if node < grid.nodes]


def playable(rules: ColditzRules, side: int, hand: tuple[int, ...]) -> tuple[Plays, Plays]:
    """The cards of a hand that are played in one's own turn: those whose aims stay the same while pawns go on
    over free circles, and those that have to be listed anew after every step."""
    known: tuple[Plays, Plays] | None = rules.playable[side].get(hand)
    if known is None:
        known = [], []
        for card in (rules.cards.cards[number] for number in sorted(set(hand))):
            effect = EFFECTS[card.effect]
            if not effect.answers and card.effect != "part":  # R103
                said = word(rules.seats[side], ("play", card.id)) if effect.always else None
                known[effect.looks].append((card, effect, said))
        rules.playable[side][hand] = known
    return known


def plays(facts: ColditzFacts, side: int, cards: Plays) -> list[Command]:
    """What these cards may be played for."""
    found: list[Command] = []
    seat, phase = facts.rules.seats[side], facts.turn.phase
    for card, effect, said in cards:
        if effect.phases is None or phase in effect.phases:
            if said is not None:
                found.append(said)
            else:
                found += [word(seat, ("play", card.id, *aim)) for aim in effect.shown(facts, side, card)]
    return found
