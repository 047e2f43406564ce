"""The Starlette application: the screens of the table and of the seats, and what they ask for.

/                      the table's screen: what everybody may see
/link/TOKEN            sit down: binds a seat to the device that posts here first (asking, codes: `joining`)
/table/do              what needs the PIN (`running`)
/seat/SEAT             a seat's own screen, for its device alone
/board/de-TAG.json     what is printed on the board, kept by browsers
/game/ID/NAME          scripts and styles that a game's package brings (`game_files`)
/watch                 for spectators: the table's screen, some actions late where that is wanted (`gallery`)
/help.json             the rules in a few words each (`teaching`)
/lesson.json           the first game of whoever learns
/replay                games that are over, with each seat's view, the truth, and what the machine would do
/socket, /socket/SEAT  what is told, and what a seat says (`screen`); /watch/socket to spectators
/healthz, /metrics     for whoever runs the machine (`health`)
/makers                doctor, calibration and traces (`makers`)
"""

from __future__ import annotations

import asyncio
import gzip
import json
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from boardrules.core import Seat
from boardumpire.errors import BoardumpireError, JournalError, public_error
from boardumpire.makers.workshop import Workshop
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES
from boardumpire.messages.sounds import SOUNDS
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.service.clock import seconds
from boardumpire.web.assets import TYPES, Asset, Assets, answered, packed
from boardumpire.web.error_pages import ErrorPages
from boardumpire.web.feed import seat_names
from boardumpire.web.game_files import address
from boardumpire.web.limits import RateLimiter
from boardumpire.web.makers import MakersScreen
from boardumpire.web.option_fields import set_called
from boardumpire.web.page_language import _, chosen, drawn_with, ends, legend, notice, seat_named, shell
from boardumpire.web.pin_routes import TRY_PIN, PinRoutes
from boardumpire.web.request_guard import HEADERS, Network, RequestGuard
from boardumpire.web.saved_game import ABOUT, saved
from boardumpire.web.screen import AnswerMemory, Screen
from boardumpire.web.screen_hub import ScreenHub
from boardumpire.web.seat_links import TABLE, SeatLinks, SeatTaken
from boardumpire.web.seating import Seating
from boardumpire.web.table_api import TableApi
from boardumpire.web.table_pin import TablePin, load_or_make
from boardumpire.web.teaching.lesson_partner import LessonPartner
from boardumpire.web.teaching.texts import help_chapters, lesson_texts

YEAR_S = 365 * 24 * 3600
STEPS_PER_REQUEST = 60
"""Steps of a replay that one answer holds at most ..."""
STEPS_MAX = 100_000
"""... and a file."""


BOARD_PARTS = ("spaces", "lines", "scenery")
"""What of a board is art: it comes as a file of its own, which browsers keep."""


class AccessPolicy(NamedTuple):
    """Who finds the page, and how they are let in."""

    names: Sequence[str] = ()
    """By which names it is asked for, beside addresses."""
    secure: bool = False
    """Whether it is served by https."""
    confirm: bool = False
    """Whether the table has to agree before anybody sits down."""
    delay: int = 0
    """How many actions late those are who have no link."""
    proxies: Sequence[Network] = ()
    """Where requests come from that a proxy forwards."""
    reach: Callable[[Request], str] = lambda request: str(request.base_url).rstrip("/")
    """Where other devices find this page."""


class PageExtras(NamedTuple):
    """What some pages have besides."""

    routes: Sequence[BaseRoute] = ()
    """Those of a virtual board, whose hands are let in like the table."""
    packages: Sequence[str] = ()
    """Where its files are."""
    workshop: Workshop | None = None
    """What the makers' screen is for."""
    observed: Sequence[BaseRoute] = ()
    """For whoever runs the machine (`health`)."""
    machines: Mapping[Seat, str] = MappingProxyType({})
    """By seat the level of the machine that plays it."""


class TablePage:
    """The page of one table: `app` is served, `room` is told what happens."""

    def __init__(
        self,
        desk: TableApi,
        links: SeatLinks,
        door: AccessPolicy = AccessPolicy(),  # noqa: B008 - immutable
        more: PageExtras = PageExtras(),  # noqa: B008 - immutable
        room: ScreenHub | None = None,
        pin: TablePin | None = None,
        clock: Callable[[], float] = seconds,
    ) -> None:
        """`pin`: one is made where none is given, and a `room`."""
        self.desk, self.links, self._secure = desk, links, door.secure
        self.room = room or ScreenHub(desk, delay=door.delay)
        self._delay, self._machines = door.delay, more.machines
        self._assets = Assets("boardumpire.web", *more.packages)
        self._words: dict[tuple[str, str], dict[str, str | dict[str, str]]] = {}
        self._pictures: dict[tuple[str, str, bool], Asset] = {}
        self._boards: dict[str, tuple[str, Asset]] = {}
        self._virtual, self._makers = bool(more.routes), more.workshop is not None
        self._answers = {seat: AnswerMemory() for seat in desk.seats}
        self._guesses = RateLimiter(0.2, 20, clock)
        self._confirm = door.confirm
        self.room.free = lambda: [seat for seat in desk.seats if not links.is_taken(seat)]
        self.room.seated = lambda: [seat for seat in desk.seats if links.has(seat) and links.is_taken(seat)]
        self.room.broadcast_status()
        self.seating = Seating(self, door.reach, clock)
        self.room.declined = self.seating.note_declined
        self._running = PinRoutes(self, pin or load_or_make("", None))
        makers: Sequence[BaseRoute] = ()
        if more.workshop is not None:
            makers = MakersScreen(
                more.workshop, self._assets, lambda asks: self.is_seated_at(asks, TABLE)
            ).routes()
        app = Starlette(
            routes=[*self._routes(), *makers, *more.observed, *more.routes, Route("/{name}", self._file)]
        )
        app.state.page = self
        self.app: ASGIApp = RequestGuard(ErrorPages(app), door.names, self.holder, door.proxies, clock)
        self.partner: LessonPartner | None = None
        """Who plays the other seats, where this game is somebody's first one."""
        links.played = self.partner_seats

    def _routes(self) -> list[BaseRoute]:
        return [
            Route("/", self._table),
            Route("/watch", self._shell),
            Route("/replay", self._shell),
            Route("/seat/{seat}", self._seat),
            *self.seating.routes(),
            *self._running.routes(),
            Route("/link/{token}", self._link, methods=["GET", "POST"]),
            Route("/away", self._away),
            Route("/about.json", self._about),
            Route("/board/{name}.json", self._board),
            Route("/picture/{name}.svg", self._picture),
            Route("/help.json", self._help),
            Route("/lesson.json", self._lesson),
            Route("/lesson/again", self._lesson_again, methods=["POST"]),
            Route("/game/{game}/{name}", self._game_file),
            Route("/games.json", self._games),
            Route("/games/{number}.json", self._game),
            Route("/games/{number}.html", self._saved),
            Route("/games/{number}/advice.json", self._advice),
            WebSocketRoute("/socket", self._table_socket),
            WebSocketRoute("/socket/{seat}", self._seat_socket),
            WebSocketRoute("/watch/socket", self._watch_socket),
        ]

    # Who is there

    def is_seated_at(self, connection: HTTPConnection, name: str) -> bool:
        """Whether the device that asks sits at that seat (or has the table's link)."""
        return self.links.is_seated(name, connection.cookies.get(self.cookie(name)))

    def sits_anywhere(self, connection: HTTPConnection) -> bool:
        """Whether the device that asks has any link of this table."""
        return self.holder(connection) is not None

    def holder(self, connection: HTTPConnection) -> str | None:
        """The seat whose device asks, or `table` for one that has no more than the table's link."""
        return next((name for name in (*self.desk.seats, TABLE) if self.is_seated_at(connection, name)), None)

    def cookie(self, name: str) -> str:
        """What a device's cookie is called: browsers send cookies to every board on one machine."""
        return f"boardumpire-{self.links.board}-{name}"

    def spectates(self, connection: HTTPConnection) -> bool:
        """Whether the device that asks is a spectator's, who is not shown what happens just now."""
        return bool(self._delay) and not self.sits_anywhere(connection)

    # Screens

    async def _table(self, request: Request) -> Response:
        return RedirectResponse("/watch", 303) if self.spectates(request) else await self._shell(request)

    async def _shell(self, request: Request) -> Response:
        """The frame of every screen, with what it would ask for first already in it: a phone waits for each
        answer, and draws nothing of the board before that one."""
        language = chosen(request, request.path_params.get("seat", TABLE))
        watching = request.url.path == "/watch"
        sees = self._what_it_sees(request)
        sees = {
            **sees,
            **({"hands": False, "makers": False, "joins": False, "late": self._delay} if watching else {}),
            **self._spoken(sees["printed"], language),
            "lesson": self._learns(request, request.path_params.get("seat", "")),
            **({"machines": {}} if request.url.path == "/replay" else {}),  # those of the game that goes on
            "rules": set_called(self.desk.game, self.desk.options, language),
            "tunes": {name: sound.tones for name, sound in SOUNDS.items()},
        }
        board = self._board_in(language, sees["printed"])
        sees["board"] = f"/board/{language}-{board.tag.strip(chr(34))}.json"
        sees["printed"] = {name: has for name, has in sees["printed"].items() if name not in BOARD_PARTS}
        about = json.dumps(sees, separators=(",", ":")).replace("<", "\\u003c")
        response = self._assets.answer(request, "index.html", {**shell(language), ABOUT: about})
        ahead = [f"<{sees['board']}>; rel=preload; as=fetch; crossorigin"]
        if self._virtual and self.sits_anywhere(request) and not watching:
            ahead.append("</hands.js>; rel=modulepreload")
        response.headers["link"] = ", ".join(ahead)
        return response

    def _board_in(self, language: str, printed: Mapping[str, Any]) -> Asset:
        """What is printed on the board, in words of that language: packed once, as long as it is the same."""
        drawn = {name: printed[name] for name in BOARD_PARTS if name in printed}
        text = json.dumps(drawn, separators=(",", ":"))
        known = self._boards.get(language)
        if known is None or known[0] != text:
            known = self._boards[language] = text, packed("json", text)
        return known[1]

    async def _board(self, request: Request) -> Response:
        """It, as a file of its own: `/board/de-TAG.json`. A screen of a board from before is shown what there
        is now, and doesn't keep it."""
        language, _minus, tag = request.path_params["name"].partition("-")
        if language not in LANGUAGES:
            return PlainTextResponse("there is nothing here\n", 404)
        asset = self._board_in(language, legend(self.desk.printed_board(), language, self.desk.game))
        return answered(request, asset, kept=asset.tag == f'"{tag}"')

    def _spoken(self, printed: Mapping[str, Any], language: str) -> dict[str, Any]:
        """What a screen of that language is sent with, whatever its device sees."""
        return {
            "printed": {**legend(printed, language, self.desk.game), **_pictured(printed, language)},
            "language": language,
            "languages": dict(LANGUAGES),
            "words": self._words_in(language),
            "ends": ends(language, self.desk.game),
            **announce.translated(seat_names(self.desk), language),
        }

    def _words_in(self, language: str) -> dict[str, str | dict[str, str]]:
        known = language, self.desk.game
        if known not in self._words:
            self._words[known] = drawn_with(
                language, self._assets.scripts(), self._assets.scripts(self.desk.game), self.desk.game
            )
        return self._words[known]

    async def _file(self, request: Request) -> Response:
        return self._assets.answer(request, request.path_params["name"])

    async def _game_file(self, request: Request) -> Response:
        """One that a game brings."""
        return self._assets.answer(request, address(**request.path_params))

    async def _seat(self, request: Request) -> Response:
        seat = request.path_params["seat"]
        language = chosen(request, seat)
        if seat not in self.desk.seats:
            seats = ", ".join(seat_named(each, language, self.desk.game) for each in self.desk.seats)
            return notice(
                language, _("No such seat"), _("The seats of this game: {seats}."), 404, seats=seats
            )
        if not self.is_seated_at(request, seat):
            return notice(
                language,
                _("This seat is taken: {seat}"),
                _(
                    "Its screen opens only on the device that has this seat. Open the seat's own link to "
                    "sit down."
                ),
                403,
                seat=seat_named(seat, language, self.desk.game, self.desk.players),
            )
        return await self._shell(request)

    def seat_of_link(self, request: Request) -> str | None:
        """The seat (or `table`) that the link of a request leads to."""
        return self.links.name_of(request.path_params["token"])

    def grant_request(self, agreed: SeatProposal) -> None:
        """The table has agreed to what somebody asked for on a screen."""
        if agreed.thing == TRY_PIN:
            self._running.prove()
        else:
            self.seating.grant(agreed)

    def renew(self, seat: Seat) -> None:
        """Give a seat a new link; whoever sits there, or asked by the old one, has to leave."""
        self.links.renew(seat)
        self.seating.forget(seat)
        self.room.close_seat(seat)

    def no_table_response(self, request: Request) -> Response:
        """What is answered while there is no table."""
        said = announce.translated(announce.sentence_of("answer off"), chosen(request, TABLE))
        return PlainTextResponse(f"{said}\n", 503)

    def unknown_link_response(self, request: Request) -> Response:
        """What whoever guesses at links is told; and that he guesses too often."""
        language = chosen(request, TABLE)
        address = request.client.host if request.client else ""
        if not self._guesses.take(address):
            return notice(language, _("Too many wrong links"), _("Wait a minute."), 429)
        return notice(language, _("This link leads nowhere"), _("Ask for the seat's link again."), 404)

    async def _link(self, request: Request) -> Response:
        name = self.seat_of_link(request)
        if name is None:
            return self.unknown_link_response(request)
        there = "/" if name == TABLE else f"/seat/{name}"
        if self.is_seated_at(request, name):
            return RedirectResponse(there, 303)
        if name != TABLE and (self._confirm or self.links.is_taken(name)):
            return self.seating.offer(request, Seat(name))
        if request.method != "POST":
            return self._offer(request, name)
        try:
            secret = self.links.sit(name)
        except SeatTaken:
            return self.seating.offer(request, Seat(name))
        response = RedirectResponse(there, 303)
        self.seat_cookie(response, name, secret)
        return response

    def seat_cookie(self, response: Response, name: str, secret: str) -> None:
        """Have the device remember that it sits there; everybody sees that the seat is not free any more."""
        self.set_secret_cookie(response, self.cookie(name), secret, seconds=YEAR_S)
        if self.desk.has_table:
            self.room.broadcast_status()

    def set_secret_cookie(self, response: Response, cookie: str, secret: str, *, seconds: int) -> None:
        """Have the device keep a secret that no script and no other site can use."""
        response.set_cookie(cookie, secret, seconds, httponly=True, samesite="lax", secure=self._secure)

    def _offer(self, request: Request, name: str) -> Response:
        """A form rather than a bound seat: what only previews a link must not sit down."""
        language = chosen(request, name)
        if name == TABLE:
            what = _("Open the table's screen")
            why = _("This device may then move the pieces of the virtual board.")
        else:
            what = _("Sit down: {seat}")
            why = _("From then on, this seat's screen opens only on this device.")
        rules = set_called(self.desk.game, self.desk.options, language)
        return notice(
            language,
            what,
            why,
            button=what,
            more=_("Rules: {rules}") if rules else "",
            rules=rules,
            seat=seat_named(Seat(name), language, self.desk.game, self.desk.players),
        )

    # What screens ask for

    def _what_it_sees(self, request: Request) -> dict[str, Any]:
        """What this device sees before it opens a socket: nothing that hands or seats change."""
        return {
            "printed": self.desk.printed_board(),
            "seats": list(self.desk.seats),
            "mine": [seat for seat in self.desk.seats if self.is_seated_at(request, seat)],
            "machines": {
                seat: self._machines.get(seat, "") for seat in self.desk.seats if not self.links.has(seat)
            },
            "hands": self._virtual and self.sits_anywhere(request),
            "makers": self._makers and self.is_seated_at(request, TABLE),
            "joins": self.sits_anywhere(request),
            "alone": not self.seating.reach(request),
        }

    async def _away(self, request: Request) -> Response:
        """What a device keeps, to show it where the board can't be reached."""
        return notice(
            chosen(request, TABLE),
            _("The board can't be reached"),
            _(
                "It is switched off, it starts just now, or this device has left its Wi-Fi. The game is "
                "saved: try again."
            ),
        )

    async def _about(self, request: Request) -> Response:
        return _packed(request, self._what_it_sees(request))

    async def _picture(self, request: Request) -> Response:
        """What is drawn under lamps and pieces: `/picture/de.svg`, or `/picture/de-turned.svg`."""
        language, _minus, turned = request.path_params["name"].partition("-")
        if language not in LANGUAGES or turned not in ("", "turned"):
            return PlainTextResponse("there is nothing here\n", 404)
        if not self.desk.has_table:
            return self.no_table_response(request)
        asset = await asyncio.to_thread(self._drawn, language, bool(turned))
        return answered(request, asset) if asset else PlainTextResponse("there is nothing here\n", 404)

    def _drawn(self, language: str, turned: bool = False) -> Asset | None:
        """The picture of the board; drawn once, as it takes a small machine some seconds."""
        known = self.desk.game, language, turned
        if known not in self._pictures:
            drawn = self.desk.picture(language, turned=turned)
            if not drawn:
                return None
            self._pictures[known] = packed("svg", drawn)
        return self._pictures[known]

    async def _help(self, request: Request) -> Response:
        return _packed(
            request,
            help_chapters(
                self.desk.game,
                self.desk.options,
                chosen(request, request.query_params.get("seat", TABLE)),
            ),
        )

    def partner_seats(self) -> Collection[Seat]:
        """The seats that the partner of a lesson plays, until people begin another game."""
        partner = self.partner
        return () if partner is None or not partner.is_lesson_game else {*self.desk.seats} - {partner.seat}

    def _learns(self, request: Request, seat: Seat) -> bool:
        """Whether this device sits at that seat and is led through its first game."""
        partner = self.partner
        return bool(
            partner and partner.is_lesson_game and partner.seat == seat and self.is_seated_at(request, seat)
        )

    async def _lesson(self, request: Request) -> Response:
        seat = Seat(request.query_params.get("seat", ""))
        if self.partner is None or not self._learns(request, seat):
            return PlainTextResponse("there is no lesson for this seat\n", 404)
        lesson = lesson_texts(self.partner.lesson, chosen(request, seat), self.desk.game)
        return _packed(request, {**lesson, "run": self.partner.run})

    async def _lesson_again(self, request: Request) -> Response:
        if self.partner is None or not self.is_seated_at(request, self.partner.seat):
            return PlainTextResponse("there is no lesson for this seat\n", 404)
        self.partner.again()
        return PlainTextResponse("")

    async def _games(self, request: Request) -> Response:
        if not self.desk.has_table:
            return self.no_table_response(request)
        try:
            return JSONResponse({"games": self.desk.finished_games()})
        except BoardumpireError as error:
            return PlainTextResponse(f"{public_error(error)}\n", 503)

    async def _game(self, request: Request) -> Response:
        try:
            first = max(0, int(request.query_params.get("first", "0")))
        except ValueError:
            return PlainTextResponse("first: expected a number\n", 400)
        steps = await self._replayed(request, first, STEPS_PER_REQUEST)
        return steps if isinstance(steps, Response) else _packed(request, steps)

    async def _saved(self, request: Request) -> Response:
        """The whole game as one file."""
        steps = await self._replayed(request, 0, STEPS_MAX)
        if isinstance(steps, Response):
            return steps
        language = chosen(request, TABLE)
        about = {**self._spoken(self.desk.printed_board(), language), "seats": steps["seats"], "mine": []}
        if "picture" in about["printed"]:
            about["printed"] |= await asyncio.to_thread(self._pictures_within, language)
        body = await asyncio.to_thread(saved, self._assets, about, steps, language)
        name = f"boardumpire-{steps['game']}-{steps['number']}.html"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(body, headers=headers, media_type=TYPES["html"])

    def _pictures_within(self, language: str) -> dict[str, str]:
        """The picture of the board both ways up, for a page that can't ask for it."""
        drawn = {name: self.desk.picture(language, turned=name == "turned") for name in ("picture", "turned")}
        return {
            name: f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
            for name, svg in drawn.items()
        }

    async def _advice(self, request: Request) -> Response:
        """What the strongest player would have done at a step of a game that is over."""
        number, step = request.path_params["number"], request.query_params.get("step", "")
        if not all(text.isascii() and text.isdecimal() and len(text) < 19 for text in (number, step)):
            return PlainTextResponse("no game has such a step\n", 404)
        if not self.desk.has_table:
            return self.no_table_response(request)
        try:
            return JSONResponse(dict(await self.desk.analyse_move(int(number), int(step))))
        except JournalError as error:
            return PlainTextResponse(f"{public_error(error)}\n", 404)
        except BoardumpireError as error:
            why = announce.translated(public_error(error), chosen(request, TABLE))
            return PlainTextResponse(f"{why}\n", 503)

    async def _replayed(self, request: Request, first: int, count: int) -> Response | dict[str, Any]:
        """Steps of a game that is over, in the language of who asks; or what is wrong."""
        number = request.path_params["number"]
        if not (number.isascii() and number.isdecimal() and len(number) < 19):
            return PlainTextResponse("no game has such a number\n", 404)
        if not self.desk.has_table:
            return self.no_table_response(request)
        try:
            steps = await asyncio.to_thread(self.desk.replay_steps, int(number), first, count)
        except BoardumpireError as error:
            return PlainTextResponse(f"{public_error(error)}\n", 404)
        translated: dict[str, Any] = announce.translated(steps, chosen(request, TABLE))
        return translated

    async def _watch_socket(self, socket: WebSocket) -> None:
        await Screen(self.desk, self.room.gallery or self.room, None, AnswerMemory()).serve(socket)

    async def _table_socket(self, socket: WebSocket) -> None:
        if self.spectates(socket):
            await refuse(socket, "spectators are shown the game later, at /watch")
            return
        await Screen(self.desk, self.room, None, AnswerMemory()).serve(socket)

    async def _seat_socket(self, socket: WebSocket) -> None:
        seat = socket.path_params["seat"]
        if seat not in self.desk.seats or not self.is_seated_at(socket, seat):
            await refuse(socket, "this seat's screen opens on the device that sits there")
            return
        await Screen(self.desk, self.room, seat, self._answers[seat]).serve(socket)


def _pictured(printed: Mapping[str, Any], language: str) -> dict[str, str]:
    """Where the picture of the board is, if its game has one."""
    return {"picture": f"/picture/{language}.svg"} if printed.get("looks", {}).get("picture") else {}


def _packed(request: Request, value: object) -> Response:
    """JSON, compressed: for what holds nothing that is hidden from whoever asks."""
    response = JSONResponse(value)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return response
    headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
    return Response(gzip.compress(bytes(response.body), 6), headers=headers, media_type="application/json")


async def refuse(socket: WebSocket, why: str) -> None:
    """Refuse a socket before it opens, with a word."""
    await socket.send_denial_response(PlainTextResponse(f"{why}\n", 403, HEADERS))
