"""The board file: one TOML file a board, the single source of what is where.

The drivers, the tables for makers and the simulator all read it. `load_board` refuses a wrong file with
`FILE:LINE: what was found, what was expected` and builds a `BoardDescription` whose parts fit together: no
two slots on one contact, no two lamps on one place of a chain, no pin used twice.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

from boardware import header
from boardware.errors import BoardFileError
from boardware.header import HeaderPins
from boardware.measures import checked_id, read_board_size, read_length_mm, read_position
from boardware.parts import (
    BoardDescription,
    BoardPoint,
    Button,
    Buzzer,
    LampAt,
    LampChain,
    MatrixBank,
    Outline,
    Pico,
    SensorAt,
    Slot,
    SpacePlace,
)
from boardware.physics.sensing import read_sensor_design
from boardware.physics.wires import LAMP_KEYS, MATRIX_KEYS, lamp_wires, matrix_wires, read_pico_chip
from boardware.pico_pins import CHAIN_LAMPS_MAX, PicoPins
from boardware.places import PlaceReader
from boardware.readers import pad, reader_bank
from boardware.tomlfile import TomlFile, TomlTable, quote_value
from boardwire.strip import LAMP_IDLE_MA, WHITE_MA

__all__ = [
    "BoardDescription",
    "BoardFileError",
    "BoardPoint",
    "Button",
    "Buzzer",
    "LampAt",
    "LampChain",
    "MatrixBank",
    "Outline",
    "Pico",
    "SensorAt",
    "Slot",
    "SpacePlace",
    "board_names",
    "board_path",
    "load_board",
    "readable_boards",
]

FORMAT = "boardumpire-board"
VERSION = 1
_SHIPPED_FOLDER = Path(__file__).parent / "boards"
_COLOUR_ORDERS = tuple("".join(order) for order in permutations("RGB"))
_DRIVE_METHODS = ("spi", "pwm")
_log = logging.getLogger(__name__)


ENTRY_POINT_GROUP = "boardumpire.boards"
"""Entry points that name a package with board files in it: who brings a game brings its boards so."""


def board_names() -> tuple[str, ...]:
    """The boards that ship with the product or with a game, by the name `load_board` takes."""
    return tuple(_board_files())


@cache
def _board_files() -> Mapping[str, Path]:
    """The file of each such board. What ships with the product can't be replaced by another distribution."""
    found = {}
    for value in sorted(_board_packages()):
        folder = _package_folder(value)
        if folder is None:
            _log.warning("%s: there is no such folder of boards; it is left out", value)
            continue
        found.update({path.stem: path for path in folder.glob("*.toml")})
    found.update({path.stem: path for path in _SHIPPED_FOLDER.glob("*.toml")})
    return {name: found[name] for name in sorted(found)}


def _board_packages() -> set[str]:
    """The packages of boards that other distributions name; one whose metadata can't be read has none."""
    from importlib.metadata import distributions, entry_points  # a board of ours, or a path, needs none of it

    try:
        return {entry.value for entry in entry_points(group=ENTRY_POINT_GROUP)}
    except Exception:  # of a single distribution, but then none is answered
        found: set[str] = set()
        for each in distributions():
            with suppress(Exception):
                found |= {entry.value for entry in each.entry_points if entry.group == ENTRY_POINT_GROUP}
        return found


def _package_folder(package: str) -> Path | None:
    """Where a package stands. None of its modules is imported: what a game does then is not the board's
    matter."""
    from importlib.util import find_spec

    first, *rest = package.split(".")
    try:
        spec = find_spec(first)
    except (ImportError, ValueError):
        spec = None
    places = (spec and spec.submodule_search_locations) or ()
    return next((path for where in places if (path := Path(where, *rest)).is_dir()), None)


@cache
def readable_boards() -> Mapping[str, BoardDescription]:
    """The boards of `board_names`, by name. One whose file is wrong is named in a warning, and left out."""
    found = {}
    for name in board_names():
        try:
            found[name] = load_board(name)
        except BoardFileError as error:
            _log.warning("board %s is left out: %s", name, error)
    return found


def board_path(name_or_path: str | Path) -> Path:
    """The file of the board of that shipped name, or at that path, as `load_board` takes it.

    Raises `BoardFileError` for a name that no shipped board has.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in text or text.endswith(".toml"):
        return Path(name_or_path)
    shipped = _SHIPPED_FOLDER / f"{text}.toml"
    if shipped.is_file():  # without a look at what other distributions bring, which takes 8 ms
        return shipped
    if text not in board_names():
        if text and Path(text).is_file():
            return Path(text)
        raise BoardFileError(f"no board {text!r}; try {', '.join(board_names())} or the path of a file")
    return _board_files()[text]


def load_board(name_or_path: str | Path) -> BoardDescription:
    """The board of that shipped name, or of the file at that path (anything with a `/` or ending in `.toml`).

    Raises `BoardFileError`: the file is not there, or is wrong at a line.
    """
    path = board_path(name_or_path)
    return _read_shipped(path) if path.parent == _SHIPPED_FOLDER else _read_board(path)


@cache
def _read_shipped(path: Path) -> BoardDescription:
    """A board that ships with the product doesn't change while it runs, and nobody changes a
    `BoardDescription`."""
    return _read_board(path)


def _read_board(path: Path) -> BoardDescription:
    root = TomlFile(path).root
    _check_format(root)
    root.refuse_unknown_keys(
        *("format", "version", "id", "name", "size", "games", "current_limit_ma", "outlines", "picos"),
        *("banks", "chains", "buttons", "buzzer", "lamps", "readers", "pads", "defaults", "spaces", "lines"),
        "sensing",
    )
    size = read_board_size(root)
    outlines = {id_: _outline(id_, table) for id_, table in root.table("outlines").tables()}
    picos = {id_: _pico(id_, table) for id_, table in root.table("picos", needed=False).tables()}
    pins = _AllPins(HeaderPins(), {id_: PicoPins(id_) for id_ in picos})
    chains = {id_: _chain(id_, table, pins) for id_, table in root.table("chains", needed=False).tables()}
    banks = {id_: _bank(id_, table, pins) for id_, table in root.table("banks", needed=False).tables()}
    buttons = {
        id_: _button(id_, table, pins, size) for id_, table in root.table("buttons", needed=False).tables()
    }
    buzzer = _buzzer(root.table("buzzer"), pins) if root.has("buzzer") else None
    readers = {
        id_: reader_bank(id_, table, pins.pins_of_pico(table))
        for id_, table in root.table("readers", needed=False).tables()
    }
    places = PlaceReader(root, size, outlines, banks, chains, readers)
    pads = {
        id_: pad(id_, table, pins.pins_of_pico(table), size)
        for id_, table in root.table("pads", needed=False).tables()
    }
    named = {id_: places.named_lamp(id_, table) for id_, table in root.table("lamps", needed=False).tables()}
    spaces = {id_: places.space(id_, table) for id_, table in root.table("spaces").tables()}
    if not spaces:
        root.fail("spaces", "a board without spaces", "at least one")
    for id_ in pads.keys() & spaces.keys():
        root.table("pads").fail(id_, f"{id_} is a space's id already", "an id of its own for each pad")
    return BoardDescription(
        id=checked_id(root, "id", root.text("id")),
        name=root.text("name"),
        size=size,
        games=_games(root),
        spaces=spaces,
        lamps=places.lamps,
        named_lamps=named,
        banks=banks,
        chains=chains,
        buttons=buttons,
        current_limit_ma=_current_limit(root, chains),
        picos=picos,
        buzzer=buzzer,
        reader_banks=readers,
        pads=pads,
        lines=tuple(_lines(root.table("lines", needed=False), spaces)),
        sensor_design=read_sensor_design(root.table("sensing")) if root.has("sensing") else None,
    )


def _check_format(root: TomlTable) -> None:
    first = next(iter(root.values), None)
    if first != "format" or root.values["format"] != FORMAT:
        found = "an empty file" if first is None else f"{first} comes first"
        if first == "format":
            found = f"format is {quote_value(root.values[first])}"
        root.fail(first, found, f'format = "{FORMAT}" first')
    version = root.integer("version", 1, 10**9)
    if version > VERSION:
        root.fail("version", f"version {version} of {FORMAT}, which is newer", f"at most {VERSION}")


def _lines(table: TomlTable, spaces: Mapping[str, SpacePlace]) -> Iterator[tuple[str, str]]:
    """Pairs of spaces, each once: `berlin = ["cottbus", "leipzig"]`."""
    known = set()
    for one in table.values:
        if one not in spaces:
            table.fail(one, f"a line from {one}, which is no space", "a space's id")
        for other in table.list(one, "a list of ids of spaces"):
            if not isinstance(other, str) or other not in spaces or other == one:
                table.fail(one, f"lines.{one} names {quote_value(other)}", "ids of other spaces")
            if {one, other} in known:
                table.fail(one, f"a second line between {one} and {other}", "one")
            known.add(frozenset((one, other)))
            yield one, other


def _games(root: TomlTable) -> tuple[str, ...]:
    games = root.list("games", "a list of ids of games")
    for game in games:
        if not isinstance(game, str):
            root.refuse_value("games", "a list of ids of games")
        checked_id(root, "games", game)
    return tuple(games)


def _outline(id_: str, table: TomlTable) -> Outline:
    table.refuse_unknown_keys("shape", "width", "height")
    shape = table.values.get("shape", "rectangle")
    if shape not in ("rectangle", "ellipse"):
        table.refuse_value("shape", "rectangle or ellipse")
    return Outline(
        checked_id(table, None, id_), shape, read_length_mm(table, "width"), read_length_mm(table, "height")
    )


class _AllPins(NamedTuple):
    """The pins of the Pi's own header, and those of each Pico."""

    header: HeaderPins
    picos: Mapping[str, PicoPins]

    def pins_of_pico(self, table: TomlTable) -> PicoPins | None:
        """The Pico that a part hangs on; `None` where it doesn't say so."""
        if not table.has("pico"):
            return None
        id_ = table.values["pico"]
        if not isinstance(id_, str) or id_ not in self.picos:
            table.refuse_value("pico", f"one of {', '.join(self.picos) or 'none: no Pico is described'}")
        return self.picos[id_]


def _pico(id_: str, table: TomlTable) -> Pico:
    table.refuse_unknown_keys("usb", "chip")
    usb = table.text("usb") if table.has("usb") else None
    return Pico(checked_id(table, None, id_), usb, read_pico_chip(table))


def _chain(id_: str, table: TomlTable, all_pins: _AllPins) -> LampChain:
    if (pico := all_pins.pins_of_pico(table)) is not None:
        return _pico_chain(id_, table, pico)
    pins = all_pins.header
    table.refuse_unknown_keys("length", "order", "by", "spi_claims", *LAMP_KEYS)
    by = table.list("by", 'a list of "spi" and "pwm"')
    if any(way not in _DRIVE_METHODS for way in by) or len(set(by)) < len(by):
        table.refuse_value("by", 'a list of "spi" and "pwm"')
    claims: list[int] = []
    if "spi" in by:
        claims += pins.claim_spi_pins(table)
    elif table.has("spi_claims"):
        table.fail(
            "spi_claims", "spi_claims of a chain that is not driven by SPI", 'by = ["spi"] or no such key'
        )
    if "pwm" in by:
        pins.claim_pin(table, "by", header.PWM_GPIO, f"the PWM of chain {id_}")
        claims.append(header.PWM_GPIO)
    length = table.integer("length", 1, 2000, "lamps")
    return LampChain(
        checked_id(table, None, id_),
        length,
        _read_colour_order(table),
        tuple(by),
        tuple(claims),
        wires=lamp_wires(table),
    )


def _pico_chain(id_: str, table: TomlTable, pico: PicoPins) -> LampChain:
    table.refuse_unknown_keys("length", "order", "pico", "gpio", *LAMP_KEYS)
    gpio = pico.claim_chain_pin(table, "gpio", id_)
    length = table.integer("length", 1, CHAIN_LAMPS_MAX, "lamps")
    return LampChain(
        checked_id(table, None, id_),
        length,
        _read_colour_order(table),
        ("pico",),
        (),
        pico.id,
        gpio,
        lamp_wires(table),
    )


def _read_colour_order(table: TomlTable) -> str:
    if table.read_any("order", "the order of the colours") not in _COLOUR_ORDERS:
        table.refuse_value("order", "one of " + ", ".join(_COLOUR_ORDERS))
    return table.text("order")


def _bank(id_: str, table: TomlTable, all_pins: _AllPins) -> MatrixBank:
    table.refuse_unknown_keys("rows", "columns", "diodes", "settle_us", "pico", *MATRIX_KEYS)
    diodes = table.flag("diodes")
    pico = all_pins.pins_of_pico(table)
    return MatrixBank(
        checked_id(table, None, id_),
        (pico or all_pins.header).claim_row_pins(table, "rows", id_, diodes=diodes),
        (pico or all_pins.header).claim_column_pins(table, "columns", id_),
        diodes,
        table.integer("settle_us", 0, 10_000, "us"),
        pico.id if pico else None,
        matrix_wires(table),
    )


def _button(id_: str, table: TomlTable, all_pins: _AllPins, size: BoardPoint) -> Button:
    table.refuse_unknown_keys("gpio", "at", "pico")
    pico = all_pins.pins_of_pico(table)
    if pico is not None:
        gpio = pico.claim_one_pin(table, "gpio", f"button {id_}")
    else:
        gpio = table.integer("gpio", 0, header.LAST_GPIO)
        all_pins.header.claim_pin(table, "gpio", gpio, f"button {id_}")
    return Button(checked_id(table, None, id_), gpio, read_position(table, size), pico.id if pico else None)


def _buzzer(table: TomlTable, all_pins: _AllPins) -> Buzzer:
    table.refuse_unknown_keys("gpio", "pico")
    pico = all_pins.pins_of_pico(table)
    if pico is not None:
        return Buzzer(pico.claim_one_pin(table, "gpio", "the buzzer"), pico.id)
    gpio = table.integer("gpio", 0, header.LAST_GPIO)
    if gpio in header.PULLED_UP_GPIOS:
        # It would sound from power on until the driver opens.
        table.fail("gpio", f"GPIO{gpio}, which the Pi pulls up, for the buzzer", "another pin")
    all_pins.header.claim_pin(table, "gpio", gpio, "the buzzer")
    return Buzzer(gpio)


def _current_limit(root: TomlTable, chains: Mapping[str, LampChain]) -> int:
    limit = root.integer("current_limit_ma", 0, 100_000, "mA")
    lamps = sum(chain.length for chain in chains.values())
    least = lamps * LAMP_IDLE_MA + WHITE_MA if lamps else 0
    if limit < least:
        root.refuse_value(
            "current_limit_ma",
            f"at least {least} mA: {lamps} dark lamps draw {lamps * LAMP_IDLE_MA}, one white lamp {WHITE_MA}",
        )
    return limit
