"""`boardumpire satellite`, and the service whose table is elsewhere: a host gets this machine's board."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from boardumpire.commands.no_table import NoTable
from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.satellite import handshake, header
from boardumpire.satellite.client import Satellite
from boardumpire.satellite.header import Header
from boardumpire.satellite.keys import SatelliteKey, load_satellite_key, save_satellite_key
from boardumpire.satellite.line import LineError, MessageStream
from boardumpire.satellite.pairing import CODE_DIGITS
from boardumpire.satellite.websocket import HostAddress, connect
from boardumpire.service.config import BoardSection, Config
from boardumpire.service.control import ControlSocket
from boardumpire.service.notify import Notifier
from boardumpire.service.process import WatchdogHeartbeat
from boardware.errors import install_hint
from boardware.pico_port import open_serial, usb_paths

log = logging.getLogger("boardumpire.satellite")


def serve(
    address: str, key_file: Path, ports: Sequence[str], ask: Callable[[str], str], board: str = ""
) -> None:
    """Carry the bytes of `ports`, or of all Picos in USB, until a signal comes; with a `board` on the header.

    Without a key file it pairs first; `ask` asks a person for the code. Raises `BoardumpireError`.
    """
    _check_libraries()
    where = HostAddress.parse(address)
    for path in ports:
        if "\0" in path or not path:
            raise BoardumpireError(f"--port: found {path!r}; try the path of a serial port")
    found = Config(board=BoardSection(board))
    try:
        on_header = _find_header(found)
    except BoardumpireError as error:
        raise BoardumpireError(f"--board: {error}") from None
    if key_file.exists():
        key = load_satellite_key(key_file)
    else:
        if not key_file.parent.is_dir():
            raise BoardumpireError(f"--key: {key_file.parent} is no folder; try another path")
        key = asyncio.run(_pair(where, _ask_code(ask)))
        save_satellite_key(key_file, key)
        log.info("paired as %s; the key is in %s", key.name, key_file)
    satellite = make_satellite(lambda: connect(where), key, ports, on_header)
    asyncio.run(_until_signal(lambda: _carry(satellite, on_header)))


def _check_libraries() -> None:
    try:
        import wsproto  # noqa: F401
    except ImportError as error:
        raise BoardumpireError(f"satellite: {error}: {install_hint('web')}") from None


def pair_machine(address: str, code: str, key_file: Path) -> None:
    """Pair this machine with a host by its code, and keep the key. Takes seconds, and a loop of its own.

    Raises `BoardumpireError`.
    """
    _check_libraries()
    key = asyncio.run(_pair(HostAddress.parse(address), _read_code(code)))
    try:
        key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        save_satellite_key(key_file, key)
    except OSError as error:
        raise BoardumpireError(f"{key_file}: can't be written: {error.strerror}") from None


class SatelliteService(NoTable):
    """This machine in service, with its table elsewhere. Needs a running loop."""

    def __init__(self, found: Config, notifier: Notifier) -> None:
        """Raises `ConfigError`, `KeyFileError`."""
        super().__init__(f"the table of this board is at {found.satellite.host}")
        try:
            where = HostAddress.parse(found.satellite.host)
        except BoardumpireError as error:
            raise ConfigError(f"{found.origin.locate('satellite', 'host')}: {error}") from None
        _check_libraries()
        self._host = found.satellite.host
        self._header = _find_header(found)
        key = load_satellite_key(found.satellite.key)
        self._satellite = make_satellite(lambda: connect(where), key, find_ports(found), self._header)
        self._control = ControlSocket(found.control.socket, self)
        self._life = WatchdogHeartbeat(notifier, lambda: True)

    async def run(self) -> None:
        """Serve until cancelled. Raises `ConfigError`."""
        await self._control.start()
        try:
            self._life.report_in_service(f"a further board of the table at {self._host}")
            await _carry(self._satellite, self._header)
        finally:
            self._life.stop()
            self._control.stop()

    def full_status(self) -> dict[str, Any]:
        """Where the table is, and what keeps this machine from it."""
        why = self._satellite.away_reason
        waits = [f"the table at {self._host}: {why}"] if why else []
        if self._header is not None and self._header.failure:
            waits.append(self._header.failure)
        return {"host": self._host, "waits_for": waits}


def find_ports(found: Config) -> list[str]:
    """The ports of Picos that the configuration names; none: all in USB."""
    named = found.sensors.get("ports", {})
    return [str(each) for each in (found.sensors.get("port"), *named.values()) if each]


async def run_as_satellite(found: Config, notifier: Notifier) -> None:
    """Serve as a satellite until a signal comes. Raises `ConfigError`, `KeyFileError`."""
    await _until_signal(SatelliteService(found, notifier).run)


def _ask_code(ask: Callable[[str], str]) -> str:
    try:
        text = ask(f"The code that `boardumpire pair NAME` shows at the host, {CODE_DIGITS} digits: ")
    except EOFError:
        text = ""
    return _read_code(text)


def _read_code(text: str) -> str:
    code = text.replace(" ", "")
    if not (code.isascii() and code.isdecimal() and len(code) == CODE_DIGITS):
        raise BoardumpireError(f"that is no code; try the {CODE_DIGITS} digits that the host shows")
    return code


async def _pair(where: HostAddress, code: str) -> SatelliteKey:
    try:
        stream = await connect(where)
        try:
            return await handshake.pair(stream, code)
        finally:
            stream.close()
    except LineError as error:
        raise BoardumpireError(f"pairing: {error}") from None


def _find_header(found: Config) -> Header | None:
    """The header, where the board of a configuration hangs on it. Raises `ConfigError`, `DriverError`."""
    if not found.board.name or header.check_board(found).picos:
        return None
    return Header(found)


def make_satellite(
    connect: Callable[[], Awaitable[MessageStream]],
    key: SatelliteKey,
    ports: Sequence[str],
    on_header: Header | None,
) -> Satellite:
    """A satellite with these ports, or all Picos in USB, and with the header."""

    def find() -> Sequence[str]:
        first = [header.PATH] if on_header is not None and not on_header.failure else []
        return [*first, *(ports or usb_paths(None))]

    def open_port(path: str) -> Any:
        return on_header.open() if on_header is not None and path == header.PATH else open_serial(path)

    return Satellite(connect, key, find, open_port)


async def _carry(satellite: Satellite, on_header: Header | None) -> None:
    """Serve until cancelled. Raises `ConfigError`."""
    await asyncio.gather(satellite.run(), *([on_header.run()] if on_header is not None else []))


async def _until_signal(run: Callable[[], Coroutine[Any, Any, None]]) -> None:
    loop = asyncio.get_running_loop()
    this = asyncio.current_task()
    assert this is not None
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, this.cancel)
    try:
        await run()
    except asyncio.CancelledError:
        log.info("stopped")
