"""Where spaces lie, row by row as a person sees them, and how a matrix in rows and columns lies over them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from boardumpire.makers.bare_board import ContactId, all_contacts, contact_id
from boardware.parts import BoardDescription, SensorAt


class LatticeLine(Enum):
    """One of the two ways through a matrix."""

    ROW = "row"
    COLUMN = "column"


MappedBank = tuple[Sequence[ContactId], Sequence[ContactId], bool]
"""A bank as it was mapped: the contacts of the row and of the column of its corner, in their order on the
board, the corner first in both. The last part says whether its rows run away from the person rather than from
left to right."""


class Lattice:
    """The spaces of a board that a reed is to feel."""

    def __init__(self, board: BoardDescription) -> None:
        self._board = board
        self._contacts = all_contacts(board)
        felt = [space for space in board.spaces.values() if space.slots[0].sensor is not None]
        self.ys = sorted({round(space.position.y) for space in felt})
        self.xs = sorted({round(space.position.x) for space in felt})
        at = {(round(space.position.x), round(space.position.y)): space.id for space in felt}
        single = all(len(space.slots) == 1 for space in felt)
        self.is_regular = single and len(felt) == len(at) == len(self.xs) * len(self.ys)
        """Whether they fill rows and columns, a slot each."""
        self.spaces_in_order = [
            space.id for space in sorted(felt, key=lambda one: (one.position.y, one.position.x))
        ]
        """From left to right, the row nearest to the first seat first."""
        self._at = at

    def is_on_same_line(self, one: ContactId, other: ContactId, line: LatticeLine) -> bool:
        """Whether two contacts are on one row, or one column, of one bank."""
        here, there = self._contacts[one], self._contacts[other]
        same = here.row == there.row if line is LatticeLine.ROW else here.column == there.column
        return here.bank == there.bank and same

    def assign_contacts(self, blocks: Sequence[MappedBank]) -> dict[str, ContactId] | None:
        """Every space with its contact; `None` if the blocks don't fill the spaces exactly.

        Blocks come in the order of their corners. Each takes the first free place.
        """
        found: dict[str, ContactId] = {}
        for along_row, along_column, turned in blocks:
            width, depth = (along_column, along_row) if turned else (along_row, along_column)
            corner = next((space for space in self.spaces_in_order if space not in found), None)
            if corner is None:
                return None
            x0, y0 = self._grid_position(corner)
            for dy, up in enumerate(depth):
                for dx, across in enumerate(width):
                    space = self._space_at(x0 + dx, y0 + dy)
                    if space is None or space in found:
                        return None
                    found[space] = (
                        self._contact_at_crossing(up, across)
                        if turned
                        else self._contact_at_crossing(across, up)
                    )
        return found if len(found) == len(self.spaces_in_order) else None

    def _grid_position(self, space: str) -> tuple[int, int]:
        position = self._board.spaces[space].position
        return self.xs.index(round(position.x)), self.ys.index(round(position.y))

    def _space_at(self, x: int, y: int) -> str | None:
        if x >= len(self.xs) or y >= len(self.ys):
            return None
        return self._at.get((self.xs[x], self.ys[y]))

    def _contact_at_crossing(self, in_row: ContactId, in_column: ContactId) -> ContactId:
        """The contact on the column of the first and the row of the second."""
        one, other = self._contacts[in_row], self._contacts[in_column]
        return contact_id(SensorAt(one.bank, other.row, one.column))
