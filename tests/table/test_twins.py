"""What one seat may not know never reaches a lamp, a public message, another seat's phone, or a moment."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.twins import Witness, begun, setups, shared_play


def _play(setup: dict[str, str], moves: list[tuple[str, str, str]], seed: int, announce: str) -> Witness:
    witness = Witness(setup, seed, {"announce": announce})
    for _, origin, target in moves:
        witness.carry(origin, target)
    witness.bench.close()
    return witness


@pytest.mark.parametrize("announce", ["ranks", "silent"])
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_twin_games_look_alike_to_the_table_and_to_the_other_seat(announce: str, seed: int) -> None:
    first, second = setups(seed)
    options = {"announce": announce}
    moves = shared_play(begun(first, options), begun(second, options), seed, turns=14)
    one, two = _play(first, moves, seed, announce), _play(second, moves, seed, announce)
    assert one.public == two.public
    assert one.private == two.private, "moments and sizes of private messages"
    assert one.told["red"] == two.told["red"], "red, whose ranks are equal, hears the same"
    rulings = [line for line in one.public if '"kind": "ruling"' in line]
    assert len(rulings) == len(moves) + 2, "every try was ruled on, and both set-ups"
