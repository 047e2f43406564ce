"""What the doctor saw, ready to be explained: facts by the names of parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from boardumpire.makers.bare_board import (
    ContactId,
    LampNumber,
    all_contacts,
    column_wire_description,
    contact_id,
    lamp_number,
    row_wire_description,
)
from boardumpire.makers.causes import CauseTable, rank_causes
from boardumpire.makers.observations import Observations
from boardware.parts import BoardDescription, MatrixBank, SensorAt

CROSSINGS_MAX = 4
"""So many crossed contacts or lamps that no swap of two wires explains: the board file fits another board."""


class AlternativeCause(NamedTuple):
    """What it may be instead."""

    code: str
    what: str


class Finding(NamedTuple):
    """Something wrong: the likeliest cause, what tells it from the next, and what else it may be."""

    code: str
    """Stable: `reed-stuck`, `row-dead`, `lamps-crossed` ..."""
    parts: tuple[str, ...]
    """What it may be: `reed a3`, `diode a3`, `row reeds:0`, `column reeds:7`, `lamp lamps:12` ..."""
    seen: str
    """What was seen."""
    check: str
    """Where to look, which wire."""
    others: tuple[AlternativeCause, ...] = ()
    """The next ones."""
    tell: str = ""
    """What to try or measure next, to tell it from the first of those."""

    def text(self) -> str:
        """What was seen, and in a line each the likeliest cause, how to be sure, and what else it may be."""
        cause = "Likely cause: " if self.others or self.tell else ""
        lines = [f"{' or '.join(self.parts)}: {self.seen}.", f"{cause}{self.check}."]
        if self.tell:
            lines.append(f"To be sure: {self.tell}.")
        lines += [f"Or: {each.what}." for each in self.others]
        return "\n".join(lines)


def finding_from_causes(
    table: CauseTable,
    signs: Mapping[str, bool],
    parts: Mapping[str, tuple[str, ...]],
    seen: str,
    where: str = "",
) -> Finding:
    """The finding of a symptom.

    `parts`: by code which parts are then to blame, and under "" those of any other; `where`: which wires to
    look at.
    """
    code, *rest = rank_causes(table, signs)
    cause = table[code]
    check = ". ".join(text for text in (cause.description, cause.remedy) if text)
    return Finding(
        code,
        parts.get(code, parts[""]),
        seen,
        f"{check}: {where}" if where else check,
        tuple(AlternativeCause(other, table[other].description) for other in rest),
        cause.next_test,
    )


class DoctorFacts:
    """What the doctor saw of a board, with the names of its parts."""

    def __init__(self, board: BoardDescription, seen: Observations) -> None:
        self.board = board
        self.observations = seen
        self.contact_positions = all_contacts(board)
        self.slot_by_contact = {contact_id(at): slot for at, slot in board.slots_by_contact.items()}

    def slot_of_contact(self, name: ContactId) -> str:
        """The space of a contact, as people call it."""
        return self.slot_by_contact.get(name, name)

    def wires_of_contact(self, name: ContactId) -> str:
        """Both wires of a contact."""
        at = self.contact_positions[name]
        bank = self.board.banks[at.bank]
        return (
            f"{row_wire_description(self.board, bank, at.row)};"
            f" {column_wire_description(self.board, bank, at.column)}"
        )

    def contacts_at(
        self, bank: MatrixBank, *, row: int | None = None, column: int | None = None
    ) -> set[ContactId]:
        """The contacts of a row or a column that belong to a space."""
        return {
            name
            for name in self.slot_by_contact
            if (at := self.contact_positions[name]).bank == bank.id
            and row in (None, at.row)
            and column in (None, at.column)
        }

    def contacts_in_line(self, bank: MatrixBank, kind: str, number: int) -> set[ContactId]:
        """The contacts of a row or of a column."""
        return self.contacts_at(bank, row=number) if kind == "row" else self.contacts_at(bank, column=number)

    def line_count(self, bank: MatrixBank, kind: str) -> int:
        """How many rows or columns it has."""
        return len(bank.rows if kind == "row" else bank.columns)

    def line_wire_description(self, bank: MatrixBank, kind: str, number: int) -> str:
        """One of them as a maker looks for it."""
        return (row_wire_description if kind == "row" else column_wire_description)(self.board, bank, number)

    def tried_contacts(self, bank: MatrixBank) -> set[ContactId]:
        """The contacts of a bank that a piece was put on."""
        return self.contacts_at(bank) & set(self.observations.sensed_contacts)

    def dead_lines(self, bank: MatrixBank, kind: str, dead: set[ContactId]) -> list[int]:
        """The rows or columns of which at least two reeds were tried, and all are dead."""
        tried = self.tried_contacts(bank) - self.observations.closed_when_empty
        lines = [
            (number, self.contacts_in_line(bank, kind, number) & tried)
            for number in range(self.line_count(bank, kind))
        ]
        return [number for number, line in lines if len(line) > 1 and line <= dead]

    @staticmethod
    def line_and_place(at: SensorAt, kind: str) -> tuple[int, int]:
        """Which row (or column) it is of, and where in it."""
        return (at.row, at.column) if kind == "row" else (at.column, at.row)

    def lamp_name(self, number: LampNumber) -> str:
        """What a lamp lights, as the board file has it."""
        return next(
            (lamp for lamp, at in self.board.lamps.items() if lamp_number(at) == number), "no space's"
        )

    def lamp_of_contact(self, name: ContactId) -> LampNumber | None:
        """The lamp of the space of a contact."""
        slot = self.slot_by_contact.get(name)
        at = self.board.lamps.get(slot.partition("/")[0]) if slot else None
        return None if at is None else lamp_number(at)
