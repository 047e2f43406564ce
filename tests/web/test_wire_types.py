"""The scripts' types of the wire are those of the umpire, and what is sent has these shapes."""

from __future__ import annotations

import json

from boardumpire.messages.disclosure import SeatMessage
from boardumpire.web import wire
from boardumpire.web.screen_hub import ScreenHub
from web.desks import Ear, ToyDesk
from web.wire_types import PATH, declared

SHAPES = {
    "snapshot": wire.Snapshot,
    "view": wire.ViewFrame,
    "board": wire.BoardFrame,
    "told": wire.AnnouncementFrame,
    "here": wire.CaughtUpFrame,
}


def test_the_types_of_the_scripts_are_current() -> None:
    """If not: `PYTHONPATH=tests python -m web.wire_types`."""
    assert PATH.read_text(encoding="utf-8") == declared()


def test_each_frame_has_the_keys_of_its_shape() -> None:
    room, ear = ScreenHub(ToyDesk()), Ear()
    room.enter("north", ear, None, 0)
    room.send_messages([SeatMessage(0, None, "turn", {"seat": "north", "text": "x"})])
    room.get_free_seats = lambda: ["south"]
    room.broadcast_status()
    start = json.loads(ear.texts[0])
    room.enter("north", ear, start["epoch"], start["n"])
    frames = [json.loads(text) for text in ear.texts]
    assert {frame["kind"] for frame in frames} == set(SHAPES)
    for frame in frames:
        shape = SHAPES[frame["kind"]]
        assert shape.__required_keys__ <= set(frame) - {"pad"} <= set(shape.__annotations__), frame["kind"]
