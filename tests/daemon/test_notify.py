"""systemd hears when the daemon is ready, alive and stopping, over either kind of socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardumpire.service.notify import Notifier


@pytest.fixture(params=["path", "abstract"])
def ear(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A datagram socket as systemd has one, and its name as systemd would give it."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@boardumpire-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(name.replace("@", "\0", 1) if request.param == "abstract" else name)
        listening.setblocking(False)
        yield listening, name


def test_each_word_is_one_datagram(ear: tuple[socket.socket, str]) -> None:
    listening, name = ear
    notifier = Notifier({"NOTIFY_SOCKET": name})
    notifier.send_ready()
    notifier.send_heartbeat()
    notifier.send_stopping()
    assert [listening.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


def test_without_systemd_nothing_is_said() -> None:
    notifier = Notifier({})
    notifier.send_ready()
    assert notifier.watchdog_s is None
    Notifier({"NOTIFY_SOCKET": "/nowhere/notify"}).send_ready()


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "often"}, None),
    ],
)
def test_the_watchdog_is_ours_only_if_systemd_means_this_process(
    environ: dict[str, str], seconds: float | None
) -> None:
    assert Notifier(environ).watchdog_s == seconds
