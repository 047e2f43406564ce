"""Patterns over time, phases, and the current cap."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire import marks
from boardwire.strip import BEAT_US, IDLE_MA, WHITE_MA, Strip, level, milliamps, next_beat

MS = 1000
ROOMY = 100_000


def drawn(mark: str, beats: int) -> str:
    """A mark over time, one sign a beat: `#` full, `-` the low level, `+` between, `.` dark."""
    return "".join({255: "#", 40: "-", 0: "."}.get(level(mark, beat), "+") for beat in range(beats))


@pytest.mark.parametrize(
    ("mark", "picture"),
    [
        ("may-go", "########"),
        ("held", "--------"),
        ("put", "########........########"),
        ("refused", "###..###..###......"),
        ("attacker-stands", "#########"),
        ("attacker-stands+1", "...######"),
        ("attacker-stands+2", "......###"),
        ("asks", "#####-----#####"),
        ("asks+1", "-----#####-----"),
        ("lifted", "#" + "+" * 18 + "--" + "+" * 18 + "##" + "+" * 18),
    ],
)
def test_a_pattern_looks_as_drawn(mark: str, picture: str) -> None:
    assert drawn(mark, len(picture)) == picture


def test_every_mark_of_the_legend_has_a_pattern_that_starts_lit() -> None:
    for mark in marks.LEGEND:
        assert level(mark, 0) > 0


def test_a_lamp_that_keeps_its_mark_keeps_its_phase_and_a_new_one_starts_its_own() -> None:
    strip = Strip(2, ROOMY)
    strip.show({0: "put"}, 0)
    strip.show({0: "put", 1: "put"}, 400 * MS)
    assert strip.frame(400 * MS) == [(0, 0, 0), (0, 0, 255)]
    strip.show({0: "take", 1: "put"}, 800 * MS)
    assert strip.frame(800 * MS) == [(255, 120, 0), (0, 0, 0)]


def test_flashes_start_when_their_mark_is_shown_and_end_dark_for_good() -> None:
    strip = Strip(1, ROOMY)
    strip.show({0: "refused"}, 1_000_000)
    lit = [strip.frame(1_000_000 + 50 * MS * beat) == [(255, 0, 0)] for beat in range(20)]
    assert lit == [sign == "#" for sign in "###..###..###......."]
    assert strip.next_change(1_000_000 + 1000 * MS) is None


def test_steady_marks_ask_for_no_wake_up() -> None:
    strip = Strip(4, ROOMY)
    assert strip.next_change(0) is None
    strip.show({0: "may-go", 1: "held", 2: "attacker-stands"}, 7)
    assert strip.next_change(7) is None


def test_many_lamps_that_pulse_wake_at_most_twenty_times_a_second() -> None:
    strip = Strip(20, ROOMY)
    shown: dict[int, str] = {}
    for lamp in range(20):
        shown[lamp] = "lifted"
        strip.show(shown, lamp * 1234)
    now, wakes = 30_000, 0
    while (change := strip.next_change(now)) is not None and change < 1_030_000:
        assert change > now
        now, wakes = change, wakes + 1
    assert 0 < wakes <= 20


@pytest.mark.parametrize("brightness", [1, 10, 127, 255])
def test_marks_are_told_apart_by_colour_however_dim(brightness: int) -> None:
    names = list(marks.LEGEND)
    for one in names:
        for other in names:
            if marks.colour(one) != marks.colour(other):
                strip = Strip(2, ROOMY, brightness)
                strip.show({0: one, 1: other}, 0)
                first, second = strip.frame(0)
                assert first != second, (one, other)


def test_the_legend_gives_each_meaning_a_colour_and_pattern_of_its_own() -> None:
    looks = [marks.words(mark) for mark in marks.LEGEND]
    assert len(set(looks)) == len(looks)


def test_a_frame_over_the_limit_is_dimmed_as_a_whole() -> None:
    strip = Strip(64, 64 * IDLE_MA + 10 * WHITE_MA)
    strip.show(dict.fromkeys(range(64), "lifted"), 0)
    frame = strip.frame(0)
    assert len(set(frame)) == 1
    assert 64 * IDLE_MA + 9 * WHITE_MA < milliamps(frame) <= 64 * IDLE_MA + 10 * WHITE_MA


def test_a_blinking_lamp_does_not_make_capped_lamps_flicker() -> None:
    strip = Strip(64, 300)
    strip.show({**dict.fromkeys(range(60), "may-go"), 61: "put"}, 0)
    assert strip.frame(0)[:60] == strip.frame(500 * MS)[:60]
    assert strip.frame(0)[61] != strip.frame(500 * MS)[61]


lit = st.sampled_from([*marks.LEGEND, "both-fall+1", "both-fall+5", "asks+1"])
shows = st.lists(
    st.tuples(st.dictionaries(st.integers(0, 31), lit, max_size=32), st.integers(0, 5_000_000)), max_size=4
)


@given(shows, st.integers(32 + WHITE_MA, 2500), st.integers(1, 255), st.integers(0, 5_000_000))
def test_no_frame_ever_draws_more_than_the_limit(
    shown: list[tuple[dict[int, str], int]], limit: int, brightness: int, at: int
) -> None:
    strip = Strip(32, limit, brightness)
    now = 0
    for lamps, wait in shown:
        strip.show(lamps, now)
        now += wait
    frame = strip.frame(now + at)
    assert milliamps(frame) <= limit
    assert all(0 <= channel <= 255 for pixel in frame for channel in pixel)


@given(shows)
def test_a_frame_stays_until_the_moment_that_next_change_names(
    shown: list[tuple[dict[int, str], int]],
) -> None:
    strip = Strip(32, ROOMY)
    now = 0
    for lamps, wait in shown:
        strip.show(lamps, now)
        now += wait
    change = strip.next_change(now)
    end = now + 5_000_000 if change is None else change
    frame = strip.frame(now)
    assert all(strip.frame(at) == frame for at in range(now, end, BEAT_US // 2))
    if change is not None:
        assert strip.frame(change) != frame


@given(lit, st.integers(0, 200))
def test_the_next_beat_is_the_first_that_differs(mark: str, beat: int) -> None:
    later = next_beat(mark, beat)
    rest = range(beat + 1, beat + 200 if later is None else later)
    assert all(level(mark, other) == level(mark, beat) for other in rest)
    assert later is None or level(mark, later) != level(mark, beat)


@given(
    shows,
    st.lists(st.tuples(lit, st.lists(st.integers(0, 31), max_size=8)), max_size=4),
    st.integers(92, 900),
)
def test_what_begins_beside_what_is_shown_stays_within_the_limit(
    shown: list[tuple[dict[int, str], int]], beginning: list[tuple[str, list[int]]], limit: int
) -> None:
    strip = Strip(32, limit)
    for lamps, _ in shown:
        strip.show(lamps, 0)
    if strip.room(beginning):
        frame = strip.frame(0)
        for mark, lamps_of in beginning:
            for lamp in lamps_of:
                frame[lamp] = strip.begins(mark)
        assert milliamps(frame) <= limit
