"""What a Pico's clock says is read in the host's time, also where some of it is wrong."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardware.pico_clock import CONTRADICTION_MIN_US, TOLERANCE_US, PicoClock
from boardware.ports import MS, SECOND

WRAP = 1 << 32
DRIFT = 100e-6
"""How much faster or slower a crystal runs at most."""
SETTLED = 2 * CONTRADICTION_MIN_US
"""By then a clock that jumped for good is known again: a proof, and the sign of life before it."""


def test_the_picos_clock_is_read_in_the_hosts_time():
    bank = PicoClock()
    assert bank.host_time(1000, 501_000) == 501_000
    assert bank.host_time(2000, 501_500) == 501_500  # came faster: that is how far the clocks are apart
    assert bank.host_time(3000, 509_000) < 502_600  # sent again: it happened long before it came
    near_wrap = PicoClock()
    near_wrap.host_time(2**32 - 500, 1_000_000)
    assert near_wrap.host_time(500, 1_001_000) == 1_001_000


@pytest.mark.parametrize("wrong_s", [3, 30 * 60, 45 * 60, -3, -30 * 60])
def test_one_wrong_time_spoils_no_other(wrong_s):
    """A sign of life ahead once made a piece that rested for 0.15 s a move, or stopped the clocks."""
    bank = PicoClock()
    for at in range(0, 3 * SECOND, 500 * MS):
        bank.ordered_time(at + 77 * SECOND, at)
    assert bank.ordered_time((80 + wrong_s) * SECOND % WRAP, 3 * SECOND) == 3 * SECOND
    placed, lifted = 3200 * MS, 3350 * MS
    assert bank.ordered_time(placed + 77 * SECOND, placed + MS) == pytest.approx(placed, abs=TOLERANCE_US)
    assert bank.ordered_time(lifted + 77 * SECOND, lifted + MS) == pytest.approx(lifted, abs=TOLERANCE_US)


@pytest.mark.parametrize("by_s", [-40 * 60, -3, 0.3, 3, 40 * 60])
def test_a_clock_that_jumped_for_good_is_known_after_a_second(by_s):
    bank = PicoClock()
    for at in range(0, 9 * SECOND, 500 * MS):
        jumped = int(by_s * SECOND) if at >= 5 * SECOND else 0
        assert bank.ordered_time((at + jumped + 3000 * SECOND) % WRAP, at) == at
    lift = 9 * SECOND
    time = (lift + int(by_s * SECOND) + 3000 * SECOND) % WRAP
    assert bank.ordered_time(time, lift + 12 * MS) == pytest.approx(lift, abs=MS)


def test_a_slow_crystal_is_followed_through_an_idle_hour():
    bank = PicoClock()
    for at in range(0, 3600 * SECOND, 500 * MS):
        told = bank.host_time(int(at * (1 - DRIFT)) % WRAP, at)
    assert told == pytest.approx(at, abs=TOLERANCE_US + MS)


@given(st.integers(), st.sampled_from([-DRIFT, 0, DRIFT]), st.integers(0, WRAP - 1))
def test_jumps_both_ways_leave_true_times_true(seed, drift, start):
    """Times by single wrong ones and by clocks that jump: never in the future, never backwards, and true
    wherever the clock has been true for two seconds."""
    dice = random.Random(seed)
    bank, base, before, true_since, heard = PicoClock(), start, None, 0, 0
    at = 0
    for number in itertools.count():
        at += dice.randint(1, 500) * MS
        if at > 60 * SECOND:
            break
        heard = max(heard, at + (dice.randint(1, 200) if number % 3 == 0 else 1) * MS)
        if at > true_since + SETTLED and dice.random() < 0.02:
            base += dice.randint(-WRAP // 2, WRAP // 2)
            true_since = at
        wrong = at > true_since + SETTLED and dice.random() < 0.05
        time = base + int(at * (1 + drift))
        if wrong:
            time += dice.choice((-1, 1)) * dice.choice(
                (dice.randint(1, 5 * SECOND), dice.randint(1, WRAP // 2))
            )
        told = bank.ordered_time(time % WRAP, heard)
        assert told <= heard
        assert before is None or told >= before
        before = told
        if at > true_since + SETTLED and not wrong:
            # Behind a wrong time that is not too wrong to be believed a true one waits for it.
            assert at - TOLERANCE_US - 2 * MS <= told <= heard, (at, told)
