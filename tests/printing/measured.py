"""Reads back what was printed, by another library than the one that made it. Lengths in mm."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from math import dist
from typing import NamedTuple

import pdfplumber

POINT = 72 / 25.4
MARK = 4.0


class Thing(NamedTuple):
    """Something closed that is drawn: its middle and how large it is."""

    x: float
    y: float
    width: float
    height: float


class Sheet(NamedTuple):
    """A page."""

    width: float
    height: float
    things: list[Thing]
    lines: list[tuple[float, float, float, float]]
    """x0, y0, x1, y1"""
    words: list[tuple[str, float, float]]
    """With their lower left corners."""


def read(document: bytes, pages: list[int] | None = None) -> list[Sheet]:
    """Every page of a PDF, or those of these numbers, from 1."""
    with pdfplumber.open(io.BytesIO(document), pages=pages) as found:
        return [_sheet(page) for page in found.pages]


def _sheet(page: object) -> Sheet:
    high = float(page.height)  # type: ignore[attr-defined]
    things, lines = [], []
    for each in [*page.curves, *page.rects]:  # type: ignore[attr-defined]
        left, right, low, up = (each[key] / POINT for key in ("x0", "x1", "y0", "y1"))
        things.append(Thing((left + right) / 2, (low + up) / 2, right - left, up - low))
    for each in page.lines:  # type: ignore[attr-defined]
        lines.append(tuple(each[key] / POINT for key in ("x0", "y0", "x1", "y1")))
    words = [
        (word["text"], word["x0"] / POINT, (high - word["bottom"]) / POINT)
        for word in page.dedupe_chars().extract_words()  # type: ignore[attr-defined]
    ]
    return Sheet(float(page.width) / POINT, high / POINT, things, lines, words)  # type: ignore[attr-defined]


def corners(sheet: Sheet) -> tuple[float, float, float, float]:
    """Left, low, right and high edge of the board, by the marks that stand outside of its corners."""
    upright = [x0 for x0, y0, x1, y1 in sheet.lines if abs(x0 - x1) < 0.01 and abs(abs(y1 - y0) - 5) < 0.05]
    level = [y0 for x0, y0, x1, y1 in sheet.lines if abs(y0 - y1) < 0.01 and abs(abs(x1 - x0) - 5) < 0.05]
    return min(upright), min(level), max(upright), max(level)


def found(
    things: Iterable[Thing], wanted: Mapping[str, tuple[float, float, float, float]]
) -> dict[str, tuple[float, float]]:
    """By name the middle of the thing of that size that lies within 2 mm of its place (x, y, width, height);
    nothing for what isn't there."""
    cells: dict[tuple[int, int], list[Thing]] = {}
    for thing in things:
        cells.setdefault((int(thing.x // 4), int(thing.y // 4)), []).append(thing)
    there = {}
    for name, (x, y, width, height) in wanted.items():
        near = (
            each
            for column in (int((x - 2) // 4), int((x + 2) // 4))
            for row in (int((y - 2) // 4), int((y + 2) // 4))
            for each in cells.get((column, row), ())
            if abs(each.width - width) < 0.2 and abs(each.height - height) < 0.2
        )
        best = min(near, key=lambda each: dist((each.x, each.y), (x, y)), default=None)
        if best is not None:
            there[name] = (best.x, best.y)
    return there


def worst(one: Mapping[str, tuple[float, float]], other: Mapping[str, tuple[float, float]]) -> float:
    """By how much a distance between any two differs at most."""
    assert one.keys() == other.keys()
    names = list(one)
    return max(
        abs(dist(one[a], one[b]) - dist(other[a], other[b]))
        for number, a in enumerate(names)
        for b in names[number + 1 :]
    )


def marks(sheet: Sheet) -> dict[str, tuple[float, float]]:
    """By name the registration marks of a tile."""
    rings = [
        each for each in sheet.things if abs(each.width - MARK) < 0.05 and abs(each.height - MARK) < 0.05
    ]
    names = [(text, x, y) for text, x, y in sheet.words if re.fullmatch("[A-Z]{1,2}[0-9]{1,2}", text)]
    told = {}
    for text, x, y in names:
        ring = min(rings, key=lambda each: dist((each.x, each.y), (x - 2.4, y - 1.8)))
        if dist((ring.x, ring.y), (x, y)) < 6:
            told[text] = (ring.x, ring.y)
    return told


def joined(sheets: list[Sheet]) -> Iterator[tuple[Sheet, float, float]]:
    """The tiles laid together by marks of the same name alone: each with where its corner comes to lie."""
    at = {0: (0.0, 0.0)}
    known = dict(marks(sheets[0]))
    named = [marks(sheet) for sheet in sheets]
    while len(at) < len(sheets):
        for number, these in enumerate(named):
            shared = these.keys() & known.keys()
            if number in at or len(shared) < 2:
                continue
            dx = sum(known[name][0] - these[name][0] for name in shared) / len(shared)
            dy = sum(known[name][1] - these[name][1] for name in shared) / len(shared)
            for name in shared:
                assert dist(known[name], (these[name][0] + dx, these[name][1] + dy)) < 0.1, "they don't fit"
            at[number] = (dx, dy)
            known.update({name: (x + dx, y + dy) for name, (x, y) in these.items()})
            break
        else:
            raise AssertionError("a tile shares no two marks with the others")
    for number, sheet in enumerate(sheets):
        yield sheet, *at[number]
