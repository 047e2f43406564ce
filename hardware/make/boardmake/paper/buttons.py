"""The card of a board's buttons, for the table's edge: a page of A4 in each language, to be cut out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from boardmake.paper.pdf import PdfPage, pdf
from boardmake.paper.tiles import PAPERS
from boardmake.paper.words import drawn_by, words
from boardrules.art import INK, PAPER, SOFT, PrintLanguage
from boardrules.shapes import Paint, Rectangle, Shape, TextShape
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES
from boardumpire.messages.text_board import TEXTS
from boardware.parts import BoardDescription

WIDE: Final = 125.0
"""How wide the card is, in mm; it is as high as it has to be."""
_LEFT, _TOP, _SIZE, _LINE = 20.0, 270.0, 3.6, 5.0
_COLUMN: Final = 30.0
"""Where the text begins, right of the button's name."""


def document(board: BoardDescription) -> bytes | None:
    """A page a language; nothing for a board without buttons."""
    if not board.buttons:
        return None
    wide, high = PAPERS["a4"]
    game = drawn_by(board)
    pages = [PdfPage(wide, high, (), tuple(card(board, words(code, game)))) for code in LANGUAGES]
    return pdf(f"{board.name}: buttons", pages)


def card(board: BoardDescription, said: PrintLanguage) -> Iterator[Shape]:
    """What each of the board's buttons does, pressed and held, from left to right as they lie."""
    buttons = sorted(board.buttons.values(), key=lambda button: button.position)
    told = {button.id: _told(board, said, button.id) for button in buttons}
    told = {button: lines for button, lines in told.items() if lines}
    flash = _lines(said, said.say(TEXTS["button flash"]), WIDE - 10)
    lines = sum(map(len, told.values())) + len(flash)
    high = 18.0 + _LINE * lines + 2.0 * len(told)
    yield Rectangle(_LEFT, _TOP - high, WIDE, high, Paint(PAPER, SOFT, 0.3), 3)
    yield TextShape(_LEFT + 5, _TOP - 8, 4.6, board.name, INK, "start", bold=True)
    y = _TOP - 16.0
    for button, parts in told.items():
        yield TextShape(_LEFT + 5, y, _SIZE, said.say(button.capitalize()), INK, "start", bold=True)
        for indent, line, soft in parts:
            yield TextShape(_LEFT + _COLUMN + indent, y, _SIZE, line, SOFT if soft else INK, "start")
            y -= _LINE
        y -= 2.0
    for line in flash:
        yield TextShape(_LEFT + 5, y, _SIZE, line, INK, "start")
        y -= _LINE


def _told(board: BoardDescription, said: PrintLanguage, button: str) -> list[tuple[float, str, bool]]:
    """Of one button the lines, each with its indent and whether it is a heading: what it says in the game of
    that board, then what it says on every board."""
    game = announce.sentences(next(iter(board.games), "")).texts

    def lines(name: str, indent: float) -> list[tuple[float, str, bool]]:
        parts = [said.say(texts[name]) for texts in _order(name, game) if name in texts]
        return [(indent, line, False) for line in _lines(said, " ".join(parts), WIDE - _COLUMN - 5 - indent)]

    pressed, held = lines(f"button {button}", 0.0), lines(f"button {button} held", 3.0)
    heading = [(3.0, line, True) for line in _lines(said, said.say(TEXTS["button held"]), WIDE - _COLUMN - 8)]
    return pressed + heading + held if held else pressed


def _order(name: str, game: Mapping[str, str]) -> tuple[Mapping[str, str], ...]:
    """The yes of `confirm` comes before what it means in a game."""
    return (TEXTS, game) if name == "button confirm" else (game, TEXTS)


def _lines(said: PrintLanguage, text: str, width: float) -> tuple[str, ...]:
    return said.lines(text, _SIZE, width) if text else ()
