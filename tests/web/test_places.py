"""What is refused or goes wrong tells the network nothing of where files lie on this machine."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import create_connection
from typing import Any

import pytest
from starlette.routing import Route

from boardumpire.errors import JournalError
from boardumpire.history.statistics import Tally
from boardumpire.journal.journal import Store
from boardumpire.web.makers import MakersScreen
from boardumpire.web.page import PageExtras, TablePage
from boardumpire.web.screen import AnswerMemory, ScreenSession
from boardumpire.web.seat_links import SeatLinks
from web.desks import ToyDesk
from web.served import Served
from web.wire import PATIENCE_S, ask, sit_down

BAD = {
    "seat": ("green", "red%00"),
    "token": ("none", "..%2Fkey"),
    "number": ("0", "7", "1" + "0" * 40),
    "game": ("none", "..%2F..%2Fkey", "fall-of-the-fuhrer"),
    "name": ("none.js", "..%2F..%2Fkey", "x-1"),
}
"""What nobody has, by the names of parts of paths."""
BODIES = (b"", b"[]", b'{"do":"start","what":"x"}', b'{"do":"replay","name":"../journal"}')


def places(text: str) -> list[str]:
    """What looks like a place of this machine."""
    found = re.findall(r"(/[\w.~-]+)((?:/[\w.~-]+)+)", text)
    return [top + rest for top, rest in found if Path(top).exists()]


def routes() -> list[str]:
    """The paths of all that is asked over HTTP."""
    page = TablePage(ToyDesk(), SeatLinks.open(None, ToyDesk().seats))
    own = [route.path for route in page._routes()]
    return [*own, *(route.path for route in MakersScreen(None, None, None).routes()), "/{name}"]  # type: ignore[arg-type, attr-defined]


def filled(path: str) -> Iterator[str]:
    name = re.search(r"{(.*?)}", path)
    if name is None:
        yield path
    else:
        for word in BAD[name[1]]:
            yield from filled(path.replace(name[0], word))


@pytest.mark.slow
def test_no_answer_names_a_place(served: Served) -> None:
    cookie = "; ".join(sit_down(served.origin, served.links[name]) for name in ("red", "table"))
    who = {"Cookie": cookie, "Origin": served.origin}
    refused = 0
    for path in (path for route in routes() for path in filled(route)):
        answers = [ask(served.origin, path, **who), ask(served.origin, path + "?first=x&from=y", **who)]
        answers += [ask(served.origin, path, "POST", body, **who) for body in BODIES]
        for answer in answers:
            refused += answer.status >= 400
            assert answer.status < 500, (path, answer.text)
            assert answer.status < 400 or (answer.text.strip() and not places(answer.text)), answer.text
    assert refused > 100
    assert places(f"{served.state}/journal.sqlite: no game 0"), "the test would notice"


def test_what_can_not_be_read_is_a_word(served: Served) -> None:
    """A head too large for a request, and what is none: status, word and the same headers as ever."""
    host, _, port = served.origin.removeprefix("http://").partition(":")
    for raw, status, word in (
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 200_000, 431, b"at most 16384 bytes"),
        (b"GET /" + b"a" * 200_000, 431, b"at most 16384 bytes"),
        (b"\x16\x03\x01\x02\x00\r\n\r\n", 400, b"no request that a browser sends"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400, b"no request that a browser sends"),
    ):
        with create_connection((host, int(port)), PATIENCE_S) as line:
            line.sendall(raw)
            got = b"".join(iter(lambda line=line: line.recv(1 << 16), b""))
        assert got.startswith(b"HTTP/1.1 %d " % status), got
        assert word in got
        assert b"content-security-policy" in got.lower()
    assert ask(served.origin, "/").status == 200


class Broken(ToyDesk):
    """A desk whose journal is gone."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def finished_games(self) -> list[dict[str, Any]]:
        Store.open_read_only(self._path)
        raise AssertionError("there is no journal")

    def tallies(self) -> list[Tally]:
        self.finished_games()
        return []

    def submit_command(self, seat: str, text: str) -> None:
        self.finished_games()


def asked(page: TablePage, path: str) -> tuple[int, str]:
    """Status and body of an answer of the page."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        "scheme": "http", "root_path": "", "http_version": "1.1",
    }  # fmt: skip
    with ThreadPoolExecutor(1) as other:  # in this thread Playwright's own loop may be running
        other.submit(asyncio.run, page.app(scope, receive, send)).result()  # type: ignore[arg-type]
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent).decode()


def test_a_journal_that_is_gone_is_told_without_its_place(tmp_path: Path) -> None:
    desk = Broken(tmp_path / "journal.sqlite")
    page = TablePage(desk, SeatLinks.open(None, desk.seats))
    with pytest.raises(JournalError, match=str(tmp_path)):
        desk.finished_games()
    for path in ("/games.json", "/statistics.json", "/statistics.csv"):
        assert asked(page, path) == (503, "no such journal\n")
    screen = ScreenSession(desk, page.screen_hub, desk.seats[0], AnswerMemory())
    answer = json.loads(screen.answer_message({"do": "say", "id": "x", "text": "resign"}))
    del answer["pad"]
    assert answer == {"kind": "answer", "id": "x", "ok": False, "text": "no such journal"}
    assert not places(json.dumps(answer))


@pytest.mark.parametrize("virtual", [False, True])
def test_the_tables_link_moves_pieces_of_virtual_boards_alone(virtual: bool) -> None:
    desk = ToyDesk()
    links = SeatLinks.open(None, desk.seats)
    extras = PageExtras([Route("/hands", endpoint=asked)] if virtual else [])
    status, text = asked(TablePage(desk, links, more=extras), links.paths()["table"])
    assert status == 200
    assert "Open the table&#x27;s screen" in text
    assert ("virtual board" in text) is virtual
    assert "<p></p>" not in text


def test_a_state_directory_that_can_not_be_is_named(tmp_path: Path) -> None:
    """To whoever starts it on this machine the place is told, with what is wrong."""
    (tmp_path / "file").touch()
    for state, why in (("/proc/x", "No such file"), (str(tmp_path / "file"), "File exists")):
        command = Path(sys.executable).with_name("boardumpire")
        ended = subprocess.run([command, "page", "--state", state], capture_output=True, text=True)
        assert ended.returncode != 0
        assert f"--state {state}: {why}" in ended.stderr
        assert "Traceback" not in ended.stderr
