"""A host and a satellite as processes of their own, over real sockets and TLS."""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from boardrules.core import Seat
from boardsim.pico.outside import OutsidePicos
from daemon.service import DEADLINE_S, Service
from daemon.test_kill import Players, play_on
from satellite.slow_line import SlowLine
from table.twins import begun, setups

SETUP, _ = setups(3)
CONFIG = """
format = "boardumpire-config"
version = 1
[board]
name = "quick-battle-8x8-pico"
[drivers]
sensors = "pico"
lamps = "pico-lamps"
console = "pico-console"
[sensors]
satellite = "home"
[tracker]
settle_ms = 50
[satellites]
listen = "127.0.0.1:{port}"
[page]
certificate = "{certificate}"
key = "{key}"
"""
OPENSSL = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
)


class SatelliteService(Service):
    """A daemon without a board of its own, and a satellite with the only one."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, board="quick-battle-8x8-pico")
        self.picos = OutsidePicos(self.world)
        self.look_us = 3_000
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.certificate, key = directory / "page.pem", directory / "page.key"
        names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", self.certificate]
        subprocess.run([*OPENSSL.split(), *names], check=True, capture_output=True)
        self.config.write_text(CONFIG.format(port=self.port, certificate=self.certificate, key=key))
        self.key_file = directory / "satellite.json"
        self.satellite: subprocess.Popen[bytes] | None = None
        self.far_inside: list[str] = []
        """As `inside`, for the satellite."""
        self.way = self.port
        """The port by which the satellite reaches the host."""

    def advance(self) -> None:
        self.picos.carry_from_host()
        super().advance()

    def start_satellite(self, code: str = "") -> None:
        (port,) = (each.port for each in self.picos.picos_by_name.values())
        words = ["--to", f"wss://localhost:{self.way}", "--key", str(self.key_file), "--port", str(port)]
        self.satellite = subprocess.Popen(
            [*self.far_inside, Path(sys.executable).with_name("boardumpire"), "satellite", *words],
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            env={"SSL_CERT_FILE": str(self.certificate)},
        )
        assert self.satellite.stdin is not None
        self.satellite.stdin.write(code.encode() + b"\n")
        self.satellite.stdin.close()

    def kill_satellite(self) -> None:
        if self.satellite is not None:
            self.satellite.kill()
            self.satellite.wait(DEADLINE_S)
            self.satellite = None

    def close(self) -> None:
        self.kill_satellite()
        super().close()
        self.picos.close()

    @property
    def is_complete(self) -> bool:
        return "over" in self.status()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[SatelliteService]:
    made = SatelliteService(tmp_path)
    yield made
    made.close()


@pytest.mark.slow
def test_two_machines_play_by_tls(service: SatelliteService) -> None:
    service.start()
    assert service.status()["satellites"] == {"home": "unpaired"}
    code = service.ask("pair", satellite="home")["code"]
    service.start_satellite(f"{code[:4]} {code[4:]}")
    service.until(lambda: service.is_complete)
    assert service.status()["satellites"] == {"home": "connected"}
    for seat in ("red", "blue"):
        for piece in SETUP[Seat(seat)].split()[1:]:
            service.do(service.hands.stand, Seat(seat), piece.partition("=")[0])
        service.ask("say", seat=seat, text=SETUP[Seat(seat)])
    service.until(lambda: not service.status()["chores"])
    said, state = len(service.messages), begun(SETUP)
    step = next(step for step in state.steps() if step.target not in state.layout())
    service.do(service.hands.lift, step.origin)
    service.do(service.hands.place, step.target)
    service.until(lambda: any(each["kind"] == "ruling" for each in service.messages[said:]))
    for number in range(4):
        if number % 2:
            service.kill_satellite()
            service.until(lambda: service.status()["satellites"] == {"home": "paired"})
            service.start_satellite()
        else:
            service.kill()
            service.start()
        service.until(lambda: service.is_complete and not service.status()["waits_for"])
    context = ssl.create_default_context()
    with socket.create_connection(("127.0.0.1", service.port)) as line, pytest.raises(ssl.SSLError):
        context.wrap_socket(line, server_hostname="localhost")
    assert "the configuration has: home" in service.ask("pair", satellite="away")["error"]


KILLS = 10


class PairedService(SatelliteService):
    """Each start of the host but the first kills the satellite, too."""

    killed = 0

    def start(self, command: Sequence[str | Path] = ("run",), **environ: str) -> None:
        super().start(command, **environ)
        if self.satellite is None:
            code = self.ask("pair", satellite="home")["code"]
            self.start_satellite(f"{code[:4]} {code[4:]}")
        else:
            self.kill_satellite()
            self.killed += 1
            self.start_satellite()
        self.until(lambda: self.is_complete and not self.status()["waits_for"])


class FarService(PairedService):
    """The satellite is across the world."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.line = SlowLine(self.port)
        self.way = self.line.port

    def close(self) -> None:
        super().close()
        self.line.close()


@pytest.mark.nightly
def test_a_game_across_the_world_survives_ten_kills_of_either(tmp_path: Path) -> None:
    service = FarService(tmp_path)
    try:
        players = Players(service, seed=5)
        play_on(players, KILLS)
        service.start()
        players.compare()
        players.mend()
        assert service.killed == KILLS
        seat = players.state.seats_to_act()[0]
        for word in ("resign", "yes resign"):
            assert service.ask("say", seat=seat, text=word)["ok"]
        service.until(lambda: bool(service.status().get("over")))
    finally:
        service.close()
