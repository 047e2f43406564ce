"""The same mistake made twice: both are named, and neither passes for something else."""

from __future__ import annotations

import random
from typing import Any

import pytest

from boardsim.world.copper import SolderedDiode
from boardsim.world.mistakes import TWICE, Built, Mistake
from makers.mistaken import HEADER, MAP, TWO_PICOS, Examined, examine, examine_built

BOARDS = (HEADER, MAP, TWO_PICOS)


def in_one_column(number: int) -> Examined:
    """Two reversed diodes that hide the same third piece."""
    dice = random.Random(f"column {number}")
    column = dice.randrange(8)
    made = Built(HEADER)
    for slot in dice.sample(
        sorted(slot for at, slot in HEADER.slots_by_contact.items() if at.column == column), 2
    ):
        made.then(lambda world, slot=slot: world.copper.set_diode(slot, SolderedDiode.REVERSED))
        made.mistakes.append(Mistake("diode-reversed", (f"slot {slot}",)))
    return examine_built(made, HEADER, number)


@pytest.mark.few(1)
@pytest.mark.parametrize("number", range(4))
def test_two_reversed_diodes_in_a_column_are_no_loose_contact(number: int) -> None:
    """Where both come before any other of their column its third piece comes back between them."""
    found = in_one_column(number)
    assert [one.code for one in found.findings] == ["diode-reversed"] * 2, found.told()
    assert all(found.names(each) for each in found.built.mistakes), found.told()
    assert found.blamed == [], found.told()


@pytest.mark.few(1)
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.id)
@pytest.mark.parametrize("number", range(2))
def test_both_plugs_shifted_are_two_findings_and_no_reed_is_dead(number: int, board: Any) -> None:
    found = examine(["plug-shifted"] * 2, f"both {number}", board)
    assert [one.code for one in found.findings] == ["plug-shifted"] * 2, found.told()
    assert all(found.names(each) for each in found.built.mistakes), found.told()


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", TWICE)
def test_two_of_a_kind_are_at_different_places(kind: str) -> None:
    found = examine([kind] * 2, "two")
    one, other = found.built.mistakes
    assert not set(one.where) & set(other.where)
    assert found.first_right, found.told()
    assert found.blamed == [], found.told()


@pytest.mark.nightly
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.id)
def test_the_right_cause_comes_first_for_two_of_a_kind(board: Any, record_property: Any) -> None:
    """Each kind that can be made twice, with 15 seeds."""
    boards = [examine([kind] * 2, f"twice {seed}", board) for kind in TWICE for seed in range(15)]
    first, blamed = [one for one in boards if one.first_right], [one for one in boards if one.blamed]
    record_property("right cause first, twice the same", f"{len(first)} of {len(boards)}")
    record_property("healthy parts blamed, twice the same", f"on {len(blamed)}")
    told = "; ".join(one.told() for one in boards if not one.first_right or one.blamed)
    assert len(first) >= 0.8 * len(boards), told
    assert not blamed, told
