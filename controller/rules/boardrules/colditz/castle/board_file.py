"""A board file made from a castle: `boardumpire make map-board --game escape-from-colditz`.

Circles lie where the castle has them, each with a reed and a lamp; the cells, Barracks and the Commander's
Office have a reed for each pawn and one lamp. From left to right the board is cut into strips of at most a
hundred reeds, each with a Pico and a chain of lamps of its own. The lamps of the round track lie along the
upper edge, those that say whose turn it is and the buttons along the lower one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from boardrules.board_file import BoardNotPossible, BoardWiring, sensing_section_lines, short_lamp_chain
from boardrules.colditz.castle.actions import SEATS
from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.castle.board_reader import CASTLE, read_board
from boardrules.colditz.castle.board_reader import board_by_key as castle
from boardrules.colditz.castle.datafile import DataError, read_text
from boardrules.colditz.castle.labels import track_positions
from boardrules.colditz.castle.plan import CastleArea

GAME = "escape-from-colditz"
COLUMN_GPS = tuple(range(10))
"""GPs of a Pico that are read: they have to be neighbours."""
ROW_GPS = (10, 11, 12, 13, 14, 15, 22, 26, 27, 28)
"""GPs of a Pico that are driven."""
MAX_REEDS_PER_PICO = len(COLUMN_GPS) * len(ROW_GPS)
PICO_NAMES = ("one", "two", "three", "four", "five", "six")
LAMPS_GP, BUZZER_GP = 16, 21
BUTTON_GPS = {"confirm": 17, "cancel": 18, "turn": 19, "choose": 20}
MAX_CURRENT_MA = 2500
"""What all lamps may draw: a 5 V, 4 A supply leaves the rest to the Pi and the Picos."""
MAX_SHEET_MM = (900, 700)
CIRCLE_DIAMETER_MM, CELL_WIDTH_MM = 22, 20
"""mm across."""
MIN_CIRCLE_DISTANCE_MM = 30.0


class CastleSpace(NamedTuple):
    """A space on the board."""

    id: str
    position_mm: tuple[float, float]
    """mm from the lower left corner."""
    outline: str
    slots: tuple[tuple[float, float], ...]


class PicoWiring(NamedTuple):
    """What hangs on one Pico: by contact (space, slot), and lamps in the order of the chain."""

    pico: str
    contacts: tuple[tuple[str, int], ...]
    lamps: tuple[str, ...]


def castle_spaces(board: CastleBoard) -> list[CastleSpace]:
    """Every space where a pawn can stand: the circles, then the places beside them."""
    plan, high = board.plan, board.plan.size[1]
    circles = [
        CastleSpace(name, (circle.x, high - circle.y), "circle", ((circle.x, high - circle.y),))
        for name, circle in plan.circles.items()
    ]
    return circles + [_area_space(name, place, high) for name, place in plan.places.items()]


def _area_space(name: str, place: CastleArea, high: float) -> CastleSpace:
    x, y, across, step = place.slot_grid
    slots = tuple(
        (float(x + number % across * step), float(high - y - number // across * step))
        for number in range(place.capacity)
    )
    middle = (
        (min(at[0] for at in slots) + max(at[0] for at in slots)) / 2,
        (min(at[1] for at in slots) + max(at[1] for at in slots)) / 2,
    )
    return CastleSpace(name, middle, name, slots)


def pico_strips(board: CastleBoard) -> list[PicoWiring]:
    """The board cut from left to right. Raises `BoardNotPossible` where there are more reeds than Picos."""
    placed = castle_spaces(board)
    named = named_lamps(board)
    places = {spot.id: spot.position_mm for spot in placed} | named
    felt = [(at, spot.id, number) for spot in placed for number, at in enumerate(spot.slots)]
    felt.sort(key=lambda one: (one[0][0], -one[0][1]))
    count = math.ceil(len(felt) / MAX_REEDS_PER_PICO)
    if count > len(PICO_NAMES):
        most = MAX_REEDS_PER_PICO * len(PICO_NAMES)
        raise BoardNotPossible(f"board {board.name}: {len(felt)} places for pawns; try at most {most}")
    found, lit = [], set[str]()
    for number in range(count):
        part = sorted(
            felt[number * MAX_REEDS_PER_PICO : (number + 1) * MAX_REEDS_PER_PICO],
            key=lambda one: (-one[0][1], one[0][0]),
        )
        # The round track hangs on the first Pico, the other named lamps on the last one.
        lamps = {space for _, space, _ in part} - lit
        lit |= lamps
        lamps |= {lamp for lamp in named if number == (0 if lamp.startswith("round-") else count - 1)}
        contacts = tuple((space, slot) for _, space, slot in part)
        chain = short_lamp_chain({lamp: places[lamp] for lamp in lamps})
        found.append(PicoWiring(PICO_NAMES[number], contacts, tuple(chain)))
    return found


def named_lamps(board: CastleBoard) -> dict[str, tuple[float, float]]:
    """The lamps that belong to no space, with where they lie."""
    wide, high = board.plan.size
    rounds = {f"round-{number}": (x, high - y) for number, x, y in track_positions()}
    return rounds | {f"turn-{seat}": (wide - 280.0 + 20 * place, 25.0) for place, seat in enumerate(SEATS)}


def board_file_text(board: CastleBoard, name: str) -> str:
    """The text of the board file. Raises `BoardNotPossible` where the castle is too large."""
    wide, high = board.plan.size
    if wide > MAX_SHEET_MM[0] or high > MAX_SHEET_MM[1]:
        raise BoardNotPossible(
            f"board {board.name}: {wide} x {high} mm; try at most {MAX_SHEET_MM[0]} x {MAX_SHEET_MM[1]}"
        )
    parts = pico_strips(board)
    last = parts[-1].pico
    lines = [
        f"# The board {board.name} of Escape from Colditz,"
        f" made by `boardumpire make map-board --game {GAME}`.",
        'format = "boardumpire-board"',
        "version = 1",
        "",
        f'id = "{name}"',
        f"name = {json.dumps(f'Escape from Colditz, {board.plan.title}', ensure_ascii=False)}",
        f"size = [{wide}, {high}] # mm. Positions are from the lower left corner: right, then up.",
        f'games = ["{GAME}"]',
        f"current_limit_ma = {MAX_CURRENT_MA} # what the lamps may draw",
        "",
        "[outlines]",
        f'circle = {{ shape = "ellipse", width = {CIRCLE_DIAMETER_MM}, height = {CIRCLE_DIAMETER_MM} }}',
        *(_outline(name, place) for name, place in board.plan.places.items()),
        "",
        *sensing_section_lines(MIN_CIRCLE_DISTANCE_MM),
        *(line for part in parts for line in _pico_lines(part)),
        "[buttons]",
        *(
            f'{button} = {{ pico = "{last}", gpio = {gpio}, at = [{wide - 400 + 25 * number}, 25] }}'
            for number, (button, gpio) in enumerate(BUTTON_GPS.items())
        ),
        "",
        "[buzzer]",
        f'pico = "{last}"',
        f"gpio = {BUZZER_GP}",
        "",
        "# The round track, and whose turn it is.",
        "[lamps]",
        *_named_lamp_lines(parts, board),
        "",
        "[defaults]",
        'outline = "circle"',
        "",
        "# id = middle in mm, sensor as [bank, row, column], lamp as [chain, number].",
        "[spaces]",
        *_spaces(parts, board),
        "",
        "# The lines that are printed between circles; each stands once.",
        "[lines]",
        *_lines(board),
    ]
    return "".join(f"{line}\n" for line in lines)


def _outline(name: str, place: CastleArea) -> str:
    _, _, across, step = place.slot_grid
    wide, deep = min(across, place.capacity), math.ceil(place.capacity / across)
    return (
        f"{name} = {{ width = {(wide - 1) * step + CELL_WIDTH_MM}, height ="
        f" {(deep - 1) * step + CELL_WIDTH_MM} }}"
    )


def _pico_lines(part: PicoWiring) -> Iterator[str]:
    pico, rows = part.pico, ROW_GPS[: math.ceil(len(part.contacts) / len(COLUMN_GPS))]
    yield from (f"[picos.{pico}]", "", f"[banks.{pico}]", f'pico = "{pico}"')
    yield f"rows = {list(rows)} # GP numbers, driven"
    yield f"columns = {list(COLUMN_GPS)} # GP numbers, read"
    yield "diodes = true"
    yield "settle_us = 40 # twice what the 80 kOhm of a Pico's weakest pull-down need with 200 pF of cable"
    yield from (
        "",
        f"[chains.{pico}]",
        f'pico = "{pico}"',
        f"gpio = {LAMPS_GP}",
        f"length = {len(part.lamps)}",
    )
    yield from ('order = "GRB" # as WS2812B take them', "")


def _lamp_places(parts: list[PicoWiring]) -> dict[str, str]:
    """By lamp its chain and its number in it."""
    return {lamp: f'["{part.pico}", {number}]' for part in parts for number, lamp in enumerate(part.lamps)}


def _named_lamp_lines(parts: list[PicoWiring], board: CastleBoard) -> Iterator[str]:
    lamps = _lamp_places(parts)
    for lamp, (x, y) in named_lamps(board).items():
        yield f"{lamp} = {{ lamp = {lamps[lamp]}, at = [{x:g}, {y:g}] }}"


def _spaces(parts: list[PicoWiring], board: CastleBoard) -> Iterator[str]:
    sensors, lamps = {}, _lamp_places(parts)
    for part in parts:
        for contact, felt in enumerate(part.contacts):
            row, column = divmod(contact, len(COLUMN_GPS))
            sensors[felt] = f'["{part.pico}", {row}, {column}]'
    for spot in castle_spaces(board):
        (x, y), several = spot.position_mm, len(spot.slots) > 1
        shape = f'outline = "{spot.outline}", ' if spot.outline != "circle" else ""
        if several:
            slots = (
                f"{{ at = [{sx:g}, {sy:g}], sensor = {sensors[spot.id, number]} }}"
                for number, (sx, sy) in enumerate(spot.slots)
            )
            felt_by = f"slots = [{', '.join(slots)}]"
        else:
            felt_by = f"sensor = {sensors[spot.id, 0]}"
        yield f"{spot.id} = {{ at = [{x:g}, {y:g}], {shape}{felt_by}, lamp = {lamps[spot.id]} }}"


def _lines(board: CastleBoard) -> Iterator[str]:
    beside: dict[str, list[str]] = {}
    for one, other in board.plan.links:
        if one not in beside.get(other, ()):
            beside.setdefault(one, []).append(other)
    for one, others in beside.items():
        yield f"{one} = {json.dumps(others)}"


def make(file: Path | None, board_id: str, wiring: BoardWiring) -> str:
    """A board file of a castle file; of the shipped castle if there is none. It always hangs on Picos.
    Raises `BoardNotPossible`."""
    if wiring.reeds_per_space != 1:
        raise BoardNotPossible(
            f"--slots {wiring.reeds_per_space}: a castle says how many pawns a place holds, and each has a"
            " reed; leave --slots out"
        )
    try:
        board = castle(CASTLE) if file is None else read_board(read_text(file), str(file))
    except DataError as error:
        raise BoardNotPossible(str(error)) from None
    return board_file_text(board, board_id)
