"""Attacks on a table in play: refused with a clear word, bounded in what they hold, the game unharmed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from web.served import DUEL, Served
from web.wire import PATIENCE_S, Socket, ask, sit_down

ATTACKER = "127.0.0.66"
"""Where those come from who ask too often: the seats sit elsewhere."""
ATTEMPTS = 10_000
"""Connections of the flood ..."""
AT_ONCE = 400
"""... of which so many are held open at a time: more than the server takes, fewer than one may have here."""


class Table:
    """A table whose armies are set up, seen by both seats."""

    def __init__(self, directory: Path) -> None:
        self.served = Served(directory)
        self.origin = self.served.origin
        self.cookies = {name: sit_down(self.origin, link) for name, link in self.served.links.items()}
        self.red = self.screen("red")
        for seat in DUEL:
            screen = self.screen(seat)
            screen.say(do="say", id=f"set-up {seat}", text=f"setup {DUEL[seat]}")
            assert screen.answered(f"set-up {seat}")["ok"]
            screen.close()
        self.red.until_shown(lambda frame: frame.get("view", {}).get("phase") == "play")
        self.before = self.view("red"), self.view("blue")
        self._asked = 0

    def screen(self, seat: str) -> Socket:
        """A screen of a seat that has just been opened."""
        screen = Socket(self.origin, f"/socket/{seat}", cookie=self.cookies[seat])
        self.sees = screen.hello()["view"]
        return screen

    def view(self, seat: str) -> Any:
        """What a seat sees, told anew."""
        self.screen(seat).close()
        return self.sees

    def answers(self, screen: Socket | None = None) -> bool:
        """Whether Red's screen, open all the while, is answered; or another one of Red's."""
        self._asked += 1
        screen = screen or self.red
        screen.say(do="check", id=f"still {self._asked}", text="d3-d4")
        found: bool = screen.answered(f"still {self._asked}")["ok"]
        return found

    @property
    def files(self) -> int:
        """How many files the server has open."""
        return len(os.listdir(f"/proc/{self.served.process.pid}/fd"))

    def close(self) -> None:
        self.red.close()
        self.served.close()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    made = Table(tmp_path_factory.mktemp("table"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def unharmed(table: Table) -> Iterator[None]:
    """After every attack the seats that sat are answered, and see what they saw."""
    yield
    screen = table.screen("red")  # a test takes so little that one alone would say too much
    assert table.answers(screen)
    screen.close()
    assert table.red.closed is None
    assert (table.view("red"), table.view("blue")) == table.before


def words(answer: Any) -> str:
    assert "traceback" not in answer.text.lower()
    return str(answer.text)


class TestLinks:
    def test_anothers_link_opens_nothing_and_binds_nothing(self, table: Table) -> None:
        link = table.served.links["blue"].removeprefix(table.origin)
        for method in ("GET", "POST"):
            answer = ask(table.origin, link, method, Origin=table.origin, Cookie=table.cookies["red"])
            assert answer.status == 403
            assert "This seat is taken" in words(answer)
            assert "set-cookie" not in answer.headers

    @pytest.mark.parametrize("holds", ["red", "table", ""])
    def test_anothers_seat_opens_on_its_own_device_alone(self, table: Table, holds: str) -> None:
        cookie = table.cookies.get(holds, "")
        assert ask(table.origin, "/seat/blue", Cookie=cookie).status == 403
        screen = Socket(table.origin, "/socket/blue", cookie=cookie)
        assert screen.refused == (403, "this seat's screen opens on the device that sits there")
        screen.close()

    def test_a_cookie_under_another_seats_name_is_none(self, table: Table) -> None:
        forged = table.cookies["red"].replace("-red=", "-blue=")
        screen = Socket(table.origin, "/socket/blue", cookie=forged)
        assert screen.refused is not None
        assert screen.refused[0] == 403
        screen.close()

    def test_links_can_not_be_guessed(self, table: Table) -> None:
        found = [ask(table.origin, f"/link/{number:024}", source=ATTACKER).status for number in range(40)]
        assert set(found) == {404, 429}


class TestOrigins:
    @pytest.mark.parametrize("path", ["/table/do", "/link/x", "/link/x/ask", "/makers/do"])
    @pytest.mark.parametrize("claims", ["http://evil.example", "null", "http://127.0.0.1.evil.example", None])
    def test_nothing_is_done_for_another_site(self, table: Table, path: str, claims: str | None) -> None:
        headers = {} if claims is None else {"Origin": claims}
        answer = ask(table.origin, path, "POST", b"{}", Cookie=table.cookies["table"], **headers)
        assert answer.status == 403
        assert "another site" in words(answer) or "from the page only" in words(answer)

    @pytest.mark.parametrize("claims", ["http://evil.example", None])
    @pytest.mark.parametrize("path", ["/socket", "/socket/red", "/hands"])
    def test_no_socket_opens_for_another_site(self, table: Table, path: str, claims: str | None) -> None:
        screen = Socket(table.origin, path, cookie=table.cookies["red"], claims=claims)
        assert screen.refused is not None
        assert screen.refused[0] == 403
        screen.close()


class TestReplays:
    def test_what_was_said_is_not_done_again(self, table: Table) -> None:
        """Recorded on the network and sent again: on a socket of its own, or with the same id."""
        blue = table.screen("blue")
        blue.say(do="say", id="recorded", text="no such thing")
        first = blue.answered("recorded")
        again = table.screen("blue")
        again.say(do="say", id="recorded", text="resign")
        assert again.answered("recorded") == first, "answered as before: nobody resigned"
        again.close()
        blue.close()

    def test_a_recorded_sitting_down_sits_nowhere(self, table: Table) -> None:
        link = table.served.links["red"].removeprefix(table.origin)
        answer = ask(table.origin, link, "POST", Origin=table.origin)
        assert (answer.status, "set-cookie" in answer.headers) == (403, False)


class TestSizes:
    @pytest.mark.parametrize("path", ["/table/do", "/link/x", "/makers/do"])
    def test_a_giant_body_is_refused_before_it_is_read(self, table: Table, path: str) -> None:
        answer = ask(table.origin, path, "POST", b"x", Origin=table.origin, Content_Length="1000000000000")
        assert (answer.status, "too large" in words(answer)) == (413, True)

    def test_a_body_that_never_ends_is_cut_off(self, table: Table) -> None:
        host, _, port = table.origin.removeprefix("http://").partition(":")
        line = socket.create_connection((host, int(port)), PATIENCE_S)
        head = f"POST /table/do HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {table.origin}\r\n"
        head += f"Cookie: {table.cookies['red']}\r\nTransfer-Encoding: chunked\r\n\r\n"
        sent = 0
        with contextlib.suppress(OSError):
            line.sendall(head.encode())
            while sent < 50_000_000:
                line.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
                sent += 4096
        assert sent < 50_000_000, "it hangs up long before"
        line.close()

    @pytest.mark.parametrize("part", ["header", "path"])
    def test_a_giant_head_is_refused(self, table: Table, part: str) -> None:
        long = "x" * 200_000
        with contextlib.suppress(OSError):
            answer = ask(
                table.origin,
                f"/{long}" if part == "path" else "/",
                **({"X": long} if part == "header" else {}),
            )
            assert answer.status in (400, 404, 414, 431)


PATHS = [
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2fpage.py",
    "/..%5c..%5cpage.py",
    "//etc/passwd",
    "/static/../page.py",
    "/style.css/../page.py",
    "/style.css%00.js",
    "/%00",
    "/.%2e/key/links.json",
    "/key/links.json",
    "/qr/..%2f..%2fkey%2fpin.svg",
    "/seat/..%2f..%2fkey",
    "/games/..%2f1.json",
    "/makers/traces/..%2f..%2fkey%2fpin.svg",
    "/link/..%2fkey",
]


class TestPaths:
    @pytest.mark.parametrize("path", PATHS)
    def test_no_path_leads_to_a_file(self, table: Table, path: str) -> None:
        answer = ask(table.origin, path, Cookie=table.cookies["table"])
        assert answer.status in (400, 403, 404)
        for secret in ("root:", "import ", "boardumpire-links", table.served.pin):
            assert secret not in words(answer)


class TestPin:
    def test_a_thousand_wrong_ones_are_refused_and_then_even_the_right_one(self, table: Table) -> None:
        said: dict[str, int] = {}
        for number in range(1000):
            answer = order(table, f"{number:06}" if f"{number:06}" != table.served.pin else "000000")
            said[answer.text.strip()] = said.get(answer.text.strip(), 0) + 1
            assert answer.status in (403, 429)
            assert number % 100 or table.answers(), "the one whose device it is plays on"
        assert said["That isn't the table's PIN."] <= 6
        assert order(table, table.served.pin).status in (403, 429), "who guesses waits a minute"

    def test_a_seat_that_guesses_from_many_addresses_keeps_nobody_else_out(self, table: Table) -> None:
        for number in range(40):
            assert order(table, "000001", source=f"127.0.3.{1 + number}").status == 403
        for holder in ("blue", "table"):
            answer = order(table, table.served.pin, source="127.0.4.1", holder=holder)
            assert answer.status == 200, words(answer)

    def test_who_has_no_link_may_not_even_try(self, table: Table) -> None:
        body = json.dumps({"do": "sound", "on": True, "pin": table.served.pin}).encode()
        answer = ask(table.origin, "/table/do", "POST", body, Origin=table.origin)
        assert answer.status in (403, 429)
        assert "link" in words(answer) or "too many" in words(answer)


def order(table: Table, pin: str, source: str = ATTACKER, holder: str = "red") -> Any:
    body = json.dumps({"do": "sound", "on": True, "pin": pin}).encode()
    cookie = table.cookies[holder]
    return ask(table.origin, "/table/do", "POST", body, source, Origin=table.origin, Cookie=cookie)


class TestFloods:
    @pytest.mark.nightly
    @pytest.mark.parametrize("attempts", [ATTEMPTS])
    def test_ten_thousand_connections_are_bounded(self, table: Table, attempts: int) -> None:
        """From many addresses of the loopback, as many held at once as this process may hold."""
        host, _, port = table.origin.removeprefix("http://").partition(":")
        held: list[socket.socket] = []
        own = table.files
        most = refused = 0
        for number in range(attempts):
            line = socket.socket()
            line.settimeout(PATIENCE_S)
            line.bind((f"127.0.{1 + number // 60 % 200}.{1 + number % 60 // 20}", 0))
            try:
                line.connect((host, int(port)))
            except OSError:
                refused += 1
            held.append(line)
            if len(held) > AT_ONCE:
                held.pop(0).close()
            if number % 500 == 0:
                most = max(most, table.files)
                assert table.answers(), "whoever sat there before plays on"
        for line in held:
            line.close()
        silent = socket.create_connection((host, int(port)), PATIENCE_S)
        assert silent.recv(1) == b"", "by then it has noticed that they are gone"
        silent.close()
        assert most <= own + 256 + 4 * 32, "connections, and those that were about to be counted"
        assert refused < attempts

    @pytest.mark.slow
    def test_requests_without_end_are_told_to_wait(self, table: Table) -> None:
        host, _, port = table.origin.removeprefix("http://").partition(":")
        asked = f"GET /about.json HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n" * 1000
        with socket.create_connection((host, int(port)), PATIENCE_S, (ATTACKER, 0)) as line:
            line.sendall((asked + asked[:-2] + "Connection: close\r\n\r\n").encode())
            got = b"".join(iter(lambda: line.recv(1 << 16), b""))
        found = set(re.findall(rb"^HTTP/1.1 (\d+)", got, re.MULTILINE))
        assert b"429" in found, "two thousand at once: 240 and then 30 a second are answered"
        assert found <= {b"200", b"429"}
        assert table.answers()


@pytest.mark.slow
def test_a_silenced_buzzer_stays_silent_when_the_power_was_off(tmp_path: Path) -> None:
    def heard(served: Served) -> tuple[bool, str]:
        cookie = sit_down(served.origin, served.links["table"])
        return json.loads(ask(served.origin, "/table.json", Cookie=cookie).body)["sound"], cookie

    served = Served(tmp_path)
    seen: list[bool] = []
    for on in (False, True):
        sounds, cookie = heard(served)
        seen.append(sounds)
        body = json.dumps({"do": "sound", "on": on, "pin": served.pin}).encode()
        assert ask(served.origin, "/table/do", "POST", body, Origin=served.origin, Cookie=cookie).status < 300
        served.kill()
        served = Served(tmp_path)
    seen.append(heard(served)[0])
    served.close()
    assert seen == [True, False, True]
