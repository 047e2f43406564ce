"""Lamps through the real neopixel_spi over an SPI object that decodes what is written."""

import re
import sys
from types import ModuleType
from typing import Any

import pytest

from boardware.description import BoardDescription
from boardware.errors import DriverError, SettingError, install_hint
from boardware.neopixel import RETRY_INTERVAL_US, PixelLamps, open_any, open_pwm, open_spi
from boardware.ports import MS, LampPort
from lit import BLUE_BLINK, BLUE_DIM, GREEN, RED, lit

DARK = (0, 0, 0)


class Bus:
    """The methods of `busio.SPI` that are used; decodes 8 bits of the bus to one bit of a lamp."""

    frequency = 6_400_000

    def __init__(self) -> None:
        self.frames: list[list[tuple[int, int, int]]] = []
        self.failures = 0

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def configure(self, **_: object) -> None:
        pass

    def write(self, data: bytes) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError("the bus is gone")
        bits = [int(byte == 0b11110000) for byte in data if byte]
        values = [int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8)]
        self.frames.append(
            [(values[at + 1], values[at], values[at + 2]) for at in range(0, len(values), 3)]  # GRB
        )


def lamps_on(board: BoardDescription, **settings: object) -> tuple[PixelLamps, Bus]:
    bus = Bus()
    return open_spi(board, spi=bus, **settings), bus


def test_opening_darkens_the_lamps(board: BoardDescription) -> None:
    _, bus = lamps_on(board)
    assert bus.frames == [[DARK] * 66]


def test_lights_reach_the_lamps_of_their_spaces_in_colour(board: BoardDescription) -> None:
    lamps, bus = lamps_on(board, brightness=100)
    port: LampPort = lamps
    port.show(lit({"a1": GREEN, "a2": RED, "turn-blue": BLUE_DIM, "moon": GREEN}), 0)
    port.step(0)
    shining = {index: colour for index, colour in enumerate(bus.frames[-1]) if colour != DARK}
    assert shining == {0: (0, 255, 0), 15: (255, 0, 0), 64: (0, 0, 40)}


def test_only_a_frame_that_differs_is_sent(board: BoardDescription) -> None:
    lamps, bus = lamps_on(board)
    lamps.show(lit({"a1": GREEN}), 0)
    for now in range(0, 1000 * MS, 10 * MS):
        lamps.step(now)
    lamps.show(lit({"a1": GREEN}), 1000 * MS)
    lamps.step(1000 * MS)
    assert len(bus.frames) == 2 + 0
    assert lamps.due() is None


def test_a_pattern_is_sent_exactly_when_due(board: BoardDescription) -> None:
    lamps, bus = lamps_on(board)
    lamps.show(lit({"e4": BLUE_BLINK}), 0)
    now, steps = 0, 0
    while now < 2_000_000:
        lamps.step(now)
        steps += 1
        due = lamps.due()
        assert due is not None
        now = due
    assert steps == 5
    assert len(bus.frames) == 1 + 5


def test_show_is_due_at_once(board: BoardDescription) -> None:
    lamps, _ = lamps_on(board)
    lamps.step(0)
    assert lamps.due() is None
    lamps.show(lit({"e4": GREEN}), 77)
    assert lamps.due() == 77


def test_a_frame_that_fails_is_tried_again_at_once(board: BoardDescription) -> None:
    lamps, bus = lamps_on(board)
    lamps.show(lit({"a1": GREEN}), 0)
    bus.failures = 2
    lamps.step(0)
    assert bus.frames[-1][0] != DARK
    assert lamps.take_troubles() == []


def test_a_dead_bus_is_told_once_left_alone_and_tried_each_second(board: BoardDescription) -> None:
    lamps, bus = lamps_on(board)
    lamps.show(lit({"a1": GREEN}), 0)
    bus.failures = 7
    lamps.step(0)
    assert lamps.due() == RETRY_INTERVAL_US
    lamps.show(lit({"b1": GREEN}), MS)
    lamps.step(MS)
    assert bus.failures == 4
    lamps.step(RETRY_INTERVAL_US)
    lamps.step(2 * RETRY_INTERVAL_US)
    assert bus.failures == 0
    assert [colour != DARK for colour in bus.frames[-1][:2]] == [False, True]
    assert [(one.at, one.code, one.where, one.detail) for one in lamps.take_troubles()] == [
        (0, "lamps-silent", "lamps", "the bus is gone"),
        (2 * RETRY_INTERVAL_US, "lamps-back", "lamps", ""),
    ]
    assert lamps.take_troubles() == []
    assert lamps.due() is None


def test_closing_darkens_the_lamps_and_may_be_done_twice(board: BoardDescription) -> None:
    lamps, bus = lamps_on(board)
    lamps.show(lit({"a1": GREEN}), 0)
    lamps.step(0)
    lamps.close()
    sent = len(bus.frames)
    lamps.close()
    lamps.step(5)
    assert len(bus.frames) == sent
    assert bus.frames[-1] == [DARK] * 66
    assert lamps.due() is None


def test_closing_a_dead_bus_raises_nothing(board: BoardDescription) -> None:
    lamps, bus = lamps_on(board)
    bus.failures = 100
    lamps.close()


@pytest.mark.parametrize(
    ("settings", "answer"),
    [
        ({"colour": 1}, "unknown setting 'colour'; try one of brightness"),
        ({"brightness": 0}, "brightness is 0; try a whole number from 1 to 100"),
        ({"brightness": True}, "brightness is True; try a whole number from 1 to 100"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(
    board: BoardDescription, settings: dict[str, Any], answer: str
) -> None:
    with pytest.raises(SettingError, match="neopixel-spi: " + answer):
        open_spi(board, spi=Bus(), **settings)
    with pytest.raises(SettingError, match="neopixel-pwm: " + answer):
        open_pwm(board, **settings)


def test_a_missing_library_names_the_extra_that_brings_it(
    board: BoardDescription, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "neopixel_spi", None)
    with pytest.raises(DriverError, match=f"neopixel-spi needs a library .*{re.escape(install_hint('pi'))}"):
        open_spi(board, spi=Bus())


def test_a_machine_without_lamps_is_told_so(board: BoardDescription, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "board", ModuleType("board"))
    with pytest.raises(DriverError, match="neopixel-spi: no lamps on this machine: it is no Raspberry Pi "):
        open_spi(board)


def test_a_bus_that_fails_while_opening_is_told(board: BoardDescription) -> None:
    bus = Bus()
    bus.failures = 1
    with pytest.raises(DriverError, match="neopixel-spi: no lamps on this machine: the bus is gone"):
        open_spi(board, spi=bus)


def test_after_a_failure_the_whole_frame_is_sent_even_if_it_is_the_old_one(board: BoardDescription) -> None:
    lamps, bus = lamps_on(board)
    lamps.show(lit({"a1": GREEN}), 0)
    lamps.step(0)
    bus.failures = 3
    lamps.show(lit({"b1": GREEN}), MS)
    lamps.step(MS)
    sent = len(bus.frames)
    lamps.show(lit({"a1": GREEN}), 2 * MS)
    lamps.step(MS + RETRY_INTERVAL_US)
    assert len(bus.frames) == sent + 1
    assert [colour != DARK for colour in bus.frames[-1][:2]] == [True, False]


def test_without_a_way_of_its_own_it_takes_spi_where_that_opens(
    board: BoardDescription, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus, pins = Bus(), ModuleType("board")
    monkeypatch.setattr(pins, "SPI", lambda: bus, raising=False)
    monkeypatch.setitem(sys.modules, "board", pins)
    open_any(board, brightness=100)
    assert bus.frames == [[DARK] * 66]


def test_where_no_way_opens_each_is_told(board: BoardDescription, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "board", ModuleType("board"))
    monkeypatch.setitem(sys.modules, "neopixel", None)
    with pytest.raises(DriverError) as refused:
        open_any(board)
    assert str(refused.value).startswith("neopixel: neopixel-spi: no lamps on this machine: ")
    assert "neopixel-pwm needs a library" in str(refused.value)
    assert install_hint("pwm") in str(refused.value)
    assert str(refused.value).endswith("; try it on the Pi of the board")
    with pytest.raises(SettingError, match="neopixel: brightness is 0"):
        open_any(board, brightness=0)
