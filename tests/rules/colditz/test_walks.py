"""Walks over several circles against a slow reference: all rows of single steps, tried one by one."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from boardrules.colditz.state.moves import pawn_in_transit
from rules.colditz.walking import bare, by_points_alone, positions, single_steps, with_one_more
from rules.ids import rule

CASES: tuple[tuple[int, dict[str, Any]], ...] = (
    (14, {"players": 3}),
    (14, {"players": 2}),
    (14, {"players": 4, "safe_area": "pass_through"}),
    (14, {"players": 5, "marker_passage": "pay", "tunnel_arrest": "entrance_only"}),
    (14, {"players": 6}),
    (14, {"players": 6, "do_or_die": "classic"}),
    # Here the way matters, not only where it leads: the reference follows each.
    (5, {"players": 4, "doubling_back": "forbidden"}),
)
"""The most points, and the options."""


def compare(state: Any, pawn: int) -> Counter[str]:
    """A pawn's walks to every node, as the game allows and does them, against the reference."""
    rules, tally = state.facts.rules, Counter[str]()
    side, start = rules.owner[pawn], state.facts.node_by_pawn[pawn]
    free = by_points_alone(state, pawn)
    dear = with_one_more(free, pawn)
    single = single_steps(state, start)
    (seat,) = state.seats_to_act()
    for target in range(rules.board.node_count):
        if target == start:
            continue
        step = rules.step(side, start, target)
        what = f"{state!r} {seat} {step} with {state.facts.points}"
        cost, ends = free.get(target) or dear.get(target) or (0, set())
        if target in single:  # to a neighbour it is that step, whatever it takes
            cost, ends = 1, {bare(state.apply(single[target])[0])}
        allowed = state.refusal(step) is None
        assert allowed == bool(ends), what
        assert (step in state.legal_actions(seat)) == allowed, what
        if not allowed:
            tally["refused"] += 1
            continue
        after = state.apply(step)[0]
        assert bare(after) in ends, what
        if target in free and target not in single:  # the point of an arrest is open while it may be answered
            assert state.facts.points - after.facts.points == cost, what
        tally["by points alone" if target in free else "with another step"] += 1
        if target in free and after.secrets != state.secrets:
            assert target in single, what
    return tally


@rule("R032", "R045", "R054", "R115", "R116", "R131", "A12")
@pytest.mark.slow
@pytest.mark.parametrize(("points", "options"), CASES, ids=lambda case: str(case))
def test_a_walk_is_the_cheapest_row_of_single_steps(points: int, options: dict[str, Any]) -> None:
    """To every node from where pawns of random positions stand: allowed exactly if single steps lead there,
    for as many points as the fewest of them, with what these leave behind."""
    rng = random.Random(options["players"])
    tally = Counter[str]()
    for state in positions(rng, options, 7, points):
        facts = state.facts
        going = pawn_in_transit(facts)
        nodes, mine = facts.rules.board.node_count, facts.rules.pawns[facts.turn.side]
        pawns = [pawn for pawn in mine if facts.node_by_pawn[pawn] < nodes]
        for pawn in [going] if going >= 0 else rng.sample(pawns, min(2, len(pawns))):
            tally += compare(state, pawn)
    assert min(tally[kind] for kind in ("refused", "by points alone", "with another step")) >= 3, tally
