"""Patterns over time, phases, and the current cap."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire.lights import BEAT_US, level, next_change_beat
from boardwire.strip import LAMP_IDLE_MA, MAX_CACHED_LIGHTS, WHITE_MA, Strip, frame_milliamps
from lit import (
    ALL,
    AMBER_BLINK,
    BLUE_BLINK,
    CYAN_DIM,
    GREEN,
    GREEN_SWEEP,
    RED_FLASHES,
    WHITE_PULSE,
    WHITE_TURNS,
)

MS = 1000
ROOMY = 100_000


def drawn(light: int, beats: int) -> str:
    """A light over time, one sign a beat: `#` full, `-` the low level, `+` between, `.` dark."""
    return "".join({255: "#", 40: "-", 0: "."}.get(level(light, beat), "+") for beat in range(beats))


@pytest.mark.parametrize(
    ("light", "picture"),
    [
        (GREEN, "########"),
        (CYAN_DIM, "--------"),
        (BLUE_BLINK, "########........########"),
        (RED_FLASHES, "###..###..###......"),
        (GREEN_SWEEP, "#########"),
        (GREEN_SWEEP + 1, "...######"),
        (GREEN_SWEEP + 2, "......###"),
        (WHITE_TURNS, "#####-----#####"),
        (WHITE_PULSE, "#" + "+" * 18 + "--" + "+" * 18 + "##" + "+" * 18),
    ],
)
def test_a_pattern_looks_as_drawn(light: int, picture: str) -> None:
    assert drawn(light, len(picture)) == picture


def test_a_lamp_that_keeps_its_light_keeps_its_phase_and_a_new_one_starts_its_own() -> None:
    strip = Strip(2, ROOMY)
    strip.show({0: BLUE_BLINK}, 0)
    strip.show({0: BLUE_BLINK, 1: BLUE_BLINK}, 400 * MS)
    assert strip.frame(400 * MS) == [(0, 0, 0), (0, 0, 255)]
    strip.show({0: AMBER_BLINK, 1: BLUE_BLINK}, 800 * MS)
    assert strip.frame(800 * MS) == [(255, 119, 0), (0, 0, 0)]


def test_flashes_start_when_their_light_is_shown_and_end_dark_for_good() -> None:
    strip = Strip(1, ROOMY)
    strip.show({0: RED_FLASHES}, 1_000_000)
    lit = [strip.frame(1_000_000 + 50 * MS * beat) == [(255, 0, 0)] for beat in range(20)]
    assert lit == [sign == "#" for sign in "###..###..###......."]
    assert strip.next_change_us(1_000_000 + 1000 * MS) is None


def test_steady_lights_ask_for_no_wake_up() -> None:
    strip = Strip(4, ROOMY)
    assert strip.next_change_us(0) is None
    strip.show({0: GREEN, 1: CYAN_DIM, 2: GREEN_SWEEP}, 7)
    assert strip.next_change_us(7) is None


def test_many_lamps_that_pulse_wake_at_most_twenty_times_a_second() -> None:
    strip = Strip(20, ROOMY)
    shown: dict[int, int] = {}
    for lamp in range(20):
        shown[lamp] = WHITE_PULSE
        strip.show(shown, lamp * 1234)
    now, wakes = 30_000, 0
    while (change := strip.next_change_us(now)) is not None and change < 1_030_000:
        assert change > now
        now, wakes = change, wakes + 1
    assert 0 < wakes <= 20


@pytest.mark.parametrize("brightness", [1, 10, 127, 255])
def test_lights_are_told_apart_by_colour_however_dim(brightness: int) -> None:
    for one in ALL:
        for other in ALL:
            if one >> 4 != other >> 4 and level(one, 0) and level(other, 0):
                strip = Strip(2, ROOMY, brightness)
                strip.show({0: one, 1: other}, 0)
                first, second = strip.frame(0)
                assert first != second, (one, other)


def test_a_strip_keeps_no_more_however_many_lights_it_is_told() -> None:
    strip = Strip(1, ROOMY)
    for colour in range(3 * MAX_CACHED_LIGHTS):
        strip.show({0: colour << 4 | 2}, 0)
        for beat in range(40):
            strip.frame(beat * BEAT_US)
    assert len(strip._looks) <= MAX_CACHED_LIGHTS
    assert len(strip._pixels) <= 4 * MAX_CACHED_LIGHTS


def test_a_frame_over_the_limit_is_dimmed_as_a_whole() -> None:
    strip = Strip(64, 64 * LAMP_IDLE_MA + 10 * WHITE_MA)
    strip.show(dict.fromkeys(range(64), WHITE_PULSE), 0)
    frame = strip.frame(0)
    assert len(set(frame)) == 1
    assert 64 * LAMP_IDLE_MA + 9 * WHITE_MA < frame_milliamps(frame) <= 64 * LAMP_IDLE_MA + 10 * WHITE_MA


def test_a_blinking_lamp_does_not_make_capped_lamps_flicker() -> None:
    strip = Strip(64, 300)
    strip.show({**dict.fromkeys(range(60), GREEN), 61: BLUE_BLINK}, 0)
    assert strip.frame(0)[:60] == strip.frame(500 * MS)[:60]
    assert strip.frame(0)[61] != strip.frame(500 * MS)[61]


lit = st.sampled_from(ALL)
shows = st.lists(
    st.tuples(st.dictionaries(st.integers(0, 31), lit, max_size=32), st.integers(0, 5_000_000)), max_size=4
)


@given(shows, st.integers(32 + WHITE_MA, 2500), st.integers(1, 255), st.integers(0, 5_000_000))
def test_no_frame_ever_draws_more_than_the_limit(
    shown: list[tuple[dict[int, int], int]], limit: int, brightness: int, at: int
) -> None:
    strip = Strip(32, limit, brightness)
    now = 0
    for lamps, wait in shown:
        strip.show(lamps, now)
        now += wait
    frame = strip.frame(now + at)
    assert frame_milliamps(frame) <= limit
    assert all(0 <= channel <= 255 for pixel in frame for channel in pixel)


@given(shows)
def test_a_frame_stays_until_the_moment_that_next_change_names(
    shown: list[tuple[dict[int, int], int]],
) -> None:
    strip = Strip(32, ROOMY)
    now = 0
    for lamps, wait in shown:
        strip.show(lamps, now)
        now += wait
    change = strip.next_change_us(now)
    end = now + 5_000_000 if change is None else change
    frame = strip.frame(now)
    assert all(strip.frame(at) == frame for at in range(now, end, BEAT_US // 2))
    if change is not None:
        assert strip.frame(change) != frame


@given(lit, st.integers(0, 200))
def test_the_next_beat_is_the_first_that_differs(light: int, beat: int) -> None:
    later = next_change_beat(light, beat)
    rest = range(beat + 1, beat + 200 if later is None else later)
    assert all(level(light, other) == level(light, beat) for other in rest)
    assert later is None or level(light, later) != level(light, beat)


@given(
    shows,
    st.lists(st.tuples(lit, st.lists(st.integers(0, 31), max_size=8)), max_size=4),
    st.integers(92, 900),
)
def test_what_begins_beside_what_is_shown_stays_within_the_limit(
    shown: list[tuple[dict[int, int], int]], beginning: list[tuple[int, list[int]]], limit: int
) -> None:
    strip = Strip(32, limit)
    for lamps, _ in shown:
        strip.show(lamps, 0)
    if strip.room(beginning):
        frame = strip.frame(0)
        for light, lamps_of in beginning:
            for lamp in lamps_of:
                frame[lamp] = strip.begins(light)
        assert frame_milliamps(frame) <= limit
