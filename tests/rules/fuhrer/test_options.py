"""Options: every one with its values and defaults, and exact errors."""

from __future__ import annotations

import random
from typing import Any

import pytest

import boardrules
from boardrules import record
from boardrules.core import OptionError
from boardrules.fuhrer.options import DEFAULTS, OPTION_VALUES
from boardrules.ranges import value_text
from rules.fuhrer.positions import GAME, new, random_options, walk
from rules.ids import rule

EXPECTED: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4),
    "first_round": ("allies_only", "hitler_too"),
    "start_cities": ("different", "any"),
    "allied_split": ("tank_spy", "tank_infantry", "spy_infantry"),
    "tank_roll": ("optional", "always"),
    "liberation": ("automatic", "declared", "full-round"),
    "recapture": ("at_once", "round_end"),
    "trapped": ("flagged", "entered"),
    "flight": ("move", "turn", "free"),
    "one_flight_a_turn": (False, True),
    "flight_tells": ("ticket_only", "origin"),
    "spy_questions": ("one_by_one", "both_first"),
    "sheet": ("umpire", "paper"),
}


@rule(
    "first_round", "start_cities", "allied_split", "tank_roll", "liberation", "recapture", "trapped",
    "flight", "one_flight_a_turn", "flight_tells", "spy_questions",
)  # fmt: skip
def test_the_values_and_the_defaults() -> None:
    assert dict(OPTION_VALUES) == EXPECTED
    assert dict(boardrules.new(GAME).options) == {
        **{name: values[0] for name, values in EXPECTED.items()},
        "map": "original",
    }
    assert dict(DEFAULTS) == dict(boardrules.new(GAME).options)


@pytest.mark.parametrize("name", EXPECTED)
def test_every_value_is_taken_and_others_are_not(name: str) -> None:
    for value in EXPECTED[name]:
        assert new(**{name: value}).options[name] == value
    for wrong in ("nonsense", 7, -1, None, 3.0, [], {}, "TRUE", 0):
        with pytest.raises(OptionError) as caught:
            new(**{name: wrong})
        assert f"{GAME}: option {name} is {value_text(wrong)}; try one of " in str(caught.value)
        assert caught.value.option == name


def test_unknown_options_name_those_there_are() -> None:
    with pytest.raises(OptionError, match="unknown option 'traped'; try one of players, first_round, "):
        new(traped="flagged")
    with pytest.raises(OptionError, match="options are 5; try names with values"):
        boardrules.new(GAME, 5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="option map is 5; try original, or the text of a map"):
        new(map=5)


def test_games_by_any_options_replay_from_their_record() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        start = new(**random_options(rng))
        played = list(walk(start, rng, 150))
        state = played[-1][0].apply(played[-1][1])[0]
        actions = tuple((action.seat, str(action)) for _, action in played)
        one = record.record_of(state, actions)
        assert record.parse(record.write(one)) == one
        assert record.final_state(record.parse(record.write(one))) == state
        assert start.options == record.final_state(one).options
