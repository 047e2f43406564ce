"""The picture of the rooms is what the code is today."""

from __future__ import annotations

from house.rooms import PICTURE, draw, floors


def test_the_picture_is_up_to_date():
    """`python -m tests.house.rooms` draws it anew."""
    assert PICTURE.read_text() == draw()


def test_every_room_is_drawn():
    drawn = {room for floor in floors() for room in floor}
    assert {"commands", "web", "table", "tracking", "journal", "boardrules"} <= drawn
