"""A plain client: HTTP and WebSocket byte by byte, so that tests can send what no browser would."""

from __future__ import annotations

import http.client
import json
import select
import socket
from collections.abc import Callable
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    CloseConnection,
    Message,
    Ping,
    RejectConnection,
    RejectData,
    Request,
    TextMessage,
)

PATIENCE_S = 20.0
"""Until whoever is asked has answered, on a real processor."""


class Answer:
    """What came back on a request."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def text(self) -> str:
        return self.body.decode()


def ask(
    origin: str,
    path: str,
    method: str = "GET",
    body: bytes | None = None,
    source: str = "",
    patience_s: float = PATIENCE_S,
    **headers: str,
) -> Answer:
    """One request, sent as it is, from the address `source`. Header names are written with `_` for `-`."""
    here = (source, 0) if source else None
    line = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=patience_s, source_address=here)
    try:
        line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        return Answer(line.getresponse())
    finally:
        line.close()


def apart(may: dict[str, Any]) -> dict[str, Any]:
    """What a seat may do, as it was sent, with the targets of each origin named (`feed.group_moves`)."""
    to, by = may["moves"]["to"], may["moves"]["by"]
    moves = {
        origin: [each for place, each in enumerate(to) if int(digits[place // 4], 16) >> place % 4 & 1]
        for origin, digits in by.items()
    }
    return {**may, "moves": moves}


def sit_down(origin: str, link: str, patience_s: float = PATIENCE_S) -> str:
    """Take a seat; the cookie that says so."""
    answer = ask(origin, link.removeprefix(origin), "POST", patience_s=patience_s, Origin=origin)
    assert answer.status == 303, answer.text
    return answer.headers["set-cookie"].partition(";")[0]


def sized(message: dict[str, Any]) -> str:
    """A message of the page, as long as all of them."""
    bare = len(json.dumps({**message, "pad": ""}))
    return json.dumps({**message, "pad": " " * (-bare % 1024)})


class Socket:
    """A WebSocket: `refused` is (status, word) where it was not opened, `closed` (code, word) at its end."""

    def __init__(
        self,
        origin: str,
        path: str,
        *,
        cookie: str = "",
        claims: str | None = "",
        source: str = "",
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`source`: the address that it comes from, where that counts."""
        host, _, port = origin.removeprefix("http://").partition(":")
        here = (source, 0) if source else None
        self._line = socket.create_connection((host, int(port)), patience_s, here)
        self._ws = WSConnection(ConnectionType.CLIENT)
        self.raw: list[str] = []
        self.refused: tuple[int, str] | None = None
        self.closed: tuple[int, str] | None = None
        self._open = False
        headers = [(b"cookie", cookie.encode())] if cookie else []
        if claims is not None:
            headers.append((b"origin", (claims or origin).encode()))
        self._line.sendall(self._ws.send(Request(f"{host}:{port}", path, extra_headers=headers)))
        self._told = False
        while not self._open and not (self.refused and self._told):
            self._take()

    def say(self, **message: Any) -> None:
        """Send a message filled up as the page does it."""
        self.send(sized(message))

    def send(self, text: str | bytes) -> None:
        self._line.sendall(self._ws.send(Message(text)))

    def hello(self, epoch: object = None, number: object = 0) -> dict[str, Any]:
        self.say(do="hello", epoch=epoch, n=number)
        return self.until("snapshot")

    def answered(self, id_: str) -> dict[str, Any]:
        """The answer to what was said under that id."""
        return self._find(lambda frame: frame.get("kind") == "answer" and frame.get("id") == id_)

    def until(self, kind: str) -> dict[str, Any]:
        """The next frame of this kind."""
        return self._find(lambda frame: frame["kind"] == kind)

    def latest(self, kind: str) -> dict[str, Any]:
        """The newest frame of this kind, of all that have come by now."""
        self.until(kind)
        while select.select([self._line], [], [], 0)[0]:
            self._take()
        frames = [json.loads(text) for text in self.raw]
        return next(frame for frame in reversed(frames) if frame["kind"] == kind)

    def until_shown(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first frame that fits."""
        return self._find(fits)

    def _find(self, fits: Any) -> dict[str, Any]:
        seen = 0
        while True:
            for text in self.raw[seen:]:
                seen += 1
                frame: dict[str, Any] = json.loads(text)
                if fits(frame):
                    return frame
            assert self.closed is None, self.closed
            self._take()

    def take(self) -> None:
        """Wait for something that comes."""
        self._take()

    def quiet(self, seconds: float) -> None:
        """Take what comes until nothing has come for so long."""
        while select.select([self._line], [], [], seconds)[0]:
            assert self.closed is None, self.closed
            self._take()

    def newest_with(self, key: str) -> dict[str, Any]:
        """The newest frame that has this key."""
        frames = (json.loads(text) for text in reversed(self.raw))
        found: dict[str, Any] = next(frame for frame in frames if key in frame)
        return found

    def until_newest(self, kind: str) -> dict[str, Any]:
        """The newest frame of this kind, waited for if there is none yet."""
        self.until(kind)
        frames = (json.loads(text) for text in reversed(self.raw))
        found: dict[str, Any] = next(frame for frame in frames if frame["kind"] == kind)
        return found

    def until_closed(self) -> tuple[int, str]:
        while self.closed is None:
            self._take()
        return self.closed

    def _take(self) -> None:
        data = self._line.recv(1 << 16)
        self._ws.receive_data(data or None)
        for event in self._ws.events():
            match event:
                case AcceptConnection():
                    self._open = True
                case RejectConnection(status_code=status):
                    self.refused = (status, "")
                    self._told = not event.has_body
                case RejectData(data=part):
                    assert self.refused is not None
                    self.refused = (self.refused[0], (self.refused[1] + bytes(part).decode()).rstrip("\n"))
                    self._told = event.body_finished
                case TextMessage(data=text):
                    self._part = getattr(self, "_part", "") + text
                    if event.message_finished:
                        self.raw.append(self._part)
                        self._part = ""
                case Ping():
                    self._line.sendall(self._ws.send(event.response()))
                case CloseConnection(code=code, reason=reason):
                    self.closed = (int(code), reason or "")
        if not data and self.closed is None:
            self.closed = (1006, "")

    def close(self) -> None:
        self._line.close()
