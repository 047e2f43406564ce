"""What the doctor saw, ready to be explained: facts by the names of parts."""

from __future__ import annotations

from typing import NamedTuple

from boardumpire.makers.bare import (
    ContactId,
    LampNumber,
    column_wire,
    contact_id,
    contacts,
    lamp_number,
    row_wire,
)
from boardumpire.makers.doctor import Observations
from boardware.parts import Bank, Board, SensorAt

REFIT = 4
"""So many crossed contacts or lamps that no swap of two wires explains: the board file fits another board."""


class Finding(NamedTuple):
    """Something wrong."""

    code: str
    """Stable: `reed-stuck`, `row-dead`, `lamps-crossed` ..."""
    parts: tuple[str, ...]
    """What it may be: `reed a3`, `diode a3`, `row reeds:0`, `column reeds:7`, `lamp lamps:12` ..."""
    seen: str
    """What was seen."""
    check: str
    """Where to look, which wire."""

    def text(self) -> str:
        """In one line."""
        return f"{' or '.join(self.parts)}: {self.seen}. {self.check}."


class Facts:
    """What the doctor saw of a board, with the names of its parts."""

    def __init__(self, board: Board, seen: Observations) -> None:
        self.board = board
        self.seen = seen
        self.at = contacts(board)
        self.slots = {contact_id(at): slot for at, slot in board.contacts.items()}

    def slot(self, name: ContactId) -> str:
        """The space of a contact, as people call it."""
        return self.slots.get(name, name)

    def wires(self, name: ContactId) -> str:
        """Both wires of a contact."""
        at = self.at[name]
        bank = self.board.banks[at.bank]
        return f"{row_wire(self.board, bank, at.row)}; {column_wire(self.board, bank, at.column)}"

    def line(self, bank: Bank, *, row: int | None = None, column: int | None = None) -> set[ContactId]:
        """The contacts of a row or a column that belong to a space."""
        return {
            name
            for name in self.slots
            if (at := self.at[name]).bank == bank.id and row in (None, at.row) and column in (None, at.column)
        }

    def numbered(self, bank: Bank, kind: str, number: int) -> set[ContactId]:
        """The contacts of a row or of a column."""
        return self.line(bank, row=number) if kind == "row" else self.line(bank, column=number)

    @staticmethod
    def split(at: SensorAt, kind: str) -> tuple[int, int]:
        """Which row (or column) it is of, and where in it."""
        return (at.row, at.column) if kind == "row" else (at.column, at.row)

    def lamp_name(self, number: LampNumber) -> str:
        """What a lamp lights, as the board file has it."""
        return next(
            (lamp for lamp, at in self.board.lamps.items() if lamp_number(at) == number), "no space's"
        )

    def space_lamp(self, name: ContactId) -> LampNumber | None:
        """The lamp of the space of a contact."""
        slot = self.slots.get(name)
        at = self.board.lamps.get(slot.partition("/")[0]) if slot else None
        return None if at is None else lamp_number(at)
