"""Players that are programs: what one is told, what it may spend, and what a game brings of them.

A player sits at one seat of one game. It is handed the seat's views and its legal actions, never a state, so
it can't cheat. It is pure: chance comes in as `Chance`, and it stops by counting (`SearchBudget`), so the
same game with the same seed has the same moves on any machine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from boardrules.core import Action, Seat
from boardrules.random_source import RandomSource

MAX_THINKING_S: Final = 2.0
"""How long a player may think about one action, whatever it has counted."""
DECLINE_PREFIX: Final = "decline-"
"""How the text of an action begins that says no to an offer (`boardrules.common_sentences`)."""


class Chance(RandomSource, Protocol):
    """Where players take chance from: `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 up to, but not including, `stop`."""

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        """`k` of them in random order."""


class PlayerLevel(NamedTuple):
    """How well a player plays: all of it is data."""

    name: str
    """What `--level` says: `1` is the weakest."""
    playouts: int
    """How much it may count (`SearchBudget`): what one is, the game's player says."""
    settings: Mapping[str, Any] = MappingProxyType({})
    """What else the game's player wants to know, such as how often it errs."""
    seconds: float = MAX_THINKING_S
    """The cap on time, for slow machines: who comes to it plays what it has found until then."""


class SearchBudget:
    """What is left of a budget. Counting ends a search; time only where a machine is too slow for it."""

    __slots__ = ("_late", "remaining", "spent_count")

    def __init__(self, playouts: int, late: Callable[[], bool] | None = None) -> None:
        """`late`: whether time is up. Without it counting alone ends a search, and all of it repeats."""
        self.remaining = playouts
        self.spent_count = 0
        self._late = late

    def try_spend(self, count: int = 1) -> bool:
        """Whether so much may still be done; then it counts as done."""
        if self.remaining < count or (self._late is not None and self._late()):
            self.remaining = 0
            return False
        self.remaining -= count
        self.spent_count += count
        return True


class Player(ABC):
    """One seat's player, for one game. What it wants to remember of earlier views it keeps."""

    __slots__ = ()

    def observe_view(self, view: Any) -> None:  # noqa: B027 - most players need only the view they choose by
        """The seat's view (`State.view`) has changed, by whatever anybody did."""

    @abstractmethod
    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """What it does, of `legal`; where that is a sample (`ActionSample`) it may be another legal action.

        What the rules refuse isn't done: then the first of `legal` is.
        """

    def answer_offer(self, view: Any, table: Sequence[Action], chance: Chance) -> Action | None:
        """What it says about the game, of its table actions: here no to whatever is offered."""
        return next((action for action in table if str(action).startswith(DECLINE_PREFIX)), None)

    def is_hopeless(self) -> bool:
        """Whether it has had no hope for some turns, so that it may resign where people want that."""
        return False

    def assessment(self) -> str:
        """What it thinks of its seat's position since its last choice, in a few characters that players of
        the game know, such as `+0.7`; nothing: it doesn't say."""
        return ""

    def close(self) -> None:  # noqa: B027 - most players hold nothing
        """The game is over, or goes on without this player: end what it has begun, such as an engine's
        process. Called once."""


class ErringPlayer(Player):
    """Does what a simple player of its game does, and at times anything."""

    __slots__ = ("error_rate", "simple_policy")

    def __init__(self, simple: Callable[[Any, Sequence[Action], Chance], Action], errs: float) -> None:
        """`simple` chooses, by the view. `errs`: how often it does anything at all instead."""
        self.simple_policy, self.error_rate = simple, errs

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """One of them."""
        if chance.random() < self.error_rate:
            return legal[chance.randrange(len(legal))]
        return self.simple_policy(view, legal, chance)


class GamePlayers(NamedTuple):
    """The players that a game brings (`GamePackage.players`)."""

    levels: tuple[PlayerLevel, ...]
    """From the weakest on, named from `1` on."""
    make_player: Callable[[Seat, PlayerLevel], Player]
    """A player for a new game."""
    others: Mapping[str, Callable[[Seat], Player]] = MappingProxyType({})
    """By name further players to measure by, such as `greedy`."""
    options: Mapping[str, Any] = MappingProxyType({})
    """Options of a game in which a program plays, where people chose none: it has to come to an end."""
