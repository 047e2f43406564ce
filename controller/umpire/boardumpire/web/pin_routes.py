"""What one person may do to everybody's table from a phone: POST /table/do.

{"do": "new", "wanted": {"clock": {"kind": "fischer", "base_s": 900, "extra_s": 10}}}
                                              `wanted` as `boardumpire.service.next_game`; needs no PIN: it is
                                              refused while a game goes on, and what is over can be read again
{"do": "sound", "pin": "493021", "on": false} whether the board's buzzer sounds
{"do": "shut-down", "pin": ...}               shuts the machine down
{"do": "update", "pin": ...}                  brings the program up to date
{"do": "invite", "pin": ..., "board": "", "seat": "blue"}   a code for a further board on another machine
                                              (`board`: its description, by name)
{"do": "one-board", "pin": ...}               plays without that board again
{"do": "links", "pin": ..., "renew": "red"}   a new link for a seat; its device has to leave

Only a device with a link of this table may do either, or try a PIN at all. GET /table.json says what there is
to choose, and to the table's own screen the PIN.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from boardrules.core import NO_SEAT, Seat
from boardumpire.errors import BoardumpireError, public_error_text
from boardumpire.messages import announce
from boardumpire.messages.languages import preferred_language
from boardumpire.web.host import PageHost
from boardumpire.web.limits import TokenBucket
from boardumpire.web.option_fields import game_titles, offered_option_fields, rule_sets
from boardumpire.web.seat_links import TABLE_LINK
from boardumpire.web.table_pin import TablePin, TooManyAttempts, WrongPin

TRY_PIN = "try-pin"
COMMANDS_WITHOUT_PIN = ("new",)
"""What destroys nothing, and so needs no PIN."""
ASK_RATE_PER_S, ASK_BURST = 1 / 120, 2
"""How many times a second the board may be asked for somebody who tries the PIN: others wait meanwhile."""


class PinRoutes:
    """The routes of one table's PIN."""

    def __init__(self, page: PageHost, pin: TablePin) -> None:
        self._page = page
        self._pin = pin
        self._asks = TokenBucket(ASK_RATE_PER_S, ASK_BURST)

    def routes(self) -> Sequence[BaseRoute]:
        """All of them."""
        return [
            Route("/table.json", self._send_table_choices),
            Route("/table/do", self._handle_command, methods=["POST"]),
        ]

    async def _send_table_choices(self, request: Request) -> Response:
        if not self._page.has_any_link(request):
            return _refusal_response()
        table_api = self._page.table_api
        following = table_api.next_game_options()
        options, language = following.pop("options"), _request_language(request)
        offers, called = offered_option_fields(options, language), game_titles(following["games"])
        sets = {game: rule_sets(game, options[game].get("players", 0), language) for game in options}
        return JSONResponse(
            {
                "next": {**following, "offers": offers, "titles": called, "sets": sets},
                "able": list(table_api.machine_commands),
                "further": await asyncio.to_thread(table_api.further_board_choices),
                "sound": table_api.is_sound_on,
                "pin": self._pin.text if self._page.is_seated_at(request, TABLE_LINK) else "",
            }
        )

    async def _handle_command(self, request: Request) -> Response:
        holder = self._page.link_holder(request)
        if holder is None:
            return _refusal_response()
        try:
            wanted = json.loads(await request.body())
            json.dumps(wanted, ensure_ascii=False).encode()  # half a surrogate pair is no text
        except (ValueError, RecursionError):
            wanted = None
        if not isinstance(wanted, dict):
            return PlainTextResponse("expected one JSON object with do\n", 400)
        free = wanted.get("do") in COMMANDS_WITHOUT_PIN
        if not free and not isinstance(wanted.get("pin"), str):
            return PlainTextResponse("expected one JSON object with do and pin\n", 400)
        try:
            if not free:
                self._pin.check_pin(wanted["pin"], holder, request.client.host if request.client else "")
            return await self._carry_out(wanted)
        except TooManyAttempts as error:
            said = (
                announce.sentence_by_id("answer pin-prove")
                if self._request_presence_proof()
                else public_error_text(error)
            )
            return PlainTextResponse(f"{announce.translate(said, _request_language(request))}\n", 403)
        except BoardumpireError as error:
            said = announce.translate(public_error_text(error), _request_language(request))
            return PlainTextResponse(f"{said}\n", 403 if isinstance(error, WrongPin) else 409)

    def note_presence_proof(self) -> None:
        """Somebody has pressed `confirm` at the board for the PIN."""
        self._pin.note_presence_proof()

    def _request_presence_proof(self) -> bool:
        """Whether those at the board are asked, by now, to prove that they are there."""
        table_api = self._page.table_api
        if not table_api.has_table:
            return False
        if any(each["thing"] == TRY_PIN for each in table_api.status()["proposals"]):
            return True
        return self._asks.take_token() and table_api.propose(NO_SEAT, TRY_PIN)

    async def _carry_out(self, wanted: Mapping[str, Any]) -> Response:
        table_api = self._page.table_api
        match wanted:
            case {"do": "new"} if isinstance(wanted.get("wanted", {}), dict):
                table_api.begin_game(wanted.get("wanted"))
            case {"do": "sound", "on": bool(on)}:
                table_api.set_sound(on)
            case {"do": "shut-down"}:
                await table_api.shut_down()
            case {"do": "update"}:
                await table_api.update_program()
            case {"do": "invite", "board": str(board), "seat": str(seat)}:
                return JSONResponse(table_api.invite_board(board, seat))
            case {"do": "one-board"}:
                table_api.remove_further_board()
            case {"do": "links", "renew": str(seat)} if (
                seat in table_api.seats and self._page.seat_links.has_link(seat)
            ):
                self._page.renew_link(Seat(seat))
            case _:
                return PlainTextResponse("nothing that the table does\n", 400)
        return JSONResponse({"ok": True})


def _request_language(request: Request) -> str:
    """The language of the screen that asks. It says which: each of a device may have one of its own."""
    return preferred_language(request.headers.get("accept-language", ""))


def _refusal_response() -> Response:
    return PlainTextResponse("that is for devices that have a link of this table\n", 403)
