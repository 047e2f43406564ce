"""No position without an action, nothing lost; and hidden cards change nothing for others."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    run_state_machine_as_test,
)
from hypothesis.stateful import rule as step

from boardrules.colditz.bots.simple_players import choose_by_odds
from boardrules.colditz.deck.hidden_cards import Deck
from boardrules.colditz.games import Colditz
from boardrules.colditz.state.facts import BEFORE_ROLL
from boardrules.core import CHANCE, CLOCK, State
from rules import contract
from rules.colditz.invariants import check, some_options
from rules.colditz.scene import after, scene
from rules.ids import rule


def test_an_opened_tunnel_is_empty_before_the_roll_whatever_else_is_played_then() -> None:
    state = scene(phase=BEFORE_ROLL, american="c2 c4", hands={"american": "tunnel-canteen bed-sheets"})
    state = after(state, "american play tunnel-canteen", "american play bed-sheets")
    check(state)
    with pytest.raises(AssertionError):
        check(scene(phase=BEFORE_ROLL, american="c2 c4", tunnels={"canteen": 1}))


class AnyGame(RuleBasedStateMachine):
    """A game in which seats do whatever is listed for them, simple players help, and people leave."""

    def __init__(self) -> None:
        super().__init__()
        self.state: State = Colditz().new({})
        self.rng = random.Random(0)

    @initialize(seed=st.integers(0, 2**32), skip=st.integers(0, 400))
    def begin(self, seed: int, skip: int) -> None:
        self.rng = random.Random(seed)
        self.state = Colditz().new(some_options(self.rng))
        for _ in range(skip):
            self.sensible(1)

    def going(self) -> bool:
        return self.state.outcome is None

    @precondition(going)
    @step(count=st.integers(1, 12))
    def anything(self, count: int) -> None:
        for _ in range(count):
            if self.going():
                self.state, _ = self.state.apply(contract.choose(self.state, self.rng))

    @precondition(going)
    @step(count=st.integers(1, 12))
    def sensible(self, count: int) -> None:
        for _ in range(count):
            if self.going():
                seat = self.state.seats_to_act()[0]
                view: Any = self.state.view(None if seat == CHANCE else seat)
                self.state, _ = self.state.apply(
                    choose_by_odds(view, self.state.legal_actions(seat), self.rng)
                )

    @precondition(going)
    @step(place=st.integers(0, 5))
    def another_seat(self, place: int) -> None:
        """Somebody who isn't waited for does what he may: trades."""
        seat = self.state.seats[place % len(self.state.seats)]
        legal = list(self.state.legal_actions(seat))
        if legal:
            self.state, _ = self.state.apply(self.rng.choice(legal))

    @precondition(going)
    @step()
    def clock(self) -> None:
        for action in self.state.legal_actions(CLOCK):
            self.state, _ = self.state.apply(action)

    @precondition(going)
    @step(place=st.integers(0, 30))
    def leaves(self, place: int) -> None:
        if place < len(self.state.seats):
            for action in self.state.table_actions(self.state.seats[place]):
                self.state, _ = self.state.apply(action)

    @precondition(lambda self: not self.going())
    @step()
    def another_game(self) -> None:
        self.state = Colditz().new(some_options(self.rng))

    @invariant()
    def holds(self) -> None:
        check(self.state)


AnyGame.TestCase.settings = settings(
    max_examples=settings.default.max_examples // 10,
    stateful_step_count=12,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
TestAnyGame = AnyGame.TestCase


@pytest.mark.nightly
def test_hundreds_of_wild_games(record_property: Callable[[str, object], None]) -> None:
    """400 games of 40 steps, each of up to 12 actions: none without an action, no broken invariant."""
    record_property("seed", 1)
    wild = settings(
        max_examples=400, stateful_step_count=40, deadline=None, phases=(Phase.generate,), database=None
    )
    run_state_machine_as_test(seeded(1)(AnyGame), settings=wild)


def swapped_hands(state: Any, side: int, rng: random.Random) -> Any:
    """The same position, but for which cards a seat holds of those that nobody else can know."""
    which = 0 if side else 1
    deck, rules = state.secrets.decks[which], state.facts.rules
    hand = [card for card in state.secrets.hands[side] if rules.counts_against_limit(card)]
    kept = [card for card in state.secrets.hands[side] if not rules.counts_against_limit(card)]
    pool = [card for card, count in deck.shuffled for _ in range(count)] + hand
    rng.shuffle(pool)
    new, rest = pool[: len(hand)], sorted(pool[len(hand) :])
    shuffled = tuple((card, rest.count(card)) for card in sorted(set(rest)))
    hands, decks = list(state.secrets.hands), list(state.secrets.decks)
    hands[side], decks[which] = tuple(sorted(new + kept)), Deck(shuffled, deck.bottom_cards)
    return type(state)(state.facts, replace(state.secrets, hands=tuple(hands), decks=tuple(decks)))


def swapped_gear(state: Any, rng: random.Random) -> Any:
    """The same position, but for which kinds of Equipment the officers hold among themselves."""
    gear = [list(one) for one in state.secrets.gear]
    pool = [kind for one in gear for kind, count in enumerate(one) for _ in range(count)]
    rng.shuffle(pool)
    fresh = []
    for one in gear:
        mine = [pool.pop() for _ in range(sum(one))]
        fresh.append(tuple(mine.count(kind) for kind in range(4)))
    return type(state)(state.facts, replace(state.secrets, gear=tuple(fresh)))


def reached(seed: int, plies: int) -> tuple[Any, random.Random]:
    """A position some way into a game of simple players."""
    rng = random.Random(seed)
    state: Any = Colditz().new({**some_options(rng), "rounds": 12, "start_kits": True})
    for _ in range(plies):
        if state.outcome is not None:
            break
        seat = state.seats_to_act()[0]
        before, view = state, state.view(None if seat == CHANCE else seat)
        state, _ = state.apply(choose_by_odds(view, state.legal_actions(seat), rng))
        if state.outcome is not None:
            return before, rng
    return state, rng


def play_alike(one: Any, other: Any, viewer: str | None, rng: random.Random) -> int:
    """Do what is legal in both and told alike, comparing all that the viewer and the spectator can see."""
    done = 0
    for _ in range(25):
        for seat in {viewer, None}:
            contract.same_to(one, other, seat)
        if one.outcome is not None:
            return done
        seat = one.seats_to_act()[0]
        assert seat == other.seats_to_act()[0]
        tries = [*one.legal_actions(seat), *other.legal_actions(seat)]
        rng.shuffle(tries)
        for action in tries[:40]:
            then = contract.told_alike(one, other, action, viewer)
            if then is not None:
                one, other = then
                done += 1
                break
        else:
            return done
    return done


@pytest.mark.slow
@rule("R095", "G20")
@settings(max_examples=settings.default.max_examples // 4, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 300), st.integers(0, 5))
def test_hidden_hands_change_nothing_for_others(seed: int, plies: int, place: int) -> None:
    state, rng = reached(seed, plies)
    side = place % len(state.seats)
    others = [seat for seat in (*state.seats, None) if seat != state.seats[side]]
    play_alike(state, swapped_hands(state, side, rng), rng.choice(others), rng)


@pytest.mark.slow
@rule("R095", "G20", "R093")
@settings(max_examples=settings.default.max_examples // 4, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 400))
def test_kinds_of_equipment_change_nothing_for_the_security_officer_and_the_spectator(
    seed: int, plies: int
) -> None:
    state, rng = reached(seed, plies)
    play_alike(state, swapped_gear(state, rng), rng.choice(("security", None)), rng)


@pytest.mark.slow
def test_the_properties_see_something() -> None:
    steps, differ = 0, 0
    for seed in range(6):
        state, rng = reached(seed, 250)
        twin = swapped_gear(state, rng)
        differ += twin != state
        steps += play_alike(state, twin, "security", rng)
        hands = swapped_hands(state, 1, rng)
        differ += hands != state
    assert differ >= 4
    assert steps >= 60
