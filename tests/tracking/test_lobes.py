"""What flat reeds and crowds make of a timeline: a piece felt twice over a null, or late, or that flickers.

Such is told from a touch, a tap and a slide by how long it lasts and where it happens.
"""

from __future__ import annotations

import pytest

from boardumpire.tracking.events import HandIntent
from boardumpire.tracking.questions import TrackerQuestion
from boardware.ports import MS
from tracking.test_tracker import SETTLE, Bench

TOUCH = 200
PLACES = {
    f"{file}{rank}": (45.0 * across, 45.0 * up)
    for across, file in enumerate("abc")
    for up, rank in enumerate("123")
}


def laid_out() -> Bench:
    """A bench whose squares lie 45 mm apart."""
    bench = Bench()
    bench.position = bench.position._replace(place_coordinates_mm=PLACES)
    bench.tracker.begin_layout(bench.position, bench.felt, 0)
    return bench


def questions(bench: Bench) -> list[str]:
    return [told.code for told in bench.values() if isinstance(told, TrackerQuestion)]


@pytest.mark.parametrize("null", [5, 30, TOUCH])
def test_a_piece_that_is_felt_twice_on_its_way_down_moves_once(null: int) -> None:
    bench = laid_out().lift("a1").wait(500).place("a2").wait(40).lift("a2").wait(null).place("a2").wait(2_000)
    assert bench.told == [((540 + null) * MS + SETTLE, HandIntent("a1", "a2"))]


@pytest.mark.parametrize("null", [5, 30, TOUCH])
def test_a_piece_that_is_felt_twice_on_its_way_up_was_in_one_hand(null: int) -> None:
    """Its own reed closes once more over the other lobe: no second piece was set down there."""
    bench = laid_out().lift("a1").wait(null).place("a1").wait(30).lift("a1").wait(500).place("a2").wait(2_000)
    assert bench.values() == [HandIntent("a1", "a2")]


@pytest.mark.parametrize(("null", "attacks"), [(30, False), (TOUCH - 1, False), (TOUCH, True)])
def test_who_comes_home_over_a_null_has_not_tapped(null: int, attacks: bool) -> None:
    """Both are up, the attacker goes home and its reed closes twice: it is a sign only if it stays up."""
    bench = laid_out().lift("b1").wait(400).lift("b3").wait(1_000)
    bench.place("b1").wait(30).lift("b1").wait(null)
    if not attacks:
        bench.place("b1")
    bench.wait(1_000)
    assert (HandIntent("b1", "b3") in bench.values()) is attacks


@pytest.mark.parametrize(("null", "attacks"), [(30, False), (TOUCH - 1, False), (TOUCH, True)])
def test_who_is_lifted_over_a_null_while_the_other_is_up_has_not_tapped(null: int, attacks: bool) -> None:
    """A tap begins in the air: what was up for less than a touch has not been there yet."""
    bench = laid_out().lift("b3").wait(400).lift("b1").wait(null).place("b1").wait(30).lift("b1").wait(1_000)
    assert (HandIntent("b1", "b3") in bench.values()) is attacks


@pytest.mark.parametrize("late", [0, 118, 350])
@pytest.mark.parametrize("null", [0, 15])
def test_a_piece_of_the_other_side_that_is_felt_late_where_it_was_pushed_is_asked_about(
    late: int, null: int
) -> None:
    """Between two flat reeds nothing is felt for a while, and the second may close twice."""
    bench = laid_out().lift("a1").wait(400).lift("a3").wait(late).place("a2")
    if null:
        bench.wait(40).lift("a2").wait(null).place("a2")
    bench.wait(2_000)
    assert bench.intents() == []
    assert questions(bench) == ["that-piece"]


@pytest.mark.parametrize(("flickers", "asked"), [(5, []), (TOUCH, []), (TOUCH + 1, ["that-piece"])])
def test_a_neighbour_that_flickers_was_in_no_hand(flickers: int, asked: list[str]) -> None:
    """A magnet that passes opens the reed beside for a moment. One that was gone for longer was in a hand."""
    bench = laid_out().lift("a1").wait(300).lift("c1").wait(flickers).place("c1").wait(100).place("a2")
    bench.wait(2_000)
    assert questions(bench) == asked
    assert bench.intents() == ([] if asked else [HandIntent("a1", "a2")])


def test_a_square_beside_that_flickers_is_no_place_where_a_piece_rests() -> None:
    """A magnet that passes closes the reed of an empty square for a moment."""
    bench = laid_out().lift("a1").wait(100).place("b2").wait(20).lift("b2").wait(100).place("a2").wait(2_000)
    assert bench.values() == [HandIntent("a1", "a2")]


@pytest.mark.parametrize("flickers", [5, TOUCH])
def test_a_piece_that_may_be_attacked_and_flickers_is_never_ruled_on(flickers: int) -> None:
    """It looks like a touch: it waits for a sign, and the piece is set down elsewhere."""
    bench = (
        laid_out()
        .lift("b1")
        .wait(300)
        .lift("b3")
        .wait(flickers)
        .place("b3")
        .wait(300)
        .place("b2")
        .wait(2_000)
    )
    assert bench.intents() == [HandIntent("b1", "b2")]
