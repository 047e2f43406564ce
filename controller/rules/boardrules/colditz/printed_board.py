"""The castle as a board has it printed: what its places are called, and whether a board was made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.colditz.castle.board_reader import board as castle_of
from boardrules.colditz.sentences import TEXTS
from boardrules.colditz.state.options import GAME
from boardrules.core import Space
from boardrules.package import BoardMismatch, Message, PrintedBoard, line_mismatch

KINDS: Final = ("target", "door", "inspection", "post", "appel")
"""What a circle is called by, the first that it is."""
_EXPECTED: Final = (
    "a board of this castle (`boardumpire make map-board --game escape-from-colditz CASTLE` makes one),"
    " or its own castle as the option `board`"
)


def names(scenery: Mapping[str, Any]) -> dict[Space, Message]:
    """What circles, cells and circles inside tunnels are called."""
    found = {id_: _circle(id_, circle) for id_, circle in scenery["circles"].items()}
    for room, way in scenery["tunnels"].items():
        for number in range(1, len(way) + 1):
            found[f"{room}/{number}"] = _said("spot inside", place=_room(room), number=number)
    for text in TEXTS:
        if text.startswith("castle place "):
            found[text.removeprefix("castle place ")] = _said(text)
    return found


def unlike(board: PrintedBoard, option: str) -> BoardMismatch | None:
    """What the circles and the lines of a board say otherwise than a castle."""
    castle = castle_of(option)
    circles, printed = set(castle.spaces), set(board.slots)
    for said, differing in (("has", printed - circles), ("has no", circles - printed)):
        if differing:
            return _unlike(f"{said} {min(differing)}")
    told = line_mismatch(board, ((Space(one), Space(other)) for one, other in castle.plan.links))
    if told:
        return _unlike(told)
    for name, place in castle.plan.places.items():
        if board.slots[Space(name)] < place.places:
            return _unlike(f"has room for {board.slots[Space(name)]} in {name} rather than {place.places}")
    return None


def _unlike(found: str) -> BoardMismatch:
    return BoardMismatch("board", found, _EXPECTED)


def _said(text: str, **params: Any) -> Message:
    return Message(text, params, GAME)


def _circle(id_: Space, circle: Mapping[str, Any]) -> Message:
    """Where it is or what it is, and what is printed in it: in a room its number."""
    if f"castle circle {id_}" in TEXTS:
        return _said(f"castle circle {id_}")
    room = circle["room"]
    if room:
        return _said("spot", place=_room(room), number=id_.removeprefix(room))
    kind = next((kind for kind in KINDS if kind in circle["is"]), None)
    place = f"kind {kind}" if kind else f"area {circle['area']}"
    return _said("spot", place=place, number=id_)


def _room(room: str) -> str:
    """A room as a name among the sentences; one of an owner's own castle is called as it is there."""
    known = f"room {room}"
    return known if f"castle {known}" in TEXTS else room
