"""How strong the players of Stratego are: matches with bounds."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from boardrules.stratego.players.levels import LEVELS
from boardumpire.commands.match import rating
from boardumpire.commands.match.contest import Plan
from boardumpire.commands.match.spread import played

GAME = "stratego-quick-duel"
BEST = LEVELS[-1].name
GAMES = 100
SECOND = 1000.0
"""The most for one action, in ms of a processor."""


def match(a: str, b: str, games: int) -> rating.Tally:
    plan = Plan(GAME, {}, (a, b), 1, None)
    return rating.tally(played(plan, range(games), os.cpu_count() or 1, None))


def test_the_strongest_beats_random() -> None:
    """Some games of what the proof below plays a hundred of."""
    found = match("3", "random", 4)
    assert found.share > 0.5


@pytest.mark.prove
@pytest.mark.parametrize(("other", "least"), [("random", 0.99), ("simple", 0.85), ("greedy", 0.8)])
def test_the_strongest_beats_those_to_measure_by(
    other: str, least: float, record_property: Callable[[str, object], None]
) -> None:
    """The strongest level of Stratego Quick Duel, at less than a second an action, wins 99 of 100 points
    against random, 85 against the simple player and 80 against the greedy one, with sides swapped."""
    found = match(BEST, other, GAMES)
    told = rating.told(found)
    record_property(f"games against {other}", found.games)
    record_property(f"points against {other}", found.wins + found.draws / 2)
    assert found.share >= least
    assert told["players"][0]["slowest_ms"] < SECOND


@pytest.mark.prove
@pytest.mark.parametrize("level", range(1, len(LEVELS)))
def test_each_level_beats_the_next_lower(level: int, record_property: Callable[[str, object], None]) -> None:
    """Each level of Stratego Quick Duel beats the next lower one with 95 % confidence, with sides swapped."""
    upper, lower = LEVELS[level].name, LEVELS[level - 1].name
    found = match(upper, lower, 2 * GAMES)
    low, _ = rating.wilson(found.wins + found.draws / 2, found.games)
    record_property(f"games of level {upper} against {lower}", found.games)
    record_property(f"points of level {upper} against {lower}", found.wins + found.draws / 2)
    assert low > 0.5
