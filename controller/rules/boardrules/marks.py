"""Marks: what a lamp of a board can say, and how it looks."""

from __future__ import annotations

from typing import Final, NamedTuple


class Mark(NamedTuple):
    """What a light means. Each has a colour and pattern of its own among those that a game can show."""

    colour: str
    """`green`, `red`, `white`, `blue`, `amber`, `cyan` or `magenta`."""
    pattern: str
    """For those who can't tell colours apart: `steady`, `dim steady`, `slow pulse`, `blink`, `alternate`,
    `three flashes`, or `sweep`, which runs over lamps: a mark `NAME+0`, its neighbour `NAME+1` ..."""
    means: str
    """In a few words, in English."""
    at_end: str = ""
    """What it means once the game is over, where that is something else."""


def sweep_mark(name: str, place: int) -> str:
    """The mark of that name on one of several lamps over which it runs, by its number from 0."""
    return f"{name}+{place}"


def mark_name(mark: str) -> str:
    """The name of a mark, wherever it is shown."""
    return mark.partition("+")[0]


def sweep_position(mark: str) -> int:
    """On which of several lamps it is shown; 0 for one that runs over none."""
    return int(mark.partition("+")[2] or 0)


# What more than one game has.
TO_MOVE_MARKS: Final = {"to-move": Mark("white", "dim steady", "it is this piece's or this side's turn")}
ROUND_MARKS: Final = {
    "past": Mark("amber", "dim steady", "this round is over"),
    "now": Mark("amber", "steady", "this round is being played"),
}
DIE_MARKS: Final = {"die": Mark("white", "steady", "as many lights as the die shows, or as points are left")}
