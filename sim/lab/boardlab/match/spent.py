"""What a player has spent."""

from __future__ import annotations

from typing import NamedTuple


class ResourceUsage(NamedTuple):
    """What one player has spent in a game."""

    actions: int = 0
    playouts: int = 0
    seconds: float = 0.0
    """Of a processor; of a program in another process, by the clock."""
    slowest: float = 0.0
    """The longest that it took for one action."""
    refused: int = 0

    def plus_action(self, playouts: int, seconds: float, refused: bool) -> ResourceUsage:
        """With one action more."""
        return self.combined_with(ResourceUsage(1, playouts, seconds, seconds, int(refused)))

    def combined_with(self, other: ResourceUsage) -> ResourceUsage:
        """Both together."""
        return ResourceUsage(
            self.actions + other.actions,
            self.playouts + other.playouts,
            self.seconds + other.seconds,
            max(self.slowest, other.slowest),
            self.refused + other.refused,
        )
