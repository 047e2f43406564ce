"""What is cut out, laid onto pages of A4: cards, tickets, flags, markers. Backs lie behind their fronts when
a page is turned over its long edge. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from boardmake.paper.pdf import DrawingWindow, PdfPage, make_pdf
from boardmake.paper.tiles import PAPER_SIZES_MM
from boardrules.art import CutOut
from boardrules.shapes import Shape, TextShape

MARGIN_MM: Final = 11.0
GAP_MM: Final = 2.0
"""Between two that are cut out."""


class PaperPosition(NamedTuple):
    """One piece of paper on its page."""

    drawing_number: str
    cut_out: CutOut
    x: float
    y: float


def cuts_pdf(title: str, cuts: Sequence[CutOut]) -> bytes:
    """All pieces as a PDF: a page of fronts, then its backs if any of them has one."""
    forms: dict[str, Iterable[Shape]] = {}
    for number, cut in enumerate(cuts):
        forms[f"front{number}"] = cut.shapes
        forms[f"back{number}"] = cut.back
    wide, high = PAPER_SIZES_MM["a4"]
    pages = []
    for number, spots in enumerate(lay_out_pages(cuts), 1):
        told = TextShape(MARGIN_MM, high - 7, 3, f"{title} · {number} · 100 %", "#000000", "start")
        pages.append(PdfPage(wide, high, [_drawing_window("front", spot, spot.x) for spot in spots], (told,)))
        if any(spot.cut_out.back for spot in spots):
            backs = [
                _drawing_window("back", spot, wide - spot.x - spot.cut_out.width)
                for spot in spots
                if spot.cut_out.back
            ]
            pages.append(PdfPage(wide, high, backs))
    return make_pdf(title, pages, forms)


def _drawing_window(side: str, spot: PaperPosition, x: float) -> DrawingWindow:
    more = 0.3
    clip = (x - more, spot.y - more, spot.cut_out.width + 2 * more, spot.cut_out.height + 2 * more)
    return DrawingWindow(f"{side}{spot.drawing_number}", x, spot.y, clip)


def lay_out_pages(cuts: Sequence[CutOut]) -> Iterator[list[PaperPosition]]:
    """Row by row, and a new page where a row has no room: the highest first, as they come."""
    wide, high = PAPER_SIZES_MM["a4"]
    order = sorted(enumerate(cuts), key=lambda each: (-each[1].height, -each[1].width))
    page: list[PaperPosition] = []
    x, top, row = MARGIN_MM, high - MARGIN_MM, 0.0
    for number, cut in [each for each in order for _ in range(each[1].copies)]:
        if x + cut.width > wide - MARGIN_MM + 0.01:
            x, top, row = MARGIN_MM, top - row - GAP_MM, 0.0
        if top - cut.height < MARGIN_MM - 0.01:
            yield page
            page = []
            x, top, row = MARGIN_MM, high - MARGIN_MM, 0.0
        page.append(PaperPosition(str(number), cut, x, top - cut.height))
        x, row = x + cut.width + GAP_MM, max(row, cut.height)
    if page:
        yield page
