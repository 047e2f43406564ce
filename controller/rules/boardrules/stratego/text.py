"""Reading what a seat writes: `a3-a4`, `setup a1=F b1=B ...`, `resign`; read forgivingly as in
`lenient_parsing`."""

from __future__ import annotations

from typing import Final

from boardrules import lenient_parsing
from boardrules.core import Action, BadText, Seat, UnknownSeat
from boardrules.stratego.actions import SEATS, TABLE_ACTIONS, StrategoSetup
from boardrules.stratego.board import StrategoBoard
from boardrules.stratego.pieces import RANK_BY_SIGN, RANK_SIGNS


def parse(text: str, seat: Seat, board: StrategoBoard) -> Action:
    """The action that `seat` writes as `text`, legal or not. Raises `BadText`."""
    if seat not in TABLE_ACTIONS:
        raise UnknownSeat(seat, TABLE_ACTIONS)
    words = lenient_parsing.words(text)
    for say in TABLE_ACTIONS[seat]:
        if " ".join(words) == say.words:
            return say
    if words[:1] == ["setup"] and seat in SEATS:
        return parse_setup(words[1:], seat, board)
    way = lenient_parsing.split_pair(words, board.squares)
    if seat in SEATS and way is not None:
        return board.named_move(seat, *way)
    expected = ", ".join(
        (*(_EXPECTED_TEXTS if seat in SEATS else ()), *(say.words for say in TABLE_ACTIONS[seat]))
    )
    # A set-up that was mistyped is a secret all the same: it is never repeated.
    raise BadText(f"{_quote_if_public(text)} is no action of {seat}; try {expected}")


_EXPECTED_TEXTS: Final = ("a move like a3-a4", "setup a1=F b1=B ...")


def _quote_if_public(text: str) -> str:
    return "that" if "=" in text or len(text) > 40 else repr(text)


def parse_setup(words: list[str], seat: Seat, board: StrategoBoard) -> StrategoSetup:
    """A set-up of words like `a1=f`. Raises `BadText` that names the place of every slip, not the slip."""
    pieces = []
    squares, ranks = [], []
    for place, word in enumerate(words, 1):
        square, _, sign = word.partition("=")
        rank = sign.upper()
        if square not in board.squares:
            squares.append(place)
        if rank not in RANK_BY_SIGN:
            ranks.append(place)
        pieces.append((square, rank))
    signs = " ".join(reversed(RANK_SIGNS[1:]))
    slips = [
        f"{_word_places(where)}: no such {what}; try {expected}"
        for where, what, expected in (
            (squares, "square", f"like {board.names[0]}=F"),
            (ranks, "rank", f"one of {signs}"),
        )
        if where
    ]
    if slips:
        raise BadText(f"set-up, {'; '.join(slips)}")
    return StrategoSetup(seat, pieces)


def _word_places(places: list[int]) -> str:
    return f"word{'s' if len(places) > 1 else ''} {', '.join(map(str, places))}"
