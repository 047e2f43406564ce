"""A board file made from a map of Fall of the Führer: `boardumpire make map-board --game fall-of-the-fuhrer`.

Cities lie where the map has them, moved apart only where pieces would not fit beside each other. Under every
city is a reed (or one for each of its slots) and a lamp; along the upper edge are the lamps of the calendar,
along the lower one those of the tickets.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from boardrules.board_file import BoardNotPossible, BoardWiring, sensing_section_lines, short_lamp_chain
from boardrules.fuhrer.ends import MAX_ROUNDS
from boardrules.fuhrer.map_file import MapFileError, read_map
from boardrules.fuhrer.maps import CityMap, MapError, map_by_text
from boardrules.fuhrer.movement import TICKETS

GAME = "fall-of-the-fuhrer"
Point = tuple[float, float]
Link = tuple[int, int]

MIN_CITY_DISTANCE_MM = 46.0
"""mm between the middles of two cities, at least: only the reed below a piece (30 mm wide) may sense it."""
MIN_LINK_CLEARANCE_MM = 23.0
"""mm from the middle of a city to any link that it is no end of: its disc is 44 mm wide at most."""
SLOT_RADIUS_MM = {1: 0.0, 2: 16.0, 3: 18.0}
"""By how many slots a city has: mm from its middle to each, so that pieces stand side by side."""
MARGIN_MM = 50.0
"""mm from the outermost cities to the edge; below and above are buttons and the calendar."""
MAP_HEIGHT_MM = 640.0
"""mm between the northernmost and the southernmost city."""
MAX_MAP_WIDTH_MM = 4 * MAP_HEIGHT_MM
"""mm between the westernmost and the easternmost at most: a map that is wider still becomes less high."""
MAX_PUSH_ROUNDS = 400
"""How often cities that are too near are pushed apart ..."""
MAX_PUSH_CHECKS = 2_000_000
"""... and how many looks from a city to another or to a link that may take, so that any map costs seconds."""

ROW_GPIOS = (2, 3, 4, 17, 27, 22, 5, 6, 13, 19)
COLUMN_GPIOS = (14, 15, 23, 24, 25, 12, 16, 20, 21)
"""GPIOs of the Pi's header for a matrix, as the shipped boards use them."""
BUZZER_GPIO = 19
"""The buzzer's, where the matrix leaves it."""
PICO_PINS = (*range(16), 22, 26, 27, 28)
"""GPs of a Pico for a matrix: columns first, which have to be neighbours, then rows."""
BUTTONS = ("confirm", "cancel", "turn", "choose")
"""`choose` steps through what may be asked or said; the others are those of any board."""
DIE_LAMPS = 3
"""F06: a lamp for each pip of the die."""
TURN_LAMPS = ("hitler", "tank", "spy", "infantry")
"""F05: a lamp for each, in the order of their turns."""


class MapSpace(NamedTuple):
    """A city on the board."""

    id: str
    name: str
    is_airport: bool
    position_mm: Point
    """mm from the lower left corner."""
    wiring_position_mm: Point
    """Where it would lie if no link had been led past a city: wires go by that, so they stay as they were."""


def projected_positions(board: CityMap) -> list[Point]:
    """By city where it lies in mm, true to scale in the middle of the map."""
    north = [degrees[1] for degrees in board.degrees]
    east = [degrees[0] for degrees in board.degrees]
    narrow = math.cos(math.radians((max(north) + min(north)) / 2))
    west, wide = min(east), (max(east) - min(east)) * narrow
    scale = MAP_HEIGHT_MM / max(max(north) - min(north), wide * MAP_HEIGHT_MM / MAX_MAP_WIDTH_MM, 0.1)
    return [((east - west) * narrow * scale, (up - min(north)) * scale) for east, up in board.degrees]


def push_apart(
    points: Sequence[Point], apart: float = MIN_CITY_DISTANCE_MM, links: Sequence[Link] = ()
) -> list[Point]:
    """The points, pushed apart until no two are nearer than `apart` and none is nearer than
    `MIN_LINK_CLEARANCE_MM` to a link that it is no end of; those that have room stay. What can't be parted is
    left where it came to."""
    moved = [list(point) for point in points]
    for _ in range(
        max(1, min(MAX_PUSH_ROUNDS, MAX_PUSH_CHECKS // (len(moved) * (len(moved) + len(links)) + 1)))
    ):
        near = [
            (one, other)
            for one in range(len(moved))
            for other in range(one)
            if math.dist(moved[one], moved[other]) < apart
        ]
        for one, other in near:
            (ax, ay), (bx, by) = moved[one], moved[other]
            gap = math.dist((ax, ay), (bx, by))
            # Cities on one and the same spot part sideways; a little more than needed, for the rounding.
            dx, dy = ((ax - bx) / gap, (ay - by) / gap) if gap > 0.01 else (1.0, 0.0)
            push = (apart + 0.5 - gap) / 2
            moved[one] = [ax + dx * push, ay + dy * push]
            moved[other] = [bx - dx * push, by - dy * push]
        under = list(links_near_cities(moved, links))
        for link, city in under:
            _push_off_link(moved, link, city)
        if not near and not under:
            break
    return [(x, y) for x, y in moved]


def links_near_cities(points: Sequence[Sequence[float]], links: Iterable[Link]) -> Iterator[tuple[Link, int]]:
    """Links with a city that lies nearer than `MIN_LINK_CLEARANCE_MM` to the line between their ends."""
    for one, other in links:
        (ax, ay), (bx, by) = points[one], points[other]
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy)
        for city, (x, y) in enumerate(points):
            aside = abs((x - ax) * dy - (y - ay) * dx)
            beside = 0 < (x - ax) * dx + (y - ay) * dy < length * length
            if beside and aside < MIN_LINK_CLEARANCE_MM * length and city not in (one, other):
                yield (one, other), city


def _push_off_link(moved: list[list[float]], link: Link, city: int) -> None:
    """Push a city off a link and the link off the city, each end by as much as it is near."""
    (ax, ay), (bx, by), (x, y) = moved[link[0]], moved[link[1]], moved[city]
    length = math.hypot(bx - ax, by - ay)
    if not length:
        return
    # Across the link, to its left. A city right on the link goes to the left.
    left, up = (ay - by) / length, (bx - ax) / length
    aside = (x - ax) * left + (y - ay) * up
    share = ((x - ax) * up - (y - ay) * left) / length
    push = (
        (MIN_LINK_CLEARANCE_MM + 0.5 - abs(aside))
        / (1 + share**2 + (1 - share) ** 2)
        * (1 if aside >= 0 else -1)
    )
    for point, part in ((link[0], share - 1), (link[1], -share), (city, 1.0)):
        moved[point] = [moved[point][0] + left * push * part, moved[point][1] + up * push * part]


def map_spaces(board: CityMap, slots: int = 1) -> tuple[list[MapSpace], Point]:
    """The cities on the board, and its size in mm: larger where a city has more slots. Raises
    `BoardNotPossible` where a link can't be led past a city."""
    apart = MIN_CITY_DISTANCE_MM if slots == 1 else 34.0 + 2 * SLOT_RADIUS_MM[slots]
    larger = apart / MIN_CITY_DISTANCE_MM
    true = [(x * larger, y * larger) for x, y in projected_positions(board)]
    points, before = push_apart(true, apart, board.links), _board_positions(push_apart(true, apart))
    for (one, other), city in links_near_cities(points, board.links):
        link, under = f"the link from {board.ids[one]} to {board.ids[other]}", board.ids[city]
        raise BoardNotPossible(
            f"map {board.name}: {link} runs under {under}, and there is no room to lead it past;"
            f" keep {MIN_LINK_CLEARANCE_MM:g} mm between a link and each city that it doesn't join"
        )
    placed = [
        MapSpace(
            city,
            board.names[number],
            bool(board.airports >> number & 1),
            at,
            before[number],
        )
        for number, (city, at) in enumerate(zip(board.ids, _board_positions(points), strict=True))
    ]
    wide, high = max(spot.position_mm[0] for spot in placed), max(spot.position_mm[1] for spot in placed)
    return placed, (max(wide + MARGIN_MM, MAX_ROUNDS * 18.0 + 60), high + MARGIN_MM + 20)


def _board_positions(points: Sequence[Point]) -> list[Point]:
    """Points as they are written: whole mm from the lower left corner."""
    left, low = min(x for x, _ in points), min(y for _, y in points)
    return [(round(x - left + MARGIN_MM), round(y - low + MARGIN_MM + 20)) for x, y in points]


class PinAssignment(NamedTuple):
    """Which pins a board's parts hang on."""

    header_lines: tuple[str, ...]
    """Tables that stand before the banks."""
    pico_prefix: str
    """What each part says of the Pico that it hangs on."""
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    settle_text: str
    lamp_lines: tuple[str, ...]
    buttons: tuple[int, ...]
    buzzer: int | None


def header_pins(rows: int, columns: int) -> PinAssignment:
    """On the header of the Pi itself."""
    settle = "50 # twice what the 73 kOhm of a Pi's weakest pull-down need with 200 pF of cable"
    lamps = (
        'by = ["spi", "pwm"] # GPIO10 or GPIO18: both are kept free, the configuration chooses',
        "spi_claims = [10, 11]",
    )
    buzzer = BUZZER_GPIO if rows < len(ROW_GPIOS) else None
    return PinAssignment(
        (), "", ROW_GPIOS[:rows], COLUMN_GPIOS[:columns], settle, lamps, (8, 7, 9, 26), buzzer
    )


def pico_pins(rows: int, columns: int) -> PinAssignment:
    """On a Pico under the board."""
    settle = "40 # twice what the 80 kOhm of a Pico's weakest pull-down need with 200 pF of cable"
    pins = PICO_PINS[: columns + rows]
    lamps = ('pico = "pico"', "gpio = 16")
    return PinAssignment(
        ("[picos.pico]", ""), 'pico = "pico", ', pins[columns:], pins[:columns], settle, lamps,
        (17, 18, 19, 20), 21,
    )  # fmt: skip


def board_file_text(board: CityMap, name: str, slots: int = 1, *, pico: bool = False) -> str:
    """The text of the board file. Raises `BoardNotPossible` where the map has more cities than contacts."""
    placed, (wide, high) = map_spaces(board, slots)
    count = len(placed) * slots
    columns = min(math.isqrt(count - 1) + 1, len(COLUMN_GPIOS))
    rows = math.ceil(count / columns)
    if rows > len(ROW_GPIOS):
        most = len(ROW_GPIOS) * len(COLUMN_GPIOS) // slots
        raise BoardNotPossible(
            f"map {board.name}: {len(placed)} cities with {slots} reeds each are too many; try at most {most}"
        )
    wires = pico_pins(rows, columns) if pico else header_pins(rows, columns)
    chain = {
        lamp: number
        for number, lamp in enumerate(
            short_lamp_chain(
                {spot.id: spot.position_mm for spot in placed} | _edge_lamp_positions(wide, high)
            )
        )
    }
    reeds = f", {slots} reeds a city" if slots > 1 else ""
    title = f"Fall of the Führer, {board.name}{reeds}{', on a Pico' if pico else ''}"
    lines = [
        f"# The board of the map {board.name}, made by `boardumpire make map-board --game {GAME}`.",
        'format = "boardumpire-board"',
        "version = 1",
        "",
        f'id = "{name}"',
        f"name = {json.dumps(title, ensure_ascii=False)}",
        f"size = [{wide:.0f}, {high:.0f}] # mm. Positions are from the lower left corner: right, then up.",
        f'games = ["{GAME}"]',
        "current_limit_ma = 1500 # what the lamps may draw",
        "",
        "[outlines]",
        'city = { shape = "ellipse", width = 40, height = 40 }',
        'airport = { shape = "ellipse", width = 44, height = 44 }',
        "",
        *sensing_section_lines(MIN_CITY_DISTANCE_MM if slots == 1 else 2 * SLOT_RADIUS_MM[slots]),
        *_wiring_lines(wires, len(placed)),
        "# The calendar, whose turn it is, the die, and the tickets that are left.",
        "[lamps]",
        *_named_lamp_lines(chain, wide, high),
        "",
        "# What a space doesn't say for itself.",
        "[defaults]",
        'outline = "city"',
        'bank = "reeds"',
        'chain = "lamps"',
        "",
        "# id = middle in mm, sensor as [row, column], lamp as its number in the chain.",
        "[spaces]",
        *_spaces(placed, chain, columns, slots),
        "",
        "# The lines that are printed between cities; each stands once.",
        "[lines]",
        *_lines(board),
    ]
    return "".join(f"{line}\n" for line in lines)


def _wiring_lines(wires: PinAssignment, cities: int) -> Iterator[str]:
    """Banks, chains, buttons and the buzzer."""
    yield from wires.header_lines
    bank = ('pico = "pico"',) if wires.pico_prefix else ()
    yield from ("[banks.reeds]", *bank)
    yield f"rows = {list(wires.rows)} # {'GP' if bank else 'BCM'} numbers, driven"
    yield f"columns = {list(wires.columns)} # {'GP' if bank else 'BCM'} numbers, read"
    floating = "" if bank else " # the Pi pulls GPIO2 and GPIO3 up, so those rows can't float"
    yield from (f"diodes = true{floating}", f"settle_us = {wires.settle_text}", "")
    yield from ("[chains.lamps]", *wires.lamp_lines, f"length = {cities + len(named_lamps())}")
    yield 'order = "GRB" # as WS2812B take them'
    yield from ("feeds = 2 # its supply comes in at both ends: the wire is long", "", "[buttons]")
    for number, (button, gpio) in enumerate(zip(BUTTONS, wires.buttons, strict=True)):
        yield f"{button} = {{ {wires.pico_prefix}gpio = {gpio}, at = [{60 + 30 * number}, 15] }}"
    yield ""
    if wires.buzzer is not None:
        yield from ("[buzzer]", *bank, f"gpio = {wires.buzzer}", "")


def named_lamps() -> tuple[str, ...]:
    """The lamps that belong to no city, from left to right."""
    return (
        *(f"round-{number}" for number in range(1, MAX_ROUNDS + 1)),
        *(f"turn-{name}" for name in TURN_LAMPS),
        *(f"die-{number}" for number in range(1, DIE_LAMPS + 1)),
        *(f"ticket-{number}" for number in range(1, TICKETS + 1)),
    )


def _edge_lamp_positions(wide: float, high: float) -> dict[str, tuple[float, float]]:
    """Where they lie: the calendar above, the others below, from the buttons to the right."""
    last = len(named_lamps()) - 1
    return {
        lamp: (38.0 + number * 18, round(high - 15.0))
        if number < MAX_ROUNDS
        else (round(wide - 20.0 - (last - number) * 34), 15.0)
        for number, lamp in enumerate(named_lamps())
    }


def _named_lamp_lines(chain: Mapping[str, int], wide: float, high: float) -> Iterator[str]:
    for lamp, (x, y) in _edge_lamp_positions(wide, high).items():
        yield f"{lamp} = {{ lamp = {chain[lamp]}, at = [{x:g}, {y:g}] }}"


def _lines(board: CityMap) -> Iterator[str]:
    for number, city in enumerate(board.ids):
        others = [board.ids[other] for one, other in board.links if one == number]
        if others:
            yield f"{city} = {json.dumps(others)}"


def _spaces(placed: Sequence[MapSpace], chain: Mapping[str, int], columns: int, slots: int) -> Iterator[str]:
    """From north to south, so that wires to neighbours in the matrix are short."""
    contact = 0
    for spot in sorted(placed, key=lambda spot: (-spot.wiring_position_mm[1], spot.wiring_position_mm[0])):
        x, y = spot.position_mm
        outline = 'outline = "airport", ' if spot.is_airport else ""
        sensors = [list(divmod(contact + number, columns)) for number in range(slots)]
        contact += slots
        if slots == 1:
            felt = f"sensor = {sensors[0]}"
        else:
            angles = (2 * math.pi * number / slots for number in range(slots))
            around = [
                (x + SLOT_RADIUS_MM[slots] * math.cos(angle), y + SLOT_RADIUS_MM[slots] * math.sin(angle))
                for angle in angles
            ]
            parts = (
                f"{{ at = [{px:.1f}, {py:.1f}], sensor = {sensor} }}"
                for (px, py), sensor in zip(around, sensors, strict=True)
            )
            felt = f"slots = [{', '.join(parts)}]"
        name = json.dumps(spot.name, ensure_ascii=False)
        felt = f"{outline}{felt}, lamp = {chain[spot.id]}"
        yield f"{spot.id} = {{ name = {name}, at = [{x:g}, {y:g}], {felt} }}"


def make(file: Path | None, board_id: str, wiring: BoardWiring) -> str:
    """A board file of a map file; of the shipped map if there is none. Raises `BoardNotPossible`."""
    try:
        board = map_by_text("original" if file is None else read_map(file))
    except MapFileError as error:
        raise BoardNotPossible(str(error)) from None
    except MapError as error:
        raise BoardNotPossible(f"{file}: {error}") from None
    return board_file_text(board, board_id, wiring.reeds_per_space, pico=wiring.uses_pico)
