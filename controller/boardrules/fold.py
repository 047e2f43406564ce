"""A game as a fold of its actions: the one place that carries out a take-back.

States are pure and know nothing of the past. When an applied action's events hold `take-back`, the last turn
of the seat that it names is undone, and all that came after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from boardrules.core import Action, Event, Seat, State

TAKE_BACK: Final = "take-back"
"""The kind of the event that says so; its `seat` is whose last turn is undone."""


class Fold:
    """A game with its history. `push` actions; `state` is where it stands."""

    def __init__(self, start: State) -> None:
        self.start = start
        self.state = start
        self._turns: list[tuple[Seat, State]] = []
        """Every turn that stands: its seat and the state before it."""

    @property
    def turns(self) -> int:
        """How many of the game's own actions stand."""
        return len(self._turns)

    def push(self, action: Action) -> tuple[Event, ...]:
        """Apply an action and return what happened. Raises `IllegalAction`, changing nothing."""
        own = action in self.state.legal_actions(action.seat)
        after, events = self.state.apply(action)
        taken_back = next((event for event in events if event.kind == TAKE_BACK), None)
        if taken_back is not None:
            self.state = self._undone(dict(taken_back.data)["seat"])
        else:
            if own:
                self._turns.append((action.seat, self.state))
            self.state = after
        return events

    def push_text(self, seat: Seat, text: str) -> tuple[Event, ...]:
        """As `push`, of what a seat wrote. Raises `BadText` too."""
        return self.push(self.state.parse(text, seat))

    def _undone(self, seat: Seat) -> State:
        while self._turns:
            whose, before = self._turns.pop()
            if whose == seat:
                return before
        return self.start


def fold(start: State, actions: Iterable[Action]) -> State:
    """The state after all the actions."""
    game = Fold(start)
    for action in actions:
        game.push(action)
    return game.state
