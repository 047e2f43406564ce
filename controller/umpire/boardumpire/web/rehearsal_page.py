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


def rehearsal_server(
    board: BoardDescription,
    virtual: VirtualBoard,
    page: str,
    listening: socket.socket,
    cut_power: Callable[[float], None],
) -> Server:
    """The server of that page, at a socket that listens on this machine alone: whoever opens it has hands.

    `page`: where the page of the table is; `cut_power`: as `PowerCycledService.cut_power`.
    """
    game = board.games[0]
    printed = {**board_as_json(board), "looks": piece_looks(game)}
    near = registry.new(game).seats[0]
    data = {"name": board.name, "page": page, "near": near, "printed": printed}
    about = {ABOUT_PLACEHOLDER: json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")}
    assets = Assets("boardumpire.web", virtual.static_package)

    async def respond(request: Request) -> Response:
        return assets.respond(request, "rehearsal.html", about)

    async def respond_file(request: Request) -> Response:
        return assets.respond(request, request.path_params["name"])

    routes = [
        Route("/", respond),
        *virtual.routes(lambda asks: True, cut_power),
        Route("/{name}", respond_file),
    ]
    app = RequestGuard(Starlette(routes=routes), (), lambda asks: None)
    return Server(app, *listening.getsockname()[:2], listening=listening)
