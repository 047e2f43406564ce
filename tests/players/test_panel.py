"""The panel's players keep to the rules and to their seats; by night levels are measured against them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest

import boardrules
from boardlab.match import rating
from boardlab.match.contest import MatchPlan, contest
from boardlab.match.panel_command import panel_scores, score_counts, table_row
from boardlab.panel.members import ALL, FIRST, PANEL_PREFIX, PanelMember, panel_member, panel_of
from boardrules.fuhrer.bots.belief_state import sitter_probability
from boardrules.fuhrer.facts import AnnouncedTurn
from boardrules.fuhrer.movement import PublicTurn

COMMAND = Path(sys.executable).with_name("boardumpire")
GAMES = ["stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"]
EACH = [
    pytest.param(game, each, id=f"{game}-{each.name}")
    for game in GAMES
    for each in panel_of(game).members  # type: ignore[union-attr]
]
SAMPLE = 40
"""How many games of each line a night plays."""
LEAST = {"stratego-quick-duel": 0.7}
"""The share of the points that the strongest level has at least against each member, within the bounds; in
other games half."""


@pytest.mark.few(3)
@pytest.mark.parametrize(("game", "each"), EACH)
def test_a_member_does_what_the_rules_take(game: str, each: PanelMember) -> None:
    panel = panel_of(game)
    assert panel is not None
    plan = MatchPlan(game, panel.options, ("random", PANEL_PREFIX + each.name), 1, None, 400)
    played = [contest(plan, number) for number in list(score_counts(each, 4))[:2]]
    assert all(game.spent[1].actions for game in played)
    assert all(game.spent[1].refused == 0 for game in played)


def test_a_member_sits_where_it_can() -> None:
    for game in GAMES:
        for each in panel_of(game).members:  # type: ignore[union-attr]
            seats = boardrules.new(game).seats
            firsts = [number % 2 for number in score_counts(each, 10)]
            assert len(firsts) == 10
            assert len(seats) >= 2
            assert set(firsts) == ({0, 1} if each.seats_taken == ALL else {int(each.seats_taken == FIRST)})
            assert panel_member(game, PANEL_PREFIX + each.name) is each
    assert panel_member("stratego-quick-duel", "runner") is None


def test_a_line_tells_the_bounds() -> None:
    [found, *_] = panel_scores("fall-of-the-fuhrer", ["simple"], 2, 0, {}, 1)
    low, high = rating.wilson(found.score.wins, 2)
    assert f"| {low:.1%} to {high:.1%} |" in table_row(found)


def test_the_command_prints_a_line_for_each_member() -> None:
    words = [
        COMMAND,
        "lab",
        "panel",
        "fall-of-the-fuhrer",
        "--level",
        "random",
        "--games",
        "1",
        "--jobs",
        "1",
    ]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    assert told.stdout.count("| random |") == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chequers"], "unknown game"),
        (["stratego-quick-duel", "--level", "9"], "no player '9'; try one of 1"),
        (["stratego-quick-duel", "--games", "0"], "not a number here; try 1 or more"),
    ],
)
def test_what_is_wrong_with_a_panel_is_named(words: list[str], said: str) -> None:
    told = subprocess.run([COMMAND, "lab", "panel", *words], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert said in told.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", ["1", "2", "3", "4"])
def test_levels_against_strangers(
    game: str, level: str, record_property: Callable[[str, object], None]
) -> None:
    """A sample of what `boardumpire lab panel` measures; the strongest level loses to nobody of the panel."""
    for found in panel_scores(game, [level], SAMPLE, 7, {}, os.cpu_count() or 1):
        record_property(f"{game}, level {level}, {found.member.name}", table_row(found))
        if level == "4":
            assert rating.wilson(found.score.wins + found.score.draws / 2, SAMPLE)[1] > LEAST.get(game, 0.5)


def test_who_stays_is_believed_to_stay() -> None:
    """By Bayes: after two stays nearly for sure, after one move no longer."""
    first, *_ = turns = [AnnouncedTurn(number, PublicTurn(0), 5) for number in (3, 4, 5)]
    assert sitter_probability([]) == sitter_probability([first]) == pytest.approx(0.2)
    assert sitter_probability(turns) > 0.7
    assert sitter_probability([*turns, AnnouncedTurn(6, PublicTurn(0), 7)]) < 0.2


@pytest.mark.slow
@pytest.mark.parametrize("level", ["1", "3", "4"])
def test_a_hitler_who_never_moves_is_caught_soon(level: str) -> None:
    """Who runs to the token needs about four rounds of some nine actions each."""
    plan = MatchPlan("fall-of-the-fuhrer", {}, (level, "panel:still"), 3, None)
    found = [contest(plan, number) for number in range(1, 33, 2)]
    assert sum(game.winner == 0 for game in found) >= 14
    if level != "1":
        assert mean(game.actions for game in found) < 7 * 10


@pytest.mark.slow
def test_the_weakest_officers_escape_where_nobody_guards() -> None:
    plan = MatchPlan("escape-from-colditz", {}, ("1", "panel:idle"), 3, None)
    assert sum(contest(plan, number).winner == 0 for number in range(1, 25, 2)) >= 6
