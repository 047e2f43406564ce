"""One simulated Pico with its cable: the real firmware in lockstep with virtual time, on a pseudo-terminal.

The world stands between the host's pyserial and the firmware: it delays bytes and may spoil them. The
firmware's process is granted time when it wants it, when bytes come, and at the first moment of its scan grid
after a contact changed. While its scanner is quiet, the scans between are left out, as they would tell
nothing. A process that was killed is a Pico that hangs: its watchdog boots it again.
"""

from __future__ import annotations

import os
import pty
import select
import tty
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from boardsim.pico.bench import PicoBench
from boardsim.pico.faults import Wire
from boardsim.pico.process import Firmware, flash_folder
from boardsim.pins.terminals import PATIENCE_S, readable
from boardsim.world.world import World
from boardware.pico_plan import PicoPlan
from boardware.ports import MS, SECOND, Micros

if TYPE_CHECKING:
    from boardsim.readers.readers import TagWorld

BOOT: Micros = 300 * MS
"""From power to the first scan."""
WATCHDOG: Micros = 5 * SECOND
"""How long a Pico hangs before it boots again (boardwire/boot/main.py)."""


class PicoError(RuntimeError):
    """The firmware ended by itself when it should not: what it said last."""


class SimPico:
    """One Pico with its cable. It has power while it is plugged in."""

    def __init__(
        self,
        world: World,
        plan: PicoPlan,
        port: Path,
        seed: int,
        way: str,
        jump: bool,
        tags: TagWorld | None = None,
    ) -> None:
        self.plan = plan
        self.port = port
        self.to_host = Wire(f"to host {plan.pico} {seed}")
        self.to_pico = Wire(f"to pico {plan.pico} {seed}")
        self.bench = PicoBench(world, plan, tags)
        self.boots = 0
        self.delivered = 0
        """How often something came to the host."""
        self.grants = 0
        """How often the firmware was given time."""
        self.told: Callable[[str, Micros], None] = lambda what, at: None
        """Called for what benchmarks time: `sent`, `shown`."""
        self.failed: Callable[[PicoError], None] = _raise
        """Called when the firmware ended by itself; unless it raises, the Pico boots again."""
        self._world = world
        self._way = way
        self._jump = jump
        self._flash = flash_folder(plan)
        self._firmware: Firmware | None = None
        self._master = self._slave = -1
        self._pulled = True
        self._turn = 0
        """Which wait of the firmware is the latest: grants planned for older ones are void."""
        self._until: tuple[Micros, Micros, Micros] | None = None
        self._born: Micros = 0
        """When it booted: its own clock began at 0 then."""
        self._local: Micros = 0
        """The world's time that the firmware has come to."""
        self._changed = True
        self._changed_at: Micros = 0
        """When the first contact changed that no scan has looked at."""
        self._coming = b""

    @property
    def plugged(self) -> bool:
        """Whether the port is there: the cable is in, and it does not boot just now."""
        return self._master >= 0

    def plug(self, at: Micros) -> None:
        """Put the cable in: the Pico boots, and its port appears."""
        self._pulled = False
        if self.plugged:
            return
        self._master, self._slave = pty.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        self.port.symlink_to(os.ttyname(self._slave))
        self._boot(at)

    def unplug(self, at: Micros) -> None:
        """Pull the cable: no power, no port; what was on its way is lost."""
        self._pulled = True
        self._vanish()

    def _vanish(self) -> None:
        if not self.plugged:
            return
        self._off()
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self.port.unlink()

    def touched(self, at: Micros) -> None:
        """A contact of the board changed."""
        if not self.bench.unseen:
            self._changed_at = at
        self._changed = self.bench.unseen = True
        if self._until is None:
            return
        until, or_until, period = self._until
        if at > until:
            until += period * -((until - at) // period)
        if until < or_until:
            self._plan_grant(until)

    def listened(self) -> None:
        """The host is about to read: all that came by now is there."""

    def heard(self, count: int) -> None:
        """The host has written that many bytes to its port: carry them over."""
        data = b""
        while len(data) < count and self.plugged:
            select.select([self._master], [], [], PATIENCE_S)  # a pseudo-terminal takes a moment
            data += os.read(self._master, count - len(data))
        at, data = self.to_pico.carry(data, self._world.now)
        self._world.plan(at, partial(self._arrive, self._firmware, data))

    def close(self) -> None:
        """Cut its power for good."""
        self.unplug(self._world.now)
        self._flash.cleanup()

    # The firmware

    def _boot(self, at: Micros) -> None:
        self.boots += 1
        self._firmware = Firmware(Path(self._flash.name), self._way)
        self._born = self._local = at
        self._changed = True
        self._coming = b""
        self.bench.power_on()
        self._serve()

    def _off(self) -> None:
        self._until = None
        self._turn += 1
        if self._firmware is not None:
            self._firmware.end()
            self._firmware = None

    def _plan_grant(self, at: Micros) -> None:
        self._turn += 1
        self._world.plan(max(at, self._world.now), partial(self._grant, self._turn))

    def _grant(self, turn: int, at: Micros) -> None:
        if turn != self._turn or self._firmware is None:
            return
        if self._catch_up(at):
            return
        data, self._coming = self._coming, b""
        if data:
            self._firmware.wire(data)
        changed, self._changed = self._changed, False
        self._resume(at, changed, len(data))

    def _catch_up(self, at: Micros) -> bool:
        """Make the last scan before `at` that was left out, unless contacts changed before it.

        The firmware would scan as soon as bytes wake it, else: it would answer them later, and tell a change
        up to a period too early.
        """
        if not self._jump or self._until is None:
            return False
        until, _, period = self._until
        last = until + period * ((at - until) // period)
        if not self._local < last < at or (self.bench.unseen and self._changed_at <= last):
            return False
        self._resume(last, False, 0)
        return True

    def _resume(self, at: Micros, changed: bool, count: int) -> None:
        """Let the firmware go on at that moment: whether contacts changed, how many bytes came."""
        if self._firmware is None:
            return
        self.grants += 1
        self._until = None
        self._local = max(at, self._local)
        self._firmware.answer(self._local - self._born, int(changed), count)
        self._serve()

    def _arrive(self, firmware: Firmware | None, data: bytes, at: Micros) -> None:
        """Bytes of the host come to the Pico, if it is still the one they were sent to."""
        if firmware is not None and firmware is self._firmware:
            self._coming += data
            if self._until is not None:
                self._plan_grant(max(at, self._local))

    def _serve(self) -> None:
        """Do what the firmware wants until it waits."""
        while self._firmware is not None:
            line = self._firmware.read_line()
            if line is None:
                self._ended(self._firmware)
                return
            self._send(self._firmware.written())
            match line:
                case ["wait", local, until, or_until, period]:
                    self._waits(self._time(local), self._time(until), self._time(or_until), int(period))
                    return
                case ["read", enable, out]:
                    self._firmware.answer(self.bench.levels(int(enable), int(out)))
                case ["pull", gpio, pull]:
                    self.bench.pulls[int(gpio)] = int(pull)
                case ["pixels", ends, gpio, data]:
                    self._world.plan(self._time(ends), partial(self._show, int(gpio), bytes.fromhex(data)))
                case ["pin", _, gpio, level]:
                    self.bench.pin(int(gpio), level == "1")
                case [("spi" | "spi-write") as what, local, gpio, byte_ns, data]:
                    back = self.bench.spi(int(gpio), self._time(local), int(byte_ns), bytes.fromhex(data))
                    if what == "spi":
                        self._firmware.answer(*back)
                case ["uart-any", local, gpio]:
                    self._firmware.answer(len(self.bench.lines[int(gpio)].there(self._time(local))))
                case ["uart-read", local, gpio, count]:
                    self._firmware.answer(*self.bench.lines[int(gpio)].take(self._time(local), int(count)))
                case ["uart-write", local, gpio, data]:
                    self.bench.lines[int(gpio)].receive(bytes.fromhex(data), self._time(local))
                case ["reset" | "interrupted", local]:
                    self._reset_at(self._time(local))
                    return
                case _:
                    raise PicoError(f"Pico {self.plan.pico} says {line}")

    def _time(self, local: str) -> Micros:
        """A time of the Pico's clock as the world's."""
        return self._born + int(local)

    def _ended(self, firmware: Firmware) -> None:
        if not firmware.killed():
            self.failed(PicoError(f"Pico {self.plan.pico}: {firmware.complaint()}"))
        self._reset_at(self._local + WATCHDOG)

    def _reset_at(self, at: Micros) -> None:
        """Its program has ended. When it is reset its port vanishes, and comes back once it has booted."""
        self._off()
        crash = Path(self._flash.name) / "crash.txt"
        if crash.exists():
            why = crash.read_text()
            crash.unlink()
            self.failed(PicoError(f"Pico {self.plan.pico} crashed: {why}"))
        self._world.plan(max(at, self._world.now), partial(self._reset, self.boots))

    def _reset(self, boot: int, at: Micros) -> None:
        if boot == self.boots:
            self._vanish()
            self._world.plan(at + BOOT, partial(self._again, boot))

    def _again(self, boot: int, at: Micros) -> None:
        if boot == self.boots and not self._pulled:
            self.plug(at)

    def _waits(self, local: Micros, until: Micros, or_until: Micros, period: Micros) -> None:
        self._local = local
        self._until = (until, or_until if self._jump and not self.bench.unseen else until, period)
        self._plan_grant(max(local, self._until[1]))
        if self._coming:
            self._plan_grant(local)

    def _send(self, data: bytes) -> None:
        if not data:
            return
        self.told("sent", self._local)
        at, data = self.to_host.carry(data, max(self._local, self._world.now))
        self._world.plan(at, partial(self._deliver, self.boots, data))

    def _deliver(self, boot: int, data: bytes, at: Micros) -> None:
        """Bytes come to the host: it can read them once they have passed the kernel's pseudo-terminal."""
        if boot != self.boots or not self.plugged or not data:
            return
        self.delivered += 1
        wanted = readable(self._slave) + len(data)
        os.write(self._master, data)
        if wanted < 4096:  # else nobody reads: the terminal is full, the rest is lost as on the real one
            while readable(self._slave) < wanted:
                select.select([self._slave], [], [], PATIENCE_S)
                os.sched_yield()

    def _show(self, gpio: int, data: bytes, at: Micros) -> None:
        if self.bench.show(gpio, data):
            self.told("shown", at)


def _raise(error: PicoError) -> None:
    raise error
