"""A drawing cut into pages that a home printer takes, with marks by which they are put together.

Pages overlap. In the middle of each overlap lie registration marks, at the corners of every page: a cross in
a circle with a name. Two pages lie right when marks of the same name lie on each other. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Final, NamedTuple

from boardmake.paper.pdf import DrawingWindow, PdfPage
from boardrules.shapes import Paint, Polyline, Rectangle, Shape, TextShape, cross, disc

PAPERS: Final = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
MARGIN: Final = 12.0
"""That printers leave white, and in which a page is named."""
OVERLAP: Final = 14.0
"""That two pages share."""
RULER: Final = 100.0
"""On every page, to see whether the printer kept the scale."""
MARK: Final = 4.0
"""Across the circle of a mark."""
_THIN: Final = Paint(None, "#000000", 0.15)
_CUT: Final = Paint(None, "#555555", 0.15, (2.0, 2.0))


class PageTiling(NamedTuple):
    """How a drawing falls onto pages. Its own lower left corner is (0, 0)."""

    paper: str
    page: tuple[float, float]
    """Width and height of a page."""
    step: tuple[float, float]
    """From one page's corner to the next one's."""
    columns: int
    rows: int

    def origin(self, column: int, row: int) -> tuple[float, float]:
        """What of the drawing lies at the lower left corner of a page's window."""
        return column * self.step[0] - OVERLAP, row * self.step[1] - OVERLAP

    def marks(self) -> Iterator[tuple[str, float, float]]:
        """Name and place in the drawing of every mark: letters to the right, numbers upwards."""
        for column in range(self.columns + 1):
            for row in range(self.rows + 1):
                x, y = self.origin(column, row)
                yield f"{_letter(column)}{row + 1}", x + OVERLAP / 2, y + OVERLAP / 2


def _letter(number: int) -> str:
    return chr(65 + number) if number < 26 else f"A{chr(65 + number - 26)}"


def tiling(width: float, height: float, paper: str) -> PageTiling:
    """The way round that needs the fewest pages; upright where both need as many."""
    short, long = PAPERS[paper]
    return min(
        (_tiling(width, height, paper, page) for page in ((short, long), (long, short))),
        key=lambda tiles: tiles.columns * tiles.rows,
    )


def _tiling(width: float, height: float, paper: str, page: tuple[float, float]) -> PageTiling:
    step = (page[0] - 2 * MARGIN - OVERLAP, page[1] - 2 * MARGIN - OVERLAP)
    columns, rows = (ceil((side + OVERLAP) / each) for side, each in zip((width, height), step, strict=True))
    return PageTiling(paper, page, step, columns, rows)


def pages(tiles: PageTiling, form: str, title: str) -> Iterator[PdfPage]:
    """The pages from the lower left to the upper right, each with its part of the drawing."""
    wide, high = tiles.page
    clip = (MARGIN, MARGIN, wide - 2 * MARGIN, high - 2 * MARGIN)
    for row in range(tiles.rows):
        for column in range(tiles.columns):
            x, y = tiles.origin(column, row)
            window = DrawingWindow(form, MARGIN - x, MARGIN - y, clip)
            yield PdfPage(wide, high, (window,), tuple(_over(tiles, column, row, title)))


def _over(tiles: PageTiling, column: int, row: int, title: str) -> Iterator[Shape]:
    """Marks, where to cut, the ruler and the page's name."""
    wide, high = tiles.page
    x, y = tiles.origin(column, row)
    near, far = MARGIN + OVERLAP / 2, (wide - MARGIN - OVERLAP / 2, high - MARGIN - OVERLAP / 2)
    yield Rectangle(near, near, far[0] - near, far[1] - near, _CUT)
    for name, mark_x, mark_y in tiles.marks():
        at_x, at_y = mark_x - x + MARGIN, mark_y - y + MARGIN
        if MARGIN < at_x < wide - MARGIN and MARGIN < at_y < high - MARGIN:
            yield from cross(at_x, at_y, 2 * MARK, _THIN)
            yield disc(at_x, at_y, MARK, _THIN)
            yield TextShape(at_x + 2.4, at_y + 2.4, 2.6, name, "#000000", "start", halo="#ffffff")
    told = f"{title} · {tiles.paper.upper()} · column {column + 1} of {tiles.columns}, row {row + 1} of"
    yield TextShape(MARGIN, high - 8, 3, f"{told} {tiles.rows} · print at 100 %", "#000000", "start")
    yield from _ruler(MARGIN, 5.0)


def _ruler(x: float, y: float) -> Iterator[Shape]:
    yield Polyline(((x, y), (x + RULER, y)), Paint(None, "#000000", 0.25))
    for number in range(11):
        tick = 3.0 if number % 5 == 0 else 1.8
        yield Polyline(((x + 10 * number, y), (x + 10 * number, y + tick)), Paint(None, "#000000", 0.25))
    told = "100 mm: measure it. If it isn't, switch off what fits the page to the paper."
    yield TextShape(x + RULER + 3, y, 2.6, told, "#000000", "start")
