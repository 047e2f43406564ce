"""The UART of an emulated chip does what Arm's manual of the PL011 says, in the time of its bits."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from boardsim.pico import serial_line
from boardsim.pico.serial_line import (
    BUSY,
    CLEAR_INTERRUPTS_REGISTER,
    CONTROL_REGISTER,
    DATA,
    DIVISOR_FRACTION_REGISTER,
    DIVISOR_WHOLE_REGISTER,
    FIFO_ENABLE_BIT,
    FLAGS,
    LINE_CONTROL_REGISTER,
    MASK,
    MASKED_INTERRUPTS_REGISTER,
    QUEUE_EMPTY,
    QUEUE_FULL,
    RAW_INTERRUPTS_REGISTER,
    RECEIVE_EMPTY_FLAG,
    RECEIVE_FULL_FLAG,
    RECEIVE_INTERRUPT,
    RECEIVE_TIMEOUT_INTERRUPT,
    TRANSMIT_INTERRUPT,
    UartLine,
)

pytest.importorskip("rp2040py")
from rp2040py.clock.simulation_clock import SimulationClock

BIT_NS = 16e9 * (26 + 3 / 64) / 48e6
BYTE_NS = 10 * BIT_NS


class Bench:
    """One line at 115,177 baud, its clock, and whether it calls for the core."""

    def __init__(self, queues: int = FIFO_ENABLE_BIT) -> None:
        self.clock = SimulationClock()
        self.calls = False
        self.gone: list[tuple[float, int]] = []
        mcu = SimpleNamespace(uart=[SimpleNamespace(irq=20)], set_interrupt=self._set)
        self.line = UartLine(mcu, 0, self.clock, lambda: 48e6)
        self.line.on_byte_sent = lambda byte: self.gone.append((self.clock.nanos, byte))
        for register, value in (
            (DIVISOR_WHOLE_REGISTER, 26),
            (DIVISOR_FRACTION_REGISTER, 3),
            (LINE_CONTROL_REGISTER, 0x60 | queues),
            (CONTROL_REGISTER, 0x301),
        ):
            self.line.write_uint32(register, value)

    def _set(self, irq: int, calls: bool) -> None:
        assert irq == 20
        self.calls = calls

    def let(self, bits: float) -> None:
        self.clock.tick(bits * BIT_NS)

    def flags(self) -> int:
        return self.line.read_uint32(FLAGS)


def test_bytes_go_out_one_after_the_other_in_the_time_of_their_bits() -> None:
    bench = Bench()
    for byte in b"abc":
        bench.line.write_uint32(DATA, byte)
    assert bench.flags() & (BUSY | QUEUE_EMPTY) == BUSY
    bench.let(29.9)
    assert [byte for _, byte in bench.gone] == list(b"ab")
    bench.let(0.2)
    assert [byte for _, byte in bench.gone] == list(b"abc")
    assert [at for at, _ in bench.gone] == pytest.approx([BYTE_NS, 2 * BYTE_NS, 3 * BYTE_NS])
    assert bench.flags() & (BUSY | QUEUE_EMPTY) == QUEUE_EMPTY


def test_it_calls_for_more_when_few_are_left_and_not_because_few_are_there() -> None:
    """Once, so a driver that has nothing more to send clears that and is left in peace."""
    bench = Bench()
    bench.line.write_uint32(MASK, TRANSMIT_INTERRUPT)
    bench.line.write_uint32(CLEAR_INTERRUPTS_REGISTER, 0x7FF)
    assert not bench.calls
    for byte in range(20):
        bench.line.write_uint32(DATA, byte)
    assert not bench.calls
    bench.let(31)
    assert bench.calls, "half of 32 are left, as it is after a reset"
    assert bench.line.read_uint32(MASKED_INTERRUPTS_REGISTER) == TRANSMIT_INTERRUPT
    bench.line.write_uint32(CLEAR_INTERRUPTS_REGISTER, TRANSMIT_INTERRUPT)
    assert not bench.calls
    bench.let(200)
    assert not bench.calls
    assert len(bench.gone) == 20


def test_more_than_a_queue_holds_is_lost_as_on_the_chip() -> None:
    bench = Bench()
    for byte in range(40):
        bench.line.write_uint32(DATA, byte)
    assert bench.flags() & QUEUE_FULL
    bench.let(500)
    assert [byte for _, byte in bench.gone] == list(range(33)), "one was on the line already"


@pytest.mark.parametrize(("queues", "most"), [(FIFO_ENABLE_BIT, 32), (0, 1)])
def test_what_comes_waits_as_far_as_there_is_room(queues: int, most: int) -> None:
    bench = Bench(queues)
    assert bench.flags() & RECEIVE_EMPTY_FLAG
    for byte in range(40):
        bench.line.feed(byte)
    assert bench.flags() & RECEIVE_FULL_FLAG
    assert [bench.line.read_uint32(DATA) for _ in range(most)] == list(range(most))
    assert bench.flags() & RECEIVE_EMPTY_FLAG


def test_it_calls_when_half_a_queue_has_come_or_after_a_rest() -> None:
    bench = Bench()
    bench.line.write_uint32(MASK, RECEIVE_INTERRUPT | RECEIVE_TIMEOUT_INTERRUPT)
    for byte in range(15):
        bench.line.feed(byte)
        bench.let(10)
    assert not bench.calls
    bench.line.feed(15)
    assert bench.line.read_uint32(MASKED_INTERRUPTS_REGISTER) == RECEIVE_INTERRUPT
    bench.line.read_uint32(DATA)
    assert not bench.calls
    bench.let(33)
    assert bench.line.read_uint32(MASKED_INTERRUPTS_REGISTER) == RECEIVE_TIMEOUT_INTERRUPT
    while not bench.flags() & RECEIVE_EMPTY_FLAG:
        bench.line.read_uint32(DATA)
    assert not bench.calls
    bench.let(100)
    assert (
        bench.line.read_uint32(RAW_INTERRUPTS_REGISTER) & (RECEIVE_INTERRUPT | RECEIVE_TIMEOUT_INTERRUPT) == 0
    )


def test_a_reset_takes_all_from_the_line() -> None:
    bench = Bench()
    bench.line.write_uint32(DATA, 1)
    bench.line.feed(2)
    bench.line.reset()
    bench.let(100)
    assert not bench.gone
    assert bench.flags() & RECEIVE_EMPTY_FLAG
    assert bench.line.byte_nanos < serial_line.BITS * BIT_NS
