"""Which games there are: entry points of the group `boardumpire.games`, each named by the id of its game."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from boardrules.core import State
from boardrules.package import GamePackage
from boardrules.rule_sets import expand_rule_set

if TYPE_CHECKING:
    from boardrules.notations import Notation

ENTRY_POINT_GROUP = "boardumpire.games"
_OWN_MODULE_PREFIX = "boardrules."
_log = logging.getLogger(__name__)
Answer = TypeVar("Answer")


class UnknownGame(ValueError):  # noqa: N818
    """An id that no game has. The message names those that there are."""


class BadPackage(UnknownGame):
    """A distribution that says it brings a game, and does not. The message names it, and what is wrong."""


@functools.cache
def installed_entry_points(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group, as they were when this process first asked for them.

    A distribution whose metadata can't be read is named in a warning, and left out.
    """
    try:
        return entry_points(group=group)
    except Exception:  # of a single distribution, but then none is answered
        return tuple(
            point
            for each in distributions()
            for point in _readable_entry_points(each)
            if point.group == group
        )


def _readable_entry_points(distribution: Distribution) -> Iterable[EntryPoint]:
    try:
        return tuple(distribution.entry_points)
    except Exception as error:
        warn_once(f"{_distribution_name(distribution)}: entry_points.txt can't be read: {error_line(error)}")
        return ()


def _distribution_name(distribution: Distribution | None) -> str:
    """What people call it; its folder where its metadata doesn't say."""
    try:
        name = distribution.metadata["Name"] if distribution is not None else None
    except Exception:  # without metadata, or with what isn't
        name = None
    return str(name or getattr(distribution, "_path", "a distribution without a name"))


def error_line(error: BaseException) -> str:
    """An error in one line, whatever its message holds."""
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")


@functools.cache
def warn_once(text: str) -> None:
    """Say it once."""
    _log.warning("%s", text)


@functools.cache
def _game_entry_points() -> Mapping[str, EntryPoint]:
    """By id, in a fixed order: ours first, then others, by their names."""
    found: dict[str, EntryPoint] = {}
    for entry in sorted(installed_entry_points(ENTRY_POINT_GROUP), key=_entry_sort_key):
        first = found.setdefault(entry.name, entry)  # nobody takes the place of a game of ours
        if first.value != entry.value:
            warn_once(
                f"game {entry.name}: that of {_distribution_name(entry.dist)} is left out;"
                f" {_distribution_name(first.dist)} brings a game of this id, too"
            )
    return MappingProxyType(found)


def _entry_sort_key(entry: EntryPoint) -> tuple[bool, str, str]:
    return not entry.value.startswith(_OWN_MODULE_PREFIX), entry.name, entry.value


_registered_games: dict[str, GamePackage] = {}


def register(game: GamePackage) -> None:
    """Make a game known to this process by its id, though no distribution brings it: for one that is being
    written.

    It isn't listed by `ids` and `games`. It takes the place of another one with that id.
    """
    _registered_games[game.id] = game
    package.cache_clear()


def ids() -> tuple[str, ...]:
    """The id of every game; none of them is loaded."""
    return tuple(_game_entry_points())


@functools.cache
def package(game_id: str) -> GamePackage:
    """The game with that id and all that belongs to it. Raises `UnknownGame`, `BadPackage`."""
    if game_id in _registered_games:
        return _registered_games[game_id]
    entry = _game_entry_points().get(game_id) if isinstance(game_id, str) else None
    if entry is None:
        raise UnknownGame(f"unknown game {game_id!r}; try one of {', '.join(_game_entry_points())}")
    if game_id in _broken_packages:
        raise BadPackage(_broken_packages[game_id])
    try:
        return _load_package(entry)
    except BadPackage as error:
        _broken_packages[game_id] = str(error)
        raise


_broken_packages: dict[str, str] = {}
"""By the id of a game what is wrong with its package: it is not imported again."""


def _load_package(entry: EntryPoint) -> GamePackage:
    """The game that an entry point names. Raises `BadPackage`."""
    about = f"game {entry.name} of {_distribution_name(entry.dist)}: {entry.value}"
    try:
        loaded = entry.load()
    except (Exception, SystemExit) as error:  # whatever somebody's module does as it is imported
        raise BadPackage(f"{about}: {error_line(error)}") from error
    if not isinstance(loaded, GamePackage) or loaded.id != entry.name:
        raise BadPackage(f"{about} is {loaded!r}; expected the GamePackage of that id")
    if not isinstance(getattr(loaded, "title", None), str):
        raise BadPackage(f"{about} has no title; expected a text")
    if not entry.value.startswith(_OWN_MODULE_PREFIX):
        _try_out_game(loaded, about)
    return loaded


def _try_out_game(game: GamePackage, about: str) -> None:
    """Ask somebody's game what every list of games asks. Raises `BadPackage`."""
    try:
        game.about(), game.lessons(), game.new({}).seats
    except (Exception, SystemExit) as error:  # a mistake in it
        raise BadPackage(f"{about}: {error_line(error)}") from error


def games() -> Mapping[str, GamePackage]:
    """Every game by its id, in a fixed order; all are loaded.

    One that can't be loaded is named in a warning, and left out.
    """
    found = {}
    for game_id in ids():
        try:
            found[game_id] = package(game_id)
        except BadPackage as error:
            warn_once(str(error))
    return MappingProxyType(found)


def usable_games(game_ids: Iterable[str]) -> tuple[str, ...]:
    """Those of these games that are there; others are named in a warning, and left out."""
    found = []
    for game_id in game_ids:
        try:
            package(game_id)
        except UnknownGame as error:
            warn_once(str(error))
        else:
            found.append(game_id)
    return tuple(found)


def ask_each_game(question: Callable[[GamePackage], Answer]) -> Mapping[str, Answer]:
    """By id what each game answers; one whose package fails at that is named in a warning, and left out."""
    answers = {}
    for game_id, game in games().items():
        try:
            answers[game_id] = question(game)
        except Exception as error:  # a mistake in somebody's game
            warn_once(f"game {game_id}: {error_line(error)}")
    return MappingProxyType(answers)


def new(game_id: str, options: Mapping[str, Any] | None = None) -> State:
    """The first state of the game `game_id`.

    `options` may leave out what shall have its default, and may name a set (`boardrules.rule_sets`). Raises
    `UnknownGame`, or `OptionError` naming the option, what was given and what is allowed.
    """
    game = package(game_id)
    return game.new(expand_rule_set(game, {} if options is None else options))


def notations() -> tuple[Notation, ...]:
    """The notations that the games bring beside records; of those with one name the first."""
    found = [
        notation for each in ask_each_game(lambda game: tuple(game.notations())).values() for notation in each
    ]
    return tuple({notation.name: notation for notation in reversed(found)}.values())[::-1]
