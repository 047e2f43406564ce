"""Reading what a seat writes: `a3-a4`, `setup a1=F b1=B ...`, `resign`."""

from __future__ import annotations

from typing import Final

from boardrules.core import Action, BadText, Seat, UnknownSeat
from boardrules.stratego.actions import SAYINGS, SEATS, Setup
from boardrules.stratego.board import Board
from boardrules.stratego.pieces import RANKS, SIGNS


def parse(text: str, seat: Seat, board: Board) -> Action:
    """The action that `seat` writes as `text`, legal or not. Raises `BadText`."""
    if seat not in SAYINGS:
        raise UnknownSeat(seat, SAYINGS)
    words = text.split()
    for say in SAYINGS[seat]:
        if " ".join(words) == say.words:
            return say
    if words[:1] == ["setup"] and seat in SEATS:
        return parse_setup(words[1:], seat, board)
    origin, dash, target = text.strip().partition("-")
    if seat in SEATS and dash and origin in board.squares and target in board.squares:
        return board.named_move(seat, origin, target)
    expected = ", ".join((*(_EXAMPLES if seat in SEATS else ()), *(say.words for say in SAYINGS[seat])))
    # A set-up that was mistyped is a secret all the same: it is never repeated.
    raise BadText(f"{_quoted(text)} is no action of {seat}; expected one of {expected}")


_EXAMPLES: Final = ("a move like a3-a4", "setup a1=F b1=B ...")


def _quoted(text: str) -> str:
    return "that" if "=" in text or len(text) > 40 else repr(text)


def parse_setup(words: list[str], seat: Seat, board: Board) -> Setup:
    """A set-up of words like `a1=F`. Raises `BadText` that names the place of the word, not what it said."""
    pieces = []
    for place, word in enumerate(words, 1):
        square, _, rank = word.partition("=")
        if square not in board.squares:
            raise BadText(f"set-up, word {place}: no such square; expected like {board.names[0]}=F")
        if rank not in RANKS:
            raise BadText(
                f"set-up, word {place}: no such rank; expected one of {' '.join(reversed(SIGNS[1:]))}"
            )
        pieces.append((square, rank))
    return Setup(seat, pieces)
