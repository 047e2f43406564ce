"""No button of the board speaks for a seat whose own screen is open: the daemon, its page and two phones."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from evenings import virtual_loop
from evenings.phones import Phone
from evenings.service import Service, configured

HUNT = "fall-of-the-fuhrer"
SEATS = ("hitler", "allies")
SEEN_S = 1.5
"""After so long what is asked has been seen."""


class Table:
    """A hunt with a phone at each seat, and somebody at the board's buttons."""

    def __init__(self, folder: Path) -> None:
        self.service = Service(configured(folder, HUNT, {}, start_cities="any"), 1)
        self.phones: dict[str, Phone] = {}

    @property
    def table(self) -> Any:
        return self.service.daemon.table

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Table]:
        async with self.service.running():
            runs = asyncio.create_task(self.service.daemon.run())
            for number, seat in enumerate(SEATS, 1):
                self.phones[seat] = phone = self.phone(seat, number)
                await phone.sit_down()
            await asyncio.sleep(3)
            assert all(phone.connected for phone in self.phones.values())
            yield self
            runs.cancel()
            await asyncio.gather(runs, return_exceptions=True)

    def phone(self, seat: str, number: int) -> Phone:
        """A device that knows the seat's link."""
        page = self.service.daemon.page
        assert page is not None
        link = "/" + page.links()[seat].split("/", 3)[3]
        return Phone(page.page.app, link, seat, f"10.0.0.{number}", random.Random(number))

    async def press(self, button: str = "confirm") -> bool:
        """Press a button of the board; whether lights say that it counts for nothing."""
        self.service.board.do_gesture({"do": "press", "button": button}, None)
        await asyncio.sleep(0.5)
        return "refused" in self.table.marks.values()


def at_a_table(scene: Callable[[Table], Awaitable[None]], folder: Path) -> None:
    """Let that happen there, in virtual time."""

    async def happens() -> None:
        async with Table(folder / "state").running() as table:
            await scene(table)

    (folder / "state").mkdir()
    virtual_loop.run(happens(), 1, virtual_loop.busy)


async def adjourns(table: Table) -> None:
    """The Allies want to stop for today."""
    assert (await table.phones["allies"].say("adjourn"))["ok"]


async def takes_back(table: Table) -> None:
    """The Allies have placed the Tank, and ask for it back."""
    assert (await table.phones["allies"].say("tank ulm"))["ok"]
    await asyncio.sleep(1)
    assert (await table.phones["allies"].say("ask-take-back"))["ok"]


@pytest.mark.parametrize("asks", [adjourns, takes_back])
def test_a_press_is_no_yes_of_a_seat_whose_screen_is_open(asks: Any, tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        await asks(table)
        await asyncio.sleep(SEEN_S)
        before, proposal = table.table.full_state, table.table.newest_proposal
        assert await table.press(), "it is seen that it counts for nothing"
        await asyncio.sleep(SEEN_S)
        assert (table.table.full_state, table.table.newest_proposal) == (before, proposal), (
            "nothing has come of it"
        )
        table.phones["hitler"].sleep()
        await asyncio.sleep(3)  # by then the page has noticed
        assert not await table.press(), "now the buttons are all that he has"
        assert (table.table.full_state, table.table.newest_proposal) != (before, proposal)

    at_a_table(scene, tmp_path)


def test_no_press_moves_a_seat_whose_screen_is_open(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        stranger = table.phone("hitler", 9)
        assert (await stranger.post(stranger.link + "/ask"))[0] == 202
        for _ in range(4):
            await asyncio.sleep(SEEN_S)
            assert table.table.newest_proposal.request == "move-seat hitler"
            assert await table.press()
        assert table.phones["hitler"].connected, "it is asked, and is moved nowhere"
        assert (await table.phones["hitler"].say("no move-seat hitler"))["ok"]
        again = table.phone("hitler", 8)
        assert (await again.post(again.link + "/ask"))[0] == 429, "nor can it be asked for again at once"
        assert table.phones["hitler"].connected

    at_a_table(scene, tmp_path)
