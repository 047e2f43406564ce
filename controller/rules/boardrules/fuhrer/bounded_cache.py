"""What is worked out once and asked for again and again. No part of a position: it may be forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedCache(dict[Key, Value]):
    """By key what `make_value` makes of it, when it is first asked for. Beyond `max_size` all is
    forgotten."""

    def __init__(self, make: Callable[[Key], Value], most: int) -> None:
        self.make_value = make
        self.max_size = most

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self.max_size:
            self.clear()
        made = self[key] = self.make_value(key)
        return made
