"""`boardumpire map-board`: a board file from a map."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from boardrules.board_file import NoBoard
from boardrules.fuhrer.board_file import APART, GAME, ROWS, board_file, projected, spots, spread
from boardrules.fuhrer.maps import map_of, original
from boardumpire import cli
from boardumpire.commands.map_board import check
from boardumpire.errors import BoardumpireError
from boardware.description import board_path, load_board
from boardware.parts import Board


def made(folder: Path, slots: int = 1) -> Board:
    path = folder / "board.toml"
    path.write_text(board_file(map_of("original"), "hunt", slots), encoding="utf-8")
    return load_board(path)


def test_every_city_has_a_reed_a_lamp_and_its_name(tmp_path: Path) -> None:
    board, cities = made(tmp_path), map_of("original")
    assert set(board.spaces) == set(cities.ids)
    assert board.games == ("fall-of-the-fuhrer",)
    assert len(board.contacts) == len(cities.ids)
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
    assert len(board.contacts) == 2 * len(board.spaces)
    assert len(board.banks["reeds"].rows) <= len(ROWS)
    with pytest.raises(NoBoard, match="43 cities with 3 reeds each; expected at most 30"):
        board_file(map_of("original"), "hunt", slots=3)


def test_pieces_fit_beside_each_other_and_cities_stay_where_they_are() -> None:
    cities = map_of("original")
    placed, (wide, high) = spots(cities)
    for count, one in enumerate(placed):
        assert 0 < one.at[0] < wide
        assert 0 < one.at[1] < high
        for other in placed[:count]:
            assert math.dist(one.at, other.at) >= APART - 1
    true, moved = projected(cities), spread(projected(cities))
    assert max(math.dist(before, after) for before, after in zip(true, moved, strict=True)) < APART / 2
    at = {spot.id: spot.at for spot in placed}
    assert at["flensburg"][1] > at["hamburg"][1] > at["hannover"][1] > at["munich"][1] > at["innsbruck"][1]
    assert at["aachen"][0] < at["cologne"][0] < at["berlin"][0] < at["stettin"][0]


def test_the_command_writes_the_file_and_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["map-board", "--game", GAME]) == 0
    text = capsys.readouterr().out
    assert text == board_file(map_of("original"), "fall-of-the-fuhrer")
    check(text, "original")
    mine = tmp_path / "mine.map"
    mine.write_text(original() + "link berlin rome\n", encoding="utf-8")
    assert cli.main(["map-board", "--game", GAME, str(mine)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"boardumpire: {mine}: LINE ")
    assert "unknown city 'rome'" in told
    assert cli.main(["map-board", "--game", GAME, str(tmp_path / "none.map")]) == 2
    assert "No such file" in capsys.readouterr().err
    for wrong in ("No Id", 'a"b', "a" * 41):
        assert cli.main(["map-board", "--game", GAME, "--id", wrong]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"boardumpire: --id {wrong!r}: expected small letters and digits")
    assert cli.main(["map-board", "--game", GAME, "/dev/zero"]) == 2
    assert capsys.readouterr().err == "boardumpire: /dev/zero: no regular file, expected a map\n"
    mine.write_bytes(b"\xef\xbb\xbf" + original().replace("\n", "\r\n").encode())
    assert cli.main(["map-board", "--game", GAME, str(mine)]) == 0, "as some editors write it"
    assert capsys.readouterr().out == text
    mine.write_bytes(b"#" * 300_000)
    assert cli.main(["map-board", "--game", GAME, str(mine)]) == 2
    assert capsys.readouterr().err == f"boardumpire: {mine}: more than 262144 bytes, expected a map\n"


def test_cities_on_one_latitude_and_far_apart_make_a_board(tmp_path: Path) -> None:
    head = "boardumpire-map 1\nname Line\n"
    for cities in ("a 0 0, b 1 0, c 2 0, d 3 0", "a -80 50, b 100 50, c 2 51, d 3 52"):
        text = "".join(f"city {city}\n" for city in cities.split(", "))
        check(board_file(map_of(f"{head}{text}link a b c d\n"), "line"), "line.map")


def test_what_is_wrong_with_the_board_names_the_map() -> None:
    made = board_file(map_of("original"), "hunt").replace("size = [", "size = [9")
    with pytest.raises(BoardumpireError, match=r"^mine\.map: the board made of it, line 7: size is \[9"):
        check(made, "mine.map")


def test_cities_on_one_spot_are_parted() -> None:
    points = spread([(0.0, 0.0), (0.0, 0.0), (5.0, 0.0)])
    assert min(math.dist(points[0], points[1]), math.dist(points[1], points[2])) >= APART - 1


@pytest.mark.parametrize("slots", [1, 2])
@pytest.mark.parametrize("pico", [False, True])
def test_the_shipped_boards_are_what_the_command_makes_of_the_shipped_map(slots: int, pico: bool) -> None:
    name = f"fall-of-the-fuhrer{'-slots' if slots == 2 else ''}{'-pico' if pico else ''}"
    path = board_path(name)
    assert path.read_text(encoding="utf-8") == board_file(map_of("original"), name, slots, pico=pico)
    board, cities = load_board(name), map_of("original")
    assert set(board.spaces) == set(cities.ids), "every city"
    assert all(len(space.slots) == slots and space.id in board.lamps for space in board.spaces.values())
    assert all(slot.sensor is not None for slot in board.slots.values())
    assert bool(board.picos) == pico
    assert board.buzzer is not None or slots == 2
