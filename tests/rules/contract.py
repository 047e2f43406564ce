"""The contract of `boardrules.core` as checks that any state of any game has to pass."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
import random
from collections.abc import Iterable, Iterator
from functools import partial

import pytest

from boardrules.core import (
    CHANCE,
    CLOCK,
    Action,
    BadText,
    IllegalAction,
    NeedsHistory,
    Seat,
    State,
    UnknownSeat,
    visible,
)


def everybody(state: State) -> tuple[Seat, ...]:
    return (*state.seats, CHANCE, CLOCK)


def check_state(state: State, attempts: Iterable[Action] = ()) -> None:
    """Everything that holds of one state; `attempts`: actions to try, legal or not."""
    check_value(state)
    check_views(state)
    tried: list[Action] = list(attempts)
    for seat in everybody(state):
        check_actions(state, seat)
        tried += [*state.legal_actions(seat), *state.table_actions(seat)]
    for action in (*tried, *said_by_others(state)):
        check_attempt(state, action)
    check_chance(state)
    if state.outcome is not None:
        assert state.seats_to_act() == ()
        assert all(len(state.legal_actions(seat)) == 0 for seat in everybody(state))
        assert all(state.table_actions(seat) == () for seat in everybody(state))


def said_by_others(state: State) -> Iterator[Action]:
    """What one seat may do about the game, and some of what it may do in it, as each other one would say
    it."""
    for seat in everybody(state):
        for action in (*state.table_actions(seat), *list(state.legal_actions(seat))[:3]):
            for other in everybody(state):
                if other != seat:
                    with contextlib.suppress(BadText):
                        yield state.parse(str(action), other)


def check_value(state: State) -> None:
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)
    assert copy.deepcopy(state) == state
    assert state != object()
    json.dumps(state.truth())
    assert dict(state.options)["players"] >= 1


def check_views(state: State) -> None:
    for seat in (*state.seats, None):
        view = state.view(seat)
        shown = view.json()
        json.dumps(shown)
        assert view.seat == seat
        assert shown["seat"] == seat
        assert tuple(shown["to_act"]) == view.to_act == state.seats_to_act()
        assert ("outcome" in shown) == (state.outcome is not None)
        assert view == state.view(seat)
        assert hash(view) == hash(state.view(seat))


def check_actions(state: State, seat: Seat) -> None:
    listed = list(state.legal_actions(seat))
    assert listed == list(state.legal_actions(seat)), "the order is deterministic"
    assert len(set(listed)) == len(listed) == len(state.legal_actions(seat))
    if seat in state.seats_to_act():
        assert listed, "whom the game waits for can act"
    for action in (*listed, *state.table_actions(seat)):
        assert action.seat == seat
        assert state.parse(str(action), seat) == action
        assert str(state.parse(str(action), seat)) == str(action)
        assert (repr(action) == str(action)) != action.secret
    for action in state.table_actions(seat):
        assert action not in state.legal_actions(seat)
        assert state.refusal(action) is None


def check_attempt(state: State, action: Action) -> None:
    """Refusal, membership and `apply` agree, and `apply` changes nothing."""
    refusal = state.refusal(action)
    here = action.seat in everybody(state)
    listed = here and action in state.legal_actions(action.seat)
    assert (refusal is None) == (listed or (here and action in state.table_actions(action.seat)))
    before = pickle.dumps(state.truth())
    if refusal is None and str(action).startswith(("agree-take-back", "agree-throw")):
        with pytest.raises(NeedsHistory, match="push this action to a "):
            state.apply(action)
    elif refusal is None:
        first, second = state.apply(action), state.apply(action)
        assert first == second
        assert hash(first[0]) == hash(second[0])
    else:
        with pytest.raises(IllegalAction) as caught:
            state.apply(action)
        assert caught.value.refusal == refusal
        if refusal.public_code is not None:
            assert refusal.code not in str(caught.value) + repr(refusal)
    assert pickle.dumps(state.truth()) == before


def check_chance(state: State) -> None:
    choices = state.chance()
    assert bool(choices) == (CHANCE in state.seats_to_act())
    assert all(weight > 0 and state.refusal(action) is None for action, weight in choices)


def check_bad_text(state: State) -> None:
    for asks in (state.legal_actions, state.table_actions, state.view, partial(state.parse, "")):
        with pytest.raises(UnknownSeat, match=f"^'green' is no seat here; try one of {state.seats[0]}, "):
            asks("green")
    for seat in everybody(state):
        for text in ("", "xyzzy", "a1", "-", "setup", "walk", "\0"):
            try:
                read = str(state.parse(text, seat))
            except BadText as error:
                read = str(error)
            assert "; try " in read or read.split() == text.split()


def choose(state: State, rng: random.Random) -> Action:
    """A random action of a random seat that the game waits for."""
    seat = rng.choice(state.seats_to_act())
    choices = state.chance() if seat == CHANCE else ()
    if choices:
        return rng.choices([action for action, _ in choices], [weight for _, weight in choices])[0]
    return rng.choice(list(state.legal_actions(seat)))


def walk(state: State, rng: random.Random, longest: int) -> Iterator[State]:
    """The states of a random game."""
    yield state
    for _ in range(longest):
        if state.outcome is not None:
            return
        state, _events = state.apply(choose(state, rng))
        yield state


def same_to(one: State, other: State, seat: Seat | None) -> None:
    """Two states that differ only in what `seat` can't know look and behave alike to it."""
    assert one.view(seat) == other.view(seat)
    assert one.view(seat).json() == other.view(seat).json()
    assert repr(one.view(seat)) == repr(other.view(seat))
    assert repr(one) == repr(other)
    assert one.seats_to_act() == other.seats_to_act()
    assert (one.steps(), one.layout(), one.unchecked_spaces()) == (
        other.steps(),
        other.layout(),
        other.unchecked_spaces(),
    )
    if seat is not None:
        assert list(one.legal_actions(seat)) == list(other.legal_actions(seat))
        assert one.table_actions(seat) == other.table_actions(seat)


def told_alike(one: State, other: State, action: Action, seat: Seat | None) -> tuple[State, State] | None:
    """Both states after an action that is legal in both, if `seat` is told the same of it; else `None`.

    Where it is refused, everybody hears the same in both.
    """
    refusals = one.refusal(action), other.refusal(action)
    if None not in refusals:
        public = {refusal.public_code or refusal.code for refusal in refusals if refusal is not None}
        assert len(public) == 1
        return None
    if refusals != (None, None):
        return None
    (first, events), (second, others) = one.apply(action), other.apply(action)
    alike = visible(events, seat) == visible(others, seat)
    return (first, second) if alike else None


def check_listed(state: State, known: dict[Seat, dict[Action, None]]) -> int:
    """Of the actions that were listed earlier in the game just those are accepted that are listed now; how
    many were tried. `known` takes up the new ones, and forgets the oldest."""
    tried = 0
    for seat in everybody(state):
        mine = known.setdefault(seat, {})
        listed = {*state.legal_actions(seat), *state.table_actions(seat)}  # what iterating gives, no more
        for action in mine:
            assert (state.refusal(action) is None) == (action in listed), action
        tried += len(mine)
        mine |= dict.fromkeys(sorted(listed - mine.keys(), key=str))
        for action in list(mine)[:-100]:
            del mine[action]
    return tried
