"""What one person may do to everybody's table from a phone: POST /table/do.

{"do": "new", "wanted": {"clock": {"kind": "fischer", "base_s": 900, "extra_s": 10}}}
                                              `wanted` as `boardumpire.service.next_game`; needs no PIN: it is
                                              refused while a game goes on, and what is over can be read again
{"do": "sound", "pin": "493021", "on": false} whether the board's buzzer sounds
{"do": "shut-down", "pin": ...}               shuts the machine down
{"do": "update", "pin": ...}                  brings the program up to date
{"do": "links", "pin": ..., "renew": "red"}   a new link for a seat; its device has to leave

Only a device with a link of this table may do either, or try a PIN at all. GET /table.json says what there is
to choose, and to the table's own screen the PIN.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from boardrules.core import NO_SEAT, Seat
from boardumpire.errors import BoardumpireError, public_error
from boardumpire.messages import announce
from boardumpire.messages.languages import preferred_language
from boardumpire.web.host import PageHost
from boardumpire.web.limits import TokenBucket
from boardumpire.web.option_fields import offered, rule_sets, titles
from boardumpire.web.seat_links import TABLE
from boardumpire.web.table_pin import TablePin, TooManyAttempts, WrongPin

TRY_PIN = "try-pin"
FREE = ("new",)
"""What destroys nothing, and so needs no PIN."""
ASKS, ASKS_AT_ONCE = 1 / 120, 2
"""How many times a second the board may be asked for somebody who tries the PIN: others wait meanwhile."""


class PinRoutes:
    """The routes of one table's PIN."""

    def __init__(self, page: PageHost, pin: TablePin) -> None:
        self._page = page
        self._pin = pin
        self._asks = TokenBucket(ASKS, ASKS_AT_ONCE)

    def routes(self) -> Sequence[BaseRoute]:
        """All of them."""
        return [
            Route("/table.json", self._table),
            Route("/table/do", self._asked, methods=["POST"]),
        ]

    async def _table(self, request: Request) -> Response:
        if not self._page.sits_anywhere(request):
            return _refused()
        desk = self._page.desk
        following = desk.next_game()
        options, language = following.pop("options"), _spoken(request)
        offers, called = offered(options, language), titles(following["games"])
        sets = {game: rule_sets(game, options[game].get("players", 0), language) for game in options}
        return JSONResponse(
            {
                "next": {**following, "offers": offers, "titles": called, "sets": sets},
                "able": list(desk.machine_commands),
                "sound": desk.sound_on,
                "pin": self._pin.text if self._page.is_seated_at(request, TABLE) else "",
            }
        )

    async def _asked(self, request: Request) -> Response:
        holder = self._page.holder(request)
        if holder is None:
            return _refused()
        try:
            wanted = json.loads(await request.body())
            json.dumps(wanted, ensure_ascii=False).encode()  # half a surrogate pair is no text
        except (ValueError, RecursionError):
            wanted = None
        if not isinstance(wanted, dict):
            return PlainTextResponse("expected one JSON object with do\n", 400)
        free = wanted.get("do") in FREE
        if not free and not isinstance(wanted.get("pin"), str):
            return PlainTextResponse("expected one JSON object with do and pin\n", 400)
        try:
            if not free:
                self._pin.check(wanted["pin"], holder, request.client.host if request.client else "")
            return await self._done(wanted)
        except TooManyAttempts as error:
            said = announce.sentence_of("answer pin-prove") if self._asks_the_board() else public_error(error)
            return PlainTextResponse(f"{announce.translated(said, _spoken(request))}\n", 403)
        except BoardumpireError as error:
            said = announce.translated(public_error(error), _spoken(request))
            return PlainTextResponse(f"{said}\n", 403 if isinstance(error, WrongPin) else 409)

    def prove(self) -> None:
        """Somebody has pressed `confirm` at the board for the PIN."""
        self._pin.prove()

    def _asks_the_board(self) -> bool:
        """Whether those at the board are asked, by now, to prove that they are there."""
        desk = self._page.desk
        if not desk.has_table:
            return False
        if any(each["thing"] == TRY_PIN for each in desk.status()["proposals"]):
            return True
        return self._asks.take() and desk.propose(NO_SEAT, TRY_PIN)

    async def _done(self, wanted: Mapping[str, Any]) -> Response:
        desk = self._page.desk
        match wanted:
            case {"do": "new"} if isinstance(wanted.get("wanted", {}), dict):
                desk.begin_game(wanted.get("wanted"))
            case {"do": "sound", "on": bool(on)}:
                desk.set_sound(on)
            case {"do": "shut-down"}:
                await desk.shut_down()
            case {"do": "update"}:
                await desk.update()
            case {"do": "links", "renew": str(seat)} if seat in desk.seats and self._page.links.has(seat):
                self._page.renew(Seat(seat))
            case _:
                return PlainTextResponse("nothing that the table does\n", 400)
        return JSONResponse({"ok": True})


def _spoken(request: Request) -> str:
    """The language of the screen that asks. It says which: each of a device may have one of its own."""
    return preferred_language(request.headers.get("accept-language", ""))


def _refused() -> Response:
    return PlainTextResponse("that is for devices that have a link of this table\n", 403)
