"""Nobody learns a rank with his own fingers: armies that nobody can tell apart look alike when probed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from table.probers import Prober
from table.twins import begun, setups, shared_play


def _play(setup: dict[str, str], moves: list[tuple[str, str, str]], seed: int, announce: str) -> Prober:
    witness, dice = Prober(setup, seed, {"announce": announce}), random.Random(f"probe {seed}")
    for seat, origin, target in moves:
        witness.probe(seat, dice)
        witness.carry(origin, target)
        witness.go_home()
    witness.left = witness.outward()
    witness.bench.close()
    return witness


def _compare(seed: int, announce: str) -> int:
    """How many attacks waited for a sign in that game, though nobody gave one."""
    first, second = setups(seed)
    options = {"announce": announce}
    moves = shared_play(begun(first, options), begun(second, options), seed, turns=8)
    one, two = _play(first, moves, seed, announce), _play(second, moves, seed, announce)
    assert one.public == two.public, f"lamps, messages or moments differ: seed {seed}"
    assert one.private == two.private, "moments and sizes of private messages"
    assert one.told["red"] == two.told["red"], "red, whose ranks are equal, hears the same"
    assert one.left == two.left, "sounds, views, the record, reprs"
    for witness in (one, two):
        assert witness.channels()["red"] == witness.channels()["blue"], "as many and as long for each seat"
    rulings = [line for line in one.public if '"kind": "ruling"' in line]
    assert len(rulings) == len(moves) + 2, "nothing but each try was ruled on, and both set-ups"
    return sum('"code": "attack-pending"' in line for line in one.public)


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("announce", ["ranks", "silent"])
def test_probed_twins_look_alike_to_the_table_and_to_the_other_seat(announce: str) -> None:
    waited = [_compare(seed, announce) for seed in range(6)]
    assert sum(waited) > 6, "probers had pieces in reach"


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("announce", ["ranks", "silent"])
def test_fifty_pairs_of_probed_twins_look_alike(announce: str, part: int, record_property: Any) -> None:
    """A twentieth of 1,000 pairs: armies that differ in blue's hidden ranks, probed between the moves."""
    record_property("pairs", 50)
    first = 2_000_000 + 50 * part
    record_property("seeds", f"{first} to {first + 49}")
    waited = sum(_compare(seed, announce) for seed in range(first, first + 50))
    record_property("attacks that waited for a sign", waited)
    assert waited > 50
