"""The shared rules core: standard library only; no input or output, no clock, no randomness."""

from boardrules.registry import UnknownGame, games, new, package

__all__ = ["UnknownGame", "games", "new", "package"]
