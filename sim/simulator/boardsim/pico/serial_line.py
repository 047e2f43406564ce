"""A UART of an emulated RP2040: an Arm PL011 with its queues, its interrupts and the time of its bits.

rp2040py's own sends at once and never takes back its interrupt for sending, so a driver that goes by
interrupts is never left in peace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rp2040py.peripherals.peripheral import BasePeripheral

# Registers by their offsets, and bits in them (RP2040 data sheet, 4.2.8).
(
    DATA,
    FLAGS,
    DIVISOR_WHOLE_REGISTER,
    DIVISOR_FRACTION_REGISTER,
    LINE_CONTROL_REGISTER,
    CONTROL_REGISTER,
    FIFO_LEVELS_REGISTER,
) = 0x00, 0x18, 0x24, 0x28, 0x2C, 0x30, 0x34
MASK, RAW_INTERRUPTS_REGISTER, MASKED_INTERRUPTS_REGISTER, CLEAR_INTERRUPTS_REGISTER = 0x38, 0x3C, 0x40, 0x44
BUSY, RECEIVE_EMPTY_FLAG, QUEUE_FULL, RECEIVE_FULL_FLAG, QUEUE_EMPTY = 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7
FIFO_ENABLE_BIT: Final = 1 << 4
"""In LINE: with queues of 32 rather than of one byte."""
UART_ENABLE_BIT: Final = 1
RECEIVE_INTERRUPT, TRANSMIT_INTERRUPT, RECEIVE_TIMEOUT_INTERRUPT = 1 << 4, 1 << 5, 1 << 6
"""Interrupts: so many have come, so few are left to send, something came and then nothing more."""
DEPTH: Final = 32
FIFO_LEVEL_EIGHTHS: Final = (1, 2, 4, 6, 7)
"""The parts of a queue, in eighths, at which it calls for the core: what LEVELS chooses from."""
AT_RESET: Final = {CONTROL_REGISTER: 0x300, FIFO_LEVELS_REGISTER: 0x12}
BITS: Final = 10
"""Of a byte on the line: one to begin, eight, one to end."""
REST_BITS: Final = 32


class UartLine(BasePeripheral):
    """One UART. `on_byte_sent` is called with each byte once its last bit has gone."""

    def __init__(self, mcu: Any, number: int, clock: Any, hertz: Callable[[], float]) -> None:
        """`hertz()` is the frequency of the clock that it divides."""
        super().__init__(mcu, f"UART{number}")
        self.on_byte_sent: Callable[[int], None] = lambda byte: None
        self._irq = mcu.uart[number].irq
        self._hertz = hertz
        self._gone = clock.create_alarm(self._finish_byte)
        self._rest = clock.create_alarm(self._raise_receive_timeout)
        self.reset()

    def reset(self) -> None:
        """Nothing is on the line, and all registers are as they are after power came."""
        self._gone.cancel()
        self._rest.cancel()
        self._registers = dict(AT_RESET)
        self._queue: list[int] = []
        self._going: int | None = None
        self._came: list[int] = []
        self._raw = 0
        self._update_interrupt()

    @property
    def byte_nanos(self) -> float:
        """How long a byte takes."""
        return BITS * self._bit_nanos

    @property
    def _bit_nanos(self) -> float:
        divisor = (
            self._registers.get(DIVISOR_WHOLE_REGISTER, 0)
            + self._registers.get(DIVISOR_FRACTION_REGISTER, 0) / 64
        )
        return 16e9 * max(1.0, divisor) / self._hertz()

    @property
    def _depth(self) -> int:
        return DEPTH if self._registers.get(LINE_CONTROL_REGISTER, 0) & FIFO_ENABLE_BIT else 1

    def feed(self, byte: int) -> None:
        """The last bit of a byte has come. One for which there is no room is lost."""
        if not self._registers[CONTROL_REGISTER] & UART_ENABLE_BIT:
            return
        if len(self._came) < self._depth:
            self._came.append(byte)
        if len(self._came) >= self._fifo_threshold(self._registers[FIFO_LEVELS_REGISTER] >> 3):
            self._raw |= RECEIVE_INTERRUPT
        self._rest.cancel()
        self._rest.schedule(REST_BITS * self._bit_nanos)
        self._update_interrupt()

    def read_uint32(self, offset: int) -> int:
        """What the core reads there."""
        if offset == DATA:
            return self._read_data()
        if offset == FLAGS:
            return self._flags()
        if offset in (RAW_INTERRUPTS_REGISTER, MASKED_INTERRUPTS_REGISTER):
            return self._raw & (self._registers.get(MASK, 0) if offset == MASKED_INTERRUPTS_REGISTER else -1)
        return 0 if offset == CLEAR_INTERRUPTS_REGISTER else self._registers.get(offset, 0)

    def write_uint32(self, offset: int, value: int) -> None:
        """The core writes there."""
        if offset == DATA:
            if len(self._queue) < self._depth:
                self._queue.append(value & 0xFF)
            if len(self._queue) > self._transmit_threshold:
                self._raw &= ~TRANSMIT_INTERRUPT
            self._begin_byte()
        elif offset == CLEAR_INTERRUPTS_REGISTER:
            self._raw &= ~value
        else:
            self._registers[offset] = value
        self._update_interrupt()

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        """The core sets, clears or turns bits there."""
        if offset == CLEAR_INTERRUPTS_REGISTER:  # a bit that is set in it clears, whatever the kind of access
            self.write_uint32(offset, value)
        else:
            super().write_uint32_atomic(offset, value, atomic_type)

    def _flags(self) -> int:
        return (
            (BUSY if self._going is not None else 0)
            | (0 if self._came else RECEIVE_EMPTY_FLAG)
            | (QUEUE_FULL if len(self._queue) >= self._depth else 0)
            | (RECEIVE_FULL_FLAG if len(self._came) >= self._depth else 0)
            | (0 if self._queue else QUEUE_EMPTY)
        )

    def _read_data(self) -> int:
        byte = self._came.pop(0) if self._came else 0
        if len(self._came) < self._fifo_threshold(self._registers[FIFO_LEVELS_REGISTER] >> 3):
            self._raw &= ~RECEIVE_INTERRUPT
        if not self._came:
            self._raw &= ~RECEIVE_TIMEOUT_INTERRUPT
            self._rest.cancel()
        self._update_interrupt()
        return byte

    def _fifo_threshold(self, chosen: int) -> int:
        return max(1, self._depth * FIFO_LEVEL_EIGHTHS[min(chosen & 7, len(FIFO_LEVEL_EIGHTHS) - 1)] // 8)

    @property
    def _transmit_threshold(self) -> int:
        return (
            self._depth
            * FIFO_LEVEL_EIGHTHS[min(self._registers[FIFO_LEVELS_REGISTER] & 7, len(FIFO_LEVEL_EIGHTHS) - 1)]
            // 8
        )

    def _begin_byte(self) -> None:
        """The next byte goes onto the line, if that is free. What calls for more is that few are left now,
        not that few are there (PL011 manual, DDI 0183, 2.8)."""
        if self._going is None and self._queue and self._registers[CONTROL_REGISTER] & UART_ENABLE_BIT:
            self._going = self._queue.pop(0)
            if len(self._queue) == self._transmit_threshold:
                self._raw |= TRANSMIT_INTERRUPT
            self._gone.schedule(self.byte_nanos)

    def _finish_byte(self) -> None:
        byte, self._going = self._going, None
        self._begin_byte()
        self._update_interrupt()
        assert byte is not None
        self.on_byte_sent(byte)

    def _raise_receive_timeout(self) -> None:
        if self._came:
            self._raw |= RECEIVE_TIMEOUT_INTERRUPT
            self._update_interrupt()

    def _update_interrupt(self) -> None:
        self.rp2040.set_interrupt(self._irq, bool(self._raw & self._registers.get(MASK, 0)))
