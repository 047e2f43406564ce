"""Chores: what hands are to mend, and what leaves it open who mended it. Times in microseconds."""

from __future__ import annotations

from boardrules.core import LayoutPiece
from boardumpire.tracking.corrections import Corrections
from boardumpire.tracking.events import Correction
from boardumpire.tracking.model import PublicPosition
from boardumpire.tracking.piece_tracker import PieceTracker

OVERLAP, TOUCH = 100, 20
# A row of spaces, 50 mm apart: a1 b1 c1 d1 e1. Red's pieces belong on a1 and b1, blue's on c1 and e1.
PLACES = {f"{name}1": (50.0 * number, 0.0) for number, name in enumerate("abcde")}
OWNERS = {"a1": "red", "b1": "red", "c1": "blue", "e1": "blue"}
STEPS = {"a1": {"d1": False}, "b1": {"c1": True}, "e1": {"c1": False}}
POSITION = PublicPosition(OWNERS, frozenset(), frozenset({"red"}), STEPS, place_coordinates_mm=PLACES)


def board(*missing: str, extra: str = "") -> PieceTracker:
    """A board on which these pieces are missing, and perhaps a strange one stands."""
    one = PieceTracker(OVERLAP, TOUCH)
    one.begin_layout(OWNERS, (), {*OWNERS, extra} - {*missing, ""}, frozenset(), 0)
    return one


def owed(*outstanding: str, beaten: str = "") -> Corrections:
    one = Corrections(OVERLAP, TOUCH)
    one.begin_layout(set(outstanding), {beaten} if beaten else set())
    return one


def test_without_debts_and_doubts_it_is_in_order() -> None:
    assert owed().is_in_order
    assert not owed("a1").is_in_order
    assert not owed(beaten="a1").is_in_order
    doubted = owed()
    doubted.doubtful_occupants["a1"] = "b1"
    assert not doubted.is_in_order


def test_a_new_layout_forgets_all_doubts() -> None:
    one = owed("a1", beaten="e1")
    one.doubt_who_stands("a1", "d1", 50)
    one.pushed_onto_spaces.add("a1")
    one.refilled_at["a1"] = 50
    one.note_departure("b1", frozenset({"b1"}), POSITION, 50)
    one.begin_layout(set(), set())
    assert (
        one.outstanding,
        one.wrong_piece_spaces,
        one.beaten_piece_spaces,
        one.doubtful_occupants,
        one.pushed_onto_spaces,
        one.refilled_at,
    ) == (
        set(),
        set(),
        set(),
        {},
        set(),
        {},
    )
    assert not one.drop_completed(board())
    one.outstanding.add("a1")
    one.notice_doubtful_arrival("a1", board("a1", "b1"), POSITION._replace(seats_to_move=frozenset()), 60)
    assert one.doubtful_occupants == {}, (
        "what left a space before the layout was new has nothing to do with it"
    )


def test_at_first_it_is_in_order() -> None:
    one = Corrections(OVERLAP, TOUCH)
    one.doubtful_occupants["a1"] = "d1"
    assert not one.drop_completed(board("b1")), "it was never out of order"


def test_it_comes_in_order_though_nobody_looked_before() -> None:
    assert owed("a1").drop_completed(board())
    later = owed()
    later.require_correction({"a1"})
    assert later.drop_completed(board())
    doubted = owed()
    doubted.doubt_who_stands("a1", "d1", 50)
    doubted.begin_layout({"a1"}, set())
    assert doubted.drop_completed(board())


def test_it_comes_in_order_once() -> None:
    one, following = owed("a1"), board("a1")
    assert not one.drop_completed(following)
    following.note_set_down("a1", 500)
    assert one.drop_completed(following)
    assert one.outstanding == set()
    assert not one.drop_completed(following)


def test_what_is_owed_later_has_to_come_in_order_too() -> None:
    one, following = owed(), board("a1")
    one.require_correction({"a1"})
    assert not one.drop_completed(following)
    following.note_set_down("a1", 500)
    assert one.drop_completed(following)


def test_a_piece_that_has_to_come_up_stays_a_chore_though_the_reed_feels_what_it_should() -> None:
    one, following = owed(beaten="a1"), board()
    assert not one.drop_completed(following)
    assert one.outstanding == {"a1"}
    one.note_lift("a1", 500)
    assert (one.wrong_piece_spaces, one.beaten_piece_spaces) == (set(), set())
    following.note_lift("a1", 500)
    assert not one.drop_completed(following)
    following.note_set_down("a1", 900)
    assert one.drop_completed(following)


def test_a_stray_that_nobody_in_play_explains_becomes_a_chore() -> None:
    one, following = owed("a1"), board("a1", extra="d1")
    one.drop_completed(following)
    assert one.outstanding == {"a1", "d1"}


def test_a_stray_that_somebody_in_play_may_be_is_none() -> None:
    one, following = owed("a1"), board("a1")
    following.note_lift("b1", 400)
    following.note_set_down("d1", 900)
    one.drop_completed(following)
    assert one.outstanding == {"a1"}


def test_a_stray_is_none_either_while_nothing_is_owed() -> None:
    one, following = owed(), board(extra="d1")
    one.doubt_who_stands("a1", "d1", 500)
    one.drop_completed(following)
    assert one.outstanding == set()


def test_a_doubt_lasts_as_long_as_the_other_piece_is_loose() -> None:
    one, following = owed("a1"), board("a1", "b1")
    one.doubtful_occupants["a1"] = "b1"
    following.note_set_down("a1", 500)
    assert not one.drop_completed(following)
    assert one.doubtful_occupants == {"a1": "b1"}
    following.note_set_down("b1", 900)
    assert one.drop_completed(following)
    assert one.doubtful_occupants == {}


def test_a_doubt_about_a_stranger_lasts_although_the_other_piece_is_loose_no_more() -> None:
    one, following = owed(), board()
    one.doubt_who_stands("a1", "d1", 500)
    assert not one.drop_completed(following)
    assert one.doubtful_occupants == {"a1": "d1"}
    one.note_lift("b1", 510)
    assert one.doubtful_occupants == {"a1": "d1"}, (
        "another piece is up, not the one that may be the right one"
    )
    one.settle_who_stands("a1")
    assert one.is_in_order


def test_a_doubt_by_pushing_ends_where_the_other_piece_is_surely_elsewhere() -> None:
    for extra, left in (("", {"a1": "b1"}), ("d1", {})):
        one, following = owed(), board("b1", extra=extra)
        if extra:
            following.stray_candidates[extra] = frozenset({"b1"})
        one.doubtful_occupants["a1"] = "b1"
        one.pushed_onto_spaces.add("a1")
        one.drop_completed(following)
        assert one.doubtful_occupants == left


def test_a_doubt_by_pushing_lasts_though_every_piece_seems_to_be_home() -> None:
    one = owed()
    one.doubtful_occupants["a1"] = "b1"
    one.pushed_onto_spaces.add("a1")
    one.drop_completed(board())
    assert one.doubtful_occupants == {"a1": "b1"}


def test_an_early_reply_may_have_gone_where_a_piece_was_missing() -> None:
    one, following = owed("c1"), board("b1", "c1")
    one.notice_doubtful_arrival("c1", following, POSITION, 500)
    assert one.doubtful_occupants == {"c1": "b1"}
    assert one.refilled_at == {"c1": 500}


def test_nobody_who_can_not_go_there_or_may_not_move_or_is_owed_himself_replied_early() -> None:
    for outstanding, up in (
        ({"c1"}, {"a1", "c1"}),  # no step leads there
        ({"c1"}, {"e1", "c1"}),  # it is not blue's turn
        ({"b1", "c1"}, {"b1", "c1"}),  # b1 is a chore itself
        ({"c1"}, {"b1"}),  # nothing is missing there
        ({"a1"}, {"b1", "c1"}),  # that is no chore
    ):
        one, following = owed(*outstanding), board(*up)
        one.notice_doubtful_arrival("c1", following, POSITION, 500)
        assert one.doubtful_occupants == {}, (outstanding, up)


def test_a_stranger_comes_where_one_is_missing_that_is_surely_elsewhere() -> None:
    one, following = owed(), board("a1")
    following.note_set_down("d1", 300)
    assert following.stray_candidates == {"d1": frozenset({"a1"})}
    one.notice_doubtful_arrival("a1", following, POSITION, 500)
    assert one.doubtful_occupants == {"a1": "d1"}
    assert not one.drop_completed(following)
    assert one.doubtful_occupants == {"a1": "d1"}
    one.outstanding.add("a1")
    one.notice_doubtful_arrival("a1", following, POSITION, 900)
    assert one.refilled_at == {}, "a chore that a stranger comes to is not done"


def test_a_piece_that_slides_home_was_felt_there_before_it_left_the_last_space() -> None:
    for wait, left in ((OVERLAP, {}), (OVERLAP + 1, {"a1": "d1"})):
        one = owed()
        one.doubt_who_stands("a1", "d1", 500)
        one.note_lift("d1", 500 + wait)
        assert one.doubtful_occupants == left
        one.note_lift("a1", 2000)
        assert one.doubtful_occupants == {}


def test_what_is_lifted_is_in_question_no_more() -> None:
    one = owed("a1")
    one.doubt_who_stands("a1", "d1", 500)
    one.pushed_onto_spaces.add("a1")
    one.refilled_at["a1"] = 500
    one.note_lift("a1", 5000)
    assert (one.doubtful_occupants, one.pushed_onto_spaces, one.refilled_at) == ({}, set(), {})


def test_the_neighbour_may_have_been_pushed_onto_a_chore() -> None:
    for wait, claimed in ((OVERLAP, {"c1": "b1"}), (OVERLAP + 1, {})):
        # The reed of the chore closes just before the neighbour leaves his ...
        one, following = owed("c1"), board("c1")
        one.notice_doubtful_arrival("c1", following, POSITION, 500)
        one.note_departure("b1", frozenset({"b1"}), POSITION, 500 + wait)
        assert one.doubtful_occupants == claimed
        assert one.pushed_onto_spaces == set(claimed)
        # ... or just after.
        one = owed("c1")
        one.note_departure("b1", frozenset({"b1"}), POSITION, 500)
        following.lifted_at["b1"] = 500
        one.notice_doubtful_arrival(
            "c1", following, POSITION._replace(seats_to_move=frozenset({"blue"})), 500 + wait
        )
        assert one.doubtful_occupants == claimed
        assert one.pushed_onto_spaces == set(claimed)


def test_a_flicker_settles_no_doubt() -> None:
    """A reed that opens for no longer than a touch had the same magnet above it all the time."""
    for wait, claimed, pushed in ((TOUCH, {"c1": "b1"}, {"c1"}), (TOUCH + 1, {}, set())):
        one, following = owed("c1"), board("b1", "c1")
        one.note_departure("b1", frozenset({"b1"}), POSITION, 480)
        one.notice_doubtful_arrival("c1", following, POSITION._replace(seats_to_move=frozenset()), 500)
        following.note_set_down("c1", 500)
        one.drop_completed(following)
        one.note_lift("c1", 510)
        following.note_lift("c1", 510)
        one.note_departure("c1", frozenset({"c1"}), POSITION, 510)
        one.drop_completed(following)
        one.notice_doubtful_arrival("c1", following, POSITION, 510 + wait)
        following.note_set_down("c1", 510 + wait)
        one.drop_completed(following)
        assert (one.doubtful_occupants, one.pushed_onto_spaces) == (claimed, pushed)


def test_a_stranger_whose_reed_flickers_is_a_stranger_still() -> None:
    for wait, left in ((TOUCH, {"a1": "d1"}), (TOUCH + 1, {})):
        one, following = owed(), board("a1")
        following.note_set_down("d1", 300)
        one.doubt_who_stands("a1", "d1", 500)
        following.note_set_down("a1", 500)
        one.note_lift("a1", 700)
        following.note_lift("a1", 700)
        following.note_lift("d1", 705)
        one.notice_doubtful_arrival("a1", following, POSITION, 700 + wait)
        assert one.doubtful_occupants == left


def test_a_chore_whose_reed_closes_twice_was_done_once() -> None:
    """A flat reed closes, opens over its null and closes again; then the neighbour's opens."""
    for wait, claimed in ((TOUCH, {"c1": "b1"}), (TOUCH + 1, {})):
        one, following = owed("c1"), board("c1")
        one.notice_doubtful_arrival("c1", following, POSITION, 500)
        following.note_set_down("c1", 500)
        one.drop_completed(following)
        one.note_lift("c1", 510)
        following.note_lift("c1", 510)
        one.notice_doubtful_arrival("c1", following, POSITION, 510 + wait)
        one.note_departure("b1", frozenset({"b1"}), POSITION, 590)
        assert one.doubtful_occupants == claimed


def test_a_neighbour_that_flickers_was_not_pushed_away_and_hides_nobody_who_was() -> None:
    for wait, claimed in ((TOUCH, {}), (TOUCH + 1, {"c1": "b1"})):
        one, following = owed("c1"), board("c1")
        one.notice_doubtful_arrival("c1", following, POSITION, 500)
        one.note_lift("b1", 510)
        one.note_departure("b1", frozenset({"b1"}), POSITION, 510)
        assert one.doubtful_occupants == {"c1": "b1"}
        one.notice_doubtful_arrival("b1", following, POSITION, 510 + wait)
        assert one.doubtful_occupants == claimed
    for flickers in (False, True):
        one, following = owed("d1"), board("c1", "d1")
        following.lifted_at["d1"] = 0
        one.note_departure("c1", frozenset({"c1"}), POSITION, 500)
        if flickers:
            one.note_lift("e1", 510)
            one.note_departure("e1", frozenset({"e1"}), POSITION, 510)
            one.notice_doubtful_arrival("e1", following, POSITION, 515)
        one.notice_doubtful_arrival("d1", following, POSITION._replace(seats_to_move=frozenset()), 550)
        assert one.doubtful_occupants == {"d1": "c1"}


def test_nobody_was_pushed_from_afar_or_where_all_are_alike_or_who_is_owed_himself() -> None:
    for outstanding, origin, position in (
        ({"c1"}, "a1", POSITION),
        ({"c1"}, "c1", POSITION),
        ({"c1"}, "b1", POSITION._replace(has_alike_pieces=True)),
        ({"c1", "b1"}, "b1", POSITION),
    ):
        one, following = owed(*outstanding), board("a1", "b1", "c1")
        one.notice_doubtful_arrival("c1", following, POSITION._replace(seats_to_move=frozenset()), 500)
        one.note_departure(origin, frozenset({"b1"}), position, 500)
        assert one.doubtful_occupants == {}, (outstanding, origin)


def test_an_early_reply_is_likelier_than_a_push() -> None:
    one, following = owed("c1"), board("a1", "b1", "c1")
    one.note_departure("b1", frozenset({"a1"}), POSITION, 500)
    one.notice_doubtful_arrival("c1", following, POSITION, 500)
    assert one.doubtful_occupants == {"c1": "b1"}
    assert one.pushed_onto_spaces == set()


def test_chores_are_told_in_order_with_whose_piece_it_is() -> None:
    one, following = owed("e1", "d1", "b1", beaten="a1"), board("b1", "c1", "e1", extra="d1")
    assert one.list_corrections(following, POSITION, ("between",)) == (
        Correction("take", "a1", "red", is_beaten=True),
        Correction("put", "b1", "red"),
        Correction("take", "d1", None),
        Correction("put", "e1", "blue"),
        Correction("centre", "between", None),
    )


def test_what_has_to_come_up_and_did_not_fall_is_not_told_as_beaten() -> None:
    one = owed()
    one.wrong_piece_spaces.add("a1")
    assert one.list_corrections(board(), POSITION, ()) == (Correction("take", "a1", "red", is_beaten=False),)


def test_who_has_left_unfelt_is_asked_for_no_more_once_nothing_else_is_to_do() -> None:
    """The one that came was set down before the other had left: so it is set down anew. Where several stand
    in a space that could be any of them."""
    leaving = POSITION._replace(leaving_pieces={"a1": LayoutPiece("green", "3")})
    take = Correction("take", "a1", "green", is_leaving=True)
    one = owed("c1")
    one.wrong_piece_spaces.add("a1")
    assert one.list_corrections(board("c1"), leaving, ()) == (take, Correction("put", "c1", "blue"))
    one = owed()
    one.wrong_piece_spaces.add("a1")
    assert one.list_corrections(board(), leaving, ()) == (Correction("take", "a1", "red"),)
    assert one.list_corrections(board(), leaving._replace(slot_counts={"a1": 2}), ()) == (
        take._replace(has_rings=True),
    )


def test_where_several_sides_stand_nobody_knows_whose_piece_was_lifted() -> None:
    """The one that a ruling has brought there is known, also in a place that was empty before."""
    cells = POSITION._replace(
        owners={"cells": "red", "cells+1": "blue", "cells+2": "blue"}, slot_counts={"cells": 3}
    )
    one, following = owed("cells+1"), PieceTracker(OVERLAP, TOUCH)
    following.begin_layout(cells.owners, (), cells.owners, frozenset(), 0)
    following.note_lift("cells+1", 50)
    lifted = one.list_corrections(following, cells, ())
    assert lifted == (Correction("put", "cells+1", None, has_rings=True),)
    following.begin_layout(cells.owners, (), {"cells", "cells+2"}, frozenset({"cells+1"}), 99)
    brought = one.list_corrections(following, cells, ())
    assert brought == (Correction("put", "cells+1", "blue", has_rings=True),)
    alike = cells._replace(owners=dict.fromkeys(cells.owners, "blue"))
    following.begin_layout(alike.owners, (), alike.owners, frozenset(), 100)
    following.note_lift("cells+1", 150)
    assert one.list_corrections(following, alike, ()) == brought
