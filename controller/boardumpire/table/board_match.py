"""Whether a board was made of the map or the castle that a game is played on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from boardware.parts import Board


class Unlike(NamedTuple):
    """How a board and a game differ."""

    option: str
    """The game's option that says another board."""
    told: str
    """What the board has otherwise, and what was expected."""


def unlike(found: Board, options: Mapping[str, Any]) -> Unlike | None:
    """How a board differs from what a game with these options is played on; `None` if it fits."""
    for option, differing, expected in _MADE_OF:
        other = option in options and differing(found, str(options[option]))
        if other:
            return Unlike(option, f"board {found.id} {other}; expected {expected}")
    return None


def _other_map(found: Board, text: str) -> str:
    """What the lines and the airports of a board, as far as its file has them, say otherwise than a map."""
    from boardrules.fuhrer.maps import map_of  # a board that plays something else has no memory to spare

    cities = map_of(text)
    links = ((cities.ids[one], cities.ids[other]) for one, other in cities.links)
    joined = _joined(found, links) if found.lines else ""
    if joined:
        return joined
    drawn = {space.id for space in found.spaces.values() if space.outline.id == "airport"}
    wanted = set(cities.spaces(cities.airports))
    for said, cities_ in (("has", drawn - wanted), ("has no", wanted - drawn if drawn else set())):
        if cities_:
            return f"{said} airport in {min(cities_)}"
    return ""


def _other_castle(found: Board, option: str) -> str:
    """What the circles and the lines of a board say otherwise than a castle."""
    from boardrules.colditz.castle.board_reader import board as castle_of  # as above

    castle = castle_of(option)
    circles, printed = set(castle.spaces), set(found.spaces)
    for said, differing in (("has", printed - circles), ("has no", circles - printed)):
        if differing:
            return f"{said} {min(differing)}"
    joined = _joined(found, castle.plan.links)
    if joined:
        return joined
    for name, place in castle.plan.places.items():
        room = len(found.spaces[name].slots)
        if room < place.places:
            return f"has room for {room} in {name} rather than {place.places}"
    return ""


def _joined(found: Board, links: Iterable[tuple[str, str]]) -> str:
    """What the lines of a board join otherwise than these links."""
    wanted = {frozenset(link) for link in links}
    lines = {frozenset(line) for line in found.lines}
    for said, differing in (("joins", lines - wanted), ("does not join", wanted - lines)):
        if differing:
            one, other = min(sorted(line) for line in differing)
            return f"{said} {one} to {other}"
    return ""


_MADE_OF = (
    ("map", _other_map, "a board of this map (`boardumpire map-board MAP` makes one)"),
    (
        "board",
        _other_castle,
        "a board of this castle (`boardumpire map-board --game escape-from-colditz CASTLE` makes one),"
        " or its own castle as the option `board`",
    ),
)
"""Option of a game, what a board made for another value of it has otherwise, and what makes the right one."""
