"""Firmware for Picos that have an older one than this program brings: put on between two games.

What an open cable has told is looked at now and then. A Pico that answers with older firmware, another wire
or another wiring of its board is lent to mpremote for a minute, as by `boardumpire flash`: the old files stay
on it, and are put back if the new ones do not answer. Meanwhile it counts as a part that is silent. One that
can't be spoken to at all gets it in mid-game, too: the game waits for it already.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from boardumpire.service.clock import monotonic
from boardumpire.service.log_lines import DETAILS_KEY
from boardumpire.supervision import keep_running
from boardware.errors import DriverError
from boardware.files import replace_file
from boardware.parts import BoardDescription
from boardware.ports import FlashableDriver

POLL_INTERVAL_S = 5.0
"""How often it is looked what the Picos have told."""
MARKER_NAME = "flashing"
"""Beside the journal: which Pico is being flashed. If it is there at the start the power went meanwhile."""

log = logging.getLogger("boardumpire")


class FirmwareUpdater:
    """Looks from `start` to `stop`."""

    def __init__(
        self,
        board: BoardDescription,
        sensors: Callable[[], object],
        between_games: Callable[[], bool],
        folder: Path,
    ) -> None:
        """`sensors`: the driver that is open at the moment, if one is; `folder`: where the journal is."""
        self._board, self._sensors, self._between_games = board, sensors, between_games
        self._begun_file = folder / MARKER_NAME
        self._tried: set[tuple[str, str]] = set()
        """What was found on which Pico: each is flashed once, whatever comes of it."""
        self._begun: dict[str, str] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look from now on; on a board without Picos at nothing."""
        if self._board.picos:
            self._begun = self._read_marker()
            self._task = keep_running(self._run, "what looks after firmware")

    def stop(self) -> None:
        """Look no more; a Pico that is being flashed keeps what it has, unless its files change places
        already. Stopping twice is allowed."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            port = self._sensors()
            if isinstance(port, FlashableDriver):
                try:
                    await self.update_if_needed(port)
                except Exception:  # a board that plays is never ended for this
                    log.exception("the firmware of a Pico", extra={DETAILS_KEY: {"event": "firmware"}})

    async def update_if_needed(self, port: FlashableDriver) -> None:
        """Flash whatever is open there with older firmware, or was being flashed when the power went."""
        from boardware.pico_greeting import version_parts  # only where there are Picos
        from boardwire.station import VERSION

        ours = version_parts(VERSION)
        playing = not self._between_games()
        unfit = port.unfit_firmware(lambda told: playing or version_parts(told) >= ours)
        new = set(unfit.items()) - self._tried
        begun, self._begun = self._begun, {}
        if not new and not begun:
            return
        self._tried |= new
        picos = {pico for pico, _ in new} | set(begun.values())
        paths = port.lend_parts(picos, f"it gets firmware {VERSION}", monotonic())
        stopped = threading.Event()
        try:
            await asyncio.to_thread(self._flash_picos, paths, begun, stopped.is_set)
        finally:
            stopped.set()  # a thread can't be cancelled
            port.reclaim_parts()

    def _flash_picos(
        self, paths: Sequence[str], begun: Mapping[str, str], stopped: Callable[[], bool]
    ) -> None:
        """Flash those of the ports at which a Pico of this board needs it; `begun` are flashed unseen."""
        from boardware.pico_flash import PACKAGED_VERSION, PicoFlasher
        from boardware.pico_greeting import request_greeting, version_parts
        from boardware.pico_plan import plans_by_pico

        wanted = plans_by_pico(self._board)
        with contextlib.suppress(OSError):
            self._begun_file.unlink()
        for path in paths:
            if stopped():
                return
            told = None
            with contextlib.suppress(OSError):
                told = request_greeting(path)
            if told is not None and told.board != self._board.id:
                continue
            plan = wanted.get(told.pico if told is not None else begun.get(path, ""))
            if plan is None or (told is not None and told.is_up_to_date(plan)):
                continue
            older = told is None or version_parts(told.version) <= version_parts(PACKAGED_VERSION.version)
            flasher = PicoFlasher(plan, path, _log_progress, stopped)
            try:
                replace_file(self._begun_file, json.dumps({path: plan.pico}).encode())
                if older:
                    flasher.flash()
                else:
                    flasher.restore_previous(
                        PACKAGED_VERSION
                    )  # this program is one to which the machine went back
            except (DriverError, OSError) as error:
                log.warning("%s", error, extra={DETAILS_KEY: {"event": "firmware"}})
            finally:
                if not stopped():  # else the next start sees to it: it may be left at its prompt
                    with contextlib.suppress(OSError):
                        self._begun_file.unlink()

    def _read_marker(self) -> dict[str, str]:
        with contextlib.suppress(OSError, ValueError, RecursionError):
            found = json.loads(self._begun_file.read_text())
            if isinstance(found, dict) and all(isinstance(pico, str) for pico in found.values()):
                return found
        return {}


def _log_progress(text: str) -> None:
    log.info("%s", text, extra={DETAILS_KEY: {"event": "firmware"}})
