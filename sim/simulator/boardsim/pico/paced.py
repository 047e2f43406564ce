"""The PIO of an emulated chip, taken on when an instruction of it is due, to the cycle.

rp2040py asks after each instruction of the core whether PIO has something to do, which takes as long as the
instruction, and while the core sleeps it does not know when PIO has. Here an alarm of the clock does.
"""

from __future__ import annotations

from typing import Any, Final

from boardsim.pico.ahead import IdleLoopFinder, skip_countdown

PORTS: Final = (0x50200, 0x50300)
"""The upper bits of the addresses of both PIO (RP2040 data sheet, 2.2)."""

NEVER: Final = 1 << 62
"""When nothing is due."""


class BatchTurn:
    """What `execute_batch` takes for a simulator. It keeps the chip's PIO out of that loop.

    The loop looks for PIO once, before it asks for `stopped` the first time.
    """

    def __init__(self, mcu: Any, clock: Any) -> None:
        self.rp2040, self.clock = mcu, clock
        self._pio = mcu.pio

    def begin(self) -> None:
        """The loop is about to begin."""
        self.__dict__.pop("stopped", None)
        self.rp2040.pio = ()

    def stop(self) -> None:
        """Have the loop end."""
        self.stopped = True

    def __getattr__(self, name: str) -> Any:
        if name != "stopped":
            raise AttributeError(name)
        self.rp2040.pio = self._pio
        self.stopped = False
        return False


class _Port:
    """A PIO as the core and DMA see it: at the cycle in which they look."""

    def __init__(self, pio: Any, paced: PioScheduler) -> None:
        self._pio, self._paced = pio, paced

    def read_uint32(self, offset: int) -> int:
        self._paced.advance_to_clock()
        value = self._pio.read_uint32(offset)
        self._paced.set_alarm()
        return int(value)

    def write_uint32(self, offset: int, value: int) -> None:
        self._paced.advance_to_clock()
        self._pio.write_uint32(offset, value)
        self._paced.set_alarm()

    def write_uint32_atomic(self, offset: int, value: int, kind: int) -> None:
        self._paced.advance_to_clock()
        self._pio.write_uint32_atomic(offset, value, kind)
        self._paced.set_alarm()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pio, name)


class PioScheduler:
    """Both PIO of a chip."""

    def __init__(self, mcu: Any, clock: Any, *, ahead: bool) -> None:
        """With `ahead` rounds of the strobe in which nothing is new are taken together."""
        self._mcu, self._clock, self._ahead = mcu, clock, ahead
        self._pios: list[Any] = mcu.pio
        self.rounds = IdleLoopFinder(mcu)
        self._alarm = clock.create_alarm(self._run_due_instructions)
        self._at: float | None = None
        """When the alarm is set for, in cycles."""
        for upper, pio in zip(PORTS, self._pios, strict=True):
            mcu.peripherals[upper] = _Port(pio, self)

    @property
    def running(self) -> list[tuple[Any, Any]]:
        """The state machines that have something to do, each with its PIO."""
        return [
            (pio, machine)
            for pio in self._pios
            if not pio.stopped
            for machine in pio.machines
            if machine.enabled and not machine.waiting
        ]

    @property
    def free_nanos(self) -> float:
        """Nanoseconds up to the next alarm of anything else."""
        self._cancel()
        free = self._clock.to_next() if self._clock.has_scheduled_alarm else 0.0
        self.set_alarm()
        return float(free)

    def advance_to_clock(self) -> None:
        """Both are at the cycle that the clock is at. Nothing is done that is due."""
        cycle = self._clock.cycle << 8
        for pio in self._pios:
            if pio.cycle_fp < cycle:
                pio.cycle_fp = cycle

    def set_alarm(self) -> None:
        """Set the alarm for the next instruction that is due."""
        first = min([pio.next_due_fp for pio in self._pios if not pio.stopped], default=NEVER)
        if first >= NEVER:
            self._cancel()
            return
        at = -(-first >> 8)
        if at != self._at:
            self._cancel()
            self._at = at
            self._clock.at_cycle(self._alarm, at)

    def _cancel(self) -> None:
        if self._at is not None:
            self._alarm.cancel()
            self._at = None

    def _run_due_instructions(self) -> None:
        self._at = None
        self.advance_to_clock()
        for pio in self._pios:
            if not pio.stopped:
                pio.advance(0)
        self._skip_known_instructions()
        self.set_alarm()

    def _skip_known_instructions(self) -> None:
        """Leave out what is known to come."""
        running = self.running
        for pio, machine in running:
            if skip_countdown(machine, pio.instructions):
                pio.recompute_due()
        if self._ahead and len(running) == 1 and self._mcu.core.waiting:
            ((pio, machine),) = running
            self.rounds.skip(pio, machine, self._clock.next_cycle - (machine.next_due_fp >> 8) - 1)
