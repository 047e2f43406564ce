"""Phones: screens of the page, spoken to over ASGI with the delays of a radio network, without sockets."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from boardumpire.web.limits import PADDED_MESSAGE_BYTES

HOST = "127.0.0.1:8080"
AGAIN_S = (0.5, 3.0)
"""After so long a screen that lost its line comes back."""
LOST_S = 8.0
"""After so long a screen asks again for what wasn't answered."""


class Line:
    """One connection: what either end sends comes after a while, and in order."""

    def __init__(
        self, app: Any, scope: Mapping[str, Any], chance: random.Random, hear: Callable[..., None]
    ) -> None:
        self._chance, self._hear = chance, hear
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self._due = {"up": 0.0, "down": 0.0}
        self._under_way: dict[str, deque[tuple[Any, Any]]] = {"up": deque(), "down": deque()}
        self.open = True
        self.bytes = 0
        self._task = asyncio.get_running_loop().create_task(app(scope, self._inbox.get, self._sent))

    def _later(self, way: str, does: Callable[..., None], *given: Any) -> None:
        loop = asyncio.get_running_loop()
        slow = self._chance.random() < 0.05
        span = self._chance.uniform(0.1, 1.5) if slow else self._chance.uniform(0.002, 0.04)
        self._due[way] = max(self._due[way], loop.time() + span)
        self._under_way[way].append((does, given))
        loop.call_at(self._due[way], self._next, way)

    def _next(self, way: str) -> None:
        """What was sent first comes first, whichever timer is late."""
        does, given = self._under_way[way].popleft()
        does(*given)

    async def _sent(self, message: Mapping[str, Any]) -> None:
        self._later("down", self._arrives, message)
        if message["type"] == "websocket.close":  # a server hears of the end of its own connections, too
            self._inbox.put_nowait({"type": "websocket.disconnect", "code": message.get("code", 1000)})

    def _arrives(self, message: Mapping[str, Any]) -> None:
        if not self.open:
            return
        if message["type"] == "websocket.send":
            self.bytes += len(message["text"])
            self._hear(json.loads(message["text"]))
        elif message["type"] in ("websocket.close", "websocket.http.response.start"):
            self.open = False
            self._hear(None)

    def send(self, message: Mapping[str, Any]) -> None:
        bare = len(json.dumps({**message, "pad": ""}))
        text = json.dumps({**message, "pad": " " * (-bare % PADDED_MESSAGE_BYTES)})
        self._later("up", self._inbox.put_nowait, {"type": "websocket.receive", "text": text})

    def hang_up(self) -> None:
        """The phone sleeps, or its network is gone."""
        self.open = False
        self._later("up", self._inbox.put_nowait, {"type": "websocket.disconnect", "code": 1006})


class Phone:
    """The screen of a seat, or of the table where no seat is given. It sits down by its link."""

    def __init__(self, app: Any, link: str, seat: str | None, address: str, chance: random.Random) -> None:
        self._app, self.link, self.seat, self._address, self._chance = app, link, seat, address, chance
        self.language = "en"
        self._cookies: dict[str, str] = {}
        self.epoch: str | None = None
        self.n = 0
        self.status: dict[str, Any] | None = None
        self.view: dict[str, Any] = {}
        self.may: dict[str, Any] = {}
        self.to_act: tuple[str, ...] = ()
        self.told: list[dict[str, Any]] = []
        self.awake = True
        self.lost = False
        self.listeners: list[Callable[[dict[str, Any]], None]] = []
        self._line: Line | None = None
        self._asked: dict[str, tuple[dict[str, Any], asyncio.Future[dict[str, Any]]]] = {}
        self._count = 0

    @property
    def connected(self) -> bool:
        return self.awake and self._line is not None and self._line.open and self.status is not None

    async def post(
        self, path: str, body: bytes = b"", kind: str = "application/json"
    ) -> tuple[int, dict[str, str], bytes]:
        """A request of a form, or of a script. Raises `ConnectionResetError` where no answer comes."""
        headers = {"content-length": str(len(body)), "content-type": kind}
        return await self._request("POST", path, headers, body)

    async def get(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """What is there. Raises as `post`."""
        return await self._request("GET", path, {}, b"")

    async def _request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """Ask for it, and keep the cookies that come with the answer."""
        parts: list[Any] = []
        inbox = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if inbox:
                return inbox.pop()
            await asyncio.get_running_loop().create_future()
            raise AssertionError

        async def send(message: Mapping[str, Any]) -> None:
            parts.append(message)

        await asyncio.sleep(self._chance.uniform(0.002, 0.05))
        answering = asyncio.ensure_future(
            self._app({**self._scope("http", path, headers), "method": method}, receive, send)
        )
        try:
            await asyncio.wait((answering,))
        finally:
            answering.cancel()
        if answering.cancelled():  # the process that answered is gone
            raise ConnectionResetError
        answering.result()
        start = parts[0]
        found = [(name.decode().lower(), value.decode()) for name, value in start["headers"]]
        for _, cookie in (each for each in found if each[0] == "set-cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return start["status"], dict(found), b"".join(part.get("body", b"") for part in parts[1:])

    @property
    def cookie(self) -> str:
        """What it keeps of this page, as a browser sends it."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    def _scope(self, kind: str, path: str, headers: Mapping[str, str] = {}) -> dict[str, Any]:
        sent = {
            "host": HOST,
            "origin": f"http://{HOST}",
            **headers,
            **({"cookie": self.cookie} if self._cookies else {}),
        }
        path, _, query = path.partition("?")
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": (self._address, 40000),
            "server": ("127.0.0.1", 8080),
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }

    async def sit_down(self, form: bytes = b"") -> None:
        """Open the link; `form` is what a page has sent that led here."""
        status, _, _ = await self.post(self.link, form, "application/x-www-form-urlencoded")
        assert status == 303, f"{self.seat} can't sit down: {status}"
        self.connect()

    def connect(self) -> None:
        """Open the socket of its screen, as the page does once it is loaded."""
        if not self.awake or (self._line is not None and self._line.open):
            return
        path = "/socket" if self.seat is None else f"/socket/{self.seat}"
        self._line = Line(self._app, self._scope("websocket", path), self._chance, self._heard)
        self._line.send({"do": "hello", "epoch": self.epoch, "n": self.n, "language": self.language})
        for message, _ in self._asked.values():  # its answer may have been lost
            self._line.send(message)

    def sleep(self) -> None:
        """The screen goes dark: its line is gone."""
        self.awake = False
        if self._line is not None and self._line.open:
            self._line.hang_up()

    def lose(self) -> None:
        """Somebody has lost it: nobody says anything by it any more, or waits for its answers."""
        self.lost = True
        self.sleep()
        for _, answer in self._asked.values():
            if not answer.done():
                answer.set_result({"ok": False})
        self._asked.clear()

    def wake(self, language: str = "") -> None:
        """The screen is looked at again, perhaps in another language."""
        self.language = language or self.language
        if language:
            self.epoch = None  # the page is loaded anew
        self.awake = True
        self.connect()

    def _heard(self, frame: dict[str, Any] | None) -> None:
        if frame is None:
            asyncio.get_running_loop().call_later(self._chance.uniform(*AGAIN_S), self.connect)
            return
        kind = frame["kind"]
        if kind == "answer":
            asked = self._asked.pop(str(frame["id"]), None)
            if asked is not None and not asked[1].done():
                asked[1].set_result(frame)
            return
        if kind == "snapshot":
            self.epoch, self.n, self.status, self.view = (
                frame["epoch"],
                frame["n"],
                frame["board"],
                frame["view"],
            )
            self.may = frame.get("may", {})
            self.told = []
            self.to_act = ()
            for told in frame["told"]:
                self._take_told(told)
        elif "n" in frame:
            self.n = frame["n"]
        if kind == "board":
            self.status = frame["board"]
        elif kind == "view":
            self.view, self.may = frame["view"], frame.get("may", {})
        elif kind == "told":
            self._take_told(frame["told"])
        for listener in self.listeners:
            listener(frame)

    def _take_told(self, told: dict[str, Any]) -> None:
        self.told.append(told)
        if told["kind"] in ("turn", "over"):
            self.to_act = tuple(told.get("to_act", ()))

    async def say(self, text: str) -> dict[str, Any]:
        """Say it for the seat; what was answered."""
        if self.lost:
            return {"ok": False}
        self._count += 1
        id_ = f"{self._address} {self._count}"  # no other device of the seat has the same
        message = {"do": "say", "id": id_, "text": text}
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[id_] = message, answer
        if self._line is not None and self._line.open:
            self._line.send(message)
        while not answer.done():
            try:
                async with asyncio.timeout(LOST_S):
                    return await asyncio.shield(answer)
            except TimeoutError:
                if self._line is not None and self._line.open:
                    self._line.send(message)
        return answer.result()
