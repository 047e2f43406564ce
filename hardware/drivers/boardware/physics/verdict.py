"""What the model says of a part of a board: that it is fine, doubtful, or can't work."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Grade(IntEnum):
    """How good something is."""

    FINE = 0
    DOUBT = 1
    """It works with usual parts, not with the worst that their data sheets allow."""
    REFUSED = 2
    """It can't work."""


class ModelVerdict(NamedTuple):
    """One sentence of the model."""

    grade: Grade
    table_key: str
    """The key of the board file's table that it is about: `banks.reeds`."""
    text: str
    """What is. Unless it is fine: how much is missing, and what would help."""

    def __str__(self) -> str:
        return f"{self.table_key}: {('', 'doubt: ', 'refused: ')[self.grade]}{self.text}"
