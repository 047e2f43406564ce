"""The face that a castle is printed by: all that people read off the board, nothing on anything else."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.castle.board_file import named_lamps
from boardrules.colditz.castle.board_reader import board_by_key
from boardrules.colditz.castle.datafile import SHIPPED_FOLDER
from boardrules.colditz.castle.face import face_shapes
from boardrules.colditz.castle.labels import CIRCLE_RADIUS_MM, SIGN_RADIUS_MM, room_labels, track_positions
from boardrules.colditz.castle.plan import read_plan
from boardrules.shapes import Oval, Polyline, Shape, TextShape

CASTLE = (SHIPPED_FOLDER / "castle.toml").read_text(encoding="utf-8")


@cache
def drawn(castle: CastleBoard) -> tuple[Shape, ...]:
    return tuple(face_shapes(castle))


def texts(castle: CastleBoard) -> Counter[str]:
    return Counter(shape.text for shape in drawn(castle) if isinstance(shape, TextShape))


def discs(castle: CastleBoard, across: float) -> list[tuple[float, float]]:
    """The middles of all circles of that size."""
    return [(one.x, one.y) for one in drawn(castle) if isinstance(one, Oval) and one.width == across]


def test_rooms_have_their_titles_and_signs() -> None:
    castle = board_by_key("castle")
    wanted = {"Parcel Office", "Orderlies' Quarters", "W.C.", "Barracks", "Inner cells"}
    assert wanted <= set(texts(castle))
    high = castle.plan.size[1]
    signs = {
        (label.sign_position[0], high - label.sign_position[1]) for label in room_labels(castle).values()
    }
    assert signs <= set(discs(castle, 2 * SIGN_RADIUS_MM))
    assert len(signs) == len(castle.rooms)


def test_signs_are_near_their_rooms_and_on_nothing() -> None:
    castle = board_by_key("castle")
    circles = castle.plan.circles.values()
    placed = room_labels(castle)
    for room, label in placed.items():
        mine = [(circle.x, circle.y) for circle in circles if circle.room == room]
        assert min(math.dist(label.sign_position, spot) for spot in mine) < 30
        assert min(math.dist(label.title_position, spot) for spot in mine) < 35
        for circle in circles:
            assert (
                math.dist(label.sign_position, (circle.x, circle.y)) > CIRCLE_RADIUS_MM + SIGN_RADIUS_MM - 1.5
            )
        for other, beside in placed.items():
            assert other == room or math.dist(label.sign_position, beside.sign_position) > 2 * SIGN_RADIUS_MM


def test_arrows_lead_from_the_cells_and_drops_say_their_feet() -> None:
    castle = board_by_key("castle")
    high = castle.plan.size[1]
    tips = [shape.points[0] for shape in drawn(castle) if isinstance(shape, Polyline) and shape.closed]
    for circle in ("c34", "s17"):
        spot = castle.plan.circles[circle]
        assert min(math.dist(tip, (spot.x, high - spot.y)) for tip in tips) < CIRCLE_RADIUS_MM + 3
    said = texts(castle)
    assert said["30"] - 1 == 11  # and a round
    assert said["60"] == 8


def test_the_round_track_is_printed_where_its_lamps_are() -> None:
    castle = board_by_key("castle")
    lamps = named_lamps(castle)
    rounds = discs(castle, 12.6)
    assert len(rounds) == 50
    for printed, (number, _, _) in zip(rounds, track_positions(), strict=True):
        assert math.dist(printed, lamps[f"round-{number}"]) < 0.1
    turns = {at for lamp, at in lamps.items() if lamp.startswith("turn-")}
    assert set(discs(castle, 9)) == turns


def test_a_castle_without_titles_has_the_names_of_its_rooms() -> None:
    own = CastleBoard(read_plan(CASTLE[: CASTLE.index("[titles]")], "my.toml"))
    said = texts(own)
    assert {"Sickbay", "Wc"} <= set(said)
    assert "Sick Bay" not in said
