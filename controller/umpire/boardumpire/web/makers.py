"""The makers' screen: `/makers`, for devices with the table's link alone.

/makers                    the screen
/makers/state.json         what it shows now
/makers/do                 POST {"do": "start", "what": "doctor"}, {"do": "answer", "yes": true, "asked": 3},
                           {"do": "stop"}, {"do": "record", "on": true}, {"do": "replay", "name": ...}
/makers/faults.txt         what went wrong lately, a line each
/makers/traces/NAME.svg    a trace over time (`from`, `to` in seconds)
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from boardumpire.errors import BoardumpireError, public_error_text
from boardumpire.makers.workshop import Workshop
from boardumpire.web.assets import CONTENT_TYPES, Assets
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
            Route("/makers/do", self._run_command, methods=["POST"]),
            Route("/makers/faults.txt", self._list_faults),
            Route("/makers/traces/{name}.svg", self._draw_trace),
        ]

    async def _screen(self, request: Request) -> Response:
        if not self._may(request):
            return _refusal_response()
        return self._assets.respond(request, "makers.html")

    async def _state(self, request: Request) -> Response:
        return JSONResponse(self._workshop.screen_state()) if self._may(request) else _refusal_response()

    async def _run_command(self, request: Request) -> Response:
        if not self._may(request):
            return _refusal_response()
        try:
            wanted = json.loads(await request.body())
        except (ValueError, RecursionError):
            return PlainTextResponse("expected one JSON object\n", 400)
        workshop = self._workshop
        said = ""
        try:
            match wanted:
                case {"do": "start", "what": str(what)}:
                    workshop.start_examination(what)
                case {"do": "answer", "yes": bool(yes), "asked": int(asked)}:
                    workshop.answer(yes, asked)
                case {"do": "stop"}:
                    workshop.stop_examination()
                case {"do": "record", "on": bool(on)}:
                    workshop.set_tracing(on)
                case {"do": "replay", "name": str(name)}:
                    said = await asyncio.to_thread(workshop.replay_trace, name)
                case _:
                    return PlainTextResponse("nothing that the workshop does\n", 400)
        except (BoardumpireError, BoardwareError) as error:
            return self._error_response(error, 409)
        return JSONResponse({**workshop.screen_state(), "said": said})

    async def _list_faults(self, request: Request) -> Response:
        if not self._may(request):
            return _refusal_response()
        try:
            faults = self._workshop.recent_faults()
        except BoardumpireError as error:
            return self._error_response(error, 503)
        return PlainTextResponse("".join(f"{line}\n" for line in faults))

    async def _draw_trace(self, request: Request) -> Response:
        if not self._may(request):
            return _refusal_response()
        try:
            start, end = (_query_milliseconds(request, key) for key in ("from", "to"))
            drawn = await asyncio.to_thread(
                self._workshop.draw_trace, f"{request.path_params['name']}.trace", start or 0, end
            )
        except (ValueError, OverflowError):
            return PlainTextResponse("from, to: expected seconds\n", 400)
        except BoardumpireError as error:
            return self._error_response(error, 404)
        return Response(drawn, media_type=CONTENT_TYPES["svg"])

    def _error_response(self, error: Exception, status: int) -> Response:
        """Names the file, not the folder of this machine in which it lies."""
        return PlainTextResponse(
            f"{public_error_text(error)}\n".replace(f"{self._workshop.folder}/", ""), status
        )


def _query_milliseconds(request: Request, key: str) -> int | None:
    text = request.query_params.get(key)
    return None if text is None else round(float(text) * 1000)


def _refusal_response() -> Response:
    return PlainTextResponse("the makers' screen is for devices with the table's link\n", 403)
