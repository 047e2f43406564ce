"""`boardumpire satellite`: gives the Picos of this machine to a host; `boardumpire pair`: the host's code."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from boardumpire.errors import BoardumpireError
from boardumpire.satellite import handshake
from boardumpire.satellite.client import Satellite
from boardumpire.satellite.keys import SatelliteKey, load_satellite_key, save_satellite_key
from boardumpire.satellite.line import LineError
from boardumpire.satellite.pairing import CODE_DIGITS
from boardumpire.satellite.websocket import HostAddress, connect
from boardware.errors import install_hint
from boardware.pico_port import open_serial, usb_paths

log = logging.getLogger("boardumpire.satellite")


def serve(address: str, key_file: Path, ports: Sequence[str], ask: Callable[[str], str]) -> None:
    """Carry the bytes of `ports`, or of all Picos in USB, until a signal comes.

    Without a key file it pairs first; `ask` asks a person for the code. Raises `BoardumpireError`.
    """
    try:
        import wsproto  # noqa: F401
    except ImportError as error:
        raise BoardumpireError(f"satellite: {error}: {install_hint('web')}") from None
    where = HostAddress.parse(address)
    for path in ports:
        if "\0" in path or not path:
            raise BoardumpireError(f"--port: found {path!r}; try the path of a serial port")
    if key_file.exists():
        key = load_satellite_key(key_file)
    else:
        if not key_file.parent.is_dir():
            raise BoardumpireError(f"--key: {key_file.parent} is no folder; try another path")
        key = asyncio.run(_pair(where, _ask_code(ask)))
        save_satellite_key(key_file, key)
        log.info("paired as %s; the key is in %s", key.name, key_file)
    asyncio.run(_serve_until_signal(where, key, lambda: list(ports) if ports else usb_paths(None)))


def _ask_code(ask: Callable[[str], str]) -> str:
    try:
        text = ask(f"The code that `boardumpire pair NAME` shows at the host, {CODE_DIGITS} digits: ")
    except EOFError:
        text = ""
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


async def _serve_until_signal(where: HostAddress, key: SatelliteKey, find: Callable[[], list[str]]) -> None:
    loop = asyncio.get_running_loop()
    this = asyncio.current_task()
    assert this is not None
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, this.cancel)
    try:
        await Satellite(lambda: connect(where), key, find, open_serial).run()
    except asyncio.CancelledError:
        log.info("stopped")
