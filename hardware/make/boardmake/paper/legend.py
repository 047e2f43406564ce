"""The legend of a board: a page of A4 in each language."""

from __future__ import annotations

from collections.abc import Iterator

from boardmake.paper.pdf import PdfPage, pdf
from boardmake.paper.tiles import PAPERS
from boardmake.paper.words import drawn_by, words
from boardrules.art import INK, GameArt, PrintLanguage
from boardrules.shapes import Paint, Rectangle, Shape, TextShape, moved
from boardumpire.messages.languages import LANGUAGES
from boardware.parts import BoardDescription

_LEFT, _TOP, _SIZE = 20.0, 262.0, 4.6


def document(board: BoardDescription, art: GameArt) -> bytes | None:
    """A page a language; nothing where a game has no legend."""
    wide, high = PAPERS["a4"]
    game = drawn_by(board)
    pages = [PdfPage(wide, high, (), tuple(_page(board, art, words(code, game)))) for code in LANGUAGES]
    return pdf(f"{board.name}: legend", pages) if any(page.shapes for page in pages) else None


def _page(board: BoardDescription, art: GameArt, said: PrintLanguage) -> Iterator[Shape]:
    wide = PAPERS["a4"][0]
    entries = list(art.legend(said))
    if not entries:
        return
    heading = f"{board.name} · {LANGUAGES[said.code]}"
    yield TextShape(_LEFT, _TOP + 12, 6, heading, INK, "start", bold=True)
    y = _TOP
    for entry in entries:
        lines = said.lines(entry.text, _SIZE, wide - _LEFT - 52)
        high = max(15.0, 5 + 6.2 * len(lines))
        middle = y - high / 2
        yield Rectangle(_LEFT, y - high + 1, 26, high - 2, Paint("#faf7ee", "#cfc8b6", 0.3), 2)
        yield from moved(entry.sample, _LEFT + 13, middle)
        first = middle + 6.2 * (len(lines) - 1) / 2 - _SIZE * 0.36
        for number, line in enumerate(lines):
            yield TextShape(_LEFT + 32, first - 6.2 * number, _SIZE, line, INK, "start")
        y -= high
