"""How long the page waits for whoever is late, in virtual time: for a head, a body, a screen's first word."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import uvicorn
from starlette.websockets import WebSocket

from boardumpire.web import limits
from boardumpire.web.connection import Connection, ServerState, SocketConnection
from boardumpire.web.room import Room
from boardumpire.web.screen import Answers, Screen
from evenings import virtual_loop
from web.desks import ToyDesk

HEAD = b"POST /table/do HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"
BYTE_S = 0.5
"""How often somebody sends one more byte."""


class Line(asyncio.Transport):
    """A line to a browser, with nobody at its other end."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 1), "sockname": ("192.0.2.2", 80)})
        self.protocol: Any = None
        self.ended: float | None = None

    def abort(self) -> None:
        self.ended = self.ended or asyncio.get_running_loop().time()

    close = abort

    def is_closing(self) -> bool:
        return self.ended is not None

    def get_protocol(self) -> Any:
        return self.protocol

    def write(self, data: Any) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def _app(scope: Any, receive: Callable[[], Any], send: Any) -> None:
    while (await receive()).get("more_body"):
        pass


def lasts(first: bytes, byte: bytes) -> float:
    """For how long a line is held on which something comes first, and then a byte now and then."""

    async def scene() -> float:
        config = uvicorn.Config(_app, http=Connection, ws=SocketConnection, lifespan="off", log_config=None)
        config.load()
        line, loop = Line(), asyncio.get_running_loop()
        line.protocol = Connection(config, ServerState(), {})
        began = loop.time()
        line.protocol.connection_made(line)
        if first:
            line.protocol.data_received(first)
        while line.ended is None and loop.time() - began < 100:
            await asyncio.sleep(BYTE_S)
            if byte and line.ended is None:
                line.protocol.data_received(byte)
        line.protocol.connection_lost(None)
        return (line.ended or loop.time()) - began

    return virtual_loop.run(scene())


@pytest.mark.parametrize("byte", [b"", b"a"], ids=["silent", "a byte now and then"])
@pytest.mark.parametrize("first", [b"", HEAD[:9], HEAD], ids=["nothing", "half a head", "no body"])
def test_a_head_and_a_body_take_five_seconds_at_most(first: bytes, byte: bytes) -> None:
    """Whatever comes meanwhile: a byte begins nothing anew."""
    assert lasts(first, byte) == pytest.approx(limits.SILENCE_S, abs=0.01)


def test_a_screen_says_its_first_word_within_five_seconds() -> None:
    async def scene() -> tuple[float, list[Any]]:
        loop = asyncio.get_running_loop()
        said = iter([{"type": "websocket.connect"}])
        sent: list[Any] = []

        async def receive() -> Any:
            return next(said, None) or await loop.create_future()

        async def send(message: Any) -> None:
            sent.append(message)

        desk, began = ToyDesk(), loop.time()
        socket = WebSocket({"type": "websocket", "client": None, "headers": []}, receive, send)
        await asyncio.wait_for(Screen(desk, Room(desk), None, Answers()).serve(socket), 100)
        return loop.time() - began, sent

    lasted, sent = virtual_loop.run(scene())
    assert lasted == pytest.approx(limits.SILENCE_S, abs=0.01)
    assert sent[-1]["type"] == "websocket.close"
    assert sent[-1]["code"] == 1008
