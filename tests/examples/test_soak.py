"""Clumsy people play the example games: whatever they do, nothing is ruled wrongly, lost or missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from boardlab.soak import one_game
from boardlab.soak.one_game import SoakPlan
from boardrules.core import CHANCE
from boardsim.judging.judge import WRONG
from boardsim.judging.open_judge import OpenJudge
from boardsim.judging.truth import GroundTruth
from boardumpire.commands.table_factory import TableFactory
from boardumpire.messages.disclosure import SeatMessage

pytestmark = pytest.mark.usefixtures("games")
GAMES = pytest.mark.parametrize("game", ["breakthrough", "chess", "smugglers"])


def soak(plan: SoakPlan, numbers: range) -> Counter[str]:
    """What came of these games; fails at the first thing that the umpire does wrong."""
    counts: Counter[str] = Counter()
    for number in numbers:
        played, people = one_game.play(plan, number, TableFactory())
        assert not played.findings, f"game {number}: {played.findings}\n{people.scene.script()}"
        counts.update(played.counts)
    return counts


@pytest.mark.slow
@GAMES
@pytest.mark.parametrize("profile", ["clumsy", "careful"])
def test_some_games(game: str, profile: str) -> None:
    counts = soak(SoakPlan(game=game, profile=profile, longest=40), range(3))
    assert counts["actions"] > 60


@pytest.mark.nightly
@GAMES
@pytest.mark.parametrize("part", range(6))
def test_50_clumsy_games(game: str, part: int, record_property: Callable[[str, object], None]) -> None:
    """300 games each, in six parts."""
    counts = soak(SoakPlan(game=game), range(50 * part, 50 * (part + 1)))
    for name in ("actions", "asked", "forced", "wrong", "lost", "missed"):
        record_property(name, counts[name])


@pytest.mark.slow
def test_who_plays_alone_against_chance_is_judged_rightly() -> None:
    """The umpire draws, by a seed; nobody else can agree to anything."""
    plan = SoakPlan(game="echo", profile="wild")
    counts = soak(plan, range(30))
    assert counts["actions"] > 60
    assert counts["wrong"] == counts["lost"] == counts["missed"] == 0
    assert soak(plan, range(30)) == counts, "a seed plays the same game again"


@pytest.mark.parametrize("judges", [OpenJudge, GroundTruth])
def test_a_throw_that_was_not_due_is_wrong(judges: type[OpenJudge] | type[GroundTruth]) -> None:
    """As after a wrong ruling: by the truth another is to act."""
    plan = SoakPlan(game="echo")
    people = one_game.people_class_of("echo")(one_game.game_bench_settings(plan, 0), TableFactory(), "throws")
    judge = judges(people.scene, people.state)
    throw = {"ok": True, "seat": CHANCE, "action": "add b2", "events": []}
    for findings in ([], [WRONG]):
        people.scene.listeners[-1](SeatMessage(0, None, "ruling", throw))
        assert [each.kind for each in judge.findings] == findings
    assert judge.actions == [(CHANCE, "add b2")]
    people.scene.close()
