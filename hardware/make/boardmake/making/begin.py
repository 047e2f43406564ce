"""A board file to begin with: from a grid, or from spaces that a drawing gave (`drawing`).

Pins, chain and matrix are chosen; `boardumpire board check` judges what comes out. Lengths in mm.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from boardmake.making.spots import ID_PATTERN, BoardNotPlanned, PlannedSpace, PlannedSpaces
from boardware.header import MOSI_GPIO, SCLK_GPIO

MARGIN_MM: Final = 20.0
"""Around the spaces; the buttons lie in it."""
GRID_SIDE_MAX: Final = 26
"""Files and ranks of a grid."""
_GRID_PATTERN: Final = re.compile(r"([0-9]{1,2})x([0-9]{1,2})")
_BUTTON_IDS: Final = ("confirm", "cancel", "turn")
_PICO_PINS: Final = (*range(16), 22, 26, 27, 28)
"""GPs for a matrix: columns first, which have to be neighbours. 16 is for the lamps, 17 to 19 for buttons."""
_NEIGHBOUR_PIN_COUNT: Final = 16
"""So many of them are neighbours."""
_HEADER_PINS: Final = (4, 17, 27, 22, 5, 6, 13, 19, 23, 24, 25, 12, 16, 20, 21, 26, 14, 15)
"""GPIOs for a matrix: what lamps, I2C and buttons leave."""


def plan_grid(size: str, pitch: float, lakes: Sequence[str]) -> PlannedSpaces:
    """Squares from a1 on. Raises `BoardNotPlanned`."""
    found = _GRID_PATTERN.fullmatch(size)
    if found is None or not all(1 <= int(side) <= GRID_SIDE_MAX for side in found.groups()):
        raise BoardNotPlanned(
            f"--grid {size[:20]!r}: not a grid; try files x ranks, each 1 to {GRID_SIDE_MAX}, such as 8x8"
        )
    if not 15 <= pitch <= 200:
        raise BoardNotPlanned(f"--pitch {pitch:g}: too small or large; try 15 to 200, in mm")
    files, ranks = int(found[1]), int(found[2])
    low = MARGIN_MM + pitch / 2
    spots = [
        PlannedSpace(name, low + pitch * file, low + pitch * rank, "lake" if name in lakes else "square")
        for rank in range(ranks)
        for file in range(files)
        for name in [f"{chr(97 + file)}{rank + 1}"]
    ]
    for lake in lakes:
        if lake not in {spot.id for spot in spots}:
            raise BoardNotPlanned(f"--lake {lake[:20]!r}: no such square; try one of a1 to {spots[-1].id}")
    width, height = 2 * MARGIN_MM + pitch * files, 2 * MARGIN_MM + pitch * ranks
    return PlannedSpaces(tuple(spots), width, height, pitch, (files, ranks))


def board_file_text(
    id_: str, name: str, spots: PlannedSpaces, games: Sequence[str], seats: Sequence[str], *, header: bool
) -> str:
    """The text of the board file, with a lamp `turn-SEAT` for each of `seats`. Raises `BoardNotPlanned` where
    pins don't suffice."""
    if not ID_PATTERN.fullmatch(id_) or len(id_) > 40:
        raise BoardNotPlanned(f"{id_[:40]!r}: not an id; try small letters, digits and hyphens")
    rows, columns = _matrix_pins(spots, header=header)
    lamp_count = len(spots.spaces) + len(seats)
    lines = [
        "# Begun by `boardumpire board new`. `boardumpire board check` says what it can do.",
        'format = "boardumpire-board"',
        "version = 1",
        "",
        f'id = "{id_}"',
        f"name = {json.dumps(name, ensure_ascii=False)}",
        f"size = [{spots.width:g}, {spots.height:g}] # mm. Positions are from the lower left corner.",
        f"games = {json.dumps(list(games))}",
        f"current_limit_ma = {max(500, min(1500, 40 * lamp_count))} # what the lamps may draw",
        "",
        "[outlines]",
        *_outline_lines(spots),
        "",
        "[sensing] # what feels the pieces, and the magnets in their feet",
        'sensor = "reed on end 15-20 AT"',
        *(
            ('magnet = "8x3" # mm', "gap_mm = 6")
            if spots.space_width >= 40
            else ('magnet = "6x3" # mm', "gap_mm = 4")
        ),
        'poles = "mixed" # every other magnet upside down',
        "",
        *_wiring_lines(rows, columns, lamp_count, header=header),
        "[buttons]",
        *_button_lines(spots.width, header=header),
        "",
        *_turn_lamp_lines(spots, seats),
        "[defaults]",
        f'outline = "{"circle" if spots.spaces[0].outline == "circle" else "square"}"',
        'bank = "reeds"',
        'chain = "lamps"',
        "",
        "[spaces]",
        *_space_lines(spots, len(columns)),
    ]
    return "".join(f"{line}\n" for line in lines)


def _matrix_pins(spots: PlannedSpaces, *, header: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Pins of rows and columns: a column for each file and a row for each rank of a grid if the pins suffice,
    else as square as may be."""
    pins = _HEADER_PINS if header else _PICO_PINS
    count = len(spots.spaces)
    across, down = spots.grid_size
    if not across or across + down > len(pins) or (not header and across > _NEIGHBOUR_PIN_COUNT):
        across = min(math.isqrt(max(0, count - 1)) + 1, len(pins) // 2)
        down = math.ceil(count / across)
    if across + down > len(pins):
        raise BoardNotPlanned(
            f"{count} spaces; there is room for {(len(pins) // 2) ** 2} on"
            f" {'the header' if header else 'one Pico'}: see `boardumpire make map-board` for more"
        )
    columns = pins[:across] if not header else pins[down : down + across]
    rows = pins[across : across + down] if not header else pins[:down]
    return rows, columns


def _outline_lines(spots: PlannedSpaces) -> Iterator[str]:
    for shape in sorted({spot.outline for spot in spots.spaces}):
        kind = 'shape = "ellipse", ' if shape == "circle" else ""
        yield f"{shape} = {{ {kind}width = {spots.space_width:g}, height = {spots.space_width:g} }}"


def _wiring_lines(rows: Sequence[int], columns: Sequence[int], count: int, *, header: bool) -> Iterator[str]:
    on, kind, settle = ((), "BCM", "50") if header else (('pico = "pico"',), "GP", "40")
    if not header:
        yield from ("[picos.pico]", "")
    yield from ("[banks.reeds]", *on, f"rows = {list(rows)} # {kind} numbers, driven")
    yield f"columns = {list(columns)} # {kind} numbers, read"
    yield from ("diodes = true", f"settle_us = {settle}", "", "[chains.lamps]", *on)
    if header:
        yield from ('by = ["spi"]', f"spi_claims = [{MOSI_GPIO}, {SCLK_GPIO}]")
    else:
        yield "gpio = 16"
    yield from (f"length = {count}", 'order = "GRB" # as WS2812B take them', "")


def _button_lines(width: float, *, header: bool) -> Iterator[str]:
    """Along the lower edge, 30 mm apart where there is room."""
    first, apart = (40.0, 30.0) if width >= 120 else (width / 4, width / 4)
    for number, button in enumerate(_BUTTON_IDS):
        pin = f"gpio = {(8, 7, 9)[number]}" if header else f'pico = "pico", gpio = {17 + number}'
        yield f"{button} = {{ {pin}, at = [{first + apart * number:g}, 8] }}"


def _turn_lamp_lines(spots: PlannedSpaces, seats: Sequence[str]) -> Iterator[str]:
    """Along the upper edge, where the chain of the spaces ends."""
    if not seats:
        return
    yield "[lamps]"
    for number, seat in enumerate(seats):
        x = spots.width * (number + 0.5) / len(seats)
        yield f"turn-{seat} = {{ lamp = {len(spots.spaces) + number}, at = [{x:.0f}, {spots.height - 8:g}] }}"
    yield ""


def _space_lines(spots: PlannedSpaces, columns: int) -> Iterator[str]:
    """Every other row of lamps runs back, so that the wire from lamp to lamp is short."""
    by_row: dict[float, list[PlannedSpace]] = {}
    for spot in sorted(spots.spaces, key=lambda spot: spot.y):
        near = next((y for y in by_row if abs(y - spot.y) < spots.space_width / 2), spot.y)
        by_row.setdefault(near, []).append(spot)
    contact = 0
    for number, row in enumerate(by_row.values()):
        row.sort(key=lambda spot: spot.x)
        for place, spot in enumerate(row):
            lamp = contact + (len(row) - 1 - 2 * place if number % 2 else 0)
            sensor = list(divmod(contact, columns))
            outline = 'outline = "lake", ' if spot.outline == "lake" else ""
            felt = f"{outline}sensor = {sensor}, lamp = {lamp}"
            yield f"{spot.id} = {{ at = [{spot.x:g}, {spot.y:g}], {felt} }}"
            contact += 1
