"""The service while no board is configured: it serves the set-up until one is chosen."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardumpire.commands.check_config import load_checked_board
from boardumpire.commands.no_table import NoTable
from boardumpire.commands.satellite import pair_machine
from boardumpire.commands.status import setup_instructions
from boardumpire.errors import BoardumpireError, ConfigError, UnreachableAddress
from boardumpire.makers.setup.session import OtherMachines, SetupSession
from boardumpire.service import config
from boardumpire.service.config import Config, PageSection
from boardumpire.service.control import ControlSocket
from boardumpire.service.log_lines import DETAILS_KEY
from boardumpire.service.mdns import find_hosts
from boardumpire.service.notify import Notifier
from boardumpire.service.own_certificate import with_own_certificate
from boardumpire.service.process import WatchdogHeartbeat, handle_signals
from boardumpire.service.runner import LISTEN_RETRY_S
from boardumpire.service.upgrade_handover import UpgradeHandover, UpgradePending
from boardumpire.supervision import keep_running
from boardumpire.typed_commands import root_command

if TYPE_CHECKING:
    from boardumpire.web.setup_page import SetupPage

SETUP_WAITING_TEXT = "the set-up: no board is chosen yet"

log = logging.getLogger("boardumpire")


class SetupService(NoTable):
    """Serves the set-up on the page, and the control socket for a set-up at a terminal."""

    def __init__(self, found: Config, environ: Mapping[str, str], notifier: Notifier) -> None:
        super().__init__(f"no board is chosen yet: {root_command('setup')}")
        self._config, self._environ = found, environ
        self._path: Path = found.origin.path or config.default_path(environ)
        self._loop = asyncio.get_running_loop()
        self.chosen_config: asyncio.Future[Config | None] = self._loop.create_future()
        """The configuration once it names a board; `None` where the service was told to stop."""
        self._page: SetupPage | None = None
        self._page_problem = ""
        """Why the page is not served."""
        self._opened = contextlib.ExitStack()
        self._tasks: set[asyncio.Task[None]] = set()
        self._life = WatchdogHeartbeat(notifier, lambda: True)

    async def start(self) -> None:
        """Serve. Raises `ConfigError`."""
        self._control = ControlSocket(self._config.control.socket, self)
        await self._control.start()
        self._opened.callback(self._control.stop)
        successor = UpgradeHandover(self._environ, lambda: True, self._end_setup)
        successor.start()
        self._opened.callback(successor.stop)
        await self._serve_page()
        self._life.report_in_service(f"waits for {SETUP_WAITING_TEXT}")
        self._report_status()

    async def _serve_page(self) -> None:
        try:
            from boardumpire.web.setup_page import SetupPage
        except ImportError as error:
            self._page_problem = f"the page of the set-up: {error}"
            log.warning("the set-up has no page: %s", error)
            return
        section = self._config.page
        listen = section.listen or "0.0.0.0:8080"
        session = SetupSession(
            self._path, self._environ, load_checked_board, others=OtherMachines(find_hosts, pair_machine)
        )
        self._page = page = SetupPage(
            with_own_certificate(
                PageSection(
                    listen,
                    section.names,
                    section.certificate,
                    section.key,
                    https=section.https,
                    links=section.links,
                )
            ),
            session,
            self._use_written_config,
            self._report_status,
        )
        self._opened.callback(page.stop)
        task = keep_running(lambda: self._listen(page), "the page of the set-up")
        self._tasks.add(task)
        await asyncio.wait((task,), timeout=LISTEN_RETRY_S / 2)

    async def _listen(self, page: SetupPage) -> None:
        while True:
            try:
                await page.start()
                self._page_problem = ""
                return
            except UnreachableAddress as error:
                self._page_problem = str(error)
                log.warning("%s; retrying until it works", error)
            except ConfigError as error:
                self._page_problem = str(error)
                log.warning("%s; the set-up has no page", error)
                return
            await asyncio.sleep(LISTEN_RETRY_S)

    def _setup_access(self) -> dict[str, str]:
        page = self._page
        if page is None or not page.is_listening:
            return {"page": "", "code": ""}
        port = page.external_port
        later = {"page": f"http://ADDRESS:{port}", "network": "none"} if port else {"page": page.origin}
        return {**later, "code": page.entry_code}

    def _report_status(self) -> None:
        log.warning(
            "no board is chosen yet: %s",
            setup_instructions(self._setup_access()),
            extra={DETAILS_KEY: {"event": "set-up"}},
        )

    def _use_written_config(self) -> None:
        """The configuration was written: go on with what it says now."""
        found = config.load(self._path, self._environ)
        if not (found.board.name or found.satellite.host):
            raise BoardumpireError(f"{self._path}: no board is chosen yet")
        if not found.satellite.host:
            load_checked_board(found)
        if not self.chosen_config.done():
            self.chosen_config.set_result(found)

    def _end_setup(self, why: UpgradePending) -> None:
        if not self.chosen_config.done():
            self.chosen_config.set_exception(why)

    def request_stop(self) -> None:
        """Stop, as by a signal."""
        if not self.chosen_config.done():
            self.chosen_config.set_result(None)

    async def stop(self) -> None:
        """Close what was opened."""
        self._life.stop()
        for task in self._tasks:
            task.cancel()
        self._opened.close()
        if self._page is not None:
            await self._page.wait_closed()

    # What the control socket asks

    def full_status(self) -> dict[str, Any]:
        """What it waits for, and how the set-up is reached."""
        waits = [SETUP_WAITING_TEXT, *([self._page_problem] if self._page_problem else [])]
        return {"waits_for": waits, "set_up": self._setup_access()}

    def finish_setup(self) -> None:
        """A terminal has written the configuration. Raises `BoardumpireError` where it names no board."""
        self._use_written_config()


async def run_until_set_up(found: Config, environ: Mapping[str, str], notifier: Notifier) -> Config | None:
    """Serve the set-up; the configuration with a board, or `None` if told to stop by a signal."""
    service = SetupService(found, environ, notifier)
    with handle_signals(service.request_stop):
        try:
            await service.start()
            return await service.chosen_config
        finally:
            await service.stop()
