"""What the model says, as the tables of the makers' pages: `python -m boardmake.physics.tables`."""

from __future__ import annotations

from boardmake.physics.electrics import piece_count_text
from boardware.physics.design import MIXED_POLES, POLES_UP, SensorDesign
from boardware.physics.magnetics import judge_design
from boardware.physics.reach import Reaches, compute_reaches, square_grid
from boardware.physics.verdict import Grade
from boardware.physics.volts import CHIPS, DIODES, USUAL_TOLERANCE, WORST_TOLERANCE, MatrixCircuit

ROW_CASES = (
    (470, None, "1N4148"),
    (1000, None, "1N4148"),
    (100, 22e3, "1N4148"),
    (1000, 10e3, "1N4148"),
    (220, 10e3, "1N4148"),
    (100, 10e3, "1N4148"),
    (100, 10e3, "BAT85"),
)
"""Row resistor, added pull-down, diode."""
MATRIX_ROW_COUNT = 10
"""Rows of the matrix that is reckoned with: their diodes hang on each column."""
CABLE_PF = (200, 1000)
"""pF"""


def row_load_table() -> str:
    """A Markdown table: pieces of one row that are felt, with the worst parts and (usual ones), and us."""
    lines = [
        "| row | column to ground | diode | pieces, Pi | pieces, Pico | us, 200 pF | us, 1000 pF |",
        "|---:|---:|---|---:|---:|---:|---:|",
    ]
    for row_ohm, added, diode in ROW_CASES:
        wires = [
            MatrixCircuit(CHIPS[chip], DIODES[diode], MATRIX_ROW_COUNT, 1, row_ohm, added)
            for chip in ("pi", "rp2040")
        ]
        pieces = [
            f"{piece_count_text(each.pieces_felt_max(WORST_TOLERANCE))}"
            f" ({piece_count_text(each.pieces_felt_max(USUAL_TOLERANCE))})"
            for each in wires
        ]
        settles = [
            ", ".join(f"{each._replace(cable_pf=pf).settle_us(WORST_TOLERANCE):.0f}" for each in wires)
            for pf in CABLE_PF
        ]
        ground = "nothing" if added is None else f"{added / 1000:g} kOhm"
        lines.append(f"| {' | '.join((f'{row_ohm} Ohm', ground, diode, *pieces, *settles))} |")
    return "\n".join(lines) + "\n"


def _reed_on_end(low: int, magnet: str, gap: float = 6.0, *, poles: str = MIXED_POLES) -> SensorDesign:
    return SensorDesign(f"reed on end {low}-{low + 5} AT", magnet, gap, poles=poles)


def _flat_reed(low: int, magnet: str, gap: float, aside: float, turn: float = 45.0) -> SensorDesign:
    return SensorDesign(f"reed flat {low}-{low + 5} AT", magnet, gap, aside, turn)


DESIGNS_BY_PITCH_MM = {
    45.0: (
        _reed_on_end(10, "6x2"),
        _reed_on_end(10, "8x2"),
        _reed_on_end(10, "8x3"),
        _reed_on_end(15, "8x2"),
        _reed_on_end(15, "8x3"),
        _reed_on_end(15, "8x3", poles=POLES_UP),
        _reed_on_end(15, "10x3"),
        _reed_on_end(20, "8x3"),
        _reed_on_end(20, "10x3"),
        _reed_on_end(25, "10x3"),
        _flat_reed(15, "8x3", 4.0, 9.0),
        _flat_reed(15, "8x3", 4.0, 0.0),
        _flat_reed(10, "12x3", 4.0, 9.0, 90.0),
        SensorDesign("DRV5032FC", "5x4"),
        SensorDesign("DRV5032FC", "6x4"),
        SensorDesign("DRV5033FA", "5x4"),
        SensorDesign("DRV5033AJ", "8x3"),
        SensorDesign("A3144", "12x8", 9.0, poles=POLES_UP),
        SensorDesign("TLE4964-1M", "10x8", 8.0, poles=POLES_UP),
        SensorDesign("DRV5023AJ", "8x6", 7.0, poles=POLES_UP),
        SensorDesign("HAL504", "8x6", 8.0, poles=POLES_UP),
        SensorDesign("HAL504", "10x6", 8.0, poles=POLES_UP),
        SensorDesign("HAL504", "10x8", 8.0, poles=POLES_UP),
    ),
    30.0: (
        _reed_on_end(10, "6x2", 4.0),
        _reed_on_end(15, "6x3", 4.0),
        _reed_on_end(15, "6x3", 6.0),
        _reed_on_end(15, "6x3", 4.0, poles=POLES_UP),
        _reed_on_end(20, "6x4", 3.0),
        _reed_on_end(15, "8x3"),
        _flat_reed(15, "6x3", 3.0, 9.0),
        SensorDesign("DRV5032FC", "5x3", 4.0),
    ),
}
"""What is compared, by how far apart spaces lie, in mm."""
FIT_WORDS = {Grade.FINE: "yes", Grade.DOUBT: "in doubt", Grade.REFUSED: "no"}


def parts_fit_table() -> str:
    """A Markdown table: which sensors and magnets fit which pitch, and why not."""
    lines = [
        "| pitch | sensor | magnet | gap | poles | sensed off the middle | neighbours add | lift noticed at"
        " | fits |",
        "|---:|---|---|---:|---|---:|---:|---:|---|",
    ]
    for pitch, designs in DESIGNS_BY_PITCH_MM.items():
        around = square_grid(pitch)
        for design in designs:
            fits = FIT_WORDS[max(each.grade for each in judge_design(design, around))]
            lines.append(
                f"| {pitch:g} | {_sensor_text(design)} |"
                f" {_table_cells(design, compute_reaches(design, around))} | {fits} |"
            )
    return "\n".join(lines) + "\n"


def _sensor_text(design: SensorDesign) -> str:
    if not design.is_open_below_magnet:
        return design.sensor
    return f"{design.sensor}, {f'{design.aside_mm:g} mm aside' if design.aside_mm else 'below the middle'}"


def _table_cells(design: SensorDesign, found: Reaches) -> str:
    felt_mm = (f"{each.felt_mm:g}" if each.felt_mm is not None else "not at all" for each in found)
    others = (f"{100 * max(each.neighbour_share, each.crowd_share):.0f} %" for each in found)
    lifted = (f"{each.lift_height_mm:g}" for each in found)
    worst_first = (f"{worst} ({usual})" for worst, usual in (felt_mm, others, lifted))
    return " | ".join((design.magnet, f"{design.gap_mm:g}", design.poles, *worst_first))


if __name__ == "__main__":
    print(row_load_table(), parts_fit_table(), sep="\n", end="")
