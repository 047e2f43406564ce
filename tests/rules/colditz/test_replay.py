"""Events, views and layout say the same at every moment."""

from __future__ import annotations

import random
from typing import Any

import pytest

import boardrules
from boardrules.core import CHANCE, CLOCK
from rules.colditz.invariants import some_options
from rules.colditz.replaying import Replay
from rules.colditz.scene import at, kinds, scene, told
from rules.ids import rule


def likes(state: Any, action: Any) -> bool:
    """What brings more than steps about: draws, claims, crossings, guards who come to men."""
    facts, words = state.facts, str(action).split()
    if len(words) > 1 or "-" not in words[0]:
        return words[0] in ("draw", "claim", "accept", "refuse", "search") or words[-1] == "hideaway"
    crossing = (action.origin, action.target) in facts.rules.board.crossing_at
    return crossing or bool(facts.men_nodes >> action.target & 1) or "/" in words[0]


def replayed(seed: int, longest: int) -> tuple[Any, int]:
    """A random game whose events are replayed; where it ended, and how many windows of arrests were open."""
    rng = random.Random(seed)
    state: Any = boardrules.new("escape-from-colditz", some_options(rng))
    replay, open_arrests = Replay(state), 0
    for _ in range(longest):
        if state.outcome is not None:
            break
        (seat,) = state.seats_to_act()
        table = [*state.table_actions(seat), *state.table_actions(CLOCK)] if seat != CHANCE else []
        if seat == CHANCE:
            faces = state.chance()
            action = rng.choices([one for one, _ in faces], [weight for _, weight in faces])[0]
        elif table and rng.random() < 0.002:
            action = rng.choice(table)
        else:
            legal = list(state.legal_actions(seat))
            liked = [one for one in legal if likes(state, one)]
            action = rng.choice(liked if liked and rng.random() < 0.5 else legal)
        state, events = state.apply(action)
        for event in events:
            replay.hear(event)
        open_arrests += bool(state.unsettled_spaces())
        replay.check(state)
    return state, open_arrests


@rule("R030", "R065", "R068", "R080", "R086")
@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(40))
def test_who_only_hears_the_events_knows_what_everybody_sees(seed: int) -> None:
    replayed(seed, 1500)


@pytest.mark.slow
def test_arrests_that_may_be_answered_are_among_these_games() -> None:
    assert sum(replayed(seed, 1500)[1] for seed in (4, 8, 9)) >= 5


@rule("R065", "R068", "R080", "R089")
@pytest.mark.parametrize("start", ["c3", "barracks"])
@pytest.mark.parametrize("answer", ["play hideaway", "pass"])
def test_a_guard_comes_to_a_man_only_when_nothing_was_answered(start: str, answer: str) -> None:
    there = {"c3": "c4", "barracks": "c7"}[start]
    state = scene("security", security=start, american=there, gear={"american": "key"},
                  hands={"american": "hideaway"})  # fmt: skip
    asked, events = told(state, f"security {start}-{there}")
    assert [event.json() for event in events] == [
        {"kind": "confront", "seat": "security", "from": start, "to": there}
    ]
    assert asked.layout() == state.layout()
    assert asked.facts.points == state.facts.points
    answered, events = told(asked, f"american {answer}")
    assert answered.facts.points == state.facts.points - 1
    if answer == "pass":
        assert kinds(events) == ["move", "arrest"]
        assert (at(answered, "american"), at(answered, "security")[-1:]) == (["innercells"], ["office"])
    else:
        assert kinds(events) == ["play", "slip", "points"]
        assert dict(events[1].data)["from"] == there
        assert at(answered, "security") == at(state, "security")
