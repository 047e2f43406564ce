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

PAPER_SIZES_MM: Final = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
MARGIN_MM: Final = 12.0
"""That printers leave white, and in which a page is named."""
OVERLAP_MM: Final = 14.0
"""That two pages share."""
RULER_LENGTH_MM: Final = 100.0
"""On every page, to see whether the printer kept the scale."""
MARK_DIAMETER_MM: Final = 4.0
"""Across the circle of a mark."""
_THIN_PAINT: Final = Paint(None, "#000000", 0.15)
_CUT_PAINT: Final = Paint(None, "#555555", 0.15, (2.0, 2.0))


class PageTiling(NamedTuple):
    """How a drawing falls onto pages. Its own lower left corner is (0, 0)."""

    paper: str
    page_size: tuple[float, float]
    """Width and height of a page."""
    page_step: tuple[float, float]
    """From one page's corner to the next one's."""
    columns: int
    rows: int

    def page_origin(self, column: int, row: int) -> tuple[float, float]:
        """What of the drawing lies at the lower left corner of a page's window."""
        return column * self.page_step[0] - OVERLAP_MM, row * self.page_step[1] - OVERLAP_MM

    def registration_marks(self) -> Iterator[tuple[str, float, float]]:
        """Name and place in the drawing of every mark: letters to the right, numbers upwards."""
        for column in range(self.columns + 1):
            for row in range(self.rows + 1):
                x, y = self.page_origin(column, row)
                yield f"{_column_letter(column)}{row + 1}", x + OVERLAP_MM / 2, y + OVERLAP_MM / 2


def _column_letter(number: int) -> str:
    return chr(65 + number) if number < 26 else f"A{chr(65 + number - 26)}"


def best_tiling(width: float, height: float, paper: str) -> PageTiling:
    """The way round that needs the fewest pages; upright where both need as many."""
    short, long = PAPER_SIZES_MM[paper]
    return min(
        (_tiling_on_page(width, height, paper, page) for page in ((short, long), (long, short))),
        key=lambda tiles: tiles.columns * tiles.rows,
    )


def _tiling_on_page(width: float, height: float, paper: str, page: tuple[float, float]) -> PageTiling:
    step = (page[0] - 2 * MARGIN_MM - OVERLAP_MM, page[1] - 2 * MARGIN_MM - OVERLAP_MM)
    columns, rows = (
        ceil((side + OVERLAP_MM) / each) for side, each in zip((width, height), step, strict=True)
    )
    return PageTiling(paper, page, step, columns, rows)


def tile_pages(tiles: PageTiling, form: str, title: str) -> Iterator[PdfPage]:
    """The pages from the lower left to the upper right, each with its part of the drawing."""
    wide, high = tiles.page_size
    clip = (MARGIN_MM, MARGIN_MM, wide - 2 * MARGIN_MM, high - 2 * MARGIN_MM)
    for row in range(tiles.rows):
        for column in range(tiles.columns):
            x, y = tiles.page_origin(column, row)
            window = DrawingWindow(form, MARGIN_MM - x, MARGIN_MM - y, clip)
            yield PdfPage(wide, high, (window,), tuple(_page_marks(tiles, column, row, title)))


def _page_marks(tiles: PageTiling, column: int, row: int, title: str) -> Iterator[Shape]:
    """Marks, where to cut, the ruler and the page's name."""
    wide, high = tiles.page_size
    x, y = tiles.page_origin(column, row)
    near, far = (
        MARGIN_MM + OVERLAP_MM / 2,
        (wide - MARGIN_MM - OVERLAP_MM / 2, high - MARGIN_MM - OVERLAP_MM / 2),
    )
    yield Rectangle(near, near, far[0] - near, far[1] - near, _CUT_PAINT)
    for name, mark_x, mark_y in tiles.registration_marks():
        at_x, at_y = mark_x - x + MARGIN_MM, mark_y - y + MARGIN_MM
        if MARGIN_MM < at_x < wide - MARGIN_MM and MARGIN_MM < at_y < high - MARGIN_MM:
            yield from cross(at_x, at_y, 2 * MARK_DIAMETER_MM, _THIN_PAINT)
            yield disc(at_x, at_y, MARK_DIAMETER_MM, _THIN_PAINT)
            yield TextShape(at_x + 2.4, at_y + 2.4, 2.6, name, "#000000", "start", halo="#ffffff")
    told = f"{title} · {tiles.paper.upper()} · column {column + 1} of {tiles.columns}, row {row + 1} of"
    yield TextShape(MARGIN_MM, high - 8, 3, f"{told} {tiles.rows} · print at 100 %", "#000000", "start")
    yield from _ruler_shapes(MARGIN_MM, 5.0)


def _ruler_shapes(x: float, y: float) -> Iterator[Shape]:
    yield Polyline(((x, y), (x + RULER_LENGTH_MM, y)), Paint(None, "#000000", 0.25))
    for number in range(11):
        tick = 3.0 if number % 5 == 0 else 1.8
        yield Polyline(((x + 10 * number, y), (x + 10 * number, y + tick)), Paint(None, "#000000", 0.25))
    told = "100 mm: measure it. If it isn't, switch off what fits the page to the paper."
    yield TextShape(x + RULER_LENGTH_MM + 3, y, 2.6, told, "#000000", "start")
