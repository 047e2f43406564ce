"""Maps: cities, links and airports, read from a text that a group can replace by its own.

    boardumpire-map 1
    name Original
    city berlin 13.40 52.52 Berlin
    airport berlin hamburg
    link berlin hamburg rostock

`city` gives an id, degrees east and north, and the name as people read it; `airport` names cities; `link`
joins its first city to each of the others, and every link stands once. Lines that are blank or begin with `#`
say nothing. A city is a number in the order of the text; a set of cities is an int with a bit a city.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from boardrules.core import Space

FORMAT: Final = "boardumpire-map"
VERSION: Final = 1
MAX_CITIES: Final = 128
"""More cities than that are no board."""

MAX_NAME_LENGTH: Final = 60

Cities = int
"""A set of cities, a bit a city."""

ORIGINAL: Final = "original"
"""The map that a game is played on where nothing else is asked for."""
SHIPPED_SHA256: Final = {ORIGINAL: "6032457db61cd4507aae6bcbb3c674c7803d8f76daacfee3d1a7cb7ee221cb9a"}
"""The maps that come with the game, with the SHA-256 of their texts. Records and journals have their names:
a text never changes under its name. One that is tuned becomes another file, with a name and a line of its
own, and the one before it stays."""
_CITIES_PER_TABLE: Final = 11
"""How many cities a table of neighbourhoods takes at once: 2048 entries a table."""
_CITY_ID_PATTERN: Final = re.compile(r"[a-z][a-z0-9]*")


class MapError(ValueError):
    """A map that can't be played on. The message begins with `LINE n: `."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"LINE {line}: {message}")
        self.line = line


class CityMap:
    """A map and all that follows from it. One object for one text: `map_by_text` makes them."""

    def __init__(self, text: str, reader: _MapReader) -> None:
        self.text = text
        self.name = reader.name
        self.ids: tuple[Space, ...] = tuple(map(Space, reader.cities))
        """By city its id, as actions write it."""
        self.names = tuple(name for _, _, name in reader.cities.values())
        """By city its name as people read it."""
        self.degrees = tuple((east, north) for east, north, _ in reader.cities.values())
        """By city where it lies: degrees east and north."""
        self.index: Mapping[str, int] = {city: number for number, city in enumerate(self.ids)}
        self.links: tuple[tuple[int, int], ...] = tuple(reader.links)
        self.all_cities: Cities = (1 << len(self.ids)) - 1
        self.airports: Cities = sum(1 << city for city in reader.airports)
        beside = [1 << city for city in range(len(self.ids))]
        for one, other in self.links:
            beside[one] |= 1 << other
            beside[other] |= 1 << one
        self.neighbours: Sequence[Cities] = tuple(beside)
        """By city itself and its neighbours."""
        self.with_neighbours: Callable[[Cities], Cities] = _neighbour_function(
            tuple(_neighbour_tables(beside))
        )
        """The cities of a set and all their neighbours."""
        self.cities_within = tuple(tuple(self._compute_cities_within(city)) for city in range(len(self.ids)))
        """By city and 0 to 3: the cities at most so many links away."""
        self.interned_actions: dict[tuple[Any, ...], Any] = {}
        """The actions made on this map so far (`boardrules.fuhrer.actions.interned_action`)."""

    def landing_airports(self, origins: Cities) -> Cities:
        """Where a flight from one of `origins` may land: at an airport that is not where it starts (X19)."""
        starts = origins & self.airports
        if starts & (starts - 1):
            return self.airports
        return self.airports ^ starts if starts else 0

    def space_ids(self, cities: Cities) -> tuple[str, ...]:
        """The ids of a set, in the order of the map."""
        return tuple([self.ids[city] for city in city_numbers(cities)])

    def _compute_cities_within(self, city: int) -> Iterator[Cities]:
        reached = 1 << city
        for _ in range(4):
            yield reached
            reached = self.with_neighbours(reached)

    def __repr__(self) -> str:
        return f"<map {self.name}: {len(self.ids)} cities>"

    def __reduce__(self) -> tuple[Any, ...]:
        return map_by_text, (self.text,)


def city_numbers(cities: Cities) -> Iterator[int]:
    """The numbers of the cities of a set, lowest first."""
    while cities:
        lowest = cities & -cities
        yield lowest.bit_length() - 1
        cities ^= lowest


def _neighbour_tables(beside: Sequence[Cities]) -> Iterator[list[Cities]]:
    """For each run of eleven cities: by which of them are in a set, the set and its neighbours."""
    for first in range(0, len(beside), _CITIES_PER_TABLE):
        table = [0]
        for near in beside[first : first + _CITIES_PER_TABLE]:
            table += [found | near for found in table]
        yield table


def _neighbour_function(tables: tuple[list[Cities], ...]) -> Callable[[Cities], Cities]:
    """What adds its neighbours to a set of cities."""
    if len(tables) <= 4:  # up to 44 cities, in one go
        one, two, three, four = (*tables, *[[0]] * (4 - len(tables)))

        def near(cities: Cities) -> Cities:
            return (
                one[cities & 2047]
                | two[cities >> 11 & 2047]
                | three[cities >> 22 & 2047]
                | four[cities >> 33 & 2047]
            )

        return near

    def near_many(cities: Cities) -> Cities:
        found = 0
        for table in tables:
            found |= table[cities & 2047]
            cities >>= _CITIES_PER_TABLE
        return found

    return near_many


class _MapReader:
    """Takes a map's lines after the first one, in order."""

    def __init__(self) -> None:
        self.name = ""
        self.cities: dict[str, tuple[float, float, str]] = {}
        self.airports: dict[int, int] = {}
        self.links: dict[tuple[int, int], int] = {}

    def read_line(self, line: int, text: str) -> None:
        key, _, rest = text.partition(" ")
        words = rest.split()
        if key not in ("name", "city", "airport", "link"):
            raise MapError(line, f"{text[:60]!r}; try name, city, airport or link")
        if key == "name":
            if self.name:
                raise MapError(line, "a second line 'name'; try one")
            self.name = _check_name(line, " ".join(words))
        elif key == "city":
            self._city(line, words)
        elif key == "airport":
            for word in words:
                self.airports[self._city_number(line, word)] = line
        else:
            self._link(line, words)

    def _city(self, line: int, words: list[str]) -> None:
        try:
            city, east, north = words[0], float(words[1]), float(words[2])
        except (IndexError, ValueError):
            raise MapError(
                line, f"city {' '.join(words)[:60]!r}; try an id, degrees east and north, and a name"
            ) from None
        if not _CITY_ID_PATTERN.fullmatch(city):
            raise MapError(line, f"id {city[:60]!r}; try small letters and digits, a letter first")
        if city in self.cities:
            raise MapError(line, f"a second city {city}; try one")
        if not (abs(east) <= 180 and abs(north) <= 90):
            raise MapError(line, f"{city} at {words[1]} {words[2]}; try at most 180 degrees east, 90 north")
        if len(self.cities) == MAX_CITIES:
            raise MapError(line, f"city {city} is one too many; try at most {MAX_CITIES}")
        name = _check_name(line, " ".join(words[3:]) or city)
        if any(name.casefold() == other.casefold() for _, _, other in self.cities.values()):
            raise MapError(line, f"a second city named {name}; try names that differ")
        self.cities[city] = (east, north, name)

    def _link(self, line: int, words: list[str]) -> None:
        if len(words) < 2:
            raise MapError(line, f"link {' '.join(words)!r}; try two cities or more")
        first, *others = (self._city_number(line, word) for word in words)
        for other in others:
            pair = (min(first, other), max(first, other))
            if first == other:
                raise MapError(line, f"{words[0]} is linked to itself; link it to another city")
            if pair in self.links:
                raise MapError(
                    line, f"a second link between {words[0]} and {tuple(self.cities)[other]}; try one"
                )
            self.links[pair] = line

    def _city_number(self, line: int, word: str) -> int:
        if word not in self.cities:
            raise MapError(line, f"unknown city {word[:60]!r}; try one that a line above names")
        return tuple(self.cities).index(word)

    def check_whole_map(self, last: int) -> None:
        """What can be said only of the whole. Raises `MapError`."""
        if not self.name:
            raise MapError(last, "no line 'name'; try one")
        if len(self.cities) < 4:
            raise MapError(last, f"{len(self.cities)} cities; try at least 4")
        if len({(east, north) for east, north, _ in self.cities.values()}) == 1:
            raise MapError(last, "all cities lie in one place; give them places that differ")
        if len(self.airports) == 1:
            raise MapError(
                next(iter(self.airports.values())), "one airport; give the map none, or two or more"
            )
        reached, rim = {0}, {0}
        while rim:
            joined = (pair for pair in self.links if rim & set(pair))
            rim = {city for pair in joined for city in pair} - reached
            reached |= rim
        if len(reached) < len(self.cities):
            first, far = next(iter(self.cities)), min(set(range(len(self.cities))) - reached)
            raise MapError(
                last, f"no way from {first} to {tuple(self.cities)[far]}; add links until all hangs together"
            )


def _check_name(line: int, name: str) -> str:
    """A name as people read it. Raises `MapError` where it holds what nobody sees, or is too long."""
    if not name.isprintable():
        raise MapError(line, f"name {name[:60]!r}; try signs that can be read")
    if len(name) > MAX_NAME_LENGTH:
        raise MapError(line, f"name {name[:20]!r}... of {len(name)} signs; try at most {MAX_NAME_LENGTH}")
    return name


_maps_by_text: dict[str, CityMap] = {}


def map_by_text(text: str) -> CityMap:
    """The map that a text describes, or one of those that are `SHIPPED_SHA256`. Raises `MapError`."""
    if text in SHIPPED_SHA256:
        text = shipped_map_text(text)
    found = _maps_by_text.get(text)
    if found is None:
        reader = _MapReader()
        lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
        lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
        _check_format(*(lines[0] if lines else (1, "")))
        for number, line in lines[1:]:
            reader.read_line(number, line)
        reader.check_whole_map(lines[-1][0])
        found = _maps_by_text[text] = CityMap(text, reader)
    return found


def _check_format(number: int, line: str) -> None:
    name, _, version = line.partition(" ")
    if name != FORMAT or not (version.isascii() and version.isdigit() and len(version) < 10):
        raise MapError(number, f"{line[:60]!r}; try {FORMAT} {VERSION}")
    if int(version) > VERSION:
        raise MapError(number, f"{FORMAT} {version} is newer than {FORMAT} {VERSION}, the newest known here")
    if int(version) < VERSION:
        raise MapError(number, f"{FORMAT} {version} never was; try {FORMAT} {VERSION}")


@cache
def shipped_map_text(name: str) -> str:
    """The text of a map that comes with the game. Raises `MapError` where it is another text."""
    with open(os.path.join(os.path.dirname(__file__), f"{name}.map"), encoding="utf-8") as file:
        text = file.read()
    found = hashlib.sha256(text.encode()).hexdigest()
    if found != SHIPPED_SHA256[name]:
        raise MapError(
            1,
            f"{name}.map was changed (SHA-256 {found}); give the changed map a name of its own",
        )
    return text


def original_map_text() -> str:
    """The text of `ORIGINAL`."""
    return shipped_map_text(ORIGINAL)
