"""Writes a board file anew with other sensors and lamps; every other word of it, comments too, stays."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from boardumpire.errors import BoardumpireError
from boardumpire.makers.bare_board import (
    ContactId,
    LampNumber,
    all_contacts,
    all_lamps,
    ring_number,
    space_of,
)
from boardumpire.makers.calibrate import CalibrationResult
from boardware.description import load_board
from boardware.parts import BoardDescription
from boardware.ports import SlotId
from boardware.tomlfile import KeyPath, key_lines

_VALUE_PATTERNS = {"sensor": r"\bsensor\s*=\s*(\[[^\]]*\])", "lamp": r"\blamp\s*=\s*(\[[^\]]*\]|\d+)"}


class BoardFileEditError(BoardumpireError):
    """A board file that can't be mended: which, and why."""


def edit_board_text(text: str, board: BoardDescription, learnt: CalibrationResult, name: str) -> str:
    """The text of the board file of `board` with what was learnt.

    What was not learnt of a space stays; where another one has taken its contact or its lamp, that is an
    error. Raises `BoardFileEditError`; `name` is what it calls the file.
    """
    try:
        defaults = tomllib.loads(text).get("defaults", {})
    except ValueError as error:
        raise BoardFileEditError(f"{name}: no board file: {error}") from None
    new: dict[tuple[KeyPath, str, int], str] = {}
    for slot, contact in learnt.contact_by_slot.items():
        which = max(0, ring_number(board, SlotId(slot)) - 1)
        new[("spaces", space_of(slot)), "sensor", which] = _sensor_as_toml(
            board, contact, defaults.get("bank")
        )
    for space, lamp in learnt.lamp_by_space.items():
        new[("spaces", space), "lamp", 0] = _lamp_as_toml(board, lamp, defaults.get("chain"))
    for lamp_id, lamp in learnt.lamp_by_name.items():
        new[("lamps", lamp_id), "lamp", 0] = _lamp_as_toml(board, lamp, defaults.get("chain"))
    lines = text.splitlines(keepends=True)
    spans = _key_line_spans(text, len(lines))
    for (path, key, which), value in new.items():
        _replace_value(lines, spans, path, key, which, value, name)
    return "".join(lines)


def write_edited_board(
    source: Path, target: Path, board: BoardDescription, learnt: CalibrationResult
) -> BoardDescription:
    """Write what was learnt into the new file `target`; the board that it describes.

    Raises `BoardFileEditError`, also when the file would not say what was learnt: then none is left behind.
    """
    text = edit_board_text(source.read_text(encoding="utf-8"), board, learnt, str(source))
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BoardFileEditError(f"{target}: {error.strerror}; try another file") from None
    try:
        again = load_board(target)
        if wrong := _mismatches(again, learnt):
            raise BoardFileEditError(f"{target}: {', '.join(wrong)} not as learnt")
    except Exception as error:
        target.unlink()
        raise BoardFileEditError(f"{source} can't be mended in its text: {error}") from None
    return again


def _mismatches(board: BoardDescription, learnt: CalibrationResult) -> list[str]:
    at, number = all_contacts(board), all_lamps(board)
    wrong = [
        space
        for space, name in learnt.contact_by_slot.items()
        if board.slots[SlotId(space)].sensor != at[name]
    ]
    lit = {**learnt.lamp_by_space, **learnt.lamp_by_name}
    return wrong + [lamp for lamp, name in lit.items() if board.lamps.get(lamp) != number[name]]


def _sensor_as_toml(board: BoardDescription, name: ContactId, default: Any) -> str:
    at = all_contacts(board)[name]
    bank = "" if at.bank == default else f'"{at.bank}", '
    return f"[{bank}{at.row}, {at.column}]"


def _lamp_as_toml(board: BoardDescription, name: LampNumber, default: Any) -> str:
    at = all_lamps(board)[name]
    return str(at.index) if at.chain == default else f'["{at.chain}", {at.index}]'


def _key_line_spans(text: str, count: int) -> dict[KeyPath, tuple[int, int]]:
    """Of each key its lines: from, and up to the next key's (counted from 0)."""
    found = list(key_lines(text))
    ends = [line - 1 for _, line in found[1:]] + [count]
    return {path: (line - 1, end) for (path, line), end in zip(found, ends, strict=True)}


def _replace_value(
    lines: list[str],
    spans: dict[KeyPath, tuple[int, int]],
    path: KeyPath,
    key: str,
    which: int,
    value: str,
    name: str,
) -> None:
    """Put another value at a key, in an inline table or in one of its own; `which` of several, from 0."""
    start, end = spans.get((*path, key)) or spans.get((*path, "slots")) or spans.get(path) or (0, 0)
    pattern = re.compile(_VALUE_PATTERNS[key])
    for number in range(start, end):
        found = list(pattern.finditer(lines[number]))
        if which < len(found):
            line, match = lines[number], found[which]
            lines[number] = line[: match.start(1)] + value + line[match.end(1) :]
            return
        which -= len(found)
    raise BoardFileEditError(f"{name}: found no {key} at {'.'.join(path)}; write one by hand and try again")
