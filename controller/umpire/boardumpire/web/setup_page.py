"""The set-up on the page, for a board that has nothing configured yet (`makers.setup`).

/                    the screen, in English as the makers' screens are
/set-up/code         POST {"code": "1234 5678 9012"}: lets this device in (`entry_code`)
/set-up/state.json   what is asked now, for devices that were let in
/set-up/do           POST {"do": "answer", "id": "board", "value": ...}, {"do": "back"}, {"do": "look"}, and
                     while the doctor looks {"do": "say", "yes": true, "asked": 3}, {"do": "stop"}
/set-up/table.svg    once it is done: the code of the table's link, to photograph

An answer is one of those that are offered. Nothing that a browser says becomes a path, a command or a text,
but the address of another board, to which this machine connects, and its code.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

import boardrules
from boardumpire.errors import BoardumpireError, public_error_text
from boardumpire.makers.bare_board import bare_board
from boardumpire.makers.setup.questions import HANDS_DOCTOR_ANSWER, HOST_QUESTION, SetupError
from boardumpire.makers.setup.session import SetupSession
from boardumpire.makers.workshop import Workshop
from boardumpire.service import drivers
from boardumpire.service.addresses import reachable_addresses, url_host
from boardumpire.service.clock import monotonic
from boardumpire.service.config import Config, PageSection, parse_listen_address, parse_networks
from boardumpire.service.runner import Steppable, TableRunner
from boardumpire.supervision import start_task
from boardumpire.web.assets import Assets
from boardumpire.web.entry_code import COOKIE_NAME, EntryCode, WrongCode, is_in_local_network
from boardumpire.web.request_guard import RequestGuard
from boardumpire.web.seat_links import TABLE_LINK, SeatLinks
from boardumpire.web.seating import link_qr_code
from boardumpire.web.server import Server
from boardware.description import board_path
from boardware.errors import BoardwareError
from boardware.ports import Micros, Ports

STATIC_FILES = ("first.js", "first.css", "shared.js", "style.css", "icon.svg")
LOG_LINES_SHOWN = 12
"""How many of the latest lines of the log are shown."""

log = logging.getLogger("boardumpire")


class SetupPage:
    """Serves one set-up. `chosen` is called once the configuration names a board, `made` for a new code."""

    def __init__(
        self,
        section: PageSection,
        session: SetupSession,
        chosen: Callable[[], None],
        made: Callable[[], None],
    ) -> None:
        where = parse_listen_address(section.listen)
        assert where is not None, "the configuration was read"
        self._session, self._chosen = session, chosen
        self._entry = EntryCode(made)
        self._assets = Assets("boardumpire.web")
        self._examining = _SetupDoctor(session)
        self._busy = ""
        self._table = ""
        self.is_listening = False
        app = Starlette(
            routes=[
                Route("/healthz", self._health),
                Route("/set-up/code", self._admit_device, methods=["POST"]),
                Route("/set-up/state.json", self._state),
                Route("/set-up/do", self._run_command, methods=["POST"]),
                Route("/set-up/table.svg", self._send_table_code),
                *(Route(f"/{name}", self._file) for name in STATIC_FILES),
                Route("/{path:path}", self._screen),
            ]
        )
        self._secure = bool(section.certificate)
        self._server = Server(
            RequestGuard(app, section.names.split(), lambda asks: None, parse_networks(section.proxy) or ()),
            *where,
            section.certificate,
            section.key,
        )

    @property
    def entry_code(self) -> str:
        """What lets the next device in."""
        return self._entry.text

    @property
    def origin(self) -> str:
        """Where it is found, by other devices if that can be."""
        address, port = self._server.listen_address
        found = reachable_addresses(address)
        return f"{self._server.scheme}://{url_host(found[0])}:{port}" if found else self._server.origin

    @property
    def external_port(self) -> int:
        """The port by which other devices will reach it once this machine is in a network; 0 where they do
        already, or never will."""
        address, port = self._server.listen_address
        alone = ipaddress.ip_address(address).is_loopback or reachable_addresses(address)
        return 0 if alone else port

    async def start(self) -> None:
        """Listen. Raises as `Server.start`."""
        await self._server.start()
        self.is_listening = True

    def stop(self) -> None:
        """Hang up. Stopping twice is allowed."""
        self._examining.stop()
        self._server.stop()

    async def wait_closed(self) -> None:
        """After `stop`: until whoever was being answered has heard of it."""
        await self._server.wait_closed()

    # Routes

    async def _health(self, request: Request) -> Response:
        return PlainTextResponse("no board is chosen yet\n", 503)

    async def _file(self, request: Request) -> Response:
        return self._assets.respond(request, request.url.path.removeprefix("/"))

    async def _screen(self, request: Request) -> Response:
        return (
            _not_local_response()
            if not _is_local_device(request)
            else self._assets.respond(request, "first.html")
        )

    async def _admit_device(self, request: Request) -> Response:
        if not _is_local_device(request):
            return _not_local_response()
        match await _read_json(request):
            case {"code": str(code)}:
                try:
                    secret = self._entry.admit_device(code)
                except WrongCode as error:
                    return PlainTextResponse(f"{error}\n", 403)
            case _:
                return PlainTextResponse("expected a code\n", 400)
        answer = PlainTextResponse("welcome\n")
        answer.set_cookie(COOKIE_NAME, secret, httponly=True, samesite="strict", secure=self._secure)
        return answer

    async def _state(self, request: Request) -> Response:
        if (refused := self._refusal(request)) is not None:
            return refused
        if not self._busy and not self._session.findings.boards:
            self._run_in_thread("look", self._session.look_for_hardware)
        return JSONResponse(self._screen_state())

    async def _run_command(self, request: Request) -> Response:
        if (refused := self._refusal(request)) is not None:
            return refused
        wanted = await _read_json(request)
        if self._busy:
            return PlainTextResponse("one thing at a time: it is still at work\n", 409)
        try:
            match wanted:
                case {"do": "answer", "id": str(id_), "value": str(value)}:
                    await self._apply_answer(id_, value)
                case {"do": "back"}:
                    self._examining.stop()
                    self._session.undo_answer()
                case {"do": "look"}:
                    self._run_in_thread("look", self._session.look_for_hardware)
                case {"do": "say", "yes": bool(yes), "asked": int(asked)}:
                    self._examining.answer(yes, asked)
                case {"do": "stop"}:
                    self._examining.stop()
                case _:
                    return PlainTextResponse("nothing that the set-up does\n", 400)
        except (BoardumpireError, BoardwareError) as error:
            return PlainTextResponse(f"{public_error_text(error)}\n", 409)
        return JSONResponse(self._screen_state())

    async def _send_table_code(self, request: Request) -> Response:
        if (refused := self._refusal(request)) is not None:
            return refused
        return link_qr_code(self._table) if self._table else PlainTextResponse("not yet\n", 404)

    def _refusal(self, request: Request) -> Response | None:
        if not _is_local_device(request):
            return _not_local_response()
        if not self._entry.is_admitted(request):
            return PlainTextResponse("type the code that the board's log shows\n", 403)
        return None

    # What answers do

    async def _apply_answer(self, id_: str, value: str) -> None:
        session = self._session
        match session.submit_answer(id_, value):
            case "look":
                self._run_in_thread("look", session.look_for_hardware)
            case "flash":
                self._run_in_thread("flash", lambda: session.flash_pico(id_, value))
            case "doctor":
                self._examining.start("doctor" if value == HANDS_DOCTOR_ANSWER else "doctor-no-hands")
            case "pair":
                self._run_in_thread("pair", lambda: session.pair_machine(value), self._hand_over)
            case "write":
                self._hand_over_to_table(await asyncio.to_thread(session.write_config, value))
        if session.was_abandoned:
            session.was_abandoned = False
            session.answers.clear()

    def _run_in_thread(
        self, what: str, does: Callable[[], object], after: Callable[[], object] = lambda: None
    ) -> None:
        """Do what takes seconds in a thread of its own, and something `after` it; the loop goes on."""
        self._busy = what

        async def done() -> None:
            try:
                await asyncio.to_thread(does)
                after()
            except (BoardumpireError, BoardwareError) as error:
                self._session.log_lines.append(public_error_text(error))
            except Exception as error:  # the set-up goes on, and the log says where
                log.exception("the set-up could not %s", what)
                self._session.log_lines.append(f"that went wrong: {type(error).__name__}; see the log")
            finally:
                self._busy = ""

        self._task = start_task(done(), "the set-up")

    def _hand_over_to_table(self, found: Config) -> None:
        """The configuration is written: show where the table is going to be, then make room for it."""
        self._examining.stop()
        if found.page.listen:
            seats = boardrules.new(found.game.id, found.game.options).seats
            people = [seat for seat in seats if seat not in found.game.machines]
            path = SeatLinks.open(found.page.links, people).paths()[TABLE_LINK]
            self._table = self._table_origin(found) + path
        self._hand_over()

    def _hand_over(self) -> None:
        asyncio.get_running_loop().call_later(HANDOVER_DELAY_S, self._report_chosen)

    def _report_chosen(self) -> None:
        try:
            self._chosen()
        except BoardumpireError as error:
            self._session.is_written = False
            self._session.log_lines.append(public_error_text(error))

    def _table_origin(self, found: Config) -> str:
        where = parse_listen_address(found.page.listen)
        assert where is not None, "the configuration was read"
        addresses = reachable_addresses(where[0])
        host = url_host(addresses[0]) if addresses else "localhost"
        scheme = "https" if found.page.certificate else "http"
        return f"{scheme}://{host}:{where[1]}"

    def _screen_state(self) -> dict[str, Any]:
        session = self._session
        asked = None if self._busy else session.next_question()
        return {
            "busy": self._busy,
            "question": None if asked is None else _question_as_json(asked),
            "answered": [*session.answers],
            "log": session.log_lines[-LOG_LINES_SHOWN:],
            "doctor": self._examining.state(),
            "done": session.is_written,
            "table": self._table,
            "host": session.answers.get(HOST_QUESTION, "") if session.is_written else "",
            "alone": not self._table or "://localhost" in self._table,
        }


HANDOVER_DELAY_S = 1.5
"""How long the last answer may be read before the table takes the address."""


class _SetupDoctor:
    """The doctor over the board as it is going to be: whoever lends the workshop its ports."""

    def __init__(self, session: SetupSession) -> None:
        self._session = session
        self._workshop: Workshop | None = None
        self._runner: TableRunner | None = None
        self._ports: Ports | None = None
        self._draft: Config | None = None

    def start(self, what: str) -> None:
        """Begin. Raises `BoardumpireError` where a driver doesn't open."""
        self._draft = found = self._session.draft_config()
        folder = found.journal.path.parent / "makers"
        self._workshop = Workshop(
            self, self._session.board, board_path(found.board.name), found.lamps, folder
        )
        self._workshop.start_examination(what)

    def answer(self, yes: bool, request_number: int) -> None:
        """What a person says to the ask of that number."""
        if self._workshop is not None:
            self._workshop.answer(yes, request_number)
            if self._runner is not None:
                self._runner.wake()

    def stop(self) -> None:
        """Break off. Stopping nothing is allowed."""
        if self._workshop is not None:
            self._workshop.stop_examination()

    def state(self) -> dict[str, Any] | None:
        """What is asked of the person at the board, and at last the report."""
        if self._workshop is None:
            return None
        state = self._workshop.screen_state()
        return {key: state[key] for key in ("running", "ask", "report")}

    # What the workshop wants

    def lend_board(
        self, make_steppable: Callable[[Ports, Micros], Steppable], *, with_names: bool = False
    ) -> None:
        """Open the bare board, or one `with_names`, and turn what `make_steppable` makes over it."""
        assert self._draft is not None, "it was started"
        board = self._session.board if with_names else bare_board(self._session.board)
        self._ports = drivers.open_ports(board, self._draft, tags=False, wait=False)
        self._runner = TableRunner()
        self._runner.start(make_steppable(self._ports, monotonic()), lambda messages: None)

    def return_board(self) -> None:
        """Close what was opened."""
        if self._runner is not None:
            self._runner.stop()
            self._runner = None
        if self._ports is not None:
            self._ports.close()
            self._ports = None

    def call_after_step(self, do: Callable[[], None]) -> None:
        """Do something once this turn is over."""
        asyncio.get_running_loop().call_soon(do)

    def reopen_table(self, trace: object) -> None:
        """Refused: there is no table."""
        raise SetupError("there is no table to trace yet")


def _question_as_json(asked: Any) -> dict[str, Any]:
    return {**asked._asdict(), "choices": [choice._asdict() for choice in asked.choices]}


async def _read_json(request: Request) -> Any:
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        return None


def _client_address(request: Request) -> str:
    return request.client.host if request.client else ""


def _is_local_device(request: Request) -> bool:
    return is_in_local_network(_client_address(request))


def _not_local_response() -> Response:
    return PlainTextResponse("a board is set up from its own network alone\n", 403)
