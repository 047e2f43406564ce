"""Lamps that fail are told to everybody, and the game goes on."""

from __future__ import annotations

from typing import Any

from boardsim.bench.runner import BenchRunner
from boardsim.pins import drivers
from boardsim.world.world import World
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board
from boardware.neopixel import PixelLamps
from boardware.ports import SECOND
from boardwire.strip import Strip

BOARD, GAME = "quick-battle-8x8", "stratego-quick-duel"


class Library(list[Any]):
    """Where the lamp library would stand: its bus is there or not."""

    broken = True

    def show(self) -> None:
        if self.broken:
            raise OSError("the bus is gone")

    def deinit(self) -> None:
        pass


def test_lamps_that_fall_silent_and_come_back_are_told_once() -> None:
    board = load_board(BOARD)
    world = World(board, bounce=None)
    told: list[Any] = []
    runner = BenchRunner(world, told=told.append)
    chain = next(iter(board.chains.values()))
    library = Library([(0, 0, 0)] * chain.length)
    lamps = PixelLamps(board, chain, Strip(chain.length, board.current_limit_ma, 128), library)
    table: Any = runner.start(
        drivers.open_sensors(board, world=world),
        lamps,
        drivers.open_console(board, world=world),
        lambda ports, now: TableFactory()(BOARD, GAME, {}, ports, None, {}, now),
    )
    runner.run(4 * SECOND)
    library.broken = False
    runner.run(8 * SECOND)
    lamps_told = [message for message in told if message.data.get("code", "").startswith("lamps-")]
    assert [(message.seat, message.kind, message.data["text"]) for message in lamps_told] == [
        (None, "fault", "The lights aren't working; the game goes on without them: the bus is gone"),
        (None, "fault", "The lights are working again."),
    ]
    table.close()
