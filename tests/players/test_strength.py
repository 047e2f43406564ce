"""How strong players are: matches with bounds. Games are kept in build/, and a proof goes on with them."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

import boardrules
from boardlab.match import rating
from boardlab.match.contest import MatchPlan
from boardlab.match.spread import ResultsFile, play_games
from boardrules.stratego.players.levels import LEVELS

ROOT = Path(__file__).resolve().parents[2]
DUEL, FUHRER, COLDITZ = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
BEST = LEVELS[-1].name
LONGEST = 3000
"""After so many actions a game counts as drawn. In a castle all turns of 50 rounds come to a thousand."""
GAMES = 100
LOOKS = (20, 30, 60, GAMES, 2 * GAMES)
"""After so many games it is looked whether they are enough: most lines are clear after the first, and only
one level against the next may take all ..."""
AHEAD = 0.03
"""... if the lower bound lies so far above what is to be shown: to look often isn't to try often."""
SECOND = 1000.0
"""The most for one action, in ms of a processor."""
PAIRS = [(upper.name, lower.name) for lower, upper in pairwise(LEVELS)]


class Line(NamedTuple):
    """What the strongest level has to reach."""

    game: str
    side: str
    """`first` seat, the `others`, or `both` with sides swapped."""
    other: str
    least: float


LINES = [
    Line(DUEL, "both", "random", 0.99),
    Line(DUEL, "both", "simple", 0.85),
    Line(DUEL, "both", "greedy", 0.8),
    *(
        Line(game, side, other, least)
        for game in (FUHRER, COLDITZ)
        for side in ("first", "others")
        for other, least in (("random", 0.99), ("simple", 0.85))
    ),
]


def sources(game: str) -> str:
    """A hash of the package of a game, and of what all players share."""
    module = inspect.getsourcefile(type(boardrules.package(game)))
    assert module is not None
    folder, found = Path(module).parent, hashlib.sha256()
    for path in sorted({*folder.rglob("*.py"), *folder.rglob("*.toml"), folder.parent / "players.py"}):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def match(game: str, a: str, b: str, numbers: Iterable[int]) -> rating.MatchScore:
    """What these games come to; those that were played before with the same sources aren't played again."""
    plan = MatchPlan(game, {}, (a, b), 0, None, LONGEST)
    folder = ROOT / "build/matches"
    folder.mkdir(parents=True, exist_ok=True)
    kept = ResultsFile(folder / f"{game}-{a}-{b}-{sources(game)}.jsonl", plan)
    wanted = list(numbers)
    for found in play_games(plan, [n for n in wanted if n not in kept.games], os.cpu_count() or 1, None):
        kept.add(found)
    return rating.tally(kept.games[number] for number in wanted)


def shown(game: str, a: str, b: str, numbers: Sequence[int], least: float) -> rating.MatchScore:
    """A match that ends once it is clear that `a` wins more than this share."""
    found = rating.MatchScore()
    for games in LOOKS:
        found = match(game, a, b, numbers[:games])
        if low(found) >= min(least + AHEAD, 1.0):
            break
    return found


def low(found: rating.MatchScore) -> float:
    """The lower bound of the share of the points, for 95 in 100."""
    return rating.wilson(found.wins + found.draws / 2, found.games)[0]


@pytest.mark.slow
@pytest.mark.parametrize("game", [DUEL, FUHRER, COLDITZ])
def test_the_third_level_beats_random(game: str) -> None:
    """Some games of what the proofs below play a hundred of. Who hides may be found by chance: of two games
    as Hitler nothing is learnt."""
    games = 12 if game == FUHRER else 4
    assert match(game, "3", "random", range(games)).share > 0.5


@pytest.mark.nightly
@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.game}-{line.side}-{line.other}")
def test_the_strongest_beats_those_to_measure_by(
    line: Line, record_property: Callable[[str, object], None]
) -> None:
    """The strongest level, at less than a second an action, wins 99 of 100 points against random and 85
    against the simple player: in Quick Duel with sides swapped, and there 80 against the greedy one; in the
    others on either side."""
    numbers = {"both": range(GAMES), "first": range(0, 2 * GAMES, 2), "others": range(1, 2 * GAMES, 2)}
    found = shown(line.game, BEST, line.other, numbers[line.side], line.least)
    told = rating.score_as_json(found)
    name = f"{line.game}, {line.side}, against {line.other}"
    record_property(f"games: {name}", found.games)
    record_property(f"points: {name}", found.wins + found.draws / 2)
    assert found.share >= line.least
    assert told["players"][0]["slowest_ms"] < SECOND


@pytest.mark.nightly
@pytest.mark.parametrize("game", [DUEL, FUHRER, COLDITZ])
@pytest.mark.parametrize(("upper", "lower"), PAIRS)
def test_each_level_beats_the_next_lower(
    game: str, upper: str, lower: str, record_property: Callable[[str, object], None]
) -> None:
    """Each level of each game beats the next lower one with 95 % confidence, with sides swapped."""
    found = shown(game, upper, lower, range(LOOKS[-1]), 0.5)
    record_property(f"games: {game}, level {upper} against {lower}", found.games)
    record_property(f"points: {game}, level {upper} against {lower}", found.wins + found.draws / 2)
    assert low(found) > 0.5
