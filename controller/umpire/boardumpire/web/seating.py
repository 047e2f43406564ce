"""Sitting down: a QR code for each free seat, and a seat that moves to another device when the others agree.

/join.json             which seats are free, with their links: for devices that have a link of this table
/qr/SEAT.svg           a free seat's link to photograph; `?lost` the link of one that is taken; /qr/watch.svg
                       the spectators' screen, for which nobody needs a seat
/link/TOKEN/ask        ask the others for a seat that is taken (or for a free one, where that is confirmed)

What is asked is a proposal at the table like any other: the other seats' phones answer it, or the button on
the board. The device that asked holds a secret of its own and waits; nobody else's asking is granted with it.
"""

from __future__ import annotations

import hashlib
import hmac
import html
import io
import secrets
import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple

import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from boardrules.core import Seat
from boardumpire.messages.languages import catalogue
from boardumpire.ruling.proposals import SEATING_REQUESTS, SeatProposal
from boardumpire.service.clock import seconds
from boardumpire.web.assets import TYPES
from boardumpire.web.host import PageHost
from boardumpire.web.limits import RateLimiter, TokenBucket
from boardumpire.web.page_language import _, chosen, notice, seat_named
from boardumpire.web.seat_links import TABLE, WATCH

ASKS = "asks"
"""Whose cookie holds the secret of a device that waits."""
MOVE, SIT = "move-seat", "sit-down"
PICKUP_TIMEOUT_S = 60.0
"""How long a seat that was agreed to waits for the device that asked for it."""
REFUSAL_PAUSE_S = 60.0
"""How long a seat can't be asked for after a no; each further no doubles it ..."""
REFUSAL_PAUSE_MAX_S = 3840.0
"""... up to this."""
REQUESTS_PER_ADDRESS = 10
"""How many requests one address may make at once: a whole room may sit behind one ..."""
REQUESTS_MAX = 20
"""... how many all together ..."""
REQUESTS_PER_S = 1 / 60
"""... and how many more a second. Each one rings the board."""
MODULE = 6
"""Pixels of one square of a code: a phone reads it from a metre away."""


class _SeatRequest(NamedTuple):
    """A device that waits for the others' answer."""

    seat: Seat
    thing: str
    device: str
    """SHA-256 of the secret in its cookie."""


class Seating:
    """Who asks to sit where, and what was agreed. One asks at a time, and not too often: each one rings."""

    def __init__(
        self, page: PageHost, reach: Callable[[Request], str], clock: Callable[[], float] = seconds
    ) -> None:
        """`reach` gives the address under which other devices find this page; empty where none does."""
        self._page = page
        self._clock = clock
        self.reach = reach
        self._asked: _SeatRequest | None = None
        self._granted_at: float | None = None
        self._refused: dict[str, tuple[int, float]] = {}
        """By seat how often it was refused in a row, and when last."""
        self._each = RateLimiter(REQUESTS_PER_S, REQUESTS_PER_ADDRESS, clock)
        self._all = TokenBucket(REQUESTS_PER_S, REQUESTS_MAX, clock)

    @property
    def _granted(self) -> bool:
        return self._granted_at is not None and self._clock() < self._granted_at + PICKUP_TIMEOUT_S

    def forget(self, seat: Seat) -> None:
        """The seat has a new link: who asked for it by the old one has nothing to wait for."""
        if self._asked is not None and self._asked.seat == seat:
            self._asked = self._granted_at = None

    def routes(self) -> Sequence[BaseRoute]:
        """All of them."""
        return [
            Route("/join.json", self._join),
            Route("/qr/{seat}.svg", self._qr),
            Route("/link/{token}/ask", self._ask, methods=["GET", "POST"]),
        ]

    def grant(self, agreed: SeatProposal) -> None:
        """The table has agreed."""
        if self._asked is not None and agreed.thing == self._asked.thing:
            self._granted_at = self._clock()
            self._refused.pop(self._asked.seat, None)

    def note_declined(self, thing: str) -> None:
        """The table has said no to something that was proposed."""
        word, _, seat = thing.partition(" ")
        if word in SEATING_REQUESTS:
            times, _at = self._refused.get(seat, (0, 0.0))
            self._refused[seat] = times + 1, self._clock()

    def is_paused(self, seat: Seat) -> bool:
        """Whether it is too soon after a no to ask for a seat again, whoever asks."""
        times, at = self._refused.get(seat, (0, 0.0))
        return bool(times) and self._clock() < at + min(
            REFUSAL_PAUSE_S * 2.0 ** (times - 1), REFUSAL_PAUSE_MAX_S
        )

    # Codes

    async def _join(self, request: Request) -> Response:
        page = self._page
        if not page.sits_anywhere(request):
            return _refused()
        seats = [
            {
                "seat": seat,
                "taken": taken,
                "link": None if taken else self._link(request, seat) or None,
                "path": None if taken else self._path(seat),
            }
            for seat in page.desk.seats
            for taken in [page.links.is_taken(seat)]
        ]
        return JSONResponse({"seats": seats})

    async def _qr(self, request: Request) -> Response:
        page, seat = self._page, request.path_params["seat"]
        if not page.sits_anywhere(request):
            return _refused()
        if seat in page.desk.seats and not page.links.has(seat):
            return PlainTextResponse("the machine plays that seat\n", 404)
        if not self.reach(request):
            return _no_such_code(chosen(request, TABLE))
        if seat == WATCH:
            return link_qr_code(f"{self.reach(request)}/{WATCH}")
        if seat not in page.desk.seats:
            return PlainTextResponse("no such seat\n", 404)
        if page.links.is_taken(seat) and "lost" not in request.query_params:
            return PlainTextResponse("that seat is taken\n", 404)
        return link_qr_code(self._link(request, seat))

    def _link(self, request: Request, seat: Seat) -> str:
        """Empty where no other device could open it."""
        origin = self.reach(request)
        return origin and f"{origin}{self._path(seat)}"

    def _path(self, seat: Seat) -> str:
        return f"/link/{self._page.links.token(seat)}"

    # Asking

    async def _ask(self, request: Request) -> Response:
        page = self._page
        name = page.seat_of_link(request)
        if name is None:
            return page.unknown_link_response(request)
        if name == TABLE or page.is_seated_at(request, name):
            return RedirectResponse("/" if name == TABLE else f"/seat/{name}", 303)
        seat = Seat(name)
        mine = self._mine(request, seat)
        if request.method != "POST" and not mine:
            return self.offer(request, seat)
        if not page.desk.has_table:
            return page.no_table_response(request)
        if not mine:
            return self._begin(request, seat)
        asked, proposals = self._asked, page.desk.status()["proposals"]
        open_still = asked is not None and any(each["thing"] == asked.thing for each in proposals)
        if request.method == "HEAD":  # only looks whether there is an answer
            return Response(status_code=202 if open_still and not self._granted else 200)
        if self._granted:
            return self._sit(seat)
        if not open_still:
            self._asked = None
            return notice(
                chosen(request, name),
                _("The answer was no"),
                _("Talk to the others at the table, and ask again."),
                403,
            )
        return self._waiting(request, seat, secret=None)

    def offer(self, request: Request, name: Seat) -> Response:
        """A seat that is taken, or has to be confirmed: the others may be asked for it."""
        taken = self._page.links.is_taken(name)
        language = chosen(request, name)
        return notice(
            language,
            _("This seat is taken: {seat}") if taken else _("Sit down: {seat}"),
            _(
                "Another device has this seat. If it was yours, ask the others to move the seat to this one: "
                "they answer on their screens, or one presses the button on the board."
            )
            if taken
            else _(
                "The others have to agree first: they answer on their screens, or one presses the "
                "button on the board."
            ),
            403 if taken else 200,
            _("Ask the others"),
            action=f"/link/{request.path_params['token']}/ask",
            seat=seat_named(name, language, self._page.desk.game, self._page.desk.players),
        )

    def _begin(self, request: Request, name: Seat) -> Response:
        thing = f"{MOVE if self._page.links.is_taken(name) else SIT} {name}"
        # A phone whose screen is open is not lost: it is asked as well, or two seats would be one yes apart.
        watched = self._page.room.has_screen(name)
        address = request.client.host if request.client else ""
        if self.is_paused(name) or not (self._each.has(address) and self._all.has()):
            return notice(
                chosen(request, name),
                _("Not now"),
                _("Talk to the others at the table, and ask again."),
                429,
            )
        if self._granted or not self._page.desk.propose(name, thing, ask_everybody=watched):
            return notice(
                chosen(request, name),
                _("Not now"),
                _("The table has another question to answer first. Ask again after that."),
                409,
            )
        self._each.take(address)
        self._all.take()
        secret = secrets.token_urlsafe(18)
        self._asked, self._granted_at = _SeatRequest(name, thing, _secret_digest(secret)), None
        return self._waiting(request, name, secret)

    def _waiting(self, request: Request, name: Seat, secret: str | None) -> Response:
        language = chosen(request, name)
        response = notice(
            language,
            _("Asking the others"),
            _(
                "Once somebody at another seat agrees on a phone, or presses the button on the board, "
                "this screen opens here: {seat}"
            ),
            202,
            script="/waiting.js",
            seat=seat_named(name, language, self._page.desk.game, self._page.desk.players),
        )
        if secret is not None:
            self._page.set_secret_cookie(response, self._page.cookie(ASKS), secret, seconds=3600)
        return response

    def _sit(self, name: Seat) -> Response:
        self._asked = self._granted_at = None
        secret = self._page.links.move(name)
        self._page.room.close_seat(name)
        response = RedirectResponse(f"/seat/{name}", 303)
        response.delete_cookie(self._page.cookie(ASKS))
        self._page.seat_cookie(response, name, secret)
        return response

    def _mine(self, request: Request, name: Seat) -> bool:
        """Whether it is this device that waits for that seat."""
        asked, secret = self._asked, request.cookies.get(self._page.cookie(ASKS))
        if asked is None or secret is None or asked.seat != name:
            return False
        return hmac.compare_digest(asked.device, _secret_digest(secret))


def link_qr_code(link: str) -> Response:
    """A link as a code to photograph."""
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", scale=MODULE, border=4, dark="#000", light="#fff"
    )
    return Response(drawn.getvalue(), media_type=TYPES["svg"])


def _no_such_code(language: str) -> Response:
    """What stands where a code would lead nowhere."""
    said = _("Phones can't open this page: it is for this computer alone.")
    lines = textwrap.wrap(catalogue(language).gettext(said), 20)
    drawn = "".join(
        f'<text x="130" y="{130 + 30 * (place - (len(lines) - 1) / 2):.0f}">{html.escape(line)}</text>'
        for place, line in enumerate(lines)
    )
    style = 'width="260" height="260" font-family="sans-serif" font-size="22" text-anchor="middle"'
    page = f'<svg xmlns="http://www.w3.org/2000/svg" {style}><rect width="260" height="260" fill="#fff"/>'
    return Response(f"{page}{drawn}</svg>", media_type=TYPES["svg"])


def _secret_digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _refused() -> Response:
    return PlainTextResponse("seats are shown to those who have a link of this table\n", 403)
