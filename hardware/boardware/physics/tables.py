"""What rows of a matrix carry and how long they settle, as the table of the makers' page:
`python -m boardware.physics.tables`."""

from __future__ import annotations

from boardware.physics.electrics import felt
from boardware.physics.volts import CHIPS, DIODES, USUAL, WORST, Matrix

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
            Matrix(CHIPS[chip], DIODES[diode], ROWS_OF_ALL, 1, row_ohm, added) for chip in ("pi", "rp2040")
        ]
        pieces = [f"{felt(each.carries(WORST))} ({felt(each.carries(USUAL))})" for each in wires]
        settles = [
            ", ".join(f"{each._replace(wire_pf=pf).settle_us(WORST):.0f}" for each in wires) for pf in CABLES
        ]
        ground = "nothing" if added is None else f"{added / 1000:g} kOhm"
        lines.append(f"| {' | '.join((f'{row_ohm} Ohm', ground, diode, *pieces, *settles))} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(rows_carry(), end="")
