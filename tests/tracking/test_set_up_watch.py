"""Pieces of a set-up that is in, and may be changed still: which may have traded places?"""

from __future__ import annotations

from boardumpire.tracking.set_up_watch import SetUpWatch

SETTLE, TOUCH = 350, 200
NAMED = {"a": "red", "b": "red", "c": "red", "x": "blue"}
AB = {frozenset("ab")}


def watch(felt: str = "abcx", said: str = "abcx") -> SetUpWatch:
    one = SetUpWatch(SETTLE, TOUCH)
    one.begin_set_up(NAMED, set(felt), set(said), 0)
    return one


def changes(one: SetUpWatch, text: str) -> SetUpWatch:
    """`-a0 +a900`: what left, and what came, at which moment."""
    for word in text.split():
        one.note_sensor_change(word[1], word[0] == "+", int(word[2:]))
    return one


def test_two_that_were_off_together_are_in_doubt() -> None:
    one = changes(watch(), "-a0 -b500")
    assert (one.swapped_pairs, one.pairs_up_together()) == (set(), AB)
    assert changes(one, "+a900").swapped_pairs == AB
    changes(one, "+b1200")
    assert (one.swapped_pairs, one.pairs_up_together()) == (AB, set())


def test_one_after_the_other_by_way_of_an_empty_square_is_seen() -> None:
    assert changes(watch(), "-a0 -b900 +a1500 +b2400").swapped_pairs == AB


def test_one_that_is_pushed_closes_the_next_reed_before_its_own_opens() -> None:
    assert changes(watch(), "-a0 +a900 -b950").swapped_pairs == AB
    assert changes(watch(), "-a0 +a900 -b1900").swapped_pairs == set(), "that is another piece, later"


def test_a_bump_or_a_piece_of_the_other_side_is_no_doubt() -> None:
    assert changes(watch(), "-a0 -b500 +b650 +a900 -x0 -a1000 +x1900").swapped_pairs == set()


def test_pieces_that_come_from_the_box_are_sure() -> None:
    one = watch(felt="cx")
    assert changes(one, "+a900 +b1500").swapped_pairs == set()
    mixed = watch(felt="bcx")
    assert changes(mixed, "-b0 +a900 +b1500").swapped_pairs == AB, "one of them had stood there"


def test_what_is_said_anew_is_sure() -> None:
    one = changes(watch(), "-a0 -b500 +a900 +b1200")
    one.begin_set_up(NAMED, set("abcx"), set("x"), 1300)
    assert one.swapped_pairs == AB
    one.begin_set_up(NAMED, set("abcx"), set("abc"), 1400)
    assert one.swapped_pairs == set()


def test_a_bump_of_many_is_none_though_it_is_long() -> None:
    assert changes(watch(), "-a0 -b5 -c9 +a900 +b905 +c912").swapped_pairs == set()
    assert changes(watch(), "-a0 -b500 -c999 +a1500 +b1505 +c1512").swapped_pairs, (
        "hands took them one by one"
    )
