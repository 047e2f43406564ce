"""A seat that the machine plays has no link, no renewal, no request and no screen, for anybody."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from boardrules import registry
from boardumpire.commands.daemon import Daemon
from boardumpire.commands.page import virtual_board
from boardumpire.errors import BoardumpireError
from boardumpire.service import control
from boardumpire.service.config import Config
from boardumpire.service.notify import Notifier
from boardumpire.web.seat_links import SeatLinks
from boardumpire.web.teaching.lesson_partner import LessonPartner
from evenings.service import configured
from loops import run

DUEL, HUNT = "stratego-quick-duel", "fall-of-the-fuhrer"
SEATS = {DUEL: ("red", "blue"), HUNT: ("allies", "hitler")}
"""By game the seat of a person, and the machine's."""


class Device:
    """A browser: it keeps cookies."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.cookies: dict[str, str] = {}

    def ask(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        where = urlsplit(self.origin)
        assert where.hostname is not None
        line = http.client.HTTPConnection(where.hostname, where.port, timeout=20)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = b"" if body is None else json.dumps(body).encode()
        line.request(
            method,
            path,
            sent,
            {"origin": self.origin, "cookie": cookies, "content-length": str(len(sent))} | headers,
        )
        answer = line.getresponse()
        content = b"" if answer.status == 101 else answer.read()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                kept, _, secret = value.partition(";")[0].partition("=")
                self.cookies[kept] = secret
        line.close()
        return answer.status, content, dict(answer.getheaders())

    def socket(self, path: str) -> int:
        """The status with which a socket is answered: 101 opens it."""
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = {"connection": "Upgrade", "upgrade": "websocket"}
        return self.ask("GET", path, **upgrade, **{"sec-websocket-key": key, "sec-websocket-version": "13"})[
            0
        ]


class Table:
    """A board in service with a machine at one seat."""

    def __init__(self, folder: Path, game: str, old: bool = False, lesson: bool = False) -> None:
        """`old`: whether people had both seats before; `lesson`: the person learns, beside a partner."""
        self.person, self.machine = SEATS[game]
        self.army = ""
        self.lesson = registry.package(game).lessons()[self.person] if lesson else None
        config = configured(folder, game, {} if lesson else {self.machine: "1"})
        self.config: Config = replace(config, page=replace(config.page, confirm=False))
        self.old_path, self.old_secret = "", ""
        if old:
            links = SeatLinks.open(config.page.links, SEATS[game])
            self.old_secret = links.bind_device(self.machine)
            self.old_path = links.paths()[self.machine]

    async def served(self, do: Any) -> Any:
        config, board = virtual_board(self.config, 1)
        self.loop = asyncio.get_running_loop()
        self.daemon = Daemon(config, Notifier({}), board)
        await self.daemon.start()
        board.start()
        opened = contextlib.ExitStack()
        try:
            assert self.daemon.page is not None
            if self.lesson is not None:
                partner = LessonPartner(self.daemon, board, self.person, self.lesson)
                self.daemon.page.page.partner = partner
                partner.start()
                opened.callback(partner.stop)
            self.links = self.daemon.page.links()
            origin = self.links["table"].partition("/link")[0]
            self.table, self.other = Device(origin), Device(origin)
            return await asyncio.to_thread(self._seated, do)
        finally:
            opened.close()
            self.daemon.stop()
            board.stop()
            await self.daemon.wait_closed()

    def _seated(self, do: Any) -> Any:
        self.table.ask("POST", urlsplit(self.links["table"]).path)
        self.other.ask("POST", urlsplit(self.links[self.person]).path)
        return do(self)


def tries(table: Table) -> dict[str, object]:
    """What each way to that seat answers."""
    pin = table.daemon.page.pin if table.daemon.page is not None else ""
    seat, found = table.machine, dict[str, object]()
    for name, device in (("table", table.table), (table.person, table.other)):
        renew = {"do": "links", "pin": pin, "renew": seat}
        found[f"{name} renews"] = device.ask("POST", "/table/do", renew)[:2]
        found[f"{name} sees the code"] = device.ask("GET", f"/qr/{seat}.svg")[:2]
        found[f"{name} says it is lost"] = device.ask("GET", f"/qr/{seat}.svg?lost")[:2]
        found[f"{name} joins"] = [
            each for each in json.loads(device.ask("GET", "/join.json")[1])["seats"] if each["seat"] == seat
        ]
        found[f"{name} opens"] = device.ask("GET", f"/seat/{seat}")[0]
        found[f"{name} connects"] = device.socket(f"/socket/{seat}")
        if table.old_path:
            board = SeatLinks.open(table.config.page.links, [table.person]).board_tag
            device.cookies[f"boardumpire-{board}-{seat}"] = table.old_secret
            found[f"{name} has an old link"] = [
                device.ask(method, f"{table.old_path}{more}")[0]
                for method in ("GET", "POST")
                for more in ("", "/ask")
            ]
            found[f"{name} opens with an old cookie"] = device.ask("GET", f"/seat/{seat}")[0]
            found[f"{name} connects with an old cookie"] = device.socket(f"/socket/{seat}")
    return found


def refused(table: Table) -> None:
    """No way leads to that seat."""
    for way, answer in run(table.served(tries)).items():
        if "joins" in way:
            assert answer == [{"seat": table.machine, "taken": True, "link": None, "path": None}], way
        elif "old link" in way:
            assert isinstance(answer, list)
            assert set(answer) <= {404, 429}, (way, answer)
        else:
            status = answer[0] if isinstance(answer, tuple) else answer
            assert status in (400, 403, 404), (way, answer)
    assert table.machine not in table.links
    assert table.person in table.links


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("game", [DUEL, HUNT])
def test_no_way_leads_to_a_seat_of_the_machine(game: str, old: bool, tmp_path: Path) -> None:
    table = Table(tmp_path, game, old)
    refused(table)
    kept = json.loads(table.config.page.links.read_text())["links"]
    assert kept.keys() == {table.person, "table"}


def test_no_way_leads_to_the_seat_of_a_lessons_partner(tmp_path: Path) -> None:
    refused(Table(tmp_path, DUEL, old=True, lesson=True))


@pytest.mark.parametrize("game", [DUEL, HUNT])
def test_the_control_socket_neither_shows_nor_speaks_for_it(game: str, tmp_path: Path) -> None:
    table = Table(tmp_path, game)
    told: list[str] = []

    def asks(table: Table) -> None:
        path = table.config.control.socket
        for question in (
            {"do": "view", "seat": table.machine},
            {"do": "messages", "seat": table.machine},
            {"do": "say", "seat": table.machine, "text": "resign"},
            {"do": "links", "renew": table.machine},
        ):
            with pytest.raises(BoardumpireError) as error:
                control.send_request(path, question)
            told.append(str(error.value))
        assert control.send_request(path, {"do": "view", "seat": table.person})["view"]
        assert table.machine not in control.send_request(path, {"do": "links", "renew": None})["links"]

    run(table.served(asks))
    assert all(table.machine in each for each in told)


def test_a_seat_that_people_take_again_has_a_new_link(tmp_path: Path) -> None:
    old = SeatLinks.open(tmp_path / "links.json", ("red", "blue"))
    before, secret = old.paths(), old.bind_device("blue")
    SeatLinks.open(tmp_path / "links.json", ("red",))
    again = SeatLinks.open(tmp_path / "links.json", ("red", "blue"))
    assert again.paths()["red"] == before["red"]
    assert again.paths()["blue"] != before["blue"]
    assert not again.is_seated("blue", secret)
    assert not again.is_taken("blue")


def test_nobody_without_a_link_learns_more(tmp_path: Path) -> None:
    table = Table(tmp_path, DUEL)

    def asks(table: Table) -> None:
        stranger = Device(table.table.origin)
        assert stranger.ask("GET", "/seat/blue")[0] == 403
        assert stranger.socket("/socket/blue") == 403
        assert stranger.ask("POST", "/table/do", {"do": "links", "pin": "000000", "renew": "blue"})[0] == 403

    run(table.served(asks))


@pytest.mark.slow
def test_the_machine_s_army_changes_no_answer(tmp_path: Path) -> None:
    """Twins: two boards on which the machine's player has set up differently answer every way alike."""

    def asks(table: Table) -> dict[str, object]:
        state = table.daemon.table
        while not state.full_state.view("blue").json().get("ready", {}).get("blue"):
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0.1), table.loop).result()
        table.army = str(state.full_state.view("blue").json())
        return tries(table)

    answers, armies = [], set()
    for number in range(2):
        (tmp_path / f"{number}").mkdir()
        table = Table(tmp_path / f"{number}", DUEL)
        answers.append(run(table.served(asks)))
        armies.add(table.army)
    assert len(armies) == 2
    assert answers[0] == answers[1]
