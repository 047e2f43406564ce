"""`boardumpire rehearse`: the service as it ships, from its first start on, over a simulated board.

The board is in this process, and on a page of its own; the service is a process that opens the board's serial
ports as it opens those of real Picos. Its configuration, games and keys are in one folder.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from boardrules import registry
from boardumpire.commands.page import LISTEN_PORTS, virtual_board
from boardumpire.errors import BoardumpireError, ConfigError, UnreachableAddress
from boardumpire.service import config
from boardumpire.service.config import BoardSection, Config, GameSection, JournalSection
from boardumpire.service.process import handle_signals
from boardumpire.web.rehearsal_page import rehearsal_server
from boardumpire.web.server import listen
from boardware.description import load_board

PAGE_PORTS, SATELLITE_PORTS = range(8081, 8101), range(8474, 8494)
"""The first free ones of them become the addresses of a new folder's service."""
CONFIG_NAME = "boardumpire.toml"
_SERVICE_PROGRAM = "import sys; from boardumpire.cli import main; sys.exit(main())"


def run(given: argparse.Namespace) -> int:
    """Serve until interrupted, or until the service ends; the exit code. Raises `BoardumpireError`."""
    folder: Path = given.folder.absolute()
    board = load_board(given.board)
    if not board.picos:
        raise BoardumpireError(f"--board {given.board}: it has no Picos; try quick-battle-8x8-pico")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_first_config(folder, sorted(board.picos))
    except OSError as error:
        raise ConfigError(f"{folder}: {error.strerror}; try another folder") from None
    return asyncio.run(_Rehearsal(folder, given.board, given.seed).run())


def port_link(folder: Path, pico: str) -> Path:
    """Where the serial port of that Pico is found each time."""
    return folder / "ports" / pico


def write_first_config(folder: Path, picos: Sequence[str]) -> None:
    """Write what the owner of a new board has, where there is no configuration yet."""
    path = folder / CONFIG_NAME
    if path.exists():
        return
    ports = {pico: str(port_link(folder, pico)) for pico in picos}
    port = f"port = {json.dumps(*ports.values())}" if len(ports) == 1 else _ports_text(ports)
    path.write_text(
        f"""\
format = "{config.FORMAT}"
version = {config.VERSION}

[board]
name = ""

[sensors]
{port}

[journal]
path = {json.dumps(str(folder / "state" / "journal.sqlite"))}

[control]
socket = {json.dumps(str(folder / "run" / "control.sock"))}

[page]
listen = "127.0.0.1:{_free_port(PAGE_PORTS)}"
mdns = ""

[satellites]
listen = "127.0.0.1:{_free_port(SATELLITE_PORTS)}"

# This machine is somebody's own computer.
[machine]
power_off = ""
"""
    )


def _ports_text(ports: Mapping[str, str]) -> str:
    return "ports = { " + ", ".join(f"{name} = {json.dumps(path)}" for name, path in ports.items()) + " }"


def _free_port(ports: Sequence[int]) -> int:
    """The first of them at which nothing listens. Raises `UnreachableAddress`."""
    with _listening(ports) as found:
        return int(found.getsockname()[1])


def _listening(ports: Sequence[int]) -> socket.socket:
    for port in ports:
        with contextlib.suppress(UnreachableAddress):
            return listen("127.0.0.1", port)
    raise UnreachableAddress(f"ports {ports[0]} to {ports[-1]} of this machine are all taken; free one")


def _count_pieces(game: str) -> int:
    return sum(registry.package(game).box(registry.new(game)).piece_counts.values())


class _Rehearsal:
    """One board and its service."""

    def __init__(self, folder: Path, board: str, seed: int) -> None:
        self._folder, self._board, self._seed = folder, board, seed
        self._service: asyncio.subprocess.Process | None = None
        self._back_s: float | None = None
        """How long the power stays off that was cut."""
        self._is_stopping = False

    async def run(self) -> int:
        """Serve; the service's exit code. Raises `BoardumpireError`."""
        file = load_board(self._board)
        path = self._folder / CONFIG_NAME
        about = Config(
            board=BoardSection(self._board),
            game=GameSection(max(registry.usable_games(file.games), key=_count_pieces)),
            journal=JournalSection(self._folder / "journal.sqlite", self._folder / "unused.key"),
        )
        _, virtual = virtual_board(about, self._seed)
        with contextlib.closing(_listening(LISTEN_PORTS)) as listening, handle_signals(self._stop):
            server = rehearsal_server(
                file, virtual, f"http://{config.read_file(path).page.listen}", listening, self._cut_power
            )
            await server.start()
            virtual.start()
            try:
                with self._linked(virtual.lend_ports()):
                    print(f"The board, with its pieces: {server.origin}", flush=True)
                    print(f"Commands take --config {path}. Ctrl+C ends it.\n", flush=True)
                    return await self._run_service(path)
            finally:
                virtual.stop()
                server.stop()
                await server.wait_closed()

    async def _run_service(self, path: Path) -> int:
        environ = {
            **os.environ,
            "STATE_DIRECTORY": str(self._folder / "state"),
            "RUNTIME_DIRECTORY": str(self._folder / "run"),
        }
        while True:
            self._back_s = None
            self._service = service = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _SERVICE_PROGRAM, "run", "--config", str(path), env=environ
            )
            code = await service.wait()
            if self._is_stopping or self._back_s is None:
                return code
            await asyncio.sleep(self._back_s)

    def _stop(self) -> None:
        self._is_stopping = True
        self._signal(signal.SIGTERM)

    def _cut_power(self, back_s: float) -> None:
        self._back_s = back_s
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._service is not None:
            with contextlib.suppress(ProcessLookupError):
                self._service.send_signal(number)

    @contextlib.contextmanager
    def _linked(self, ports: Mapping[str, Path]) -> Iterator[None]:
        """The ports are where the configuration names them."""
        links = {port_link(self._folder, pico): port for pico, port in ports.items()}
        try:
            for link, port in links.items():
                link.parent.mkdir(exist_ok=True)
                link.unlink(missing_ok=True)
                link.symlink_to(port)
        except OSError as error:
            raise ConfigError(f"{self._folder}: {error.strerror}; try another folder") from None
        try:
            yield
        finally:
            for link in links:
                link.unlink(missing_ok=True)
