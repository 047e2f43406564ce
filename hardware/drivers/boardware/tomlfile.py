"""A TOML file whose every complaint names the line.

`tomllib` forgets where a value stood, so a small scan of the source remembers the line of each key; what it
reads is trusted only for line numbers, never for values.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from boardware.errors import BoardFileError

KeyPath = tuple[str, ...]

FILE_MAX_BYTES = 1_000_000
"""Bytes. A board file has about 10 000; more than this is some other file."""

_KEY_PART = re.compile(r"""\s*(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(\.?)""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'", re.DOTALL
)


def key_lines(text: str) -> Iterator[tuple[KeyPath, int]]:
    """Each key of a TOML text with its line, from 1, in the order of the text.

    Tables count as keys. Keys inside an inline table and items of an array are not told: they stand within
    the value of a key that is. Works on broken TOML as far as it can.
    """
    table: KeyPath = ()
    at, line = 0, 1
    while at < len(text):
        end = _end_of_statement(text, at)
        statement = text[at:end].lstrip(" \t\r")
        if statement.startswith("["):
            table = _parse_key_path(statement.lstrip("["))
            yield table, line
        elif statement[:1] not in ("", "#", "\n"):
            yield table + _parse_key_path(statement), line
        line += text.count("\n", at, end)
        at = end


def _parse_key_path(source: str) -> KeyPath:
    parts: list[str] = []
    at = 0
    while match := _KEY_PART.match(source, at):
        parts.append(next(group for group in match.groups() if group is not None))
        at = match.end()
        if not match[4]:
            break
    return tuple(parts)


def _end_of_statement(text: str, at: int) -> int:
    """Where the statement beginning at `at` ends: behind the first line end outside brackets and strings."""
    depth = 0
    while at < len(text):
        sign = text[at]
        if sign == "#":
            at = text.find("\n", at)
            if at < 0:
                return len(text)
            continue
        if sign in "\"'" and (string := _STRING.match(text, at)):
            at = string.end()
            continue
        at += 1
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth = max(0, depth - 1)
        elif sign == "\n" and depth == 0:
            return at
    return at


class TomlTable:
    """A table of a file, read key by key; a complaint is a `BoardFileError` that names file and line."""

    def __init__(self, file: TomlFile, path: KeyPath, values: dict[str, Any]) -> None:
        self._file = file
        self.path = path
        self.values = values

    def fail(self, key: str | None, found: str, expected: str) -> NoReturn:
        """Refuse the file for what stands at `key` (`None`: for the table itself)."""
        path = self.path if key is None else (*self.path, key)
        raise BoardFileError(f"{self._file.path}:{self._file.line_of_key(path)}: {found}; try {expected}")

    def refuse_unknown_keys(self, *keys: str) -> None:
        """Refuse any key that is not one of `keys`."""
        for key in self.values:
            if key not in keys:
                self.fail(key, f"unknown key {_path_text((*self.path, key))}", "one of " + ", ".join(keys))

    def has(self, key: str) -> bool:
        """Whether `key` is written here."""
        return key in self.values

    def read_any(self, key: str, expected: str) -> Any:
        """The value of `key`, of whatever type; refuses its absence."""
        if key not in self.values:
            self.fail(None, f"{_path_text(self.path)} has no key {key}", expected)
        return self.values[key]

    def refuse_value(self, key: str, expected: str) -> NoReturn:
        """Refuse the value of `key`."""
        self.fail(key, f"{_path_text((*self.path, key))} is {quote_value(self.values[key])}", expected)

    def text(self, key: str, expected: str = "a text") -> str:
        """A text that is not empty, on one line and without signs that a terminal obeys."""
        value = self.read_any(key, expected)
        if not isinstance(value, str) or not value.strip():
            self.refuse_value(key, expected)
        if not value.isprintable():
            self.refuse_value(key, f"{expected} of one line, without control characters")
        return value

    def integer(self, key: str, low: int, high: int, unit: str = "") -> int:
        """A whole number from `low` to `high`."""
        expected = f"a whole number from {low} to {high}{unit and ' ' + unit}"
        value = self.read_any(key, expected)
        if not is_integer(value) or not low <= value <= high:
            self.refuse_value(key, expected)
        return int(value)

    def number(self, key: str, low: float, high: float, unit: str = "") -> float:
        """A number from `low` to `high`, whole or not."""
        expected = f"a number from {low:g} to {high:g}{unit and ' ' + unit}"
        value = self.read_any(key, expected)
        if not is_number(value) or not low <= value <= high:
            self.refuse_value(key, expected)
        return float(value)

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.read_any(key, "true or false")
        if not isinstance(value, bool):
            self.refuse_value(key, "true or false")
        return value

    def choice(self, key: str, names: Iterable[str]) -> str:
        """One of several names."""
        names = tuple(names)
        expected = "one of " + ", ".join(names)
        value = self.read_any(key, expected)
        if value not in names:
            self.refuse_value(key, expected)
        return str(value)

    def list(self, key: str, expected: str) -> list[Any]:
        """A list that is not empty."""
        value = self.read_any(key, expected)
        if not isinstance(value, list) or not value:
            self.refuse_value(key, expected)
        return value

    def table(self, key: str, *, needed: bool = True) -> TomlTable:
        """The table at `key`; an empty one if it is absent and not `needed`."""
        if not needed and key not in self.values:
            return TomlTable(self._file, (*self.path, key), {})
        value = self.read_any(key, "a table")
        if not isinstance(value, dict):
            self.refuse_value(key, "a table")
        return TomlTable(self._file, (*self.path, key), value)

    def read_inner_table(self, key: str, values: dict[str, Any]) -> TomlTable:
        """A table that stands somewhere in the value of `key`."""
        return TomlTable(self._file, (*self.path, key), values)

    def tables(self) -> Iterator[tuple[str, TomlTable]]:
        """Every key with its table; refuses a key that holds anything else."""
        for key in self.values:
            yield key, self.table(key)


class TomlFile:
    """One file, read and parsed.

    Raises `BoardFileError` if `path` is no file, too large, not UTF-8 or not TOML.
    """

    def __init__(self, path: Path, kind: str = "a board file") -> None:
        """`kind`: what the file should be, for errors."""
        self.path = path
        self._kind = kind
        text = self._text = self._read()
        try:
            values = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            line = _error_line(error, text)
            for key, at in key_lines(text):
                first = self._lines[key]
                if at == line and first < at:
                    self._fail(
                        line, f"{_path_text(key)} a second time (first on line {first})", "each key once"
                    )
            self._fail(line, f"no TOML: {error}", "TOML 1.0")
        self.root = TomlTable(self, (), values)

    @cached_property
    def _lines(self) -> Mapping[KeyPath, int]:
        """The first line of each key: found once something is complained of."""
        lines: dict[KeyPath, int] = {}
        for key, line in key_lines(self._text):
            lines.setdefault(key, line)
        return lines

    def line_of_key(self, path: KeyPath) -> int:
        """The line of the key `path`, or of the nearest thing around it that has one; 1 if none has."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def _read(self) -> str:
        try:
            if self.path.is_dir():
                raise BoardFileError(f"{self.path}: a folder; try {self._kind}")
            if not self.path.is_file():
                raise BoardFileError(f"{self.path}: no such file; try {self._kind}")
            data = self.path.read_bytes()
        except (OSError, ValueError) as error:
            raise BoardFileError(f"{self.path}: can't be read ({error}); try {self._kind}") from None
        if len(data) > FILE_MAX_BYTES:
            self._fail(1, f"{len(data)} bytes", f"{self._kind} of at most {FILE_MAX_BYTES}")
        try:
            return data.removeprefix(codecs.BOM_UTF8).decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self._fail(line, f"byte 0x{data[error.start]:02x}, which is not UTF-8", "UTF-8 text")

    def _fail(self, line: int, found: str, expected: str) -> NoReturn:
        raise BoardFileError(f"{self.path}:{line}: {found}; try {expected}") from None


def is_integer(value: object) -> bool:
    """Whether `value` is a whole number (`true` is none, though Python thinks so)."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether `value` is a number, whole or not."""
    return is_integer(value) or isinstance(value, float)


def quote_value(value: object) -> str:
    """A value as a complaint quotes it: short."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, a list thousands deep
        return "a value too long to show"
    return text if len(text) <= 60 else text[:57] + "..."


def _path_text(path: KeyPath) -> str:
    return ".".join(path) or "the file"


def _error_line(error: Exception, text: str) -> int:
    match = re.search(r"at line (\d+)", str(error))
    return int(match[1]) if match else text.count("\n") + 1
