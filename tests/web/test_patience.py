"""How long the page waits for whoever is late, in virtual time: for a head, a body, a screen's first word."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
import uvicorn
from starlette.websockets import WebSocket

from boardumpire.web import limits
from boardumpire.web.connection import Connection, ServerState, SocketConnection
from boardumpire.web.screen import AnswerMemory, ScreenSession
from boardumpire.web.screen_hub import ScreenHub
from evenings import virtual_loop
from web.desks import ToyDesk

HEAD = b"POST /table/do HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"
ASKED = b"GET /about.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
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
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


def lasts(first: bytes, again: bytes, every_s: float = BYTE_S, then: bytes = b"") -> float:
    """For how long a line is held, 100 s at most, on which something comes first, and then something again
    and again; `then`: what comes once the first is answered."""

    async def scene() -> float:
        config = uvicorn.Config(
            _app,
            http=Connection,
            ws=SocketConnection,
            lifespan="off",
            log_config=None,
            timeout_keep_alive=int(limits.KEEP_ALIVE_S),
        )
        config.load()
        line, loop = Line(), asyncio.get_running_loop()
        line.protocol = Connection(config, ServerState(), {})
        line.protocol.connection_made(line)
        if first:
            line.protocol.data_received(first)
        if then:
            await asyncio.sleep(1)
            line.protocol.data_received(then)
        began = loop.time()
        while line.ended is None and loop.time() - began < 100:
            await asyncio.sleep(every_s)
            if again and line.ended is None:
                line.protocol.data_received(again)
        line.protocol.connection_lost(None)
        return (line.ended or loop.time()) - began

    return virtual_loop.run(scene())


@pytest.mark.parametrize("byte", [b"", b"a"], ids=["silent", "a byte now and then"])
@pytest.mark.parametrize("first", [b"", HEAD[:9], HEAD], ids=["nothing", "half a head", "no body"])
def test_a_head_and_a_body_take_five_seconds_at_most(first: bytes, byte: bytes) -> None:
    """Whatever comes meanwhile: a byte begins nothing anew."""
    assert lasts(first, byte) == pytest.approx(limits.REQUEST_TIMEOUT_S, abs=0.01)


@pytest.mark.parametrize("byte", [b"", b"a"], ids=["silent", "a byte now and then"])
def test_a_second_head_takes_five_seconds_at_most(byte: bytes) -> None:
    assert lasts(ASKED, byte, then=b"G") == pytest.approx(limits.REQUEST_TIMEOUT_S, abs=0.01)


def test_a_line_that_asks_now_and_then_is_kept() -> None:
    """A deadline is for a request, not for a connection: a browser keeps its own for the next."""
    assert lasts(ASKED, ASKED, every_s=limits.KEEP_ALIVE_S - 1) >= 100
    assert lasts(ASKED, ASKED, every_s=limits.KEEP_ALIVE_S + 1) == pytest.approx(
        limits.KEEP_ALIVE_S, abs=0.01
    )


def screen_lasts(*said: Any) -> tuple[float, list[Any]]:
    """For how long a screen is talked to, 100 s at most, that says this at once and no more, and what it is
    sent."""

    async def scene() -> tuple[float, list[Any]]:
        loop = asyncio.get_running_loop()
        words = iter([{"type": "websocket.connect"}, *said])
        sent: list[Any] = []

        async def receive() -> Any:
            return next(words, None) or await loop.create_future()

        async def send(message: Any) -> None:
            sent.append(message)

        desk, began = ToyDesk(), loop.time()
        socket = WebSocket({"type": "websocket", "client": None, "headers": []}, receive, send)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(
                ScreenSession(desk, ScreenHub(desk), None, AnswerMemory()).serve(socket), 100
            )
        return loop.time() - began, sent

    return virtual_loop.run(scene())


def test_a_screen_says_its_first_word_within_five_seconds() -> None:
    lasted, sent = screen_lasts()
    assert lasted == pytest.approx(limits.REQUEST_TIMEOUT_S, abs=0.01)
    assert sent[-1]["type"] == "websocket.close"
    assert sent[-1]["code"] == 1008


def test_a_screen_that_has_said_hello_may_be_silent() -> None:
    """The deadline is for the first word alone."""
    hello = {"type": "websocket.receive", "text": json.dumps({"do": "hello", "epoch": None, "n": 0})}
    lasted, sent = screen_lasts(hello)
    assert lasted >= 100
    assert sent[-1]["type"] == "websocket.send"
