"""What is worked out once and asked for again and again. No part of a position: it may be forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedCache(dict[Key, Value]):
    """By key what `make` makes of it, made when it is first asked for. Beyond `most` all is forgotten."""

    def __init__(self, make: Callable[[Key], Value], most: int) -> None:
        self.make = make
        self.most = most

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self.most:
            self.clear()
        made = self[key] = self.make(key)
        return made
