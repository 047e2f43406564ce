"""Ids, lengths and positions in a board file."""

from __future__ import annotations

import re

from boardware.parts import BoardPoint
from boardware.tomlfile import TomlTable, is_number, quote_value

BOARD_SIDE_MAX_MM = 5000
"""mm"""
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def checked_id(table: TomlTable, key: str | None, id_: str) -> str:
    """An id of small letters, digits and -, told at `key`."""
    if len(id_) > 40 or not _ID.fullmatch(id_):
        table.fail(key, f"the id {quote_value(id_)}", "small letters and digits, parts joined by -")
    return id_


def _read_number_pair(table: TomlTable, key: str, expected: str) -> tuple[float, float]:
    value = table.read_any(key, expected)
    if not isinstance(value, list) or len(value) != 2 or not all(is_number(item) for item in value):
        table.refuse_value(key, expected)
    return value[0], value[1]


def read_length_mm(table: TomlTable, key: str) -> float:
    """A length in mm."""
    expected = f"mm, more than 0 and at most {BOARD_SIDE_MAX_MM}"
    value = table.read_any(key, expected)
    if not is_number(value) or not 0 < value <= BOARD_SIDE_MAX_MM:
        table.refuse_value(key, expected)
    return float(value)


def read_board_size(root: TomlTable) -> BoardPoint:
    """Width and height of the board in mm."""
    expected = f"[width, height] in mm, each more than 0 and at most {BOARD_SIDE_MAX_MM}"
    width, height = _read_number_pair(root, "size", expected)
    if not (0 < width <= BOARD_SIDE_MAX_MM and 0 < height <= BOARD_SIDE_MAX_MM):
        root.refuse_value("size", expected)
    return BoardPoint(float(width), float(height))


def read_position(table: TomlTable, size: BoardPoint, key: str = "at") -> BoardPoint:
    """A point in mm on the board of that size."""
    expected = f"[right, up] in mm on the board of {size.x:g} x {size.y:g}"
    x, y = _read_number_pair(table, key, expected)
    if not (0 <= x <= size.x and 0 <= y <= size.y):
        table.refuse_value(key, expected)
    return BoardPoint(float(x), float(y))
