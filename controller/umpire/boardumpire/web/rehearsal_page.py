"""A simulated board alone on a page, while its table is another process: pieces, lamps and buttons."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardrules import registry
from boardumpire.web.assets import Assets
from boardumpire.web.board_description import board_as_json, piece_looks
from boardumpire.web.request_guard import RequestGuard
from boardumpire.web.saved_game import ABOUT_PLACEHOLDER
from boardumpire.web.served_page import VirtualBoard
from boardumpire.web.server import Server
from boardware.parts import BoardDescription


class RehearsalPage:
    """The page, at a socket that listens on this machine alone: whoever opens it has hands."""

    def __init__(
        self,
        board: BoardDescription,
        virtual: VirtualBoard,
        page: str,
        listening: socket.socket,
        cut_power: Callable[[float], None],
    ) -> None:
        """`page`: where the page of the table is; `cut_power`: as `PowerCycledService.cut_power`."""
        game = board.games[0]
        printed = {**board_as_json(board), "looks": piece_looks(game)}
        near = registry.new(game).seats[0]
        about = {"name": board.name, "page": page, "near": near, "printed": printed}
        self._about = json.dumps(about, separators=(",", ":")).replace("<", "\\u003c")
        self._assets = Assets("boardumpire.web", virtual.static_package)
        app = Starlette(
            routes=[
                Route("/", self._screen),
                *virtual.routes(lambda asks: True, cut_power),
                Route("/{name}", self._file),
            ]
        )
        address, port = listening.getsockname()[:2]
        self._server = Server(RequestGuard(app, (), lambda asks: None), address, port, listening=listening)

    async def start(self) -> None:
        """Listen. Raises as `Server.start`."""
        await self._server.start()

    @property
    def origin(self) -> str:
        """Where it is found."""
        return self._server.origin

    async def stop(self) -> None:
        """Hang up."""
        self._server.stop()
        await self._server.wait_closed()

    async def _screen(self, request: Request) -> Response:
        return self._assets.respond(request, "rehearsal.html", {ABOUT_PLACEHOLDER: self._about})

    async def _file(self, request: Request) -> Response:
        return self._assets.respond(request, request.path_params["name"])
