"""What a side may do after its roll, kept up from step to step.

A step along a plain link moves one pawn of the side to move and costs a point; Equipment, markers, tunnels
and the other sides stay as they are. So every part of the list is kept with the nodes that it has looked at
(it *depends on* them), and holds until a pawn comes to one of them or leaves one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.board import ANYWHERE, Mask
from boardrules.colditz.deck.hidden import HiddenCards
from boardrules.colditz.legal.listing import exit_kinds, place_steps
from boardrules.colditz.legal.parts import PARTS, Part, held_up
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.state.moves import Gear, step_code
from boardrules.colditz.state.rules import StepsFromNode
from boardrules.core import Action

Steps = Sequence[PawnStep]
_NONE: Final[Part] = ((), 0)


class ActionCache:
    """The actions of a side that is to move, in parts. Nothing of it changes once it is made."""

    __slots__ = (
        "depends_on",
        "exits",
        "locked",
        "other",
        "places",
        "quick",
        "rest",
        "rest_depends_on",
        "words",
    )

    def __init__(self, pawns: int, exits: frozenset[str], locked: int) -> None:
        self.quick: list[Steps] = [()] * pawns
        """By pawn of the side its steps that only cost their point and lead to a free circle ..."""
        self.depends_on: list[Mask] = [0] * pawns
        """... the nodes that its steps depend on ..."""
        self.other: dict[int, tuple[Steps, Steps]] = {}
        """... and, if it has any, its arrests and its steps that take something more."""
        self.exits = exits
        """The kinds of exits for which the side may have what they take."""
        self.locked = locked
        """The men of the side in the outer cells: it matters to them what points go on (A21)."""

    def say(self, places: Part, words: Sequence[Part]) -> None:
        """Set the rest: steps out of Barracks and cells and off the posts, and words as in `PARTS`."""
        self.places, self.words = places, words
        self.rest: list[Action] = [*places[0]]
        self.rest_depends_on = places[1]
        for part, depends_on in words:
            self.rest += part
            self.rest_depends_on |= depends_on

    def copy(self) -> ActionCache:
        """Another one, for another position."""
        other = ActionCache(0, self.exits, self.locked)
        other.quick, other.depends_on, other.other = (
            self.quick.copy(),
            self.depends_on.copy(),
            self.other.copy(),
        )
        other.places, other.words = self.places, self.words
        other.rest, other.rest_depends_on = self.rest, self.rest_depends_on
        return other

    def actions(self) -> list[Action]:
        """All of it in the order in which it is listed."""
        listed: list[Action] = []
        for row in self.quick:
            listed += row
        if self.other:
            found = [self.other[place] for place in sorted(self.other)]
            for hits, _ in found:
                listed += hits
            for _, ways in found:
                listed += ways
        listed += self.rest
        return listed


def _locked(facts: ColditzFacts, side: int) -> int:
    cells, locked = facts.rules.board.cells_outer, 0
    if side and cells in facts.where:
        for pawn in facts.rules.pawns[side]:
            if facts.where[pawn] == cells:
                locked |= 1 << pawn
    return locked


def begun(facts: ColditzFacts, secrets: HiddenCards, side: int, words: Sequence[Part]) -> ActionCache:
    """The actions of a position in which nobody is on his way over circles where he may not stay."""
    gear, pawns = secrets.gear[side], len(facts.rules.pawns[side])
    cache = ActionCache(pawns, exit_kinds(facts, gear, side), _locked(facts, side))
    cache.say(place_steps(facts, side) if facts.points else _NONE, words)
    if facts.points:
        _walk(facts, gear, cache, side, range(pawns))
    return cache


def kept_up(
    facts: ColditzFacts, secrets: HiddenCards, side: int, old: ActionCache, changed: Mask
) -> ActionCache:
    """The same, from that of an earlier position of the turn since which only pawns of the side have moved.

    Cards, Equipment and table are the same. `changed`: the nodes and places that they have left and come to,
    and `Board.told` if something else than plain steps has happened.
    """
    points = facts.points
    cache = old.copy() if points else ActionCache(len(old.quick), old.exits, old.locked)
    if old.rest_depends_on & changed or not points:
        words = [
            PARTS[place + 1](facts, secrets, side) if part[1] & changed else part
            for place, part in enumerate(old.words)
        ]
        places = place_steps(facts, side) if points and old.places[1] & changed else old.places
        cache.say(places if points else _NONE, words)
    if not points:
        return cache
    if points == 1:  # now nobody steps where he may not stay: who stands near is looked at again
        changed |= facts.rules.board.men_pass if side else facts.rules.board.guards_pass
    stale = [place for place, depends_on in enumerate(old.depends_on) if depends_on & changed]
    _walk(facts, secrets.gear[side], cache, side, stale)
    return cache


def on_the_way(facts: ColditzFacts, secrets: HiddenCards, side: int, pawn: int) -> ActionCache:
    """The actions of a position in which a pawn stands where it may not stay and has to go on (R045)."""
    gear, pawns = secrets.gear[side], facts.rules.pawns[side]
    cache = ActionCache(len(pawns), exit_kinds(facts, gear, side), _locked(facts, side))
    cache.say(_NONE, ((held_up(facts, secrets, side)[0], ANYWHERE),))
    if facts.points:
        _walk(facts, gear, cache, side, (pawns.index(pawn),))
    return cache


def _walk(facts: ColditzFacts, gear: Gear, cache: ActionCache, side: int, stale: Iterable[int]) -> None:
    """Look at the steps of those pawns. This is where random play spends its time."""
    rules, where, points = facts.rules, facts.where, facts.points
    ways_on, first = rules.ways_on[side], rules.pawns[side][0]
    taken, enemy = facts.men | facts.guards, facts.guards if side else facts.men
    quick, depends_on, other, exits = cache.quick, cache.depends_on, cache.other, cache.exits
    for place in stale:
        around = ways_on[where[first + place]]
        blocked = around.near & taken
        depends_on[place] = around.depends_on
        # With the last point nobody may end where he may not stay; before it he may, and has to go on.
        if points == 1:
            quick[place] = around.free[blocked | around.hard]
        elif around.easy:
            quick[place] = around.free[blocked]
        else:
            quick[place] = _hard(facts, gear, first + place, around, blocked)
            depends_on[place] = ANYWHERE
        if other:
            other.pop(place, None)
        if blocked & enemy or (around.exits and not around.kinds.isdisjoint(exits)):
            _other(facts, gear, first + place, cache, around)


def _hard(facts: ColditzFacts, gear: Gear, pawn: int, around: StepsFromNode, blocked: Mask) -> Steps:
    """Where a pawn can't just go back, it has to get on from where it may not stay (R045)."""
    ways_on = facts.rules.ways_on[facts.rules.owner[pawn]]
    taken = (facts.men | facts.guards) & ~(1 << facts.where[pawn])
    stuck = 0
    for step, hard, back in around.steps:
        if hard and not back and not step.bit & blocked:
            after = ways_on[step.target]
            soon = after.near & ~after.hard & ~taken  # most often the next circle will do
            if not soon and step_code(facts, gear, pawn, step.target) is not None:
                stuck |= step.bit
    # Circles on which he may stay come first: whoever reads only the start of the list isn't led astray.
    open_ways = around.free[blocked | stuck]
    return sorted(open_ways, key=lambda step: bool(step.bit & around.hard))


def _other(facts: ColditzFacts, gear: Gear, pawn: int, cache: ActionCache, around: StepsFromNode) -> None:
    """Arrests, and steps that take something more."""
    rules = facts.rules
    side, node = rules.owner[pawn], facts.where[pawn]
    place, enemy = pawn - rules.pawns[side][0], facts.guards if side else facts.men
    hits = [
        step
        for step, _, _ in around.steps
        if step.bit & enemy and step_code(facts, gear, pawn, step.target) is None
    ]
    ways = [
        rules.step(side, node, target)
        for target, kind, _ in around.exits
        if kind in cache.exits and step_code(facts, gear, pawn, target) is None
    ]
    if not around.kinds.isdisjoint(cache.exits):
        cache.depends_on[place] |= around.beyond
    if hits or ways:
        cache.other[place] = hits, ways
