"""Players that can't be started, hang, die or print, again and again: every game is played to its end."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from boardumpire.commands import status
from boardumpire.service.clock import loop_time_s
from evenings import virtual_loop
from evenings.players import InProcessPlayer, Players
from evenings.service import Service, configured

DUEL, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
SEATS = {
    DUEL: {"red": "1", "blue": "1"},
    HUNT: {"hitler": "1", "allies": "1"},
    CASTLE: {"security": "1", "american": "1", "british": "1"},
}
OPTIONS: dict[str, dict[str, object]] = {
    DUEL: {"quiet_limit": 12},
    HUNT: {},
    CASTLE: {"players": 3, "rounds": 5},
}
SECRET = "my flag is on a1"
CAN_T_START = (
    BlockingIOError(11, "no more"),
    FileNotFoundError(2, "none"),
    MemoryError(),
    RuntimeError(SECRET),
)
NOISE = (SECRET.encode(), b"{}", b"[]", b"\xff", b"{" * 5000, b'{"do": 1}', b'{"do": "act"}')


class BadPlayer(InProcessPlayer):
    """Does one wrong thing at a request that chance chooses."""

    def __init__(self, game: str, seat: str, level: str, chance: random.Random) -> None:
        super().__init__(game, seat, level, chance)
        self._wrong = chance.choice(("hang", "die", "crash", "print", "print on", "deaf", "silent", None))
        self._left = chance.randrange(1, 40)
        self._noise = chance

    async def readline(self) -> bytes:
        self._left -= 1
        if self._left > 0 or self.returncode is not None:
            return await super().readline()
        match self._wrong:
            case "hang" | "deaf":
                await self._ended.wait()
            case "die":
                self._end(1)
            case "crash":
                raise ValueError(SECRET)
            case "silent":
                return b""
            case "print" if self._left > -3:
                return self._noise.choice(NOISE[:-1]) + b"\n"
            case "print on":
                return self._noise.choice(NOISE[:-1]) + b"\n"
        return await super().readline()

    async def drain(self) -> None:
        await super().drain()
        if self._wrong == "deaf" and self._left <= 1:
            await self._ended.wait()


class BadPlayers(Players):
    """Some can't be started; most others fail sooner or later."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._chance = random.Random(f"wrongs {seed}")
        self.tries = 0
        """How often one was to be started."""

    async def start(self, game: str, seat: str, level: str) -> InProcessPlayer:
        self.tries += 1
        if self._chance.random() < 0.3:
            raise self._chance.choice(CAN_T_START)
        chance = random.Random(f"player {self._chance.random()}")
        self.started.append(BadPlayer(game, seat, level, chance))
        return self.started[-1]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", [DUEL, HUNT, pytest.param(CASTLE, marks=pytest.mark.slow)])
def test_a_game_of_players_that_fail_is_played_to_its_end(
    game: str, seed: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shown: set[str] = set()

    async def evening() -> int:
        service = Service(configured(tmp_path, game, SEATS[game], **OPTIONS[game]), seed)
        players = BadPlayers(seed)
        service.daemon._computer_players._start = players.start  # type: ignore[union-attr]

        async def look() -> None:
            while True:
                shown.update(service.daemon.status()["silent"])
                await asyncio.sleep(1)

        async with service.running():
            looking = asyncio.create_task(look())
            await service.played()
            await asyncio.sleep(1)
            looking.cancel()
            return players.tries

    assert virtual_loop.run(evening(), seed, virtual_loop.busy) > 2
    assert shown
    assert SECRET not in caplog.text


SILENT = "Red's player is not answering. It is being started again."


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "wrong", ["hang", "die", "crash", "print on", "deaf", "silent", *CAN_T_START], ids=str
)
def test_a_player_that_fails_is_logged_shown_and_begun_again_ever_later(
    wrong: str | Exception, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Red's first two fail."""
    begun: list[float] = []
    service: Service

    async def start(game: str, seat: str, level: str) -> InProcessPlayer:
        if seat != "red":
            return await service.players.start(game, seat, level)
        begun.append(loop_time_s())
        if len(begun) > 2:
            return await service.players.start(game, seat, level)
        if isinstance(wrong, Exception):
            raise wrong
        player = BadPlayer(game, seat, level, random.Random(1))
        player._wrong, player._left = wrong, 2
        return player

    async def scene() -> None:
        nonlocal service
        service = Service(configured(tmp_path, DUEL, SEATS[DUEL], **OPTIONS[DUEL]), 1)
        daemon = service.daemon
        daemon._computer_players._start = start  # type: ignore[union-attr]
        async with service.running():
            while not daemon.status()["silent"]:
                await asyncio.sleep(0.1)
            assert daemon.status()["silent"] == [SILENT]
            assert SILENT in status.status_text(daemon.full_status())
            assert daemon.problem() == SILENT
            failed = loop_time_s()
            await service.played()
            assert daemon.status()["silent"] == []
            assert daemon.problem() == ""
            first, second = begun[1] - failed, begun[2] - begun[1]
            assert 3.5 < first < 5 < 7.5 < second
        assert len(begun) == 3

    virtual_loop.run(scene(), 1)
    assert caplog.text.count("the player at red: it") == 2
    assert SECRET not in caplog.text
