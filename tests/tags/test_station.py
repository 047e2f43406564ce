"""Reading tags and scanning reeds on one Pico, turned as `main.py` turns them, each step taking its time."""

from boardsim.readers.tags import SimTag
from boardwire.lamps import Lamps
from boardwire.link import PicoLink
from boardwire.scanner import Bank, Buttons, Matrix
from boardwire.station import SCAN_US, Station
from boardwire.tagging import Bank as ReaderBank
from boardwire.tagging import Tagging
from tags.bench import Bench

SETTLE_US = 50


class Pins:
    """Eight rows and columns; `closed` are the contacts that are."""

    def __init__(self, clock):
        self.closed, self.clock, self.row = set(), clock, None

    def high(self, mask):
        self.row = mask.bit_length() - 1

    def low(self, mask):
        self.row = None

    def drive(self, mask):
        """Rows are outputs all the time."""

    def release(self, mask):
        """As above."""

    def levels(self):
        if self.row is None:
            return 0xFF << 16  # buttons, pulled up
        return sum(1 << contact % 8 for contact in self.closed if contact // 8 == self.row - 8)

    def settle(self):
        self.clock.now += SETTLE_US


class Late(Station):
    """Keeps how late each scan was."""

    def step(self, now, data):
        if now >= self.scan_at:
            self.late.append(now - self.scan_at)
        return super().step(now, data)


class Pico:
    """A station with 64 readers, without a host."""

    def __init__(self):
        self.air = Bench()
        clock = self.air.clock
        self.pins = Pins(clock)
        matrix = Matrix(self.pins, list(range(8, 16)), 0, 8, True, self.pins.settle)
        tagging = Tagging([ReaderBank(self.air.readers, list(range(64)))], [])
        self.station = Late(
            PicoLink("0", "b", 1, "p"),
            [Bank(matrix, 8, 0, True)],
            Buttons(self.pins, []),
            Lamps([]),
            lambda on: None,
            0,
            tagging,
        )
        self.station.late = []
        self.clock = clock

    def run(self, end):
        """As `main.run`: wait, step, light, read."""
        while self.clock.now < end:
            self.clock.now = max(self.clock.now, self.station.read_at())
            self.station.step(self.clock.now, b"")
            self.station.light(self.clock.now)
            self.station.read(self.clock.now)


def test_no_read_keeps_a_scan_waiting_however_busy_the_readers_are():
    pico = Pico()
    for second in range(20):
        contact = 3 * second
        pico.air.over[contact] = [SimTag(b"\x04" + bytes([second] * 6))]
        pico.pins.closed.add(contact)
        pico.run((second + 1) * 200_000)
    assert pico.air.readers.reads > 60
    assert len(pico.station.late) == 20 * 200_000 // SCAN_US
    assert max(pico.station.late) == 0


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


def test_where_scans_leave_no_time_reads_go_on_all_the_same():
    pico = Pico()
    pico.pins.settle = lambda: setattr(pico.clock, "now", pico.clock.now + 110)  # 0.9 ms a scan
    for bank in pico.station._banks:
        bank._matrix._settle = pico.pins.settle
    pico.run(3_000_000)
    assert pico.air.readers.reads > 30
