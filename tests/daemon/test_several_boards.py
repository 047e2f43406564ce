"""A daemon whose configuration has several boards: one table over all of them, in virtual time."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardrules.core import Seat
from boardsim.hands.hands import Hands
from boardsim.world.world import World
from boardumpire.commands import check_config
from boardumpire.commands.daemon import Daemon
from boardumpire.commands.platform import Platform
from boardumpire.commands.status import status_text
from boardumpire.errors import BoardumpireError, ConfigError, JournalError
from boardumpire.journal.writer import SyncJournalWriter
from boardumpire.service import config
from boardumpire.service.clock import monotonic
from boardumpire.service.control import ControlSocket
from boardumpire.service.notify import Notifier
from boardware.description import load_board
from boardware.pico import _hubs_by_board, shared_hub
from evenings import virtual_loop
from evenings.drivers import Opener
from table.twins import setups

BOARD = "quick-battle-8x8"
TEXT = """format = "boardumpire-config"
version = 1
[board]
name = "quick-battle-8x8"
[boards.north]
name = "quick-battle-8x8"
seats = "blue"
"""
SETUP, _ = setups(3)
WAITS = 60
"""So often, each half a second, somebody looks whether a light has gone."""


class Tables:
    """A daemon over two simulated boards, with hands at each."""

    def __init__(self, folder: Path) -> None:
        board = load_board(BOARD)
        self.worlds = {name: World(board, seed=seed) for seed, name in enumerate(("", "north"))}
        self.hands = {name: Hands(world) for name, world in self.worlds.items()}
        self.openers = {name: Opener(world) for name, world in self.worlds.items()}
        environ = {"STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder)}
        self.config = config.load_text(TEXT, folder / "boardumpire.toml", environ)
        self.daemon = self._made()

    def _made(self) -> Daemon:
        platform = Platform(
            open_ports=lambda board, found, *, tags: self.openers[found.origin.board].open(board, found),
            open_journal_writer=lambda store, wake, took: SyncJournalWriter(store),
            open_control=_NoControl,
            handle_signals=lambda stop: contextlib.nullcontext(),
        )
        return Daemon(self.config, Notifier({}), platform=platform)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Tables]:
        turning = asyncio.create_task(self._turn())
        await self.daemon.start()
        yield self
        self.daemon.stop()
        turning.cancel()

    async def restart(self) -> None:
        self.daemon.stop()
        self.daemon = self._made()
        await self.daemon.start()

    async def _turn(self) -> None:
        while True:
            for name, world in self.worlds.items():
                edge = world.next_edge()
                world.advance(monotonic())
                if edge is not None and edge <= monotonic():
                    self.openers[name].changed()
            self.daemon.wake_table()
            await asyncio.sleep(self.pause_s(0.005))

    def pause_s(self, most_s: float) -> float:
        """Until something changes on a board, at most so long: drivers look at that very moment."""
        edges = [edge for world in self.worlds.values() if (edge := world.next_edge()) is not None]
        return min([most_s, *(max(0, edge - monotonic()) / 1_000_000 for edge in edges)])

    async def let(self, end: int) -> None:
        await asyncio.sleep(max(0, end - monotonic()) / 1_000_000 + 0.1)

    async def set_up(self) -> None:
        for name, seat in (("", "red"), ("north", "blue")):
            for piece in SETUP[seat].split()[1:]:
                await self.let(self.hands[name].stand(Seat(seat), piece.partition("=")[0], monotonic()))
            await asyncio.sleep(1)
            self.daemon.submit_command(Seat(seat), SETUP[seat])
        await asyncio.sleep(1)
        for name in self.hands:
            await self.tidy(name)

    async def tidy(self, name: str) -> None:
        while chores := self.seen(name)["chores"]:
            chore = next((each for each in chores if each["do"] == "take"), chores[0])
            hands = self.hands[name]
            stands = any(slot.partition("/")[0] == chore["space"] for slot in self.worlds[name].standing())
            if stands != (chore["do"] == "take"):
                pass  # it is done, and the board does not know that yet
            elif chore["do"] == "take":
                await self.let(hands.lift(chore["space"], monotonic()))
            elif hands.held:
                await self.let(hands.place(chore["space"], monotonic()))
            else:
                await self.let(hands.stand(Seat(chore["seat"]), chore["space"], monotonic()))
            await self._wait_for_change(name, chore)

    async def _wait_for_change(self, name: str, chore: dict[str, Any]) -> None:
        """Who has done what was asked waits for the lights, however slow the line is."""
        for _ in range(WAITS):
            await asyncio.sleep(0.5)
            if chore not in self.seen(name)["chores"]:
                return
        raise AssertionError(f"{chore} is asked for after it was done")

    def seen(self, name: str) -> dict[str, Any]:
        """What everybody sees of a board."""
        boards: list[dict[str, Any]] = self.daemon.status()["boards"]
        return next(board for board in boards if board["name"] == name)


class _NoControl(ControlSocket):
    """A control socket that nobody can reach: virtual time has no sockets."""

    async def start(self) -> None: ...

    def stop(self) -> None: ...


def at_tables(scene: Callable[[Tables], Awaitable[None]], folder: Path) -> None:
    async def happens() -> None:
        async with Tables(folder).running() as tables:
            await scene(tables)

    virtual_loop.run(happens(), 1)


@pytest.mark.slow
def test_a_move_at_one_board_is_asked_for_at_the_other_and_survives(tmp_path: Path) -> None:
    async def scene(tables: Tables) -> None:
        await tables.set_up()
        assert [tables.seen(name)["chores"] for name in ("", "north")] == [[], []]
        (step, *_) = tables.daemon.table.full_state.steps()
        hands = tables.hands[""]
        await tables.let(hands.lift(step.origin, monotonic()))
        await tables.let(hands.place(step.target, monotonic()))
        await asyncio.sleep(1)
        assert tables.seen("")["chores"] == []
        assert tables.seen("")["waits"] == "The board of Blue is being put in order. Please wait."
        asked = {(each["do"], each["space"]) for each in tables.seen("north")["chores"]}
        assert asked == {("take", step.origin), ("put", step.target)}
        assert "Board of Blue" not in status_text(tables.daemon.full_status())
        assert f"Take the piece off {step.origin}" in status_text(tables.daemon.full_status())
        await tables.restart()
        await asyncio.sleep(1)
        assert {(each["do"], each["space"]) for each in tables.seen("north")["chores"]} == asked
        await tables.tidy("north")
        assert tables.seen("")["waits"] is None
        assert tables.daemon.table.is_calm
        json.dumps(tables.daemon.status())
        with pytest.raises(BoardumpireError, match="a table with one board"):
            tables.daemon.reopen_table(tmp_path / "trace")

    at_tables(scene, tmp_path)


@pytest.mark.slow
def test_boards_change_until_the_first_action_of_a_game(tmp_path: Path) -> None:
    async def scene(tables: Tables) -> None:
        assert [board["name"] for board in tables.daemon.status()["boards"]] == ["", "north"]
        both, alone = tables.config, replace(tables.config, boards={})
        tables.config = alone
        await tables.restart()
        assert "boards" not in tables.daemon.status()
        tables.config = both
        await tables.restart()
        await tables.set_up()
        tables.config = alone
        with pytest.raises(JournalError, match="has the further boards north: found none"):
            await tables.restart()
        tables.config = both
        await tables.restart()

    at_tables(scene, tmp_path)


WRONG = (
    ('"blue"', '"green"', r":7: \[boards.north\] seats: no seat 'green'; try one of red, blue"),
    ("seats", "seat", r":7: \[boards.north\] seat: unknown key"),
    ('"blue"', "3", r":7: \[boards.north\] seats: found 3"),
    ("boards.north", "boards.North", r"found 'North'; try a name of small letters"),
    (
        'north]\nname = "quick-battle-8x8"',
        'north]\nname = "fall-of-the-fuhrer"',
        r":6: \[boards.north\] name: board fall-of-the-fuhrer has no square",
    ),
    ('"blue"', '"blue"\n[boards.north.drivers]\nsensors = "none"', r":9: .*\] sensors: no driver 'none'"),
    ('"blue"', '"blue"\n[boards.south]\nseats = "blue"', r"\[boards.south\] seats: blue sits at north, too"),
    ('"blue"', '"blue"\n[game.machines]\nblue = "1"', r"the machine plays blue"),
    ('"blue"', '"blue"\n[boards.north.drivers]\ntags = "pn532"', r"of one board alone; leave it empty"),
)


@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=[said for _, _, said in WRONG])
def test_a_wrong_further_board_is_refused_by_its_line(old: str, new: str, said: str, tmp_path: Path) -> None:
    text = TEXT.replace(old, new)
    assert text != TEXT
    with pytest.raises(ConfigError, match=said):
        check_config.load_checked_board(
            config.load_text(text, tmp_path / "boardumpire.toml", {}), listens=False
        )


def test_picos_of_two_boards_are_told_apart_by_their_ports(tmp_path: Path) -> None:
    named = TEXT.replace("quick-battle-8x8", "quick-battle-8x8-pico")
    for section in ("drivers", "boards.north.drivers"):
        named += f'[{section}]\nsensors = "pico"\nlamps = "pico-lamps"\nconsole = "pico-console"\n'
    path = tmp_path / "boardumpire.toml"
    with pytest.raises(ConfigError, match=r"\[sensors\] port: found nothing; name it"):
        check_config.load_checked_board(config.load_text(named, path, {}), listens=False)
    named += '[boards.north.sensors]\nport = "/dev/ttyACM1"\n[sensors]\nport = "/dev/ttyACM0"\n'
    found = config.load_text(named, path, {})
    check_config.load_checked_board(found, listens=False)
    (north,) = check_config.further_boards(found)
    assert north.config.sensors == {"port": "/dev/ttyACM1"}
    assert shared_hub(load_board(found.board.name)) is not shared_hub(north.board)
    _hubs_by_board.clear()
