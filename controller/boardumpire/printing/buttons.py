"""The card of a board's buttons, for the table's edge: a page of A4 in each language, to be cut out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardrules.art import INK, PAPER, SOFT, Words
from boardrules.shapes import Box, Paint, Shape, Text
from boardumpire.messages.languages import LANGUAGES
from boardumpire.messages.text_board import TEXTS
from boardumpire.printing.ground import words
from boardumpire.printing.pdf import Page, pdf
from boardumpire.printing.tiles import PAPERS
from boardware.parts import Board

WIDE: Final = 125.0
"""How wide the card is, in mm; it is as high as it has to be."""
_LEFT, _TOP, _SIZE, _LINE = 20.0, 270.0, 3.6, 5.0
_COLUMN: Final = 30.0
"""Where the text begins, right of the button's name."""


def document(board: Board) -> bytes | None:
    """A page a language; nothing for a board without buttons."""
    if not board.buttons:
        return None
    wide, high = PAPERS["a4"]
    pages = [Page(wide, high, (), tuple(card(board, words(code)))) for code in LANGUAGES]
    return pdf(f"{board.name}: buttons", pages)


def card(board: Board, said: Words) -> Iterator[Shape]:
    """What each of the board's buttons does, pressed and held, from left to right as they lie."""
    buttons = sorted(board.buttons.values(), key=lambda button: button.position)
    lines: list[tuple[float, str, bool]] = []
    names: list[tuple[int, str]] = []
    for button in (each.id for each in buttons if f"button {each.id}" in TEXTS):
        names.append((len(lines), said.say(button.capitalize())))
        lines += [(0.0, line, False) for line in _lines(said, f"button {button}")]
        if f"button {button} held" in TEXTS:
            lines += [(3.0, line, True) for line in _lines(said, "button held")]
            lines += [(3.0, line, False) for line in _lines(said, f"button {button} held")]
    high = 16.0 + _LINE * len(lines) + 2.0 * len(names)
    yield Box(_LEFT, _TOP - high, WIDE, high, Paint(PAPER, SOFT, 0.3), 3)
    yield Text(_LEFT + 5, _TOP - 8, 4.6, board.name, INK, "start", bold=True)
    y = _TOP - 16.0
    starts = dict(names)
    for number, (indent, line, soft) in enumerate(lines):
        if number in starts:
            y -= 2.0 if number else 0.0
            yield Text(_LEFT + 5, y, _SIZE, starts[number], INK, "start", bold=True)
        yield Text(_LEFT + _COLUMN + indent, y, _SIZE, line, SOFT if soft else INK, "start")
        y -= _LINE


def _lines(said: Words, text: str) -> tuple[str, ...]:
    return said.lines(said.say(TEXTS[text]), _SIZE, WIDE - _COLUMN - 8)
