"""Pads: Adafruit's own library over pyserial and a pseudo-terminal, answered byte for byte."""

import dataclasses
import time

import pytest

from boardsim.hands.hands import Hands
from boardsim.readers.line import SerialLine
from boardsim.readers.pn532 import ERROR_FRAME, SimPn532
from boardsim.readers.readers import TagWorld
from boardsim.readers.tags import RadioNoise, SimTag
from boardsim.world.world import World
from boardware import tags_pico, tags_pn532
from boardware.description import load_board
from boardware.errors import DriverError, SettingError
from boardware.parts import BoardPoint, TagPad
from boardware.ports import MS, SECOND, TagGone, TagId, TagSeen
from boardwire.pads import ANSWER_TIMEOUT_US, MUTE_WAIT_US, parse_tag_ids
from boardwire.pn532 import UartPad, content, encode_command, next_frame
from boardwire.tagging import Tagging

BOARD = "quick-battle-8x8-pads"


class Pads:
    """Two pads and the driver over them, in virtual time."""

    def __init__(self):
        self.world = World(load_board(BOARD))
        self.tags = TagWorld(self.world)
        self.hands = Hands(self.world)
        self.port = self.tags.open(0)
        self.port.watch({"pad-red", "pad-blue"})
        self.events = []

    def let(self, end):
        while True:
            due = max(self.world.now, self.port.due())
            edge = self.world.next_edge()
            at = min(due, end, end if edge is None else edge)
            self.world.advance(at)
            self.events += self.port.step(at)
            if at >= end:
                break

    def show(self, pad, owner, label):
        self.let(self.tags.take_and_show(self.hands, pad, owner, label, self.world.now))

    def close(self):
        self.port.close()
        self.tags.close()


@pytest.fixture
def pads():
    one = Pads()
    yield one
    one.close()


def test_a_piece_that_is_shown_is_told_and_that_it_went(pads):
    pads.show("pad-red", "red", "10")
    tag = TagId(pads.tags.box.uid("red", "10", 1))
    pads.let(pads.world.now + SECOND)
    assert [type(event) for event in pads.events] == [TagSeen, TagGone]
    assert [event[1:] for event in pads.events] == [("pad-red", tag)] * 2


def test_two_pieces_on_one_pad_are_both_told(pads):
    for label, space in (("10", "a1"), ("S", "b1")):
        pads.let(pads.hands.stand("red", space, pads.world.now, label))
        pads.let(pads.hands.lift(space, pads.world.now))
    pads.let(pads.tags.show(pads.hands, "pad-red", pads.world.now, ["a1", "b1"]))
    uids = {pads.tags.box.uid("red", label, 1) for label in ("10", "S")}
    assert {event.tag for event in pads.events if isinstance(event, TagSeen)} == {TagId(uid) for uid in uids}


def test_no_step_of_the_table_waits_for_a_pad(pads, monkeypatch):
    def asleep(seconds):
        raise AssertionError("the library slept")

    monkeypatch.setattr(time, "sleep", asleep)
    pads.show("pad-red", "red", "10")
    pads.tags.pads["pad-red"].dead = True
    pads.show("pad-red", "red", "9")
    pads.tags.pads["pad-blue"].antenna_field.noise = RadioNoise(slow_us=200 * MS)
    pads.show("pad-blue", "blue", "9")
    assert {"TagSeen", "HardwareTrouble"} <= {type(event).__name__ for event in pads.events}


def test_a_pad_that_falls_silent_is_told_and_woken_again(pads):
    chip = pads.tags.pads["pad-red"]
    chip.dead = True
    pads.let(pads.world.now + ANSWER_TIMEOUT_US + 3 * SECOND)
    assert [event[1:3] for event in pads.events] == [("reader-mute", "pad-red")]
    chip.dead = False
    pads.let(pads.world.now + MUTE_WAIT_US + SECOND)
    assert [event[1:3] for event in pads.events[1:]] == [("reader-back", "pad-red")]
    pads.show("pad-red", "red", "10")
    assert isinstance(pads.events[-1], TagSeen)


def test_an_adapter_that_is_pulled_and_put_back_is_found_again(pads):
    pads.tags.lines["pad-red"].unplug()
    pads.let(pads.world.now + 3 * SECOND)
    assert [event[1:3] for event in pads.events] == [("reader-mute", "pad-red")]
    pads.tags.lines["pad-red"].plug()
    pads.let(pads.world.now + 3 * SECOND)
    pads.show("pad-red", "red", "10")
    assert [event[1] for event in pads.events][1:] == ["reader-back", "pad-red"]


def test_garbled_answers_are_neither_a_piece_nor_a_removal(pads):
    pads.show("pad-red", "red", "10")
    tag = pads.events[0].tag
    pads.let(pads.world.now + SECOND)
    pads.events.clear()
    for pad in pads.tags.pads.values():
        pad.antenna_field.noise = RadioNoise(miss_rate=0.05, flip=0.2)
    for _ in range(20):
        pads.let(pads.tags.show(pads.hands, "pad-red", pads.world.now))
        pads.let(pads.world.now + 100 * MS)
    assert {event.tag for event in pads.events} == {tag}


class Spoilt:
    """Bytes on a line: spoils so many answers to come, the last byte of each, which its check sum tells."""

    def __init__(self, count):
        self.left = count

    def __call__(self, frame):
        if not self.left:
            return frame
        self.left -= 1
        return frame[:-3] + bytes([frame[-3] ^ 1]) + frame[-2:]


class OnThePi:
    """A pad with one tag over it, driven as on a Pi; what is told as words."""

    WORDS = {TagSeen: "tag", TagGone: "gone"}  # noqa: RUF012

    def __init__(self):
        self.pads = Pads()
        self.chip = self.pads.tags.pads["pad-red"]
        self.tags = [SimTag(b"\x04abcdef")]
        self.chip._tags = lambda at: self.tags
        self.let(SECOND)

    def let(self, time):
        self.pads.events.clear()
        self.pads.let(self.pads.world.now + time)
        return [
            ("mute",) if e[1] == "reader-mute" else ("heard",) if e[1] == "reader-back"
            else (self.WORDS[type(e)], e.tag.uid)
            for e in self.pads.events
        ]  # fmt: skip

    def close(self):
        self.pads.close()


class OnAPico:
    """The same, driven by the firmware."""

    def __init__(self):
        self.tags = [SimTag(b"\x04abcdef")]
        self.uart = PicoUart(self.tags)
        self.chip = self.uart.chip
        self.pad = UartPad(self.uart, 0)
        self.pad.pad.watch(True, 0)
        self.let(SECOND)

    def let(self, time):
        events, end = [], self.uart.now + time
        while self.uart.now < end:
            events += self.pad.step(self.uart.now)
            self.uart.now = max(self.uart.now + 1000, min(end, self.pad.due()))
        return events

    def close(self):
        """It holds nothing."""


@pytest.fixture(params=[OnThePi, OnAPico])
def one(request):
    pad = request.param()
    yield pad
    pad.close()


def test_answers_spoilt_on_the_line_are_neither_a_piece_nor_a_removal(one):
    for spoilt in (1, 2, 3, 4):
        one.chip.spoil_answer = Spoilt(spoilt)
        assert one.let(2 * SECOND) == []
        assert one.chip.spoil_answer.left == 0


@pytest.mark.parametrize("wire", [Spoilt(-1), lambda frame: ERROR_FRAME], ids=["check sums", "error frames"])
def test_a_pad_that_only_talks_rubbish_is_told_mute_once_and_back_when_it_reads(one, wire):
    one.chip.spoil_answer = wire
    assert one.let(2 * SECOND) == [("mute",)]
    assert one.let(10 * SECOND) == []
    one.chip.spoil_answer = lambda frame: frame
    assert one.let(2 * SECOND) == [("heard",)]
    one.tags.clear()
    assert one.let(2 * SECOND) == [("gone", b"\x04abcdef")]


def test_a_pad_that_has_lost_its_configuration_is_given_it_again(one):
    one.chip._sam = False  # as after a dip of its supply: from now on an error frame answers each list
    assert one.let(3 * SECOND) == [("mute",), ("heard",)]


def test_a_tag_that_is_missed_twice_is_still_there_and_the_third_time_gone(one):
    tag = one.tags[0]
    for misses, told in ((2, []), (3, [("gone", tag.uid)])):
        lists = one.chip.lists
        one.tags.clear()
        while one.chip.lists < lists + misses:
            assert one.let(1000) == []
        assert one.let(90 * MS) == told
        one.tags.append(tag)
        assert one.let(SECOND) == [("tag", tag.uid)] * len(told)


@pytest.mark.parametrize("size", [4, 7, 10])
def test_ids_of_all_sizes_are_taken_from_a_list(size):
    first, second = bytes(range(size)), bytes(range(16, 16 + size))
    plain = bytes([1, 0, 4, 0x08, size]) + first
    assert parse_tag_ids(b"\x00") == ()
    assert parse_tag_ids(b"\x01" + plain) == (first,)
    assert parse_tag_ids(b"\x02" + plain + plain[:5] + second) == (first, second)
    long = bytes([1, 0, 4, 0x20, size]) + first + b"\x05\x78\x80\x70\x02"  # it has an ATS, five bytes long
    assert parse_tag_ids(b"\x02" + long + plain[:5] + second) == (first, second)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x03" + (b"\x01\x00\x04\x08\x04abcd" * 3),
        b"\x02" + b"\x01\x00\x04\x08\x04abcd",
        b"\x01\x01\x00\x04\x08",
        b"\x01\x01\x00\x04\x08\x05abcde",
        b"\x01\x01\x00\x04\x08\x0aabcdefg",
    ],
    ids=["nothing", "three tags", "one of two", "cut", "five bytes", "seven bytes of ten"],
)
def test_a_list_that_makes_no_sense_is_none(answer):
    assert parse_tag_ids(answer) is None


def test_an_idle_pad_is_asked_now_and_then(pads):
    pads.port.watch(())
    pads.let(pads.world.now + 3 * SECOND)
    before = pads.tags.pads["pad-red"].lists
    pads.let(pads.world.now + 20 * SECOND)
    assert 9 <= pads.tags.pads["pad-red"].lists - before <= 11


def test_a_pad_that_does_not_answer_at_the_start_is_refused():
    world = World(load_board(BOARD))
    tags = TagWorld(world)
    tags.pads["pad-red"].dead = True
    now = [0]

    def wait(until, port):
        world.advance(until)
        now[0] = max(now[0], until)
        return now[0]

    with pytest.raises(DriverError, match="pad pad-red at pad-red: no answer"):
        tags_pn532.open_pads(
            world.board,
            opener=lambda path: tags.lines[path].open(),
            wait=wait,
            ports={"pad-red": "pad-red", "pad-blue": "pad-blue"},
        )
    tags.close()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"port": "/dev/ttyUSB0"}, "port is '/dev/ttyUSB0'; try the path of the only pad"),
        ({}, 'ports is {}; try { pad-blue = "/dev/...", pad-red = "/dev/..." }'),
        ({"ports": {"pad-red": 3, "pad-blue": "x"}}, "ports is"),
        ({"ports": {"pad-red": "a\0b", "pad-blue": "x"}}, "ports is"),
        ({"ports": {"pad-red": "", "pad-blue": "x"}}, "ports is"),
        ({"port": "a\0b"}, "port is"),
        ({"baud": 9600}, "unknown setting 'baud'; try one of port, ports, answer_ms"),
    ],
)
def test_wrong_settings_are_refused_by_name(settings, said):
    with pytest.raises(SettingError) as caught:
        tags_pn532.check_settings(load_board(BOARD), settings)
    assert said in str(caught.value)


def test_a_board_without_pads_is_refused():
    with pytest.raises(DriverError, match="has no pad"):
        tags_pn532.check_settings(load_board("quick-battle-8x8"), {"port": "/dev/ttyUSB0"})


@pytest.mark.parametrize("half", ["a bank", "another pad"])
def test_a_board_half_of_whose_readers_hang_elsewhere_is_refused_by_either_driver(half):
    """There is one driver of tags: what it doesn't read would be missing without a word."""
    board = load_board("quick-battle-8x8-readers")
    if half == "another pad":
        pads = {"near": TagPad("near", BoardPoint(300, 10), "pico", (20, 21))}
        board = dataclasses.replace(board, reader_banks={}, pads=pads)
    board = dataclasses.replace(board, pads={**board.pads, "far": TagPad("far", BoardPoint(370, 10))})
    elsewhere = "near" if half == "another pad" else "squares"
    with pytest.raises(
        DriverError, match=rf"pn532: {elsewhere} of board .*: on a Pico, where it reads nothing"
    ):
        tags_pn532.check_settings(board, {"port": "/dev/ttyUSB0"})
    with pytest.raises(DriverError, match=r"pico-tags: far of board .*: on the Pi, where it reads nothing"):
        tags_pico.check_settings(board, {})


def test_a_driver_without_settings_says_so():
    with pytest.raises(SettingError, match="pico-tags: unknown setting 'port'; it has none"):
        tags_pico.check_settings(load_board("quick-battle-8x8-readers"), {"port": "/dev/ttyACM0"})


def test_the_library_reads_a_pad_by_its_own_loop_too():
    """Not only our way of asking: the chip answers what a maker's first script would send."""
    from adafruit_pn532.uart import PN532_UART

    class Uart:
        """The bytes of a chip, which has answered by the time that anybody looks."""

        def __init__(self):
            self.ready = b""
            self.at = 0
            self.later = []
            tag = SimTag(b"\x04abcdef")
            self.chip = SimPn532(lambda at: [tag], self._later, "x")

        def _later(self, at, data):
            self.later.append((at, data))

        def write(self, data):
            self.at += 10_000
            self.chip.receive(data, self.at)

        @property
        def in_waiting(self):
            if self.later and not self.ready:
                self.ready = self.later.pop(0)[1]
            return len(self.ready)

        def read(self, count):
            taken, self.ready = self.ready[:count], self.ready[count:]
            return taken

        def reset_input_buffer(self):
            self.ready = b""

    chip = PN532_UART(Uart())
    assert chip.firmware_version == (0x32, 1, 6, 7)
    assert chip.read_passive_target() == b"\x04abcdef"


class PicoUart:
    """A `machine.UART` with a simulated chip at its end."""

    def __init__(self, tags):
        self.now = 0
        self.coming = []
        self.chip = SimPn532(lambda at: tags, lambda at, data: self.coming.append((at, data)), "u")

    def _there(self):
        return b"".join(data for at, data in self.coming if at <= self.now)

    def any(self):
        return len(self._there())

    def read(self, count):
        data = self._there()
        self.coming = [each for each in self.coming if each[0] > self.now]
        return data

    def write(self, data):
        self.chip.receive(data, self.now)


def test_a_pico_that_does_only_what_is_due_asks_a_pad_as_often_as_it_may():
    """As `Station.read` does: an answer that is read when waiting for it ends would take 0.4 s each."""
    uart = PicoUart([])
    tagging = Tagging([], [UartPad(uart, 0)])
    tagging.watch([0], 0)
    while uart.now < SECOND:
        if tagging.due(uart.now) <= uart.now:
            tagging.step(uart.now)
        uart.now += 1000
    assert uart.chip.lists >= 8


def test_the_firmware_reads_a_pad_as_the_library_does():
    tags = [SimTag(b"\x04abcdef"), SimTag(b"\x12\x34\x56\x78")]
    uart = PicoUart(tags)
    pad = UartPad(uart, 0)
    events = []
    while uart.now < SECOND:
        events += pad.step(uart.now)
        uart.now = max(uart.now + 1000, pad.due())
    assert sorted(events) == [("tag", b"\x04abcdef"), ("tag", b"\x12\x34\x56\x78")]
    tags.clear()
    while uart.now < 6 * SECOND:
        events += pad.step(uart.now)
        uart.now = max(uart.now + 1000, pad.due())
    assert sorted(events[2:]) == [("gone", b"\x04abcdef"), ("gone", b"\x12\x34\x56\x78")]


def test_frames_are_found_however_they_come():
    frame = encode_command(0x4A, b"\x02\x00")
    noise = b"\x00\x00\xff\x00\xff\x00" + b"\x12\x00\xff\x34"
    stream = noise + frame
    for cut in range(len(stream)):
        found, rest = next_frame(stream[:cut])
        if not found:
            found, rest = next_frame(rest + stream[cut:])
        assert content(found) == b"\xd4\x4a\x02\x00"


def test_a_line_may_be_opened_again():
    world = World(load_board(BOARD))
    line = SerialLine(world, "x")
    line.open().close()
    line.unplug()
    with pytest.raises(OSError, match="x"):
        line.open()
    line.close()
