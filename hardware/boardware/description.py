"""The board file: one TOML file a board, the single source of what is where.

The drivers, the tables for makers and the simulator all read it. `load_board` refuses a wrong file with
`FILE:LINE: what was found, what was expected` and builds a `Board` whose parts fit together: no two slots on
one contact, no two lamps on one place of a chain, no pin used twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path

from boardware import header
from boardware.errors import BoardFileError
from boardware.header import Pins
from boardware.parts import (
    Bank,
    Board,
    Button,
    Chain,
    LampAt,
    Outline,
    Position,
    SensorAt,
    Slot,
    SpacePlace,
)
from boardware.ports import LampId
from boardware.tomlfile import Table, TomlFile, is_integer, shown
from boardwire.strip import IDLE_MA, WHITE_MA

__all__ = [
    *("Bank", "Board", "BoardFileError", "Button", "Chain", "LampAt", "Outline"),
    *("Position", "SensorAt", "Slot", "SpacePlace", "board_names", "load_board"),
]

FORMAT = "boardumpire-board"
VERSION = 1
LARGEST_BOARD = 5000
"""mm"""
_SHIPPED = Path(__file__).parent / "boards"
_ORDERS = tuple("".join(order) for order in permutations("RGB"))
_WAYS = ("spi", "pwm")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def board_names() -> tuple[str, ...]:
    """The boards that ship with the product, by the name `load_board` takes."""
    return tuple(sorted(path.stem for path in _SHIPPED.glob("*.toml")))


def load_board(name_or_path: str | Path) -> Board:
    """The board of that shipped name, or of the file at that path (anything with a `/` or ending in `.toml`).

    Raises `BoardFileError`: the file is not there, or is wrong at a line.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in text or text.endswith(".toml"):
        return _read(Path(name_or_path))
    if text not in board_names():
        raise BoardFileError(f"no board {text!r}, expected {', '.join(board_names())} or the path of a file")
    return _read(_SHIPPED / f"{text}.toml")


def _read(path: Path) -> Board:
    root = TomlFile(path).root
    _check_format(root)
    root.known(
        *("format", "version", "id", "name", "size", "games", "current_limit_ma", "outlines"),
        *("banks", "chains", "buttons", "lamps", "defaults", "spaces"),
    )
    size = _size(root)
    outlines = {id_: _outline(id_, table) for id_, table in root.table("outlines").tables()}
    pins = Pins()
    chains = {id_: _chain(id_, table, pins) for id_, table in root.table("chains", needed=False).tables()}
    banks = {id_: _bank(id_, table, pins) for id_, table in root.table("banks", needed=False).tables()}
    buttons = {
        id_: _button(id_, table, pins, size) for id_, table in root.table("buttons", needed=False).tables()
    }
    places = Places(root, size, outlines, banks, chains)
    named = {id_: places.named_lamp(id_, table) for id_, table in root.table("lamps", needed=False).tables()}
    spaces = {id_: places.space(id_, table) for id_, table in root.table("spaces").tables()}
    if not spaces:
        root.fail("spaces", "a board without spaces", "at least one")
    return Board(
        id=_id(root, "id", root.text("id")),
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
    )


def _check_format(root: Table) -> None:
    first = next(iter(root.values), None)
    if first != "format" or root.values["format"] != FORMAT:
        root.fail(
            first, f"a file that does not begin with its format ({first} comes first)", f'format = "{FORMAT}"'
        )
    version = root.integer("version", 1, 10**9)
    if version > VERSION:
        root.fail("version", f"version {version} of {FORMAT}, which is newer", f"at most {VERSION}")


def _id(table: Table, key: str | None, id_: str) -> str:
    if len(id_) > 40 or not _ID.fullmatch(id_):
        table.fail(key, f"the id {shown(id_)}", "small letters and digits, parts joined by -")
    return id_


def _games(root: Table) -> tuple[str, ...]:
    games = root.list("games", "a list of ids of games")
    for game in games:
        if not isinstance(game, str):
            root.wrong("games", "a list of ids of games")
        _id(root, "games", game)
    return tuple(games)


def _numbers(table: Table, key: str, expected: str) -> tuple[float, float]:
    value = table.any(key, expected)
    if not isinstance(value, list) or len(value) != 2 or not all(_is_number(item) for item in value):
        table.wrong(key, expected)
    return value[0], value[1]


def _is_number(value: object) -> bool:
    return is_integer(value) or isinstance(value, float)


def _length(table: Table, key: str) -> float:
    expected = f"mm, more than 0 and at most {LARGEST_BOARD}"
    value = table.any(key, expected)
    if not _is_number(value) or not 0 < value <= LARGEST_BOARD:
        table.wrong(key, expected)
    return float(value)


def _size(root: Table) -> Position:
    expected = f"[width, height] in mm, each more than 0 and at most {LARGEST_BOARD}"
    width, height = _numbers(root, "size", expected)
    if not (0 < width <= LARGEST_BOARD and 0 < height <= LARGEST_BOARD):
        root.wrong("size", expected)
    return Position(float(width), float(height))


def _position(table: Table, size: Position) -> Position:
    expected = f"[right, up] in mm on the board of {size.x:g} x {size.y:g}"
    x, y = _numbers(table, "at", expected)
    if not (0 <= x <= size.x and 0 <= y <= size.y):
        table.wrong("at", expected)
    return Position(float(x), float(y))


def _outline(id_: str, table: Table) -> Outline:
    table.known("shape", "width", "height")
    shape = table.values.get("shape", "rectangle")
    if shape not in ("rectangle", "ellipse"):
        table.wrong("shape", "rectangle or ellipse")
    return Outline(_id(table, None, id_), shape, _length(table, "width"), _length(table, "height"))


def _chain(id_: str, table: Table, pins: Pins) -> Chain:
    table.known("length", "order", "by", "spi_claims")
    by = table.list("by", 'a list of "spi" and "pwm"')
    if any(way not in _WAYS for way in by) or len(set(by)) < len(by):
        table.wrong("by", 'a list of "spi" and "pwm"')
    claims: list[int] = []
    if "spi" in by:
        claims += pins.spi_claims(table)
    elif table.has("spi_claims"):
        table.fail(
            "spi_claims", "spi_claims of a chain that is not driven by SPI", 'by = ["spi"] or no such key'
        )
    if "pwm" in by:
        pins.claim(table, "by", header.PWM, f"the PWM of chain {id_}")
        claims.append(header.PWM)
    if table.any("order", "the order of the colours") not in _ORDERS:
        table.wrong("order", "one of " + ", ".join(_ORDERS))
    return Chain(
        _id(table, None, id_),
        table.integer("length", 1, 2000, "lamps"),
        table.text("order"),
        tuple(by),
        tuple(claims),
    )


def _bank(id_: str, table: Table, pins: Pins) -> Bank:
    table.known("rows", "columns", "diodes", "settle_us")
    diodes = table.flag("diodes")
    return Bank(
        _id(table, None, id_),
        pins.rows(table, "rows", id_, diodes=diodes),
        pins.columns(table, "columns", id_),
        diodes,
        table.integer("settle_us", 0, 10_000, "us"),
    )


def _button(id_: str, table: Table, pins: Pins, size: Position) -> Button:
    table.known("gpio", "at")
    gpio = table.integer("gpio", 0, header.LAST_GPIO)
    pins.claim(table, "gpio", gpio, f"button {id_}")
    return Button(_id(table, None, id_), gpio, _position(table, size))


def _current_limit(root: Table, chains: Mapping[str, Chain]) -> int:
    limit = root.integer("current_limit_ma", 0, 100_000, "mA")
    lamps = sum(chain.length for chain in chains.values())
    least = lamps * IDLE_MA + WHITE_MA if lamps else 0
    if limit < least:
        root.wrong(
            "current_limit_ma",
            f"at least {least} mA: {lamps} dark lamps draw {lamps * IDLE_MA}, one white lamp {WHITE_MA}",
        )
    return limit


class Places:
    """Spaces and named lamps as they are read: what they refer to must be there, and nothing twice."""

    def __init__(
        self,
        root: Table,
        size: Position,
        outlines: Mapping[str, Outline],
        banks: Mapping[str, Bank],
        chains: Mapping[str, Chain],
    ) -> None:
        self._size, self._outlines, self._banks, self._chains = size, outlines, banks, chains
        self._defaults = root.table("defaults", needed=False)
        self._defaults.known("outline", "bank", "chain")
        self.lamps: dict[LampId, LampAt] = {}
        self._contacts: dict[SensorAt, str] = {}
        self._lit: dict[LampAt, LampId] = {}
        for key, of in (("outline", outlines), ("bank", banks), ("chain", chains)):
            if self._defaults.has(key):
                self._refer(self._defaults, key, self._defaults.values[key], of, key)

    def named_lamp(self, id_: str, table: Table) -> Position:
        """A lamp that belongs to no space."""
        table.known("lamp", "at")
        self._light(_id(table, None, id_), table)
        return _position(table, self._size)

    def space(self, id_: str, table: Table) -> SpacePlace:
        """One space with its slots and its lamp."""
        table.known("at", "name", "outline", "sensor", "lamp", "slots")
        _id(table, None, id_)
        if id_ in self.lamps:
            table.fail(
                None, f"{id_} is a lamp's id already", "an id of its own for each space and named lamp"
            )
        name = table.text("name") if table.has("name") else id_
        outline = self._outlines[str(self._reference(table, "outline", self._outlines))]
        if table.has("lamp"):
            self._light(id_, table)
        position = _position(table, self._size)
        return SpacePlace(id_, name, position, outline, self._slots(id_, table, position))

    def _slots(self, id_: str, table: Table, position: Position) -> tuple[Slot, ...]:
        if not table.has("slots"):
            return (Slot(id_, position, self._sensor(id_, table)),)
        if table.has("sensor"):
            table.fail("sensor", f"{id_} has both sensor and slots", "one of them")
        slots: list[Slot] = []
        for number, one in enumerate(table.list("slots", "a list of slots { at, sensor }"), 1):
            if not isinstance(one, dict):
                table.wrong("slots", "a list of slots { at, sensor }")
            slot = f"{id_}/{number}" if number > 1 else id_
            part = table.part("slots", one)
            part.known("at", "sensor")
            slots.append(Slot(slot, _position(part, self._size), self._sensor(slot, part)))
        return tuple(slots)

    def _sensor(self, slot: str, table: Table) -> SensorAt | None:
        expected = '[row, column], ["bank", row, column] or "none"'
        value = table.any("sensor", expected)
        if value == "none":
            return None
        bank_id, (row, column) = self._address(table, "sensor", "bank", self._banks, 2, expected)
        bank = self._banks[bank_id]
        if not (0 <= row < len(bank.rows) and 0 <= column < len(bank.columns)):
            table.wrong(
                "sensor", f"a row below {len(bank.rows)} and a column below {len(bank.columns)}, from 0"
            )
        at = SensorAt(bank_id, row, column)
        if (other := self._contacts.setdefault(at, slot)) != slot:
            table.wrong("sensor", f"a contact of its own ({other} is on it)")
        return at

    def _light(self, id_: LampId, table: Table) -> None:
        expected = '[index], ["chain", index] or the index alone'
        chain_id, (index,) = self._address(table, "lamp", "chain", self._chains, 1, expected)
        length = self._chains[chain_id].length
        if not 0 <= index < length:
            table.wrong("lamp", f"an index below {length}, from 0")
        at = LampAt(chain_id, index)
        if (other := self._lit.setdefault(at, id_)) != id_:
            table.wrong("lamp", f"a place of its own in the chain ({other} is on it)")
        self.lamps[id_] = at

    def _address(
        self, table: Table, key: str, of: str, known: Mapping[str, object], numbers: int, expected: str
    ) -> tuple[str, list[int]]:
        """What an address names (said, or by default) and its numbers."""
        value = table.any(key, expected)
        items = value if isinstance(value, list) else [value]
        if items and isinstance(items[0], str):
            self._refer(table, key, items[0], known, of)
            name, items = items[0], items[1:]
        elif self._defaults.has(of):
            name = str(self._defaults.values[of])
        else:
            table.wrong(key, f"the name of a {of} first, as defaults.{of} is not given")
        if len(items) != numbers or not all(is_integer(item) for item in items):
            table.wrong(key, expected)
        return name, items

    def _reference(self, table: Table, key: str, known: Mapping[str, object]) -> object:
        if table.has(key) or not self._defaults.has(key):
            value = table.any(key, f"one of {', '.join(known)}")
            self._refer(table, key, value, known, key)
            return value
        return self._defaults.values[key]

    def _refer(self, table: Table, key: str, value: object, known: Mapping[str, object], what: str) -> None:
        if not isinstance(value, str) or value not in known:
            table.fail(
                key,
                f"unknown {what} {shown(value)}",
                f"one of {', '.join(known) or 'none: none is described'}",
            )
