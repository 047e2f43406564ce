"""What goes up from a page: over an encrypted line neither sizes nor how many messages tell what was said.

Two hunts that look alike to everybody but Hitler are played from his phone, a real browser, over TLS;
somebody between them and the board sees the same records in both.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from boardrules.core import CHANCE, Action
from boardumpire.web import limits
from boardumpire.web.page import AccessPolicy, TablePage
from boardumpire.web.seat_links import SeatLinks
from boardumpire.web.server import Server
from fuhrer.test_twins import Watched, pair
from web.desks import BenchDesk
from web.recorder import Recorder, Seen
from web.served import PHONE, Screen
from web.test_tls import certificate

SEED = 3
LONGEST = 24


class TableApi(BenchDesk):
    """As the daemon's: what is said takes its time, and is told."""

    def __init__(self, hunt: Watched) -> None:
        super().__init__(hunt.bench, hunt.state.seats)
        self._hunt = hunt

    def submit_command(self, seat: str, text: str) -> None:
        super().submit_command(seat, text)
        self._hunt.secret.append(text)
        self._hunt.await_rulings(1)


class Evening:
    """A hunt with a page over TLS, read along with, in a thread of its own."""

    def __init__(self, directory: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._begin(directory)

    def _begin(self, directory: Path) -> None:
        made, key = certificate(directory)

        async def begin() -> None:
            self.hunt = Watched(SEED)
            self.hunt.begin()
            desk = TableApi(self.hunt)
            self._links = SeatLinks.open(None, desk.seats)
            page = TablePage(desk, self._links, AccessPolicy(uses_https=True), screen_hub=self.hunt.room)
            self._server = Server(page.app, "127.0.0.1", 0, str(made), str(key), holder=page.link_holder)
            await self._server.start()
            self.recorder = Recorder(self._server.listen_address[1])
            self.origin = f"https://127.0.0.1:{await self.recorder.start()}"

        self.do(begin())

    @property
    def link(self) -> str:
        """Hitler's."""
        return self.origin + self._links.paths()["hitler"]

    def do(self, what: Coroutine[Any, Any, None]) -> None:
        """Let it be done in the thread, and wait for it."""
        asyncio.run_coroutine_threadsafe(what, self._loop).result(60)

    def act(self, action: Action) -> None:
        """An action of an Ally, or of the die."""

        async def act() -> None:
            if action.seat == CHANCE:
                self.hunt.bench.say(self.hunt.state.throwers()[0], str(action))
                self.hunt.await_rulings(1)
            else:
                self.hunt.act(action)

        self.do(act())

    def close(self) -> None:
        async def end() -> None:
            self._server.stop()
            await self._server.wait_closed()
            await self.recorder.stop()
            self.hunt.bench.close()

        self.do(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def play(evening: Evening, phone: Screen, actions: list[Action]) -> list[Seen]:
    """Follow these actions, Hitler's by taps on his phone; what was seen of its line meanwhile."""
    phone.page.wait_for_timeout(1000)
    evening.recorder.seen.clear()
    for action in actions:
        if action.seat != "hitler":
            evening.act(action)
            continue
        phone.until_frame(lambda frames: _latest(frames)["to_act"] == ["hitler"])
        told = len(phone.frames)
        tap(phone, str(action))
        phone.until_frame(lambda frames, told=told: any('"view"' in text for text in phone.frames[told:]))
    phone.page.wait_for_timeout(500)
    assert phone.errors == []
    return list(evening.recorder.seen)


def tap(phone: Screen, act: str) -> None:
    """Choose the place that an act is about, then press what says it."""
    for place in act.split()[1:2]:
        if phone.page.get_attribute(f'[data-space="{place}"]', "aria-pressed") is None:
            phone.page.mouse.click(*phone.square(place))
    phone.page.locator(f'.acts [data-key="{act}"]').click()


def _latest(frames: list[dict[str, Any]]) -> dict[str, Any]:
    return next(frame["view"] for frame in reversed(frames) if "view" in frame)  # type: ignore[no-any-return]


@pytest.mark.slow
def test_over_tls_twin_hunts_look_alike_in_both_directions(
    tmp_path: Path, screen: Callable[..., Screen]
) -> None:
    found = pair(SEED, {}, LONGEST)
    assert found is not None
    said = [[str(action) for action in actions if action.seat == "hitler"] for actions in found]
    assert [len(text) for text in said[0]] != [len(text) for text in said[1]], "or there is nothing to see"
    seen = []
    for actions in found:
        evening = Evening(tmp_path)
        try:
            phone = screen(evening.link, **PHONE, ignore_https_errors=True)
            seen.append(play(evening, phone, actions))
        finally:
            evening.close()
    for records in seen:
        (line,) = {record.line for record in records if record.way == "up"}
        up = [record.size for record in records if record.way == "up" and record.line == line]
        assert len(up) == len(said[0]), "one message an act, however it was chosen"
        assert len(set(up)) == 1
        assert line
    assert [record[1:] for record in seen[0]] == [record[1:] for record in seen[1]]


@pytest.mark.slow
def test_all_that_a_page_says_is_one_size(playing: dict[str, Screen]) -> None:
    """A greeting, a set-up of any army, a question whether it is taken, an act."""
    for seat in playing.values():
        sizes = {len(text.encode()) for text in seat.said}
        assert sizes == {limits.PADDED_MESSAGE_BYTES}
        verbs = {json.loads(text)["do"] for text in seat.said}
        assert {"hello", "say", "check"} <= verbs
