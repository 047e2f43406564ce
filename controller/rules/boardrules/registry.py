"""Which games there are: entry points of the group `boardumpire.games`, each named by the id of its game."""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from boardrules.core import State
from boardrules.package import GamePackage

if TYPE_CHECKING:
    from boardrules.notations import Notation

GROUP = "boardumpire.games"
_log = logging.getLogger(__name__)


class UnknownGame(ValueError):  # noqa: N818
    """An id that no game has. The message names those that there are."""


class BadPackage(UnknownGame):
    """A distribution that says it brings a game, and does not. The message names it, and what is wrong."""


@functools.cache
def installed(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group, as they were when this process first asked for them."""
    return entry_points(group=group)


@functools.cache
def _found() -> Mapping[str, EntryPoint]:
    """By id, in a fixed order: ours first, then others, by their names."""
    found: dict[str, EntryPoint] = {}
    for entry in sorted(installed(GROUP), key=_place):
        found.setdefault(entry.name, entry)  # nobody takes the place of a game of ours
    return MappingProxyType(found)


def _place(entry: EntryPoint) -> tuple[bool, str]:
    return not entry.value.startswith("boardrules."), entry.name


_registered: dict[str, GamePackage] = {}


def register(game: GamePackage) -> None:
    """Make a game known to this process by its id, though no distribution brings it: for one that is being
    written.

    It isn't listed by `ids` and `games`. It takes the place of another one with that id.
    """
    _registered[game.id] = game
    package.cache_clear()


def ids() -> tuple[str, ...]:
    """The id of every game; none of them is loaded."""
    return tuple(_found())


@functools.cache
def package(game_id: str) -> GamePackage:
    """The game with that id and all that belongs to it. Raises `UnknownGame`, `BadPackage`."""
    if game_id in _registered:
        return _registered[game_id]
    entry = _found().get(game_id) if isinstance(game_id, str) else None
    if entry is None:
        raise UnknownGame(f"unknown game {game_id!r}; expected one of {', '.join(_found())}")
    try:
        loaded = entry.load()
    except Exception as error:  # whatever somebody's module does as it is imported
        raise BadPackage(f"game {game_id}: {entry.value}: {type(error).__name__}: {error}") from error
    if not isinstance(loaded, GamePackage) or loaded.id != game_id:
        raise BadPackage(f"game {game_id}: {entry.value} is {loaded!r}; expected the GamePackage of that id")
    return loaded


def games() -> Mapping[str, GamePackage]:
    """Every game by its id, in a fixed order; all are loaded. One that can't be loaded is left out."""
    found = {}
    for game_id in ids():
        try:
            found[game_id] = package(game_id)
        except BadPackage as error:
            _log.warning("%s", error)
    return MappingProxyType(found)


def new(game_id: str, options: Mapping[str, Any] | None = None) -> State:
    """The first state of the game `game_id`.

    `options` may leave out what shall have its default. Raises `UnknownGame`, or `OptionError` naming the
    option, what was given and what is allowed.
    """
    return package(game_id).new({} if options is None else options)


def notations() -> tuple[Notation, ...]:
    """The notations that the games bring beside records; of those with one name the first."""
    found = [notation for game in games().values() for notation in game.notations()]
    return tuple({notation.name: notation for notation in reversed(found)}.values())[::-1]
