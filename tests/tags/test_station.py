"""Reading tags and scanning reeds on one Pico, turned as `main.py` turns them, each step taking its time."""

from boardsim.readers.tags import SimTag
from boardwire.lamps import Lamps
from boardwire.link import PicoLink
from boardwire.scanner import Bank, Buttons
from boardwire.station import Station
from boardwire.tagging import Bank as ReaderBank
from boardwire.tagging import Tagging
from tags.bench import Bench

LONGEST_US = 300
"""What a step of a read may take, some fifteen accesses to a chip (an estimate)."""


class Looks:
    """Eight rows and columns that are looked at all the time; `closed` are the contacts that are."""

    row_us = half_us = 0

    def __init__(self):
        self.closed = set()
        self.words = [0] * 8
        self.rows = 0

    def next(self, until):
        before = self.words
        self.words = [sum(1 << c % 8 for c in self.closed if c // 8 == row) for row in range(8)]
        self.rows = sum(1 << row for row in range(8) if before[row] != self.words[row])
        return until if self.rows else -1


class Pico:
    """A station with 64 readers, without a host."""

    def __init__(self):
        self.air = Bench()
        clock = self.air.clock
        self.pins = Looks()
        tagging = Tagging([ReaderBank(self.air.readers, list(range(64)))], [])
        self.station = Station(
            PicoLink("0", "b", 1, "p"),
            self.pins,
            [Bank(0, 8, 0, 8, 0, True)],
            Buttons([]),
            Lamps([]),
            lambda on: None,
            0,
            tagging,
        )
        self.clock = clock
        self.turns = []
        """How long each turn took."""

    def run(self, end):
        """As `main.run`: wait, at most for a millisecond, in which contacts may change; step, light, read."""
        while self.clock.now < end:
            read_at = self.station.read_due(self.clock.now)
            self.clock.now = max(self.clock.now, min(self.station.due(), read_at, self.clock.now + 1000))
            began = self.clock.now
            self.station.step(self.clock.now, b"")
            self.station.light(self.clock.now)
            self.station.read(self.clock.now)
            self.turns.append(self.clock.now - began)


def test_no_read_keeps_a_lift_waiting_however_busy_the_readers_are():
    pico = Pico()
    for second in range(20):
        contact = 3 * second
        pico.air.over[contact] = [SimTag(b"\x04" + bytes([second] * 6))]
        pico.pins.closed.add(contact)
        pico.run((second + 1) * 200_000)
    assert pico.air.readers.reads > 60
    assert max(pico.turns) <= LONGEST_US


def test_a_contact_that_closes_is_read_before_it_is_told_placed():
    pico = Pico()
    pico.run(2_000_000)
    pico.air.over[5] = [SimTag(b"\x04abcdef")]
    pico.pins.closed.add(5)
    began = pico.clock.now
    while not pico.air.readers.known():
        pico.run(pico.clock.now + 500)
    assert pico.clock.now - began <= 5000 + 10_000
    assert pico.air.readers.known() == [(5, b"\x04abcdef")]
