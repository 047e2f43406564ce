"""Which row and which column pieces are sensed on, line by line: where plugs and wires lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from boardumpire.makers.bare_board import ContactId
from boardumpire.makers.doctor_facts import DoctorFacts
from boardware.parts import MatrixBank

AGREEMENT_SHARE_MIN = 0.6
"""Such a share of what was sensed at all has to say the same."""


class MatrixLines(DoctorFacts):
    """Of each row and column the one on which most of its pieces are sensed."""

    def _sensed_lines(self, bank: MatrixBank, kind: str) -> Iterator[tuple[int, int]]:
        """Of each piece that was sensed the row (or column) that it stood on, and where it was sensed."""
        for name, felt in self.observations.sensed_contacts.items():
            here, there = (self.contact_positions.get(each or "") for each in (name, felt))
            if here and there and here.bank == there.bank == bank.id:
                yield self.line_and_place(here, kind)[0], self.line_and_place(there, kind)[0]

    def moved_lines(self, bank: MatrixBank, kind: str) -> dict[int, int]:
        """By row (or column) of the board file where it is sensed, if enough of it is."""
        votes: dict[int, Counter[int]] = {}
        for here, there in self._sensed_lines(bank, kind):
            votes.setdefault(here, Counter())[there] += 1
        found = {}
        for line, counts in votes.items():
            there, count = counts.most_common(1)[0]
            if count > 1 and 2 * count > counts.total():
                found[line] = there
        for line, counts in votes.items():
            # One reed alone says little of its row, unless what it is sensed as is sensed as that row.
            if counts.total() == 1 and found.get(there := next(iter(counts))) == line:
                found[line] = there
        return found

    def plug_shift(self, bank: MatrixBank, kind: str) -> int:
        """By how much a whole plug is shifted: 1, -1, or 0 for not."""
        steps: Counter[int] = Counter()
        lines: dict[int, set[int]] = {}
        for here, there in self._sensed_lines(bank, kind):
            steps[there - here] += 1
            lines.setdefault(there - here, set()).add(here)
        for step in (1, -1):
            if steps[step] >= max(3, AGREEMENT_SHARE_MIN * steps.total()) and len(lines[step]) > 1:
                return step
        return 0

    def shifted_from(self, bank: MatrixBank, kind: str) -> tuple[int, int]:
        """From which row (or column) on all are sensed one further (1) or before (-1); 0, 0: from none on."""
        to = self.moved_lines(bank, kind)
        for step in (1, -1):
            moved = [line for line, there in to.items() if there == line + step]
            first = min(moved, default=0)
            if (
                min(to, default=0) < first
                and len(moved) > 1
                and all(to[line] == line + step * (line >= first) for line in to)
            ):
                return first, step
        return 0, 0

    def joined_wires(self, bank: MatrixBank, kind: str) -> list[tuple[int, int]]:
        """Wires that are sensed as another one, and this one as well."""
        to = self.moved_lines(bank, kind)
        return [(one, other) for one, other in sorted(to.items()) if one != other == to.get(other)]

    def swapped_wires(self, bank: MatrixBank, kind: str) -> list[tuple[int, int]]:
        """Pairs of wires of which each is sensed as the other."""
        to = self.moved_lines(bank, kind)
        return [(one, other) for one, other in sorted(to.items()) if one < other and to.get(other) == one]

    def explained_contacts(self, bank: MatrixBank) -> set[ContactId]:
        """The contacts that are sensed where their row and their column are."""
        rows, columns = self._sensed_positions(bank, "row"), self._sensed_positions(bank, "column")
        return {
            name
            for name, felt in self.observations.sensed_contacts.items()
            if felt is not None
            and (at := self.contact_positions[name]).bank == self.contact_positions[felt].bank == bank.id
            and rows[at.row] == self.contact_positions[felt].row
            and columns[at.column] == self.contact_positions[felt].column
        }

    def _sensed_positions(self, bank: MatrixBank, kind: str) -> list[int]:
        """Of every row (or column) where it is sensed; those of which little is sensed as the plug says."""
        count = len(bank.rows if kind == "row" else bank.columns)
        step, to = self.plug_shift(bank, kind), self.moved_lines(bank, kind)
        return [here + step if step else to.get(here, here) for here in range(count)]
