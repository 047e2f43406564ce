"""What a seat may carry by hand, worked out at once, is what asking for every circle gives."""

from __future__ import annotations

import random
from typing import Any

import pytest

import boardrules
from boardrules.core import CHANCE, State

OPTIONS: tuple[dict[str, Any], ...] = (
    {"players": 3},
    {"players": 2, "doubling_back": "forbidden"},
    {"players": 6, "do_or_die": "classic"},
    {"players": 4, "safe_area": "pass_through", "marker_passage": "pay"},
)


@pytest.mark.few(1)
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options)))
def test_all_carries_at_once_are_those_asked_for_one_by_one(options: dict[str, Any]) -> None:
    chosen = random.Random(7)
    state = boardrules.new("escape-from-colditz", {**options, "rounds": 4})
    asked = 0
    while state.outcome is None and asked < 6:
        (seat,) = state.seats_to_act()
        if seat == CHANCE:
            faces = state.chance()
            action = chosen.choices([face for face, _ in faces], [weight for _, weight in faces])[0]
        else:
            if chosen.random() < 0.1:
                for each in state.seats:
                    assert state.carry_actions(each) == State.carry_actions(state, each)
                asked += bool(state.carry_actions(seat))
            action = chosen.choice(list(state.legal_actions(seat)))
        state, _ = state.apply(action)
    assert asked >= 3
