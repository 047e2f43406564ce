"""`boardumpire hall`: a page with all boards of a club, from the broker that they tell."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import socket
from pathlib import Path

from boardumpire.errors import ConfigError
from boardumpire.service.config import MqttSection, PageSection, parse_listen_address
from boardumpire.web.hall.page import HallPage


def run(given: argparse.Namespace) -> None:
    """Serve until interrupted. Raises `ConfigError`."""
    broker, page = sections_from_args(given)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    asyncio.run(_serve(broker, page, given.name or f"boardumpire-hall-{socket.gethostname()[:40]}"))


def sections_from_args(given: argparse.Namespace) -> tuple[MqttSection, PageSection]:
    """What was typed, as a configuration would hold it. Raises `ConfigError`."""
    broker = MqttSection(
        given.broker, user=given.user, password=_read_password(given.password_file), secure=given.tls
    )
    if not broker.address[0]:
        raise ConfigError(f"BROKER {given.broker!r}: not HOST or HOST:PORT; try broker.local")
    if parse_listen_address(given.listen) is None:
        raise ConfigError(f"--listen {given.listen!r}: not ADDRESS:PORT; try 0.0.0.0:8090")
    return broker, PageSection(given.listen, given.names)


def _read_password(path: Path | None) -> str:
    """From a file, as what is typed is seen by everybody on the machine. Raises `ConfigError`."""
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise ConfigError(f"--password-file {path}: can't be read: {reason}; try another file") from None


async def _serve(broker: MqttSection, section: PageSection, name: str) -> None:
    page = HallPage(section, broker, name)
    await page.start()
    print(f"The hall: {page.origin}/", flush=True)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    try:
        await ended.wait()
    finally:
        await page.stop()
