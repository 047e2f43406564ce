"""One game of a referee: applies the actions of seats and of chance, and undoes them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

from boardrules import record as records
from boardrules.core import CHANCE, Event, Seat, State
from boardrules.game import Game


class _UndoEntry(NamedTuple):
    """A request that was carried out, to undo it."""

    action_count: int
    """How many actions it took, those of chance included."""
    generator_state: object
    """How the generator stood before."""


class GameWithChance:
    """A game, and the generator that throws for chance where there is one."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.seed = seed
        self._random = None if seed is None else random.Random(seed)
        self._done: list[_UndoEntry] = []

    @classmethod
    def begin_game(
        cls, game: str, options: Mapping[str, Any], seed: int | None
    ) -> tuple[GameWithChance, list[Event]]:
        """A new game, and what chance has done in it at once. Raises `UnknownGame`, `OptionError`."""
        table = cls(_new_game(game, options), seed)
        return table, table.play_chance()

    @property
    def state(self) -> State:
        """How it stands."""
        return self.game.state

    def act(self, seat: Seat, text: str) -> list[Event]:
        """What happens by an action of a seat, and by chance after it.

        Whatever it raises, nothing has changed: `BadText`, `IllegalAction`, or what a game with a mistake in
        it raises.
        """
        count, generator = len(self.game.actions), self._generator_state()
        try:
            events = [*self.game.push(self.state.parse(text, seat)), *self.play_chance()]
        except BaseException:
            self._rewind(count, generator)
            raise
        self._done.append(_UndoEntry(len(self.game.actions) - count, generator))
        return events

    def undo(self) -> bool:
        """Undo the last action with what chance did after it. Whether there was one."""
        if not self._done:
            return False
        done = self._done.pop()
        self._rewind(len(self.game.actions) - done.action_count, done.generator_state)
        return True

    def _rewind(self, count: int, generator: object) -> None:
        """As it was when there were so many actions."""
        while len(self.game.actions) > count:
            self.game.pop()
        if self._random is not None:
            self._random.setstate(generator)  # type: ignore[arg-type]

    def replay(self, actions: tuple[tuple[Seat, str], ...]) -> None:
        """Take these actions from the beginning on. Raises `BadText`, `IllegalAction`.

        Chance does what stands there; the generator is kept in step.
        """
        for seat, text in actions:
            before = self._generator_state()
            if seat == CHANCE:
                self._draw_chance_action()
            self.game.push(self.state.parse(text, seat))
            self._done.append(_UndoEntry(1, before))

    def record(self) -> str:
        """The game written down, with its secrets."""
        actions = tuple((action.seat, str(action)) for action in self.game.actions)
        return records.write(records.record_of(self.state, actions, seed=self.seed))

    def _generator_state(self) -> object:
        return None if self._random is None else self._random.getstate()

    def _draw_chance_action(self) -> str | None:
        """What the generator makes chance do, if there is one and chance is to act."""
        choices = self.state.chance()
        if self._random is None or not choices:
            return None
        drawn = self._random.randrange(sum(weight for _, weight in choices))
        for action, weight in choices:
            drawn -= weight
            if drawn < 0:
                return str(action)
        return None

    def play_chance(self) -> list[Event]:
        """What chance does by itself now."""
        events: list[Event] = []
        while (text := self._draw_chance_action()) is not None:
            events += self.game.push(self.state.parse(text, CHANCE))
        return events


def _new_game(game: str, options: Mapping[str, Any]) -> Game:
    from boardrules import registry  # a game that only this process knows is found there, too

    return Game(registry.new(game, options))
