"""What docs/play/without-phones.md says of games and buttons is what the program does."""

from __future__ import annotations

import re

import pytest

from boardware.description import board_names, load_board
from house.without_phones import PAGE, by_screen_alone, table

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_table_of_games_is_found_by_playing_them() -> None:
    assert table() in TEXT, "run tests/house/without_phones.py"


@pytest.mark.parametrize("seat", ["allies", "tank"])
def test_the_allies_never_need_a_screen(seat: str) -> None:
    assert seat not in by_screen_alone("fall-of-the-fuhrer", {})


def test_every_button_of_a_shipped_board_is_explained() -> None:
    explained = set(re.findall(r"^\| \*\*(\w+)\*\*", TEXT, re.MULTILINE))
    assert explained == {button for board in board_names() for button in load_board(board).buttons}
