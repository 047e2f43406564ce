"""What is cut out, laid onto pages of A4: cards, tickets, flags, markers. Backs lie behind their fronts when
a page is turned over its long edge. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from boardmake.paper.pdf import DrawingWindow, PdfPage, pdf
from boardmake.paper.tiles import PAPERS
from boardrules.art import CutOut
from boardrules.shapes import Shape, TextShape

MARGIN: Final = 11.0
GAP: Final = 2.0
"""Between two that are cut out."""


class PaperPosition(NamedTuple):
    """One piece of paper on its page."""

    form: str
    cut: CutOut
    x: float
    y: float


def document(title: str, cuts: Sequence[CutOut]) -> bytes:
    """All pieces as a PDF: a page of fronts, then its backs if any of them has one."""
    forms: dict[str, Iterable[Shape]] = {}
    for number, cut in enumerate(cuts):
        forms[f"front{number}"] = cut.shapes
        forms[f"back{number}"] = cut.back
    wide, high = PAPERS["a4"]
    pages = []
    for number, spots in enumerate(laid(cuts), 1):
        told = TextShape(MARGIN, high - 7, 3, f"{title} · {number} · 100 %", "#000000", "start")
        pages.append(PdfPage(wide, high, [_window("front", spot, spot.x) for spot in spots], (told,)))
        if any(spot.cut.back for spot in spots):
            backs = [_window("back", spot, wide - spot.x - spot.cut.width) for spot in spots if spot.cut.back]
            pages.append(PdfPage(wide, high, backs))
    return pdf(title, pages, forms)


def _window(side: str, spot: PaperPosition, x: float) -> DrawingWindow:
    more = 0.3
    clip = (x - more, spot.y - more, spot.cut.width + 2 * more, spot.cut.height + 2 * more)
    return DrawingWindow(f"{side}{spot.form}", x, spot.y, clip)


def laid(cuts: Sequence[CutOut]) -> Iterator[list[PaperPosition]]:
    """Row by row, and a new page where a row has no room: the highest first, as they come."""
    wide, high = PAPERS["a4"]
    order = sorted(enumerate(cuts), key=lambda each: (-each[1].height, -each[1].width))
    page: list[PaperPosition] = []
    x, top, row = MARGIN, high - MARGIN, 0.0
    for number, cut in [each for each in order for _ in range(each[1].copies)]:
        if x + cut.width > wide - MARGIN + 0.01:
            x, top, row = MARGIN, top - row - GAP, 0.0
        if top - cut.height < MARGIN - 0.01:
            yield page
            page = []
            x, top, row = MARGIN, high - MARGIN, 0.0
        page.append(PaperPosition(str(number), cut, x, top - cut.height))
        x, row = x + cut.width + GAP, max(row, cut.height)
    if page:
        yield page
