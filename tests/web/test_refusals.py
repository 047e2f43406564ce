"""What no player's browser sends is refused with a clear word, and the game goes on."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from socket import create_connection
from typing import Any

import pytest

from web.served import DUEL, Served
from web.wire import PATIENCE_S, Socket, ask, sit_down


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("page"))
    yield served
    served.close()


@pytest.fixture(scope="module")
def cookies(page: Served) -> dict[str, str]:
    return {name: sit_down(page.origin, link) for name, link in page.links.items()}


@pytest.fixture
def red(page: Served, cookies: dict[str, str]) -> Iterator[Socket]:
    """Red's screen: after every test the game must still go on."""
    socket = Socket(page.origin, "/socket/red", cookie=cookies["red"])
    socket.hello()
    yield socket
    socket.say(do="check", id="still", text=f"setup {DUEL['red']}")
    assert socket.answered("still")["ok"]
    socket.close()


@pytest.mark.usefixtures("red")
class TestOrigins:
    def test_a_name_that_is_not_ours_is_refused(self, page: Served) -> None:
        answer = ask(page.origin, "/", Host="evil.example")
        assert (answer.status, "not known by that name" in answer.text) == (421, True)

    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_another_site_may_not_ask(self, page: Served, method: str) -> None:
        answer = ask(page.origin, "/about.json", method, Origin="http://evil.example")
        assert (answer.status, "another site" in answer.text) == (403, True)

    def test_a_form_without_an_origin_is_refused(self, page: Served) -> None:
        assert ask(page.origin, page.links["red"].removeprefix(page.origin), "POST").status == 403

    @pytest.mark.parametrize("path", ["/socket", "/socket/red", "/hands"])
    @pytest.mark.parametrize("claims", ["http://evil.example", "null", None])
    def test_a_socket_from_elsewhere_is_refused(
        self, page: Served, cookies: dict[str, str], path: str, claims: str | None
    ) -> None:
        socket = Socket(page.origin, path, cookie="; ".join(cookies.values()), claims=claims)
        assert socket.refused is not None
        assert socket.refused[0] == 403
        socket.close()

    @pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
    def test_other_methods_are_refused(self, page: Served, method: str) -> None:
        assert ask(page.origin, "/", method).status == 405


@pytest.mark.usefixtures("red")
class TestSeats:
    def test_a_link_is_bound_to_the_first_device_that_sits_down(self, page: Served) -> None:
        for method in ("GET", "POST"):
            path = page.links["red"].removeprefix(page.origin)
            answer = ask(page.origin, path, method, Origin=page.origin)
            assert (answer.status, "taken" in answer.text) == (403, True)

    def test_looking_at_a_link_does_not_sit_down(self, tmp_path: Path) -> None:
        fresh = Served(tmp_path)
        try:
            path = fresh.links["red"].removeprefix(fresh.origin)
            assert [ask(fresh.origin, path).status for _ in range(3)] == [200, 200, 200]
            assert sit_down(fresh.origin, fresh.links["red"])
        finally:
            fresh.close()

    def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(self, tmp_path: Path) -> None:
        fresh = Served(tmp_path)
        try:
            path = fresh.links["blue"].removeprefix(fresh.origin)
            cookie = ask(fresh.origin, path, "POST", Origin=fresh.origin).headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=lax" in cookie
            links = tmp_path / "key" / "links.json"
            assert stat.S_IMODE(links.stat().st_mode) == 0o600
            secret = cookie.partition("=")[2].partition(";")[0]
            assert secret not in links.read_text().lower()
        finally:
            fresh.close()

    def test_another_seats_device_sees_neither_screen_nor_socket(
        self, page: Served, cookies: dict[str, str]
    ) -> None:
        wrong = cookies["blue"]
        assert ask(page.origin, "/seat/red", Cookie=wrong).status == 403
        forged = wrong.replace("-blue=", "-red=")
        for cookie in ("", wrong, forged, cookies["table"]):
            assert ask(page.origin, "/seat/red", Cookie=cookie).status == 403
            socket = Socket(page.origin, "/socket/red", cookie=cookie)
            assert socket.refused == (403, "this seat's screen opens on the device that sits there")
            socket.close()

    def test_hands_are_for_those_with_a_link(self, page: Served) -> None:
        socket = Socket(page.origin, "/hands")
        assert socket.refused == (403, "hands are for those who have a link of this table")
        socket.close()

    @pytest.mark.parametrize("path", ["/link/none", "/seat/green", "/none.js", "/../cli.py", "/games/1.json"])
    def test_what_is_not_there_is_said_to_be_not_there(self, page: Served, path: str) -> None:
        assert ask(page.origin, path).status == 404

    @pytest.mark.parametrize(
        ("path", "status", "title"),
        [
            ("/nonsense", 404, "Hier gibt es nichts"),
            ("/replay/99999", 404, "Hier gibt es nichts"),
            ("/makers", 403, "Nicht auf diesem Gerät"),
        ],
    )
    def test_an_address_that_leads_nowhere_leads_to_a_page_in_the_language_of_who_asks(
        self, page: Served, path: str, status: int, title: str
    ) -> None:
        answer = ask(page.origin, path, Accept="text/html,*/*;q=0.8", Accept_Language="de")
        assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (status, "text/html")
        assert f"<h1>{title}</h1>" in answer.text
        assert answer.headers["content-security-policy"]
        script = ask(page.origin, path, Accept="*/*", Accept_Language="de")
        assert (script.status, script.headers["content-type"].partition(";")[0]) == (status, "text/plain")

    def test_the_table_says_nothing(self, page: Served) -> None:
        socket = Socket(page.origin, "/socket")
        socket.hello()
        socket.say(do="say", id="x", text="resign")
        answer = socket.answered("x")
        assert not answer["ok"]
        assert answer["text"] == "only a seat can say something"
        socket.close()


BAD = [
    ("not json", 1008, "not JSON"),
    ("[" * 5000, 1008, "not JSON"),
    ("[]", 1008, "one object"),
    (b"\x00\x01", 1008, "found bytes"),
]


@pytest.mark.usefixtures("red")
class TestMessages:
    @pytest.mark.parametrize(("text", "code", "word"), BAD)
    def test_a_bad_message_ends_the_conversation_with_a_word(
        self, page: Served, cookies: dict[str, str], text: str | bytes, code: int, word: str
    ) -> None:
        socket = Socket(page.origin, "/socket/red", cookie=cookies["red"])
        socket.hello()
        socket.send(text)
        closed = socket.until_closed()
        assert closed[0] == code
        assert word in closed[1]
        socket.close()

    @pytest.mark.parametrize(
        "message",
        [
            {"do": "conquer", "id": "x"},
            {"do": ["say"], "id": "x"},
            {"do": "say", "id": "x"},
            {"do": "say", "id": "x", "text": 7},
            {"do": "check", "id": "x", "text": "no such action"},
            {"do": "check", "id": "x", "text": "setup a1=F"},
            {"do": "check", "id": "x", "text": "setup " + DUEL["blue"]},
        ],
    )
    def test_what_can_not_be_done_is_answered(
        self, page: Served, cookies: dict[str, str], message: dict[str, Any]
    ) -> None:
        socket = Socket(page.origin, "/socket/red", cookie=cookies["red"])
        socket.hello()
        fresh = json.dumps(message).encode().hex()[:36]
        socket.say(**{**message, "id": fresh})
        answer = socket.answered(fresh)
        assert not answer["ok"]
        assert answer["text"]
        socket.close()

    def test_every_answer_is_as_long(self, page: Served, cookies: dict[str, str]) -> None:
        socket = Socket(page.origin, "/socket/red", cookie=cookies["red"])
        socket.hello()
        for text in ("setup a1=F", "setup " + DUEL["red"], "setup " + DUEL["blue"], "\u00fc", "no", "d3-d4"):
            socket.say(do="check", id=f"long {text[:30]}", text=text)
            socket.answered(f"long {text[:30]}")
        answers = [text for text in socket.raw if '"answer"' in text]
        assert {len(text) for text in answers} == {1024}
        assert {json.loads(text)["ok"] for text in answers} == {True, False}
        socket.close()

    def test_a_giant_message_is_refused(self, page: Served, cookies: dict[str, str]) -> None:
        socket = Socket(page.origin, "/socket/red", cookie=cookies["red"])
        socket.hello()
        socket.say(do="say", id="x", text="setup " + "a" * 100_000)
        assert socket.until_closed()[0] == 1009
        socket.close()

    def test_a_giant_body_is_refused(self, page: Served) -> None:
        answer = ask(page.origin, "/link/x", "POST", b"x" * 1_000_000, Origin=page.origin)
        assert (answer.status, "too large" in answer.text) == (413, True)

    def test_too_many_messages_are_refused(self, page: Served, cookies: dict[str, str]) -> None:
        socket = Socket(page.origin, "/socket/blue", cookie=cookies["blue"])
        socket.hello()
        for number in range(60):
            socket.say(do="here", id=f"h{number}")
        assert socket.until_closed() == (1013, "too many messages: wait a moment")
        socket.close()

    def test_too_many_screens_of_a_seat_are_refused(self, page: Served, cookies: dict[str, str]) -> None:
        sockets = [Socket(page.origin, "/socket/blue", cookie=cookies["blue"]) for _ in range(7)]
        for socket in sockets[:6]:
            socket.hello()
        sockets[6].say(do="hello")
        assert "too many screens of this seat" in sockets[6].until_closed()[1]
        for socket in sockets:
            socket.close()

    @pytest.mark.parametrize(
        "message",
        [
            "nonsense",
            "[]",
            '{"do":"fly"}',
            '{"do":"grab","piece":999}',
            '{"do":"lead","piece":1,"x":NaN,"y":1e999}',
        ],
    )
    def test_what_no_hand_does_is_said(self, page: Served, cookies: dict[str, str], message: str) -> None:
        socket = Socket(page.origin, "/hands", cookie=cookies["table"])
        socket.send(message)
        assert socket.until("hands")["text"]
        socket.close()

    @pytest.mark.slow
    def test_who_holds_too_many_connections_or_says_nothing_is_hung_up_on(self, page: Served) -> None:
        host, _, port = page.origin.removeprefix("http://").partition(":")
        lines = [create_connection((host, int(port)), PATIENCE_S) for _ in range(80)]
        assert lines[-1].recv(1) == b"", "one too many"
        lines[0].sendall(b"GET / HTTP/1.1\r\n")
        assert lines[0].recv(1) == b"", "half a question is none"
        for line in lines:
            line.close()

    def test_what_was_said_twice_is_done_once(self, page: Served, cookies: dict[str, str]) -> None:
        socket = Socket(page.origin, "/socket/blue", cookie=cookies["blue"])
        socket.hello()
        text = f"setup {DUEL['blue']}"
        socket.say(do="say", id="once", text=text)
        assert socket.answered("once")["ok"]
        told = [
            frame
            for frame in socket.raw
            if '"has finished setting up' in frame or "has finished setting up" in frame
        ]
        socket.say(do="say", id="once", text=text)
        socket.say(do="here", id="then")
        socket.answered("then")
        assert len([frame for frame in socket.raw if "has finished setting up" in frame]) <= max(1, len(told))
        socket.close()


@pytest.mark.slow
def test_the_pages_own_policy_allows_nothing_from_elsewhere_and_nothing_inline(page: Served) -> None:
    answer = ask(page.origin, "/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    for path in ("/", page.links["red"].removeprefix(page.origin)):
        text = ask(page.origin, path).text
        assert "style=" not in text
        assert "<style" not in text
        assert not re.search(r"\son\w+=", text)
