"""What people call the spaces of a board: by the board file, else by what the game has printed there.

A name is a sentence like any other (`announce.Said`), so each person reads it in the own language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardrules.core import Space, State
from boardumpire.messages import announce
from boardware.parts import Board

KINDS = ("target", "door", "inspection", "post", "appel")
"""What a circle is called by, the first that it is."""


def names(board: Board, state: State) -> Mapping[Space, str]:
    """The spaces that people don't call by their ids, each with its name."""
    return {**printed(state.scenery()), **board.names}


def printed(scenery: Mapping[str, Any]) -> dict[Space, str]:
    """The names of what is printed on a castle (`State.scenery`): circles, cells, circles inside tunnels."""
    if not scenery:
        return {}
    found: dict[Space, str] = {id_: _circle(id_, circle) for id_, circle in scenery["circles"].items()}
    for room, way in scenery["tunnels"].items():
        for number in range(1, len(way) + 1):
            found[f"{room}/{number}"] = announce.say("spot inside", place=_room(room), number=number)
    for text in announce.TEXTS:
        if text.startswith("castle place "):
            found[text.removeprefix("castle place ")] = announce.say(text)
    return found


def _circle(id_: Space, circle: Mapping[str, Any]) -> str:
    """Where it is or what it is, and what is printed in it: in a room its number."""
    if f"castle circle {id_}" in announce.TEXTS:
        return announce.say(f"castle circle {id_}")
    room = circle["room"]
    if room:
        return announce.say("spot", place=_room(room), number=id_.removeprefix(room))
    kind = next((kind for kind in KINDS if kind in circle["is"]), None)
    place = f"kind {kind}" if kind else f"area {circle['area']}"
    return announce.say("spot", place=place, number=id_)


def _room(room: str) -> str:
    """A room as a name among the sentences; one of an owner's own castle is called as it is there."""
    known = f"room {room}"
    return known if f"castle {known}" in announce.TEXTS else room
