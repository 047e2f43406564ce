"""Several boards of one table in virtual time: the first is the host's, the others hang on satellites.

Each has a world, hands and Picos of its own. The host is the daemon as it ships, with a disk that takes a
while; between them is a network with faults.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import boardrules
from boardrules.core import Seat
from boardsim.page.board import VirtualBoard
from boardumpire.commands.daemon import Daemon, OpenTableFn
from boardumpire.commands.platform import Platform
from boardumpire.journal.journal import Store
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.satellite import keys
from boardumpire.satellite.client import Satellite
from boardumpire.satellite.host import SatelliteHost
from boardumpire.satellite.keys import SatelliteKey
from boardumpire.service import config
from boardumpire.service.clock import monotonic
from boardumpire.service.notify import Notifier
from boardumpire.table.opening import open_table
from boardware.description import board_names, load_board
from daemon.test_several_boards import _NoControl
from evenings import disk
from evenings.drivers import Opener
from evenings.service import BOARDS, DelayedJournalWriter
from satellite.network import Faults, Network
from satellite.tables import RemoteBoard

FURTHER = "north", "east"
LOOK_S = 0.05
"""Between two looks whether a satellite's board is there, when the host starts."""
WrapPort = Callable[[Any], Any]


class Home(NamedTuple):
    """One board, and who sits there."""

    name: str
    seats: Sequence[str]
    board: VirtualBoard


class Away(NamedTuple):
    """What makes a board one on a satellite."""

    network: Network
    satellite: Satellite
    drivers: RemoteBoard


class Homes:
    """The boards, the satellites and the host."""

    def __init__(
        self,
        folder: Path,
        game: str,
        options: Mapping[str, Any],
        seats: Mapping[str, Sequence[str]],
        faults: Faults,
        seed: int,
        wrap_port: WrapPort = lambda port: port,
    ) -> None:
        """`seats`: by the name of each further board who sits there. `wrap_port`: what a satellite reads of
        its ports instead."""
        state = boardrules.new(game, options)
        box = boardrules.package(game).box(state)
        elsewhere = {seat for there in seats.values() for seat in there}
        names = {"": [seat for seat in state.seats if seat not in elsewhere], **seats}
        first, further = BOARDS[game], BOARDS[game]
        if f"{further}-pico" in board_names():
            further = f"{further}-pico"
        self.homes = {
            name: Home(
                name,
                there,
                VirtualBoard(
                    load_board(further if name else first),
                    state.seats,
                    seed=seed * 10 + number,
                    crew=box.piece_counts,
                    named=box.named_pieces,
                    powered=bool(name),
                ),
            )
            for number, (name, there) in enumerate(names.items())
        }
        self.seed = seed
        self._chance = random.Random(f"homes {seed}")
        self._wrap_port = wrap_port
        key_of = {name: SatelliteKey(name, f"the key of {name:>21}".encode()) for name in seats}
        self._key_file = folder / "satellites.json"
        keys.save_host_keys(self._key_file, {name: each.key for name, each in key_of.items()})
        self.away = {name: self._away(name, key_of[name], faults) for name in seats}
        self._opener = Opener(self.homes[""].board.world)
        self.homes[""].board.on_schedule_changed = self._changed
        environ = {"STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder)}
        text = _config_text(game, options, first, {name: (further, there) for name, there in seats.items()})
        self.config = config.load_text(text, folder / "boardumpire.toml", environ)
        self.is_up = False
        self.writer: DelayedJournalWriter | None = None
        self.listeners: list[Callable[[Sequence[SeatMessage]], None]] = []
        self.open_table: OpenTableFn = open_table
        """What the daemon opens its tables by."""
        self.last: deque[str] = deque(maxlen=60)
        """The messages that were told last."""
        self.daemon: Daemon
        self.host: SatelliteHost

    def _away(self, name: str, key: SatelliteKey, faults: Faults) -> Away:
        network = Network(None, faults, self.seed * 10 + len(name))
        picos = self.homes[name].board._picos
        assert picos is not None
        known = picos.picos_by_name

        def plugged() -> list[str]:
            return [f"/dev/{pico}" for pico in known if known[pico].plugged]

        def open_(path: str) -> Any:
            return self._wrap_port(picos._open(str(known[path.removeprefix("/dev/")].port)))

        satellite = Satellite(network.connect, key, plugged, open_)
        return Away(network, satellite, RemoteBoard(name, self.homes[name].board.world.board))

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Homes]:
        """All of it runs."""
        loop = asyncio.get_running_loop()
        tasks = [loop.create_task(each.satellite.run()) for each in self.away.values()]
        for home in self.homes.values():
            home.board.start()
        try:
            await self.power_host()
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self.is_up:
                self.cut_host()
            for home in self.homes.values():
                home.board.stop()

    async def power_host(self) -> None:
        """The host starts, and waits for its satellites' boards."""
        self.host = SatelliteHost(set(self.away), self._key_file)
        for each in self.away.values():
            each.network.host = self.host
            each.drivers.begin()
        waiting = [each.drivers.hub for each in self.away.values()]
        while any(hub.missing() for hub in waiting):
            for hub in waiting:
                hub.poll_cables(monotonic())
                hub.flush(monotonic())
            await asyncio.sleep(LOOK_S)
        for hub in waiting:  # as whoever waits for a board does
            hub.sensor_events.clear()
            hub.button_events.clear()
        platform = Platform(
            open_ports=lambda board, found, *, tags: self._open(board, found),
            open_journal_writer=self._open_pen,
            open_control=_NoControl,
            handle_signals=lambda stop: contextlib.nullcontext(),
        )
        self.daemon = daemon = Daemon(
            self.config, Notifier({}), open_table_fn=self.open_table, platform=platform
        )
        tell = daemon._dispatch_messages

        def heard(messages: Sequence[SeatMessage]) -> None:
            for message in messages:
                text = f"{monotonic()} {message.seat} {message.kind} {message.data}"
                self.last.append(" ".join(text.split())[:300])
            for listener in self.listeners:
                listener(messages)
            self._tell_hands()
            tell(messages)

        daemon._dispatch_messages = heard  # type: ignore[method-assign]
        await daemon.start()
        self.is_up = True
        self._tell_hands()

    def _tell_hands(self) -> None:
        """Hands know which piece belongs where."""
        if self.daemon.has_table:
            for board in self.daemon.table.boards:
                spaces, takes, names, joins = board.views.pieces()
                self.homes[board.name].board.apply_ruling(spaces, takes, names, joins)

    def cut_host(self) -> None:
        """The host loses its power in the middle of whatever it does: what no disk has taken is lost."""
        writer = self.writer
        assert writer is not None
        self.is_up = False
        for each in self.away.values():
            each.network.host = None
            each.network.cut()

        def lost() -> None:
            writer.lose()
            self.daemon.stop()

        disk.cut(self.config.journal.path, writer.write_one, lost, self._chance)
        self.host.close()

    def _open_pen(
        self, store: Store, wake: Callable[[], None], took: Callable[[float], None]
    ) -> DelayedJournalWriter:
        self.writer = DelayedJournalWriter(store, wake, took, self._chance)
        return self.writer

    def _open(self, board: Any, found: Any) -> Any:
        name = found.origin.board
        return self.away[name].drivers.open(board, found) if name else self._opener.open(board, found)

    def _changed(self) -> None:
        self._opener.changed()
        if self.is_up and self.daemon.has_table:
            self.daemon.wake_table()

    def home_of(self, seat: str) -> Home:
        """Where a seat is at home."""
        return next(home for home in self.homes.values() if seat in home.seats)

    def table_board(self, name: str) -> Any:
        """That board, as the table has it."""
        return next(board for board in self.daemon.table.boards if board.name == name)

    def unplug(self, name: str) -> None:
        """The satellite's Picos lose their power; the satellite doesn't."""
        board = self.homes[name].board
        assert board._picos is not None
        board._advance_to_now()
        for pico in board._picos.picos_by_name.values():
            pico.unplug(board.world.now)

    def plug(self, name: str) -> None:
        """They have it again."""
        board = self.homes[name].board
        assert board._picos is not None
        board._advance_to_now()
        for pico in board._picos.picos_by_name.values():
            pico.plug(board.world.now)
        board._advance_and_rearm()

    def says(self, seat: str, text: str) -> bool:
        """Somebody says something; whether that was taken."""
        try:
            self.daemon.submit_command(Seat(seat), text)
        except ValueError:
            return False
        return True


def _config_text(
    game: str, options: Mapping[str, Any], first: str, further: Mapping[str, tuple[str, Sequence[str]]]
) -> str:
    lines = ['format = "boardumpire-config"', "version = 1", "[game]", f'id = "{game}"', "[game.options]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in options.items()]
    lines += ["[board]", f'name = "{first}"', *_drivers_text("", first, 0)]
    for number, (name, (board, seats)) in enumerate(further.items(), 1):
        listed = " ".join(seats)
        lines += [f"[boards.{name}]", f'name = "{board}"', f'seats = "{listed}"']
        lines += _drivers_text(f"boards.{name}.", board, number)
    return "\n".join(lines) + "\n"


def _drivers_text(section: str, board: str, number: int) -> Sequence[str]:
    """Those of a board on Picos; the ports are never opened."""
    if not load_board(board).picos:
        return ()
    lines = [f"[{section}drivers]", 'sensors = "pico"', 'lamps = "pico-lamps"', 'console = "pico-console"']
    ports = ", ".join(f'{pico} = "/dev/tty{number}{pico}"' for pico in load_board(board).picos)
    return [*lines, f"[{section}sensors]", f"ports = {{ {ports} }}"]
