"""What the wires of a reed matrix and of a chain of lamps stand at, in volts.

A matrix: a pin drives a row high through its own resistance and the row's resistor; a diode leads through
each closed reed to a column, which resistors pull to ground. So all closed contacts of a row share what its
resistor lets through: the more pieces, the lower the columns. When a row rests nothing drives its columns
down: diodes block, and the charge of cable and diodes leaves through the pull-down alone. That fall is what
a row has to settle for.

`USUAL_TOLERANCE` is a board of ordinary parts, `WORST_TOLERANCE` one where all of them are at the end of
their range that hurts. Units are V, A, Ohm, pF, us, m. A number that says (estimate) has no source; those of
Raspberry Pi chips are

- RP2040: its data sheet, 5.2.3: low 0.8 V, high 2.0 V, pulls 50 to 80 kOhm, 2.62 V left at the current that
  is set (4 mA), leakage 1 uA. The RP2350 is taken to have the same (estimate).
- RP2350 A2: its data sheet, erratum E9: an input that was high stays at some 2.2 V unless 8.2 kOhm or less
  lead to ground. Steppings A3 and A4 don't (product change note of 29 July 2025).
- BCM2837 (Pi 3, Zero 2) and BCM2711 (Pi 4): Raspberry Pi documentation, GPIO, voltage specifications: low
  0.9 and 0.8 V, high 1.6 and 2.0 V, pulls 50 to 65 and 33 to 73 kOhm, 3.0 V left at 2 mA and 2.6 V at 4 mA,
  leakage 5 and 10 uA at 85 C, 5 pF. For the Pi 5 (RP1) nothing is published; it is taken as BCM2711
  (estimate).
"""

from __future__ import annotations

from functools import cache
from math import exp, log
from typing import NamedTuple

THERMAL_V = 0.02585
"""kT/q at 300 K."""


class DiodeModel(NamedTuple):
    """A type of diode, by Shockley's equation through two points of its data sheet."""

    name: str
    saturation_a: float
    """A"""
    ideality: float
    capacitance_pf: float
    """Of one that blocks."""
    leakage_a: float
    """A, at most, of one that blocks 3 V."""

    def forward_drop_v(self, current: float) -> float:
        """Volts across it at that current in A."""
        return self.ideality * THERMAL_V * log(current / self.saturation_a + 1)


DIODES = {
    diode.name: diode
    for diode in (
        # Curve: SPICE model of the 1N4148 in Qucs-S. 4 pF, 25 nA at 20 V: its data sheet (PanJit, Diotech).
        DiodeModel("1N4148", 222e-12, 1.65, 4, 25e-9),
        # 0.22 V at 0.1 mA, 0.29 V at 1 mA typical, at most 10 pF and 2 uA: data sheet (Diotech, Comchip).
        DiodeModel("BAT54", 72e-9, 1.176, 10, 2e-6),
        # The same limits as the BAT54 in its data sheet (Philips, Vishay), so the same curve.
        DiodeModel("BAT85", 72e-9, 1.176, 10, 2e-6),
    )
}


class ChipPins(NamedTuple):
    """The pins of a chip at 3.3 V."""

    name: str
    low_max_v: float
    """At most this many volts surely read low ..."""
    high_min_v: float
    """... and at least this many high."""
    pull_ohm: tuple[float, float, float]
    """Ohm of its own pull-down or pull-up: the strongest, the usual (estimate: the middle), the weakest."""
    output_ohm: tuple[float, float]
    """Ohm of a pin that drives: usual (estimate) and at most, from the volts left at its rated current."""
    leakage_a: float
    """A into a pin that reads, at most."""
    latch_max_ohm: float | None = None
    """Ohm that must lead to ground at most, or an input that was high stays at `LATCHED_V`."""


CHIPS = {
    chip.name: chip
    for chip in (
        ChipPins("rp2040", 0.8, 2.0, (50e3, 60e3, 80e3), (40, 170), 1e-6),
        ChipPins("rp2350", 0.8, 2.0, (50e3, 60e3, 80e3), (40, 170), 1e-6),
        ChipPins("rp2350-a2", 0.8, 2.0, (50e3, 60e3, 80e3), (40, 170), 1e-6, 8.2e3),
        # What the header of any Pi does at worst: the BCM2711's, which is the widest.
        ChipPins("pi", 0.8, 2.0, (33e3, 50e3, 73e3), (40, 175), 10e-6),
    )
}
FALLING_THRESHOLD_V, RISING_THRESHOLD_V = 1.2, 1.8
"""V at which a usual pin begins to read low, and high; between them it reads what it read before (estimate).
The data sheets of these chips say no more than the limits above, and that at least 0.2 V lie between; other
inputs with hysteresis at 3.3 V have about these."""
LATCHED_V = 2.2
PIN_CAPACITANCE_PF = 5
FLAT_CABLE_PF_M = 65
"""Of flat cable a metre: 50 to 65 pF (HP 34970A manual, 15 to 20 pF a foot of twisted ribbon)."""


class PartTolerance(NamedTuple):
    """How far from usual the parts of a board are."""

    supply_v: float
    """V of the chip."""
    extra_drop_v: float
    """V that each diode takes beyond its curve."""
    is_worst_case: bool


USUAL_TOLERANCE = PartTolerance(3.3, 0.0, False)
WORST_TOLERANCE = PartTolerance(3.2, 0.05, True)
"""A supply 3 % low and a cold diode of a bad batch (estimates)."""
CHIP_SUPPLY_MAX_V = 3.4
"""A supply 3 % high: what a column falls from (estimate)."""
ROW_DRIVE_MIN_US = 10
"""us that a row is driven at least, whatever is configured: the calls around it take as long (estimate)."""
ROW_CONTACTS_MAX = 30
"""Contacts that a row is reckoned with: neither a Pi nor a Pico has as many pins to give."""


class MatrixCircuit(NamedTuple):
    """The wires of one bank."""

    chip: ChipPins
    diode: DiodeModel | None
    """`None`: wire bridges in their place."""
    rows: int
    columns: int
    row_ohm: float
    """In series with each row."""
    pull_down_ohm: float | None = None
    """From each column to ground, beside the chip's own pull-down."""
    cable_pf: float = 200
    """Of a row's or a column's cable, to all others."""

    def column_pull_down_ohm(self, internal: float) -> float:
        """Ohm from a column to ground, of which the chip's own are `internal`."""
        return (
            internal
            if self.pull_down_ohm is None
            else internal * self.pull_down_ohm / (internal + self.pull_down_ohm)
        )

    def column_v(self, closed: int, case: PartTolerance = USUAL_TOLERANCE) -> float:
        """Volts of a column while so many contacts of the driven row are closed, its own among them."""
        pull = self.column_pull_down_ohm(self.chip.pull_ohm[0 if case.is_worst_case else 1])
        leak = self.chip.leakage_a if case.is_worst_case else 0.0
        if case.is_worst_case and self.diode is not None:
            leak += self.diode.leakage_a * (self.rows - 1)
        out = self.row_ohm + self.chip.output_ohm[case.is_worst_case]
        low, high = 0.0, case.supply_v
        for _ in range(40):
            volts = (low + high) / 2
            current = volts / pull + leak
            drop = self.diode.forward_drop_v(current) + case.extra_drop_v if self.diode is not None else 0.0
            if volts + drop + closed * current * out > case.supply_v:
                high = volts
            else:
                low = volts
        return low

    def pieces_felt_max(self, case: PartTolerance = USUAL_TOLERANCE) -> int:
        """How many pieces of one row are felt at once, `ROW_CONTACTS_MAX` of them at most."""
        weak = (
            count
            for count in range(1, ROW_CONTACTS_MAX + 1)
            if self.column_v(count, case) < self.chip.high_min_v
        )
        return next(weak, ROW_CONTACTS_MAX + 1) - 1

    def row_ohm_max(self, closed: int) -> float:
        """The largest resistor a row with which so many pieces are felt in the worst case; below 0: none."""
        current = self.chip.high_min_v / self.column_pull_down_ohm(self.chip.pull_ohm[0])
        current += self.chip.leakage_a + (
            self.diode.leakage_a * (self.rows - 1) if self.diode is not None else 0.0
        )
        drop = (
            self.diode.forward_drop_v(current) + WORST_TOLERANCE.extra_drop_v
            if self.diode is not None
            else 0.0
        )
        left = WORST_TOLERANCE.supply_v - self.chip.high_min_v - drop
        return left / (closed * current) - self.chip.output_ohm[WORST_TOLERANCE.is_worst_case]

    def column_capacitance_pf(self, case: PartTolerance = USUAL_TOLERANCE) -> float:
        """Of a column: its cable, the diodes of its rows, its pin. Bridges may join it with every row."""
        joined = self.cable_pf * self.rows if self.diode is None and case.is_worst_case else 0.0
        return (
            self.cable_pf
            + joined
            + PIN_CAPACITANCE_PF
            + (self.diode.capacitance_pf * self.rows if self.diode is not None else 0.0)
        )

    def fall_us(self, case: PartTolerance = USUAL_TOLERANCE) -> float:
        """How long a column that was high needs until it surely reads low."""
        pull = self.column_pull_down_ohm(self.chip.pull_ohm[2 if case.is_worst_case else 1])
        start = self.column_v(1) + (
            CHIP_SUPPLY_MAX_V - USUAL_TOLERANCE.supply_v if case.is_worst_case else 0.0
        )
        return fall_us(pull, self.column_capacitance_pf(case), start, self.chip.low_max_v)

    def rise_us(self, case: PartTolerance = USUAL_TOLERANCE) -> float:
        """How long a full row needs until its columns surely read high; endless where they never do."""
        end = self.column_v(self.columns, case)
        if end <= self.chip.high_min_v:
            return float("inf")
        row_pf = self.cable_pf + (self.diode.capacitance_pf * self.columns if self.diode is not None else 0.0)
        charged = row_pf + self.columns * self.column_capacitance_pf()
        ohm = self.row_ohm + self.chip.output_ohm[case.is_worst_case]
        return ohm * charged * 1e-6 * log(end / (end - self.chip.high_min_v))

    def settle_us(self, case: PartTolerance = WORST_TOLERANCE) -> float:
        """How long a row has to be driven before its columns are read, if they can be read at all."""
        rise = self.rise_us(case)
        return max(self.fall_us(case), rise if rise < float("inf") else 0.0)

    def can_latch(self) -> bool:
        """Whether a column that was high stays there for ever (RP2350 A2)."""
        return self.chip.latch_max_ohm is not None and (
            self.pull_down_ohm is None or self.pull_down_ohm > self.chip.latch_max_ohm
        )


def fall_us(ohm: float, pf: float, start: float, end: float) -> float:
    """us until `pf`, charged to `start` volts, has fallen to `end` through `ohm`."""
    return ohm * pf * 1e-6 * log(start / end)


# -- any circuit of wires, resistors to a rail, and diodes ---------------------------------------------------


class ResistorNet:
    """Wires with resistors to rails, joined by diodes: what volts they stand at once all is at rest."""

    def __init__(self, wires: int) -> None:
        self._conductance = [1e-9] * wires
        self._pushed = [0.0] * wires
        self._diodes: list[tuple[int, int, int]] = []
        self._of = list(range(wires))

    def join_wires(self, one: int, other: int) -> None:
        """A wire bridges them; before anything else is said of either."""
        root, gone = self.representative_wire(one), self.representative_wire(other)
        self._of = [root if each == gone else each for each in self._of]

    def representative_wire(self, wire: int) -> int:
        """The wire that stands for all that it is joined with."""
        return self._of[wire]

    def add_resistor(self, wire: int, ohm: float, volts: float) -> None:
        """From a wire to a rail at so many volts."""
        root = self.representative_wire(wire)
        self._conductance[root] += 1 / ohm
        self._pushed[root] += volts / ohm

    def add_diode(self, anode: int, cathode: int, times: int = 1) -> None:
        """From one wire to another, so many side by side; one across a bridge does nothing."""
        one, other = self.representative_wire(anode), self.representative_wire(cathode)
        if one != other:
            self._diodes.append((one, other, times))

    def solve_wire_volts(self, diode: DiodeModel) -> list[float]:
        """Of every wire. By Newton's method, each diode's step held back as circuit simulators do."""
        at = [pushed / self._conductance[wire] for wire, pushed in enumerate(self._pushed)]
        if self._diodes:
            joined = sorted({wire for one, other, _ in self._diodes for wire in (one, other)})
            for wire, volts in zip(joined, self._solve(joined, diode), strict=True):
                at[wire] = volts
        return [at[root] for root in self._of]

    def _solve(self, joined: list[int], diode: DiodeModel) -> list[float]:
        place = {wire: number for number, wire in enumerate(joined)}
        ends = [(place[anode], place[cathode], times) for anode, cathode, times in self._diodes]
        slope = diode.ideality * THERMAL_V
        bend = slope * log(slope / (1.4142 * diode.saturation_a))
        across = [bend] * len(ends)
        volts: list[float] = []
        for _ in range(200):
            table = [[0.0] * len(joined) + [self._pushed[wire]] for wire in joined]
            for number, wire in enumerate(joined):
                table[number][number] = self._conductance[wire]
            for (anode, cathode, times), drop in zip(ends, across, strict=True):
                least = times * diode.saturation_a
                grown = least * exp(drop / slope) if drop > -1 else 0.0
                steep = grown / slope + 1e-12
                rest = grown - least - steep * drop
                table[anode][anode] += steep
                table[cathode][cathode] += steep
                table[anode][cathode] -= steep
                table[cathode][anode] -= steep
                table[anode][-1] -= rest
                table[cathode][-1] += rest
            volts = _solve_equations(table)
            moved = 0.0
            for number, (anode, cathode, _) in enumerate(ends):
                wanted = held = volts[anode] - volts[cathode]
                before = across[number]
                if wanted > bend and abs(wanted - before) > 2 * slope:
                    held = (
                        before + slope * log(1 + (wanted - before) / slope) if wanted > before > 0 else bend
                    )
                across[number] = held
                moved = max(moved, abs(held - before) if held > -1 or before > -1 else 0.0)
            if moved < 1e-4:
                break
        return volts


def _solve_equations(table: list[list[float]]) -> list[float]:
    """The solution of linear equations, a row each with its right side last. The diagonal is the largest."""
    count = len(table)
    for pivot in range(count):
        above = table[pivot]
        for below in table[pivot + 1 :]:
            if below[pivot]:
                factor = below[pivot] / above[pivot]
                for column in range(pivot, count + 1):
                    below[column] -= factor * above[column]
    found = [0.0] * count
    for row in range(count - 1, -1, -1):
        line = table[row]
        found[row] = (line[-1] - sum(line[at] * found[at] for at in range(row + 1, count))) / line[row]
    return found


@cache
def usual_column_volts(matrix: MatrixCircuit) -> tuple[float, ...]:
    """Volts of a closed column by how many contacts of the driven row are closed; of usual parts."""
    return (0.0, *(matrix.column_v(closed) for closed in range(1, matrix.columns + 1)))


# -- lamps ---------------------------------------------------------------------------------------------------

DATA_HIGH_MIN_SHARE = 0.7
"""Of its supply a WS2812B wants as high data (data sheet: 0.7 VDD)."""
UNSHIFTED_DATA_V = 3.3
LAMP_SUPPLY_MIN_V = 3.5
"""Below it a WS2812B may stop: the least supply in its data sheet's ratings (3.5 to 5.3 V)."""
LAMP_SUPPLY_RATED_V = 4.5
"""From here on its data sheet promises something (4.5 to 5.5 V). Below it blue fades first."""
COPPER_OHM_PER_M = 0.0175
"""A metre of 1 mm2 of copper at 20 C. A strip's own copper has some 0.1 Ohm (estimate)."""

SUPPLY_TOLERANCE_SHARE = 0.02
"""So much lower than it says is a supply at worst: what makers of enclosed ones promise. Plugs may be 5 %."""
FUSE_DROP_V = 0.06
"""Lost in a slow fuse of 5 x 20 mm and its holder, at three quarters of what it is for (estimate)."""
FEED_WIRE_OHM = 2 * 0.5 * COPPER_OHM_PER_M / 1.0
"""Out and back: half a metre of 1 mm2 from the supply to the lamps."""


def data_shortfall_v(supply: float, *, shifter: bool) -> float:
    """V that data is too low for the first lamp; 0 or less: it is enough."""
    return DATA_HIGH_MIN_SHARE * supply - (supply if shifter else UNSHIFTED_DATA_V)


def even_load_sag_v(amperes: float, metres: float, ohm_m: float, *, both_ends: bool = False) -> float:
    """V lost on the way out and back, at the worst place, by a load spread evenly along so many metres."""
    return amperes * 2 * ohm_m * metres / (8 if both_ends else 2)


def far_load_sag_v(
    amperes: float, metres: float, ohm_m: float, share: float, *, both_ends: bool = False
) -> float:
    """The same where all of it is drawn by that share of the lamps, which lie where it hurts most.

    Fed at one end they are the last ones, and the way is whole up to them; fed at both they are in the
    middle, and either end brings half of it over half the way.
    """
    reach = 1 - share / 2
    return amperes * 2 * ohm_m * metres * (reach / 4 if both_ends else reach)
