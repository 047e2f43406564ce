"""The machine plays all seats and has no hands: people who know nothing of the game obey lamps alone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import boardrules
from boardrules.core import State
from boardumpire.commands.computer_players import ComputerPlayers, playable_levels
from boardumpire.messages import disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.config import Config
from evenings import virtual_loop
from evenings.lamp_follower import LampFollower
from evenings.service import Service, configured

DUEL, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
PAIR = {"hitler": "2", "allies": "2"}
FOUR = {"hitler": "2", "tank": "2", "spy": "2", "infantry": "1"}


class Played(NamedTuple):
    """What has come of a game."""

    state: State
    person: LampFollower
    faults: list[SeatMessage]


async def played(config: Config, seed: int, until: Callable[[State], bool] = lambda state: False) -> Played:
    """A game to its end, or `until` something is so."""
    service = Service(config, seed)
    daemon = service.daemon
    daemon._computer_players = ComputerPlayers(daemon, config.game.machines, None, service.players.start)
    faults: list[SeatMessage] = []
    service.listeners.append(lambda told: faults.extend(each for each in told if each.kind == "fault"))
    async with service.running(), obeyed(service) as person:
        over = asyncio.create_task(service.played())
        while not over.done() and not until(daemon.table.full_state):
            await asyncio.sleep(1)
        if over.done():
            over.result()
        over.cancel()
        return Played(daemon.table.full_state, person, faults)


@contextlib.asynccontextmanager
async def obeyed(
    service: Service, made: Callable[[Service], LampFollower] = LampFollower
) -> AsyncIterator[LampFollower]:
    """A person. Of a game that begins with its pieces on the board they are set up, as its box shows."""
    await asyncio.sleep(1)
    table, board = service.daemon.table, service.board
    begins = [chore for chore in table.guidance.corrections if chore.kind == "put" and chore.seat is not None]
    if begins:
        chores = disclosure.corrections_message(0, tuple(begins)).data["chores"]
        board.do_gesture({"do": "tidy", "chores": chores, "beside": True}, "people")
    while begins and not table.is_calm:
        await asyncio.sleep(0.5)
    person = made(service)
    obeys = asyncio.create_task(person.obey())
    yield person
    obeys.cancel()
    await asyncio.gather(obeys, return_exceptions=True)


def game(
    folder: Path, name: str, seats: Mapping[str, str], seed: int, until: Any = None, **options: Any
) -> Played:
    """Play it in virtual time."""
    scene = played(configured(folder, name, seats, **options), seed, *(() if until is None else (until,)))
    return virtual_loop.run(scene, seed, virtual_loop.busy)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_a_duel(seed: int, tmp_path: Path) -> None:
    end = game(tmp_path, DUEL, {"red": "3", "blue": "1"}, seed, quiet_limit=12)
    assert end.state.outcome is not None
    assert end.person.carried > 3
    assert not end.faults


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "dice", "seats"),
    [("", "umpire", PAIR), (f"{HUNT}-slots", "umpire", PAIR), ("", "real", FOUR)],
    ids=["one reed", "slots", "real dice, four seats"],
)
def test_a_hunt(board: str, dice: str, seats: Mapping[str, str], tmp_path: Path) -> None:
    """Pieces are stood one by one, as the lamps of their names say, and carried where blue asks for them."""
    end = game(tmp_path, HUNT, seats, 1, board=board, dice=dice, players=len(seats))
    assert end.state.outcome is not None
    assert not end.faults
    assert end.person.stood == 3


@pytest.mark.nightly
def test_a_castle(tmp_path: Path) -> None:
    """Whose pawn goes where lamps say, too; arrests, prisoners who come free, and all."""
    seats = dict.fromkeys(boardrules.new(CASTLE).seats, playable_levels(CASTLE)[0])
    end = game(tmp_path, CASTLE, seats, 1)
    assert end.state.outcome is not None


class LaysAside(LampFollower):
    """A person who lifts the first piece that shall join another one, and lays it aside."""

    laid_aside = ""
    """Where it was to go."""

    def _do(self, take: tuple[str, ...], put: tuple[str, ...], white: set[str], asks: list[str]) -> None:
        if len(take) == len(put) == 1 and self._on(put[0]):
            self._board.do_gesture({"do": "tidy", "chores": [{"do": "take", "space": take[0]}]}, "people")
            self.laid_aside = put[0]
        elif not self.laid_aside:
            super()._do(take, put, white, asks)

    def _answer(self) -> None:
        """Nobody answers."""


def test_a_move_that_nothing_feels_does_not_count_as_done(tmp_path: Path) -> None:
    """It did after eight seconds, and the board was wrong for ever: it is asked."""
    config = configured(tmp_path, HUNT, PAIR, players=2)

    async def scene() -> None:
        service = Service(config, 2)
        service.daemon._computer_players = ComputerPlayers(
            service.daemon, config.game.machines, None, service.players.start
        )
        async with service.running(), obeyed(service, LaysAside) as person:
            assert isinstance(person, LaysAside)
            table = service.daemon.table
            while not person.laid_aside:
                assert not table.is_over
                await asyncio.sleep(1)
            before = table.full_state
            await asyncio.sleep(60)
            assert table.full_state is before
            assert table.marks[person.laid_aside] == "asks"

    virtual_loop.run(scene(), 1, virtual_loop.busy)
