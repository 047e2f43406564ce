"""Who can play which game: the levels of its players, the simple ones, and whoever plays at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from boardrules.core import Action, Seat
from boardrules.package import GamePackage, SimplePlayers
from boardrules.players import Chance, Player, PlayerLevel, SearchBudget

RANDOM: Final = "random"
SIMPLE: Final = "simple"


class NoSuchPlayer(ValueError):  # noqa: N818
    """A game has no player of that name. The message names those that it has."""


class RandomPlayer(Player):
    """Does anything that it may, each alike."""

    __slots__ = ()

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """Any of them."""
        return legal[chance.randrange(len(legal))]


class SimplePlayer(Player):
    """A game's simple player (`GamePackage.simple_players`)."""

    __slots__ = ("_players",)

    def __init__(self, players: SimplePlayers) -> None:
        self._players = players

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """What it does."""
        return self._players.choose_action(view, legal, chance)


class PlayerWithLevel(NamedTuple):
    """A player with what it may spend."""

    player: Player
    level: PlayerLevel


def player_names(game: GamePackage) -> tuple[str, ...]:
    """The names of those who can play a game: its levels from the weakest on, then the others."""
    own = game.players()
    simple = (SIMPLE,) if game.simple_players() is not None else ()
    brought = () if own is None else (*(level.name for level in own.levels), *own.others)
    return tuple(dict.fromkeys((*brought, *simple, RANDOM)))


def options_with_machines(game: GamePackage, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of a game in which a program plays: those given, and what its players need."""
    own = game.players()
    return options if own is None else {**own.options, **options}


def player_for(game: GamePackage, seat: Seat, name: str) -> PlayerWithLevel:
    """The player of that name for a seat of a new game. Raises `NoSuchPlayer`."""
    own = game.players()
    if own is not None:
        for level in own.levels:
            if level.name == name:
                return PlayerWithLevel(own.make_player(seat, level), level)
        if name in own.others:
            return PlayerWithLevel(own.others[name](seat), PlayerLevel(name, 0))
    simple = game.simple_players()
    if name == SIMPLE and simple is not None:
        return PlayerWithLevel(SimplePlayer(simple), PlayerLevel(name, 0))
    if name == RANDOM:
        return PlayerWithLevel(RandomPlayer(), PlayerLevel(name, 0))
    raise NoSuchPlayer(f"{game.id} has no player {name!r}; try one of {', '.join(player_names(game))}")
