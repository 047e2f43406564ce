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
from boardumpire.service.clock import loop_time_s
from boardumpire.web.assets import CONTENT_TYPES
from boardumpire.web.host import PageHost
from boardumpire.web.limits import RateLimiter, TokenBucket
from boardumpire.web.page_language import _, notice_page, screen_language, seat_label
from boardumpire.web.seat_links import TABLE_LINK, WATCH_PATH

REQUEST_COOKIE = "asks"
"""Whose cookie holds the secret of a device that waits."""
MOVE_SEAT_REQUEST, SIT_DOWN_REQUEST = "move-seat", "sit-down"
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
QR_MODULE_PIXELS = 6
"""Pixels of one square of a code: a phone reads it from a metre away."""


class _SeatRequest(NamedTuple):
    """A device that waits for the others' answer."""

    seat: Seat
    thing: str
    secret_digest: str
    """SHA-256 of the secret in its cookie."""


class Seating:
    """Who asks to sit where, and what was agreed. One asks at a time, and not too often: each one rings."""

    def __init__(
        self, page: PageHost, reach: Callable[[Request], str], clock: Callable[[], float] = loop_time_s
    ) -> None:
        """`reach` gives the address under which other devices find this page; empty where none does."""
        self._page = page
        self._clock = clock
        self.external_url = reach
        self._asked: _SeatRequest | None = None
        self._granted_at: float | None = None
        self._refused: dict[str, tuple[int, float]] = {}
        """By seat how often it was refused in a row, and when last."""
        self._each = RateLimiter(REQUESTS_PER_S, REQUESTS_PER_ADDRESS, clock)
        self._all = TokenBucket(REQUESTS_PER_S, REQUESTS_MAX, clock)

    @property
    def _is_granted(self) -> bool:
        return self._granted_at is not None and self._clock() < self._granted_at + PICKUP_TIMEOUT_S

    def cancel_request(self, seat: Seat) -> None:
        """The seat has a new link: who asked for it by the old one has nothing to wait for."""
        if self._asked is not None and self._asked.seat == seat:
            self._asked = self._granted_at = None

    def routes(self) -> Sequence[BaseRoute]:
        """All of them."""
        return [
            Route("/join.json", self._send_free_seats),
            Route("/qr/{seat}.svg", self._send_qr_code),
            Route("/link/{token}/ask", self._handle_seat_request, methods=["GET", "POST"]),
        ]

    def grant_request(self, agreed: SeatProposal) -> None:
        """The table has agreed."""
        if self._asked is not None and agreed.request == self._asked.thing:
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

    async def _send_free_seats(self, request: Request) -> Response:
        page = self._page
        if not page.has_any_link(request):
            return _refusal_response()
        seats = [
            {
                "seat": seat,
                "taken": taken,
                "link": None if taken else self._seat_url(request, seat) or None,
                "path": None if taken else self._seat_path(seat),
            }
            for seat in page.table_api.seats
            for taken in [page.seat_links.is_taken(seat)]
        ]
        return JSONResponse({"seats": seats})

    async def _send_qr_code(self, request: Request) -> Response:
        page, seat = self._page, request.path_params["seat"]
        if not page.has_any_link(request):
            return _refusal_response()
        if seat in page.table_api.seats and not page.seat_links.has_link(seat):
            return PlainTextResponse("the machine plays that seat\n", 404)
        if not self.external_url(request):
            return _placeholder_code(screen_language(request, TABLE_LINK))
        if seat == WATCH_PATH:
            return link_qr_code(f"{self.external_url(request)}/{WATCH_PATH}")
        if seat not in page.table_api.seats:
            return PlainTextResponse("no such seat\n", 404)
        if page.seat_links.is_taken(seat) and "lost" not in request.query_params:
            return PlainTextResponse("that seat is taken\n", 404)
        return link_qr_code(self._seat_url(request, seat))

    def _seat_url(self, request: Request, seat: Seat) -> str:
        """Empty where no other device could open it."""
        origin = self.external_url(request)
        return origin and f"{origin}{self._seat_path(seat)}"

    def _seat_path(self, seat: Seat) -> str:
        return f"/link/{self._page.seat_links.token(seat)}"

    # Asking

    async def _handle_seat_request(self, request: Request) -> Response:
        page = self._page
        name = page.seat_of_link(request)
        if name is None:
            return page.unknown_link_response(request)
        if name == TABLE_LINK or page.is_seated_at(request, name):
            return RedirectResponse("/" if name == TABLE_LINK else f"/seat/{name}", 303)
        seat = Seat(name)
        mine = self._is_own_request(request, seat)
        if request.method != "POST" and not mine:
            return self.ask_others_page(request, seat)
        if not page.table_api.has_table:
            return page.no_table_response(request)
        if not mine:
            return self._begin_request(request, seat)
        asked, proposals = self._asked, page.table_api.status()["proposals"]
        open_still = asked is not None and any(each["thing"] == asked.thing for each in proposals)
        if request.method == "HEAD":  # only looks whether there is an answer
            return Response(status_code=202 if open_still and not self._is_granted else 200)
        if self._is_granted:
            return self._seat_device(seat)
        if not open_still:
            self._asked = None
            return notice_page(
                screen_language(request, name),
                _("The answer was no"),
                _("Talk to the others at the table, and ask again."),
                403,
            )
        return self._waiting_page(request, seat, secret=None)

    def ask_others_page(self, request: Request, name: Seat) -> Response:
        """A seat that is taken, or has to be confirmed: the others may be asked for it."""
        taken = self._page.seat_links.is_taken(name)
        language = screen_language(request, name)
        return notice_page(
            language,
            _("This seat is taken: {seat}") if taken else _("Sit down as {seat}"),
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
            seat=seat_label(name, language, self._page.table_api.game, self._page.table_api.players),
        )

    def _begin_request(self, request: Request, name: Seat) -> Response:
        thing = f"{MOVE_SEAT_REQUEST if self._page.seat_links.is_taken(name) else SIT_DOWN_REQUEST} {name}"
        # A phone whose screen is open is not lost: it is asked as well, or two seats would be one yes apart.
        watched = self._page.screen_hub.has_screen(name)
        address = request.client.host if request.client else ""
        if self.is_paused(name) or not (self._each.has_token(address) and self._all.has_token()):
            return notice_page(
                screen_language(request, name),
                _("Not now"),
                _("Talk to the others at the table, and ask again."),
                429,
            )
        if self._is_granted or not self._page.table_api.propose(name, thing, ask_everybody=watched):
            return notice_page(
                screen_language(request, name),
                _("Not now"),
                _("The table has another question to answer first. Ask again after that."),
                409,
            )
        self._each.take_token(address)
        self._all.take_token()
        secret = secrets.token_urlsafe(18)
        self._asked, self._granted_at = _SeatRequest(name, thing, _secret_digest(secret)), None
        return self._waiting_page(request, name, secret)

    def _waiting_page(self, request: Request, name: Seat, secret: str | None) -> Response:
        language = screen_language(request, name)
        response = notice_page(
            language,
            _("Asking the others"),
            _(
                "Once somebody at another seat agrees on a phone, or presses the button on the board, "
                "this screen opens here: {seat}"
            ),
            202,
            script="/waiting.js",
            seat=seat_label(name, language, self._page.table_api.game, self._page.table_api.players),
        )
        if secret is not None:
            self._page.set_secret_cookie(
                response, self._page.cookie_name(REQUEST_COOKIE), secret, seconds=3600
            )
        return response

    def _seat_device(self, name: Seat) -> Response:
        self._asked = self._granted_at = None
        secret = self._page.seat_links.rebind_device(name)
        self._page.screen_hub.close_seat(name)
        response = RedirectResponse(f"/seat/{name}", 303)
        response.delete_cookie(self._page.cookie_name(REQUEST_COOKIE))
        self._page.set_seat_cookie(response, name, secret)
        return response

    def _is_own_request(self, request: Request, name: Seat) -> bool:
        """Whether it is this device that waits for that seat."""
        asked, secret = self._asked, request.cookies.get(self._page.cookie_name(REQUEST_COOKIE))
        if asked is None or secret is None or asked.seat != name:
            return False
        return hmac.compare_digest(asked.secret_digest, _secret_digest(secret))


def link_qr_code(link: str) -> Response:
    """A link as a code to photograph."""
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", scale=QR_MODULE_PIXELS, border=4, dark="#000", light="#fff"
    )
    return Response(drawn.getvalue(), media_type=CONTENT_TYPES["svg"])


def _placeholder_code(language: str) -> Response:
    """What stands where a code would lead nowhere."""
    said = _("Phones can't open this page: it is for this computer alone.")
    lines = textwrap.wrap(catalogue(language).gettext(said), 20)
    drawn = "".join(
        f'<text x="130" y="{130 + 30 * (place - (len(lines) - 1) / 2):.0f}">{html.escape(line)}</text>'
        for place, line in enumerate(lines)
    )
    style = 'width="260" height="260" font-family="sans-serif" font-size="22" text-anchor="middle"'
    page = f'<svg xmlns="http://www.w3.org/2000/svg" {style}><rect width="260" height="260" fill="#fff"/>'
    return Response(f"{page}{drawn}</svg>", media_type=CONTENT_TYPES["svg"])


def _secret_digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _refusal_response() -> Response:
    return PlainTextResponse("seats are shown to those who have a link of this table\n", 403)
