"""A game as a fold of its actions: the one place that carries out a take-back.

States are pure and know nothing of the past. When one raises `NeedsHistory`, the last turn of the seat that
it names is undone, and all that came after it.
"""

from __future__ import annotations

from typing import Final

from boardrules.core import Action, Event, NeedsHistory, Seat, State, expect_action

TAKE_BACK: Final = "take-back"
"""The kind of the event that says so; its `seat` is whose last turn is undone."""


class GameHistory:
    """A game with its history. `push` actions; `state` is where it stands."""

    def __init__(self, start: State) -> None:
        self.start = start
        self.state = start
        self._turns: list[tuple[Seat, State]] = []
        """Every turn that stands: its seat and the state before it."""
        self._pushed: list[tuple[State, tuple[tuple[Seat, State], ...] | None]] = []
        """By push the state before it, and the turns that it took back; `None` for what is no turn."""

    @property
    def turn_count(self) -> int:
        """How many of the game's own actions stand."""
        return len(self._turns)

    def push(self, action: Action) -> tuple[Event, ...]:
        """Apply an action and return what happened. Raises `IllegalAction`, changing nothing."""
        expect_action(action)
        before = self.state
        own = False
        undone: tuple[tuple[Seat, State], ...] = ()
        try:
            after, events = before.apply(action)
        except NeedsHistory as agreed:
            after, undone = self._undo_last_turn(agreed.seat, agreed.count)
            events = agreed.events
        else:
            own = action in before.legal_actions(action.seat)
        if own:
            self._turns.append((action.seat, before))
        self._pushed.append((before, None if own else undone))
        self.state = after
        return events

    def pop(self) -> None:
        """Undo the last push, whatever it was. Raises `IndexError` where nothing was pushed."""
        if not self._pushed:
            raise IndexError("nothing was pushed that could be undone")
        self.state, undone = self._pushed.pop()
        if undone is None:
            self._turns.pop()
        else:
            self._turns += undone

    def copy(self) -> GameHistory:
        """Another one that stands where this one does; each goes on by itself."""
        other = GameHistory(self.start)
        other.state = self.state
        other._turns = list(self._turns)
        other._pushed = list(self._pushed)
        return other

    def push_text(self, seat: Seat, text: str) -> tuple[Event, ...]:
        """Push what a seat wrote. Raises what `push` does, and `BadText`."""
        return self.push(self.state.parse(text, seat))

    def _undo_last_turn(self, seat: Seat, count: int) -> tuple[State, tuple[tuple[Seat, State], ...]]:
        """The state before the last `count` turns of `seat`, and the turns from there on, which stand no
        more."""
        own = [at for at, (who, _) in enumerate(self._turns) if who == seat]
        at = own[-count] if len(own) >= count else -1
        before = self._turns[at][1] if at >= 0 else self.start
        undone = tuple(self._turns[max(at, 0) :])
        del self._turns[max(at, 0) :]
        return before, undone
