"""Two machines with nothing configured become one table, as their owners do it: by their pages and a code."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from boardsim.pico.outside import OutsidePicos
from boardsim.world.world import World
from boardumpire.errors import BoardumpireError
from boardumpire.service import config, control
from boardware.description import load_board
from daemon.test_waits import free_port
from web.conftest import browser  # noqa: F401 - a fixture
from web.served import PHONE, Screen
from web.test_setup import Fresh, _answer, terminal

BOARD = "quick-battle-8x8-pico"
LOOK_S = 0.003
DEADLINE_S = 60.0


class Tables:
    """Boards whose time goes on by itself."""

    def __init__(self, count: int) -> None:
        self.worlds = [World(load_board(BOARD), seed=seed) for seed in range(count)]
        self.picos = [OutsidePicos(world) for world in self.worlds]
        self._ended = threading.Event()
        self._turning = threading.Thread(target=self._turn)
        self._turning.start()

    def port(self, number: int) -> str:
        (pico,) = self.picos[number].picos_by_name.values()
        return str(pico.port)

    def _turn(self) -> None:
        began = time.monotonic_ns()
        while not self._ended.wait(LOOK_S):
            for world, picos in zip(self.worlds, self.picos, strict=True):
                picos.carry_from_host()
                world.advance((time.monotonic_ns() - began) // 1000)

    def close(self) -> None:
        self._ended.set()
        self._turning.join()
        for each in self.picos:
            each.close()


def status(service: Fresh) -> dict[str, Any]:
    try:
        return control.send_request(service.socket, {"do": "status"})
    except BoardumpireError:
        return {}  # between two of its lives nobody listens


def until(fits: Callable[[], bool]) -> None:
    end = time.monotonic() + DEADLINE_S
    while not fits():
        assert time.monotonic() < end
        threading.Event().wait(0.1)


@pytest.fixture
def tables() -> Iterator[Tables]:
    made = Tables(2)
    yield made
    made.close()


@pytest.mark.slow
def test_two_new_boards_are_paired_by_their_pages(tmp_path: Path, tables: Tables, browser: Browser) -> None:  # noqa: F811
    port = free_port()
    address = f"localhost:{port}"
    folders = [tmp_path / name for name in ("home", "away")]
    for folder in folders:
        folder.mkdir()
    home = Fresh(folders[0], tables.port(0), satellites=f"127.0.0.1:{port}")
    away = Fresh(folders[1], tables.port(1))
    try:
        assert "The table is open." in terminal(home, "\n\n\n3\n\n").stdout
        until(lambda: "over" in status(home))
        links = control.send_request(home.socket, {"do": "links", "renew": None})["links"]

        screen = Screen(browser.new_context(**PHONE, service_workers="block"), links["table"], touch=True)
        table = screen.page
        screen.open("More")
        screen.press("The table's settings …")
        table.select_option("#wanted-what", "invite")
        screen.press("Do it")
        table.get_by_role("button", name="Show the code").wait_for()
        screen.press("Show the code")
        code = table.inner_text("#other-code")
        assert table.get_by_text(address, exact=True).count() == 1

        phone = browser.new_context(**PHONE).new_page()
        phone.goto(away.origin)
        phone.fill("#code", away.code)
        phone.click("button.main")
        _answer(phone, "game", "elsewhere")
        _answer(phone, "board", BOARD)
        phone.get_by_text("Where is the other board?").wait_for()
        phone.fill("#entry", address)
        phone.get_by_role("button", name="Go on").click()
        phone.get_by_text("Which code").wait_for()
        wrong = "0000 0000" if code != "0000 0000" else "1111 1111"
        phone.fill("#entry", wrong)
        phone.get_by_role("button", name="Go on").click()
        phone.get_by_text("the host shows another code").wait_for()
        phone.fill("#entry", code)
        phone.get_by_role("button", name="Go on").click()
        phone.get_by_text(f"It belongs to the table at {address} now.").wait_for()

        until(lambda: [each["name"] for each in status(home).get("boards", [])] == ["", "other"])
        assert status(home)["satellites"] == {"other": "connected"}
        assert status(away) == {"ok": True, "host": address, "waits_for": []}
        with pytest.raises(BoardumpireError, match=f"the table of this board is at {address}"):
            control.send_request(away.socket, {"do": "new"})
        written = config.read_file(home.config)
        assert written.boards["other"].seats == "blue"
        assert config.read_file(away.config).satellite.host == address
        screen.press("Close")
        screen.live()

        screen.open("More")
        screen.press("The table's settings …")
        table.select_option("#wanted-what", "one-board")
        screen.press("Do it")
        until(lambda: status(home).get("satellites") == {} and "over" in status(home))
        assert not config.read_file(home.config).boards
        screen.live()
    finally:
        home.close()
        away.close()
