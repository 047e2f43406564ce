"""A daemon whose second board is at a satellite, on a Pico or on its header: real firmware, virtual time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from boardrules.core import Seat
from boardsim.hands.hands import Hands
from boardsim.pico.picos import SimPicos
from boardsim.world.world import World
from boardumpire.commands.satellite import make_satellite
from boardumpire.satellite import keys
from boardumpire.satellite.client import Satellite
from boardumpire.satellite.header import Header
from boardumpire.satellite.host import SatelliteHost
from boardumpire.satellite.keys import SatelliteKey
from boardumpire.service import config
from boardumpire.service.clock import monotonic
from boardumpire.service.config import BoardSection, Config, DriversSection
from boardware.description import load_board
from boardware.header_pico import header_as_pico
from boardware.parts import BoardDescription
from boardware.pico import HOLD_MS, PicoConsole, PicoHub, PicoLamps, PicoSensors
from boardware.ports import MS, Ports
from daemon.test_several_boards import BOARD, TEXT, Tables
from evenings import virtual_loop
from evenings.drivers import Opener
from satellite.network import Faults, Network

KEY = SatelliteKey("north", b"north's key of thirty-two bytes.")
LOOK_S, HEADER_LOOK_S = 0.002, 0.01
"""Between two turns of the world: a Pico's port is looked at then, a header wakes the loop by itself."""


class RemoteBoard:
    """The drivers over the satellite's board, as the daemon opens them."""

    def __init__(self, name: str, board: BoardDescription) -> None:
        self._name, self._board = name, board
        self.hub: PicoHub
        self.begin()

    def begin(self) -> None:
        """Fresh ones for the next daemon."""
        self.hub = PicoHub(self._board)
        self.hub.set_port_paths({}, self._name)

    def open(self, board: object, found: object) -> Ports:
        return Ports(
            PicoSensors(self.hub), PicoLamps(self.hub), PicoConsole(self.hub, round(HOLD_MS * MS)), None
        )

    def changed(self) -> None:
        """Whoever carries its bytes says so."""


class RemoteTables(Tables):
    """As `Tables`; the board `north` is at a satellite, on a Pico or on the satellite's header."""

    def __init__(
        self, folder: Path, faults: Faults, seed: int, setup: Mapping[Seat, str], *, on_header: bool = False
    ) -> None:
        far = load_board(BOARD if on_header else f"{BOARD}-pico")
        worlds = {"": World(load_board(BOARD), seed=0), "north": World(far, seed=1)}
        self.worlds = worlds
        worlds["north"].advance(monotonic())
        self.picos = None if on_header else SimPicos(worlds["north"])
        self.hands = {name: Hands(world) for name, world in worlds.items()}
        self.remote = RemoteBoard("north", header_as_pico(far))
        self.openers: dict[str, Any] = {"": Opener(worlds[""]), "north": self.remote}
        environ = {"STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder)}
        self.config = config.load_text(TEXT, folder / "boardumpire.toml", environ)
        self.key_file = folder / "satellites.json"
        keys.save_host_keys(self.key_file, {"north": KEY.key})
        self.network = Network(None, faults, seed)
        self._far: list[asyncio.Task[None]] = []
        self.satellite: Satellite
        self.setup = setup
        self.is_up = False
        self.heard: list[tuple[int, str]] = []
        """Faults that everybody was told of, and when."""

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[RemoteTables]:
        loop = asyncio.get_running_loop()
        self._begin_satellite()
        turning = loop.create_task(self._turn())
        try:
            await self.power_host()
            yield self
        finally:
            if self.is_up:
                self.cut_host()
            turning.cancel()
            self._end_satellite()
            if self.picos is not None:
                self.picos.close()

    def _begin_satellite(self) -> None:
        loop = asyncio.get_running_loop()
        if self.picos is None:
            found = _header_config(self.worlds["north"])
            header = Header(found)
            self.satellite = make_satellite(self.network.connect, KEY, [], header)
            self._far = [loop.create_task(header.run()), loop.create_task(self.satellite.run())]
            return
        picos, plugged = self.picos, self.picos.picos_by_name
        self.satellite = Satellite(
            self.network.connect,
            KEY,
            lambda: [f"/dev/{name}" for name, pico in plugged.items() if pico.plugged],
            lambda path: picos._open(str(plugged[path.removeprefix("/dev/")].port)),
            watches=False,
        )
        self._far = [loop.create_task(self.satellite.run())]

    def _end_satellite(self) -> None:
        for task in self._far:
            task.cancel()

    def cut_far_board(self) -> None:
        """The satellite's Picos lose their power; with a header the satellite does."""
        if self.picos is None:
            self._end_satellite()
            self.network.cut()
        else:
            for pico in self.picos.picos_by_name.values():
                pico.unplug(monotonic())

    def power_far_board(self) -> None:
        """They have it again."""
        if self.picos is None:
            self._begin_satellite()
        else:
            for pico in self.picos.picos_by_name.values():
                pico.plug(monotonic())

    async def power_host(self) -> None:
        """The daemon starts, and waits for the satellite."""
        self.network.host = self.host = SatelliteHost({"north"}, self.key_file)
        self.remote.begin()
        while self.remote.hub.missing():
            self.remote.hub.poll_cables(monotonic())
            self.remote.hub.flush(monotonic())
            await asyncio.sleep(LOOK_S)
        self.remote.hub.sensor_events.clear()  # as whoever waits for a board does
        self.remote.hub.button_events.clear()
        self.daemon = self._made()
        await self.daemon.start()
        dispatch = self.daemon._runner._tell

        def tell(messages: Any) -> None:
            for message in messages:
                if message.seat is None and message.kind == "fault":
                    self.heard.append((monotonic(), message.data["code"]))
            dispatch(messages)

        self.daemon._runner._tell = tell
        self.is_up = True

    def cut_host(self) -> None:
        """The host loses its power: its connections go, and nothing that was not written stays."""
        self.is_up = False
        self.network.host = None
        self.network.cut()
        self.daemon.stop()
        self.host.close()

    async def _turn(self) -> None:
        while True:
            for name, world in self.worlds.items():
                edge = world.next_edge()
                world.advance(monotonic())
                if edge is not None and edge <= monotonic():
                    self.openers[name].changed()
            if self.picos is not None:
                self.satellite.read_ports()
            if self.is_up:
                self.daemon.wake_table()
            await asyncio.sleep(self.pause_s(HEADER_LOOK_S if self.picos is None else LOOK_S))

    async def set_up(self) -> None:
        """Both armies stand on their own board, and their tokens on the other one."""
        for name, seat in (("", "red"), ("north", "blue")):
            for piece in self.setup[Seat(seat)].split()[1:]:
                await self.let(self.hands[name].stand(Seat(seat), piece.partition("=")[0], monotonic()))
            await asyncio.sleep(2)
            self.daemon.submit_command(Seat(seat), self.setup[Seat(seat)])
        await asyncio.sleep(2)
        for name in self.hands:
            await self.tidy(name)

    async def tidy(self, name: str) -> None:
        """Do what is asked at a board, until nothing is."""
        await asyncio.sleep(1.5)
        while self.seen(name)["chores"]:
            await super().tidy(name)
            await asyncio.sleep(1.5)

    async def move(self, name: str, origin: str, target: str) -> None:
        """A hand at that board carries a piece."""
        await self.let(self.hands[name].lift(origin, monotonic()))
        await self.let(self.hands[name].place(target, monotonic()))

    @property
    def state(self) -> Any:
        return self.daemon.table.full_state

    def free_steps(self) -> list[tuple[str, str]]:
        """Where the seat whose turn it is may go without an attack."""
        state = self.state
        (seat,) = state.seats_to_act()
        moves = [str(action).partition("-") for action in state.legal_actions(seat)]
        return [(origin, target) for origin, _, target in moves if target and target not in state.layout()]

    def free_step(self) -> tuple[str, str]:
        """The first of them that is public: of two armies that look alike both may do it."""
        steps = [(str(step.origin), str(step.target)) for step in self.state.steps()]
        return next(step for step in self.free_steps() if step in steps)


def _header_config(world: World) -> Config:
    """The configuration of a satellite with that board on its header."""
    over = {"world": world}
    names = DriversSection("gpio-sim", "neopixel-spi-sim", "console-sim")
    return Config(board=BoardSection(BOARD), drivers=names, sensors=over, lamps=over, console=over)


def at_remote_tables(
    scene: Callable[[RemoteTables], Awaitable[None]],
    folder: Path,
    setup: Mapping[Seat, str],
    faults: Faults = Faults(),  # noqa: B008 - a value
    seed: int = 1,
    *,
    on_header: bool = False,
) -> None:
    """Play a scene in virtual time."""

    async def happens() -> None:
        async with RemoteTables(folder, faults, seed, setup, on_header=on_header).running() as tables:
            await scene(tables)

    virtual_loop.run(happens(), seed)
