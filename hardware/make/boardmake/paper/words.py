"""How the game of a board draws it, and a language to print in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from boardmake.paper.pdf import text_width_mm
from boardrules import registry
from boardrules.art import GameArt, PrintLanguage
from boardumpire.drawing.geometry import print_language
from boardware.parts import BoardDescription

NO_OPTIONS: Final[Mapping[str, Any]] = MappingProxyType({})


@cache
def load_print_language(language: str, game: str = "") -> PrintLanguage:
    """A language by its code, with the words of a game; English for one that isn't spoken here."""
    from babel.dates import get_month_names

    spoken = print_language(language, game)
    months = get_month_names("abbreviated", "stand-alone", spoken.code)
    named = tuple(months[number].rstrip(".") for number in range(1, 13))
    return spoken._replace(months=named, wrap_text=wrap_text)


def wrap_text(text: str, size: float, width: float) -> tuple[str, ...]:
    """A text in lines of at most `width` mm; a word that is longer has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width_mm(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def drawing_game(board: BoardDescription) -> str:
    """The first game that a board carries and that is installed, which draws it; nothing for none."""
    return next((game for game in board.games if _is_installed(game)), "")


def game_art(board: BoardDescription, options: Mapping[str, Any] = NO_OPTIONS) -> GameArt:
    """How that game draws it; plainly where there is none."""
    game = drawing_game(board)
    return registry.package(game).art(options) if game else GameArt()


def _is_installed(game: str) -> bool:
    try:
        registry.package(game)
    except registry.UnknownGame:
        return False
    return True
