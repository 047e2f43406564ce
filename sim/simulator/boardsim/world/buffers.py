"""What pins read of a simulated bank whose switches have three wires, and whose rows have buffers.

The buffers of the row that is driven lead every column high or low. While no row is driven the pins' own
pull-downs do, as over reeds.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardsim.world.levels import BankWires, Level
from boardware.parts import BufferedWiring
from boardware.physics.design import SensorDesign
from boardware.physics.volts import USUAL_TOLERANCE, MatrixCircuit


class BufferedBankWires(BankWires):
    """The wires of one such bank."""

    def __init__(
        self,
        matrix: MatrixCircuit,
        settle_us: int,
        buffered: BufferedWiring,
        design: SensorDesign | None,
        held: Level = None,
    ) -> None:
        """`held`: what wrong parts make of the columns of any driven row; `None`: there are none."""
        super().__init__(matrix, settle_us)
        feed = design.part.supply if design is not None else None
        self._works = feed is None or buffered.supply_v >= feed.supply_min_v
        self._held = held
        self.reads_cleanly = self.reads_cleanly and self._works and held is None

    def settled_volts(self, drive: Sequence[Level], pull: Sequence[Level], cells: bytes) -> Sequence[float]:
        """Of every wire, once all is at rest."""
        at = [0.0] * (self.rows + self.columns)
        driven = [row for row in range(self.rows) if drive[row] == 1]
        for row in driven:
            at[row] = USUAL_TOLERANCE.supply_v
        if driven and self._held is not None:
            at[self.rows :] = [USUAL_TOLERANCE.supply_v * self._held] * self.columns
        elif self._works:
            for row, column, _ in self._conducting_contacts(cells):
                if row in driven:
                    at[column] = USUAL_TOLERANCE.supply_v
        return at

    def volts_after(self, before: Sequence[float], target: Sequence[float]) -> list[float]:
        """The volts of every wire when a row has settled so long, from those before."""
        if any(target[: self.rows]):
            return list(target)
        return super().volts_after(before, target)
