"""Circles of the castle are called by names that are found on it, in every language, never by bare ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from boardumpire.errors import SeatError, public_error_text
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES
from boardumpire.service import voice
from boardumpire.web import page_language
from boardumpire.web.board_description import board_as_json
from boardware.description import load_board
from colditz.evening import GAME, Evening
from fuhrer.test_names import sentences


@pytest.fixture(scope="module")
def evening() -> Iterator[Evening]:
    """An evening in which guards were posted, pawns went about, and one was put where none may stand."""
    evening = Evening(3, options={"players": 3})
    evening.begin()
    evening.deployed()
    for _ in range(12):
        evening.turn += 1
        evening._turn()
        evening.settle()
    evening._illegal()
    evening.settle()
    yield evening
    evening.scene.close()


def bare(text: str, names: Mapping[str, str]) -> list[str]:
    """The ids of spaces that stand in a text without a name around them."""
    for name in sorted(names.values(), key=len, reverse=True):
        text = text.replace(name, "")
    return re.findall(rf"\b(?:{'|'.join(map(re.escape, names))})\b", text)


@pytest.mark.slow
def test_circles_are_called_by_their_names(evening: Evening) -> None:
    said = [each for message in evening.messages for each in sentences(message.data)]
    kinds = {each.message.id for each in said if each.message}
    assert {"event move", "event turn", "event dice", "chore put seat"} <= kinds
    for language in LANGUAGES:
        names = announce.translate(dict(evening.table.space_names), language)
        texts = [str(each) for each in announce.translate(said, language)]
        assert [text for text in texts if bare(text, names)] == []
        assert sum(name in text for text in texts for name in set(names.values())) > 10


def test_the_voice_says_them_too(evening: Evening) -> None:
    spoken = voice.spoken_text(evening.messages, "de", tunes=False)
    names = announce.translate(dict(evening.table.space_names), "de")
    assert "Wachposten" in spoken
    assert bare(spoken, names) == []


def test_a_circle_is_called_by_what_is_printed_in_it_and_around_it(evening: Evening) -> None:
    names = evening.table.space_names
    assert (names["chapel3"], names["c17"], names["t2"]) == ("Chapel 3", "Inner Courtyard c17", "Target t2")
    assert (names["maingate"], names["innercells"]) == ("Main Gate", "Inner cells")
    assert names["chapel/2"] == "Chapel, in the tunnel, 2"
    assert len(set(names.values())) == len(names)
    assert evening.table.board.spaces.keys() <= names.keys()


def test_a_screen_has_the_names_in_its_language(evening: Evening) -> None:
    board = page_language.translate_printed_board(
        board_as_json(load_board(GAME), evening.table.space_names), "fr", GAME
    )
    called = {space["id"]: space["name"] for space in board["spaces"]}
    assert (
        called["n3"]
        == announce.translate(evening.table.space_names["n3"], "fr")
        != evening.table.space_names["n3"]
    )


def test_what_a_seat_is_refused_is_told_by_names(evening: Evening) -> None:
    (seat,) = evening.state.seats_to_act()
    own = next(at.space for pawn, at in evening.stands().items() if pawn.owner == seat)
    with pytest.raises(SeatError) as refused:
        evening.table.say(seat, f"{own}-t1", evening.scene.now)
    for language in ("en", "nl"):
        names = announce.translate(dict(evening.table.space_names), language)
        assert bare(announce.translate(public_error_text(refused.value), language), names) == []
