"""The service as it ships, on a simulated board and in virtual time."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from boardumpire.commands.daemon import Daemon, OpenTableFn
from boardumpire.commands.page import HEADER_DRIVERS, PICO_DRIVERS, virtual_board
from boardumpire.commands.platform import Platform
from boardumpire.journal.journal import Store
from boardumpire.journal.writer import SyncJournalWriter
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.clock import loop_time_s, monotonic
from boardumpire.service.config import (
    BoardSection,
    Config,
    ControlSection,
    GameSection,
    JournalSection,
    MachineSection,
    PageSection,
)
from boardumpire.service.notify import Notifier
from boardumpire.table.opening import open_table
from boardware.description import load_board
from evenings import disk
from evenings.drivers import Opener
from evenings.players import Players

BEGAN_MS = 1_767_225_600_000
"""The date at which every simulation begins."""
BOARDS = {
    "stratego-quick-duel": "quick-battle-8x8",
    "stratego-quick-barrage": "quick-battle-8x8",
    "fall-of-the-fuhrer": "fall-of-the-fuhrer",
    "escape-from-colditz": "escape-from-colditz",
}


KEPT = 40
"""How many of the messages told last a failure shows."""
PATIENCE_S = 300
"""A ruling comes within so many seconds, or the game stands still."""


class StoodStill(AssertionError):  # noqa: N818
    """Nobody could go on."""


class DelayedJournalWriter(SyncJournalWriter):
    """Writes each entry a while after it was told to, as a thread with a slow disk does.

    What waits when the power is cut is never written.
    """

    def __init__(
        self, store: Store, wake: Callable[[], None], took: Callable[[float], None], chance: random.Random
    ) -> None:
        super().__init__(store)
        self.watching: list[asyncio.Future[None]] = []
        """Done once there is something to write."""
        self._wake, self._took, self._chance = wake, took, chance
        self._due: deque[asyncio.TimerHandle] = deque()
        self._last = 0.0

    def waits(self) -> Any:
        return self._blocked

    def _submit(self, job: Any) -> Any:
        if self._closed:
            return super()._submit(job)
        span = (
            self._chance.uniform(0.002, 0.03)
            if self._chance.random() < 0.97
            else self._chance.uniform(0.1, 2)
        )
        self._last = max(self._last, loop_time_s() + span)
        self._queue.append(job)
        while self.watching:
            begun = self.watching.pop()
            if not begun.done():
                begun.set_result(None)
        self._due.append(asyncio.get_running_loop().call_at(self._last, self._write, span))
        return job.receipt

    def _write(self, span: float) -> None:
        self._due.popleft()
        if self._queue and self._run_job(self._queue[0]):
            self._queue.popleft()
            self._took(span)
        self._wake()

    def close(self) -> None:
        for timer in self._due:
            timer.cancel()
        self._due.clear()
        super().close()

    def write_one(self) -> None:
        """Write what is written next, though nobody hears of it."""
        if self._queue:
            self._run_job(self._queue[0])

    def lose(self) -> None:
        """The power is cut: nothing that waits is written."""
        self._queue.clear()
        self.close()


class Service:
    """One daemon over one simulated board. Make it on a running loop: all clocks are that loop's."""

    def __init__(self, config: Config, seed: int, opening: OpenTableFn = open_table) -> None:
        """`opening` opens tables, as where dice are given."""
        self.seed, self.opening = seed, opening
        self._config, self.board = virtual_board(config, seed, powered=False)
        self._stop_board = self.board.stop
        self.board.stop = lambda: None  # type: ignore[method-assign]  # hands go on while no process runs
        self.players = Players(seed)
        self.drivers = Opener(self.board.world)
        self._chance = random.Random(f"disk {seed}")
        self.writer: DelayedJournalWriter | None = None
        self.trace = hashlib.sha256()
        """All that was told, with its moments."""
        self.last: deque[str] = deque(maxlen=KEPT)
        """What was told last, for whoever looks into a failure."""
        self.listeners: list[Callable[[Sequence[SeatMessage]], None]] = [self._note]
        self.starters: list[Callable[[Daemon], None]] = []
        """Called with each process that takes the place of another."""
        self._served: dict[asyncio.Task[Any], None] = {}
        """What the page of the process answers just now."""
        self.daemon = self._made()
        self.board.on_schedule_changed = self._changed

    def _made(self) -> Daemon:
        """A daemon that has not been started yet."""
        platform = Platform(
            self.drivers.open, self._open_pen, self.players.start, lambda: BEGAN_MS + monotonic() // 1000
        )
        daemon = Daemon(
            self._config, Notifier({}), self.board, lambda **table: self.opening(**table), platform=platform
        )
        tell = daemon._dispatch_messages

        def heard(messages: Sequence[SeatMessage]) -> None:
            for listener in self.listeners:
                listener(messages)
            tell(messages)

        daemon._dispatch_messages = heard  # type: ignore[method-assign]
        return daemon

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        """The page of the process that runs; where none does, there is no answer."""
        page, socket = self.daemon.page, scope["type"] == "websocket"
        if page is not None:
            task = asyncio.current_task()
            assert task is not None
            self._served[task] = None
            try:
                await page.page.app(scope, receive, send)
                return
            except asyncio.CancelledError:  # its process is gone
                if page is self.daemon.page or not socket:
                    raise
            finally:
                self._served.pop(task, None)
        if socket:
            await send({"type": "websocket.close", "code": 1006})
        else:
            await send({"type": "http.response.start", "status": 503, "headers": []})
            await send({"type": "http.response.body"})

    async def restart(self, down_s: float, *, killed: bool) -> None:
        """The process ends, at a signal or `killed` in whatever it does, and another one begins."""
        old = self.daemon
        old.request_stop()
        if killed:
            self._without_power(old.stop)
        else:
            old.stop()
        self.daemon = new = self._made()
        for task in list(self._served):
            task.cancel()
        await old.wait_closed()
        await asyncio.sleep(down_s)
        for starter in self.starters:
            starter(new)
        await new.start()

    async def runs(self) -> None:
        """Until something goes wrong in a turn, whichever process it is that runs."""
        while True:
            daemon = self.daemon
            if hasattr(daemon, "_runner"):
                await daemon.run()
            await asyncio.sleep(0.5)

    def _open_pen(
        self, store: Store, wake: Callable[[], None], took: Callable[[float], None]
    ) -> DelayedJournalWriter:
        self.writer = DelayedJournalWriter(store, wake, took, self._chance)
        return self.writer

    def _changed(self) -> None:
        self.drivers.changed()
        if self.daemon.has_table:
            self.daemon.wake_table()

    def _note(self, messages: Sequence[SeatMessage]) -> None:
        for message in messages:
            text = f"{monotonic()} {message.seat} {message.kind} {message.data}"
            self.trace.update(f"{text}\n".encode())
            self.last.append(" ".join(text.split()))

    def cut_power(self, back_s: float) -> None:
        """The power goes in the middle of whatever is done; what no disk has taken is lost."""
        self._without_power(lambda: self.daemon.cut_power(back_s))

    def _without_power(self, end: Callable[[], None]) -> None:
        writer = self.writer
        assert writer is not None

        def lost() -> None:
            writer.lose()
            end()

        disk.cut(self._config.journal.path, writer.write_one, lost, self._chance)

    async def writes(self) -> None:
        """Until a record is being written, at most a minute."""
        if self.writer is not None:
            begun = asyncio.get_running_loop().create_future()
            self.writer.watching.append(begun)
            await asyncio.wait((begun,), timeout=60)
            begun.cancel()

    async def played(self) -> None:
        """Until this game is over; five minutes without any ruling are a stand-still."""
        last, at = None, loop_time_s()
        while not self.daemon.table.is_over:
            await asyncio.sleep(1)
            stands = self.daemon.table.full_state
            if stands is not last:
                last, at = stands, loop_time_s()
            if loop_time_s() - at > PATIENCE_S:
                raise StoodStill(f"seed {self.seed}: {self.shown()}")

    def shown(self) -> str:
        """What the table shows and waits for."""
        if not self.daemon.has_table:
            return "there is no table"
        table = self.daemon.table
        guidance = table.guidance
        return (
            f"{table.game_id} to act {table.full_state.seats_to_act()}, question {guidance.question}, "
            f"chores {guidance.corrections}, lifted {guidance.lifted_places}, proposal"
            f" {table.newest_proposal}, "
            f"waits {table.waiting_sentence}, calm {table.is_calm}, marks {dict(table.marks)}"
        )

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Service]:
        await self.daemon.start()
        self.board.start()
        try:
            yield self
        finally:
            self.daemon.stop()
            self._stop_board()
            await self.daemon.wait_closed()


def configured(
    folder: Path,
    game: str,
    machines: Mapping[str, str],
    *,
    board: str = "",
    dice: str = "umpire",
    **options: Any,
) -> Config:
    name = board or BOARDS[game]
    return Config(
        board=BoardSection(name),
        drivers=PICO_DRIVERS if load_board(name).picos else HEADER_DRIVERS,
        game=GameSection(
            game, dice=dice, options=MappingProxyType(options), machines=MappingProxyType(dict(machines))
        ),
        journal=JournalSection(folder / "journal.sqlite", folder / "board.key"),
        control=ControlSection(folder / "control.sock"),
        machine=MachineSection(power_off=""),
        page=PageSection(listen="127.0.0.1:0", links=folder / "links.json"),
    )
