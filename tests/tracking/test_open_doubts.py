"""What is in doubt, as the journal notes it."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from boardumpire.tracking.open_doubts import OpenDoubts, all_pairs, parse_open_doubts

SPACES = st.sampled_from([*string.ascii_lowercase[:8], "munich", "munich+1", "c29"])
PAIRS = st.frozensets(st.frozensets(SPACES, min_size=2, max_size=2), max_size=12)
DOUBTS = st.builds(
    OpenDoubts, PAIRS, st.frozensets(st.tuples(SPACES, SPACES), max_size=3), st.frozensets(SPACES, max_size=3)
)


@given(DOUBTS)
def test_what_is_noted_is_read_back(doubts: OpenDoubts) -> None:
    assert parse_open_doubts(doubts.to_text()) == doubts


def test_the_note_names_groups_claims_and_what_is_wrong() -> None:
    pairs = frozenset(all_pairs("abc") | all_pairs("bx"))
    doubts = OpenDoubts(pairs, frozenset({("g6", "g3")}), frozenset({"h1"}))
    assert doubts.to_text() == "a=b=c b=x g6?g3 h1!"
    assert parse_open_doubts("") == OpenDoubts()
    assert parse_open_doubts("a=b").swap_pairs == {frozenset("ab")}, (
        "as notes were written before there were groups"
    )


def test_a_cleared_board_is_noted_in_one_group() -> None:
    homes = [f"{column}{row}" for column in "abcdefghij" for row in range(4)]
    text = OpenDoubts(frozenset(all_pairs(homes))).to_text()
    assert len(text.split()) == 1
    assert len(text) < 3 * len(homes)


def test_a_piece_that_moved_is_known_by_its_new_space() -> None:
    doubts = OpenDoubts(frozenset({frozenset("ab")}), frozenset({("a", "c")}), frozenset("a"))
    moved = OpenDoubts(frozenset({frozenset("db")}), frozenset({("d", "c")}), frozenset("d"))
    assert doubts.after_move(("a", "d")) == moved
    assert doubts.after_move(None) is doubts
    assert doubts.after_move(("a", "b")).swap_pairs == frozenset(), "no piece is in doubt with itself"


@given(DOUBTS, DOUBTS)
def test_what_covers_another_has_all_of_it(one: OpenDoubts, other: OpenDoubts) -> None:
    both = OpenDoubts(*(mine | yours for mine, yours in zip(one, other, strict=True)))
    assert both.covers(one)
    assert one.covers(both) == (one == both)
