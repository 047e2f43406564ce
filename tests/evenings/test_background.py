"""Work behind a game that fails is logged, shown and tried again: partner, analysis, broker, voice."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardrules import registry
from boardumpire.commands import analysis, status
from boardumpire.commands.analysis import MoveAnalyser
from boardumpire.errors import BoardumpireError
from boardumpire.messages import disclosure
from boardumpire.service.clock import loop_time_s
from boardumpire.service.config import MqttSection
from boardumpire.service.voice import Voice
from boardumpire.supervision import Backoff
from boardumpire.tracking.events import BoardFault, FaultCode
from boardumpire.web.mqtt import BROKER_TIMEOUT_S
from boardumpire.web.teaching.lesson_partner import LessonPartner
from evenings import virtual_loop
from evenings.players import InProcessPlayer
from evenings.service import Service, configured

DUEL = "stratego-quick-duel"
SECRET = "my flag is on a1"


class FailingDesk:
    """A table whose status fails a few times."""

    def __init__(self, daemon: Any, times: int) -> None:
        self._daemon, self._left = daemon, times
        self.failed: list[float] = []

    def status(self) -> Any:
        if self._left:
            self._left -= 1
            self.failed.append(loop_time_s())
            raise KeyError(SECRET)
        return self._daemon.status()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._daemon, name)


def test_the_partner_of_a_lesson(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    silent = "Blue's player is not answering. It is being started again."

    async def scene() -> list[float]:
        service = Service(configured(tmp_path, DUEL, {}), 1)
        lesson = registry.package(DUEL).lessons()["red"]
        desk = FailingDesk(service.daemon, 4)
        async with service.running():
            partner = LessonPartner(desk, service.board, "red", lesson, service.daemon.set_player_responding)
            partner.start()
            await asyncio.sleep(5)
            assert service.daemon.status()["silent"] == [silent]
            assert silent in status.status_text(service.daemon.full_status())
            await asyncio.sleep(20)
            assert service.daemon.status()["silent"] == []
            assert service.daemon.table.full_state.seats_to_act() == ("red",), "it has set up"
            partner.stop()
        return desk.failed

    first, *later = virtual_loop.run(scene(), 1)
    assert [round(at - first) for at in later] == [1, 3, 7]
    assert caplog.text.count("the partner of a lesson has failed: KeyError") == 4
    assert SECRET not in caplog.text


class Deaf(InProcessPlayer):
    """A player that never asks anything."""

    async def readline(self) -> bytes:
        await self._ended.wait()
        return b""


def test_the_player_that_analyses(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Its first two hang: who asks is told that none answers. Who asks again is answered."""
    begun: list[float] = []

    async def start(game: str, seat: str, level: str) -> InProcessPlayer:
        begun.append(loop_time_s())
        kind = Deaf if len(begun) <= analysis.PLAYER_STARTS_MAX else InProcessPlayer
        return kind(game, seat, "1", random.Random(1))

    async def scene() -> None:
        service = Service(configured(tmp_path, DUEL, {"red": "1", "blue": "1"}, quiet_limit=12), 1)
        async with service.running():
            await service.played()
            adviser = MoveAnalyser(lambda: service.daemon._store, start=start)
            asked = loop_time_s()
            with pytest.raises(BoardumpireError, match="not answering"):
                await adviser.analyse_step(1, 6)
            assert 60 <= loop_time_s() - asked < 200, "each had its time"
            assert (await adviser.analyse_step(1, 6))["tries"] == analysis.TRIES_PER_MOVE

    virtual_loop.run(scene(), 1)
    assert len(begun) == analysis.PLAYER_STARTS_MAX + 1
    assert (
        caplog.text.count(f"the player that analyses {DUEL}: it has not asked anything")
        == analysis.PLAYER_STARTS_MAX
    )


@pytest.mark.slow
def test_a_broker_that_takes_connections_and_says_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hour_s = 3600
    with socket.create_server(("127.0.0.1", 0), backlog=200) as broker:
        where = f"127.0.0.1:{broker.getsockname()[1]}"

        async def scene() -> None:
            given = configured(tmp_path, DUEL, {"red": "1", "blue": "1"}, quiet_limit=12)
            service = Service(replace(given, mqtt=MqttSection(where)), 1)
            async with service.running():
                await service.played()
                await asyncio.sleep(hour_s)
                shown = status.status_text(service.daemon.full_status())
                assert f"waits for broker {where}: " in shown
                assert service.daemon.problem() == "", "the board is well without"

        virtual_loop.run(scene(), 1)
        broker.setblocking(False)
        tries = 0
        try:
            while True:
                broker.accept()[0].close()
                tries += 1
        except BlockingIOError:
            pass
    seldom = hour_s / (60 + BROKER_TIMEOUT_S)
    assert seldom <= tries < seldom + 20
    assert caplog.text.count(f"broker {where}") == 1, "each reason once"


def test_a_voice_goes_on_with_the_next_text(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The first can't be written in any encoding."""
    said = tmp_path / "said"
    voice = Voice((("tee", "-a", str(said)), ("cat",)), "en", backoff=Backoff(0.0, 0.0))

    def tell(space: str) -> None:
        voice.speak([disclosure.fault_message(1, BoardFault(FaultCode.EXTRA_PIECE, (space,)))])

    try:
        tell("\udcff")
        until(lambda: bool(voice.trouble))
        assert voice.trouble.startswith("the voice: UnicodeEncodeError at voice.py:")
        tell("b1")
        until(lambda: said.exists() and "on b1" in said.read_text() and not voice.trouble)
    finally:
        voice.close()
    assert "voice has failed: UnicodeEncodeError at voice.py:" in caplog.text


def until(done: Any) -> None:
    """Look again and again at what a thread does."""
    while not done():
        time.sleep(0.001)
