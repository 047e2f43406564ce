"""What is served while the board is not complete yet: what it waits for, in the language of who asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardumpire.service.config import PageSection, parse_listen_address, parse_networks
from boardumpire.web import health
from boardumpire.web.assets import Assets
from boardumpire.web.health import ObservedService
from boardumpire.web.page_language import _, notice_page, screen_language
from boardumpire.web.request_guard import RequestGuard
from boardumpire.web.seat_links import TABLE_LINK
from boardumpire.web.server import Server

RELOAD_S = 3
"""A browser asks again after so many seconds."""


class WaitingPage:
    """A page without a table. It tells nothing of any game."""

    def __init__(
        self, section: PageSection, missing: Callable[[], Sequence[str]], observed: ObservedService
    ) -> None:
        """`missing`: what is waited for, each as a sentence in English, as drivers say it."""
        where = parse_listen_address(section.listen)
        assert where is not None, "the configuration was read"
        self._missing = missing
        self._assets = Assets("boardumpire.web")
        app = Starlette(
            routes=[
                *health.health_routes(observed, parse_networks(section.metrics) or ()),
                Route("/style.css", self._file),
                Route("/icon.svg", self._file),
                Route("/{path:path}", self._reply, methods=["GET", "POST"]),
            ]
        )
        guarded = RequestGuard(
            app, section.names.split(), lambda asks: None, parse_networks(section.proxy) or ()
        )
        self._server = Server(guarded, *where, section.certificate, section.key)

    async def start(self) -> None:
        """Listen. Raises as `Server.start`."""
        await self._server.start()

    def stop(self) -> None:
        """Hang up. Stopping twice is allowed."""
        self._server.stop()

    async def wait_closed(self) -> None:
        """After `stop`: until whoever was being answered has heard of it."""
        await self._server.wait_closed()

    async def _file(self, request: Request) -> Response:
        return self._assets.respond(request, request.url.path.removeprefix("/"))

    async def _reply(self, request: Request) -> Response:
        answer = notice_page(
            screen_language(request, TABLE_LINK),
            _("A part of the board is missing"),
            _("The game goes on by itself as soon as it is back. Missing: {parts}"),
            503,
            parts=", ".join(self._missing()),
        )
        answer.headers["refresh"] = answer.headers["retry-after"] = str(RELOAD_S)
        answer.headers["cache-control"] = "no-store"
        return answer
