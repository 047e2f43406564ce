"""A host and a satellite in two networks of one machine, each with a person's browser beside it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from daemon.service import DEADLINE_S, Killed
from daemon.test_kill import ACTION_US, UNTOUCHED, Players
from satellite.test_service import KILLS, PairedService
from web.served import CHROMIUM, FLAGS, PATIENCE_MS

HOME, AWAY = (f"boardumpire-{os.getpid()}-{name}" for name in ("home", "away"))
"""Two runs on one machine have networks of their own."""
ADDRESS = "10.77.0.1"
"""Of the host, as the other network reaches it."""
PAGE_PORT, WAY, PAGE_WAY = 8443, 9443, 9444
"""Of the page, and by which ports of its own the other network reaches host and page, late."""
ROOT = Path(__file__).parents[1]

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(os.geteuid() != 0 or shutil.which("ip") is None, reason="only root makes networks"),
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is not there"),
]


def inside(network: str) -> list[str]:
    return ["ip", "netns", "exec", network]


@pytest.fixture
def networks() -> Iterator[None]:
    """Two networks with a cable between them."""
    commands = [
        *(f"ip netns add {each}" for each in (HOME, AWAY)),
        f"ip link add name boardumpire0 netns {HOME} type veth peer name boardumpire1 netns {AWAY}",
        f"ip -n {HOME} addr add {ADDRESS}/24 dev boardumpire0",
        f"ip -n {AWAY} addr add 10.77.0.2/24 dev boardumpire1",
        *(f"ip -n {network} link set lo up" for network in (HOME, AWAY)),
        f"ip -n {HOME} link set boardumpire0 up",
        f"ip -n {AWAY} link set boardumpire1 up",
    ]
    try:
        for command in commands:
            if subprocess.run(command.split(), capture_output=True).returncode:
                pytest.skip(f"no networks can be made here: {command}")
        yield
    finally:
        for each in (HOME, AWAY):
            subprocess.run(["ip", "netns", "del", each], capture_output=True)


class TwoNetworks(PairedService):
    """Host and satellite each in a network of its own."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        text = self.config.read_text().replace(f"127.0.0.1:{self.port}", f"0.0.0.0:{self.port}")
        self.config.write_text(text.replace("[page]\n", f'[page]\nlisten = "0.0.0.0:{PAGE_PORT}"\n'))
        self.inside, self.far_inside = inside(HOME), inside(AWAY)
        self.way = WAY
        self.lines = [
            subprocess.Popen(
                [*inside(AWAY), sys.executable, "-m", "satellite.slow_line", ADDRESS, str(port), str(here)],
                cwd=ROOT,
            )
            for port, here in ((self.port, WAY), (PAGE_PORT, PAGE_WAY))
        ]

    def close(self) -> None:
        super().close()
        for line in self.lines:
            line.kill()
            line.wait(DEADLINE_S)


@pytest.fixture
def service(tmp_path: Path, networks: None) -> Iterator[TwoNetworks]:
    service = TwoNetworks(tmp_path)
    yield service
    service.close()


def opened(browser: Browser, link: str, port: int) -> Page:
    """The screen of a seat, by the way that leads to the page in that network."""
    page = browser.new_context(ignore_https_errors=True).new_page()
    page.set_default_timeout(PATIENCE_MS)
    # Nothing here may wait for long: the satellite's Pico is turned by the test.
    page.goto(f"https://localhost:{port}{urlsplit(link).path}")
    page.click("button.main")
    return page


@pytest.fixture
def browsers(tmp_path: Path) -> Iterator[dict[str, Browser]]:
    """One in each network."""
    found = {}
    with sync_playwright() as playwright:
        for network in (HOME, AWAY):
            program = tmp_path / f"chromium-{network}"
            program.write_text(f'#!/bin/sh\nexec {" ".join(inside(network))} {CHROMIUM} "$@"\n')
            program.chmod(0o755)
            found[network] = playwright.chromium.launch(executable_path=str(program), args=FLAGS)
        yield found
        for browser in found.values():
            browser.close()


def test_a_game_by_two_screens_survives_ten_kills_of_either(
    service: TwoNetworks, browsers: dict[str, Browser]
) -> None:
    players = Players(service, seed=5)
    players.stand_armies()
    service.start()
    players.mend()
    links = service.ask("links", renew=None)["links"]
    pages = {
        "red": opened(browsers[HOME], links["red"], PAGE_PORT),
        "blue": opened(browsers[AWAY], links["blue"], PAGE_WAY),
    }
    for _ in range(KILLS):
        for _ in range(UNTOUCHED):
            players.play()
            players.mend()
        service.kill_at = service.now + players.random.randrange(ACTION_US)
        with contextlib.suppress(Killed):
            while True:
                players.play()
                players.mend()
        players.listen()
        service.start()
        players.compare()
        players.mend()
        turn = players.state.seats_to_act()[0]
        # What a screen without a line shows is of before the kill, and it sends nothing.
        for selector in ("#line.live", "text=Your turn"):
            found = pages[turn].locator(selector).first
            service.until(found.is_visible)
    assert service.killed == KILLS
    assert len(players.told) >= KILLS * UNTOUCHED
    pages[turn].get_by_role("button", name="Resign").click()
    pages[turn].get_by_role("dialog").get_by_role("button", name="Resign").click()
    service.until(lambda: bool(service.status().get("over")))
    for page in pages.values():
        service.until(lambda page=page: page.get_by_text("resigned").first.is_visible())
