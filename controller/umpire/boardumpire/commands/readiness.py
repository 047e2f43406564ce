"""Waits for missing hardware, and for the network address of the page."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from boardumpire.errors import DriverError, UnreachableAddress
from boardumpire.service.config import Config
from boardumpire.service.log_lines import DETAILS_KEY
from boardumpire.service.missing_hardware import MissingHardware
from boardumpire.service.runner import LISTEN_RETRY_S, TableRunner
from boardumpire.supervision import start_task
from boardware.parts import BoardDescription
from boardware.ports import LateDriver, Ports

if TYPE_CHECKING:
    from boardumpire.web.waiting_page import WaitingPage

log = logging.getLogger("boardumpire")


class PageListener(Protocol):
    """A page."""

    async def start(self) -> None:
        """Listen. Raises `UnreachableAddress` where its address can't be had, `ConfigError` where it never
        will."""


class Readiness:
    """Waits while a table runs, or before one can. Needs a running event loop."""

    def __init__(self, runner: TableRunner, *, wait_for_hardware: bool) -> None:
        """`wait_for_hardware`: whether it waits for what is missing, or raises."""
        self._runner, self.wait_for_hardware = runner, wait_for_hardware
        self.missing: Sequence[str] = ()
        """The parts of the board that are waited for, or were last."""
        self.page_problem = ""
        """Why the page is not served yet."""
        self.missing_hardware: MissingHardware | None = None
        """What waits for parts of the board, while it does."""
        self._tasks: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        """Stop waiting."""
        for task in list(self._tasks):
            task.cancel()

    def run_in_background(self, does: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside the table. Its error ends the service, as a failed step does."""

        async def done() -> None:
            try:
                await does
            except Exception as error:
                self._runner.fail(error)

        task = start_task(done(), "what waits for the board")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # An address

    async def listen(self, page: PageListener) -> None:
        """Have a page listen, now or as soon as its address can be had. Raises `ConfigError`."""
        try:
            await page.start()
        except UnreachableAddress as error:
            if not self.wait_for_hardware:
                raise
            self.page_problem = str(error)
            log.warning("%s; retrying until it works", error)
            self.run_in_background(self._retry_listening(page))

    async def _retry_listening(self, page: PageListener) -> None:
        while self.page_problem:
            await asyncio.sleep(LISTEN_RETRY_S)
            with contextlib.suppress(UnreachableAddress):
                await page.start()
                self.page_problem = ""
                log.info("the page is served")

    # Parts of the board

    def report_missing(self, error: DriverError) -> None:
        """Note that a part was missing when it was opened."""
        self._set_missing_parts((error.text,))

    def _set_missing_parts(self, missing: Sequence[str]) -> None:
        self.missing = missing
        for part in missing:
            log.warning("waits for %s", part, extra={DETAILS_KEY: {"event": "waits"}})

    def missing_parts(self, parts: Sequence[object]) -> Sequence[str]:
        """What is waited for: before there is a table (no `parts`), or of the drivers of one, pulled out in
        mid-game."""
        if self.missing or not parts:
            return self.missing
        said = [port.missing() for port in parts if isinstance(port, LateDriver)]
        return tuple(dict.fromkeys(part for part in said if part))

    async def open_drivers(
        self,
        board: BoardDescription,
        config: Config,
        *,
        tags: bool,
        opened: contextlib.ExitStack,
        serve: Callable[[str], None],
        page: Callable[[], WaitingPage | None] = lambda: None,
    ) -> Ports | None:
        """Open each driver as what it drives comes, however long that takes; `None` if it was told to stop.

        `opened` closes them. Whoever asks hears what is missing, meanwhile: `serve` is called with that, and
        `page`, before, makes a page of its own for it.
        """
        there = asyncio.get_running_loop().create_future()
        serving = False

        def told(missing: Sequence[str]) -> None:
            self._set_missing_parts(missing)
            if not missing:
                there.set_result(None)
            elif serving:
                serve(f"waits for {', '.join(missing)}")

        arrival = MissingHardware(board, config, tags=tags, report_missing=told)
        opened.callback(arrival.close)
        self.missing_hardware = arrival
        self._runner.start(arrival, lambda messages: None)
        if not there.done() and not self._runner.end_future.done():
            # First the page: its libraries may take a slow machine longer than the watchdog waits.
            shown = page()
            if shown is not None:
                await self.listen(shown)
            if not (there.done() or self._runner.end_future.done()):
                serving = True
                serve(f"waits for {', '.join(self.missing)}")
            await asyncio.wait((there, self._runner.end_future), return_when=asyncio.FIRST_COMPLETED)
            if shown is not None:
                self.stop()
                shown.stop()
                await shown.wait_closed()
                self.page_problem = ""
        self._runner.stop()
        self.missing_hardware = None
        if self._runner.end_future.done():
            self._runner.end_future.result()  # raises what made a turn fail
            return None
        return arrival.ports
