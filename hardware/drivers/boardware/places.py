"""The spaces and lamps of a board file: what they refer to must be there, and nothing twice."""

from __future__ import annotations

from collections.abc import Mapping

from boardware.measures import checked_id, read_position
from boardware.parts import (
    BoardPoint,
    LampAt,
    LampChain,
    MatrixBank,
    Outline,
    ReaderAt,
    ReaderBank,
    SensorAt,
    Slot,
    SpacePlace,
)
from boardware.ports import LampId, SlotId
from boardware.tomlfile import TomlTable, is_integer, quote_value


class PlaceReader:
    """Spaces and named lamps as they are read: what they refer to must be there, and nothing twice."""

    def __init__(
        self,
        root: TomlTable,
        size: BoardPoint,
        outlines: Mapping[str, Outline],
        banks: Mapping[str, MatrixBank],
        chains: Mapping[str, LampChain],
        readers: Mapping[str, ReaderBank],
    ) -> None:
        self._size, self._outlines, self._banks, self._chains = size, outlines, banks, chains
        self._readers = readers
        self._defaults = root.table("defaults", needed=False)
        self._defaults.refuse_unknown_keys("outline", "bank", "chain", "readers")
        self.lamps: dict[LampId, LampAt] = {}
        self._contacts: dict[SensorAt, str] = {}
        self._read: dict[ReaderAt, str] = {}
        self._lit: dict[LampAt, LampId] = {}
        for key, of in (
            ("outline", outlines),
            ("bank", banks),
            ("chain", chains),
            ("readers", readers),
        ):
            if self._defaults.has(key):
                self._check_reference(self._defaults, key, self._defaults.values[key], of, key)

    def named_lamp(self, id_: str, table: TomlTable) -> BoardPoint:
        """A lamp that belongs to no space."""
        table.refuse_unknown_keys("lamp", "at")
        self._read_lamp(checked_id(table, None, id_), table)
        return read_position(table, self._size)

    def space(self, id_: str, table: TomlTable) -> SpacePlace:
        """One space with its slots and its lamp."""
        table.refuse_unknown_keys("at", "name", "outline", "sensor", "lamp", "lamp_at", "reader", "slots")
        checked_id(table, None, id_)
        if id_ in self.lamps:
            table.fail(
                None, f"{id_} is a lamp's id already", "an id of its own for each space and named lamp"
            )
        name = table.text("name") if table.has("name") else id_
        outline = self._outlines[str(self._read_reference(table, "outline", self._outlines))]
        if table.has("lamp"):
            self._read_lamp(id_, table)
        middle = read_position(table, self._size)
        lamp = None
        if table.has("lamp_at"):
            if not table.has("lamp"):
                table.fail("lamp_at", f"lamp_at of {id_}, which has no lamp", "a lamp, or no lamp_at")
            lamp = read_position(table, self._size, "lamp_at")
        return SpacePlace(id_, name, middle, outline, self._slots(id_, table, middle), lamp)

    def _slots(self, id_: str, table: TomlTable, middle: BoardPoint) -> tuple[Slot, ...]:
        if not table.has("slots"):
            return (Slot(SlotId(id_), middle, self._sensor(id_, table), self._reader(id_, table)),)
        for key in ("sensor", "reader"):
            if table.has(key):
                table.fail(key, f"{id_} has both {key} and slots", "one of them")
        slots: list[Slot] = []
        for number, one in enumerate(table.list("slots", "a list of slots { at, sensor }"), 1):
            if not isinstance(one, dict):
                table.refuse_value("slots", "a list of slots { at, sensor }")
            slot = f"{id_}/{number}" if number > 1 else id_
            part = table.read_inner_table("slots", one)
            part.refuse_unknown_keys("at", "sensor", "reader")
            at = read_position(part, self._size)
            slots.append(Slot(SlotId(slot), at, self._sensor(slot, part), self._reader(slot, part)))
        return tuple(slots)

    def _sensor(self, slot: str, table: TomlTable) -> SensorAt | None:
        expected = '[row, column], ["bank", row, column] or "none"'
        value = table.read_any("sensor", expected)
        if value == "none":
            return None
        bank_id, (row, column) = self._read_address(table, "sensor", "bank", self._banks, 2, expected)
        bank = self._banks[bank_id]
        if not (0 <= row < len(bank.rows) and 0 <= column < len(bank.columns)):
            table.refuse_value(
                "sensor", f"a row below {len(bank.rows)} and a column below {len(bank.columns)}, from 0"
            )
        at = SensorAt(bank_id, row, column)
        if (other := self._contacts.setdefault(at, slot)) != slot:
            table.refuse_value("sensor", f"a contact of its own ({other} is on it)")
        return at

    def _reader(self, slot: str, table: TomlTable) -> ReaderAt | None:
        if not table.has("reader"):
            return None
        expected = 'a number or ["bank", number]'
        bank, (number,) = self._read_address(table, "reader", "readers", self._readers, 1, expected)
        if not 0 <= number < self._readers[bank].count:
            table.refuse_value("reader", f"a number below {self._readers[bank].count}, from 0")
        at = ReaderAt(bank, number)
        if (other := self._read.setdefault(at, slot)) != slot:
            table.refuse_value("reader", f"a reader of its own ({other} is over it)")
        return at

    def _read_lamp(self, id_: LampId, table: TomlTable) -> None:
        expected = '[index], ["chain", index] or the index alone'
        chain_id, (index,) = self._read_address(table, "lamp", "chain", self._chains, 1, expected)
        length = self._chains[chain_id].length
        if not 0 <= index < length:
            table.refuse_value("lamp", f"an index below {length}, from 0")
        at = LampAt(chain_id, index)
        if (other := self._lit.setdefault(at, id_)) != id_:
            table.refuse_value("lamp", f"a place of its own in the chain ({other} is on it)")
        self.lamps[id_] = at

    def _read_address(
        self, table: TomlTable, key: str, of: str, known: Mapping[str, object], numbers: int, expected: str
    ) -> tuple[str, list[int]]:
        """What an address names (said, or by default) and its numbers."""
        value = table.read_any(key, expected)
        items = value if isinstance(value, list) else [value]
        if items and isinstance(items[0], str):
            self._check_reference(table, key, items[0], known, of)
            name, items = items[0], items[1:]
        elif self._defaults.has(of):
            name = str(self._defaults.values[of])
        else:
            table.refuse_value(key, f"the name of a {of} first, as defaults.{of} is not given")
        if len(items) != numbers or not all(is_integer(item) for item in items):
            table.refuse_value(key, expected)
        return name, items

    def _read_reference(self, table: TomlTable, key: str, known: Mapping[str, object]) -> object:
        if table.has(key) or not self._defaults.has(key):
            value = table.read_any(key, f"one of {', '.join(known)}")
            self._check_reference(table, key, value, known, key)
            return value
        return self._defaults.values[key]

    def _check_reference(
        self, table: TomlTable, key: str, value: object, known: Mapping[str, object], what: str
    ) -> None:
        if not isinstance(value, str) or value not in known:
            table.fail(
                key,
                f"unknown {what} {quote_value(value)}",
                f"one of {', '.join(known) or 'none: none is described'}",
            )
