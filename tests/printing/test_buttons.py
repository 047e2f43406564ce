"""The card of a board's buttons: those that the board has, in every language, within the card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardmake.paper.buttons import CARD_WIDTH_MM, button_card, button_card_pdf
from boardmake.paper.made import board_files
from boardmake.paper.pdf import text_width_mm
from boardmake.paper.words import load_print_language
from boardrules.shapes import Rectangle, TextShape
from boardumpire.messages.languages import LANGUAGES
from boardumpire.messages.text_board import TEXTS
from boardware.description import board_names, load_board


@pytest.mark.parametrize("name", board_names())
def test_the_card_names_the_buttons_that_the_board_has(name: str) -> None:
    board = load_board(name)
    shapes = [
        shape for shape in button_card(board, load_print_language("en")) if isinstance(shape, TextShape)
    ]
    named = [shape.text for shape in shapes if shape.bold]
    assert sorted(named) == sorted([board.name, *(button.capitalize() for button in board.buttons)])
    told = " ".join(shape.text for shape in shapes)
    for button in ("confirm", "cancel", "turn", "choose"):
        assert (TEXTS[f"button {button}"] in told) == (button in board.buttons)


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_text_stays_on_the_card_in_every_language(language: str) -> None:
    board = load_board("fall-of-the-fuhrer")
    shapes = list(button_card(board, load_print_language(language)))
    (frame,) = (shape for shape in shapes if isinstance(shape, Rectangle))
    texts = [shape for shape in shapes if isinstance(shape, TextShape)]
    for text in texts:
        assert frame.x < text.x < text.x + text_width_mm(text.text, text.size) < frame.x + CARD_WIDTH_MM
        assert frame.y < text.y < frame.y + frame.height
    if language != "en":
        assert not {text.text for text in texts} & set(TEXTS.values())


def test_a_board_yields_it_and_one_without_buttons_none() -> None:
    board = load_board("quick-battle-8x8")
    assert dict(board_files(board))["buttons.pdf"] == button_card_pdf(board)
    assert button_card_pdf(replace(board, buttons={})) is None


@pytest.mark.parametrize(
    ("name", "says", "never"),
    [
        ("quick-battle-8x8", "Offer a draw.", "Roll"),
        ("fall-of-the-fuhrer", "Roll.", "Offer a draw."),
        ("escape-from-colditz", "Be ready, pass, or end the turn.", "take the last move back"),
    ],
)
def test_it_says_what_buttons_do_in_the_game_of_the_board(name: str, says: str, never: str) -> None:
    shapes = button_card(load_board(name), load_print_language("en"))
    told = " ".join(shape.text for shape in shapes if isinstance(shape, TextShape))
    assert says in told
    assert never not in told
    assert TEXTS["button flash"] in told
