"""`boardumpire make map-board`: a board file from a map."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from boardmake.commands.map_board import check_board_file
from boardmake.making.layout import verdicts
from boardrules.board_file import BoardNotPossible
from boardrules.fuhrer.board_file import (
    GAME,
    MIN_CITY_DISTANCE_MM,
    ROW_GPIOS,
    MapSpace,
    board_file_text,
    map_spaces,
    projected_positions,
    push_apart,
)
from boardrules.fuhrer.maps import map_by_text, original_map_text
from boardumpire import cli
from boardumpire.errors import BoardumpireError
from boardware.description import board_path, load_board
from boardware.parts import BoardDescription
from boardware.physics.verdict import Grade


def made(folder: Path, slots: int = 1) -> BoardDescription:
    path = folder / "board.toml"
    path.write_text(board_file_text(map_by_text("original"), "hunt", slots), encoding="utf-8")
    return load_board(path)


def test_every_city_has_a_reed_a_lamp_and_its_name(tmp_path: Path) -> None:
    board, cities = made(tmp_path), map_by_text("original")
    assert set(board.spaces) == set(cities.ids)
    assert board.games == ("fall-of-the-fuhrer",)
    assert len(board.slots_by_contact) == len(cities.ids)
    assert set(board.lamps) == {
        *cities.ids, *(f"round-{number}" for number in range(1, 25)), "ticket-1", "ticket-2",
        "die-1", "die-2", "die-3", "turn-hitler", "turn-tank", "turn-spy", "turn-infantry",
    }  # fmt: skip
    assert board.spaces["cologne"].name == "Köln"
    airports = {id_ for id_, space in board.spaces.items() if space.outline.id == "airport"}
    assert airports == {"flensburg", "bonn", "innsbruck"}
    assert set(board.buttons) == {"confirm", "cancel", "turn", "choose"}
    index = cities.index
    assert {frozenset((index[one], index[other])) for one, other in board.lines} == set(
        map(frozenset, cities.links)
    )


def test_several_pieces_stand_in_a_city_with_slots(tmp_path: Path) -> None:
    board = made(tmp_path, slots=2)
    assert all(len(space.slots) == 2 for space in board.spaces.values())
    at = [slot.position for slot in board.slots.values()]
    assert min(math.dist(one, other) for count, one in enumerate(at) for other in at[:count]) > 31
    assert len(board.slots_by_contact) == 2 * len(board.spaces)
    assert len(board.banks["reeds"].rows) <= len(ROW_GPIOS)
    with pytest.raises(BoardNotPossible, match="43 cities with 3 reeds each are too many; try at most 30"):
        board_file_text(map_by_text("original"), "hunt", slots=3)


def test_pieces_fit_beside_each_other_and_cities_stay_where_they_are() -> None:
    cities = map_by_text("original")
    placed, (wide, high) = map_spaces(cities)
    for count, one in enumerate(placed):
        assert 0 < one.position_mm[0] < wide
        assert 0 < one.position_mm[1] < high
        for other in placed[:count]:
            assert math.dist(one.position_mm, other.position_mm) >= MIN_CITY_DISTANCE_MM - 1
    true, moved = projected_positions(cities), push_apart(projected_positions(cities))
    assert (
        max(math.dist(before, after) for before, after in zip(true, moved, strict=True))
        < MIN_CITY_DISTANCE_MM / 2
    )
    at = {spot.id: spot.position_mm for spot in placed}
    assert at["flensburg"][1] > at["hamburg"][1] > at["hannover"][1] > at["munich"][1] > at["innsbruck"][1]
    assert at["aachen"][0] < at["cologne"][0] < at["berlin"][0] < at["stettin"][0]


def test_the_command_writes_the_file_and_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["make", "map-board", "--game", GAME]) == 0
    text = capsys.readouterr().out
    assert text == board_file_text(map_by_text("original"), "fall-of-the-fuhrer")
    check_board_file(text, "original")
    assert cli.main(["make", "map-board", "--game", GAME, "--pico"]) == 0
    assert "[picos." in capsys.readouterr().out
    mine = tmp_path / "mine.map"
    mine.write_text(original_map_text() + "link berlin rome\n", encoding="utf-8")
    assert cli.main(["make", "map-board", "--game", GAME, str(mine)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"boardumpire: {mine}: LINE ")
    assert "unknown city 'rome'" in told
    assert cli.main(["make", "map-board", "--game", GAME, str(tmp_path / "none.map")]) == 2
    assert "No such file" in capsys.readouterr().err
    for wrong in ("No Id", 'a"b', "a" * 41):
        assert cli.main(["make", "map-board", "--game", GAME, "--id", wrong]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"boardumpire: --id {wrong!r}: not an id; try small letters")
    assert cli.main(["make", "map-board", "--game", GAME, "/dev/zero"]) == 2
    assert capsys.readouterr().err == "boardumpire: /dev/zero: no regular file; try the path of a map\n"
    mine.write_bytes(b"\xef\xbb\xbf" + original_map_text().replace("\n", "\r\n").encode())
    assert cli.main(["make", "map-board", "--game", GAME, str(mine)]) == 0, "as some editors write it"
    assert capsys.readouterr().out == text
    mine.write_bytes(b"#" * 300_000)
    assert cli.main(["make", "map-board", "--game", GAME, str(mine)]) == 2
    assert capsys.readouterr().err == f"boardumpire: {mine}: more than 262144 bytes; try the path of a map\n"


def test_cities_on_one_latitude_and_far_apart_make_a_board(tmp_path: Path) -> None:
    head = "boardumpire-map 1\nname Line\n"
    for cities in ("a 0 0, b 1 0, c 2 0, d 3 0", "a -80 50, b 100 50, c 2 51, d 3 52"):
        text = "".join(f"city {city}\n" for city in cities.split(", "))
        check_board_file(board_file_text(map_by_text(f"{head}{text}link a b c d\n"), "line"), "line.map")


def test_what_is_wrong_with_the_board_names_the_map() -> None:
    made = board_file_text(map_by_text("original"), "hunt").replace("size = [", "size = [9")
    with pytest.raises(BoardumpireError, match=r"^mine\.map: the board made of it, line 7: size is \[9"):
        check_board_file(made, "mine.map")


def test_cities_on_one_spot_are_parted() -> None:
    points = push_apart([(0.0, 0.0), (0.0, 0.0), (5.0, 0.0)])
    assert min(math.dist(points[0], points[1]), math.dist(points[1], points[2])) >= MIN_CITY_DISTANCE_MM - 1


@pytest.mark.parametrize("slots", [1, 2])
@pytest.mark.parametrize("pico", [False, True])
def test_the_shipped_boards_are_what_the_command_makes_of_the_shipped_map(slots: int, pico: bool) -> None:
    name = f"fall-of-the-fuhrer{'-slots' if slots == 2 else ''}{'-pico' if pico else ''}"
    path = board_path(name)
    assert path.read_text(encoding="utf-8") == board_file_text(
        map_by_text("original"), name, slots, pico=pico
    )
    board, cities = load_board(name), map_by_text("original")
    assert set(board.spaces) == set(cities.ids), "every city"
    assert all(len(space.slots) == slots and space.id in board.lamps for space in board.spaces.values())
    assert all(slot.sensor is not None for slot in board.slots.values())
    assert bool(board.picos) == pico
    assert board.buzzer is not None or slots == 2


def from_the_link(spot: MapSpace, one: MapSpace, other: MapSpace) -> float:
    """mm from the middle of a city to the line between two others."""
    along = (other.position_mm[0] - one.position_mm[0], other.position_mm[1] - one.position_mm[1])
    to = (spot.position_mm[0] - one.position_mm[0], spot.position_mm[1] - one.position_mm[1])
    share = (to[0] * along[0] + to[1] * along[1]) / (along[0] ** 2 + along[1] ** 2)
    share = max(0.0, min(1.0, share))
    return math.dist(
        spot.position_mm, (one.position_mm[0] + share * along[0], one.position_mm[1] + share * along[1])
    )


def nearest(placed: list[MapSpace], links: Sequence[tuple[int, int]]) -> float:
    """mm from a link to a city that it doesn't join, at least."""
    return min(
        from_the_link(spot, placed[one], placed[other])
        for one, other in links
        for city, spot in enumerate(placed)
        if city not in (one, other)
    )


@pytest.mark.parametrize("slots", [1, 2])
def test_no_link_runs_under_a_city_that_it_does_not_join(slots: int) -> None:
    cities = map_by_text("original")
    placed, _ = map_spaces(cities, slots)
    assert nearest(placed, cities.links) > 22, "an airport is 44 mm wide"
    true = projected_positions(cities)
    before, after = push_apart(true), push_apart(true, links=cities.links)
    moved = {cities.ids[n] for n, point in enumerate(before) if math.dist(point, after[n]) > 0.1}
    assert moved == {"stuttgart", "ulm", "augsburg"}, "all others have room"
    assert max(map(math.dist, before, after)) < 6
    wired = sorted(placed, key=lambda spot: (-spot.wiring_position_mm[1], spot.wiring_position_mm[0]))
    assert [spot.id for spot in wired if spot.id in moved] == ["stuttgart", "ulm", "augsburg"], (
        "though Augsburg lies further north now: boards that are built have these wires"
    )


def test_cities_in_a_row_make_room_for_links_past_them() -> None:
    row = map_by_text(
        "boardumpire-map 1\nname Row\ncity a 0 50\ncity b 1 50\ncity c 2 50\ncity d 3 50\nlink a b c d\n"
    )
    placed, _ = map_spaces(row)
    assert nearest(placed, row.links) > 22


def test_a_map_whose_links_find_no_way_past_its_cities_makes_no_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of twenty cities is linked to each other one."""
    lines = [f"city c{n} {10 + n % 5} {48 + n // 5 * 0.9:.1f}" for n in range(20)]
    lines += [f"link c{n} {' '.join(f'c{other}' for other in range(n + 1, 20))}" for n in range(19)]
    mine = tmp_path / "all.map"
    mine.write_text("\n".join(["boardumpire-map 1", "name All", *lines, ""]), encoding="utf-8")
    assert cli.main(["make", "map-board", "--game", GAME, str(mine)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(
        r"boardumpire: map All: the link from c\d+ to c\d+ runs under c\d+, and there is no room to lead it"
        r" past; keep 23 mm between a link and each city that it doesn't join\n",
        told.err,
    )


def test_a_line_under_a_foreign_disc_is_refused_by_the_check_of_a_board(tmp_path: Path) -> None:
    """Also where it runs only under the rim."""
    text = board_file_text(map_by_text("original"), "hunt")
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    ulm = load_board(path).spaces["ulm"].position
    place = f'ulm = {{ name = "Ulm", at = [{ulm.x:g}, {ulm.y:g}]'
    assert place in text
    for nearer, wrong in ((0, False), (6, True), (20, True)):
        path.write_text(text.replace(place, place.replace(f"{ulm.y:g}]", f"{ulm.y + nearer:g}]")), "utf-8")
        found = [v for v in verdicts(load_board(path)) if v.grade is Grade.REFUSED and "runs under" in v.text]
        assert [v.table_key for v in found] == (["lines.stuttgart"] if wrong else [])
