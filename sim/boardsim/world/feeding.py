"""What pins read of a simulated bank whose rows feed switches with three wires.

An inverter drives each column: high while a switch of a row that is fed pulls it low. A bank that doesn't
wait for its switches to wake reads nothing; one that doesn't wait for its columns to rise shows ghosts.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardsim.world.levels import Level, Wiring
from boardware.parts import Bank, Fed
from boardware.physics.design import Design
from boardware.physics.feeding import rise_us
from boardware.physics.volts import USUAL, Matrix


class FedWiring(Wiring):
    """The wires of one such bank."""

    def __init__(
        self, matrix: Matrix, bank: Bank, fed: Fed, design: Design | None, held: Level = None
    ) -> None:
        """`held`: what wrong parts hold all pins of columns at; `None`: there are none."""
        super().__init__(matrix, bank.settle_us)
        feed = design.part.feed if design is not None else None
        usual = 0.0 if feed is None else feed.wakes_us[0]
        self._awake = bank.settle_us >= usual and (feed is None or fed.volts >= feed.least_v)
        self._rises = bank.settle_us >= rise_us(bank, fed)
        self._held = held
        self.easy = self._awake and self._rises and held is None

    def volts(self, drive: Sequence[Level], pull: Sequence[Level], cells: bytes) -> Sequence[float]:
        """Of every wire, once all is at rest."""
        at = [0.0] * (self.rows + self.columns)
        for row in range(self.rows):
            at[row] = USUAL.supply if drive[row] == 1 else 0.0
        if self._held is not None:
            at[self.rows :] = [USUAL.supply * self._held] * self.columns
            return at
        for row, column, _ in self._closed(cells):
            if drive[row] == 1 and self._awake:
                at[column] = USUAL.supply
        return at

    def after(self, before: Sequence[float], target: Sequence[float]) -> list[float]:
        """The volts of every wire when a row has settled so long, from those before."""
        if self._rises:
            return list(target)
        rows = self.rows
        return [*target[:rows], *(max(pair) for pair in zip(before[rows:], target[rows:], strict=True))]
