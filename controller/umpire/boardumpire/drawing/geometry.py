"""A board as a game may draw on it, and a language for what it writes there."""

from __future__ import annotations

from collections.abc import Callable

from boardrules.art import BoardGeometry, DrawnSpace, PrintLanguage
from boardrules.core import Space
from boardumpire.messages.languages import ENGLISH, catalogue, known_language, translate_in_context
from boardware.parts import BoardDescription


def board_geometry(board: BoardDescription, say: Callable[[str], str]) -> BoardGeometry:
    """A board's places, lines and lamps. Spaces have the names of its file."""
    places = {
        Space(id_): DrawnSpace(
            Space(id_), say(space.name), *space.position, space.outline.id, space.outline.shape,
            space.outline.width, space.outline.height,
            tuple(slot.position for slot in space.slots) if len(space.slots) > 1 else (),
        )
        for id_, space in board.spaces.items()
    }  # fmt: skip
    buttons = {id_: button.position for id_, button in board.buttons.items()}
    lines = tuple((Space(one), Space(other)) for one, other in board.lines)
    return BoardGeometry(*board.size, places, lines, board.named_lamps, buttons)


def print_language(language: str, game: str = "") -> PrintLanguage:
    """A language by its code, with the words of a game; English for one that isn't spoken here. It has no
    months and breaks no lines: a printer does that."""
    code = known_language(language)
    found = catalogue(code, game)

    def say(text: str) -> str:
        return text if code == ENGLISH else found.gettext(text)

    def named(context: str, text: str) -> str:
        return translate_in_context(found, context, text)

    return PrintLanguage(code, say, (), lambda text, size, width: (text,), named)
