"""How long lamps take to answer a lifted piece while the page is flooded, in units of the same in peace.

A whole daemon in a process of its own over the simulated board: a hand lifts a piece over a socket, and the
time runs until the lamps' new colours come back on it. The flood is a process of its own too: connections
from many addresses of the loopback that ask as fast as they are answered, and others that say nothing.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import socket
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Message, Ping, Request, TextMessage

from boardlab.benchmarks.measure import BenchmarkResult
from boardlab.benchmarks.page import PageDaemon
from boardumpire.web.limits import PADDED_MESSAGE_BYTES

SETUPS_BY_SEAT = {
    "red": "a1=F b1=B a2=B d3=9 e3=3 h3=2 g3=10 b3=3 c1=S a3=2",
    "blue": "a8=F b8=B b7=B d6=S e6=3 h6=2 g6=10 f8=9 d8=3 c7=2",
}
LIFTED_SPACE = "d3"
TARGET_SPACE = "d4"
"""Lit while that piece is up, as it may go there, and at no other time."""
PATIENCE_S = 60.0
"""What doesn't come within that time won't come at all."""


class PageSocket:
    """A WebSocket of the page."""

    def __init__(self, origin: str, path: str, cookie: str) -> None:
        host, _, port = origin.removeprefix("http://").partition(":")
        self._line = socket.create_connection((host, int(port)), 60)
        self._ws = WSConnection(ConnectionType.CLIENT)
        self._texts: list[dict[str, Any]] = []
        self._part = ""
        headers = [(b"cookie", cookie.encode()), (b"origin", origin.encode())]
        self._line.sendall(self._ws.send(Request(f"{host}:{port}", path, extra_headers=headers)))
        self._open = False
        while not self._open:
            self._take()

    def say(self, **message: Any) -> None:
        # As long as all that the page says: no length tells an army.
        bare = len(json.dumps({**message, "pad": ""}))
        text = json.dumps({**message, "pad": " " * (-bare % PADDED_MESSAGE_BYTES)})
        self._line.sendall(self._ws.send(Message(text)))

    def wait_for_frame(self, **fits: Any) -> dict[str, Any]:
        """The next frame that holds these; what came before it is forgotten. Raises `TimeoutError`."""
        end = time.monotonic() + PATIENCE_S
        while True:
            while self._texts:
                frame = self._texts.pop(0)
                if fits.items() <= frame.items():
                    return frame
            if time.monotonic() > end:  # pings go on where nothing else is said
                raise TimeoutError(f"no frame that holds {fits}")
            self._take()

    def _take(self) -> None:
        self._ws.receive_data(self._line.recv(1 << 16) or None)
        for event in self._ws.events():
            match event:
                case AcceptConnection():
                    self._open = True
                case TextMessage(data=text):
                    self._part += text
                    if event.message_finished:
                        self._texts.append(json.loads(self._part))
                        self._part = ""
                case Ping():
                    self._line.sendall(self._ws.send(event.response()))


class BenchmarkDaemon:
    """A daemon in play."""

    def __init__(self, page: PageDaemon) -> None:
        self.origin = page.origin
        cookies = {name: page.sit(name) for name in page.links}
        self.hands = PageSocket(self.origin, "/hands", cookies["table"])
        pieces: dict[str, int] = {}
        for seat, army in SETUPS_BY_SEAT.items():
            spaces = [word.partition("=")[0] for word in army.split()]
            self.hands.say(do="lay-out", seat=seat, spaces=spaces)
            while not set(spaces) <= pieces.keys():
                for piece in self.hands.wait_for_frame(kind="world")["pieces"]:
                    if piece["is"] == "stands":
                        pieces[piece["slot"]] = piece["id"]
            screen = PageSocket(self.origin, f"/socket/{seat}", cookies[seat])
            screen.say(do="hello")
            screen.say(do="say", id="army", text=f"setup {army}")
            answer = screen.wait_for_frame(kind="answer")
            assert answer["ok"], answer
        # A piece that is lifted before the last army has been taken is asked for, and no turn begins.
        while screen.wait_for_frame(kind="view")["view"]["phase"] != "play":
            pass
        self._piece = pieces[LIFTED_SPACE]

    def lift(self) -> float:
        """Seconds from a lifted piece to lamps that show it; then it is home again. Raises `TimeoutError`."""
        start = time.perf_counter()
        self.hands.say(do="grab", piece=self._piece, lift=True)
        self._wait_for_lamps(ahead=True)
        took = time.perf_counter() - start
        self.hands.say(do="drop", piece=self._piece)
        self._wait_for_lamps(ahead=False)
        return took

    def _wait_for_lamps(self, *, ahead: bool) -> None:
        """Until they show whether the piece is up. While it is, its own lamp pulses: each time is a frame."""
        end = time.monotonic() + PATIENCE_S
        while (TARGET_SPACE in self.hands.wait_for_frame(kind="lamps")["lit"]) != ahead:
            if time.monotonic() > end:
                raise TimeoutError(f"lamps never show that {LIFTED_SPACE} is {'lifted' if ahead else 'home'}")


def _flood(address: tuple[str, int], until: float) -> None:
    ask = f"GET /about.json HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n\r\n".encode()
    lines: list[socket.socket] = []
    number = 0
    while time.monotonic() < until:
        number += 1
        with contextlib.suppress(OSError):
            line = socket.socket()
            lines.append(line)
            line.settimeout(0.2)
            line.bind((f"127.0.{1 + number % 250}.7", 0))
            line.connect(address)
            if number % 2:
                line.sendall(ask)
                line.recv(1 << 16)
        while len(lines) > 200:
            lines.pop(0).close()


def run(*, quick: bool) -> list[BenchmarkResult]:
    """Measure lifts without and with a flood, in turns."""
    lifts, rounds = (5, 1) if quick else (20, 3)
    calm: list[float] = []
    flooded: list[float] = []
    with tempfile.TemporaryDirectory() as directory:
        page = PageDaemon(Path(directory))
        try:
            board = BenchmarkDaemon(page)
            for _ in range(rounds):
                calm += [board.lift() for _ in range(lifts)]
                flood = multiprocessing.Process(
                    target=_flood, args=((page.host, page.port), time.monotonic() + 60), daemon=True
                )
                flood.start()
                flooded += [board.lift() for _ in range(lifts)]
                flood.terminate()
                flood.join()
        finally:
            page.close()
    return [
        BenchmarkResult("lift to lamps under a flood", median(flooded) / median(calm), "x without"),
        BenchmarkResult(
            "worst lift to lamps under a flood", max(flooded) / median(calm), "x the median without"
        ),
    ]
