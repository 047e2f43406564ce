"""What a position is made of."""

from __future__ import annotations

from rules.colditz.scene import scene


def test_copies_have_every_field() -> None:
    state = scene(gear={"american": "rope"}, turn_with={"over": (3, 2), "daring": 1, "traded": 4})
    for row in (state.facts.turn, state.facts.table, state.secrets):
        assert row.copy() == row
        assert row.copy() is not row
