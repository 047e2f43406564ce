"""What a table can ask of the service: another game, a seat for a new device, shutting down.

Requests are agreed on at the table (`proposals.SERVICE_REQUESTS`), or said on the page with the PIN.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

from boardumpire.errors import BoardumpireError
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.service import power_commands
from boardumpire.service.config import MachineSection
from boardumpire.supervision import start_task

if TYPE_CHECKING:
    from boardumpire.web.served_page import ServedPage

log = logging.getLogger("boardumpire")


class ServiceControl(Protocol):
    """The service that runs the table: the daemon."""

    page: ServedPage | None

    def begin_game(self) -> None:
        """Begin another game."""

    def request_stop(self) -> None:
        """Stop, as by a signal."""

    def announce_problem(self, text: str) -> None:
        """Announce to everybody what could not be done."""


class TableServices:
    """Carries out what the players have agreed on."""

    def __init__(self, section: MachineSection, control: ServiceControl) -> None:
        self._section = section
        self._master = control
        self._granting: set[asyncio.Task[None]] = set()

    @property
    def machine_commands(self) -> tuple[str, ...]:
        """What the machine can be told to do from the table: `shut-down`, `update`."""
        commands = {"shut-down": self._section.power_off, "update": self._section.update}
        return tuple(name for name, command in commands.items() if command)

    async def shut_down(self) -> None:
        """Have the machine shut down, then stop. Raises `BoardumpireError` where that is refused."""
        await asyncio.to_thread(power_commands.run_command, self._section.power_off, "power_off")
        log.info("shutting the machine down, as asked at the table")
        self._master.request_stop()

    async def update_program(self) -> None:
        """Have the program brought up to date. Raises `BoardumpireError` where that is refused."""
        await asyncio.to_thread(power_commands.run_command, self._section.update, "update")
        log.info("updating the program, as asked at the table")

    def schedule_request(self, agreed: SeatProposal | None) -> None:
        """Carry out an agreed request once the present step is over. A failure is announced."""
        if agreed is not None:
            task = start_task(
                self._grant_request(agreed), f"{agreed.kind()} at the table", self._master.announce_problem
            )
            self._granting.add(task)
            task.add_done_callback(self._granting.discard)

    async def _grant_request(self, agreed: SeatProposal) -> None:
        try:
            match agreed.kind():
                case "new-game":
                    self._master.begin_game()
                case "shut-down":
                    await self.shut_down()
                case _ if self._master.page is not None:
                    self._master.page.grant_request(agreed)
        except BoardumpireError as error:
            self._master.announce_problem(str(error))
