"""A piece that was carried for certain, and can't go on, is judged soon; what may be on its way is not."""

from __future__ import annotations

from typing import Any

import pytest

from boardumpire.tracking.events import HandIntent
from boardumpire.tracking.model import Place
from boardumpire.tracking.timing import TrackerTiming
from boardware.ports import MS
from tracking.test_lobes import PLACES
from tracking.test_tracker import Bench

TIMING = TrackerTiming()
AIR = 500
"""For how long a hand carries a piece, in ms: longer than one that is pushed is felt nowhere."""


def laid_out(steps: dict[str, dict[str, bool]] | None = None, **timing: Any) -> Bench:
    """A bench whose squares lie 45 mm apart."""
    bench = Bench(timing=TIMING._replace(**timing))
    given = bench.position.steps if steps is None else steps
    bench.position = bench.position._replace(place_coordinates_mm=PLACES, steps=given)
    bench.tracker.begin_layout(bench.position, bench.felt, 0)
    return bench


def told_after(bench: Bench, origin: str = "a1", target: str = "a2") -> int | None:
    """How long after the last change of a sensor the move was told; `None` if it was not."""
    down = bench.now
    bench.wait(3_000)
    at = [at for at, told in bench.told if told == HandIntent(Place(origin), Place(target))]
    return at[0] - down if at else None


def test_a_carried_piece_that_cant_go_on_is_judged_soon() -> None:
    assert told_after(laid_out().lift("a1").wait(AIR).place("a2")) == TIMING.lifted


def test_a_carried_piece_that_may_go_on_is_given_its_time() -> None:
    steps = {"a1": {"a2": False, "a3": True}}
    assert told_after(laid_out(steps).lift("a1").wait(AIR).place("a2")) == TIMING.settle


@pytest.mark.parametrize("gap", [-30, 0, 40, 200, 349])
def test_a_pushed_piece_is_never_judged_early(gap: int) -> None:
    """It is felt on the next space before it leaves its own, or nowhere for a moment."""
    bench = laid_out()
    if gap < 0:
        bench.place("a2").wait(-gap).lift("a1")
    else:
        bench.lift("a1").wait(gap).place("a2")
    at = told_after(bench)
    assert at is not None
    assert at >= TIMING.settle + min(gap, 0) * MS


def test_a_sensor_that_was_passed_on_the_way_takes_the_certainty() -> None:
    bench = laid_out().lift("a1").wait(AIR).place("b2").wait(60).lift("b2").wait(AIR).place("a2")
    assert told_after(bench) == TIMING.settle


def test_another_piece_in_the_air_takes_the_certainty() -> None:
    bench = laid_out({"a1": {"a2": False}, "c1": {"c2": False}})
    bench.lift("c1").wait(AIR).lift("a1").wait(AIR).place("a2")
    assert told_after(bench) is None  # it is asked which piece moved


def test_what_is_not_allowed_is_not_hurried() -> None:
    bench = laid_out().lift("a1").wait(AIR).place("b2")
    assert told_after(bench, target="b2") == TIMING.settle


def test_where_nobody_knows_how_far_spaces_lie_apart_nothing_is_hurried() -> None:
    bench = Bench(timing=TIMING).lift("a1").wait(AIR).place("a2")
    assert told_after(bench) == TIMING.settle


def test_it_is_never_slower_than_a_short_settle_time() -> None:
    bench = laid_out(settle=60 * MS).lift("a1").wait(AIR).place("a2")
    assert told_after(bench) == 60 * MS


@pytest.mark.parametrize("gap", [0, 40, AIR])
def test_where_no_piece_is_pushed_every_move_is_judged_soon(gap: int) -> None:
    steps = {"a1": {"a2": False, "a3": True}}
    assert told_after(laid_out(steps, slides=False).lift("a1").wait(gap).place("a2")) == TIMING.lifted


def test_from_the_first_push_on_pieces_are_given_their_time() -> None:
    bench = laid_out({"a1": {"a2": False, "a3": True}}, slides=False)
    bench.tracker.allow_slides()
    assert told_after(bench.lift("a1").place("a2")) == TIMING.slide


def test_an_attack_needs_its_sign_where_no_piece_is_pushed() -> None:
    bench = laid_out({"b1": {"b2": False, "b3": True}}, slides=False)
    bench.lift("b1").lift("b3").wait(1_000)
    assert bench.intents() == []  # both are up: nothing but the sign completes it
    bench.place("b1").wait(80).lift("b1")
    assert told_after(bench, "b1", "b3") == TIMING.touch
