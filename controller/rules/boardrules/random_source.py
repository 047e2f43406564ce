"""Where players that are programs take chance from."""

from __future__ import annotations

from typing import Protocol


class RandomSource(Protocol):
    """A source of chance: `random.Random` is one."""

    def random(self) -> float:
        """From 0 up to 1."""
