"""Boards by what the option `board` says, read and checked."""

from __future__ import annotations

import copyreg
from functools import lru_cache
from typing import Any, Final

from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.castle.check import check_board
from boardrules.colditz.castle.datafile import SHIPPED_FOLDER, read_text
from boardrules.colditz.castle.plan import read_plan

CASTLE: Final = "castle"
"""The board that comes with the game."""


@lru_cache(maxsize=16)
def board_by_key(key: str) -> CastleBoard:
    """The board that the option `board` names: `CASTLE`, or the text of a board file.

    Raises `DataError` for a text that can't be played on.
    """
    if key == CASTLE:
        path = SHIPPED_FOLDER / f"{CASTLE}.toml"
        return CastleBoard(read_plan(read_text(path), str(path)), key)
    return read_board(key, "option board")


def read_board(text: str, file: str) -> CastleBoard:
    """An owner's own board, if it can be played on. Raises `DataError`, which calls it `file`."""
    made = CastleBoard(read_plan(text, file), text)
    check_board(made)
    return made


def _pickle_by_key(made: CastleBoard) -> tuple[Any, ...]:
    """A pickled board is its key: who reads it back has the one board of that key."""
    return board_by_key, (made.key,)


copyreg.pickle(CastleBoard, _pickle_by_key)
