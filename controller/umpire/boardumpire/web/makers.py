"""The makers' screen: `/makers`, for devices with the table's link alone.

/makers                    the screen
/makers/state.json         what it shows now
/makers/do                 POST {"do": "start", "what": "doctor"}, {"do": "answer", "yes": true, "asked": 3},
                           {"do": "stop"}, {"do": "record", "on": true}, {"do": "replay", "name": ...}
/makers/traces/NAME.svg    a trace over time (`from`, `to` in seconds)
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from boardumpire.errors import BoardumpireError, public_error
from boardumpire.makers.workshop import Workshop
from boardumpire.web.assets import TYPES, Assets
from boardware.errors import BoardwareError


class MakersScreen:
    """The routes of one workshop; `may` says whether a device may use it."""

    def __init__(self, workshop: Workshop, assets: Assets, may: Callable[[HTTPConnection], bool]) -> None:
        self._workshop = workshop
        self._assets = assets
        self._may = may

    def routes(self) -> Sequence[BaseRoute]:
        """All of them."""
        return [
            Route("/makers", self._screen),
            Route("/makers/state.json", self._state),
            Route("/makers/do", self._do, methods=["POST"]),
            Route("/makers/traces/{name}.svg", self._draw),
        ]

    async def _screen(self, request: Request) -> Response:
        if not self._may(request):
            return _refused()
        return self._assets.answer(request, "makers.html")

    async def _state(self, request: Request) -> Response:
        return JSONResponse(self._workshop.state()) if self._may(request) else _refused()

    async def _do(self, request: Request) -> Response:
        if not self._may(request):
            return _refused()
        try:
            wanted = json.loads(await request.body())
        except (ValueError, RecursionError):
            return PlainTextResponse("expected one JSON object\n", 400)
        workshop = self._workshop
        said = ""
        try:
            match wanted:
                case {"do": "start", "what": str(what)}:
                    workshop.start(what)
                case {"do": "answer", "yes": bool(yes), "asked": int(asked)}:
                    workshop.answer(yes, asked)
                case {"do": "stop"}:
                    workshop.stop()
                case {"do": "record", "on": bool(on)}:
                    workshop.record(on)
                case {"do": "replay", "name": str(name)}:
                    said = await asyncio.to_thread(workshop.replayed, name)
                case _:
                    return PlainTextResponse("nothing that the workshop does\n", 400)
        except (BoardumpireError, BoardwareError) as error:
            return self._failed(error, 409)
        return JSONResponse({**workshop.state(), "said": said})

    async def _draw(self, request: Request) -> Response:
        if not self._may(request):
            return _refused()
        try:
            start, end = (_milliseconds(request, key) for key in ("from", "to"))
            drawn = await asyncio.to_thread(
                self._workshop.drawn, f"{request.path_params['name']}.trace", start or 0, end
            )
        except (ValueError, OverflowError):
            return PlainTextResponse("from, to: expected seconds\n", 400)
        except BoardumpireError as error:
            return self._failed(error, 404)
        return Response(drawn, media_type=TYPES["svg"])

    def _failed(self, error: Exception, status: int) -> Response:
        """Names the file, not the folder of this machine in which it lies."""
        return PlainTextResponse(f"{public_error(error)}\n".replace(f"{self._workshop.folder}/", ""), status)


def _milliseconds(request: Request, key: str) -> int | None:
    text = request.query_params.get(key)
    return None if text is None else round(float(text) * 1000)


def _refused() -> Response:
    return PlainTextResponse("the makers' screen is for devices with the table's link\n", 403)
