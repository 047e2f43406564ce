"""A seat of the machine whose player fails: everybody is told, a new player begins, and the game goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from boardumpire.commands import machines, player_process, status
from boardumpire.commands.daemon import Daemon
from boardumpire.commands.machines import Machines, player
from boardumpire.commands.page import virtual_board
from boardumpire.commands.player_process import TimeBudget
from boardumpire.service.notify import Notifier
from daemon.test_machines import DUEL, configured, quick
from loops import run

__all__ = ["quick"]

BUDGET = TimeBudget(8.0, 6.0)
"""A player has 0.05 s to think, on a machine that does other things as well. Each new one may take twice as
long."""
SILENT = "Red's player is not answering. It is being started again."
SECRET = "the Flag of Red is on a1"
Process = asyncio.subprocess.Process
Fails = Callable[[Process], None]


def stops(process: Process) -> None:
    os.kill(process.pid, signal.SIGSTOP)


def is_killed(process: Process) -> None:
    process.kill()


async def program(code: str) -> Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=pipe, stdout=pipe, stderr=pipe, limit=player_process.LONGEST
    )


async def goes_on(folder: Path, fails: Fails | None, start: machines.StartPlayer) -> tuple[list[str], str]:
    """Until Red has acted after its player has failed; what was said of it meanwhile, and at the end."""
    config, board = virtual_board(configured(folder, DUEL, {"red": "1", "blue": "1"}, quiet_limit=30), 1)
    daemon = Daemon(config, Notifier({}), board)
    begun: list[Process] = []

    async def noted(game: str, seat: str, level: str) -> Process:
        process = await (start if seat == "red" else player)(game, seat, level)
        if seat == "red":
            begun.append(process)
        return process

    daemon._machines = Machines(daemon, config.game.machines, board, noted, BUDGET)
    await daemon.start()
    board.start()
    told: list[str] = []

    async def until(done: Callable[[], bool]) -> None:
        while not done() and not daemon.table.over:
            await asyncio.sleep(0.02)
            told.extend(line for line in daemon.status()["silent"] if line not in told)
            if daemon.status()["silent"]:
                assert SILENT in status.as_text(daemon.condition())
                assert daemon.ailing() == SILENT

    def moves() -> int:
        return sum(entry.kind == "action" for entry in daemon._store.public_entries(1))

    try:
        async with asyncio.timeout(150):
            if fails is not None:
                await until(lambda: moves() >= 4)
                fails(begun[-1])
            await until(lambda: bool(told))
            before = moves()
            await until(lambda: moves() >= before + 4 and not daemon.status()["silent"])
        return told, daemon.ailing()
    finally:
        daemon.stop()
        board.stop()
        await daemon.ended()


@pytest.mark.slow
@pytest.mark.parametrize("fails", [stops, is_killed])
def test_a_player_that_hangs_or_dies_is_replaced(tmp_path: Path, fails: Fails) -> None:
    assert run(goes_on(tmp_path, fails, player)) == ([SILENT], "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [
        BlockingIOError(11, "Resource temporarily unavailable"),
        FileNotFoundError(2, "No such file or directory"),
        MemoryError(),
        f"print('{SECRET}', end='', flush=True); input()",
        f"raise KeyError('{SECRET}')",
        f"while True: print('{SECRET}')",
        "import json; print(json.dumps({'do': 'act', 'action': None})); print(json.dumps({'do': 'sing'}))",
    ],
    ids=str,
)
def test_a_player_that_can_t_begin_is_tried_again(
    tmp_path: Path, first: Exception | str, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[object] = []

    async def start(game: str, seat: str, level: str) -> Process:
        tried.append(seat)
        if len(tried) > 2:
            return await player(game, seat, level)
        if isinstance(first, Exception):
            raise first
        return await program(first)

    assert run(goes_on(tmp_path, None, start)) == ([SILENT], "")
    assert SECRET not in caplog.text
    assert "the player at red: it" in caplog.text
