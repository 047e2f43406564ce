"""Says what was measured of a board, and writes it into its file: into `[sensing]`, all else as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from boardumpire.makers.board_file_edit import BoardFileEditError
from boardware.description import load_board
from boardware.parts import BoardDescription
from boardware.physics import fitting
from boardware.physics.design import SensorDesign
from boardware.physics.fitting import FittedReadings, MeasuredValue
from boardware.physics.magnetics import model_verdicts
from boardware.physics.reading import RulerReading
from boardware.tomlfile import key_lines

STRENGTH_RATIO_MAX: Final = 1.25
"""So much stronger than the weakest of the pieces may the strongest be: else it is another magnet."""
UNCERTAINTY_SHARE_MAX: Final = 0.6
"""A strength that may be so much off, as a share of itself, is nothing to write down."""
_SENSING_TABLE = ("sensing",)


class ReadingsResult(NamedTuple):
    """What readings come to."""

    fitted_readings: FittedReadings
    design: SensorDesign
    """What to write."""
    objections: tuple[str, ...]
    """Why it is not to be written, in sentences; nothing where it may be."""


def fit_readings(
    design: SensorDesign, readings: Sequence[RulerReading], objections: Sequence[str] = ()
) -> ReadingsResult:
    """Fit readings of a board with that design. `objections` were found before. Raises `ValueError`."""
    found = fitting.fit(design, readings)
    new = fitting.measured_design(found)
    return ReadingsResult(found, new, (*objections, *_objections(found, new, readings)))


def _objections(found: FittedReadings, new: SensorDesign, readings: Sequence[RulerReading]) -> Iterator[str]:
    for odd in found.odd_readings:
        yield f"{odd.reading}, and all the others say {odd.expected:.0f} mm"
    if not found.odd_readings and not found.is_consistent:
        yield f"the readings lie {found.mean_square_share:.1f} times as far apart as those of a ruler should"
    best = {number: value.best for number, value in found.pieces.items()}
    weak, strong = min(best, key=best.__getitem__), max(best, key=best.__getitem__)
    if best[strong] > STRENGTH_RATIO_MAX * best[weak]:
        share = f"{100 * best[weak] / best[strong]:.0f} %"
        yield f"piece {weak} has another magnet: it is {share} as strong as that of piece {strong}"
    if found.strength.margin > UNCERTAINTY_SHARE_MAX * found.strength.best:
        yield f"the strength of the magnets is {_value_with_range(found.strength)}, which says too little"
    for name, square in found.squares.items():
        if square.release.best > 1:
            share = f"{square.release.best:.2f}"
            yield f"{name}: its contact holds at {share} of what closes it; measure again, below 1 is right"
    for reading in fitting.uncovered_readings(new, readings):
        yield f"{reading}, which is more than even the worst parts that would be written allow"


def _value_with_range(value: MeasuredValue, digits: int = 2) -> str:
    low, high = max(0.0, value.best - value.margin), value.best + value.margin
    return f"{value.best:.{digits}f} (surely {low:.{digits}f} to {high:.{digits}f})"


def result_sentences(found: ReadingsResult, board: BoardDescription | None) -> list[str]:
    """What was found, and what it means for the board; without one, for no neighbours."""
    fit, part = found.fitted_readings, found.fitted_readings.design.part
    unit = "AT" if part.is_reed else "mT"
    each = ", ".join(f"piece {number} {value.best:.2f}" for number, value in fit.pieces.items())
    told = [
        f"Magnets: {_value_with_range(fit.strength)} of the strength of {fit.design.magnet_disc}; {each}.",
        f"Gap: {_value_with_range(fit.gap, 1)} mm; the board file says {fit.design.gap_mm:g}.",
    ]
    for name, square in fit.squares.items():
        right, away = square.sensor_offset_mm
        told.append(
            f"{name}: closes at {_value_with_range(square.operate, 1)} {unit}, holds at"
            f" {_value_with_range(square.release)} of that;"
            f" its sensor lies {right.best:+.1f} mm to the right and {away.best:+.1f} mm away from you, each"
            f" give or take {max(right.margin, away.margin):.1f};"
            f" a piece is felt {_value_with_range(square.felt_mm, 1)} mm off the middle."
        )
    worst = min(fit.squares, key=lambda name: fit.squares[name].felt_mm.best)
    told.append(f"Worst square: {worst}, where a piece is felt {fit.squares[worst].felt_mm.best:.1f} mm off.")
    if board is not None:
        told += [
            f"By the model: {each}." for each in model_verdicts(replace(board, sensor_design=found.design))
        ]
    return told


# The board file


def _design_as_toml(design: SensorDesign) -> dict[str, str]:
    """What `[sensing]` says, in TOML."""
    values = {
        "sensor": f'"{design.sensor}"',
        "magnet": f'"{design.magnet}"',
        "gap_mm": f"{design.gap_mm:g}",
        "aside_mm": f"{design.aside_mm:g}",
        "turn_deg": f"{design.turn_deg:g}",
        "poles": f'"{design.poles}"',
    }
    values |= {
        key: f"{value:g}"
        for key, value in (("bent_mm", design.bent_mm), ("back_mm", design.back_mm))
        if value
    }
    for key in ("strength", "operate", "release"):
        span = getattr(design, key)
        if span is not None:
            values[key] = f"[{span[0]:g}, {span[1]:g}]"
    return values


def replace_sensing_table(text: str, old: SensorDesign | None, new: SensorDesign, name: str) -> str:
    """The text of a board file with another design. Of its table `[sensing]` only what differs is changed.

    Raises `BoardFileEditError`; `name` is what it calls the file.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    before = {} if old is None else _design_as_toml(old)
    wanted = {key: value for key, value in _design_as_toml(new).items() if before.get(key) != value}
    lines = text.splitlines(keepends=True)
    at = list(key_lines(text))
    tables = [line for path, line in at if path == _SENSING_TABLE]
    if old is None and not tables:
        gap = "" if not lines or lines[-1].endswith(("\n", "\r")) else end
        new_lines = [f"{key} = {value}{end}" for key, value in wanted.items()]
        return "".join([text, gap, end, f"[sensing]{end}", *new_lines])
    if len(tables) != 1 or not re.match(r"\s*\[\s*sensing\s*\]", lines[tables[0] - 1]):
        raise BoardFileEditError(
            f"{name}: found no [sensing] on a line of its own; write it so and try again"
        )
    last = tables[0]
    for path, line in at:
        if path[:1] != _SENSING_TABLE or len(path) != 2:
            continue
        last = max(last, line)
        if path[1] in wanted:
            lines[line - 1] = _replace_line_value(lines[line - 1], wanted.pop(path[1]), f"{name}:{line}")
    if not lines[last - 1].endswith(("\n", "\r")):
        lines[last - 1] += end
    lines[last:last] = [f"{key} = {value}{end}" for key, value in wanted.items()]
    return "".join(lines)


def _replace_line_value(line: str, value: str, where: str) -> str:
    """A line with another value; what stands before and behind it, a comment too, stays."""
    found = re.match(
        r"""([^=]*=\s*)("[^"]*"|'[^']*'|\[[^\]]*\]|[^\s#]+)(\s*(?:#.*)?)$""", line.rstrip("\r\n")
    )
    if not found:
        raise BoardFileEditError(
            f"{where}: found {line.strip()[:60]!r}; write the key and its value on one line and try again"
        )
    return found[1] + value + found[3] + line[len(line.rstrip("\r\n")) :]


def write_sensing(source: Path, target: Path, new: SensorDesign) -> BoardDescription:
    """Write the new file `target`: `source` with another design; the board that it describes.

    Raises `BoardFileEditError`, also when the file would not say what was measured: then none is left behind.
    """
    old = load_board(source).sensor_design
    text = replace_sensing_table(source.read_bytes().decode(), old, new, str(source))
    try:
        with target.open("xb") as file:
            file.write(text.encode())
    except OSError as error:
        raise BoardFileEditError(f"{target}: {error.strerror}; try another file") from None
    try:
        again = load_board(target)
        if again.sensor_design != new:
            raise BoardFileEditError(f"{target}: its [sensing] not as measured")
    except Exception as error:
        target.unlink()
        raise BoardFileEditError(f"{source} can't be mended in its text: {error}") from None
    return again
