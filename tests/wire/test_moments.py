"""A Pico that moves the start of its clock on tells and shows the same as one whose clock runs for ever."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boardwire import wire
from boardwire.lamps import Chain, Lamps
from boardwire.lights import BEAT_US
from boardwire.link import OPEN, HostLink, PicoLink
from boardwire.moments import rebased, shift_optional_moment
from boardwire.scanner import Bank, Buttons
from boardwire.station import Station
from lit import ALL, GREEN, WHITE_PULSE
from wire.test_firmware import MS, Looks

RECENT = 10_000 * MS
"""The past that stays, as in `boot/clock.py`."""
WRAP = 1 << 32


class Pixels(dict):
    """A chain that is busy for a while after each frame."""

    def __init__(self, rig):
        self.rig = rig
        self.free_at = 0

    def write(self, count, now):
        if now < self.free_at:
            return self.free_at
        self.rig.did.append((now + self.rig.start, "frame", dict(self)))
        self.free_at = now + 780
        return 0

    def rebase(self, by):
        self.free_at = rebased(self.free_at, by)


class Rig:
    """A station with two banks, one of them without diodes; its clock may be moved on."""

    def __init__(self, now):
        self.start = 0
        self.did = []
        self.pins = Looks()
        chain = Chain(Pixels(self), 16, 1000)
        banks = [Bank(0, 2, 0, 4, 0, True), Bank(2, 2, 0, 4, 8, False)]
        link = PicoLink("0", "b", 1, "p")
        self.station = Station(link, self.pins, banks, Buttons([17, 18]), Lamps([chain]), self._buzz, now)
        self.now = now

    def _buzz(self, on):
        self.did.append((self.now, "buzz", on))

    def turn(self, now, data):
        """What it sends. It is turned where something is due, or comes."""
        self.now = now
        at = now - self.start
        out = self.station.step(at, data)
        self.station.light(at)
        self.did.append((now, "led", self.station.led))
        return out, self.station.due() + self.start

    def rebase(self):
        by = (self.now - self.start - RECENT) // BEAT_US * BEAT_US
        if by > 0:
            self.start += by
            self.station.rebase(by)


OVER = bytes((40, 20, 40, 20, 40))
CONTACT = st.tuples(st.integers(0, 3), st.integers(0, 3))
LAMPS = st.sets(st.integers(0, 15), min_size=1, max_size=4)
ACT = st.one_of(
    st.tuples(st.just("touch"), CONTACT),
    st.tuples(st.just("press"), st.sampled_from([17, 18])),
    st.tuples(st.just("light"), st.sampled_from(ALL), LAMPS),
    st.tuples(st.just("sound"), st.sampled_from([b"\x08", b"\x08\x08\x28", OVER])),
    st.tuples(st.just("hint"), st.integers(0, 15), LAMPS),
    st.tuples(st.just("silent"), st.booleans()),
    st.tuples(st.just("rebase")),
    st.tuples(st.just("rebase")),
)
GHOST = [(("touch", corner), 20_000 * MS) for corner in ((2, 0), (2, 1), (3, 0))]
GHOST.append((("touch", (3, 1)), 2 * MS))
"""Three corners of the bank without diodes, and then the fourth."""
GO_ON = st.sampled_from([0, 1, 3, 12, 40, 180, 600, 2_500, 70_000]).map(lambda ms: ms * MS)


@pytest.mark.slow
@settings(max_examples=settings.default.max_examples * 2 // 10, deadline=None)
@given(st.sampled_from([0, 1 << 30, WRAP - 30_000 * MS]), st.lists(st.tuples(ACT, GO_ON), max_size=40))
@example(0, [(("touch", (0, 1)), 40_000 * MS), (("rebase",), 0), (("touch", (0, 1)), 40 * MS)] * 2)
@example(0, [(("light", WHITE_PULSE, {3}), 30_050 * MS), (("rebase",), 2_500 * MS)] * 2)
@example(0, [(("sound", OVER), 30_000 * MS), (("silent", True), MS), (("rebase",), 70_000 * MS)])
@example(0, [*GHOST[:3], (("rebase",), 2 * MS), GHOST[3], (("rebase",), 40 * MS)])
def test_moving_the_start_of_the_clock_on_changes_nothing(now, acts):
    picos = Rig(now), Rig(now)
    host, silent, epoch = HostLink("b", 1, "p"), False, 0
    host.greet(now)
    for (kind, *what), span in acts:
        if kind == "touch":
            for pico in picos:
                pico.pins.closed ^= {what[0]}
        elif kind == "press":
            for pico in picos:
                pico.pins.down ^= {what[0]}
        elif kind == "silent":
            silent = what[0]
        elif kind == "rebase":
            picos[1].rebase()
        elif host.state == OPEN and host.room > 8:
            if kind == "light":
                host.send("light", 0, what[0], bytes(sorted(what[1])))
            elif kind == "sound":
                host.send("sound", what[0])
            else:
                epoch = (epoch + 1) & 0xFF
                host.send("forget", epoch)
                host.send("hint", what[0], 0, GREEN, wire.bits(sorted(what[1]), 16))
                host.send("arm", epoch)
        end = now + span
        while True:
            data = b"" if silent else host.data_to_send(now)
            (out, due), other = [pico.turn(now, data) for pico in picos]
            assert other == (out, due)
            if not silent:
                host.receive_data(out)
                _hear(host)
            if now >= end:
                break
            now = min(end, max(now + MS, min(due, now + (MS if host.due() is None or silent else 100 * MS))))
    assert picos[0].did == picos[1].did


def _hear(host):
    while host.next_event() is not None:
        pass


def test_what_was_before_the_start_is_long_ago():
    assert [rebased(at, 100) for at in (0, 99, 100, 101)] == [0, 0, 0, 1]
    assert shift_optional_moment(None, 100) is None
    assert shift_optional_moment(150, 100) == 50
