"""Which games there are: id -> game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from boardrules.colditz.games import GAMES as COLDITZ
from boardrules.core import Game, State
from boardrules.fuhrer.games import GAMES as FUHRER
from boardrules.stratego.games import GAMES as STRATEGO

_GAMES: Final[Mapping[str, Game]] = MappingProxyType(
    {game.id: game for game in (*STRATEGO, *FUHRER, *COLDITZ)}
)


class UnknownGame(ValueError):  # noqa: N818
    """An id that no game has. The message names those that there are."""


def games() -> Mapping[str, Game]:
    """Every game by its id, in a fixed order."""
    return _GAMES


def new(game_id: str, options: Mapping[str, Any] | None = None) -> State:
    """The first state of the game `game_id`.

    `options` may leave out what shall have its default; every game takes `players`. Raises `UnknownGame`,
    or `OptionError` naming the option, what was given and what is allowed.
    """
    game = _GAMES.get(game_id) if isinstance(game_id, str) else None
    if game is None:
        raise UnknownGame(f"unknown game {game_id!r}; expected one of {', '.join(_GAMES)}")
    return game.new({} if options is None else options)
