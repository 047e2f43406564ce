"""What games state of their options is what they take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardrules
from boardrules.core import OptionError
from boardrules.package import OptionOffer
from boardumpire.commands.referee import referee

GAMES = tuple(boardrules.games())
WORDS = st.sampled_from(["", "off", "on", "whole", "none", "True", "1", "castle", "any", "free"])
ANYTHING: st.SearchStrategy[Any] = st.one_of(
    st.integers(-3, 1000), st.integers(), WORDS, st.text(max_size=8), st.booleans(), st.none(), st.floats(),
    st.lists(WORDS, max_size=3), st.dictionaries(WORDS, st.integers(), max_size=2),
)  # fmt: skip


def stated(game: str) -> dict[str, Any]:
    """By option what the referee says of it."""
    answer = json.loads(json.dumps(referee.options_answer(game)))
    return {about["name"]: about for about in answer["options"]}


def within(about: dict[str, Any], value: object) -> bool:
    """Whether a value is one of those that are stated."""
    if "least" in about:
        return type(value) is int and about["least"] <= value <= about["most"]
    return any(type(value) is type(one) and value == one for one in about["values"])


@pytest.mark.parametrize("game", GAMES)
def test_of_every_option_something_is_stated(game: str) -> None:
    state = boardrules.new(game)
    assert set(stated(game)) == set(state.options)
    for name, about in stated(game).items():
        assert ("values" in about) + ("least" in about) + ("expected" in about) == 1, name
        if "expected" not in about:
            assert within(about, state.options[name]), name


@pytest.mark.parametrize("game", GAMES)
@given(st.data())
def test_what_is_stated_is_taken_and_nothing_else(game: str, data: st.DataObject) -> None:
    known = {name: about for name, about in stated(game).items() if "expected" not in about}
    name = data.draw(st.sampled_from(sorted(known)))
    about = known[name]
    ends = [about["least"], about["most"]] if "least" in about else about["values"]
    numbers = [one for one in ends if type(one) is int]
    near = [one + by for one in numbers for by in (-1, 0, 1)]
    value = data.draw(st.one_of(ANYTHING, st.sampled_from([*ends, *near])))
    if within(about, value):
        assert boardrules.new(game, {name: value}).options[name] == value
        return
    with pytest.raises(OptionError) as refused:
        boardrules.new(game, {name: value})
    assert refused.value.option == name
    assert f"option {name} is " in str(refused.value)
    expected = str(refused.value).split("; try ")[1]
    assert all(str(one).lower() in expected for one in ends if type(one) is str)
    assert not numbers or str(max(numbers)) in expected


@pytest.mark.parametrize("game", GAMES)
def test_what_the_dialog_offers_is_among_it(game: str) -> None:
    def values(offer: OptionOffer) -> list[Any]:
        return [value for value, _ in offer.values] or list(offer.number_range)

    for offer in boardrules.package(game).option_offers():
        about = stated(game)[offer.name]
        assert all(within(about, value) for value in values(offer)), offer.name
        if not offer.values:
            assert tuple(offer.number_range) == (about["least"], about["most"])


@pytest.mark.parametrize(("players", "men"), [(2, 8), (3, 14), (4, 18), (5, 20), (6, 20)])
def test_not_more_men_escape_together_than_there_are(players: int, men: int) -> None:
    assert boardrules.new("escape-from-colditz", {"players": players, "common_target": men})
    with pytest.raises(OptionError, match=f"try off, or a whole number from 1 to {men}") as refused:
        boardrules.new("escape-from-colditz", {"players": players, "common_target": men + 1})
    assert refused.value.option == "common_target"
