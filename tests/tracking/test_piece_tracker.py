"""Following: what stands where is named by what was up when it came there. Times in microseconds."""

from __future__ import annotations

from collections.abc import Iterable

from boardrules.core import Space
from boardumpire.tracking.piece_tracker import PieceTracker

OVERLAP, TOUCH = 100, 20


def following(expected: str, free: str = "", felt: str | None = None) -> PieceTracker:
    """Pieces belong on the spaces of `expected`, a letter each, and stand there unless `felt` says so."""
    made = PieceTracker(OVERLAP, TOUCH)
    made.begin_layout(expected, free, expected if felt is None else felt, frozenset(), 0)
    return made


def certain(space: Space) -> frozenset[Space]:
    return frozenset({space})


def pairs(*two: str) -> set[frozenset[Space]]:
    return {frozenset(pair) for pair in two}


def moved(one: PieceTracker, way: Iterable[str], at: int = 1000) -> int:
    """`-a` lifts what stands on a, `+b` sets something down on b; far apart. The time after it."""
    for word in way:
        at += 1000
        (one.note_lift if word[0] == "-" else one.note_set_down)(word[1], at)
    return at


def test_a_board_as_it_should_be_differs_nowhere() -> None:
    one = following("ab", free="f", felt="abf")
    assert (one.lifted_at, one.stray_candidates, one.differing_spaces()) == ({}, {}, set())


def test_a_new_layout_counts_what_is_missing_as_up_and_what_is_too_many_as_stray() -> None:
    one = PieceTracker(OVERLAP, TOUCH)
    one.begin_layout("abf", "fg", "agz", frozenset(), 7)
    assert one.lifted_at == {"b": 7}
    assert one.stray_candidates == {"z": frozenset()}
    assert one.differing_spaces() == {"b", "z"}


def test_a_new_layout_keeps_since_when_a_piece_is_up_unless_it_moved() -> None:
    one = following("abc")
    moved(one, ["-a", "-b"])
    one.begin_layout("abc", "", "c", frozenset("b"), 9000)
    assert one.lifted_at == {"a": 2000, "b": 9000}


def test_a_new_layout_forgets_who_a_stray_is_only_if_he_moved() -> None:
    for gone, left in (("", certain("a")), ("a", frozenset())):
        one = following("abc")
        moved(one, ["-a", "+x"])
        one.begin_layout("abc", "", "bcx", frozenset(gone), 9000)
        assert one.stray_candidates == {"x": left}


def test_a_new_layout_drops_who_is_home() -> None:
    one = following("ab")
    moved(one, ["-a", "-b", "+x"])
    assert one.stray_candidates == {"x": frozenset("ab")}
    one.begin_layout("ab", "", "bx", frozenset(), 9000)
    assert one.stray_candidates == {"x": certain("a")}


def test_a_new_layout_names_one_stray_once_another_is_certain() -> None:
    one = following("abc")
    moved(one, ["-a", "-c", "+x", "-b", "+y"])
    assert one.stray_candidates == {"x": frozenset("ac"), "y": frozenset("abc")}
    one.begin_layout("abc", "", "xy", frozenset("c"), 9000)
    assert one.stray_candidates == {"x": certain("a"), "y": certain("b")}


def test_a_new_layout_forgets_the_doubts_of_the_last() -> None:
    one = following("abc")
    moved(one, ["-a", "-b", "-c", "+x", "+a"])
    one.possible_landings["b"] = "x"
    assert (one.excluded_homes, one.initial_candidates) == ({}, {"x": frozenset("abc")})
    one.excluded_homes["x"] = "a"
    one.begin_layout("abc", "", "ax", frozenset(), 9000)
    assert (one.possible_landings, one.excluded_homes, one.initial_candidates) == ({}, {}, {})


def test_what_is_set_down_is_what_was_up() -> None:
    one = following("ab")
    moved(one, ["-a", "+x"])
    assert one.stray_candidates == {"x": certain("a")}
    assert one.pieces_in_hand() == set()
    assert one.differing_spaces() == {"a", "x"}
    assert one.set_down_time("x") == 3000
    assert one.set_down_time("b") == 0


def test_what_is_set_down_is_one_of_those_that_were_up() -> None:
    one = following("abc")
    moved(one, ["-a", "-b", "+x"])
    assert one.stray_candidates == {"x": frozenset("ab")}
    assert one.pieces_in_hand() == {"a", "b"}
    moved(one, ["+b"])
    assert one.stray_candidates == {"x": certain("a")}


def test_two_strays_that_could_be_either_are_told_apart_once_one_is_home() -> None:
    one = following("abc")
    moved(one, ["-a", "-b", "+x", "+y"])
    assert one.stray_candidates == {"x": frozenset("ab"), "y": frozenset("ab")}
    one.stray_candidates["x"] = certain("a")
    one.drop_impossible_candidates()
    assert one.stray_candidates == {"x": certain("a"), "y": certain("b")}


def test_a_stray_that_nobody_explains_is_a_stranger() -> None:
    one = following("ab")
    one.note_set_down("x", 5000)
    assert one.stray_candidates == {"x": frozenset()}
    one.note_lift("a", 5000 + OVERLAP + 1)
    assert one.stray_candidates == {"x": frozenset()}, (
        "it has stood there for too long to be the one that left"
    )


def test_a_piece_that_slides_is_felt_on_the_next_space_before_it_leaves_the_last() -> None:
    one = following("ab")
    one.note_set_down("x", 5000)
    one.note_lift("a", 5000 + OVERLAP)
    assert one.stray_candidates == {"x": certain("a")}
    assert one.pushed_arrivals == {"x"}


def test_one_lift_explains_one_stray() -> None:
    one = following("ab")
    one.note_set_down("x", 5000)
    one.note_set_down("y", 5010)
    one.note_lift("a", 5020)
    assert one.stray_candidates == {"x": certain("a"), "y": frozenset()}


def test_a_stray_that_slides_on_stays_who_it_is() -> None:
    one = following("ab")
    moved(one, ["-a", "+x"])
    one.note_set_down("y", 5000)
    one.note_lift("x", 5010)
    assert one.stray_candidates == {"y": certain("a")}
    assert one.felt_places == {"b", "y"}


def test_a_stray_that_is_up_again_is_in_a_hand() -> None:
    one = following("ab")
    moved(one, ["-a", "+x", "-x"])
    assert one.stray_candidates == {}
    assert one.pieces_in_hand() == {"a"}
    assert one.lifted_at == {"a": 2000}


def test_a_quick_change_of_spaces_looks_pushed_and_a_slow_one_carried() -> None:
    for wait, pushed in ((OVERLAP, {"x"}), (OVERLAP + 1, set())):
        one = following("ab")
        one.note_lift("a", 5000)
        one.note_set_down("x", 5000 + wait)
        assert one.pushed_arrivals == pushed
        one.note_lift("x", 9000)
        assert one.pushed_arrivals == set()


def test_nobody_minds_what_happens_on_a_free_space() -> None:
    one = following("abf", free="fg")
    moved(one, ["-f", "+g"])
    assert (one.lifted_at, one.stray_candidates, one.felt_places) == ({}, {}, set("abg"))


def test_two_pieces_up_together_may_have_been_swapped_once_one_comes_home() -> None:
    one = following("abc")
    moved(one, ["-a", "-b", "+a"])
    assert one.held_together_pairs == pairs("ab")
    assert one.possible_landings == {"b": "a"}
    moved(one, ["+b"])
    assert one.possible_landings == {}


def test_a_touch_swaps_nothing() -> None:
    for time, together in ((TOUCH, set()), (TOUCH + 1, pairs("ab"))):
        one = following("abc")
        one.note_lift("b", 1000)
        one.note_lift("a", 5000)
        one.note_set_down("a", 5000 + time)
        assert one.held_together_pairs == together


def test_who_is_certain_elsewhere_was_not_swapped() -> None:
    one = following("abc")
    moved(one, ["-a", "+x", "-b", "+b"])
    assert one.held_together_pairs == set()
    assert one.possible_landings == {}


def test_what_was_set_down_upon_is_in_question_until_it_is_up_or_the_other_is_astray() -> None:
    for way in (["-a"], ["+x"]):
        one = following("abc")
        moved(one, ["-a", "-b", "+a"])
        moved(one, way, 9000)
        assert one.possible_landings == {}


def test_a_stray_may_be_another_than_the_one_that_came_home() -> None:
    one = following("abc")
    moved(one, ["-a", "-b", "+x"])
    one.note_lift("c", 6000)
    one.note_set_down("a", 7000)
    assert one.excluded_homes == {"x": "a"}, "c was up, which x can't be"
    one.note_lift("x", 8000)
    assert one.excluded_homes == {}
    assert "x" not in one.initial_candidates


def test_a_stray_is_not_in_doubt_if_nobody_else_was_up() -> None:
    one = following("abc")
    moved(one, ["-a", "-b", "+x", "+a"])
    assert one.excluded_homes == {}


def test_by_a_touch_alone_a_piece_is_out_of_the_question() -> None:
    for time, left in ((TOUCH, frozenset("b")), (TOUCH + 1, frozenset("ab"))):
        one = following("abc")
        one.note_lift("b", 1000)
        one.note_lift("a", 5000)
        one.note_set_down("x", 5000)
        one.note_set_down("a", 5000 + time)
        assert one.initial_candidates == {"x": left}
