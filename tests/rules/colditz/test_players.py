"""Simple players see their own view alone, and the balance command weighs boards and options by them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from boardrules.colditz.bots.escape_routes import escape_routes, missing_for_nearest, steps_to_target
from boardrules.colditz.bots.simple_players import choose_by_odds
from boardrules.colditz.castle.board import UNREACHABLE
from boardrules.colditz.castle.board_reader import board_by_key
from boardrules.colditz.castle.datafile import SHIPPED_FOLDER
from boardrules.colditz.games import Colditz
from boardrules.colditz.state.options import MEASURED_VALUES
from boardrules.colditz.state.rules import rules_of
from boardrules.core import CHANCE
from boardumpire import cli
from rules.colditz.scene import scene
from rules.colditz.test_properties import reached, swapped_gear, swapped_hands


def test_every_player_is_handed_its_own_view_and_acts_by_the_rules() -> None:
    rng = random.Random(4)
    state: Any = Colditz().new({"players": 4, "rounds": 6})
    while state.outcome is None:
        seat = state.seats_to_act()[0]
        view = state.view(None if seat == CHANCE else seat)
        assert (view.own_knowledge.gear is None) == (seat in ("security", CHANCE))
        legal = state.legal_actions(seat)
        action = choose_by_odds(view, legal, rng)
        assert action in legal
        state, _ = state.apply(action)


@pytest.mark.slow
def test_what_others_hide_changes_no_choice() -> None:
    compared = 0
    for seed in range(20):
        state, rng = reached(seed, 120 + 9 * seed)
        seat = state.seats_to_act()[0]
        if seat == CHANCE:
            continue
        other = 1 if seat != state.seats[1] else 0
        twins = [swapped_hands(state, other, rng)]
        if seat == "security":
            twins.append(swapped_gear(state, rng))
        for twin in twins:
            chosen = [
                str(choose_by_odds(one.view(seat), one.legal_actions(seat), random.Random(1)))
                for one in (state, twin)
            ]
            assert chosen[0] == chosen[1]
            compared += 1
    assert compared > 10


def test_plans_lead_from_everywhere_to_a_target() -> None:
    grid, ways = board_by_key("castle"), escape_routes(rules_of({}))
    assert all(ways[node] for node in range(grid.circle_count))
    at = grid.node_by_name
    assert steps_to_target(ways[at["b1"]], (0, 0, 0, 0)) == 1
    assert steps_to_target(ways[at["a1"]], (0, 0, 0, 0)) == UNREACHABLE
    # By a window and through the wire: a rope and a cutter.
    assert steps_to_target(ways[at["office2"]], (1, 0, 0, 1)) == 1 + 1 + 1 + 10
    assert missing_for_nearest(ways[at["n4"]], (0, 0, 0, 0))[1] == (0, 0, 0, 1)


def test_chance_goes_by_its_odds() -> None:
    state, _ = scene(phase="before").apply(scene(phase="before").parse("roll", "american"))
    view: Any = state.view(None)
    rng = random.Random(9)
    thrown = [str(choose_by_odds(view, state.legal_actions(CHANCE), rng)) for _ in range(3600)]
    assert 60 < thrown.count("dice 1 1") < 140  # one in 36
    assert 140 < thrown.count("dice 1 2") < 260  # two in 36


def test_values_to_measure_by_are_values() -> None:
    for name, values in MEASURED_VALUES.items():
        for value in values:
            assert Colditz().new({name: value}).options[name] == value


@pytest.mark.slow
def test_balance(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["lab", "balance", "escape-from-colditz", "--games", "2", "--option", "rounds=4"]) == 0
    out = capsys.readouterr().out
    assert "| options | games | Escape Officers win |" in out
    assert "| as asked | 2 | 0.0% |" in out
    own = tmp_path / "mine.toml"
    own.write_text(
        (SHIPPED_FOLDER / "castle.toml").read_text().replace('name = "castle"', 'name = "third"', 1)
    )
    more = ["--option", f"board=@{own}", "--games", "1", "--option", "rounds=2"]
    assert cli.main(["lab", "balance", "escape-from-colditz", *more]) == 0
    own.write_text("format = 1\n\n")
    assert cli.main(["lab", "balance", "escape-from-colditz", *more]) == 2
    assert "format is 1; try" in capsys.readouterr().err
