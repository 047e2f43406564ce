"""What an emulated chip needs not be taken through step by step, as what comes of it is known.

While the core sleeps the strobe goes round and round. Once a round has ended in the very state in which it
began, so do all that follow, until something else happens: they are taken together. All that each of them
would have written is written.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from rp2040py.memory_map import RAM_START_ADDRESS
from rp2040py.peripherals.dma import INCR_WRITE, RING_SEL

SPARE: Final = 4
"""Cycles before whatever comes next in which nothing is taken together."""
LOOP_TURNS_MAX: Final = 64
"""Turns of a program after which a round is looked for anew: more than a board has rows."""
_MACHINE: Final = (
    "x",
    "y",
    "pc",
    "input_shift_reg",
    "input_shift_count",
    "output_shift_reg",
    "output_shift_count",
    "exec_opcode",
    "exec_valid",
    "div_fp",
    "exec_ctrl",
    "shift_ctrl",
    "pin_ctrl",
)
_PIO: Final = ("fdebug", "tx_stall", "rx_stall", "irq", "pin_values", "pin_directions")


def skip_countdown(machine: Any, instructions: list[int]) -> bool:
    """Where a machine's next instruction counts X down by jumping to itself, count now: it does nothing else.

    What is due then is the last of these jumps, at its moment. Whether that was so.
    """
    opcode = instructions[machine.pc]
    counts = opcode >> 13 == 0 and opcode >> 5 & 7 == 2 and opcode & 31 == machine.pc
    if counts and machine.x and not machine.exec_valid and not machine.pin_ctrl >> 29:
        machine.next_due_fp += machine.x * (1 + (opcode >> 8 & 31)) * machine.div_fp
        machine.x = 0
        return True
    return False


class _LoopStart(NamedTuple):
    """Where a round began."""

    pc: int
    state: tuple[Any, ...]
    due: int
    """When its first instruction was due, in 1/256 cycles."""
    left: int
    """How many words DMA had still to carry into the ring."""


class IdleLoopFinder:
    """Looks for rounds of the one state machine that runs, with its DMA, while the core sleeps."""

    def __init__(self, mcu: Any) -> None:
        self._mcu = mcu
        self._mark: _LoopStart | None = None
        self._turns = 0
        self._ran = -1
        self.taken = 0
        """How many rounds were taken together with others."""

    @property
    def rings(self) -> list[Any]:
        """The channels of DMA that write round and round."""
        return [channel for channel in self._mcu.dma.channels if _is_ring(channel)]

    def forget(self) -> None:
        """Something outside has changed: what was, isn't known to come again."""
        self._mark = None

    def skip(self, pio: Any, machine: Any, room: int) -> bool:
        """Take as many whole rounds as there is room for between its next instruction and whatever else comes
        next, in cycles; whether it could."""
        if self._mcu.core.cycles != self._ran:
            self._ran = self._mcu.core.cycles
            self._mark = None
        if room <= SPARE or (self._mark is not None and machine.pc != self._mark.pc):
            return False
        rings = self.rings
        if len(rings) != 1:
            return False
        state = self._state(pio, machine, rings[0])
        here = _LoopStart(machine.pc, state, machine.next_due_fp, rings[0]._trans_count)
        mark, self._turns = self._mark, self._turns + 1
        if mark is None or (mark.state != here.state and self._turns > LOOP_TURNS_MAX):
            self._mark, self._turns = here, 0
        if mark is None or mark.state != here.state:
            return False
        self._mark, self._turns = here, 0
        return self._skip_equal_rounds(pio, machine, rings[0], mark, room - SPARE)

    def _skip_equal_rounds(self, pio: Any, machine: Any, ring: Any, mark: _LoopStart, room: int) -> bool:
        round_fp, words = machine.next_due_fp - mark.due, mark.left - ring._trans_count
        if not round_fp or not words:
            return False
        times = min((room << 8) // round_fp, (ring._trans_count - 1) // words)
        if times < 1:
            return False
        self._repeat_ring_words(ring, words, times)
        ring._trans_count -= times * words
        machine.next_due_fp += times * round_fp
        pio.recompute_due()
        self._mark = mark._replace(due=machine.next_due_fp, left=ring._trans_count)
        self.taken += times
        return True

    def _repeat_ring_words(self, ring: Any, words: int, times: int) -> None:
        """What the last round wrote is written again, so often."""
        size, at = ring._ring_mask + 1, ring._write_addr & ring._ring_mask
        base = (ring._write_addr & ~ring._ring_mask) - RAM_START_ADDRESS
        memory = self._mcu.sram[base : base + size]
        each = words * ring._data_size
        data = bytes(memory[byte % size] for byte in range(at - each, at)) * times
        end = at + len(data)
        if len(data) > size:  # what is written over at once
            data, at = data[-size:], end - size
        at %= size
        head = min(len(data), size - at)
        memory[at : at + head] = data[:head]
        memory[: len(data) - head] = data[head:]
        ring._write_addr = ring._write_addr & ~ring._ring_mask | end % size

    def _state(self, pio: Any, machine: Any, ring: Any) -> tuple[Any, ...]:
        """All that the round hangs on, but how far DMA has come in its ring."""
        dma = self._mcu.dma
        return (
            tuple(getattr(machine, name) for name in _MACHINE),
            tuple(machine.rx_fifo.items),
            tuple(machine.tx_fifo.items),
            tuple(getattr(pio, name) for name in _PIO),
            tuple(pio.instructions),
            tuple(
                (channel._ctrl, channel._read_addr)
                if channel is ring
                else (channel._ctrl, channel._read_addr, channel._write_addr, channel._trans_count)
                for channel in dma.channels
            ),
            tuple(dma.dreq.items()),
            dma.int_raw,
            self._mcu.gpio_values,
        )


def _is_ring(channel: Any) -> bool:
    """Whether DMA writes round and round there."""
    both = RING_SEL | INCR_WRITE
    return bool(channel.active and channel._ctrl & both == both and channel._ring_mask)
