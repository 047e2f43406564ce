"""JSON that comes from elsewhere, read strictly: what is wrong with it is an error that names the place.

Refused beside what is no JSON: a key twice in one object, values nested deeper than `MAX_NESTING_LEVELS`,
numbers longer than `MAX_NUMBER_LENGTH` signs or not finite, and half a pair of surrogates in a text, which no
file could hold.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn

MAX_NESTING_LEVELS: Final = 32
"""How many arrays and objects may stand in each other."""
MAX_NUMBER_LENGTH: Final = 100
"""Signs of a number."""

_WHITESPACE: Final = re.compile(r"[ \t\r\n]*")


class JsonError(ValueError):
    """What is no JSON as it is expected here, with its line in the text."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def parse_value(text: str) -> Any:
    """The one value that a text is. Raises `JsonError`."""
    start = _WHITESPACE.match(text, 0).end()  # type: ignore[union-attr]  # it matches nothing at least
    found, end = _decode(text, start)
    after = _WHITESPACE.match(text, end).end()  # type: ignore[union-attr]
    if after != len(text):
        raise JsonError(f"{text[after : after + 40]!r} after the value; try without it", _line(text, after))
    return found


def parse_values(text: str) -> Iterator[tuple[int, Any]]:
    """The values of a text, each with the line it begins on: those of one array, or as many as there are.

    For one that can't be read a `JsonError` comes instead. Then it goes on with the next line that begins
    with an object as that one did.
    """
    at = _WHITESPACE.match(text, 0).end()  # type: ignore[union-attr]
    if text.startswith("[", at):
        yield from _ElementReader(text, at + 1, "]")
    else:
        yield from _ElementReader(text, at, "")


class _ElementReader:
    """The values from a place on, up to the sign that closes them."""

    def __init__(self, text: str, at: int, close: str) -> None:
        self.text = text
        self.at = at
        self.close = close
        self.counted = 0
        self.line = 1

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        first = True
        while True:
            self._skip_whitespace()
            if self.close and self.text.startswith(self.close, self.at):
                yield from self._expect_end()
                return
            if self.at == len(self.text):
                if self.close:
                    yield self._error_with_line("the array ends too early; try ]")
                return
            start = self.at
            try:
                if self.close and not first:
                    self._skip_comma()
                start = self.at
                line = self._current_line()
                found, self.at = _decode(self.text, start)
            except JsonError as error:
                yield self._current_line(), error
                if not self._seek_next_object(start):
                    return
                first = True
                continue
            yield line, found
            first = False

    def _expect_end(self) -> Iterator[tuple[int, Any]]:
        """What stands behind the array: nothing."""
        self.at += 1
        self._skip_whitespace()
        if self.at != len(self.text):
            yield self._error_with_line(f"{self.text[self.at :][:40]!r} after the array; try without it")

    def _skip_comma(self) -> None:
        if not self.text.startswith(",", self.at):
            raise JsonError(f"{self.text[self.at :][:40]!r}; try , or ]", self._current_line())
        self.at += 1
        self._skip_whitespace()

    def _skip_whitespace(self) -> None:
        self.at = _WHITESPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def _current_line(self) -> int:
        """The line where it stands."""
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line

    def _error_with_line(self, message: str) -> tuple[int, JsonError]:
        line = self._current_line()
        return line, JsonError(message, line)

    def _seek_next_object(self, start: int) -> bool:
        """Go to the next line with an object as far from its edge as the one that begins at `start`."""
        edge = self.text.rfind("\n", 0, start) + 1
        indent = re.match(r"[ \t]*", self.text[edge:start]).group()  # type: ignore[union-attr]
        found = re.compile(rf"^{indent}(?=\{{)", re.MULTILINE).search(self.text, start + 1)
        if found is None:
            return False
        self.at = found.end()
        return True


def value_excerpt(found: object) -> str:
    """A value as an error shows it: not all of a long one."""
    if isinstance(found, (list, dict)) and len(found) > 20:
        return f"{'a list' if isinstance(found, list) else 'an object'} of {len(found)}"
    told = json.dumps(found, ensure_ascii=True, default=str)
    return told if len(told) <= 60 else f"{told[:57]}..."


def _decode(text: str, start: int) -> tuple[Any, int]:
    try:
        found, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        line = _line(text, start)
        where = f"column {error.colno}" if error.lineno == line else f"line {error.lineno}"
        raise JsonError(f"not JSON: {error.msg}, {where}; try one JSON value", line) from None
    except RecursionError:
        raise JsonError("nested too deeply; try at most 32 levels", _line(text, start)) from None
    except JsonError as error:
        raise JsonError(str(error), _line(text, start)) from None
    try:
        _check_nesting(found)
    except JsonError as error:
        raise JsonError(str(error), _line(text, start)) from None
    return found, end


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _check_nesting(found: Any) -> None:
    """Raise `JsonError` for what is nested too deeply, and for texts that can't be written down."""
    level = [found]
    for _ in range(MAX_NESTING_LEVELS):
        level = [each for item in level for each in _child_values(item)]
        if not level:
            return
    raise JsonError(f"nested too deeply; try at most {MAX_NESTING_LEVELS} levels")


def _child_values(item: Any) -> Sequence[Any]:
    if isinstance(item, str):
        if not item.isascii() and any("\ud800" <= sign <= "\udfff" for sign in item):
            raise JsonError(f"half a pair of surrogates in {item[:40]!a}; try whole signs")
        return ()
    if isinstance(item, dict):
        return [*item, *item.values()]
    return item if isinstance(item, list) else ()


def _object_of_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonError(f"the key {key[:40]!a} twice in one object; try it once")
            seen.add(key)
    return found


def _int(digits: str) -> int:
    if len(digits) > MAX_NUMBER_LENGTH:
        raise JsonError(f"a number of {len(digits)} signs; try at most {MAX_NUMBER_LENGTH}")
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > MAX_NUMBER_LENGTH or not math.isfinite(float(digits)):
        raise JsonError(f"the number {digits[:40]}; try a smaller one")
    return float(digits)


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is no JSON; try a number")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object_of_unique_keys,
    parse_int=_int,
    parse_float=_float,
    parse_constant=_refuse_constant,
)
