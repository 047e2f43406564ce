"""Two states that differ only in what a seat can't know are one and the same to it (Hypothesis)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boardrules
from boardrules.core import State
from boardrules.stratego.actions import StrategoSetup
from boardrules.stratego.setup import draw_setup
from rules import contract, toy
from rules.armies import STRATEGO
from rules.ids import rule

VARIANTS = st.fixed_dictionaries(
    {
        "game": st.sampled_from([game_id for game_id in STRATEGO if game_id != "stratego-classic"]),
        "announce": st.sampled_from(["ranks", "silent"]),
        "reveal_after_battle": st.sampled_from(["hide_again", "stay_open"]),
        "no_move": st.sampled_from(["side_to_move_loses", "mutual_draw", "either_side"]),
        "chase": st.sampled_from(["board_repeat", "pair_repeat"]),
        "shuttle_responder": st.sampled_from(["counts", "free"]),
    }
)


def twins(options: dict[str, Any], secret: str, rng: random.Random) -> tuple[State, State]:
    """Two games that differ in which of `secret`'s pieces is which."""
    game = options.pop("game")
    one: Any = boardrules.new(game, options)
    rules = one.rules
    known = draw_setup(rules, "blue" if secret == "red" else "red", rng)
    first = draw_setup(rules, secret, rng)
    ranks = [rank for _, rank in first.pieces]
    rng.shuffle(ranks)
    second = StrategoSetup(
        secret, [(square, rank) for (square, _), rank in zip(first.pieces, ranks, strict=True)]
    )
    other = one
    for setup, twin in ((known, known), (first, second)):
        (one, told), (other, told_other) = one.apply(setup), other.apply(twin)
        assert told == told_other
    return one, other


def play_alike(one: State, other: State, seat: str, rng: random.Random) -> int:
    """Play what is legal in both and told alike, comparing all that `seat` and the spectator can see."""
    turns = 0
    for _ in range(60):
        for viewer in (seat, None):
            contract.same_to(one, other, viewer)
        if one.outcome is not None or other.outcome is not None:
            return turns
        mover = one.seats_to_act()[0]
        hands = [(step.origin, step.target) for step in one.steps()]
        spaces = sorted(one.layout())
        hands += [(rng.choice(spaces), rng.choice(spaces)) for _ in range(5)]
        rng.shuffle(hands)
        for origin, target in hands:
            after = contract.told_alike(one, other, one.hand_action(mover, origin, target), seat)
            if after is not None:
                one, other = after
                turns += 1
                break
        else:
            return turns
    return turns


@pytest.mark.slow
@rule("G7", "Q05", "G8")
@settings(max_examples=settings.default.max_examples * 6 // 10)
@given(VARIANTS, st.sampled_from(["red", "blue"]), st.integers(0, 2**32))
def test_hidden_ranks_change_nothing_that_others_see(options: dict[str, Any], secret: str, seed: int) -> None:
    rng = random.Random(seed)
    one, other = twins(dict(options), secret, rng)
    play_alike(one, other, "blue" if secret == "red" else "red", rng)


@pytest.mark.slow
def test_the_property_sees_long_games() -> None:
    lengths = []
    for seed in range(30):
        rng = random.Random(seed)
        one, other = twins({"game": "stratego-quick-duel"}, "red", rng)
        lengths.append(play_alike(one, other, "blue", rng))
    assert max(lengths) >= 20


@rule("Q05")
@pytest.mark.parametrize("seat", ["blue", None])
def test_a_set_up_is_hidden_whole(seat: str | None) -> None:
    start: Any = boardrules.new("stratego-quick-duel")
    one, other = (start.apply(draw_setup(start.rules, "red", random.Random(seed)))[0] for seed in (1, 2))
    assert one != other
    contract.same_to(one, other, seat)
    assert one.view("red") != other.view("red")


@settings(max_examples=settings.default.max_examples * 4 // 10)
@given(st.integers(0, 2**32))
def test_the_toys_cards_are_hidden(seed: int) -> None:
    rng = random.Random(seed)
    states = [toy.Toy().new({}) for _ in range(2)]
    for seat in toy.SEATS:
        for count, card in enumerate(("card", "blank")):
            mine = card if seat == "south" else "blank"
            action = toy.Word("chance", f"deal {seat} {mine}")
            states[count] = states[count].apply(action)[0]
    one, other = states
    for _ in range(60):
        for viewer in ("north", None):
            contract.same_to(one, other, viewer)
        if one.outcome is not None:
            return
        action = contract.choose(one if rng.random() < 0.5 else other, rng)
        after = contract.told_alike(one, other, action, "north")
        if after is not None:
            one, other = after
