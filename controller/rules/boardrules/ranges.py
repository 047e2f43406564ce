"""What options may be: what a game states is what it takes."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

_MAX_LISTED: Final = 6
"""So many numbers are named one by one; of more, that stand in a row, the first and the last."""


def value_text(value: object) -> str:
    """A value as people write it, whatever their language: as JSON, a text in single quotes."""
    return repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


class OptionRange(NamedTuple):
    """What one option may be: one of some values, or what a text says where they can't be listed."""

    values: tuple[Any, ...] = ()
    text: str = ""

    def contains_value(self, given: object) -> bool:
        """Whether it is one of the values: `1` is not `true`, nor `3.0` the number 3."""
        return any(type(given) is type(value) and given == value for value in self.values)

    def expected_text(self) -> str:
        """What is expected, as people read it."""
        if self.text:
            return self.text
        numbers = [value for value in self.values if type(value) is int]
        if len(numbers) <= _MAX_LISTED:
            return "one of " + ", ".join(str(value).lower() for value in self.values)
        words = [str(value).lower() for value in self.values if type(value) is not int]
        return ", or ".join([*words, f"a whole number from {numbers[0]} to {numbers[-1]}"])
