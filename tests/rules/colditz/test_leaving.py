"""Whoever leaves, whenever his time runs out, whatever the clock closes: the game goes on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from boardrules.colditz.games import Colditz
from boardrules.colditz.state.facts import AFTER_SEARCH, BEFORE_ROLL
from boardrules.core import CLOCK, Action
from rules import contract
from rules.colditz.invariants import check, check_somebody_can_act, some_options
from rules.colditz.scene import after, at, scene, told, turn_of, why
from rules.colditz.test_contract import scattered
from rules.ids import rule


def leavings(state: Any) -> Iterator[Action]:
    """Everybody's resignation, everybody's time, and what the clock may close."""
    for seat in (*state.seats, CLOCK):
        yield from state.table_actions(seat)
    yield from state.legal_actions(CLOCK)


def leave_everywhere(seed: int, rng: random.Random, positions: int) -> int:
    """Play on at random; in every position, leave in every way, and in one way more. Returns how often.

    Every other game begins as games do, the others in a turn with everybody anywhere, whose hands were not
    dealt from the decks.
    """
    dealt, tried = bool(seed % 2), 0
    state = Colditz().new({**some_options(rng), "rounds": 6}) if dealt else scattered(rng)
    for on in contract.walk(state, rng, positions):
        for leaving in leavings(on):
            gone: Any = on.apply(leaving)[0]
            tried += 1
            check_somebody_can_act(gone)
            more = list(leavings(gone))
            if more and rng.random() < 0.3:
                check_somebody_can_act(gone.apply(rng.choice(more))[0])
            if dealt and rng.random() < 0.03:
                check(gone)
    return tried


@pytest.mark.slow
def test_whoever_leaves_somebody_can_act() -> None:
    tried = 0
    for seed in range(6):
        tried += leave_everywhere(seed, random.Random(seed), 60)
    assert tried > 1000


@pytest.mark.nightly
def test_whoever_leaves_whenever(record_property: Callable[[str, object], None]) -> None:
    """In every position of 400 random games, half of them from a turn with everybody anywhere: each
    resignation, each seat's time and each closing, often two of them; then somebody can act."""
    tried = 0
    for seed in range(400):
        tried += leave_everywhere(seed, random.Random(f"leaving {seed}"), 150)
    record_property("leavings", tried)


@rule("R074", "R087", "G18")
@pytest.mark.parametrize("line", ["british resign", "clock time british", "clock close"])
def test_a_search_is_over_when_the_last_card_that_is_owed_is_given_up_for_somebody(line: str) -> None:
    state = searching(out=0)
    state = after(state, "security search")
    while state.seats_to_act() != ("british",):
        (seat,) = state.seats_to_act()
        state, _ = state.apply(next(iter(state.legal_actions(seat))))
    assert state.facts.turn.phase == AFTER_SEARCH
    state = after(state, line)
    assert (turn_of(state), state.facts.turn.phase) == ("american", BEFORE_ROLL)
    assert state.facts.table.equipment_counts[2] == 0


@rule("R074", "R087", "G18")
def test_a_search_that_takes_a_man_of_somebody_who_left_ends_the_turn() -> None:
    state, events = told(searching(out=0b100), "security search", "american surrender rope")
    assert (turn_of(state), state.facts.turn.phase) == ("american", BEFORE_ROLL)
    assert [event.kind for event in events].count("turn") == 1


def searching(out: int) -> Any:
    """The Security Officer may search; a man of each nation, whose officer has a card, is found outside."""
    state = scene(
        "security", points=8, security="n16", american="n20 c4", british="n14 c9",
        gear={"american": "rope", "british": "key"}, table_with={"left_sides": out},
        turn_with={"throws": ((3, 5),)},
    )  # fmt: skip
    refuser = 1 << state.facts.rules.pawns[1][1]
    turn = replace(state.facts.turn, refusers=refuser)
    return type(state)(replace(state.facts, turn=turn), state.secrets)


@rule("R037", "R045", "R088")
def test_walking_onto_a_guard_where_nobody_may_stay_is_a_way_to_get_on() -> None:
    """The guard on searchlight n11 is the only way on for who comes out of the tunnel with two points."""
    state = scene(points=3, american="canteen/6 canteen/5 canteen/4", security="n11", tunnels={"canteen": 1})
    state = after(state, "american canteen/6-n9")
    check_somebody_can_act(state)
    assert why(state, "american end") == "in-transit"
    assert [str(action) for action in state.legal_actions("american")] == ["n9-n10"]
    caught = after(state, "american n9-n10", "american n10-n11")
    assert "outercells" in at(caught, "american")
    check_somebody_can_act(caught)


@rule("G18", "R033")
@pytest.mark.parametrize("line", ["british resign", "clock time british"])
def test_a_daring_man_over_others_goes_to_the_cells_when_his_officer_leaves(line: str) -> None:
    state = scene(
        "british", phase=BEFORE_ROLL, options={"do_or_die": "classic"}, british="c2 c19", american="c3 c21",
        table_with={"do_or_die_sides": 6},
    )  # fmt: skip
    state = after(
        state, "british dare c2", "chance value 3", "chance dice 3 4", "chance dice 3 4", "chance dice 3 4",
        "british c2-c3",
    )  # fmt: skip
    assert why(state, "british end") == "in-transit"
    left, events = told(state, line)
    assert at(left, "british") == ["c19", "innercells"]
    assert [event.json()["at"] for event in events if event.kind == "arrest"] == ["c3"]
    check(left)


@rule("G18")
def test_a_daring_man_who_has_escaped_stays_away_when_his_officer_leaves() -> None:
    """Another of his nation has escaped before him."""
    state = scene(
        "british", phase=BEFORE_ROLL, options={"do_or_die": "classic"}, british="b1 away", american="c3",
        kits="british", table_with={"do_or_die_sides": 6},
    )  # fmt: skip
    state = after(
        state, "british dare b1", "chance value 3", "chance dice 3 4", "chance dice 3 4", "chance dice 3 4",
        "british b1-t1",
    )  # fmt: skip
    left, events = told(state, "british resign")
    assert at(left, "british") == ["away", "away"]
    assert "arrest" not in [event.kind for event in events]
    check(left)
