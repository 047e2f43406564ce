"""The legend of a board: a page of A4 in each language."""

from __future__ import annotations

from collections.abc import Iterator

from boardmake.paper.pdf import PdfPage, make_pdf
from boardmake.paper.tiles import PAPER_SIZES_MM
from boardmake.paper.words import drawing_game, load_print_language
from boardrules.art import INK, GameArt, PrintLanguage
from boardrules.shapes import Paint, Rectangle, Shape, TextShape, transformed_shapes
from boardumpire.messages.languages import LANGUAGES
from boardware.parts import BoardDescription

_LEFT_MM, _TOP_MM, _TEXT_SIZE_MM = 20.0, 262.0, 4.6


def legend_pdf(board: BoardDescription, art: GameArt) -> bytes | None:
    """A page a language; nothing where a game has no legend."""
    wide, high = PAPER_SIZES_MM["a4"]
    game = drawing_game(board)
    pages = [
        PdfPage(wide, high, (), tuple(_legend_page(board, art, load_print_language(code, game))))
        for code in LANGUAGES
    ]
    return make_pdf(f"{board.name}: legend", pages) if any(page.shapes for page in pages) else None


def _legend_page(board: BoardDescription, art: GameArt, said: PrintLanguage) -> Iterator[Shape]:
    wide = PAPER_SIZES_MM["a4"][0]
    entries = list(art.legend(said))
    if not entries:
        return
    heading = f"{board.name} · {LANGUAGES[said.code]}"
    yield TextShape(_LEFT_MM, _TOP_MM + 12, 6, heading, INK, "start", bold=True)
    y = _TOP_MM
    for entry in entries:
        lines = said.wrap_text(entry.text, _TEXT_SIZE_MM, wide - _LEFT_MM - 52)
        high = max(15.0, 5 + 6.2 * len(lines))
        middle = y - high / 2
        yield Rectangle(_LEFT_MM, y - high + 1, 26, high - 2, Paint("#faf7ee", "#cfc8b6", 0.3), 2)
        yield from transformed_shapes(entry.sample, _LEFT_MM + 13, middle)
        first = middle + 6.2 * (len(lines) - 1) / 2 - _TEXT_SIZE_MM * 0.36
        for number, line in enumerate(lines):
            yield TextShape(_LEFT_MM + 32, first - 6.2 * number, _TEXT_SIZE_MM, line, INK, "start")
        y -= high
