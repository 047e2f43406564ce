"""One frame for every game: the parts of a screen are those that its view holds."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from boardumpire.service.clock import loop_time_s
from boardumpire.web.page import AccessPolicy, PageExtras, TablePage
from boardumpire.web.seat_links import SeatLinks
from boardumpire.web.server import Server
from web.desks import ToyDesk
from web.served import PHONE, Screen


class Toy:
    """The toy game (or another desk) behind a page of its own, on a loop of its own."""

    def __init__(
        self,
        desk: Any = None,
        door: AccessPolicy = AccessPolicy(),  # noqa: B008 - immutable
        clock: Callable[[], float] = loop_time_s,
        more: PageExtras = PageExtras(),  # noqa: B008 - immutable
    ) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()
        self.desk = ToyDesk(seed=3) if desk is None else desk
        self.links = SeatLinks.open(None, self.desk.seats)
        self.page = TablePage(self.desk, self.links, door, more, clock=clock)
        say = self.desk.submit_command

        def told(seat: str, text: str) -> None:
            say(seat, text)
            self.loop.call_soon(lambda: self.page.screen_hub.send_messages(self.desk.take_messages()))

        self.desk.submit_command = told
        self.server = Server(self.page.app, "127.0.0.1", 0)
        asyncio.run_coroutine_threadsafe(self.server.start(), self.loop).result(20)

    def link(self, name: str) -> str:
        return self.server.origin + self.links.paths()[name]

    def close(self) -> None:
        async def end() -> None:
            self.server.stop()
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(20)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


@pytest.fixture
def toy() -> Iterator[Toy]:
    game = Toy()
    yield game
    game.close()


def parts(screen: Screen) -> list[str]:
    found: Any = screen.page.eval_on_selector_all("[data-part]", "all => all.map((one) => one.dataset.part)")
    return list(found)


@pytest.mark.slow
def test_the_toy_game_is_played_on_the_same_frame(toy: Toy, screen: Callable[..., Screen]) -> None:
    table = screen(toy.link("table"))
    seats = {"north": screen(toy.link("north"), **PHONE), "south": screen(toy.link("south"), **PHONE)}
    assert "hand" in parts(seats["north"])
    assert "hand" not in parts(table), "what one seat holds in its hand is on its own screen alone"
    assert {"dice", "calendar"} <= set(parts(table))
    pieces = table.page.eval_on_selector_all(".piece", "all => all.length")
    assert pieces == 4, "pieces may share a space"
    seats["north"].until_todo("Your turn")
    seats["north"].press("walk a")
    seats["south"].until_todo("Your turn")
    assert "notes" in parts(seats["south"])
    seats["south"].press("let")
    seats["south"].until(
        "() => document.querySelector('[aria-label=\"What you can do\"]')?.textContent.includes('walk c')"
    )
    for each in (table, *seats.values()):
        assert each.errors == []
