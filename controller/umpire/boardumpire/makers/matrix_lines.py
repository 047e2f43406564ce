"""Which row and which column pieces are sensed on, line by line: where plugs and wires lead."""

from __future__ import annotations

from collections import Counter

from boardumpire.makers.bare_board import ContactId
from boardumpire.makers.doctor_facts import DoctorFacts
from boardware.parts import MatrixBank

MOST = 0.6
"""Such a share of what was sensed at all has to say the same."""


class MatrixLines(DoctorFacts):
    """Of each row and column the one on which most of its pieces are sensed."""

    def moved(self, bank: MatrixBank, kind: str) -> dict[int, int]:
        """By row (or column) of the board file where it is sensed, if enough of it is."""
        votes: dict[int, Counter[int]] = {}
        for name, felt in self.seen.felt.items():
            if felt is not None and self.at[name].bank == self.at[felt].bank == bank.id:
                here, there = self.split(self.at[name], kind)[0], self.split(self.at[felt], kind)[0]
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

    def shift(self, bank: MatrixBank, kind: str) -> int:
        """By how much a whole plug is shifted: 1, -1, or 0 for not."""
        steps: Counter[int] = Counter()
        lines: dict[int, set[int]] = {}
        for name, felt in self.seen.felt.items():
            if felt is not None and self.at[name].bank == self.at[felt].bank == bank.id:
                here, there = self.split(self.at[name], kind)[0], self.split(self.at[felt], kind)[0]
                steps[there - here] += 1
                lines.setdefault(there - here, set()).add(here)
        for step in (1, -1):
            if steps[step] >= max(3, MOST * steps.total()) and len(lines[step]) > 1:
                return step
        return 0

    def swaps(self, bank: MatrixBank, kind: str) -> list[tuple[int, int]]:
        """Pairs of wires of which each is sensed as the other."""
        to = self.moved(bank, kind)
        return [(one, other) for one, other in sorted(to.items()) if one < other and to.get(other) == one]

    def explained(self, bank: MatrixBank) -> set[ContactId]:
        """The contacts that are sensed where their row and their column are."""
        rows, columns = self._to(bank, "row"), self._to(bank, "column")
        return {
            name
            for name, felt in self.seen.felt.items()
            if felt is not None
            and (at := self.at[name]).bank == self.at[felt].bank == bank.id
            and rows[at.row] == self.at[felt].row
            and columns[at.column] == self.at[felt].column
        }

    def _to(self, bank: MatrixBank, kind: str) -> list[int]:
        """Of every row (or column) where it is sensed; those of which little is sensed as the plug says."""
        count = len(bank.rows if kind == "row" else bank.columns)
        step, to = self.shift(bank, kind), self.moved(bank, kind)
        return [here + step if step else to.get(here, here) for here in range(count)]
