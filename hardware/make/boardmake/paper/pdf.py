"""Shapes as PDF at true scale, through reportlab. The same shapes give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from boardrules.shapes import Oval, Paint, Polyline, Rectangle, Shape, TextShape

rl_config.useA85 = 0  # streams as bytes, a fifth smaller than as letters
POINTS_PER_MM = 72 / 25.4
"""PDF's points a millimetre."""
PLAIN_FONT, BOLD_FONT = "NotoSans", "NotoSansBold"


class DrawingWindow(NamedTuple):
    """A part of a drawing on a page."""

    drawing: str
    """Which of the document's drawings."""
    dx: float
    """mm that it is moved by, right and up."""
    dy: float
    clip: tuple[float, float, float, float]
    """What of the page it may cover: x, y, width, height in mm."""


class PdfPage(NamedTuple):
    """A page: drawings seen through windows, then shapes over them."""

    width: float
    """mm"""
    height: float
    windows: Sequence[DrawingWindow] = ()
    shapes: Sequence[Shape] = ()


@cache
def _register_fonts() -> None:
    """Make the fonts known; those of the package pymupdf-fonts (Noto Sans, SIL Open Font License)."""
    import pymupdf_fonts

    for name, code in ((PLAIN_FONT, "notos"), (BOLD_FONT, "notosbo")):
        pdfmetrics.registerFont(TTFont(name, io.BytesIO(pymupdf_fonts.myfont(code))))


def text_width_mm(text: str, size: float, *, bold: bool = False) -> float:
    """How many mm a line of text takes."""
    _register_fonts()
    return float(pdfmetrics.stringWidth(text, BOLD_FONT if bold else PLAIN_FONT, size))


def make_pdf(
    title: str, pages: Iterable[PdfPage], forms: Mapping[str, Iterable[Shape]] | None = None
) -> bytes:
    """A document of pages. What several pages show is a form, which is in the file but once."""
    _register_fonts()
    into = io.BytesIO()
    canvas = Canvas(into, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("Boardumpire")
    canvas.setCreator("Boardumpire")
    known: set[str] = set()
    for page in pages:
        canvas.setPageSize((page.width * POINTS_PER_MM, page.height * POINTS_PER_MM))
        canvas.scale(POINTS_PER_MM, POINTS_PER_MM)
        for window in page.windows:
            _draw_window(canvas, window, known, forms or {})
        for shape in page.shapes:
            _draw_shape(canvas, shape)
        canvas.showPage()
    canvas.save()
    return into.getvalue()


def _draw_window(
    canvas: Canvas, window: DrawingWindow, known: set[str], forms: Mapping[str, Iterable[Shape]]
) -> None:
    if window.drawing not in known:
        known.add(window.drawing)
        canvas.beginForm(window.drawing, -10_000, -10_000, 10_000, 10_000)
        for shape in forms[window.drawing]:
            _draw_shape(canvas, shape)
        canvas.endForm()
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(*window.clip)
    canvas.clipPath(path, stroke=0, fill=0)
    canvas.translate(window.dx, window.dy)
    canvas.doForm(window.drawing)
    canvas.restoreState()


def _draw_shape(canvas: Canvas, shape: Shape) -> None:
    if isinstance(shape, TextShape):
        _draw_text(canvas, shape)
        return
    _set_paint(canvas, shape.paint)
    how = {"stroke": int(shape.paint.stroke is not None), "fill": int(shape.paint.fill is not None)}
    match shape:
        case Oval(x, y, across, up):
            canvas.ellipse(x - across / 2, y - up / 2, x + across / 2, y + up / 2, **how)
        case Rectangle(x, y, width, height, _, corner):
            if corner:
                canvas.roundRect(x, y, width, height, corner, **how)
            else:
                canvas.rect(x, y, width, height, **how)
        case Polyline(points, _, closed):
            path = canvas.beginPath()
            path.moveTo(*points[0])
            for point in points[1:]:
                path.lineTo(*point)
            if closed:
                path.close()
            canvas.drawPath(path, **how)


def _set_paint(canvas: Canvas, paint: Paint) -> None:
    if paint.fill:
        canvas.setFillColor(HexColor(paint.fill))
    if paint.stroke:
        canvas.setStrokeColor(HexColor(paint.stroke))
        canvas.setLineWidth(paint.width)
        canvas.setLineJoin(1)
        canvas.setLineCap(0 if paint.dash else 1)
        canvas.setDash(list(paint.dash) if paint.dash else [])


def _draw_text(canvas: Canvas, shape: TextShape) -> None:
    canvas.saveState()
    canvas.translate(shape.x, shape.y)
    if shape.rotation_degrees:
        canvas.rotate(shape.rotation_degrees)
    width = text_width_mm(shape.text, shape.size, bold=shape.bold)
    left = {"start": 0.0, "middle": -width / 2, "end": -width}[shape.anchor]
    if shape.halo:
        canvas.saveState()
        canvas.setStrokeColor(HexColor(shape.halo))
        canvas.setLineWidth(shape.size * 0.3)
        canvas.setLineJoin(1)
        canvas.setDash([])
        _draw_text_line(canvas, shape, left, stroked=True)
        canvas.restoreState()
    canvas.setFillColor(HexColor(shape.ink))
    _draw_text_line(canvas, shape, left)
    canvas.restoreState()


def _draw_text_line(canvas: Canvas, shape: TextShape, left: float, *, stroked: bool = False) -> None:
    line = canvas.beginText(left, 0)
    line.setFont(BOLD_FONT if shape.bold else PLAIN_FONT, shape.size)
    if stroked:
        line.setTextRenderMode(1)
    line.textOut(shape.text)
    canvas.drawText(line)


def first_page_png(document: bytes, dots: float) -> bytes:
    """The first page of a document as a picture, so many dots a millimetre, by PDFium."""
    import pypdfium2

    with pypdfium2.PdfDocument(document) as found:
        picture = found[0].render(scale=dots / POINTS_PER_MM).to_pil()
    into = io.BytesIO()
    picture.convert("RGB").save(into, "PNG", optimize=True)
    return into.getvalue()
