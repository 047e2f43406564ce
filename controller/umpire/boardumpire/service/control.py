"""The local control socket: JSON lines on a unix domain socket, for what seats say and see in private.

Until a seat has a page of its own, this is its private channel. The socket does not ask who is there: the
mode of its file (0660) says who may open it, and whoever may is trusted with every secret of the game, as the
owner of the machine is anyway.

    {"do":"say","seat":"red","text":"setup a1=F ..."}   an action, or "yes" or "no" to a question
    {"do":"carry","seat":"red","text":"a3-a4"}          for a seat that plays elsewhere: lamps ask hands to
                                                        carry that, and what they carry is its action
    {"do":"view","seat":"red"}                          answers with "view"; "seat":null is everybody's
    {"do":"status"}                                     answers with "chores", "marks" and "over", with
                                                        "reeds" that flutter unlike the others, and with why
                                                        the game "waits" for its journal, if it does;
                                                        "waits_for" lists what is missing: parts of the board,
                                                        and then there is nothing else, or the page's address
    {"do":"standing"}                                   answers with what is felt to stand where just now, as
                                                        everybody can see it, and with the clocks
    {"do":"messages"}                                   from now on each public message as it is told;
                                                        with "seat" also what that seat is told in private
    {"do":"new"}                                        begins another game, once the last one is over
    {"do":"links"}                                      the links to the seats' screens; "renew":"red" makes
                                                        that seat a new one first; "alone" is whether no other
                                                        device can open them
    {"do":"chosen"}                                     while no board is chosen yet: the configuration names
                                                        one now, begin with it. "status" has "set_up" then:
                                                        the address of its "page", and the "code" for it
    {"do":"pair","satellite":"north"}                   a "code" with which that satellite can pair, and for
                                                        how many seconds, "lasts_s"

The answer is one line: `{"ok":true,...}` or `{"ok":false,"error":...}`.
A bad line is such an error, and the conversation goes on.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Protocol

from boardrules.core import Seat
from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.typed_commands import unit_name

LINE_MAX_BYTES = 65536
"""Bytes of a line."""
SOCKET_PATH_MAX_BYTES = 107
"""Bytes of a path that Linux takes for a socket (unix(7))."""
BACKLOG_MAX_BYTES = 1 << 20
"""Bytes that may wait for a listener who does not read; then the daemon hangs up."""

_REQUEST_FIELDS = {
    "say": {"seat", "text"},
    "carry": {"seat", "text"},
    "view": {"seat"},
    "status": set[str](),
    "standing": set[str](),
    "messages": {"seat"},
    "new": set[str](),
    "links": {"renew"},
    "chosen": set[str](),
    "pair": {"satellite"},
}


class TableControl(Protocol):
    """What the control socket can ask of the daemon."""

    def submit_command(self, seat: Seat, text: str) -> None:
        """A seat says something in private. What is refused is for it alone."""

    def ask_hands(self, seat: Seat, text: str) -> None:
        """Have lamps ask hands to carry an action of a seat. Raises `BoardumpireError` where they can't."""

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What a seat (`None`: everybody) may know."""

    def full_status(self) -> dict[str, Any]:
        """What everybody can see on the board, whether the game is over, and what is waited for."""

    def standing_pieces(self) -> dict[str, Any]:
        """What is felt to stand where at this moment, and the clocks. Raises `BoardumpireError` without a
        table."""

    def begin_game(self) -> None:
        """Begin another game. Raises `BoardumpireError` while one is being played."""

    def links(self, renew: str | None) -> dict[str, str]:
        """The links to the seats, once `renew` got a new one. Raises `BoardumpireError` without a page."""

    def finish_setup(self) -> None:
        """Begin with the board that the configuration names now. Raises `BoardumpireError`."""

    def open_pairing(self, satellite: str) -> dict[str, Any]:
        """A code with which that satellite can pair. Raises `BoardumpireError` where none can."""

    @property
    def is_local_only(self) -> bool:
        """Whether those links open on this machine itself and nowhere else."""


class ControlServer(Protocol):
    """What answers `boardumpire`'s commands, as the daemon uses it."""

    async def start(self) -> None:
        """Listen. Raises `ConfigError` if that is impossible."""

    def broadcast(self, messages: Sequence[SeatMessage]) -> None:
        """Pass on what the table told, to those who may hear it."""

    def stop(self) -> None:
        """Hang up. Stopping twice is allowed."""


class ControlSocket:
    """The socket, and who is connected to it."""

    def __init__(self, path: Path, table_control: TableControl, machines: Collection[str] = ()) -> None:
        """`machines`: the seats that the machine plays; nobody speaks for them or sees what they see."""
        self._path = path
        self._table_control, self._machines = table_control, frozenset(machines)
        self._server: asyncio.Server | None = None
        self._open: set[_ControlConnection] = set()

    async def start(self) -> None:
        """Listen. Raises `ConfigError` if the path can't be had."""
        listening = _bind_socket(self._path)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(
            lambda: _ControlConnection(self._table_control, self._open, self._machines), sock=listening
        )

    def broadcast(self, messages: Sequence[SeatMessage]) -> None:
        """Pass on what the table told, to those who may hear it."""
        for conversation in list(self._open):
            conversation.send_messages(messages)

    def stop(self) -> None:
        """Hang up and remove the socket. Stopping twice is allowed."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        for conversation in list(self._open):
            conversation.hang_up()
        self._path.unlink(missing_ok=True)


class _ControlConnection(asyncio.Protocol):
    """One connection: lines in, lines out."""

    def __init__(
        self, table_control: TableControl, others: set[_ControlConnection], machines: Collection[str]
    ) -> None:
        self._table_control, self._machines = table_control, machines
        self._open = others
        self._rest = b""
        self._skipping = False
        self._listens: set[str | None] = set()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._open.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._open.discard(self)

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._skipping:
                self._skipping = False
            elif len(line) > LINE_MAX_BYTES:
                self._answer(_line_too_long())
            elif line.strip():
                self._answer(self._handle_line(line))
        if len(self._rest) > LINE_MAX_BYTES:
            if not self._skipping:
                self._answer(_line_too_long())
            self._skipping, self._rest = True, b""

    def send_messages(self, messages: Sequence[SeatMessage]) -> None:
        for message in messages:
            if message.seat in self._listens:
                self._answer(message.json())

    def hang_up(self) -> None:
        self._transport.close()

    def _answer(self, answer: dict[str, Any]) -> None:
        if self._transport.get_write_buffer_size() > BACKLOG_MAX_BYTES:
            self._transport.abort()
        else:
            self._transport.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")

    def _handle_line(self, line: bytes) -> dict[str, Any]:
        try:
            return {"ok": True, **self._handle_request(_parse_request(line))}
        except (BoardumpireError, _BadRequestLine) as error:
            return {"ok": False, "error": str(error)}

    def _handle_request(self, ask: dict[str, Any]) -> dict[str, Any]:
        seat = ask.get("seat")
        if seat in self._machines:
            raise _BadRequestLine(f"{ask['do']}: the machine plays {seat}, and nobody sees or speaks for it")
        match ask["do"]:
            case "say":
                self._table_control.submit_command(Seat(str(seat)), ask["text"])
            case "carry":
                self._table_control.ask_hands(Seat(str(seat)), ask["text"])
            case "view":
                return {"view": self._table_control.view(seat)}
            case "status":
                return self._table_control.full_status()
            case "standing":
                return self._table_control.standing_pieces()
            case "messages":
                if seat is not None:
                    self._table_control.view(seat)  # refuses a seat that is none
                self._listens |= {None, seat}
            case "new":
                self._table_control.begin_game()
            case "chosen":
                self._table_control.finish_setup()
            case "pair":
                return self._table_control.open_pairing(ask["satellite"])
            case "links":
                return {
                    "links": self._table_control.links(ask.get("renew")),
                    "alone": self._table_control.is_local_only,
                }
        return {}


class NotRunningError(BoardumpireError):
    """No daemon answers at the control socket."""


class NotAllowedError(BoardumpireError):
    """There is a control socket, and whoever asks may not open it."""


def send_request(path: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Ask the running daemon. Raises `NotRunningError` if none answers, `NotAllowedError` where this user may
    not ask, `BoardumpireError` if it refuses."""
    try:
        with socket.socket(socket.AF_UNIX) as line, line.makefile("rwb") as file:
            line.settimeout(10)
            line.connect(str(path))
            file.write(json.dumps(request).encode() + b"\n")
            file.flush()
            answer: dict[str, Any] = json.loads(file.readline())
    except PermissionError:
        raise NotAllowedError(
            f"{path}: this user may not ask the board; try the same command with sudo"
        ) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        text = f"{path}: no board is running here ({why}); try: systemctl status {unit_name()}"
        raise NotRunningError(text) from None
    if not answer["ok"]:
        raise BoardumpireError(answer["error"])
    return answer


class _BadRequestLine(ValueError):  # noqa: N818 - never leaves this module
    """A line that asks for nothing the socket knows."""


def _line_too_long() -> dict[str, Any]:
    return {"ok": False, "error": f"a line of more than {LINE_MAX_BYTES} bytes"}


def _parse_request(line: bytes) -> dict[str, Any]:
    """The line as an object whose verb and fields are known. Never quotes a text: it may hold a secret."""
    try:
        ask = json.loads(line)
    except (ValueError, RecursionError):
        raise _BadRequestLine("not JSON: expected one object a line") from None
    if not isinstance(ask, dict) or not isinstance(ask.get("do"), str) or ask["do"] not in _REQUEST_FIELDS:
        raise _BadRequestLine(f'expected an object whose "do" is one of {", ".join(_REQUEST_FIELDS)}')
    verb = ask["do"]
    for name in ask.keys() - {"do"} - _REQUEST_FIELDS[verb]:
        raise _BadRequestLine(
            f"{verb}: unknown field {name!r}, expected {', '.join(sorted(_REQUEST_FIELDS[verb])) or 'none'}"
        )
    nobody = verb not in ("say", "carry") and ask.get("seat") is None
    if "seat" in _REQUEST_FIELDS[verb] and not nobody and not isinstance(ask.get("seat"), str):
        raise _BadRequestLine(f"{verb}: expected a seat's name as `seat`")
    if not isinstance(ask.get("renew"), str | None):
        raise _BadRequestLine("links: expected a seat's name as `renew`")
    if verb == "pair" and not isinstance(ask.get("satellite"), str):
        raise _BadRequestLine("pair: expected a satellite's name as `satellite`")
    if verb in ("say", "carry") and not isinstance(ask.get("text"), str):
        raise _BadRequestLine(f"{verb}: expected what the seat says as `text`")
    return ask


def _bind_socket(path: Path) -> socket.socket:
    """A listening socket that never, not even for a moment, is open to more than owner and group."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
            path.unlink()  # of a daemon that was killed: the journal's lock says that there is no other
        mask = os.umask(0o117)
        try:
            listening.bind(str(path))
        finally:
            os.umask(mask)
    except OSError as error:
        listening.close()
        raise ConfigError(f"[control] socket: can't listen at {path}: {error.strerror or error}") from None
    return listening
