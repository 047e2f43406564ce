"""The runner turns a table when something is due, when it is woken, and never after it was stopped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from boardsim.pins import drivers
from boardsim.world.world import World
from boardumpire.commands.table_factory import TableFactory
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.clock import monotonic
from boardumpire.service.runner import OVERDUE_US, TableRunner, next_due
from boardumpire.table.table import Table
from boardware.description import load_board
from boardware.ports import ConsolePort, Ports, SensorPort
from loops import run as run_alone

BOARD = "quick-battle-8x8"
PATIENCE = 30.0
"""Seconds until a test gives up."""


class Bench:
    """A table over simulated copper, as real as it gets without a process of its own."""

    def __init__(self, journal: Path | None = None) -> None:
        board = load_board(BOARD)
        self.world = World(board, bounce=None)
        self.sensors: SensorPort = drivers.open_sensors(board, world=self.world)
        self.console: ConsolePort = drivers.open_console(board, world=self.world)
        lamps = drivers.open_spi_lamps(board, world=self.world)
        ports = Ports(self.sensors, lamps, self.console)
        self.table: Table = TableFactory()(BOARD, "stratego-quick-duel", {}, ports, journal, {}, monotonic())

    def resign(self) -> None:
        """Both armies are entered, and red gives up."""
        state = self.table._state
        for seat in ("red", "blue"):
            self.table.say(seat, str(next(iter(state.legal_actions(seat)))), monotonic())
        self.table.say("red", "resign", monotonic())


def test_the_next_turn_is_when_the_table_or_a_scan_wants_it_first() -> None:
    bench = Bench()
    scan = min(bench.sensors.due(), bench.console.due())
    assert next_due(bench.table, None) == scan
    assert next_due(bench.table, scan - 1) == scan - 1
    assert next_due(bench.table, scan + 1) == scan
    bench.table.close()


def test_what_is_said_from_another_thread_is_told_once_the_loop_is_woken() -> None:
    bench = Bench()
    kinds: list[str] = []

    async def play() -> None:
        runner = TableRunner()

        def tell(messages: Sequence[SeatMessage]) -> None:
            kinds.extend(message.kind for message in messages)
            if "over" in kinds:
                runner.request_stop()

        runner.start(bench.table, tell)
        bench.resign()
        waker = threading.Thread(target=runner.wake)
        waker.start()
        await asyncio.wait_for(runner.end_future, PATIENCE)
        waker.join()
        runner.stop()
        runner.step_now()
        assert runner._timer is None, "stopped is stopped"
        runner.stop()
        runner.request_stop()

    run_alone(play())
    assert kinds.count("over") == 1
    bench.table.close()


def test_waking_a_loop_that_is_closed_is_harmless() -> None:
    async def make() -> TableRunner:
        return TableRunner()

    run_alone(make()).wake()


def test_a_turn_that_goes_wrong_ends_the_run_with_its_error() -> None:
    bench = Bench()

    async def play() -> None:
        runner = TableRunner()

        def tell(messages: Sequence[SeatMessage]) -> None:
            raise ZeroDivisionError

        bench.resign()
        runner.start(bench.table, tell)
        with pytest.raises(ZeroDivisionError):
            await asyncio.wait_for(runner.end_future, PATIENCE)

    run_alone(play())
    bench.table.close()


def test_one_factory_closes_what_a_dropped_table_left_open(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite"
    factory = TableFactory()
    tables = []
    for _ in range(2):
        board = load_board(BOARD)
        world = World(board, bounce=None)
        ports = Ports(
            drivers.open_sensors(board, world=world),
            drivers.open_spi_lamps(board, world=world),
            drivers.open_console(board, world=world),
        )
        tables.append(factory(BOARD, "stratego-quick-duel", {}, ports, journal, {"settle_ms": 100}, 0))
    assert len(tables) == 2


def test_a_turn_that_never_comes_is_no_sign_of_life() -> None:
    """A loop that goes on without the table is worth nothing to those who play."""

    async def scene() -> list[bool]:
        bench, runner = Bench(), TableRunner()
        said = [runner.is_running()]
        runner.start(bench.table, lambda messages: None)
        said.append(runner.is_running())
        assert runner._timer is not None
        runner._timer.cancel()
        runner._due -= 2 * OVERDUE_US  # as if it had waited for so long
        said.append(runner.is_running())
        runner.step_now()
        said.append(runner.is_running())
        runner.stop()
        bench.table.close()
        return [*said, runner.is_running()]

    assert run_alone(scene()) == [False, True, False, True, False]
