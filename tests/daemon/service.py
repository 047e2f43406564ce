"""A real daemon in a process of its own, over a world that lives here and goes on when the daemon dies.

Nothing sleeps: `until` lets the world's time pass with the real clock and reads what the daemon says, until
something is true or a deadline is over.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardsim.hands.hands import HandPace, Hands
from boardsim.world.world import World
from boardware.description import load_board

DEADLINE_S = 60.0
"""A test that waits longer for one thing has failed; nothing usual takes a tenth of it."""
LOOK_US = 200_000
"""How often a condition is looked at while the daemon says nothing: some change without a word."""

QUICK = HandPace(reach_us=20_000, lift_mm=12.0, speed_mm_s=1000.0, square_us=20_000, press_us=40_000)

_DRIVERS = ("sensors", "lamps", "console")
_CONFIG = """
format = "boardumpire-config"
version = 1
[drivers]
sensors = "gpio-sim"
lamps = "neopixel-spi-sim"
console = "console-sim"
[tracker]
settle_ms = 50
"""


class Killed(Exception):  # noqa: N818 - what it is
    """The daemon was killed, as planned."""


class Line:
    """One connection to the control socket."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self._rest = b""

    def send(self, ask: object) -> None:
        self.send_raw(json.dumps(ask).encode() + b"\n")

    def send_raw(self, data: bytes) -> None:
        self.socket.sendall(data)

    def read(self) -> list[dict[str, Any]]:
        """What has come in; call it when the socket is readable."""
        *lines, self._rest = (self._rest + self.socket.recv(1 << 16)).split(b"\n")
        return [json.loads(line) for line in lines]


class Service:
    """The daemon, the world it plays over, and what it has told."""

    def __init__(
        self, directory: Path, seed: int = 0, board: str = "quick-battle-8x8", config: str = ""
    ) -> None:
        """`config`: sections of the configuration beside those of tracker and drivers."""
        self.directory = directory
        self.board = load_board(board)
        self.world = World.create_file(directory / "world", self.board, seed=seed)
        self.hands = Hands(self.world, pace=QUICK, seed=seed)
        self.messages: list[dict[str, Any]] = []
        self.kill_at: int | None = None
        self.look_us = LOOK_US
        self.patience_s = DEADLINE_S
        self.process: subprocess.Popen[bytes] | None = None
        self.inside: list[str] = []
        """The words before the daemon's command, such as those that lead into another network."""
        self.config = directory / "boardumpire.toml"
        settings = "".join(f'[{driver}]\nworld = "{directory / "world"}"\n' for driver in _DRIVERS)
        self.config.write_text(_CONFIG + settings + config)
        self._began = time.monotonic_ns()
        self._log = (directory / "log").open("ab")
        self._notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notified.bind(str(directory / "notify"))
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._notified, selectors.EVENT_READ)
        self._lines: list[Line] = []
        self._answers: list[dict[str, Any]] = []
        self.words: list[bytes] = []
        """What systemd would have heard."""

    @property
    def journal(self) -> Path:
        return self.directory / "state" / "journal.sqlite"

    @property
    def key(self) -> Path:
        return self.directory / "state" / "key" / "board.key"

    @property
    def socket(self) -> Path:
        return self.directory / "run" / "control.sock"

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text()

    @property
    def now(self) -> int:
        """Microseconds of the world's time, which is the real one."""
        return (time.monotonic_ns() - self._began) // 1000

    def start(self, command: Sequence[str | Path] = ("run",), **environ: str) -> None:
        """Start the daemon (by another command that serves a board too); returns once it is ready."""
        self.words.clear()
        self.process = subprocess.Popen(
            [*self.inside, Path(sys.executable).with_name("boardumpire"), *command, "--config", self.config],
            env={
                "STATE_DIRECTORY": str(self.directory / "state"),
                "RUNTIME_DIRECTORY": str(self.directory / "run"),
                "NOTIFY_SOCKET": str(self.directory / "notify"),
                **environ,
            },
            stderr=self._log,
        )
        ended = os.pidfd_open(self.process.pid)
        self._ready.register(ended, selectors.EVENT_READ)
        try:
            self.until(lambda: b"READY=1" in self.words or self._ended())
        finally:
            self._ready.unregister(ended)
            os.close(ended)
        assert b"READY=1" in self.words, self.log
        self.asks, self.hears = self.connect(), self.connect()
        self.hears.send({"do": "messages"})
        self.until(lambda: bool(self._answers))
        self._answers.clear()

    def connect(self) -> Line:
        line = Line(self.socket)
        self._lines.append(line)
        self._ready.register(line.socket, selectors.EVENT_READ, line)
        return line

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Ask the daemon; its answer."""
        return self.ask_raw(json.dumps({"do": do, **more}).encode())

    def status(self) -> dict[str, Any]:
        """What it says of itself."""
        return self.ask("status")

    def ask_raw(self, line: bytes) -> dict[str, Any]:
        self._answers.clear()
        self.asks.send_raw(line + b"\n")
        self.until(lambda: bool(self._answers))
        return self._answers.pop()

    def do(self, verb: Callable[..., int], *words: Any) -> None:
        """Have hands do something, from beginning to end."""
        end = verb(*words, now=max(self.now, self.world.now))
        self.until(lambda: self.now >= end, wake_at=end)

    def advance(self) -> None:
        """Let the world come to the present."""
        self.world.advance(self.now)

    def until(self, done: Callable[[], bool], wake_at: int | None = None) -> None:
        """Let time pass until `done()`. Raises `Killed` when the time to kill has come."""
        deadline = self.now + round(self.patience_s * 1e6)
        while True:
            self.advance()
            if done():
                return
            if self.kill_at is not None and self.now >= self.kill_at:
                self.kill()
                raise Killed
            assert self.now < deadline, f"waited in vain; told so far: {self.messages[-5:]}\n{self.log}"
            times = (self.world.next_edge(), self.kill_at, wake_at, deadline, self.now + self.look_us)
            self._hear(min(at for at in times if at is not None))

    def _hear(self, until: int) -> None:
        for key, _ in self._ready.select(max(0.0, (until - self.now) / 1e6)):
            if key.fileobj is self._notified:
                self.words.append(self._notified.recv(200))
            for heard in key.data.read() if key.data else ():
                if "kind" in heard:
                    self.messages.append(heard)
                else:
                    self._answers.append(heard)

    def _ended(self) -> bool:
        assert self.process is not None
        return self.process.poll() is not None

    def kill(self) -> None:
        """kill -9. The world does not notice."""
        self.end(signal.SIGKILL)
        self.kill_at = None

    def end(self, number: int) -> int:
        """End the daemon by a signal and wait for it; its exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        code = self.process.wait(DEADLINE_S)
        self._hang_up()
        return code

    def _hang_up(self) -> None:
        for line in self._lines:
            self._ready.unregister(line.socket)
            line.socket.close()
        self._lines.clear()

    def close(self) -> None:
        """Leave nothing behind."""
        if self.process is not None and self.process.poll() is None:
            self.end(signal.SIGKILL)
        self._hang_up()
        self._ready.close()
        self._notified.close()
        self._log.close()
        self.world.copper.close()
