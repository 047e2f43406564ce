"""What a table may want of the house around it: another game, a seat for a new device, an end for today.

Wishes are agreed on at the table (`consent.WISHES`), or said on the page with the PIN.
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
    from boardumpire.web.served import ServedPage

log = logging.getLogger("boardumpire")


class ServiceControl(Protocol):
    """Whoever runs the table: the daemon."""

    page: ServedPage | None

    def new(self) -> None:
        """Begin another game."""

    def end(self) -> None:
        """Stop, as by a signal."""

    def told_trouble(self, text: str) -> None:
        """Tell everybody what could not be done."""


class TableServices:
    """Grants wishes."""

    def __init__(self, section: MachineSection, master: ServiceControl) -> None:
        self._section = section
        self._master = master
        self._granting: set[asyncio.Task[None]] = set()

    @property
    def able(self) -> tuple[str, ...]:
        """What the machine can be told to do from the table: `shut-down`, `update`."""
        commands = {"shut-down": self._section.power_off, "update": self._section.update}
        return tuple(name for name, command in commands.items() if command)

    async def shut_down(self) -> None:
        """Have the machine shut down, then stop. Raises `BoardumpireError` where that is refused."""
        await asyncio.to_thread(power_commands.run, self._section.power_off, "power_off")
        log.info("shutting the machine down, as asked at the table")
        self._master.end()

    async def update(self) -> None:
        """Have the program brought up to date. Raises `BoardumpireError` where that is refused."""
        await asyncio.to_thread(power_commands.run, self._section.update, "update")
        log.info("updating the program, as asked at the table")

    def grant(self, wish: SeatProposal | None) -> None:
        """Do what the table has agreed on, once this turn is over; what can't be done is told."""
        if wish is not None:
            task = start_task(self._grant(wish), f"{wish.word()} at the table", self._master.told_trouble)
            self._granting.add(task)
            task.add_done_callback(self._granting.discard)

    async def _grant(self, wish: SeatProposal) -> None:
        try:
            match wish.word():
                case "new-game":
                    self._master.new()
                case "shut-down":
                    await self.shut_down()
                case _ if self._master.page is not None:
                    self._master.page.seated(wish)
        except BoardumpireError as error:
            self._master.told_trouble(str(error))
