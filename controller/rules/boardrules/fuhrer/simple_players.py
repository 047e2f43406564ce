"""Simple players for both sides. Each sees its own view and what it may do, and nothing else.

They are for sparring, for soaking and for measuring maps and options against each other; nobody claims that
they play well. Chance comes in as `RandomSource`, so a game of theirs can be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Final

from boardrules.core import CHANCE, Action
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import (
    HITLER,
    INFANTRY,
    SPY,
    TANK,
    ChooseStart,
    HitlerTurn,
    MovePiece,
    PlacePiece,
    Recapture,
    SpyQuestion,
)
from boardrules.fuhrer.maps import Cities, CityMap, city_numbers
from boardrules.fuhrer.views import FuhrerView
from boardrules.random_source import RandomSource

IRRELEVANT_OPTIONS: Final = ("players", "allied_split", "sheet")
EXPECTED_DIE_POINTS: Final = 2
"""What a piece may expect of the die."""


@lru_cache(maxsize=4)
def distances(board: CityMap) -> tuple[tuple[int, ...], ...]:
    """By city and city how many links lie between."""
    return tuple(tuple(_distances_from(board, city)) for city in range(len(board.ids)))


def _distances_from(board: CityMap, city: int) -> list[int]:
    found, reached, far = [0] * len(board.ids), 1 << city, 0
    while reached != board.all_cities:
        far += 1
        rim = board.with_neighbours(reached) & ~reached
        for other in city_numbers(rim):
            found[other] = far
        reached |= rim
    return found


def choose(view: FuhrerView, legal: Collection[Action], draws: RandomSource) -> Action:
    """What the player of `view` does, out of all that it may."""
    options = list(legal)
    if len(options) == 1:
        return options[0]
    score = _hitler_scorer(view) if view.seat == HITLER else _allied_scorer(view)
    return _best_option(options, score, draws)


def draw_face(legal: Sequence[Action], draws: RandomSource) -> Action:
    """What chance does: each alike."""
    return legal[int(draws.random() * len(legal))]


def _best_option(options: Sequence[Action], score: Callable[[Action], float], draws: RandomSource) -> Action:
    """The best option; which of nearly equal ones is chance."""
    scored = [(score(option) + draws.random(), count) for count, option in enumerate(options)]
    return options[max(scored)[1]]


# Hitler


def _hitler_scorer(view: FuhrerView) -> Callable[[Action], float]:
    """He keeps away from Infantry, then from the Spy, and where few cities are possible he flies."""
    facts, sheet = view.facts, view.sheet
    board = facts.rules.board
    far = distances(board)
    at = facts.city_by_piece
    left = facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks).bit_count()

    def safety(city: int) -> float:
        infantry, spy = far[at[INFANTRY]][city], far[at[SPY]][city]
        flagged = facts.flags >> city & 1
        ways = (board.neighbours[city] & ~facts.flags).bit_count()
        return 2.0 * min(infantry, 4) + 0.5 * min(spy, 4) + 0.3 * min(ways, 4) - 3.0 * flagged

    def score(action: Action) -> float:
        if isinstance(action, ChooseStart):
            return safety(action.city)
        if isinstance(action, HitlerTurn):
            return safety(action.city) - len(action.origins) * (3.0 if left < 6 else 6.0)
        # He shows himself by a re-capture: not while Infantry is near and he may yet be overlooked.
        assert isinstance(action, Recapture)
        near = far[at[INFANTRY]][sheet.city] <= EXPECTED_DIE_POINTS + 1
        return safety(sheet.city) + (-2.0 if near and left > 3 else 2.0)

    return score


# The Allies


def _allied_scorer(view: FuhrerView) -> Callable[[Action], float]:
    facts = view.facts
    board = facts.rules.board
    far = distances(board)
    possible = facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks)
    piece = facts.stage.piece

    def score(action: Action) -> float:
        if isinstance(action, PlacePiece):
            return _start_value(board, facts.city_by_piece, action.city)
        if isinstance(action, SpyQuestion):
            return 3.0 + sum(_question_value(board, possible, city) for city in action.cities)
        if isinstance(action, MovePiece):
            return _move_value(board, far, possible, piece, action.target, facts.flags)
        words, at = str(action), facts.city_by_piece[piece]
        if words == actions.DONE:
            return 3.5
        if words == actions.ROLL:
            return 1.0
        # Where the Tank has to say so, only `liberate` raises a flag.
        frees = piece == TANK and (words == actions.LIBERATE or not facts.rules.liberation.needs_declaration)
        before_roll = facts.stage.name == "tank"
        if before_roll:
            return _stay_value(board, possible, at, facts.flags) if frees else -1.0
        going = _move_value(board, far, possible, piece, at, facts.flags)
        return going + 2.0 * _stay_value(board, possible, at, facts.flags) if frees else going

    return score


def _start_value(board: CityMap, taken: Sequence[int], city: int) -> float:
    """Start where much is near, and apart from the others."""
    fresh = board.cities_within[city][3]
    for other in taken:
        fresh &= ~board.cities_within[other][2]
    return 0.3 * fresh.bit_count()


def _question_value(board: CityMap, possible: Cities, city: int) -> float:
    """How much an answer about a city tells."""
    return 1.0 + 0.1 * (board.neighbours[city] & possible).bit_count() if possible >> city & 1 else -2.0


def _stay_value(board: CityMap, possible: Cities, city: int, flags: Cities) -> float:
    """A flag is worth something where Hitler may pass."""
    if flags >> city & 1:
        return -1.0
    return 0.4 + 0.2 * (board.neighbours[city] & possible).bit_count()


def _move_value(
    board: CityMap, far: Sequence[Sequence[int]], possible: Cities, piece: int, city: int, flags: Cities
) -> float:
    """Each piece goes where Hitler may be: Infantry onto him, the Spy beside him, the Tank across his way."""
    count = possible.bit_count()
    near = sum(far[city][other] for other in city_numbers(possible)) / count
    here = possible >> city & 1
    beside = (board.neighbours[city] & possible).bit_count()
    if piece == INFANTRY:
        return 12.0 * here / count - 2.0 * near
    if piece == SPY:
        return min(beside, 2 + count / 3) - near
    return 0.5 * beside - near - 2.0 * (flags >> city & 1)


def choose_or_roll(view: FuhrerView, legal: Collection[Action], draws: RandomSource) -> Action:
    """What whoever is to act does: chance rolls, a player chooses."""
    return draw_face(list(legal), draws) if view.to_act == (CHANCE,) else choose(view, legal, draws)
