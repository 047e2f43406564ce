"""What was measured by hand at a bench, as a text file.

    # square  piece  way    what    mm
    e1        1      up     closes  5.5
    e1        1      right  opens   12
    e1        1      right  closes  9.5

A way is `right`, `left`, `away`, `near` (along the board, as the first seat sees it) or `up`. Blank lines and
what stands behind a `#` say nothing.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

from boardumpire.errors import BoardumpireError
from boardware.physics.edges import DIRECTIONS
from boardware.physics.reading import RulerReading

READING_ERROR_MM: Final = 0.5
"""How well a person reads a ruler."""
READING_MAX_MM: Final = 60
_CLOSES_BY_WORD = {"closes": True, "opens": False}
_LINE_FORMAT_TEXT = "a square, the number of a piece, a way, closes or opens, and mm"


class ReadingsError(BoardumpireError):
    """Readings that can't be read: `FILE:LINE: what was found; try ...`."""


def read(path: Path) -> list[RulerReading]:
    """The readings in a file. Raises `ReadingsError`."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # a byte order mark is what some editors put first
    except OSError as error:
        raise ReadingsError(f"{path}: {error.strerror}; try a file of readings") from None
    except UnicodeDecodeError:
        raise ReadingsError(f"{path}: not a text; try a file of readings") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> list[RulerReading]:
    """The readings of a text; `name` is what errors call it. Raises `ReadingsError`."""
    found: dict[int, RulerReading] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            reading = _parse_reading(words, f"{name}:{number}")
            for before, other in found.items():
                _check_hysteresis(reading, other, before, f"{name}:{number}")
            found[number] = reading
    if not found:
        raise ReadingsError(f"{name}: no readings; try lines of {_LINE_FORMAT_TEXT}")
    return list(found.values())


def _check_hysteresis(reading: RulerReading, other: RulerReading, line: int, where: str) -> None:
    """Raise `ReadingsError` where a contact opens before it closes; `line` is that of the other reading."""
    if reading[:3] != other[:3] or reading.is_closing == other.is_closing:
        return
    opening, closing = (other, reading) if reading.is_closing else (reading, other)
    if opening.high_mm <= closing.low_mm:
        place = f"{where}: {reading.square}, piece {reading.piece}, {reading.direction}"
        found = f"{_reading_text(reading)}, on line {line} {_reading_text(other)}"
        raise ReadingsError(f"{place}: {found}; it opens farther out than it closes, so measure again")


def _reading_text(reading: RulerReading) -> str:
    """What was written down."""
    return f"{'closes' if reading.is_closing else 'opens'} at {reading.high_mm - READING_ERROR_MM:g} mm"


def _parse_reading(words: list[str], where: str) -> RulerReading:
    if len(words) != 5:
        raise ReadingsError(f"{where}: {len(words)} words; try {_LINE_FORMAT_TEXT}")
    square, piece, way, what, far = words
    if not (piece.isascii() and piece.isdigit() and len(piece) < 4):
        raise ReadingsError(f"{where}: piece {piece[:20]!r}; try its number")
    if way not in DIRECTIONS:
        raise ReadingsError(f"{where}: way {way[:20]!r}; try one of {', '.join(DIRECTIONS)}")
    if what not in _CLOSES_BY_WORD:
        raise ReadingsError(f"{where}: {what[:20]!r}; try one of {', '.join(_CLOSES_BY_WORD)}")
    try:
        mm = float(far)
    except ValueError:
        mm = math.nan
    if not 0 <= mm <= READING_MAX_MM:
        raise ReadingsError(f"{where}: {far[:20]!r} mm; try a number from 0 to {READING_MAX_MM}")
    return RulerReading(
        square, int(piece), way, _CLOSES_BY_WORD[what], max(0.0, mm - READING_ERROR_MM), mm + READING_ERROR_MM
    )
