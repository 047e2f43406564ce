"""Data files: TOML that begins with its format's name and version, and errors that name file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from boardrules import textfile

SHIPPED_FOLDER: Final = Path(__file__).parent.parent / "data"


MAX_NAME_LENGTH: Final = 80


class DataError(ValueError):
    """A data file that can't be used. The message reads `FILE:LINE: what was found; what was expected`."""


class DataFile:
    """The sections of one file, and where each key stands in its text."""

    def __init__(self, text: str, file: str, form: str, version: int) -> None:
        self.file = file
        self._lines = text.split("\n")
        try:
            self.data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # no TOML, endless digits, nested too deeply
            raise DataError(f"{file}: {error}; try TOML") from None
        if self.data.get("format") != form:
            self.raise_error(("format",), f"format is {self.data.get('format')!r}; try {form!r}")
        found = self.data.get("version")
        if type(found) is not int or found < 1:
            self.raise_error(("version",), f"version is {found!r}; try {version}")
        if found > version:
            self.raise_error(("version",), f"{form} {found} is newer than {version}, the newest known here")

    def line_number(self, place: tuple[str, ...]) -> int:
        """The line of `(key,)` or `(section, key)`; of a list's entry if its text comes third. From 1 on."""
        key = re.compile(rf"""\s*["']?{re.escape(place[min(1, len(place) - 1)])}["']?\s*=""")
        inside = len(place) == 1
        for number, line in enumerate(self._lines, 1):
            if line.lstrip().startswith("["):
                inside = len(place) > 1 and line.strip().strip("[]").strip() == place[0]
            elif inside and key.match(line):
                return self._entry_line(number, place[2]) if len(place) > 2 else number
        return 1

    def _entry_line(self, start: int, text: str) -> int:
        for number in range(start, len(self._lines) + 1):
            if f'"{text}"' in self._lines[number - 1]:
                return number
        return start

    def raise_error(self, place: tuple[str, ...], message: str) -> NoReturn:
        """Raise the error that names file, line and key."""
        where = f"[{place[0]}] {place[1]}: " if len(place) > 1 else ""
        raise DataError(f"{self.file}:{self.line_number(place)}: {where}{message}")

    def expect_type(self, place: tuple[str, ...], value: Any, kind: type, expected: str) -> Any:
        """The value, if it is of that type; else the error."""
        if type(value) is not kind:
            self.raise_error(place, f"{value!r}; try {expected}")
        return value

    def expect_name(self, key: str, value: Any) -> str:
        """What a file, a board or a card is called: one line that is not empty."""
        return self.expect_one_line((key,), value, MAX_NAME_LENGTH, f"a {key}")

    def expect_one_line(self, place: tuple[str, ...], value: Any, most: int, expected: str) -> str:
        """A text for people, of one line and at most so many letters."""
        text = self.expect_type(place, value, str, expected)
        if not text.strip() or not text.isprintable() or len(text) > most:
            self.raise_error(place, f"{text[:60]!r}; try {expected} of one line, 1 to {most} letters")
        return str(text)

    def section(self, name: str) -> Mapping[str, Any]:
        """A table of the file."""
        value = self.data.get(name)
        if not isinstance(value, dict):
            raise DataError(
                f"{self.file}: section [{name}] is {'missing' if value is None else 'no table'}; try it"
            )
        return value

    def refuse_unknown_keys(self, known: Mapping[str, Any] | set[str] | tuple[str, ...]) -> None:
        """Refuse sections and keys on the top that nobody knows."""
        for key in self.data:
            if key not in known:
                self.raise_error(
                    (key,), f"unknown section or key {key!r}; try one of {', '.join(sorted(known))}"
                )


def read_text(path: Path) -> str:
    """The text of a file. Raises `DataError` where it can't be read."""
    try:
        return textfile.read_text_file(path, "a data file of the game")
    except ValueError as error:
        raise DataError(str(error)) from None
