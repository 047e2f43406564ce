"""The Starlette application: the screens of the table and of the seats, and what they ask for.

/                      the table's screen: what everybody may see
/link/TOKEN            sit down: binds a seat to the device that posts here first (asking, codes: `seating`)
/table/do              what needs the PIN (`pin_routes`)
/seat/SEAT             a seat's own screen, for its device alone
/board/de-TAG.json     what is printed on the board, kept by browsers
/game/ID/NAME          scripts and styles that a game's package brings (`game_files`)
/watch                 for spectators: the table's screen, some actions late where that is wanted
                       (`delayed_spectators`)
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

from boardrules import registry
from boardrules.core import Seat
from boardumpire.errors import BoardumpireError, JournalError, public_error_text
from boardumpire.makers.workshop import Workshop
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES
from boardumpire.messages.sounds import SOUNDS
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.service.clock import is_date_known, loop_time_s
from boardumpire.web.assets import CONTENT_TYPES, Asset, Assets, asset_response, make_asset
from boardumpire.web.error_pages import ErrorPages
from boardumpire.web.feed import seat_names
from boardumpire.web.game_files import game_file_path
from boardumpire.web.limits import RateLimiter
from boardumpire.web.makers import MakersScreen
from boardumpire.web.option_fields import rule_set_label
from boardumpire.web.page_language import (
    _,
    index_replacements,
    notice_page,
    outcome_texts,
    screen_language,
    script_words,
    seat_label,
    translate_printed_board,
)
from boardumpire.web.pin_routes import TRY_PIN, PinRoutes
from boardumpire.web.request_guard import SECURITY_HEADERS, Network, RequestGuard
from boardumpire.web.saved_game import ABOUT_PLACEHOLDER, saved_game_page
from boardumpire.web.screen import AnswerMemory, ScreenSession
from boardumpire.web.screen_hub import ScreenHub
from boardumpire.web.seat_links import TABLE_LINK, SeatLinks, SeatTaken
from boardumpire.web.seating import Seating
from boardumpire.web.table_api import TableApi
from boardumpire.web.table_pin import TablePin, load_or_make_pin
from boardumpire.web.teaching.lesson_partner import LessonPartner
from boardumpire.web.teaching.texts import help_chapters, lesson_texts

PASSED_ROUND = "?round"
"""Has a seat's screen know that its device is passed round."""
COOKIE_AGE_S = 365 * 24 * 3600
STEPS_PER_REQUEST = 60
"""Steps of a replay that one answer holds at most ..."""
STEPS_PER_FILE_MAX = 100_000
"""... and a file."""


SCENE_FILES = (("scene", "modulepreload"), ("style", "preload; as=style"))
"""What a game brings for its screens, and how a browser is told that it will ask for it."""
BOARD_FILE_PARTS = ("spaces", "lines", "scenery")
"""What of a board is art: it comes as a file of its own, which browsers keep."""


class AccessPolicy(NamedTuple):
    """Who finds the page, and how they are let in."""

    host_names: Sequence[str] = ()
    """By which names it is asked for, beside addresses."""
    uses_https: bool = False
    """Whether it is served by https."""
    needs_confirmation: bool = False
    """Whether the table has to agree before anybody sits down."""
    spectator_delay: int = 0
    """How many actions late those are who have no link."""
    proxies: Sequence[Network] = ()
    """Where requests come from that a proxy forwards."""
    external_url: Callable[[Request], str] = lambda request: str(request.base_url).rstrip("/")
    """Where other devices find this page."""


class PageExtras(NamedTuple):
    """What some pages have besides."""

    virtual_board_routes: Sequence[BaseRoute] = ()
    """Those of a virtual board, whose hands are let in like the table."""
    asset_packages: Sequence[str] = ()
    """Where its files are."""
    workshop: Workshop | None = None
    """What the makers' screen is for."""
    health_routes: Sequence[BaseRoute] = ()
    """For whoever runs the machine (`health`)."""
    machine_levels: Mapping[Seat, str] = MappingProxyType({})
    """By seat the level of the machine that plays it."""


class TablePage:
    """The page of one table: `app` is served, `screen_hub` is told what happens."""

    def __init__(
        self,
        table_api: TableApi,
        links: SeatLinks,
        door: AccessPolicy = AccessPolicy(),  # noqa: B008 - immutable
        more: PageExtras = PageExtras(),  # noqa: B008 - immutable
        screen_hub: ScreenHub | None = None,
        pin: TablePin | None = None,
        clock: Callable[[], float] = loop_time_s,
    ) -> None:
        """`pin`: one is made where none is given, and a `screen_hub`."""
        self.table_api, self.seat_links, self._secure = table_api, links, door.uses_https
        self.screen_hub = screen_hub or ScreenHub(table_api, delay=door.spectator_delay)
        self._delay, self._machines = door.spectator_delay, more.machine_levels
        self._assets = Assets("boardumpire.web", *more.asset_packages)
        self._words: dict[tuple[str, str], dict[str, str | dict[str, str]]] = {}
        self._pictures: dict[tuple[str, str, bool], Asset] = {}
        self._boards: dict[str, tuple[str, Asset]] = {}
        self._virtual, self._makers = bool(more.virtual_board_routes), more.workshop is not None
        self._answers = {seat: AnswerMemory() for seat in table_api.seats}
        self._guesses = RateLimiter(0.2, 20, clock)
        self._confirm = door.needs_confirmation
        self.screen_hub.get_free_seats = lambda: [
            seat for seat in table_api.seats if not links.is_taken(seat)
        ]
        self.screen_hub.get_taken_seats = lambda: [
            seat for seat in table_api.seats if links.has_link(seat) and links.is_taken(seat)
        ]
        self.screen_hub.broadcast_status()
        self.seating = Seating(self, door.external_url, clock)
        self.screen_hub.on_declined = self.seating.note_declined
        self._running = PinRoutes(self, pin or load_or_make_pin("", None))
        makers: Sequence[BaseRoute] = ()
        if more.workshop is not None:
            makers = MakersScreen(
                more.workshop, self._assets, lambda asks: self.is_seated_at(asks, TABLE_LINK)
            ).routes()
        app = Starlette(
            routes=[
                *self._routes(),
                *makers,
                *more.health_routes,
                *more.virtual_board_routes,
                Route("/{name}", self._file),
            ]
        )
        app.state.page = self
        self.app: ASGIApp = RequestGuard(
            ErrorPages(app), door.host_names, self.link_holder, door.proxies, clock
        )
        self.partner: LessonPartner | None = None
        """Who plays the other seats, where this game is somebody's first one."""
        links.get_program_seats = self.partner_seats

    def _routes(self) -> list[BaseRoute]:
        return [
            Route("/", self._send_table_screen),
            Route("/watch", self._send_screen),
            Route("/replay", self._send_screen),
            Route("/seat/{seat}", self._send_seat_screen),
            *self.seating.routes(),
            *self._running.routes(),
            Route("/link/{token}", self._follow_link, methods=["GET", "POST"]),
            Route("/link/{token}/all", self._sit_down_everywhere, methods=["POST"]),
            Route("/away", self._offline_page),
            Route("/about.json", self._send_device_view),
            Route("/board/{name}.json", self._send_board_file),
            Route("/picture/{name}.svg", self._send_picture),
            Route("/help.json", self._send_help),
            Route("/lesson.json", self._send_lesson),
            Route("/lesson/again", self._restart_lesson, methods=["POST"]),
            Route("/game/{game}/{name}", self._game_file),
            Route("/games.json", self._send_finished_games),
            Route("/statistics.csv", self._send_statistics),
            Route("/statistics.json", self._send_statistics),
            Route("/games/{number}.json", self._send_replay_steps),
            Route("/games/{number}.html", self._send_saved_game),
            Route("/games/{number}/advice.json", self._send_move_analysis),
            WebSocketRoute("/socket", self._table_socket),
            WebSocketRoute("/socket/{seat}", self._seat_socket),
            WebSocketRoute("/watch/socket", self._watch_socket),
        ]

    # Who is there

    def is_seated_at(self, connection: HTTPConnection, name: str) -> bool:
        """Whether the device that asks sits at that seat (or has the table's link)."""
        return self.seat_links.is_seated(name, connection.cookies.get(self.cookie_name(name)))

    def has_any_link(self, connection: HTTPConnection) -> bool:
        """Whether the device that asks has any link of this table."""
        return self.link_holder(connection) is not None

    def link_holder(self, connection: HTTPConnection) -> str | None:
        """The seat whose device asks, or `table` for one that has no more than the table's link."""
        return next(
            (name for name in (*self.table_api.seats, TABLE_LINK) if self.is_seated_at(connection, name)),
            None,
        )

    def cookie_name(self, name: str) -> str:
        """What a device's cookie is called: browsers send cookies to every board on one machine."""
        return f"boardumpire-{self.seat_links.board_tag}-{name}"

    def is_spectator(self, connection: HTTPConnection) -> bool:
        """Whether the device that asks is a spectator's, who is not shown what happens just now."""
        return bool(self._delay) and not self.has_any_link(connection)

    # Screens

    async def _send_table_screen(self, request: Request) -> Response:
        return (
            RedirectResponse("/watch", 303)
            if self.is_spectator(request)
            else await self._send_screen(request)
        )

    async def _send_screen(self, request: Request) -> Response:
        """The frame of every screen, with what it would ask for first already in it: a phone waits for each
        answer, and draws nothing of the board before that one."""
        language = screen_language(request, request.path_params.get("seat", TABLE_LINK))
        watching = request.url.path == "/watch"
        sees = self._device_view(request)
        sees = {
            **sees,
            **({"hands": False, "makers": False, "joins": False, "late": self._delay} if watching else {}),
            **self._language_data(sees["printed"], language),
            "lesson": self._is_learner(request, request.path_params.get("seat", "")),
            **({"machines": {}} if request.url.path == "/replay" else {}),  # those of the game that goes on
            "title": registry.package(self.table_api.game).title,
            "rules": self._rule_set_label(language),
            "tunes": {name: sound.tones for name, sound in SOUNDS.items()},
        }
        board = self._board_asset(language, sees["printed"])
        sees["board"] = f"/board/{language}-{board.etag.strip(chr(34))}.json"
        sees["printed"] = {name: has for name, has in sees["printed"].items() if name not in BOARD_FILE_PARTS}
        about = json.dumps(sees, separators=(",", ":")).replace("<", "\\u003c")
        response = self._assets.respond(
            request, "index.html", {**index_replacements(language), ABOUT_PLACEHOLDER: about}
        )
        ahead = [f"<{sees['board']}>; rel=preload; as=fetch; crossorigin"]
        looks = sees["printed"].get("looks") or {}
        ahead += [f"<{looks[name]}>; rel={rel}" for name, rel in SCENE_FILES if looks.get(name)]
        if self._virtual and self.has_any_link(request) and not watching:
            ahead.append("</hands.js>; rel=modulepreload")
        free = any(not self.seat_links.is_taken(seat) for seat in self.table_api.seats)
        if request.url.path == "/" and sees["joins"] and sees["alone"] and free:
            ahead.append("</join.json>; rel=preload; as=fetch; crossorigin")
        response.headers["link"] = ", ".join(ahead)
        return response

    def _board_asset(self, language: str, printed: Mapping[str, Any]) -> Asset:
        """What is printed on the board, in words of that language: packed once, as long as it is the same."""
        drawn = {name: printed[name] for name in BOARD_FILE_PARTS if name in printed}
        text = json.dumps(drawn, separators=(",", ":"))
        known = self._boards.get(language)
        if known is None or known[0] != text:
            known = self._boards[language] = text, make_asset("json", text)
        return known[1]

    async def _send_board_file(self, request: Request) -> Response:
        """It, as a file of its own: `/board/de-TAG.json`. A screen of a board from before is shown what there
        is now, and doesn't keep it."""
        language, _minus, tag = request.path_params["name"].partition("-")
        if language not in LANGUAGES:
            return PlainTextResponse("there is nothing here\n", 404)
        asset = self._board_asset(
            language, translate_printed_board(self.table_api.printed_board(), language, self.table_api.game)
        )
        return asset_response(request, asset, immutable=asset.etag == f'"{tag}"')

    def _language_data(self, printed: Mapping[str, Any], language: str) -> dict[str, Any]:
        """What a screen of that language is sent with, whatever its device sees."""
        return {
            "printed": {
                **translate_printed_board(printed, language, self.table_api.game),
                **_picture_address(printed, language),
            },
            "language": language,
            "languages": dict(LANGUAGES),
            "words": self._script_words(language),
            "ends": outcome_texts(language, self.table_api.game),
            **announce.translate(seat_names(self.table_api), language),
        }

    def _script_words(self, language: str) -> dict[str, str | dict[str, str]]:
        known = language, self.table_api.game
        if known not in self._words:
            self._words[known] = script_words(
                language,
                self._assets.script_texts(),
                self._assets.script_texts(self.table_api.game),
                self.table_api.game,
            )
        return self._words[known]

    async def _file(self, request: Request) -> Response:
        return self._assets.respond(request, request.path_params["name"])

    async def _game_file(self, request: Request) -> Response:
        """One that a game brings."""
        return self._assets.respond(request, game_file_path(**request.path_params))

    async def _send_seat_screen(self, request: Request) -> Response:
        seat = request.path_params["seat"]
        language = screen_language(request, seat)
        if seat not in self.table_api.seats:
            seats = ", ".join(
                seat_label(each, language, self.table_api.game) for each in self.table_api.seats
            )
            return notice_page(
                language, _("No such seat"), _("The seats of this game: {seats}."), 404, seats=seats
            )
        if not self.is_seated_at(request, seat):
            return notice_page(
                language,
                _("This seat is taken: {seat}"),
                _(
                    "Its screen opens only on the device that has this seat. Open the seat's own link to "
                    "sit down."
                ),
                403,
                seat=seat_label(seat, language, self.table_api.game, self.table_api.players),
            )
        return await self._send_screen(request)

    def seat_of_link(self, request: Request) -> str | None:
        """The seat (or `table`) that the link of a request leads to."""
        return self.seat_links.seat_of_token(request.path_params["token"])

    def grant_request(self, agreed: SeatProposal) -> None:
        """The table has agreed to what somebody asked for on a screen."""
        if agreed.request == TRY_PIN:
            self._running.note_presence_proof()
        else:
            self.seating.grant_request(agreed)

    def renew_link(self, seat: Seat) -> None:
        """Give a seat a new link; whoever sits there, or asked by the old one, has to leave."""
        self.seat_links.renew_link(seat)
        self.seating.cancel_request(seat)
        self.screen_hub.close_seat(seat)

    def no_table_response(self, request: Request) -> Response:
        """What is answered while there is no table."""
        said = announce.translate(announce.sentence_by_id("answer off"), screen_language(request, TABLE_LINK))
        return PlainTextResponse(f"{said}\n", 503)

    def unknown_link_response(self, request: Request) -> Response:
        """What whoever guesses at links is told; and that he guesses too often."""
        language = screen_language(request, TABLE_LINK)
        address = request.client.host if request.client else ""
        if not self._guesses.take_token(address):
            return notice_page(language, _("Too many wrong links"), _("Wait a minute."), 429)
        return notice_page(language, _("This link doesn't work"), _("Ask for a new one."), 404)

    async def _follow_link(self, request: Request) -> Response:
        name = self.seat_of_link(request)
        if name is None:
            return self.unknown_link_response(request)
        there = "/" if name == TABLE_LINK else f"/seat/{name}"
        if self.is_seated_at(request, name):
            return RedirectResponse(there, 303)
        if name != TABLE_LINK and (self._confirm or self.seat_links.is_taken(name)):
            return self.seating.ask_others_page(request, Seat(name))
        if request.method != "POST":
            return self._seat_form(request, name)
        try:
            secret = self.seat_links.bind_device(name)
        except SeatTaken:
            return self.seating.ask_others_page(request, Seat(name))
        response = RedirectResponse(there, 303)
        self.set_seat_cookie(response, name, secret)
        return response

    async def _sit_down_everywhere(self, request: Request) -> Response:
        """By the table's link, one device sits down at every seat that is free: it is passed round."""
        if self.seat_of_link(request) != TABLE_LINK:
            return self.unknown_link_response(request)
        seats = [seat for seat in self.table_api.seats if self.seat_links.has_link(seat)]
        free = [seat for seat in seats if not self.seat_links.is_taken(seat)]
        if self._confirm or not free:
            return RedirectResponse(f"/link/{request.path_params['token']}", 303)
        response = RedirectResponse(f"/seat/{free[0]}{PASSED_ROUND}", 303)
        for name in (*free, TABLE_LINK):
            self.set_seat_cookie(response, name, self.seat_links.bind_device(name))
        return response

    def set_seat_cookie(self, response: Response, name: str, secret: str) -> None:
        """Have the device remember that it sits there; everybody sees that the seat is not free any more."""
        self.set_secret_cookie(response, self.cookie_name(name), secret, seconds=COOKIE_AGE_S)
        if self.table_api.has_table:
            self.screen_hub.broadcast_status()

    def set_secret_cookie(self, response: Response, cookie: str, secret: str, *, seconds: int) -> None:
        """Have the device keep a secret that no script and no other site can use."""
        response.set_cookie(cookie, secret, seconds, httponly=True, samesite="lax", secure=self._secure)

    def _seat_form(self, request: Request, name: str) -> Response:
        """A form rather than a bound seat: what only previews a link must not sit down."""
        language = screen_language(request, name)
        if name == TABLE_LINK:
            what = _("Open the table's screen")
            why = _("This device may then move the pieces of the virtual board.") if self._virtual else ""
        else:
            what = _("Sit down as {seat}")
            why = _("Once you sit down, only this device can open this seat.")
        rules = self._rule_set_label(language)
        return notice_page(
            language,
            what,
            why,
            button=what,
            more=_("Rules: {rules}") if rules else "",
            rules=rules,
            seat=seat_label(Seat(name), language, self.table_api.game, self.table_api.players),
        )

    # What screens ask for

    def _device_view(self, request: Request) -> dict[str, Any]:
        """What this device sees before it opens a socket: nothing that hands or seats change."""
        return {
            "printed": self.table_api.printed_board(),
            "seats": list(self.table_api.seats),
            "mine": [seat for seat in self.table_api.seats if self.is_seated_at(request, seat)],
            "machines": {
                seat: self._machines.get(seat, "")
                for seat in self.table_api.seats
                if not self.seat_links.has_link(seat)
            },
            "hands": self._virtual and self.has_any_link(request),
            "makers": self._makers and self.is_seated_at(request, TABLE_LINK),
            "joins": self.has_any_link(request),
            "alone": not self.seating.external_url(request),
        }

    async def _offline_page(self, request: Request) -> Response:
        """What a device keeps, to show it where the board can't be reached."""
        return notice_page(
            screen_language(request, TABLE_LINK),
            _("The board can't be reached"),
            _(
                "It is switched off, it starts just now, or this device has left its Wi-Fi. The game is "
                "saved: try again."
            ),
        )

    async def _send_device_view(self, request: Request) -> Response:
        return _gzip_json_response(request, self._device_view(request))

    async def _send_picture(self, request: Request) -> Response:
        """What is drawn under lamps and pieces: `/picture/de.svg`, or `/picture/de-turned.svg`."""
        language, _minus, turned = request.path_params["name"].partition("-")
        if language not in LANGUAGES or turned not in ("", "turned"):
            return PlainTextResponse("there is nothing here\n", 404)
        if not self.table_api.has_table:
            return self.no_table_response(request)
        asset = await asyncio.to_thread(self._picture_asset, language, bool(turned))
        return asset_response(request, asset) if asset else PlainTextResponse("there is nothing here\n", 404)

    def _picture_asset(self, language: str, turned: bool = False) -> Asset | None:
        """The picture of the board; drawn once, as it takes a small machine some seconds."""
        known = self.table_api.game, language, turned
        if known not in self._pictures:
            drawn = self.table_api.board_picture(language, turned=turned)
            if not drawn:
                return None
            self._pictures[known] = make_asset("svg", drawn)
        return self._pictures[known]

    async def _send_help(self, request: Request) -> Response:
        return _gzip_json_response(
            request,
            help_chapters(
                self.table_api.game,
                self.table_api.options,
                screen_language(request, request.query_params.get("seat", TABLE_LINK)),
                has_machines=bool(self._machines),
            ),
        )

    def _rule_set_label(self, language: str) -> str:
        """What people call the set of rules that is played by; empty where the game has none."""
        table = self.table_api
        return rule_set_label(table.game, table.options, language, has_machines=bool(self._machines))

    def partner_seats(self) -> Collection[Seat]:
        """The seats that the partner of a lesson plays, until people begin another game."""
        partner = self.partner
        return (
            () if partner is None or not partner.is_lesson_game else {*self.table_api.seats} - {partner.seat}
        )

    def _is_learner(self, request: Request, seat: Seat) -> bool:
        """Whether this device sits at that seat and is led through its first game."""
        partner = self.partner
        return bool(
            partner and partner.is_lesson_game and partner.seat == seat and self.is_seated_at(request, seat)
        )

    async def _send_lesson(self, request: Request) -> Response:
        seat = Seat(request.query_params.get("seat", ""))
        if self.partner is None or not self._is_learner(request, seat):
            return PlainTextResponse("there is no lesson for this seat\n", 404)
        lesson = lesson_texts(self.partner.lesson, screen_language(request, seat), self.table_api.game)
        return _gzip_json_response(request, {**lesson, "run": self.partner.run_id})

    async def _restart_lesson(self, request: Request) -> Response:
        if self.partner is None or not self.is_seated_at(request, self.partner.seat):
            return PlainTextResponse("there is no lesson for this seat\n", 404)
        self.partner.restart_lesson()
        return PlainTextResponse("")

    async def _send_finished_games(self, request: Request) -> Response:
        if not self.table_api.has_table:
            return self.no_table_response(request)
        try:
            return JSONResponse({"games": self.table_api.finished_games(), "dated": is_date_known()})
        except BoardumpireError as error:
            return PlainTextResponse(f"{public_error_text(error)}\n", 503)

    async def _send_statistics(self, request: Request) -> Response:
        """Who won how often, for the screen of finished games, or as a file to keep."""
        if not self.table_api.has_table:
            return self.no_table_response(request)
        try:
            tallies = self.table_api.tallies()
        except BoardumpireError as error:
            return PlainTextResponse(f"{public_error_text(error)}\n", 503)
        if request.url.path.endswith(".csv"):
            from boardumpire.history.statistics import as_csv  # most screens never ask

            headers = {"content-disposition": 'attachment; filename="boardumpire-statistics.csv"'}
            return Response(as_csv(tallies), headers=headers, media_type="text/csv; charset=utf-8")
        language = screen_language(request, TABLE_LINK)
        rows = [
            {
                **tally._asdict(),
                "title": registry.package(tally.game).title,
                "seat": seat_label(tally.seat, language, tally.game) if tally.seat else "",
            }
            for tally in tallies
        ]
        return JSONResponse({"tallies": rows})

    async def _send_replay_steps(self, request: Request) -> Response:
        try:
            first = max(0, int(request.query_params.get("first", "0")))
        except ValueError:
            return PlainTextResponse("first: expected a number\n", 400)
        steps = await self._replay_steps(request, first, STEPS_PER_REQUEST)
        return steps if isinstance(steps, Response) else _gzip_json_response(request, steps)

    async def _send_saved_game(self, request: Request) -> Response:
        """The whole game as one file."""
        steps = await self._replay_steps(request, 0, STEPS_PER_FILE_MAX)
        if isinstance(steps, Response):
            return steps
        language = screen_language(request, TABLE_LINK)
        about = {
            **self._language_data(self.table_api.printed_board(), language),
            "seats": steps["seats"],
            "mine": [],
        }
        if "picture" in about["printed"]:
            about["printed"] |= await asyncio.to_thread(self._inline_pictures, language)
        body = await asyncio.to_thread(saved_game_page, self._assets, about, steps, language)
        name = f"boardumpire-{steps['game']}-{steps['number']}.html"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(body, headers=headers, media_type=CONTENT_TYPES["html"])

    def _inline_pictures(self, language: str) -> dict[str, str]:
        """The picture of the board both ways up, for a page that can't ask for it."""
        drawn = {
            name: self.table_api.board_picture(language, turned=name == "turned")
            for name in ("picture", "turned")
        }
        return {
            name: f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
            for name, svg in drawn.items()
        }

    async def _send_move_analysis(self, request: Request) -> Response:
        """What the strongest player would have done at a step of a game that is over."""
        number, step = request.path_params["number"], request.query_params.get("step", "")
        if not all(text.isascii() and text.isdecimal() and len(text) < 19 for text in (number, step)):
            return PlainTextResponse("no game has such a step\n", 404)
        if not self.table_api.has_table:
            return self.no_table_response(request)
        try:
            return JSONResponse(dict(await self.table_api.analyse_move(int(number), int(step))))
        except JournalError as error:
            return PlainTextResponse(f"{public_error_text(error)}\n", 404)
        except BoardumpireError as error:
            why = announce.translate(public_error_text(error), screen_language(request, TABLE_LINK))
            return PlainTextResponse(f"{why}\n", 503)

    async def _replay_steps(self, request: Request, first: int, count: int) -> Response | dict[str, Any]:
        """Steps of a game that is over, in the language of who asks; or what is wrong."""
        number = request.path_params["number"]
        if not (number.isascii() and number.isdecimal() and len(number) < 19):
            return PlainTextResponse("no game has such a number\n", 404)
        if not self.table_api.has_table:
            return self.no_table_response(request)
        try:
            steps = await asyncio.to_thread(self.table_api.replay_steps, int(number), first, count)
        except BoardumpireError as error:
            return PlainTextResponse(f"{public_error_text(error)}\n", 404)
        translated: dict[str, Any] = announce.translate(steps, screen_language(request, TABLE_LINK))
        return translated

    async def _watch_socket(self, socket: WebSocket) -> None:
        await ScreenSession(
            self.table_api, self.screen_hub.delayed_spectators or self.screen_hub, None, AnswerMemory()
        ).serve(socket)

    async def _table_socket(self, socket: WebSocket) -> None:
        if self.is_spectator(socket):
            await refuse_socket(socket, "spectators are shown the game later, at /watch")
            return
        await ScreenSession(
            self.table_api, self.screen_hub, None, AnswerMemory(), lambda: not self.is_spectator(socket)
        ).serve(socket)

    async def _seat_socket(self, socket: WebSocket) -> None:
        seat = socket.path_params["seat"]
        if seat not in self.table_api.seats or not self.is_seated_at(socket, seat):
            await refuse_socket(socket, "this seat's screen opens on the device that sits there")
            return
        await ScreenSession(
            self.table_api,
            self.screen_hub,
            seat,
            self._answers[seat],
            lambda: self.is_seated_at(socket, seat),
        ).serve(socket)


def _picture_address(printed: Mapping[str, Any], language: str) -> dict[str, str]:
    """Where the picture of the board is, if its game has one."""
    return {"picture": f"/picture/{language}.svg"} if printed.get("looks", {}).get("picture") else {}


def _gzip_json_response(request: Request, value: object) -> Response:
    """JSON, compressed: for what holds nothing that is hidden from whoever asks."""
    response = JSONResponse(value)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return response
    headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
    return Response(gzip.compress(bytes(response.body), 6), headers=headers, media_type="application/json")


async def refuse_socket(socket: WebSocket, why: str) -> None:
    """Refuse a socket before it opens, with a word."""
    await socket.send_denial_response(PlainTextResponse(f"{why}\n", 403, SECURITY_HEADERS))
