"""What the model says, as the tables of the makers' pages: `python -m boardmake.physics.tables`."""

from __future__ import annotations

from boardmake.physics.electrics import felt
from boardware.physics.design import MIXED, UP, SensorDesign
from boardware.physics.magnetics import judged
from boardware.physics.reach import Reaches, grid, reaches
from boardware.physics.verdict import Grade
from boardware.physics.volts import CHIPS, DIODES, USUAL, WORST, MatrixCircuit

ROWS = (
    (470, None, "1N4148"),
    (1000, None, "1N4148"),
    (100, 22e3, "1N4148"),
    (1000, 10e3, "1N4148"),
    (220, 10e3, "1N4148"),
    (100, 10e3, "1N4148"),
    (100, 10e3, "BAT85"),
)
"""Row resistor, added pull-down, diode."""
ROWS_OF_ALL = 10
"""Rows of the matrix that is reckoned with: their diodes hang on each column."""
CABLES = (200, 1000)
"""pF"""


def rows_carry() -> str:
    """A Markdown table: pieces of one row that are felt, with the worst parts and (usual ones), and us."""
    lines = [
        "| row | column to ground | diode | pieces, Pi | pieces, Pico | us, 200 pF | us, 1000 pF |",
        "|---:|---:|---|---:|---:|---:|---:|",
    ]
    for row_ohm, added, diode in ROWS:
        wires = [
            MatrixCircuit(CHIPS[chip], DIODES[diode], ROWS_OF_ALL, 1, row_ohm, added)
            for chip in ("pi", "rp2040")
        ]
        pieces = [f"{felt(each.carries(WORST))} ({felt(each.carries(USUAL))})" for each in wires]
        settles = [
            ", ".join(f"{each._replace(wire_pf=pf).settle_us(WORST):.0f}" for each in wires) for pf in CABLES
        ]
        ground = "nothing" if added is None else f"{added / 1000:g} kOhm"
        lines.append(f"| {' | '.join((f'{row_ohm} Ohm', ground, diode, *pieces, *settles))} |")
    return "\n".join(lines) + "\n"


def _reed(low: int, magnet: str, gap: float = 6.0, *, poles: str = MIXED) -> SensorDesign:
    return SensorDesign(f"reed on end {low}-{low + 5} AT", magnet, gap, poles=poles)


def _flat(low: int, magnet: str, gap: float, aside: float, turn: float = 45.0) -> SensorDesign:
    return SensorDesign(f"reed flat {low}-{low + 5} AT", magnet, gap, aside, turn)


PARTS = {
    45.0: (
        _reed(10, "6x2"),
        _reed(10, "8x2"),
        _reed(10, "8x3"),
        _reed(15, "8x2"),
        _reed(15, "8x3"),
        _reed(15, "8x3", poles=UP),
        _reed(15, "10x3"),
        _reed(20, "8x3"),
        _reed(20, "10x3"),
        _reed(25, "10x3"),
        _flat(15, "8x3", 4.0, 9.0),
        _flat(15, "8x3", 4.0, 0.0),
        _flat(10, "12x3", 4.0, 9.0, 90.0),
        SensorDesign("DRV5032FC", "5x4"),
        SensorDesign("DRV5032FC", "6x4"),
        SensorDesign("DRV5033FA", "5x4"),
        SensorDesign("DRV5033AJ", "8x3"),
        SensorDesign("A3144", "12x8", 9.0, poles=UP),
        SensorDesign("TLE4964-1M", "10x8", 8.0, poles=UP),
        SensorDesign("HAL504", "8x6", 8.0, poles=UP),
        SensorDesign("HAL504", "10x6", 8.0, poles=UP),
        SensorDesign("HAL504", "10x8", 8.0, poles=UP),
    ),
    30.0: (
        _reed(10, "6x2", 4.0),
        _reed(15, "6x3", 4.0),
        _reed(15, "6x3", 6.0),
        _reed(15, "6x3", 4.0, poles=UP),
        _reed(20, "6x4", 3.0),
        _reed(15, "8x3"),
        _flat(15, "6x3", 3.0, 9.0),
        SensorDesign("DRV5032FC", "5x3", 4.0),
    ),
}
"""What is compared, by how far apart spaces lie, in mm."""
FITS = {Grade.FINE: "yes", Grade.DOUBT: "in doubt", Grade.REFUSED: "no"}


def parts_fit() -> str:
    """A Markdown table: which sensors and magnets fit which pitch, and why not."""
    lines = [
        "| pitch | sensor | magnet | gap | poles | sensed off the middle | neighbours add | lift noticed at"
        " | fits |",
        "|---:|---|---|---:|---|---:|---:|---:|---|",
    ]
    for pitch, designs in PARTS.items():
        around = grid(pitch)
        for design in designs:
            fits = FITS[max(each.grade for each in judged(design, around))]
            lines.append(
                f"| {pitch:g} | {_laid(design)} | {_row(design, reaches(design, around))} | {fits} |"
            )
    return "\n".join(lines) + "\n"


def _laid(design: SensorDesign) -> str:
    if not design.flat:
        return design.sensor
    return f"{design.sensor}, {f'{design.aside:g} mm aside' if design.aside else 'below the middle'}"


def _row(design: SensorDesign, found: Reaches) -> str:
    felt_mm = (f"{each.felt:g}" if each.felt is not None else "not at all" for each in found)
    others = (f"{100 * max(each.beside, each.crowd):.0f} %" for each in found)
    lifted = (f"{each.lifted:g}" for each in found)
    worst_first = (f"{worst} ({usual})" for worst, usual in (felt_mm, others, lifted))
    return " | ".join((design.magnet, f"{design.gap:g}", design.poles, *worst_first))


if __name__ == "__main__":
    print(rows_carry(), parts_fit(), sep="\n", end="")
