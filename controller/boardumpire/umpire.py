"""Judges an action on a state. Pure: the state and the action in, a ruling out."""

from __future__ import annotations

from typing import NamedTuple

from boardrules.core import Action, Event, IllegalAction, Refusal, Space, State
from boardumpire.tracker import Position


class Ruling(NamedTuple):
    """What the umpire says to an action."""

    action: Action
    state: State
    """The state that holds from now on; the old one where the action is refused."""
    events: tuple[Event, ...]
    refusal: Refusal | None
    moved: frozenset[Space]
    """The spaces where hands carried the action out."""
    exchange: Space | None
    """Where a piece was beaten and another now belongs: only the winner may stand here."""


def judge(state: State, action: Action, hands: tuple[Space, Space] | None = None) -> Ruling:
    """Rule on `action`; `hands` is (origin, target) where hands carried it out on the board."""
    moved = frozenset(hands or ())
    try:
        after, events = state.apply(action)
    except IllegalAction as error:
        return Ruling(action, state, (), error.refusal, moved, None)
    return Ruling(action, after, events, None, moved, _exchanged(state, after, hands))


def _exchanged(before: State, after: State, hands: tuple[Space, Space] | None) -> Space | None:
    if hands is None:
        return None
    stood, stands = before.layout().get(hands[1]), after.layout().get(hands[1])
    return hands[1] if stood and stands and stood != stands else None


def position(state: State, spaces: frozenset[Space]) -> Position:
    """The public side of `state`, as the tracker needs it, on a board with these `spaces`."""
    if state.outcome is not None:
        return Position({}, spaces, frozenset(), {})
    steps: dict[Space, dict[Space, bool]] = {}
    for step in state.steps():
        steps.setdefault(step.origin, {})[step.target] = step.attack
    owners = {space: pieces[0].partition(":")[0] for space, pieces in state.layout().items()}
    return Position(owners, state.free_spaces(), frozenset(state.seats_to_act()), steps)
