"""Ghosts, against copper worked out from first principles."""

from hypothesis import given
from hypothesis import strategies as st

from boardwire.ghosts import believed_contacts, doubtful_contacts

matrices = st.lists(st.integers(0, 0b11111), min_size=1, max_size=5)


def seen_without_diodes(reeds: list[int]) -> list[int]:
    """What each row reads: current runs through every closed reed, both ways."""
    out = []
    for row in range(len(reeds)):
        columns, live = 0, {row}
        while True:
            fed = columns
            for one in live:
                fed |= reeds[one]
            more = {one for one, mask in enumerate(reeds) if mask & fed}
            if fed == columns and more <= live:
                break
            columns, live = fed, live | more
        out.append(columns)
    return out


def test_three_closed_corners_show_a_fourth_which_is_held_back() -> None:
    known = [0b11, 0b01]
    seen = seen_without_diodes([0b11, 0b01])
    assert seen == [0b11, 0b11]
    assert doubtful_contacts(seen) == [0b11, 0b11]
    assert believed_contacts(seen, known) == known


def test_two_new_corners_at_once_are_both_held_back() -> None:
    assert believed_contacts([0b11, 0b11], [0b01, 0b10]) == [0b01, 0b10]


@given(matrices)
def test_what_is_not_doubtful_is_true(reeds: list[int]) -> None:
    seen = seen_without_diodes(reeds)
    doubt = doubtful_contacts(seen)
    for row, mask in enumerate(reeds):
        assert mask & ~doubt[row] == seen[row] & ~doubt[row]


@given(matrices)
def test_a_board_known_truly_stays_known_truly(reeds: list[int]) -> None:
    assert believed_contacts(seen_without_diodes(reeds), reeds) == reeds


@given(matrices, st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=20))
def test_a_piece_that_is_not_there_is_never_believed_to_have_come(
    reeds: list[int], touched: list[tuple[int, int]]
) -> None:
    """From a board known truly, one reed changes at a time: what is newly believed closed is closed."""
    know = list(reeds)
    for row, column in touched:
        if row >= len(reeds):
            continue
        reeds[row] ^= 1 << column
        after = believed_contacts(seen_without_diodes(reeds), know)
        for number in range(len(reeds)):
            assert after[number] & ~know[number] & ~reeds[number] == 0
        know = after
