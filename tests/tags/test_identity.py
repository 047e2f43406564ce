"""To know who stands on a space answers, in the tracker, a question that hands have raised."""

from boardumpire.tracking.events import BoardInOrder
from boardumpire.tracking.model import PublicPosition
from boardumpire.tracking.questions import TrackerQuestion
from tracking import test_tracker as before

ASKED = before.TestAPieceThatMayStandUponAnotherOnesSquare.ASKED


def upon():
    """c1 stays up, and something stands on a3 again: a3, or c1 set down there."""
    return before.TestAPieceThatMayStandUponAnotherOnesSquare().bench()


def claimed():
    """The winner's square is occupied, but a reply could have gone there before he was set down."""
    attacks = before.TestBattles()
    bench = attacks.attacked()
    position = PublicPosition(attacks.won, frozenset(), frozenset({"blue"}), {"a3": {"b3": True}})
    bench.tracker.begin_layout(position, bench.felt, bench.now, hands=("b1", "b3"))
    bench.told.clear()
    return bench.lift("a3").wait(200).place("b3")


def test_the_piece_that_belongs_there_is_not_asked_about():
    bench = upon()
    assert upon().wait(21_000).values() == [ASKED]
    bench.tracker.note_identity("a3", "a3", bench.now)
    assert ASKED not in bench.wait(21_000).values()


def test_the_other_one_has_to_come_up_and_that_is_no_fault():
    bench = upon()
    bench.tracker.note_identity("a3", "c1", bench.now)
    assert bench.chores() == [("take", "a3")]
    assert bench.wait(400).values() == []
    bench.lift("a3").wait(900).place("c1").wait(900).place("a3").wait(900)
    assert bench.values() == [BoardInOrder()]


def test_the_winner_who_is_set_down_is_not_asked_about_though_a_reply_came_early():
    bench = claimed()
    bench.tracker.note_identity("b3", "b3", bench.now)
    assert bench.chores() == []
    assert not [told for told in bench.wait(900).values() if isinstance(told, TrackerQuestion)]


def test_a_reply_on_the_square_of_the_winner_has_to_come_up():
    bench = claimed()
    bench.tracker.note_identity("b3", "a3", bench.now)
    assert bench.chores() == [("take", "b3")]
    assert bench.wait(900).values() == []
