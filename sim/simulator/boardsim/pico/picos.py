"""Picos under a simulated board, and the host's real drivers over them, in virtual time."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from boardsim.pico.cabled import CabledPico
from boardsim.pico.device import SimPico
from boardsim.pico.faults import FINE, CableFaults
from boardsim.pico.process import interpreter_commands
from boardsim.world.world import World
from boardware.errors import DriverError, install_hint
from boardware.parts import BoardDescription
from boardware.pico import HOLD_MS, PicoConsole, PicoHub, PicoLamps, PicoSensors
from boardware.pico_plan import PicoPlan, plans_by_pico
from boardware.pico_port import SerialPort
from boardware.ports import MS, SECOND, Micros
from boardware.tags_pico import PicoTags

if TYPE_CHECKING:
    from boardsim.readers.readers import TagWorld


class CableEnd(Protocol):
    """What stands at the other end of a port of the host."""

    def prepare_host_read(self) -> None:
        """The host is about to read."""

    def carry_from_host(self, count: int) -> None:
        """The host has written that many bytes."""


class SimSerialPort(SerialPort):
    """The host's real serial port; the world is told when it is read and what was written to it."""

    pico: CableEnd

    def read(self, size: int = 1, /) -> bytes:
        """Read what has come."""
        self.pico.prepare_host_read()
        return bytes(super().read(size))

    def write(self, data: Any, /) -> int:
        """Write, and have the world carry it."""
        count = super().write(data)
        self.pico.carry_from_host(count)
        return count


class SimPicos:
    """All Picos under a board, and drivers over them. They outlive the drivers, as the world does."""

    def __init__(
        self,
        world: World,
        *,
        seed: int = 0,
        interpreter: str | None = None,
        jump: bool = True,
        faults: CableFaults = FINE,
        tags: TagWorld | None = None,
        image: Path | None = None,
        board: BoardDescription | None = None,
        unpowered: Collection[str] = (),
        charging_only: Collection[str] = (),
    ) -> None:
        """`interpreter` is one of `interpreter_commands()`; by default the best. `jump=False` leaves no scan
        out. With an `image` of MicroPython for a Pico they are emulated. `board` is the board file of their
        firmware; without it, what the board is. Those `unpowered` are in no cable, those `charging_only` in
        one without wires for data. Raises `DriverError`."""
        self.world = world
        self._hub: PicoHub | None = None
        self._ports: list[SimSerialPort] = []
        self._folder = tempfile.TemporaryDirectory(prefix="picos-")
        self._way, self._jump, self._tags, self._image, self._seed = interpreter, jump, tags, image, seed
        self.picos_by_name: dict[str, CabledPico] = {}
        try:
            for plan in plans_by_pico(board or world.board).values():
                pico = self.picos_by_name[plan.pico] = self._made(plan)
                pico.to_host.faults = pico.to_pico.faults = faults
                world.watchers.append(pico.note_contact_changed)
            powered = [pico for name, pico in self.picos_by_name.items() if name not in unpowered]
            for name, pico in self.picos_by_name.items():
                pico.charging_only = name in charging_only
            for pico in powered:
                pico.start_ahead()
            for pico in powered:
                pico.plug(world.now)
        except BaseException:
            self.close()
            raise

    def _made(self, plan: PicoPlan) -> CabledPico:
        port = Path(self._folder.name) / plan.pico
        if self._image is not None:
            try:  # it needs what only developers install
                from boardsim.pico.emulated import EmulatedPico
            except ImportError as error:
                raise DriverError(f"pico-emulated: {error}: {install_hint('emulated')}") from None
            return EmulatedPico(self.world, plan, port, self._seed, self._image, self._tags)
        way = self._way or next(iter(interpreter_commands()))
        return SimPico(self.world, plan, port, self._seed, way, self._jump, self._tags)

    def open_drivers(
        self, *, hints: bool = True, board: BoardDescription | None = None, wait: bool = True
    ) -> tuple[PicoSensors, PicoLamps, PicoConsole]:
        """Fresh drivers, as the daemon opens them; the world goes on until all Picos have answered.

        `board` is what the host takes the board for; without it, for what it is. `wait=False` waits for none.
        """
        self._hang_up()
        hub = PicoHub(board or self.world.board, self._open)
        hub.set_port_paths({id_: str(pico.port) for id_, pico in self.picos_by_name.items()})
        ports = PicoSensors(hub), PicoLamps(hub, hints=hints), PicoConsole(hub, round(HOLD_MS * MS))
        self._hub = hub
        if wait:
            hub.wait_for_all_picos(self._wait, 30 * SECOND)
        return ports

    def open_tags(self) -> PicoTags:
        """What the Picos read, by the cables of the drivers opened last."""
        assert self._hub is not None
        return PicoTags(self._hub)

    def _open(self, path: str) -> SimSerialPort:
        port = SimSerialPort(path)
        port.pico = next(pico for pico in self.picos_by_name.values() if str(pico.port) == path)
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
        for pico in self.picos_by_name.values():
            pico.close()
        self._folder.cleanup()
