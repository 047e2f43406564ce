"""Players that misbehave: each ends in a reason that can be logged, and none holds anybody up."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Mapping
from typing import Any

import pytest

from boardumpire.commands import player_process
from boardumpire.commands.player_process import PlayerFailed, TimeBudget, run_player
from loops import run

LONG = TimeBudget(60.0, 60.0)
SHORT = TimeBudget(60.0, 0.3)
"""A start takes what it takes on a busy machine, and so does an end: this is for who does neither."""
SECRET = "my flag is on a1"
ASKS = "import json; print(json.dumps({'do': 'events'}), flush=True); input(); "


async def started(code: str) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=pipe, stdout=pipe, stderr=pipe, limit=player_process.LINE_MAX_CHARS
    )


def asked(code: str, budget: TimeBudget = SHORT, times: int = 2) -> list[Mapping[str, Any]]:
    """What a player with that program asks first; it is answered each time."""

    async def scene() -> list[Mapping[str, Any]]:
        found = []
        async with run_player(lambda: started(code), "the player", budget) as process:
            for _ in range(times):
                found.append(await process.read_request())
                await process.send_answer({"ok": True})
        return found

    return run(scene())


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (f"{ASKS} raise SystemExit(3)", "it has ended with code 3"),
        (f"{ASKS} raise KeyError('{SECRET}')", r"it has ended with code 1 \(KeyError at .*:1\)"),
        (f"{ASKS} import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "it has ended with code -9"),
        (f"{ASKS} import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "not asked anything for 0.3 s"),
        (f"{ASKS} import time; time.sleep(1000)", "not asked anything for 0.3 s"),
        (f"{ASKS} import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(99)", "for 0.3 s"),
        (f"{ASKS} import os, time; os.close(1); time.sleep(1000)", "it has (closed its output|not asked)"),
        (f"{ASKS} [print('{SECRET}', flush=True) for _ in range(1000)]; input()", "more than 100 lines"),
        (f"{ASKS} print('{SECRET}' * 1000000, flush=True); input()", "without a line's end"),
        (f"{ASKS} print('{SECRET}', end='', flush=True); input()", "not asked anything"),
        (f"{ASKS} import sys; sys.stderr.write('x' * 10**7); raise SystemExit(4)", "ended with code 4"),
    ],
)
def test_a_player_that_can_t_go_on_is_ended_with_a_reason(
    code: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(PlayerFailed, match=why) as caught:
        asked(code, SHORT if "not asked" in why or "0.3 s" in why else LONG)
    assert SECRET not in f"{caught.value} {caplog.text}"


@pytest.mark.parametrize(
    "printed",
    [f"'{SECRET}'", "'{'", "'[]'", "'{}'", "'null'", "''", "'[' * 100000", "'\\udcff'", "'{\"do\": 3}'"],
)
def test_what_is_printed_beside_requests_is_left_out_and_not_shown(
    printed: str, caplog: pytest.LogCaptureFixture
) -> None:
    noise = f"import sys; sys.stdout.reconfigure(errors='surrogateescape'); print({printed}, flush=True)"
    assert asked(f"{noise}; {ASKS} {noise}; {ASKS}", LONG) == [{"do": "events"}] * 2
    # Python 3.11's asyncio warns of a child that ends while it is killed: `Popen.kill` reaps it first.
    (record,) = [record for record in caplog.records if record.name == "boardumpire"]
    assert "no request" in record.getMessage()
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    "error",
    [
        BlockingIOError(11, "Resource temporarily unavailable"),
        FileNotFoundError(2, "No such file or directory"),
        MemoryError(),
        RuntimeError("can't start new thread"),
    ],
)
def test_a_player_that_can_t_be_started_says_why(error: Exception) -> None:
    async def start() -> asyncio.subprocess.Process:
        raise error

    async def scene() -> None:
        async with run_player(start, "the player"):
            raise AssertionError

    with pytest.raises(PlayerFailed, match=f"can't be started: {type(error).__name__}"):
        run(scene())


def test_no_process_is_left() -> None:
    async def scene() -> int:
        async with run_player(lambda: started(f"{ASKS} input(); input()"), "the player", SHORT) as process:
            await process.read_request()
            pid = process._process.pid
            os.kill(pid, signal.SIGSTOP)
        return pid

    with pytest.raises(ProcessLookupError):
        os.kill(run(scene()), 0)


def test_a_player_that_reads_nothing_is_ended() -> None:
    async def scene() -> None:
        code = 'import time; print(\'{"do": "sight"}\', flush=True); time.sleep(1000)'
        async with run_player(lambda: started(code), "the player", SHORT) as process:
            await process.read_request()
            await process.send_answer({"ok": True, "sight": "x" * 10_000_000})

    began = time.monotonic()
    with pytest.raises(PlayerFailed, match=r"has read nothing for 0\.3 s"):
        run(scene())
    assert time.monotonic() - began < 20
