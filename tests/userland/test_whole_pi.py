"""A board at the header of an emulated Pi with a whole Debian: its owner sets it up by the page and plays."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from boardsim.pins.gpio import PinWires
from boardumpire.makers.setup.questions import PAGE_PORT
from userland import container, header, home, packages, raspberry, whole_pi
from userland.header import BOOT_S, HeaderService, HeaderWires
from userland.test_emulated_game import play_a_game, whole_game
from userland.test_releases import RELEASES
from userland.whole_pi import WholePi, run_in
from web.test_setup import asked

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(bool(container.lacking()), reason=container.lacking() or "all is here"),
    pytest.mark.skipif(bool(raspberry.lacking()), reason=raspberry.lacking() or "all is here"),
    pytest.mark.skipif(bool(whole_pi.lacking()), reason=whole_pi.lacking() or "all is here"),
]
OWN = "/etc/boardumpire"
BOARD = f"{OWN}/header.toml"
SETTINGS = "[sensors]\nplace_ms = 200\n"
"""The emulator is late at times."""
ANSWERS = {
    "game": "stratego-quick-duel",
    "board": BOARD,
    "page": "network",
    "doctor": "watch",
    "configuration": "write",
}
CONFIG = f"""\
[board]
name = "{BOARD}"
[page]
listen = "0.0.0.0:{PAGE_PORT}"
[drivers]
sensors = "gpio"
lamps = "neopixel-spi"
console = "console-gpio"
"""
PLAYED = 6
"""Actions after an upgrade."""
CUTS = range(4, 25, 2)
"""In these actions the board is killed: first its daemon, then ten times by its power."""


class WholeService(HeaderService):
    """The service of a whole Pi, which is on already."""

    def __init__(self, directory: Path, pi: WholePi) -> None:
        super().__init__(directory, directory)
        self._control = pi.control
        self.pi = pi
        self.kills = 0

    @property
    def log(self) -> str:
        return self.pi.run("journalctl --unit=boardumpire --no-pager --lines=40").stdout

    def switch_on(self) -> None:
        """The Pi gets power, and the wires of its header their levels."""
        self.pi.switch_on()
        self.process = self.pi.process
        self.wires = HeaderWires(self.pi.pins, self.board, PinWires(self.world.copper))

    def kill(self) -> None:
        """kill -9 of the daemon, which systemd starts again; later the power goes."""
        self.kills += 1
        if self.kills > 1:
            super().kill()
            return
        self.pi.tell("systemctl kill --signal=KILL boardumpire")
        self._hang_up()
        self.kill_at = None


def set_up(pi: WholePi) -> dict[str, Any]:
    """Answer what its page asks, as a browser does that was shown the code; how it ended."""
    origin, deadline = f"http://127.0.0.1:{pi.page}", time.monotonic() + BOOT_S
    code = re.search(r"\d{4} \d{4} \d{4}", pi.tell("boardumpire status"))
    assert code
    status, _, cookie = asked(origin, "/set-up/code", {"code": code[0]}, within_s=BOOT_S)
    assert status == 200
    state: dict[str, Any] = {"done": False}
    while not state["done"]:
        assert time.monotonic() < deadline, state
        status, text, _ = asked(
            origin, "/set-up/state.json", cookie=cookie.partition(";")[0], within_s=BOOT_S
        )
        state = json.loads(text)
        asks, doctor = state["question"], state["doctor"]
        if asks is None or (doctor is not None and doctor["running"]):
            continue
        answer = {"do": "answer", "id": asks["id"], "value": ANSWERS[asks["id"]]}
        status, text, _ = asked(origin, "/set-up/do", answer, cookie.partition(";")[0], within_s=BOOT_S)
        assert status == 200, text
        state = json.loads(text)
    return state


@pytest.fixture
def make_service(header_pi: Path, tmp_path: Path) -> Iterator[Callable[..., WholeService]]:
    """Makes a Pi and switches it on. Its card has a clean Debian and the package; `change` is called with
    its root.

    The file of the board lies beside the configuration, with what the emulator needs.
    """
    if not raspberry.has_spi():
        pytest.skip("QEMU has the SPI of a Pi from version 9.1 on")
    board = tmp_path / "header.toml"
    board.write_text(header.board_file())
    made: list[WholeService] = []

    def make(release: str, change: Callable[[Path], None] = lambda root: None) -> WholeService:
        def install(root: Path) -> None:
            run_in(root, f"dpkg --install /var/{package.name}")
            run_in(root, f"install -m 644 /var/{board.name} {BOARD}")
            run_in(root, f"printf '{SETTINGS}' >{OWN}/conf.d/slow.toml")
            change(root)

        try:
            package = home.package("arm64", tuple(RELEASES.values()))
            card = whole_pi.make_card(release, tmp_path, (package, board), install)
        except (packages.NoWheels, subprocess.CalledProcessError):
            pytest.skip("no archive of Debian's packages, or of wheels, can be reached from here")
        service = WholeService(tmp_path, WholePi(header_pi, card, tmp_path))
        made.append(service)
        service.switch_on()
        return service

    yield make
    for service in made:
        service.close()


def test_an_owner_sets_a_board_up_by_its_page_and_plays_a_duel(
    make_service: Callable[..., WholeService], record_property: Callable[[str, object], None]
) -> None:
    """Its daemon is killed once in an action, its power goes ten times: nothing told is lost."""
    service = make_service("trixie")
    pi = service.pi
    pi.wait_until_booted()
    state = set_up(pi)
    record_property("the doctor's report", state["doctor"])
    players = play_a_game(service, whole_game(), CUTS)
    assert players.state.outcome is not None
    assert service.kills == len(CUTS)
    assert state["table"] in pi.tell("boardumpire links")
    assert pi.tell("systemctl --failed --quiet") == ""
    _, games, _ = asked(f"http://127.0.0.1:{pi.page}", "/games.json", within_s=BOOT_S)
    assert not json.loads(games)["dated"], "no network has set the clock"
    record_property("actions", len(players.told))
    record_property("seconds from power to a complete board", service.boot_s)


def test_a_header_goes_on_after_bookworm_becomes_trixie(
    make_service: Callable[..., WholeService], record_property: Callable[[str, object], None]
) -> None:
    """Installed and configured in the old release, played in the new one. apt has nobody to ask; it upgrades
    the card before the Pi boots, as it would take hours there."""

    def upgrade(root: Path) -> None:
        run_in(root, f"printf '{CONFIG}' >{OWN}/conf.d/mine.toml")
        container.fetch_upgrade(root, "bookworm", "trixie")
        run_in(root, "apt-get --quiet --yes --no-download full-upgrade")

    service = make_service("bookworm", upgrade)
    pi = service.pi
    pi.wait_until_booted()
    assert pi.tell("grep VERSION_CODENAME /etc/os-release") == "VERSION_CODENAME=trixie"
    players = play_a_game(service, whole_game()[:PLAYED])
    assert pi.tell("systemctl --failed --quiet") == ""
    _, games, _ = asked(f"http://127.0.0.1:{pi.page}", "/games.json", within_s=BOOT_S)
    assert not json.loads(games)["dated"], "no network has set the clock"
    record_property("actions", len(players.told))
