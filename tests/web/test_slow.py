"""Screens that read slowly, or not at all for a while: nothing that counts is lost to them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, TypeVar

from boardsim.page.newest import LatestOnlySender
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.web import limits
from boardumpire.web.screen import ScreenOutbox
from boardumpire.web.screen_hub import ScreenHub
from web.desks import Ear, ToyDesk

T = TypeVar("T")


class Line:
    """A line that takes nothing until it is `open`."""

    client = SimpleNamespace(host="192.0.2.1")

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.came: list[Any] = []

    async def send_text(self, text: str) -> None:
        await self.open.wait()
        self.came.append(json.loads(text))

    async def close(self, code: int, why: str) -> None:
        await self.open.wait()
        self.came.append((code, why))


def alone(scene: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a scene; in this thread Playwright's own loop may be running."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(lambda: asyncio.run(scene())).result()


def note(number: int) -> SeatMessage:
    return SeatMessage(0, None, "note", {"text": f"{number} {'x' * 400}"})


def test_a_slow_screen_is_hung_up_on_and_sent_the_rest_when_it_comes_back() -> None:
    """It never goes on with a gap: what is left out comes again by its number, or as a snapshot."""

    async def played() -> tuple[list[Any], ScreenHub, int]:
        line, room = Line(), ScreenHub(ToyDesk(), epoch=lambda: "same")
        outbox = ScreenOutbox(line)  # type: ignore[arg-type]
        sending = asyncio.create_task(outbox.run())
        room.enter(None, outbox, None, 0)
        told = 0
        while not outbox.is_closed:
            room.send_messages([note(told)])
            told += 1
        room.send_messages([note(told)])  # it is not there for this one
        line.open.set()
        await sending
        return line.came, room, told + 1

    came, room, told = alone(played)
    *frames, (code, _) = came
    assert code == 1013
    assert sum(len(json.dumps(frame)) for frame in frames) <= limits.BACKLOG_MAX_BYTES + 8192
    last = frames[-1]["n"]
    back = Ear()
    room.enter(None, back, "same", last)
    texts = [
        frame["told"]["text"] for frame in (*frames[1:], *map(json.loads, back.texts)) if "told" in frame
    ]
    assert [text.partition(" ")[0] for text in texts] == [str(number) for number in range(told)]
    assert json.loads(back.texts[-1])["kind"] == "here"
    elsewhere = Ear()
    for number in range(500):
        room.send_messages([note(number)])
    room.enter(None, elsewhere, "same", last)
    assert json.loads(elsewhere.texts[0])["kind"] == "snapshot"


def test_a_bench_that_is_read_slowly_shows_the_newest() -> None:
    async def played() -> list[Any]:
        line = Line()
        newest = LatestOnlySender(line.send_text)
        sending = asyncio.create_task(newest.run())
        newest.put("world", json.dumps(["world", -1]))
        await asyncio.sleep(0)
        for number in range(1000):
            newest.put("world", json.dumps(["world", number]))
            newest.put("lamps", json.dumps(["lamps", number]))
        newest.put("hands", json.dumps(["hands", "refused"]))
        line.open.set()
        for _ in range(20):
            await asyncio.sleep(0)
        sending.cancel()
        return line.came

    assert alone(played) == [["world", -1], ["world", 999], ["lamps", 999], ["hands", "refused"]]
