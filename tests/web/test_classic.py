"""The large board: a stretch of Stratego Classic by dragging, forty pieces a side, desktop and phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from web.served import DESKTOP, SMALL_PHONE, Screen, Served, hidden_ranks, play

ARMY = ("FBBSB55567", "8B3B3B6776", "4444336859", "222222322T")
"""Row by row from the back, file by file; `T` is the Marshal."""
MOVES = ["i4-i5", "a7-a6", "i5-i6", "b7-b5", "i6-i7", "j7-j6", "a4-a5", "a6-a5"]
"""Steps and slides, a Scout's leap, and two battles in which both fall."""


def army(rows: str) -> str:
    """The set-up on rows given from the back."""
    ranks = dict(zip(rows.split(), ARMY, strict=True))
    return " ".join(
        f"{file}{row}={'10' if rank == 'T' else rank}"
        for row, line in ranks.items()
        for file, rank in zip("abcdefghij", line, strict=True)
    )


ARMIES = {"red": army("1 2 3 4"), "blue": army("10 9 8 7")}


@pytest.fixture
def classic(tmp_path: Path) -> Iterator[Served]:
    page = Served(tmp_path, "--board", "classic-10x10", "--game", "stratego-classic")
    yield page
    page.close()


@pytest.mark.nightly
def test_a_stretch_of_classic_is_played_by_dragging(classic: Served, screen: Callable[..., Screen]) -> None:
    table = screen(classic.links["table"])
    seats = {
        "red": screen(classic.links["red"], **DESKTOP),
        "blue": screen(classic.links["blue"], **SMALL_PHONE),
    }
    seats["red"].take_kept("stratego-classic", "red", ARMIES["red"])
    seats["blue"].set_up(ARMIES["blue"])
    play(seats, MOVES)
    for each in (table, *seats.values()):
        each.until_told("a6 attacks a5: a Scout (2) meets a Scout (2), and both leave the board.")
        assert each.errors == []
        width = each.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], "nothing is wider than the screen"
    for seat, other in (("red", "blue"), ("blue", "red")):
        for watcher in (seats[other], table):
            assert hidden_ranks(watcher.frames, seat, ARMIES[seat], MOVES) == []
