"""What people type is read forgivingly, and never in two ways."""

from __future__ import annotations

import pytest

import boardrules
from boardrules import lenient_parsing
from boardrules.core import BadText

MOVES = {
    "stratego-classic": (
        "red",
        {
            "a4-a5": ("A4-a5", "a4a5", "a4 a5", " a4 - A5 ", "a4 -a5", "A4A5"),
            "a9-a10": ("a9a10", "A9 a10"),
            "a10-a1": ("a10a1",),
            "offer-draw": ("Offer-Draw", "OFFER - DRAW"),
        },
    ),
    "fall-of-the-fuhrer": (
        "allies",
        {
            "munich-berlin": ("Munich-Berlin", "munich berlin", "MunichBerlin", "munich - berlin"),
            "ask bonn": ("Ask  Bonn",),
            "tank bonn": ("Tank BONN",),
        },
    ),
    "escape-from-colditz": (
        "american",
        {
            "c12-c13": ("C12-c13", "c12c13", "c12 c13", "c12 - c13"),
            "chapel/1-chapel/2": ("Chapel/1 chapel/2", "chapel/1chapel/2"),
            "play search n4-b8": ("Play search N4 - B8",),
            "claim rope": ("CLAIM Rope",),
        },
    ),
}


@pytest.mark.parametrize("game", MOVES)
def test_letters_blanks_and_a_missing_dash_do_not_matter(game: str) -> None:
    state = boardrules.new(game)
    seat, texts = MOVES[game]
    seat = seat if seat in state.seats else state.seats[-1]
    for canonical, ways in texts.items():
        action = state.parse(canonical, seat)
        assert str(action) == canonical
        for way in ways:
            assert state.parse(way, seat) == action, way


def test_hitler_may_type_capitals_too() -> None:
    state = boardrules.new("fall-of-the-fuhrer")
    assert state.parse("Go ULM Ticket = Bonn", "hitler") == state.parse("go ulm ticket=bonn", "hitler")


@pytest.mark.parametrize("game", MOVES)
@pytest.mark.parametrize(
    "text", ["a4--a5", "a4-a5-a6", "a4 a5 a6", "a", "-", "a4-", "a4zz5", "resign now", "a" * 5000]
)
def test_what_is_no_action_stays_none(game: str, text: str) -> None:
    state = boardrules.new(game)
    with pytest.raises(BadText, match="; try "):
        state.parse(text, state.seats[-1])


def test_a_word_that_is_two_names_in_two_ways_is_none() -> None:
    names = {"a", "aa", "b"}
    assert lenient_parsing.split_pair(["aaa"], names) is None
    assert lenient_parsing.split_pair(["a-aa"], names) == ("a", "aa")
    assert lenient_parsing.split_pair(["a", "aa"], names) == ("a", "aa")
    assert lenient_parsing.split_pair(["aab"], names) == ("aa", "b")
    assert lenient_parsing.split_pair(["ab"], names) == ("a", "b")


@pytest.mark.parametrize("game", MOVES)
def test_no_two_spaces_of_a_board_run_together_in_two_ways(game: str) -> None:
    """Else a move without its dash could not be read."""
    state = boardrules.new(game)
    names = {
        "stratego-classic": lambda: set(state.rules.board.squares),  # type: ignore[attr-defined]
        "fall-of-the-fuhrer": lambda: set(state.facts.rules.board.index),  # type: ignore[attr-defined]
        "escape-from-colditz": lambda: set(state.facts.rules.board.node_by_name),  # type: ignore[attr-defined]
    }[game]()
    assert all(
        lenient_parsing.split_pair([one + other], names) == (one, other) for one in names for other in names
    )
    assert all(name == name.lower() for name in names)
