"""Actions too many to list. Never compiled: machine code can't inherit from a collection."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


class ActionSample(Collection[Any]):
    """Actions too many to list: `in` is exact, iterating gives a fixed sample, `len` is the sample's."""

    __slots__ = ()

    @property
    def whole(self) -> bool:
        """Whether the sample is all of them after all."""
        return False
