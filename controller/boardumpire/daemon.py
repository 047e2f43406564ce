"""The one composition root: builds everything a board needs, runs it, takes it down.

Three phases. *Start*: nothing is served before all is open. *Run*: until a signal or a failure. *Stop*: what
was opened is closed in reverse order, also when the start broke off half-way, and signals are as they were.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import boardrules
from boardrules.core import OptionError
from boardumpire import secrecy
from boardumpire.config import Config
from boardumpire.control import Control
from boardumpire.drivers import open_ports
from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.factory import timing
from boardumpire.journal import Store
from boardumpire.notify import Notifier
from boardumpire.opening import Wanted, open_table
from boardumpire.pen import Pen, ThreadPen
from boardumpire.runner import Runner, monotonic
from boardumpire.seal import load_or_make_key
from boardumpire.secrecy import Message
from boardumpire.table import Table
from boardware.description import load_board
from boardware.errors import BoardFileError

SIGNALS = (signal.SIGTERM, signal.SIGINT)

log = logging.getLogger("boardumpire")


def serve(config: Config, environ: Mapping[str, str]) -> None:
    """Run a board until SIGTERM or SIGINT. Raises `BoardumpireError` for what the owner can mend."""

    async def phases() -> None:
        daemon = Daemon(config, Notifier(environ))
        try:
            await daemon.start()
            await daemon.run()
        finally:
            daemon.stop()

    asyncio.run(phases())


class Daemon:
    """A board in service."""

    def __init__(self, config: Config, notifier: Notifier) -> None:
        self._config = config
        self._notifier = notifier
        self._opened = contextlib.ExitStack()
        self._begin: Callable[[], None]
        self._table: Table
        self._pen: Pen | None = None
        self._sign_of_life: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        """Open everything; tell systemd when it is done. Raises `BoardumpireError`."""
        config, opened = self._config, self._opened
        self._runner = Runner()
        opened.enter_context(_signals(self._runner.end))
        try:
            board = load_board(config.board.name)
        except BoardFileError as error:
            raise ConfigError(f"[board] name: {error}") from None
        store = Store.open(config.journal.path, load_or_make_key(config.journal.key))
        opened.callback(store.close)
        ports = open_ports(board, config)
        opened.callback(ports.close)
        opened.callback(self._rest)

        def begin() -> None:
            now = monotonic()
            try:
                self._table = open_table(
                    board=board,
                    wanted=Wanted(config.game.id, config.game.options),
                    ports=ports,
                    store=store,
                    now=now,
                    wall_ms=time.time_ns() // 1_000_000,
                    timing=timing(config.tracker),
                    pen=self._new_pen,
                )
            except (OptionError, boardrules.UnknownGame) as error:
                raise ConfigError(f"[game] {error}") from None

        self._begin = begin
        begin()
        self._control = Control(config.control.socket, self)
        await self._control.start()
        opened.callback(self._control.stop)
        self._runner.start(self._table, self._tell)
        self._watch()
        log.info("board %s is open, journal %s", board.id, config.journal.path)
        self._notifier.ready()

    async def run(self) -> None:
        """Serve until a signal comes; raises what made a turn fail."""
        await self._runner.ended

    def stop(self) -> None:
        """Close what was opened, last first; what was said before is written. Stopping twice is allowed."""
        self._notifier.stopping()
        if self._sign_of_life is not None:
            self._sign_of_life.cancel()
        self._opened.close()

    # What the control socket may ask

    def say(self, seat: str, text: str) -> None:
        """As `Table.say`; the table is turned at once."""
        self._table.say(seat, text, monotonic())
        self._runner.wake()

    def view(self, seat: str | None) -> dict[str, Any]:
        """As `Table.view`."""
        return self._table.view(seat)

    def status(self) -> dict[str, Any]:
        """What everybody can see on the board, and whether the game is over."""
        chores = secrecy.chores(monotonic(), self._table.guidance.chores)
        return {**chores.data, "marks": dict(self._table.marks), "over": self._table.over}

    def new(self) -> None:
        """Begin another game on the same board. Raises `BoardumpireError` while one is being played."""
        if not self._table.over:
            raise BoardumpireError("the game is not over: play it to its end, or resign it")
        self._rest()
        self._begin()
        self._runner.start(self._table, self._tell)

    def _rest(self) -> None:
        """Turn no more, and have everything written."""
        self._runner.stop()
        if self._pen is not None:
            self._pen.close()

    def _new_pen(self, store: Store) -> Pen:
        self._pen = ThreadPen(store, self._runner.wake)
        return self._pen

    def _tell(self, messages: Sequence[Message]) -> None:
        for message in messages:
            if message.seat is None and message.kind == "fault":
                log.warning("%s", message.data["text"])
        self._control.tell(messages)

    def _watch(self) -> None:
        """Give signs of life from the very loop that turns the table: one that hangs gives none."""
        if self._notifier.watchdog_s is not None:
            self._notifier.alive()
            loop = asyncio.get_running_loop()
            self._sign_of_life = loop.call_later(self._notifier.watchdog_s / 2, self._watch)


@contextlib.contextmanager
def _signals(stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` on a signal; afterwards signals do what they did before."""
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
            signal.signal(number, before[number])
