"""What one seat may not know never reaches a lamp, a public message, another seat's phone, or a moment."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.twins import Witness, begun, setups, shared_play


def _play(
    setup: dict[str, str],
    moves: list[tuple[str, str, str]],
    seed: int,
    announce: str,
    asked: tuple[str, ...] = (),
) -> Witness:
    """`asked`: the seats whose moves lamps ask hands for, as the machine plays them."""
    witness = Witness(setup, seed, {"announce": announce})
    for seat, origin, target in moves:
        if seat in asked:
            witness.ask_hands(seat, (origin,), (target,))
        witness.carry(origin, target)
    witness.left = witness.outward()
    witness.bench.close()
    return witness


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("announce", ["ranks", "silent"])
@settings(
    max_examples=settings.default.max_examples // 8,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 2**32))
def test_twin_games_look_alike_to_the_table_and_to_the_other_seat(announce: str, seed: int) -> None:
    _compare(seed, announce)


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("machines", [("blue",), ("red", "blue")], ids=" ".join)
@settings(
    max_examples=settings.default.max_examples // 10,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 2**32))
def test_what_lamps_ask_of_hands_for_the_machine_looks_alike_too(
    machines: tuple[str, ...], seed: int
) -> None:
    assert _compare(seed, "silent", machines).asked > 0


@pytest.mark.nightly
@pytest.mark.parametrize("announce", ["ranks", "silent"])
def test_a_thousand_twin_games_look_alike(announce: str, record_property: Any) -> None:
    """Games that differ in blue's hidden ranks alone: equal lamps, sounds, messages, moments, reprs."""
    record_property("pairs", 500)
    record_property("seeds", "1000000 to 1000499")
    for seed in range(1_000_000, 1_000_500):
        _compare(seed, announce)


def _compare(seed: int, announce: str, machines: tuple[str, ...] = ()) -> Witness:
    first, second = setups(seed)
    options = {"announce": announce}
    moves = shared_play(begun(first, options), begun(second, options), seed, turns=14)
    one, two = (_play(setup, moves, seed, announce, machines) for setup in (first, second))
    assert one.public == two.public
    assert one.private == two.private, "moments and sizes of private messages"
    assert one.told["red"] == two.told["red"], "red, whose ranks are equal, hears the same"
    assert one.left == two.left, "sounds, views, the record, reprs"
    for witness in (one, two):
        assert witness.channels()["red"] == witness.channels()["blue"], "as many and as long for each seat"
    rulings = [line for line in one.public if '"kind": "ruling"' in line]
    assert len(rulings) == len(moves) + 2, "every try was ruled on, and both set-ups"
    return one
