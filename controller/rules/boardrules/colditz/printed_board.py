"""The castle as a board has it printed: what its places are called, and whether a board was made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.colditz.castle.board_reader import board_by_key as castle_of
from boardrules.colditz.sentences import TEXTS
from boardrules.colditz.state.options import GAME
from boardrules.core import Space
from boardrules.package import BoardMismatch, Message, PrintedBoard, line_mismatch

NAMING_KINDS: Final = ("target", "door", "inspection", "post", "appel")
"""What a circle is called by, the first that it is."""
_EXPECTED_BOARD: Final = (
    "a board of this castle (`boardumpire make map-board --game escape-from-colditz CASTLE` makes one),"
    " or its own castle as the option `board`"
)


def space_names(scenery: Mapping[str, Any]) -> dict[Space, Message]:
    """What circles, cells and circles inside tunnels are called."""
    found = {id_: _circle_name(id_, circle) for id_, circle in scenery["circles"].items()}
    for room, way in scenery["tunnels"].items():
        for number in range(1, len(way) + 1):
            found[f"{room}/{number}"] = _board_message("spot inside", place=_room_name(room), number=number)
    for text in TEXTS:
        if text.startswith("castle place "):
            found[text.removeprefix("castle place ")] = _board_message(text)
    return found


def castle_mismatch(board: PrintedBoard, option: str) -> BoardMismatch | None:
    """What the circles and the lines of a board say otherwise than a castle."""
    castle = castle_of(option)
    circles, printed = set(castle.spaces), set(board.slots)
    for said, differing in (("has", printed - circles), ("has no", circles - printed)):
        if differing:
            return _castle_mismatch(f"{said} {min(differing)}")
    told = line_mismatch(board, ((Space(one), Space(other)) for one, other in castle.plan.links))
    if told:
        return _castle_mismatch(told)
    for name, place in castle.plan.places.items():
        if board.slots[Space(name)] < place.capacity:
            return _castle_mismatch(
                f"has room for {board.slots[Space(name)]} in {name} rather than {place.capacity}"
            )
    return None


def _castle_mismatch(found: str) -> BoardMismatch:
    return BoardMismatch("board", found, _EXPECTED_BOARD)


def _board_message(text: str, **params: Any) -> Message:
    return Message(text, params, GAME)


def _circle_name(id_: Space, circle: Mapping[str, Any]) -> Message:
    """Where it is or what it is, and what is printed in it: in a room its number."""
    if f"castle circle {id_}" in TEXTS:
        return _board_message(f"castle circle {id_}")
    room = circle["room"]
    if room:
        return _board_message("spot", place=_room_name(room), number=id_.removeprefix(room))
    kind = next((kind for kind in NAMING_KINDS if kind in circle["is"]), None)
    place = f"kind {kind}" if kind else f"area {circle['area']}"
    return _board_message("spot", place=place, number=id_)


def _room_name(room: str) -> str:
    """A room as a name among the sentences; one of an owner's own castle is called as it is there."""
    known = f"room {room}"
    return known if f"castle {known}" in TEXTS else room
