"""What volts the wires of a simulated matrix come to, and what pins read of them.

A contact is a closed reed and what is soldered at it. While all of them that are closed have fine diodes
and one row is driven, the columns follow from how many are closed; for anything else the circuit is solved.
Both are kept, as scans see the same few patterns again and again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from math import exp

from boardware.physics.volts import (
    DIODES,
    FALLING_THRESHOLD_V,
    RISING_THRESHOLD_V,
    ROW_DRIVE_MIN_US,
    USUAL_TOLERANCE,
    MatrixCircuit,
    ResistorNet,
    usual_column_volts,
)

FLOATING_LEAK_OHM = 10e6
"""What leads to ground from a wire that nothing pulls: damp and dirt (estimate)."""
CACHED_PATTERNS_MAX = 4096
"""So many patterns are kept at most."""

Level = int | None
"""1, 0 or, for a wire that nothing drives or pulls, `None`."""
ClosedContact = tuple[int, int, int]
"""A closed one: the wire of its row, that of its column, what is soldered there."""


class SolderedDiode(IntEnum):
    """What is soldered where a reed's diode belongs."""

    FINE = 0
    ABSENT = 1
    """Bridged by a wire, as on a board built without diodes."""
    BROKEN = 2
    """An open circuit: the reed is never felt."""
    SHORTED = 3
    REVERSED = 4
    """The wrong way round: current runs from the column to the row."""


BRIDGES = (SolderedDiode.ABSENT, SolderedDiode.SHORTED)


class BankWires:
    """The wires of one bank, rows first, then columns, and what was found of them so far."""

    def __init__(self, matrix: MatrixCircuit, settle_us: int, added_to: float = 0.0) -> None:
        """`added_to`: the volts that resistors added to columns lead to; 0 is ground, as it should be."""
        self.matrix = matrix
        self._added_to = added_to
        self.rows = matrix.rows
        self.columns = matrix.columns
        span = max(settle_us, ROW_DRIVE_MIN_US)
        pulled = matrix.column_pull_down_ohm(matrix.chip.pull_ohm[1])
        self.reads_cleanly = (
            matrix.column_v(matrix.columns) >= matrix.chip.high_min_v  # fewer pieces in a row leave more
            and matrix.settle_us(USUAL_TOLERANCE) <= span
            and not matrix.can_latch()
            and not added_to
        )
        """Whether each closed contact reads high, and each open one low, as long as all diodes are fine."""
        self._left = exp(-span / (pulled * matrix.column_capacitance_pf() * 1e-6))
        """The share of its charge that a column keeps while a row settles."""
        self._kept: dict[tuple[object, ...], Sequence[float]] = {}

    def settled_volts(self, drive: Sequence[Level], pull: Sequence[Level], cells: bytes) -> Sequence[float]:
        """Of every wire, once all is at rest.

        `cells`: of each contact, row by row, whether its reed is closed; then what is soldered there; then of
        each wire whether it is cut.
        """
        closed = list(self._conducting_contacts(cells))
        odd = {row for row, _, diode in closed if diode != SolderedDiode.FINE}
        # A row that is held low and has fine diodes alone neither gives nor takes anything.
        matter = tuple(each for each in closed if each[0] in odd or drive[each[0]] != 0)
        key = (tuple(drive), tuple(pull), matter)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= CACHED_PATTERNS_MAX:
                self._kept.clear()
            found = self._kept[key] = self._volts(drive, pull, matter)
        return found

    def _volts(
        self, drive: Sequence[Level], pull: Sequence[Level], closed: Sequence[ClosedContact]
    ) -> Sequence[float]:
        lone = drive.index(1) if drive.count(1) == 1 else self.rows
        columns = [column for row, column, _ in closed if row == lone]
        plain = (
            lone < self.rows
            and not self._added_to
            and 1 not in pull
            and 0 not in pull[: self.rows]
            and not any(drive[column] is not None or pull[column] is None for column in columns)
            and not any(diode != SolderedDiode.FINE for _, _, diode in closed)
        )
        if not plain:
            return self._solve_circuit(drive, pull, closed)
        at = [0.0] * (self.rows + self.columns)
        at[lone] = USUAL_TOLERANCE.supply_v
        for column in columns:
            at[column] = usual_column_volts(self.matrix)[len(columns)]
        return at

    def _conducting_contacts(self, cells: bytes) -> Iterator[ClosedContact]:
        """The contacts through which current may run."""
        size = self.rows * self.columns
        cut = cells[2 * size :]
        place = cells.find(1, 0, size)
        while place >= 0:
            row, column = divmod(place, self.columns)
            column += self.rows
            diode = cells[size + place]
            if diode != SolderedDiode.BROKEN and not cut[row] and not cut[column]:
                yield row, column, diode
            place = cells.find(1, place + 1, size)

    def _solve_circuit(
        self, drive: Sequence[Level], pull: Sequence[Level], closed: Sequence[ClosedContact]
    ) -> Sequence[float]:
        matrix, wires = self.matrix, self.rows + self.columns
        net = ResistorNet(wires)
        like, times = self._merge_equal_columns(drive, pull, closed)
        for row, column, diode in closed:
            if diode in BRIDGES:
                net.join_wires(row, column)
        out, internal = matrix.chip.output_ohm[0], matrix.chip.pull_ohm[1]
        for wire in range(wires):
            driven, pulled = drive[wire], pull[wire]
            series = matrix.row_ohm if wire < self.rows else 0.0
            if driven is not None:
                net.add_resistor(wire, (out + series) / times[wire], USUAL_TOLERANCE.supply_v * driven)
            elif pulled is not None:
                net.add_resistor(wire, (internal + series) / times[wire], USUAL_TOLERANCE.supply_v * pulled)
            else:
                net.add_resistor(wire, FLOATING_LEAK_OHM / times[wire], 0.0)
            if wire >= self.rows and matrix.pull_down_ohm is not None:
                net.add_resistor(wire, matrix.pull_down_ohm / times[wire], self._added_to)
        for row, column, diode in closed:
            if like[column] != column:
                continue
            if diode == SolderedDiode.REVERSED:
                net.add_diode(column, row, times[column])
            elif diode == SolderedDiode.FINE:
                net.add_diode(row, column, times[column])
        at = net.solve_wire_volts(matrix.diode or DIODES["1N4148"])
        return [at[each] for each in like]

    def _merge_equal_columns(
        self, drive: Sequence[Level], pull: Sequence[Level], closed: Sequence[ClosedContact]
    ) -> tuple[list[int], list[int]]:
        """Of each wire one that stands for it, and for how many it stands: columns with the same contacts."""
        wires = self.rows + self.columns
        contacts: list[list[tuple[int, int]]] = [[] for _ in range(wires)]
        for row, column, diode in closed:
            contacts[column].append((row, diode))
        like, times = list(range(wires)), [1] * wires
        first: dict[object, int] = {}
        for column in range(self.rows, wires):
            if any(diode in BRIDGES for _, diode in contacts[column]):
                continue
            one = first.setdefault((drive[column], pull[column], tuple(contacts[column])), column)
            if one != column:
                like[column] = one
                times[one] += 1
        return like, times

    def volts_after(self, before: Sequence[float], target: Sequence[float]) -> list[float]:
        """The volts of every wire when a row has settled so long, from those before."""
        rows, left = self.rows, self._left
        at = list(target)
        for wire in range(rows, len(at)):
            if before[wire] > at[wire]:
                at[wire] += (before[wire] - at[wire]) * left
        return at

    def pin_levels(self, before: Sequence[int], at: Sequence[float]) -> list[int]:
        """What usual pins at those volts read; between `FALLING_THRESHOLD_V` and `RISING_THRESHOLD_V` what
        they read before."""
        falls = -1.0 if self.matrix.can_latch() else FALLING_THRESHOLD_V
        return [
            1 if volts >= RISING_THRESHOLD_V else 0 if volts <= falls else old
            for volts, old in zip(at, before, strict=True)
        ]
