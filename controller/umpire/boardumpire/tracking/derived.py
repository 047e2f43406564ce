"""Values that are worked out from others, at most once for each version of those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class VersionedCache(Generic[T]):
    """One such value. It can't be stale: whoever reads it says which version it is to be of."""

    def __init__(self, work_out: Callable[[], T]) -> None:
        self._work_out = work_out
        self._value: tuple[int, T] | None = None

    def value_for_version(self, version: int) -> T:
        """The value, worked out anew if it is of another version."""
        if self._value is None or self._value[0] != version:
            self._value = version, self._work_out()
        return self._value[1]
