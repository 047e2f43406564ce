"""The card of a board's buttons, for the table's edge: a page of A4 in each language, to be cut out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from boardmake.paper.pdf import PdfPage, make_pdf
from boardmake.paper.tiles import PAPER_SIZES_MM
from boardmake.paper.words import drawing_game, load_print_language
from boardrules.art import INK, PAPER, SECONDARY_INK, PrintLanguage
from boardrules.shapes import Paint, Rectangle, Shape, TextShape
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES
from boardumpire.messages.text_board import TEXTS
from boardware.parts import BoardDescription

CARD_WIDTH_MM: Final = 125.0
"""How wide the card is, in mm; it is as high as it has to be."""
_LEFT_MM, _TOP_MM, _TEXT_SIZE_MM, _LINE_HEIGHT_MM = 20.0, 270.0, 3.6, 5.0
_TEXT_COLUMN_MM: Final = 30.0
"""Where the text begins, right of the button's name."""


def button_card_pdf(board: BoardDescription) -> bytes | None:
    """A page a language; nothing for a board without buttons."""
    if not board.buttons:
        return None
    wide, high = PAPER_SIZES_MM["a4"]
    game = drawing_game(board)
    pages = [
        PdfPage(wide, high, (), tuple(button_card(board, load_print_language(code, game))))
        for code in LANGUAGES
    ]
    return make_pdf(f"{board.name}: buttons", pages)


def button_card(board: BoardDescription, said: PrintLanguage) -> Iterator[Shape]:
    """What each of the board's buttons does, pressed and held, from left to right as they lie."""
    buttons = sorted(board.buttons.values(), key=lambda button: button.position)
    told = {button.id: _button_lines(board, said, button.id) for button in buttons}
    told = {button: lines for button, lines in told.items() if lines}
    flash = _wrap_text(said, said.translate(TEXTS["button flash"]), CARD_WIDTH_MM - 10)
    lines = sum(map(len, told.values())) + len(flash)
    high = 18.0 + _LINE_HEIGHT_MM * lines + 2.0 * len(told)
    yield Rectangle(_LEFT_MM, _TOP_MM - high, CARD_WIDTH_MM, high, Paint(PAPER, SECONDARY_INK, 0.3), 3)
    yield TextShape(_LEFT_MM + 5, _TOP_MM - 8, 4.6, board.name, INK, "start", bold=True)
    y = _TOP_MM - 16.0
    for button, parts in told.items():
        yield TextShape(
            _LEFT_MM + 5, y, _TEXT_SIZE_MM, said.translate(button.capitalize()), INK, "start", bold=True
        )
        for indent, line, soft in parts:
            yield TextShape(
                _LEFT_MM + _TEXT_COLUMN_MM + indent,
                y,
                _TEXT_SIZE_MM,
                line,
                SECONDARY_INK if soft else INK,
                "start",
            )
            y -= _LINE_HEIGHT_MM
        y -= 2.0
    for line in flash:
        yield TextShape(_LEFT_MM + 5, y, _TEXT_SIZE_MM, line, INK, "start")
        y -= _LINE_HEIGHT_MM


def _button_lines(board: BoardDescription, said: PrintLanguage, button: str) -> list[tuple[float, str, bool]]:
    """Of one button the lines, each with its indent and whether it is a heading: what it says in the game of
    that board, then what it says on every board."""
    game = announce.sentences(next(iter(board.games), "")).texts

    def lines(name: str, indent: float) -> list[tuple[float, str, bool]]:
        parts = [said.translate(texts[name]) for texts in _text_sources(name, game) if name in texts]
        return [
            (indent, line, False)
            for line in _wrap_text(said, " ".join(parts), CARD_WIDTH_MM - _TEXT_COLUMN_MM - 5 - indent)
        ]

    pressed, held = lines(f"button {button}", 0.0), lines(f"button {button} held", 3.0)
    heading = [
        (3.0, line, True)
        for line in _wrap_text(
            said, said.translate(TEXTS["button held"]), CARD_WIDTH_MM - _TEXT_COLUMN_MM - 8
        )
    ]
    return pressed + heading + held if held else pressed


def _text_sources(name: str, game: Mapping[str, str]) -> tuple[Mapping[str, str], ...]:
    """The yes of `confirm` comes before what it means in a game."""
    return (TEXTS, game) if name == "button confirm" else (game, TEXTS)


def _wrap_text(said: PrintLanguage, text: str, width: float) -> tuple[str, ...]:
    return said.wrap_text(text, _TEXT_SIZE_MM, width) if text else ()
