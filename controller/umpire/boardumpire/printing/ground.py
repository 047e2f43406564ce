"""A board as a game may draw on it, and a language to print in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from boardrules import registry
from boardrules.art import BoardGeometry, DrawnSpace, GameArt, PrintLanguage
from boardumpire.messages.languages import ENGLISH, catalogue, in_context, known
from boardware.parts import BoardDescription

NO_OPTIONS: Final[Mapping[str, Any]] = MappingProxyType({})


def ground(board: BoardDescription, say: Callable[[str], str]) -> BoardGeometry:
    """A board's places, lines and lamps. Spaces have the names of its file."""
    places = {
        id_: DrawnSpace(
            id_, say(space.name), *space.position, space.outline.id, space.outline.shape,
            space.outline.width, space.outline.height,
            tuple(slot.position for slot in space.slots) if len(space.slots) > 1 else (),
        )
        for id_, space in board.spaces.items()
    }  # fmt: skip
    buttons = {id_: button.position for id_, button in board.buttons.items()}
    return BoardGeometry(*board.size, places, board.lines, board.named_lamps, buttons)


@cache
def words(language: str) -> PrintLanguage:
    """A language by its code; English for one that isn't spoken here."""
    from babel.dates import get_month_names

    spoken = sentences(language)
    months = get_month_names("abbreviated", "stand-alone", spoken.code)
    return spoken._replace(months=tuple(months[number].rstrip(".") for number in range(1, 13)))


def sentences(language: str) -> PrintLanguage:
    """The same without months: all that can be said where nothing to print with is installed."""
    code = known(language)
    found = catalogue(code)

    def say(text: str) -> str:
        return text if code == ENGLISH else found.gettext(text)

    def named(context: str, text: str) -> str:
        return in_context(found, context, text)

    return PrintLanguage(code, say, (), wrapped, named)


def wrapped(text: str, size: float, width: float) -> tuple[str, ...]:
    """A text in lines of at most `width` mm; a word that is longer has a line of its own."""
    from boardumpire.printing.pdf import width_of

    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def art_of(board: BoardDescription, options: Mapping[str, Any] = NO_OPTIONS) -> GameArt:
    """How the first game that a board carries draws it; plainly where that game isn't installed."""
    for game in board.games:
        try:
            return registry.package(game).art(options)
        except registry.UnknownGame:
            continue
    return GameArt()
