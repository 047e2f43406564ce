"""Whatever comes over HTTP or a socket, there is an answer and no server error."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardumpire.web.page import TablePage
from boardumpire.web.seat_links import SeatLinks
from boardumpire.web.table_pin import TablePin
from web.desks import ToyDesk

PIN = "493021"
HOST = "127.0.0.1:8080"


class App:
    """The page of a toy game, asked without a network. Every example has a page of its own."""

    def __init__(self) -> None:
        self.desk = ToyDesk()
        self.links = SeatLinks.open(None, self.desk.seats)
        self.page = TablePage(self.desk, self.links, pin=TablePin(PIN))
        names = (*self.desk.seats, "table")
        self.cookies = {
            name: f"{self.page.cookie_name(name)}={self.links.bind_device(name)}" for name in names
        }

    def ask(self, method: str, path: str, query: bytes, headers: list[Any], body: bytes) -> int:
        """One request; its status."""

        async def scene() -> int:
            told: list[Any] = []
            parts = [{"type": "http.request", "body": body, "more_body": False}]

            async def receive() -> Any:
                return parts.pop() if parts else {"type": "http.disconnect"}

            async def send(message: Any) -> None:
                told.append(message)

            await self.page.app(
                self._scope("http", path, headers, method=method, query_string=query), receive, send
            )
            return int(told[0]["status"])

        return _run(scene())

    def talk(self, path: str, cookie: str, texts: list[Any]) -> list[Any]:
        """One socket: what it was sent, after so many messages to it."""

        async def scene() -> list[Any]:
            sent: list[Any] = []
            coming = [
                {"type": "websocket.connect"},
                *({"type": "websocket.receive", "text": text} for text in texts),
                {"type": "websocket.disconnect", "code": 1001},
            ]

            async def receive() -> Any:
                await asyncio.sleep(0)
                return coming.pop(0)

            async def send(message: Any) -> None:
                sent.append(message)

            headers = [(b"origin", f"http://{HOST}".encode()), (b"cookie", cookie.encode())]
            await asyncio.wait_for(self.page.app(self._scope("websocket", path, headers), receive, send), 20)
            return sent

        return list(_run(scene()))

    def _scope(self, kind: str, path: str, headers: list[Any], **more: Any) -> dict[str, Any]:
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http" if kind == "http" else "ws",
            "server": ("127.0.0.1", 8080),
            "client": ("192.0.2.1", 5000),
            "path": path,
            "raw_path": path.encode(errors="surrogatepass"),
            "root_path": "",
            "query_string": b"",
            "headers": [(b"host", HOST.encode()), *headers],
            "extensions": {"websocket.http.response": {}},
            **more,
        }


def _run(scene: Any) -> Any:
    with ThreadPoolExecutor(1) as other:  # in this thread Playwright's own loop may be running
        return other.submit(asyncio.run, scene).result()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.text(st.characters(categories=["Cs"]), max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
WORD = st.sampled_from(
    ["north", "south", "table", "red", "..", "%2e%2e", "", "1", "-1", "9" * 30, "9" * 4400, "²"]
) | st.text(max_size=12)
PATHS = st.one_of(
    st.sampled_from(
        [
            "/",
            "/replay",
            "/about.json",
            "/games.json",
            "/join.json",
            "/table.json",
            "/table/do",
            "/socket",
            "/hands",
        ]
    ),
    st.builds("/seat/{}".format, WORD),
    st.builds("/link/{}".format, WORD),
    st.builds("/link/{}/ask".format, WORD),
    st.builds("/qr/{}.svg".format, WORD),
    st.builds("/games/{}.json".format, WORD),
    st.builds("/{}".format, st.text(max_size=30)),
)
DO = st.sampled_from(["new", "sound", "shut-down", "update", "links", "fly"])
ORDER = st.fixed_dictionaries(
    {"do": DO | JSON, "pin": st.sampled_from([PIN, "0000"]) | JSON},
    optional={"wanted": JSON, "on": JSON, "renew": WORD | JSON},
)
BODIES = (
    st.binary(max_size=40)
    | JSON.map(lambda value: json.dumps(value).encode())
    | ORDER.map(lambda value: json.dumps(value).encode())
)
VERBS = st.sampled_from(["hello", "say", "check", "here", "new", "fly"])
MESSAGES = st.one_of(
    st.text(max_size=30),
    JSON.map(json.dumps),
    st.fixed_dictionaries(
        {"do": VERBS | JSON},
        optional={
            "id": st.text(max_size=50) | JSON,
            "text": st.text(max_size=40) | JSON,
            "epoch": JSON,
            "n": JSON,
        },
    ).map(json.dumps),
)
QUIET = settings(
    max_examples=settings.default.max_examples * 3 // 2,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@QUIET
@given(
    st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]),
    PATHS,
    st.binary(max_size=20),
    st.sampled_from(["", "north", "south", "table"]),
    st.booleans(),
    BODIES,
)
def test_no_request_is_a_server_error(
    method: str, path: str, query: bytes, seat: str, own: bool, body: bytes
) -> None:
    app = App()
    headers: list[Any] = [(b"content-length", str(len(body)).encode())]
    if own:
        headers.append((b"origin", f"http://{HOST}".encode()))
    if seat:
        headers.append((b"cookie", app.cookies[seat].encode()))
    assert app.ask(method, path, query, headers, body) < 500


GAMES = st.sampled_from(["stratego-quick-duel", "stratego-barrage", "toy"]) | JSON
CLOCK = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(["none", "fischer", "bronstein", "turn"]) | JSON,
        "base_s": st.integers() | st.floats() | JSON,
        "extra_s": st.integers() | st.floats() | JSON,
        "more": JSON,
    },
)
OPTIONS = st.dictionaries(st.sampled_from(["announce", "take_back", "aggressor"]) | st.text(max_size=5), JSON)
WANTED = JSON | st.fixed_dictionaries(
    {}, optional={"game": GAMES, "clock": CLOCK | JSON, "options": OPTIONS | JSON, "more": JSON}
)


@QUIET
@given(WANTED)
def test_no_wish_for_another_game_is_a_server_error(wanted: Any) -> None:
    """By whoever knows the PIN, so that the wish itself is read."""
    app = App()
    headers = [(b"origin", f"http://{HOST}".encode()), (b"cookie", app.cookies["table"].encode())]
    body = json.dumps({"do": "new", "pin": PIN, "wanted": wanted}).encode()
    assert app.ask("POST", "/table/do", b"", headers, body) in (400, 409)


@pytest.mark.slow
@QUIET
@given(st.sampled_from(["north", "south", ""]), st.lists(MESSAGES, max_size=8), st.booleans())
def test_no_message_is_a_server_error(seat: str, texts: list[str], greets: bool) -> None:
    app = App()
    path = f"/socket/{seat}" if seat else "/socket"
    first = ['{"do":"hello"}'] if greets else []
    sent = app.talk(path, app.cookies[seat or "table"], [*first, *texts])
    assert sent[0]["type"] == "websocket.accept"
    for message in sent:
        assert message.get("code", 1000) not in (1011,), "that would be an error of ours"


@pytest.mark.parametrize("number", ["9" * 4400, "9" * 19, "0" * 30, "²", "1e3", "-1", " 1"])
def test_a_number_that_no_game_has_is_no_server_error(number: str) -> None:
    assert App().ask("GET", f"/games/{number}.json", b"", [], b"") == 404


@pytest.mark.parametrize(
    "wanted", ['{"clock":{"\\ud800":1}}', '{"options":{"\\ud800":1}}', '{"announce":"\\ud800"}']
)
def test_half_a_letter_in_a_wish_is_refused(wanted: str) -> None:
    app = App()
    headers = [(b"origin", f"http://{HOST}".encode()), (b"cookie", app.cookies["table"].encode())]
    body = f'{{"do":"new","pin":"{PIN}","wanted":{wanted}}}'.encode()
    assert app.ask("POST", "/table/do", b"", headers, body) == 400
