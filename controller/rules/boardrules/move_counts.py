"""Counting lines of play: how a generator of moves is checked against others."""

from __future__ import annotations

from collections.abc import Iterator

from boardrules.core import CHANCE, Action, State


def perft(state: State, depth: int) -> int:
    """How many lines of `depth` actions there are from here; one that ends the game earlier isn't counted.

    Where several seats are to act the first one does; the faces of chance count as actions. Raises
    `ValueError` where actions are too many to list, as in a set-up.
    """
    if depth == 0:
        return 1
    actions = tuple(_actions(state))
    if depth == 1:
        return len(actions)
    return sum(perft(state.apply(action)[0], depth - 1) for action in actions)


def divide(state: State, depth: int) -> dict[str, int]:
    """By first action how many lines of `depth` actions begin with it: to find where two counts differ."""
    return {str(action): perft(state.apply(action)[0], depth - 1) for action in _actions(state)}


def _actions(state: State) -> Iterator[Action]:
    seats = state.seats_to_act()
    if not seats:
        return
    if seats[0] == CHANCE:
        yield from (action for action, _ in state.chance())
        return
    legal = state.legal_actions(seats[0])
    if not getattr(legal, "whole", True):
        raise ValueError(f"{state.game_id}: the actions of {seats[0]} are too many to list")
    yield from legal
