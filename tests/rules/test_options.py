"""Options: every one with its values and defaults, and exact errors."""

from __future__ import annotations

from typing import Any

import pytest

import boardrules
from boardrules.core import OptionError
from boardrules.ranges import value_text
from boardrules.stratego.options import DEFAULTS, OPTIONS
from rules.armies import STRATEGO
from rules.ids import rule

VALUES: dict[str, list[Any]] = {
    "players": [2],
    "shuttle": [3, 5, 6, "off"],
    "shuttle_attack": ["counts", "exempt"],
    "shuttle_scout": ["border", "same_endpoints"],
    "shuttle_responder": ["counts", "free"],
    "chase": ["board_repeat", "pair_repeat", "off"],
    "chase_undo_exception": [True, False],
    "no_move": ["side_to_move_loses", "mutual_draw", "either_side"],
    "spy_vs_spy": ["tie", "attacker_wins"],
    "reveal_after_battle": ["hide_again", "stay_open"],
    "announce": ["ranks", "silent"],
    "setup_mask": ["whole"],
    "quiet_limit": ["off", 1, 200],
}


def test_every_option_is_tested() -> None:
    assert list(VALUES) == list(OPTIONS) == list(DEFAULTS)


@rule(
    "shuttle", "shuttle_attack", "shuttle_scout", "shuttle_responder", "chase", "chase_undo_exception",
    "no_move", "spy_vs_spy", "reveal_after_battle", "setup_mask", "quiet_limit",
)  # fmt: skip
@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("game", STRATEGO)
def test_every_value_is_taken_and_others_are_not(name: str, game: str) -> None:
    for value in VALUES[name]:
        assert boardrules.new(game, {name: value}).options[name] == value
    for wrong in ("nonsense", 4, 0, -1, None, 3.0, [], {}, "TRUE"):
        if name == "quiet_limit" and wrong == 4:
            continue
        with pytest.raises(OptionError) as caught:
            boardrules.new(game, {name: wrong})
        assert f"{game}: option {name} is {value_text(wrong)}; try " in str(caught.value)
        assert caught.value.option == name


def test_unknown_options_name_those_there_are() -> None:
    with pytest.raises(OptionError, match="unknown option 'shuttel'; try one of players, shuttle, "):
        boardrules.new("stratego-quick-duel", {"shuttel": 3})
    with pytest.raises(OptionError, match="options are 5; try names with values"):
        boardrules.new("stratego-quick-duel", 5)  # type: ignore[arg-type]


@rule("V3", "shuttle", "no_move")
@pytest.mark.parametrize(
    ("game", "differs"),
    [
        ("stratego-quick-duel", {}),
        ("stratego-quick-barrage", {}),
        ("stratego-classic", {"no_move": "either_side", "shuttle": 5}),
        ("stratego-barrage", {"no_move": "either_side"}),
        ("stratego-duel", {"no_move": "either_side"}),
    ],
)
def test_the_defaults_of_each_game(game: str, differs: dict[str, Any]) -> None:
    assert dict(boardrules.new(game).options) == {**DEFAULTS, **differs}
    assert boardrules.games()[game].title


def test_options_cannot_be_changed_afterwards() -> None:
    given: dict[str, Any] = {"shuttle": 5}
    state = boardrules.new("stratego-quick-duel", given)
    given["shuttle"] = 3
    assert state.options["shuttle"] == 5
    with pytest.raises(TypeError):
        state.options["shuttle"] = 3  # type: ignore[index]
