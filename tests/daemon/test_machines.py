"""Seats that the machine plays: hands do what its player says, or lamps show people what to do for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import boardrules
from boardrules.core import State
from boardumpire.commands import machines
from boardumpire.commands.daemon import Daemon
from boardumpire.commands.machines import Machines
from boardumpire.commands.page import virtual_board
from boardumpire.errors import ConfigError
from boardumpire.service.config import (
    BoardSection,
    Config,
    ControlSection,
    DriversSection,
    GameSection,
    JournalSection,
    MachineSection,
)
from boardumpire.service.notify import Notifier

DUEL = "stratego-quick-duel"
GPIO = DriversSection("gpio-sim", "neopixel-spi-sim", "console-sim")
AMBER, BLUE = "ff7800", "0000ff"


def configured(folder: Path, seats: Mapping[str, str], **options: Any) -> Config:
    return Config(
        board=BoardSection("quick-battle-8x8"),
        drivers=GPIO,
        game=GameSection(DUEL, options=MappingProxyType(options), machines=MappingProxyType(dict(seats))),
        journal=JournalSection(folder / "journal.sqlite", folder / "board.key"),
        control=ControlSection(folder / "control.sock"),
        machine=MachineSection(power_off=""),
    )


async def played(config: Config, *, by_people: bool) -> State:
    """A whole game that the machine plays at both seats; `by_people`: hands of people obey lamps alone."""
    config, board = virtual_board(config, 1)
    daemon = Daemon(config, Notifier({}), board)
    if by_people:
        daemon._machines = Machines(daemon, config.game.machines, None)
    await daemon.start()
    board.start()
    try:
        async with asyncio.timeout(600):
            person = asyncio.create_task(obey(board)) if by_people else None
            while not daemon.table.over:
                await asyncio.sleep(0.2)
                assert person is None or not person.done() or person.result() is None
            if person is not None:
                person.cancel()
        return daemon.table.stands
    finally:
        daemon.stop()
        board.stop()
        await daemon.ended()


async def obey(board: Any) -> None:
    """Somebody who knows what lamps show and nothing else: amber takes a piece off, blue wants one."""
    while True:
        await asyncio.sleep(0.3)
        lit = {lamp: colour for lamp, colour in seen(board).items() if lamp in board.world.board.spaces}
        take = [space for space, hue in lit.items() if hue == "amber"]
        put = [space for space, hue in lit.items() if hue == "blue"]
        standing = {space: board.piece_on(space) for space in (*take, *put)}
        if len(take) == 1 and len(put) == 1 and standing[take[0]] is not None:
            board.do({"do": "carry", "piece": standing[take[0]], "space": put[0]}, "people")
            await asyncio.sleep(2)
        elif put and not take and not any(board.fingers.grips):
            rows = {space: int(space[1:]) for space in put if standing[space] is None}
            for seat, own in (("red", (1, 2, 3)), ("blue", (6, 7, 8))):
                wanted = [space for space, row in rows.items() if row in own]
                if wanted:
                    board.do({"do": "lay-out", "seat": seat, "spaces": wanted}, "people")
        elif take or put:
            chores = [{"do": "take", "space": space} for space in take]
            board.do({"do": "tidy", "chores": chores + [{"do": "put", "space": s} for s in put]}, "people")


def seen(board: Any) -> dict[str, str]:
    """By lamp the hue that was sent down its wire, if it is lit."""
    found = {}
    for lamp, (red, green, blue) in board.world.copper.lamps().items():
        if red > 2 * green and green > 2 * blue and red:
            found[lamp] = "amber"
        elif blue and not red and not green:
            found[lamp] = "blue"
    return found


def test_a_whole_game_by_hands_of_the_machine(tmp_path: Path) -> None:
    end = asyncio.run(played(configured(tmp_path, {"red": "3", "blue": "1"}, quiet_limit=8), by_people=False))
    assert end.outcome is not None


@pytest.mark.slow
def test_a_whole_game_by_people_who_obey_lamps_alone(tmp_path: Path) -> None:
    end = asyncio.run(played(configured(tmp_path, {"red": "3", "blue": "1"}, quiet_limit=8), by_people=True))
    assert end.outcome is not None


def test_a_seat_or_a_level_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match="expected one of red, blue"):
        machines.checked(DUEL, {}, {"green": "1"})
    with pytest.raises(ConfigError, match="'9': expected one of 1, 2"):
        machines.checked(DUEL, {}, {"red": "9"})


@pytest.mark.parametrize("game", boardrules.ids())
def test_every_game_has_somebody_to_play_against(game: str) -> None:
    assert machines.levels(game)
    assert not {"random", "greedy"} & set(machines.levels(game))
