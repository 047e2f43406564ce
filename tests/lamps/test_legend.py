"""The legend: each meaning has a look of its own, and a game brings its own marks."""

from __future__ import annotations

from typing import Any

import pytest

from boardrules import registry
from boardrules.core import State
from boardrules.marks import Mark
from boardrules.package import GamePackage
from boardumpire.lamps.legend import BOARD_LEGEND, COLOURS, PATTERNS, SHARED_MARKS, Legend, LegendError
from boardware.ports import Light
from boardwire import lights


@pytest.mark.parametrize("game", registry.ids())
def test_each_meaning_of_a_game_has_a_colour_and_pattern_of_its_own(game: str) -> None:
    looks = [(mark.colour, mark.pattern) for mark in Legend(game).marks.values() if mark.means]
    assert len(set(looks)) == len(looks)
    assert len({mark.means for mark in Legend(game).marks.values() if mark.means}) == len(looks)


def test_every_look_is_lit_at_first_and_differs_from_the_others() -> None:
    codes = [colour << 4 | pattern for colour in COLOURS.values() for pattern in PATTERNS.values()]
    assert all(lights.known(code) and lights.level(code, 0) for code in codes)
    assert len(set(codes)) == len(COLOURS) * len(PATTERNS)
    assert {mark.pattern for mark in SHARED_MARKS.values()} <= set(PATTERNS)


def test_a_sweep_goes_on_from_lamp_to_lamp_and_other_marks_have_no_places() -> None:
    shown = BOARD_LEGEND.to_lights(
        {"a": "both-fall+0", "b": "both-fall+1", "c": "both-fall+99", "d": "asks+1"}
    )
    first = shown["a"].code
    assert [light.code - first for light in shown.values()][:3] == [0, 1, lights.MAX_SWEEP_PLACE]
    assert shown["d"].code == BOARD_LEGEND.to_lights({"d": "asks"})["d"].code
    assert shown["b"].mark == "both-fall+1"


def test_a_mark_that_nobody_knows_stays_dark() -> None:
    assert BOARD_LEGEND.to_lights({"a": "sparkle", "b": "turn-red"}) == {}
    assert Legend("stratego-classic").to_lights({"b": "turn-red"}) == {"b": Light("turn-red", 0xF001)}


class Sparkling(GamePackage):
    id = "sparkling"
    title = "Sparkling"

    def __init__(self, **marks: Mark) -> None:
        self._marks = {name.replace("_", "-"): mark for name, mark in marks.items()}

    def new(self, options: Any) -> State:
        raise NotImplementedError

    def marks(self) -> dict[str, Mark]:
        return self._marks


@pytest.mark.parametrize(
    ("name", "mark", "why"),
    [
        (
            "sparkle",
            Mark("violet", "blink", "it sparkles"),
            "mark sparkle has 'violet', expected one of green",
        ),
        (
            "sparkle",
            Mark("green", "sparks", "it sparkles"),
            "mark sparkle has 'sparks', expected one of steady",
        ),
        ("may_go", Mark("cyan", "steady", "a way"), "mark may-go is one that every game has"),
    ],
)
def test_a_mark_that_can_not_be_shown_is_refused_by_name(
    name: str, mark: Mark, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_registered_games", {})
    registry.register(Sparkling(**{name: mark}))
    try:
        with pytest.raises(LegendError, match=f"game sparkling: {why}"):
            Legend("sparkling")
    finally:
        registry.package.cache_clear()
