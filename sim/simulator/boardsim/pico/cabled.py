"""One simulated Pico's cable: the port of a host, wires that delay bytes and may spoil them, power."""

from __future__ import annotations

import os
import pty
import select
import tty
from collections.abc import Callable
from functools import partial
from pathlib import Path

from boardsim.pico.bench import PicoBench
from boardsim.pico.faults import FaultyWire
from boardsim.pins.terminals import PATIENCE_S, unread_bytes
from boardsim.world.world import World
from boardware.pico_plan import PicoPlan
from boardware.ports import MS, SECOND, Micros

BOOT: Micros = 300 * MS
"""From a reset to the port that is there again."""
WATCHDOG: Micros = 5 * SECOND
"""How long a Pico hangs before it boots again (boardwire/boot/main.py)."""


class PicoError(RuntimeError):
    """The firmware ended by itself when it should not: what it said last."""


class CabledPico:
    """One Pico with its cable. It has power while it is plugged in. What runs its firmware is a subclass."""

    def __init__(self, world: World, plan: PicoPlan, port: Path, seed: int, bench: PicoBench) -> None:
        self.plan = plan
        self.port = port
        self.to_host = FaultyWire(f"to host {plan.pico} {seed}")
        self.to_pico = FaultyWire(f"to pico {plan.pico} {seed}")
        self.bench = bench
        self.boots = 0
        self.delivered = 0
        """How often something came to the host."""
        self.on_timed_event: Callable[[str, Micros], None] = lambda what, at: None
        """Called for what benchmarks time: `sent`, `shown`."""
        self.on_firmware_ended: Callable[[PicoError], None] = _raise
        """Called when the firmware ended by itself; unless it raises, the Pico boots again."""
        self.on_port_opened: Callable[[int], object] = lambda fd: None
        """Called with `host_data_fd` once there is a port."""
        self.on_port_closing: Callable[[int], object] = lambda fd: None
        """Called with it before the port goes."""
        self.read_elsewhere = False
        """Whether another process reads the port: then what was delivered may be gone at once."""
        self.charging_only = False
        """Whether its cable has no wires for data: it gets power, and the host sees no port."""
        self._world = world
        self._master = self._slave = -1
        self._pulled = True
        self._born: Micros = 0
        """When it booted: its own clock began at 0 then."""

    @property
    def plugged(self) -> bool:
        """Whether the port is there: the cable is in, and it does not boot just now."""
        return self._master >= 0

    @property
    def host_data_fd(self) -> int:
        """The file descriptor that becomes readable when the host writes; -1 while there is no port."""
        return self._master

    def plug(self, at: Micros) -> None:
        """Put the cable in: the Pico boots, and its port appears."""
        self._pulled = False
        if self.plugged:
            return
        self._master, self._slave = pty.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        if not self.charging_only:
            self.port.symlink_to(os.ttyname(self._slave))
        self.on_port_opened(self._master)
        self.boots += 1
        self._born = at
        self.bench.power_on()
        self._boot(at)

    def start_ahead(self) -> None:
        """It will be plugged in next: whatever takes time before it boots may begin."""

    def unplug(self, at: Micros) -> None:
        """Pull the cable: no power, no port; what was on its way is lost."""
        self._pulled = True
        self._vanish()

    def _vanish(self) -> None:
        if not self.plugged:
            return
        self._off()
        self.on_port_closing(self._master)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self.port.unlink(missing_ok=True)

    def note_contact_changed(self, at: Micros) -> None:
        """A contact of the board changed."""
        raise NotImplementedError

    def prepare_host_read(self) -> None:
        """The host is about to read: all that came by now is there."""

    def carry_from_host(self, count: int) -> None:
        """The host has written that many bytes to its port: carry them over."""
        data = b""
        while len(data) < count and self.plugged:
            select.select([self._master], [], [], PATIENCE_S)  # a pseudo-terminal takes a moment
            data += os.read(self._master, count - len(data))
        at, data = self.to_pico.carry(data, self._world.now)
        self._world.plan(at, partial(self._deliver_to_pico, self.boots, data))

    def close(self) -> None:
        """Cut its power for good."""
        self.unplug(self._world.now)

    # What runs the firmware

    def _boot(self, at: Micros) -> None:
        """It got power."""
        raise NotImplementedError

    def _off(self) -> None:
        """It lost power. Twice is allowed."""
        raise NotImplementedError

    def _receive_host_bytes(self, data: bytes, at: Micros) -> None:
        """Bytes of the host have come."""
        raise NotImplementedError

    # The cable

    def _deliver_to_pico(self, boot: int, data: bytes, at: Micros) -> None:
        """Bytes of the host come to the Pico, if it is still the one they were sent to."""
        if boot == self.boots and self.plugged:
            self._receive_host_bytes(data, at)

    def _reset(self, boot: int, at: Micros) -> None:
        """It is reset: its port vanishes, and comes back once it has booted."""
        if boot == self.boots:
            self._vanish()
            self._world.plan(at + BOOT, partial(self._plug_after_reset, boot))

    def _plug_after_reset(self, boot: int, at: Micros) -> None:
        if boot == self.boots and not self._pulled:
            self.plug(at)

    def _send(self, data: bytes, at: Micros) -> None:
        """The firmware has written bytes for the host."""
        if not data:
            return
        self.on_timed_event("sent", at)
        at, data = self.to_host.carry(data, max(at, self._world.now))
        self._world.plan(at, partial(self._deliver, self.boots, data))

    def _deliver(self, boot: int, data: bytes, at: Micros) -> None:
        """Bytes come to the host: it can read them once they have passed the kernel's pseudo-terminal."""
        if boot != self.boots or not self.plugged or not data:
            return
        self.delivered += 1
        wanted = unread_bytes(self._slave) + len(data)
        os.write(self._master, data)
        # Where nobody reads the terminal is full, and the rest is lost as on the real one.
        if wanted < 4096 and not self.read_elsewhere:
            while unread_bytes(self._slave) < wanted:
                select.select([self._slave], [], [], PATIENCE_S)
                os.sched_yield()

    def _show(self, gpio: int, data: bytes, at: Micros) -> None:
        if self.bench.send_to_lamps(gpio, data):
            self.on_timed_event("shown", at)


def _raise(error: PicoError) -> None:
    raise error
