"""Machine players inside the simulation: the programs and the protocol of real ones, without processes."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import boardrules
from boardrules import baseline_players
from boardrules.players import PlayerLevel, SearchBudget
from boardumpire.commands.bot import POLL_INTERVAL_S, Bot

THINKS_MOST = 0.9
"""What part of a level's seconds a player takes that counts as much as it may."""
PLAYOUTS_MAX = 20
"""Of one choice: an evening tries the service, not how well somebody plays."""


def short_budget(level: PlayerLevel) -> SearchBudget:
    """What a player of that level may count in an evening."""
    return SearchBudget(min(level.playouts, PLAYOUTS_MAX))


class InProcessPlayer:
    """Stands for the process of one player: asks by lines and is answered by lines."""

    def __init__(self, game: str, seat: str, level: str, chance: random.Random) -> None:
        seated = baseline_players.player_for(boardrules.package(game), seat, level)
        self._player = seated.player
        self._bot = Bot(game, seat, seated, chance, self._new_meter)
        self._requests = self._bot.request_loop()
        self._answer: dict[str, Any] | None = None
        self._meter: tuple[SearchBudget, PlayerLevel] | None = None
        self._ended = asyncio.Event()
        self.returncode: int | None = None
        self.stdin = self.stdout = self

    def _new_meter(self, level: PlayerLevel) -> SearchBudget:
        meter = short_budget(level)
        self._meter = meter, level
        return meter

    async def readline(self) -> bytes:
        """The next request; what was counted until it takes its time."""
        while self.returncode is None:
            try:
                request = self._requests.send(self._answer)
            except StopIteration:
                self._end(0)
                break
            self._answer = None
            await asyncio.sleep(self._thought())
            if request is not None:
                return (json.dumps(request) + "\n").encode()
            await asyncio.sleep(POLL_INTERVAL_S)
        return b""

    def _thought(self) -> float:
        if self._meter is None:
            return 0.001
        meter, level = self._meter
        self._meter = None
        most = max(1, short_budget(level).remaining)
        return 0.001 + THINKS_MOST * level.seconds * meter.spent_count / most

    def write(self, data: bytes) -> None:
        if self.returncode is not None:
            raise ConnectionResetError
        self._answer = json.loads(data)

    async def drain(self) -> None:
        if self.returncode is not None:
            raise ConnectionResetError

    def kill(self) -> None:
        if self.returncode is not None:
            raise ProcessLookupError
        self._end(-9)

    def _end(self, code: int) -> None:
        self.returncode = code
        self._player.close()  # what it has begun ends with a real one's process
        self._ended.set()

    async def communicate(self) -> tuple[bytes, bytes]:
        await self._ended.wait()
        return b"", b""


class Players:
    """Starts them: each draws from a generator of its own."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.started: list[InProcessPlayer] = []

    async def start(self, game: str, seat: str, level: str) -> InProcessPlayer:
        chance = random.Random(f"player {self._seed} {len(self.started)}")
        self.started.append(InProcessPlayer(game, seat, level, chance))
        return self.started[-1]
