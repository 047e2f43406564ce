"""A Pico on its own instructions: MicroPython's image on an emulated RP2040, the firmware as it is flashed.

Each figure is counted in cycles of the chip, at 200 MHz. There are no stalls of the flash cache, so silicon
is equal or slower. A fifth of all frames on the wire is sent twice. An emulated second takes the better
part of a minute, so the quick form measures nothing: `tests/pico/test_emulated.py` holds what has to hold.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from boardlab.benchmarks.measure import BenchmarkResult
from boardsim.pico.timing import (
    FRAME_MAX_US,
    REPORT_MAX_US,
    SCAN_PERIOD_MAX_US,
    STAMP_ERROR_MAX_US,
    Stopwatch,
    TimingFigures,
    percentile,
)

IMAGE_VARIABLE = "BOARDUMPIRE_UF2"
"""Names the image, if it isn't where the tests look for it."""
BOARDS = {"8x8": "quick-battle-8x8-pico", "10x10": "classic-10x10-pico"}
LIFTS = 20


def image() -> Path | None:
    """MicroPython for a Pico, if it is here."""
    if IMAGE_VARIABLE in os.environ:
        return Path(os.environ[IMAGE_VARIABLE])
    found = sorted((Path(__file__).resolve().parents[5] / "shared" / "micropython").glob("*.uf2"))
    return found[0] if found else None


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    """The rows, for both boards: lamps idle or pulsing, then also after an hour; with hints and without."""
    what = "boards measured on an emulated Pico"
    if quick:
        return [BenchmarkResult(what, 0.0, "boards", "quick: not measured")]
    found = image()
    if found is None:
        why = f"not measured: {IMAGE_VARIABLE} names no image of MicroPython"
        return [BenchmarkResult(what, 0.0, "boards", why, least=len(BOARDS))]
    rows: list[BenchmarkResult] = []
    for size, board in BOARDS.items():
        for lamps, old in (("idle", False), ("pulsing", False), ("pulsing", True)):
            watch = Stopwatch(found, board, old=old)
            if lamps == "pulsing":
                watch.pulse()
            for hints in (True, False):
                what = f"emulated {size}, lamps {lamps}, {'hints' if hints else 'no hints'}"
                rows += _rows(f"{what}{', after an hour' * old}", watch.measure(LIFTS, hints=hints), hints)
    return rows


def _rows(what: str, figures: TimingFigures, hints: bool) -> Iterator[BenchmarkResult]:
    for name, values, part, most in (
        ("period of scans p99", figures.periods, 0.99, SCAN_PERIOD_MAX_US),
        ("worst stamp", figures.lift_stamp_errors + figures.place_stamp_errors, 1.0, STAMP_ERROR_MAX_US),
        ("lift to host p95", figures.report_times, 0.95, REPORT_MAX_US),
        ("lift to frame end p95", figures.frame_times, 0.95, FRAME_MAX_US[hints]),
    ):
        value, middle = percentile(values, part) / 1000, percentile(values, 0.5) / 1000
        how = f"median {middle:.2f}, longest {max(values) / 1000:.2f}"
        yield BenchmarkResult(f"{what}: {name}", value, "ms", how, most=most / 1000, counted=True)
