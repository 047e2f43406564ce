"""The service in a browser's tab: one daemon over a simulated board, without sockets, threads and processes.

The page's requests and WebSockets come as messages, and go straight to the page's ASGI application. Files are
those of the interpreter's file system, in memory: they outlast a power cut of the board, not the tab.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import traceback
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import boardrules
from boardrules import baseline_players
from boardrules.identifiers import Seat
from boardumpire.commands import page
from boardumpire.commands.bot import POLL_INTERVAL_S, Bot, start_budget
from boardumpire.commands.daemon import Daemon
from boardumpire.commands.platform import Platform
from boardumpire.journal.journal import Store
from boardumpire.journal.writer import SyncJournalWriter, WriteReceipt
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.notify import Notifier

HOST, PORT = "127.0.0.1", 80
ORIGIN = f"http://{HOST}"
"""Where the page believes to be. Nothing listens there."""
DOWN_S = 2.0
"""How long the power stays off."""


class TabJournalWriter(SyncJournalWriter):
    """Writes at once, and has the table look at what was written."""

    def __init__(self, store: Store, wake: Callable[[], None]) -> None:
        super().__init__(store)
        self._wake = wake

    def _submit(self, job: Any) -> WriteReceipt:
        receipt = super()._submit(job)
        asyncio.get_running_loop().call_soon(self._wake)
        return receipt


class TabPlayer:
    """A machine player that asks by lines, as a process of its own does, and thinks in this interpreter."""

    def __init__(self, game: str, seat: Seat, level: str) -> None:
        seated = baseline_players.player_for(boardrules.package(game), seat, level)
        self._close = seated.player.close
        self._requests = Bot(game, seat, seated, random.Random(), start_budget).request_loop()
        self._answer: dict[str, Any] | None = None
        self._ended = asyncio.Event()
        self.returncode: int | None = None
        self.stdin = self.stdout = self

    async def readline(self) -> bytes:
        """The next request; empty once it has ended."""
        while self.returncode is None:
            await asyncio.sleep(0)
            try:
                request = self._requests.send(self._answer)
            except StopIteration:
                self._end(0)
                break
            self._answer = None
            if request is not None:
                return (json.dumps(request) + "\n").encode()
            await asyncio.sleep(POLL_INTERVAL_S)
        return b""

    def write(self, data: bytes, /) -> None:
        """Take an answer. Raises `ConnectionResetError` where it has ended."""
        if self.returncode is not None:
            raise ConnectionResetError
        self._answer = json.loads(data)

    async def drain(self) -> None:
        """Nothing waits to be sent."""

    def kill(self) -> None:
        """End it. Raises `ProcessLookupError` where it has ended."""
        if self.returncode is not None:
            raise ProcessLookupError
        self._end(-9)

    async def communicate(self) -> tuple[bytes, bytes]:
        """Until it has ended."""
        await self._ended.wait()
        return b"", b""

    def _end(self, code: int) -> None:
        self.returncode = code
        self._close()
        self._ended.set()


class NoControlSocket:
    """In place of the control socket: no command could reach it."""

    async def start(self) -> None:
        """Nothing listens."""

    def broadcast(self, messages: Sequence[SeatMessage]) -> None:
        """Nobody hears."""

    def stop(self) -> None:
        """Nothing listens."""


class NoServer:
    """In place of a listening socket: `Tab` hands requests to the application itself."""

    is_secure, scheme, origin, listen_address = False, "http", ORIGIN, (HOST, PORT)

    async def start(self) -> None:
        """Nothing listens."""

    def stop(self) -> None:
        """Nothing listens."""

    async def wait_closed(self) -> None:
        """Nobody was connected."""


@contextlib.contextmanager
def _no_signals(stop: Callable[[], object]) -> Iterator[None]:
    """No signal comes to a tab."""
    yield


async def _start_player(game: str, seat: Seat, level: str) -> TabPlayer:
    return TabPlayer(game, seat, level)


PLATFORM = Platform(
    open_journal_writer=lambda store, wake, took: TabJournalWriter(store, wake),
    start_player=_start_player,
    handle_signals=_no_signals,
    open_control=lambda *given: NoControlSocket(),
    open_server=lambda *given, **named: NoServer(),
)


class Tab:
    """The daemon, and the page's way to it."""

    def __init__(self, folder: Path, post: Callable[[int, str, str, int], None]) -> None:
        """`folder`: where its files are; `post` tells the page of a WebSocket: its number, what happened
        (`open`, `message`, `close`), a text and a code."""
        self._folder, self._post = folder, post
        self._sockets: dict[int, asyncio.Queue[dict[str, Any]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, game: str, machines: Mapping[str, str]) -> str:
        """Open the board and its table; the path of the link by which the first person sits down."""
        given = argparse.Namespace(
            game=game,
            board=None,
            driver=page.HEADER_DRIVERS.sensors,
            option=[],
            machine=[f"{seat}={level}" for seat, level in machines.items()],
            listen=f"{HOST}:{PORT}",
            https=False,
            spectator_delay=0,
        )
        config, board = page.virtual_board(
            page.simulated_config(given, self._folder), random.randrange(2**31)
        )
        self._daemon = Daemon(config, Notifier({}), board, platform=PLATFORM)
        await self._daemon.start()
        self._keep(self._daemon.run())
        links = self._daemon.links(None)
        return next(links[seat] for seat in self._daemon.seats if seat in links).removeprefix(ORIGIN)

    async def stop(self) -> None:
        """Close the board and its table."""
        self._daemon.stop()
        await self._daemon.wait_closed()

    def cut_power(self) -> None:
        """Drop the table in the middle of whatever it does; soon afterwards the power is back."""
        self._daemon.cut_power(DOWN_S)

    async def request(
        self, method: str, path: str, headers: Mapping[str, str], body: str = ""
    ) -> tuple[int, list[list[str]], bytes]:
        """Ask the application: status, headers and body of its answer."""
        sent = body.encode()
        parts: list[Any] = []
        inbox = [{"type": "http.request", "body": sent, "more_body": False}]

        async def receive() -> Any:
            return inbox.pop() if inbox else await asyncio.get_running_loop().create_future()

        async def send(message: Any) -> None:
            parts.append(message)

        scope = self._scope("http", "http", path, {**headers, "content-length": str(len(sent))})
        await self._app({**scope, "method": method}, receive, send)
        found = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in parts[0]["headers"]]
        return parts[0]["status"], found, b"".join(part.get("body", b"") for part in parts[1:])

    def open_socket(self, number: int, path: str, headers: Mapping[str, str]) -> None:
        """Open a WebSocket; what comes from it is posted."""
        inbox = self._sockets[number] = asyncio.Queue()
        inbox.put_nowait({"type": "websocket.connect"})

        async def send(message: Any) -> None:
            match message["type"]:
                case "websocket.accept":
                    self._post(number, "open", "", 0)
                case "websocket.send":
                    self._post(number, "message", message["text"], 0)
                case "websocket.close":
                    self._post(number, "close", message.get("reason") or "", message.get("code", 1000))
                case "websocket.http.response.start":
                    self._post(number, "close", "", 1006)

        async def serve() -> None:
            scope = self._scope("websocket", "ws", path, headers)
            extensions: dict[str, dict[str, Any]] = {"websocket.http.response": {}}
            await self._app({**scope, "subprotocols": [], "extensions": extensions}, inbox.get, send)
            self._sockets.pop(number, None)

        self._keep(serve())

    def say(self, number: int, text: str) -> None:
        """The page sends a text on a WebSocket."""
        self._put(number, {"type": "websocket.receive", "text": text})

    def close_socket(self, number: int) -> None:
        """The page hangs up."""
        self._put(number, {"type": "websocket.disconnect", "code": 1005})

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Do it beside everything else; an error is printed, which is what a browser's console shows."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            traceback.print_exception(error)

    def _put(self, number: int, message: dict[str, Any]) -> None:
        if number in self._sockets:
            self._sockets[number].put_nowait(message)

    @property
    def _app(self) -> Any:
        assert self._daemon.page is not None
        return self._daemon.page.page.app

    def _scope(self, kind: str, scheme: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
        place, _, query = path.partition("?")
        sent = {"host": HOST, "origin": ORIGIN, **headers}
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": scheme,
            "path": place,
            "raw_path": place.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items()],
            "client": (HOST, 1),
            "server": (HOST, PORT),
        }
