"""What openings are called: names and codes of the Encyclopaedia of Chess Openings, by their moves."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import chess


class Opening(NamedTuple):
    """An opening, as PGN has it."""

    code: str
    """Of the Encyclopaedia: `C60`."""
    name: str


@cache
def openings() -> dict[str, Opening]:
    """By position (EPD) the opening that is reached there: `openings.tsv` has code, name and moves."""
    found = {}
    for line in (files(__package__) / "openings.tsv").read_text("utf-8").splitlines():
        code, name, moves = line.split("\t")
        board = chess.Board()
        for move in moves.split():
            board.push_san(move)
        found[board.epd()] = Opening(code, name)
    return found


def opening_of(board: chess.Board) -> Opening | None:
    """What the game on a board, with its moves, is called: by the last position that has a name.

    Only games from the usual first position have one.
    """
    known = openings()
    left = board.copy()
    if board.chess960 or board.root() != chess.Board():
        return None
    while left.move_stack:
        if left.epd() in known:
            return known[left.epd()]
        left.pop()
    return None
