"""The page on installing, followed line by line in booted releases of Debian, and a game in the middle."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon.service import Service
from daemon.test_kill import Players
from userland import container, guide, home, packages
from userland.container import Container
from userland.test_releases import RELEASES

ELSEWHERE = ("make deb", "sudo make install")
"""What the page has typed on another machine, or instead of the package."""
SETTINGS = "/etc/boardumpire/conf.d/mine.toml"
PLAYED = 12

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(bool(container.lacking()), reason=container.lacking() or "all is here"),
]


class ContainedService(Service):
    """The service of a container, over a simulated board out here: no USB port leads into it."""

    def __init__(self, directory: Path, debian: Container) -> None:
        super().__init__(directory)
        self.debian = debian

    @property
    def socket(self) -> Path:
        return self.debian.outside("/run/boardumpire/control.sock")

    def connect_board(self) -> str:
        """Lay the board where the service may write; the settings that name it, instead of a Pico."""
        os.link(self.directory / "world", self.debian.root / "etc/boardumpire/world")
        self.debian.tell("chown boardumpire: /etc/boardumpire/world")
        text = self.config.read_text().replace(str(self.directory / "world"), "/etc/boardumpire/world")
        return f'{text}[board]\nname = "{self.board.id}"\n'

    def start(self, command: Any = (), **environ: str) -> None:
        """Listen to the service that runs."""
        self._hang_up()
        self.asks, self.hears = self.connect(), self.connect()
        self.hears.send({"do": "messages"})
        self.until(lambda: bool(self._answers))
        self._answers.clear()


@pytest.fixture(params=RELEASES)
def debian(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Container]:
    try:
        container.make_root(request.param, tmp_path / "root", "sudo,curl")
    except subprocess.CalledProcessError:
        pytest.skip("no archive of Debian's packages can be reached from here")
    debian = Container(tmp_path / "root", tmp_path)
    yield debian
    debian.close()


def test_each_command_works_and_a_game_is_played(
    debian: Container, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    try:
        package = home.package(pythons=tuple(RELEASES.values()))
    except packages.NoWheels:
        pytest.skip("no package index with these wheels can be reached from here")
    debian.tell(f"mkdir -p /media/stick; cp {debian.put(package)} /root")
    service = ContainedService(tmp_path, debian)
    players = Players(service, seed=1)
    try:
        for step in guide.steps():
            if step.settings:
                settings = service.connect_board()
                debian.tell(f"cat >{SETTINGS} <<'END'\n{settings}\nEND")
            elif step.command not in ELSEWHERE and not step.command.startswith(ELSEWHERE):
                debian.tell(typed(debian, step.command, package))
            if step.command == "sudo boardumpire links":
                players.stand_armies()
                service.start()
                players.mend()
                for _ in range(PLAYED):
                    players.play()
                    players.mend()
        service.start()
        players.compare()
        # No clock here ran while the machine was off, and no network has told the date.
        debian.tell("mkdir /run/systemd/timesync")
        games = "curl --silent http://localhost:8080/games.json"
        assert debian.tell(games).endswith('"dated":false}')
        debian.tell("touch /run/systemd/timesync/synchronized")
        assert debian.tell(games).endswith('"dated":true}')
        record_property("actions", len(players.told))
        assert len(players.told) == PLAYED
    finally:
        service.close()


def typed(debian: Container, command: str, package: Path) -> str:
    """A command of the page, with the names that its files have here."""
    command = re.sub(r"\./boardumpire_\S+\.deb", f"./{package.name}", command)
    if "restore" in command:
        command = re.sub(r"/media/stick/\S+\.tar", debian.tell("ls /media/stick/*.tar"), command)
    return command
