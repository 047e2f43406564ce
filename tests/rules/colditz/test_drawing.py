"""The drawing that a castle is printed by: all that people read off the board, nothing on anything else."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections import Counter
from functools import cache

from boardrules.colditz.castle import drawing
from boardrules.colditz.castle.board import Board
from boardrules.colditz.castle.board_file import named_lamps
from boardrules.colditz.castle.board_reader import board
from boardrules.colditz.castle.datafile import SHIPPED
from boardrules.colditz.castle.labels import SIGN, labels, track
from boardrules.colditz.castle.plan import read_plan

NS = "{http://www.w3.org/2000/svg}"
CASTLE = (SHIPPED / "castle.toml").read_text(encoding="utf-8")


@cache
def drawn(castle: Board) -> ET.Element:
    return ET.fromstring(drawing.svg(castle))


def test_rooms_have_their_titles_and_signs() -> None:
    castle = board("castle")
    picture = drawn(castle)
    texts = Counter(text.text for text in picture.iter(f"{NS}text"))
    assert {"Parcel Office", "Orderlies' Quarters", "W.C.", "Barracks", "Inner cells"} <= set(texts)
    signs = [sign for sign in picture.iter(f"{NS}circle") if sign.get("class") == "sign"]
    assert len(signs) == len(castle.rooms)
    shown = Counter(title.text for path in picture.iter(f"{NS}path") for title in path.iter(f"{NS}title"))
    doors, inspections = castle.doors.bit_count(), castle.inspections.bit_count()
    assert shown == Counter(castle.plan.rooms.values()) + Counter({"key": doors, "pass": inspections})


def test_signs_are_near_their_rooms_and_on_nothing() -> None:
    castle = board("castle")
    circles = castle.plan.circles.values()
    placed = labels(castle)
    for room, label in placed.items():
        mine = [(circle.x, circle.y) for circle in circles if circle.room == room]
        assert min(math.dist(label.sign, spot) for spot in mine) < 30
        assert min(math.dist(label.title, spot) for spot in mine) < 35
        for circle in circles:
            assert math.dist(label.sign, (circle.x, circle.y)) > drawing.RADIUS + SIGN - 1.5
        for other, beside in placed.items():
            assert other == room or math.dist(label.sign, beside.sign) > 2 * SIGN


def test_arrows_lead_from_the_cells_and_drops_say_their_feet() -> None:
    castle = board("castle")
    picture = drawn(castle)
    ends = {
        line.get("class"): (float(line.get("x2", "0")), float(line.get("y2", "0")))
        for line in picture.iter(f"{NS}line")
        if line.get("class", "").startswith("arrow ")
    }
    for cells, circle in (("innercells", "c34"), ("outercells", "s17")):
        spot = castle.plan.circles[circle]
        assert math.dist(ends[f"arrow {cells}"], (spot.x, spot.y)) < drawing.RADIUS + 3
    texts = Counter(text.text for text in picture.iter(f"{NS}text"))
    assert texts["30"] - 1 == 11  # and a round
    assert texts["60"] == 8


def test_the_round_track_is_printed_where_its_lamps_are() -> None:
    castle = board("castle")
    lamps, high = named_lamps(castle), castle.plan.size[1]
    rounds = [spot for spot in drawn(castle).iter(f"{NS}circle") if spot.get("class") == "round"]
    assert len(rounds) == 50
    for spot, (number, _, _) in zip(rounds, track(), strict=True):
        printed = float(spot.get("cx", "0")), high - float(spot.get("cy", "0"))
        assert math.dist(printed, lamps[f"round-{number}"]) < 0.1
    turns = [spot for spot in drawn(castle).iter(f"{NS}circle") if spot.get("class") == "turn"]
    where = {(float(spot.get("cx", "0")), high - float(spot.get("cy", "0"))) for spot in turns}
    assert where == {at for lamp, at in lamps.items() if lamp.startswith("turn-")}


def test_a_castle_without_titles_has_the_names_of_its_rooms() -> None:
    own = Board(read_plan(CASTLE[: CASTLE.index("[titles]")], "my.toml"))
    texts = {text.text for text in drawn(own).iter(f"{NS}text")}
    assert {"Sickbay", "Wc"} <= texts
    assert "Sick Bay" not in texts
