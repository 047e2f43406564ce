"""Picos under a simulated board: the real firmware in lockstep with virtual time, on pseudo-terminals.

The world stands between the host's pyserial and the firmware: it delays bytes and may spoil them, it says
which contacts are closed, and it shows what the lamps were sent. The firmware's process is granted time when
it wants it, when bytes come, and at the first moment of its scan grid after a contact changed; while its
scanner is quiet, the scans between are left out, as they would tell nothing.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import tempfile
import termios
import tty
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import serial

from boardsim import pixels
from boardsim.pico_faults import FINE, Faults, Wire
from boardsim.pico_process import Firmware, flash_folder, interpreters
from boardsim.world import World
from boardware.parts import Board
from boardware.pico import HOLD_MS, Hub, PicoConsole, PicoLamps, PicoSensors
from boardware.pico_plan import Plan, plans
from boardware.ports import MS, SECOND, Micros
from boardware.tags_pico import PicoTags

if TYPE_CHECKING:
    from boardsim.readers import TagWorld
    from boardsim.readers_pn532 import PicoLine

BOOT: Micros = 300 * MS
"""From power to the first scan."""
PULL_UP = 1
PATIENCE_S = 5.0
"""How long the kernel may take to pass bytes through a pseudo-terminal. Virtual time stands still."""


class PicoError(RuntimeError):
    """The firmware ended when it should not: what it said last."""


class SimPico:
    """One Pico with its cable. It has power while it is plugged in."""

    def __init__(
        self,
        world: World,
        plan: Plan,
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
        self.led = False
        self.boots = 0
        self.grants = 0
        """How often the firmware was given time."""
        self.told: Callable[[str, Micros], None] = lambda what, at: None
        """Called for what benchmarks time: `sent`, `shown`."""
        self._world = world
        self._way = way
        self._jump = jump
        self._flash = flash_folder(plan)
        self._firmware: Firmware | None = None
        self._master = self._slave = -1
        self._turn = 0
        """Which wait of the firmware is the latest: grants planned for older ones are void."""
        self._until: tuple[Micros, Micros, Micros] | None = None
        self._born: Micros = 0
        """When it booted: its own clock began at 0 then."""
        self._local: Micros = 0
        """The world's time that the firmware has come to."""
        self._changed = True
        self._coming = b""
        self._pulls: dict[int, int] = {}
        self._readers = [] if tags is None else [tags.banks[bank.id] for bank in plan.reader_banks]
        uarts = {} if tags is None else tags.uarts
        self._lines = {pad.uart[0]: uarts[pad.id] for pad in plan.pads if pad.uart and pad.id in uarts}
        self._unseen = True
        """Whether a contact changed that no scan has looked at."""
        self._grids = {bank.id: world.copper.grid(bank.id) for bank in plan.banks}
        for grid in self._grids.values():
            grid.pull[grid.rows :] = [0] * grid.columns

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._master >= 0

    def plug(self, at: Micros) -> None:
        """Put the cable in: the Pico boots, and its port appears."""
        if self.plugged:
            return
        self._master, self._slave = pty.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        self.port.symlink_to(os.ttyname(self._slave))
        self._boot(at)

    def unplug(self, at: Micros) -> None:
        """Pull the cable: no power, no port; what was on its way is lost."""
        if not self.plugged:
            return
        self._off()
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self.port.unlink()

    def touched(self, at: Micros) -> None:
        """A contact of the board changed."""
        self._changed = self._unseen = True
        if self._until is None:
            return
        until, or_until, period = self._until
        if at > until:
            until += period * -((until - at) // period)
        if until < or_until:
            self._plan_grant(until)

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
        for grid in self._grids.values():
            grid.drive = [None] * len(grid.drive)
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
        self.grants += 1
        data, self._coming = self._coming, b""
        if data:
            self._firmware.wire(data)
        self._until = None
        self._local = max(at, self._local)
        self._firmware.answer(self._local - self._born, int(self._changed), len(data))
        self._changed = False
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
                raise PicoError(f"Pico {self.plan.pico}: {self._firmware.complaint()}")
            self._send(self._firmware.written())
            match line:
                case ["wait", local, until, or_until, period]:
                    self._waits(self._time(local), self._time(until), self._time(or_until), int(period))
                    return
                case ["read", enable, out]:
                    self._firmware.answer(self._levels(int(enable), int(out)))
                case ["pull", gpio, pull]:
                    self._pulls[int(gpio)] = int(pull)
                case ["pixels", local, gpio, data]:
                    self._local = self._time(local)
                    self._world.plan(self._local, partial(self._show, int(gpio), bytes.fromhex(data)))
                case ["pin", _, gpio, level]:
                    self._pin(int(gpio), level == "1")
                case [("spi" | "spi-write") as what, local, gpio, byte_ns, data]:
                    back = self._spi(int(gpio), self._time(local), int(byte_ns), bytes.fromhex(data))
                    if what == "spi":
                        self._firmware.answer(*back)
                case ["uart-any", local, gpio]:
                    self._firmware.answer(len(self._line(gpio).there(self._time(local))))
                case ["uart-read", local, gpio, count]:
                    self._firmware.answer(*self._line(gpio).take(self._time(local), int(count)))
                case ["uart-write", local, gpio, data]:
                    self._line(gpio).receive(bytes.fromhex(data), self._time(local))
                case ["reset" | "interrupted", local]:
                    crash = Path(self._flash.name) / "crash.txt"
                    if crash.exists():
                        raise PicoError(f"Pico {self.plan.pico} crashed: {crash.read_text()}")
                    self._off()
                    self._world.plan(max(self._time(local), self._world.now) + BOOT, self._again)
                    return
                case _:
                    raise PicoError(f"Pico {self.plan.pico} says {line}")

    def _time(self, local: str) -> Micros:
        """A time of the Pico's clock as the world's."""
        return self._born + int(local)

    def _again(self, at: Micros) -> None:
        if self.plugged and self._firmware is None:
            self._boot(at)

    def _waits(self, local: Micros, until: Micros, or_until: Micros, period: Micros) -> None:
        self._local = local
        self._until = (until, or_until if self._jump and not self._unseen else until, period)
        self._plan_grant(max(local, self._until[1]))
        if self._coming:
            self._plan_grant(local)

    def _send(self, data: bytes) -> None:
        if not data:
            return
        self.told("sent", self._local)
        at, data = self.to_host.carry(data, max(self._local, self._world.now))
        self._world.plan(at, partial(self._deliver, self._master, data))

    def _deliver(self, master: int, data: bytes, at: Micros) -> None:
        """Bytes come to the host: it can read them once they have passed the kernel's pseudo-terminal."""
        if master != self._master or not data:
            return
        wanted = readable(self._slave) + len(data)
        os.write(master, data)
        if wanted < 4096:  # else nobody reads: the terminal is full, the rest is lost as on the real one
            while readable(self._slave) < wanted:
                select.select([self._slave], [], [], PATIENCE_S)
                os.sched_yield()

    # The bench

    def _levels(self, enable: int, out: int) -> int:
        self._unseen = False
        levels = out
        for bank in self.plan.banks:
            grid = self._grids[bank.id]
            for wire, gpio in enumerate(bank.rows + bank.columns):
                driven = out >> gpio & 1 if enable >> gpio & 1 else None
                if grid.drive[wire] != driven:
                    grid.set_drive(wire, driven)
            for wire, gpio in enumerate(bank.columns, len(bank.rows)):
                levels |= grid.level(wire) << gpio
        for name in self.plan.buttons:
            gpio = self.plan.board.buttons[name].gpio
            if self._pulls.get(gpio) == PULL_UP and not self._world.copper.down(name):
                levels |= 1 << gpio
        return levels

    def _show(self, gpio: int, data: bytes, at: Micros) -> None:
        for chain in self.plan.chains:
            if chain.gpio == gpio:
                self._world.copper.set_chain(chain.id, pixels.decode(data, chain))
                self.told("shown", at)

    def _spi(self, gpio: int, at: Micros, byte_ns: int, data: bytes) -> bytes:
        for bank in self._readers:
            if bank.bank.spi[0] == gpio:
                return bank.transfer(data, at, byte_ns / 1000)
        return b"\xff" * len(data)  # nothing is soldered there, and a pull-up

    def _line(self, gpio: str) -> PicoLine:
        return self._lines[int(gpio)]

    def _pin(self, gpio: int, level: bool) -> None:
        for bank in self._readers:
            bank.pin(gpio, int(level))
        buzzer = self.plan.board.buzzer
        if self.plan.buzzes and buzzer is not None and gpio == buzzer.gpio:
            self._world.copper.set_buzzing(level)
        else:
            self.led = level


def readable(terminal: int) -> int:
    """How many bytes a terminal holds that nobody has read."""
    return int(struct.unpack("i", fcntl.ioctl(terminal, termios.FIONREAD, b"\0\0\0\0"))[0])


class Port(serial.Serial):  # type: ignore[misc]  # pyserial has no types
    """The host's real serial port; the world is told when something was written to it."""

    pico: SimPico

    def write(self, data: Any, /) -> int:
        """Write, and have the world carry it."""
        count = int(super().write(data) or 0)
        self.pico.heard(count)
        return count


class Picos:
    """All Picos under a board, and drivers over them. They outlive the drivers, as the world does."""

    def __init__(
        self,
        world: World,
        *,
        seed: int = 0,
        way: str | None = None,
        jump: bool = True,
        faults: Faults = FINE,
        tags: TagWorld | None = None,
    ) -> None:
        """`way` is one of `interpreters()`; the best by default. `jump=False` leaves no scan out."""
        self.world = world
        self._hub: Hub | None = None
        self._ports: list[Port] = []
        self._folder = tempfile.TemporaryDirectory(prefix="picos-")
        chosen = way or next(iter(interpreters()))
        self.each = {
            plan.pico: SimPico(world, plan, Path(self._folder.name) / plan.pico, seed, chosen, jump, tags)
            for plan in plans(world.board).values()
        }
        for pico in self.each.values():
            pico.to_host.faults = pico.to_pico.faults = faults
            world.watchers.append(pico.touched)
        try:
            for pico in self.each.values():
                pico.plug(world.now)
        except BaseException:
            self.close()
            raise

    def open_drivers(
        self, *, hints: bool = True, board: Board | None = None
    ) -> tuple[PicoSensors, PicoLamps, PicoConsole]:
        """Fresh drivers, as the daemon opens them; the world goes on until all Picos have answered.

        `board` is what the host takes the board for; without it, for what it is.
        """
        self._hang_up()
        hub = Hub(board or self.world.board, self._open)
        hub.find_at({id_: str(pico.port) for id_, pico in self.each.items()})
        ports = PicoSensors(hub), PicoLamps(hub, hints=hints), PicoConsole(hub, round(HOLD_MS * MS))
        self._hub = hub
        hub.await_all(self._wait, 30 * SECOND)
        return ports

    def open_tags(self) -> PicoTags:
        """What the Picos read, by the cables of the drivers opened last."""
        assert self._hub is not None
        return PicoTags(self._hub)

    def _open(self, path: str) -> Port:
        port = Port(path, 115200, timeout=0, write_timeout=0, exclusive=True)
        port.pico = next(pico for pico in self.each.values() if str(pico.port) == path)
        self._ports.append(port)
        return port

    def _hang_up(self) -> None:
        """Whoever lost its power closed nothing: the kernel does."""
        for port in self._ports:
            port.close()
        self._ports.clear()

    def _wait(self, until: Micros, filenos: object) -> Micros:
        edge = self.world.next_edge()
        self.world.advance(max(self.world.now, until if edge is None else min(until, edge)))
        return self.world.now

    def close(self) -> None:
        """Cut the power of all. Twice is allowed."""
        self._hang_up()
        for pico in self.each.values():
            pico.close()
        self._folder.cleanup()
