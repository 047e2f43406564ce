"""A board file as it is written: circles, links, rooms, tunnels, places. `read_plan` refuses a wrong one.

What is wrong with the writing (an unknown circle, a missing section) is found here, with file and line;
whether the castle can be played is looked at in `check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from boardrules.colditz.castle.datafile import DataFile

FORMAT: Final = "boardumpire-colditz-board"
VERSION: Final = 1
AREAS: Final = ("inner", "outer", "outside")
"""R164. An area is a number elsewhere: its place in here."""
CIRCLE_KINDS: Final = (
    "appel",
    "safe",
    "searchlight",
    "walkway",
    "post",
    "door",
    "inspection",
    "target",
    "car",
)
SYMBOLS: Final = ("rope", "key", "pass", "cutter", "food", "documents", "compass", "disguise")
"""R090 and R101: the four kinds of Equipment, then the four parts of an Escape Kit."""
PLACES: Final = ("barracks", "office", "innercells", "outercells")
SECTIONS: Final = (
    "format", "version", "name", "title", "size", "circles", "rooms", "links", "tunnels", "places", "free",
    "car", "appel", "titles",
)  # fmt: skip


MOST_PLACES: Final = 40
"""Of one kind: more than there are pawns of one side."""
MAX_TITLE_LENGTH: Final = 24
NAME_PATTERN: Final = re.compile(r"[a-z][a-z0-9]{0,39}")
"""A circle or a room: as a board file and the texts of actions can have it."""
RESERVED_NAMES: Final = (
    *PLACES,
    "away",
    "grave",
    "at",
    "security",
    "american",
    "british",
    "dutch",
    "french",
    "polish",
)


class Circle(NamedTuple):
    """One printed circle."""

    x: int
    """mm from the left edge ..."""
    y: int
    """... and from the upper one."""
    area: str
    kinds: frozenset[str]
    room: str | None


class CastleArea(NamedTuple):
    """Room beside the circles: cells, Barracks, the Commander's Office."""

    capacity: int
    slot_grid: tuple[int, int, int, int]
    """x and y of the first in mm, how many stand in a row, mm from one to the next."""
    arrow: str | None


class CastlePlan(NamedTuple):
    """All that a board file says."""

    name: str
    title: str
    size: tuple[int, int]
    """mm, width and height."""
    circles: Mapping[str, Circle]
    rooms: Mapping[str, str]
    """Room -> its symbol."""
    titles: Mapping[str, str]
    """Room -> what is printed in it, its own name where nothing is said."""
    links: tuple[tuple[str, str], ...]
    wires: tuple[tuple[str, str], ...]
    """Inner and outer circle (R113)."""
    drops: tuple[tuple[int, str, str], ...]
    """Feet, upper and lower circle (R112)."""
    tunnels: Mapping[str, tuple[str, ...]]
    """By its room, the circles from the entrance to the exit (R132)."""
    places: Mapping[str, CastleArea]
    free_way_gates: tuple[str, ...]
    """The Doors and Inspection Points of R054."""
    car_route: tuple[str, str]
    """Where the Staff Car stands, and where it drives to."""
    diagrams: Mapping[int, tuple[tuple[str, ...], ...]]
    """By the number of players, for each officer in turn the circles of his men (R018)."""
    source: DataFile


def read_plan(text: str, file: str) -> CastlePlan:
    """The plan that a text holds. Raises `DataError` naming file, line, what was found and expected."""
    data = DataFile(text, file, FORMAT, VERSION)
    data.refuse_unknown_keys(SECTIONS)
    name = data.expect_name("name", data.data.get("name"))
    rooms = _rooms(data)
    circles = {key: _circle(data, key, value, rooms) for key, value in data.section("circles").items()}
    known = _CircleNameReader(data, circles)
    links = data.section("links")
    for key in links:
        if key not in ("ways", "wires", "drops30", "drops60"):
            data.raise_error(("links", key), "unknown; try ways, wires, drops30, drops60")
    return CastlePlan(
        name,
        data.expect_name("title", data.data.get("title", name)),
        _read_numbers(data, ("size",), data.data.get("size"), 2),
        circles,
        rooms,
        _titles(data, rooms),
        tuple(
            dict.fromkeys(pair for way in known.read_ways("links", "ways") for pair in _neighbour_pairs(way))
        ),
        known.read_pairs("links", "wires"),
        tuple((feet, *pair) for feet in (30, 60) for pair in known.read_pairs("links", f"drops{feet}")),
        {room: known.read_tunnel(room, way, rooms) for room, way in data.section("tunnels").items()},
        _places(data, known),
        known.read_names("free", "return"),
        (known.read_single("car", "from"), known.read_single("car", "to")),
        _diagrams(data, known),
        data,
    )


def _rooms(data: DataFile) -> dict[str, str]:
    rooms = dict(data.section("rooms"))
    for room, symbol in rooms.items():
        if symbol not in SYMBOLS:
            data.raise_error(("rooms", room), f"{symbol!r}; try one of {', '.join(SYMBOLS)}")
        if room in CIRCLE_KINDS or room in AREAS:
            data.raise_error(("rooms", room), "is the name of a kind of circle; try another name")
        if not NAME_PATTERN.fullmatch(room):
            data.raise_error(("rooms", room), "is no name for a room; try small letters and digits")
    return rooms


def _titles(data: DataFile, rooms: Mapping[str, str]) -> dict[str, str]:
    given = data.section("titles") if "titles" in data.data else {}
    for room in given:
        if room not in rooms:
            data.raise_error(("titles", room), f"is no room; try one of {', '.join(rooms)}")
    called = {
        room: data.expect_one_line(("titles", room), title, MAX_TITLE_LENGTH, "a title")
        for room, title in given.items()
    }
    return {room: called.get(room, room.capitalize()) for room in rooms}


def _circle(data: DataFile, name: str, value: Any, rooms: Mapping[str, str]) -> Circle:
    place = ("circles", name)
    if not NAME_PATTERN.fullmatch(name):
        data.raise_error(place, "is no name for a circle; try small letters and digits")
    if name in RESERVED_NAMES:
        data.raise_error(place, f"is a word of actions; try another name than {', '.join(RESERVED_NAMES)}")
    words = data.expect_type(place, value, str, '"x y area kinds"').split()
    if len(words) < 3 or not all(map(_is_mm, words[:2])) or words[2] not in AREAS:
        data.raise_error(place, f'{value!r}; try "x y area kinds" with an area of {", ".join(AREAS)}')
    kinds = set(words[3:])
    inside = [kind for kind in words[3:] if kind in rooms]
    for kind in kinds:
        if kind not in CIRCLE_KINDS and kind not in rooms:
            data.raise_error(place, f"unknown kind {kind!r}; try one of {', '.join((*CIRCLE_KINDS, *rooms))}")
    if len(inside) > 1:
        data.raise_error(place, f"lies in the rooms {', '.join(inside)}; try one at most")
    room = inside[0] if inside else None
    return Circle(int(words[0]), int(words[1]), words[2], frozenset(kinds - {room}), room)


def _is_mm(word: str) -> bool:
    return re.fullmatch("[0-9]{1,5}", word) is not None


def _read_numbers(data: DataFile, place: tuple[str, ...], value: Any, count: int) -> Any:
    if not isinstance(value, list) or len(value) != count or any(type(n) is not int or n < 0 for n in value):
        data.raise_error(place, f"{value!r}; try {count} whole numbers")
    return tuple(value)


def _neighbour_pairs(way: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    for first, second in pairwise(way):
        yield (first, second) if first < second else (second, first)


def _places(data: DataFile, known: _CircleNameReader) -> dict[str, CastleArea]:
    section = data.section("places")
    found = {}
    for name in PLACES:
        place, value = ("places", name), section.get(name)
        if not isinstance(value, dict) or type(value.get("places")) is not int or value["places"] < 1:
            data.raise_error(place, f"{value!r}; try places, box and, for cells, an arrow")
        arrow = value.get("arrow")
        if name.endswith("cells"):
            known.read_way(place, arrow)
        box = _read_numbers(data, place, value.get("box"), 4)
        if not box[2] or not box[3]:
            data.raise_error(
                place, f"the box is {list(box)}; try x, y, how many in a row, mm from one to the next"
            )
        if value["places"] > MOST_PLACES:
            data.raise_error(place, f"has {value['places']} places; try at most {MOST_PLACES}")
        found[name] = CastleArea(value["places"], box, arrow)
    return found


def _diagrams(data: DataFile, known: _CircleNameReader) -> dict[int, tuple[tuple[str, ...], ...]]:
    found = {}
    for key, ways in data.section("appel").items():
        if key not in ("2", "3", "4", "5", "6"):
            data.raise_error(("appel", key), "is no number of players; try 2 to 6")
        if not isinstance(ways, list):
            data.raise_error(("appel", key), f"{ways!r}; try one line of circles an officer")
        found[int(key)] = tuple(known.read_way(("appel", key), way) for way in ways)
    return found


class _CircleNameReader:
    """Reads names of circles, and knows which there are."""

    def __init__(self, data: DataFile, circles: Mapping[str, Circle]) -> None:
        self.data = data
        self.circles = circles

    def read_way(self, place: tuple[str, ...], value: Any) -> tuple[str, ...]:
        names = tuple(self.data.expect_type(place, value, str, "names of circles").split())
        if not names:
            self.data.raise_error(place, "names no circle")
        for name in names:
            if name not in self.circles:
                self.data.raise_error((*place, value), f"unknown circle {name!r}; try one of [circles]")
        return names

    def read_tunnel(self, room: str, way: Any, rooms: Mapping[str, str]) -> tuple[str, ...]:
        if room not in rooms:
            self.data.raise_error(("tunnels", room), f"is no room; try one of {', '.join(rooms)}")
        return self.read_way(("tunnels", room), way)

    def read_ways(self, section: str, key: str) -> list[tuple[str, ...]]:
        value = self.data.section(section).get(key, [])
        place = (section, key)
        return [
            self.read_way(place, way) for way in self.data.expect_type(place, value, list, "a list of ways")
        ]

    def read_pairs(self, section: str, key: str) -> tuple[tuple[str, str], ...]:
        couples = []
        for way in self.read_ways(section, key):
            if len(way) != 2:
                self.data.raise_error((section, key, " ".join(way)), f"{' '.join(way)!r}; try two circles")
            couples.append((way[0], way[1]))
        return tuple(couples)

    def read_names(self, section: str, key: str) -> tuple[str, ...]:
        return tuple(name for way in self.read_ways(section, key) for name in way)

    def read_single(self, section: str, key: str) -> str:
        way = self.read_way((section, key), self.data.section(section).get(key))
        if len(way) != 1:
            self.data.raise_error((section, key), f"{' '.join(way)!r}; try one circle")
        return way[0]
