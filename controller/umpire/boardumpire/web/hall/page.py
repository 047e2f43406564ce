"""The hall's page: all boards that a broker tells of, for a screen on the wall and for whoever looks in.

/                the screen, in English
/boards.json     `since=N`: the boards that changed after revision N, as soon as one did
                 (`BoardList.changes_since`)
/healthz         `ok`, or with 503 that the broker is away

It knows no more than the broker tells, and whoever sees the page may know all of it.
"""

from __future__ import annotations

import asyncio
import contextlib

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from boardumpire.service.config import MqttSection, PageSection, parse_listen_address, parse_networks
from boardumpire.supervision import keep_running
from boardumpire.web.assets import Assets
from boardumpire.web.hall.board_list import BoardList
from boardumpire.web.hall.broker_listener import BrokerListener
from boardumpire.web.request_guard import RequestGuard
from boardumpire.web.server import Server

STATIC_FILES = ("hall.js", "hall.css", "shared.js", "style.css", "icon.svg")
LONG_POLL_TIMEOUT_S = 20.0
"""How long an answer waits for something new."""
CHANGE_BATCH_S = 0.25
"""How long changes are gathered before they are told: many boards change at once."""


class HallPage:
    """The page and its listener, from `start` to `stop`."""

    def __init__(self, section: PageSection, broker: MqttSection, name: str) -> None:
        where = parse_listen_address(section.listen)
        assert where is not None, "the configuration was read"
        self.boards = BoardList()
        self._changed = asyncio.Event()
        self._listening = BrokerListener(broker, self._apply_payload, name)
        self._assets = Assets("boardumpire.web")
        app = Starlette(
            routes=[
                Route("/", self._screen),
                Route("/boards.json", self._boards),
                Route("/healthz", self._health),
                *(Route(f"/{name}", self._file) for name in STATIC_FILES),
            ]
        )
        guarded = RequestGuard(
            app, section.names.split(), lambda asks: None, parse_networks(section.proxy) or ()
        )
        self._server = Server(guarded, *where, section.certificate, section.key)

    async def start(self) -> None:
        """Listen, to browsers and to the broker. Raises as `Server.start`."""
        await self._server.start()
        self._task = keep_running(self._listening.run, "what listens to the broker")

    @property
    def origin(self) -> str:
        """Where this machine itself finds it."""
        return self._server.origin

    async def stop(self) -> None:
        """Hang up."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._changed.set()
        self._server.stop()
        await self._server.wait_closed()

    def _apply_payload(self, topic: str, payload: bytes) -> None:
        if self.boards.apply_payload(topic, payload):
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()

    async def _screen(self, request: Request) -> Response:
        return self._assets.respond(request, "hall.html")

    async def _file(self, request: Request) -> Response:
        return self._assets.respond(request, request.url.path.removeprefix("/"))

    async def _health(self, request: Request) -> Response:
        well = self._listening.is_connected
        return PlainTextResponse("ok\n" if well else "the broker is away\n", 200 if well else 503)

    async def _boards(self, request: Request) -> Response:
        word = request.query_params.get("since", "0")
        since = int(word) if word.isascii() and word.isdecimal() and len(word) < 16 else 0
        if since > self.boards.revision:
            since = 0  # of a hall before this one
        if since and since == self.boards.revision:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LONG_POLL_TIMEOUT_S):
                    await self._changed.wait()
                await asyncio.sleep(CHANGE_BATCH_S)
        return JSONResponse({**self.boards.changes_since(since), "broker": self._listening.is_connected})
