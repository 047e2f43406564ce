"""Background work is watched: what fails is logged with its cause and started again."""

from __future__ import annotations

import ast
import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import boardumpire
from boardumpire.supervision import Backoff, describe, keep_running, start_task, start_thread
from evenings import virtual_loop
from loops import run

PACKAGE = Path(boardumpire.__file__).parent
STARTERS = {"create_task", "ensure_future", "Thread", "Timer", "TaskGroup", "run_coroutine_threadsafe"}
"""What starts a task or a thread."""
ELSEWHERE = {"commands/match/programs.py": "Timer"}
"""A timer that kills a program: nothing of ours goes on there."""
AT_ONCE = Backoff(0.0, 0.0)
SECRET = "setup a1=F"


def now() -> float:
    """Seconds of virtual time since a scene began."""
    return asyncio.get_running_loop().time() - virtual_loop.BEGINS / virtual_loop.MICROS


def failing(
    times: int, error: Callable[[], BaseException]
) -> tuple[Callable[[], Coroutine[Any, Any, None]], list[float]]:
    """Work that fails so often before it returns, and when it was begun."""
    begun: list[float] = []

    async def work() -> None:
        begun.append(now())
        if len(begun) <= times:
            raise error()

    return work, begun


@pytest.mark.slow
def test_every_task_and_thread_of_the_program_is_started_by_supervision() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(node, "attr", None) or getattr(node, "id", None)
            used = isinstance(node, ast.Attribute | ast.Name) and name in STARTERS
            if used and ELSEWHERE.get(str(path.relative_to(PACKAGE))) != name:
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
            if isinstance(node, ast.ImportFrom) and STARTERS & {alias.name for alias in node.names}:
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert {place.partition(":")[0] for place in found} == {"supervision.py"}, found


@pytest.mark.parametrize(
    "error", [BlockingIOError(11, "no more processes"), MemoryError(), KeyError(SECRET), RecursionError()]
)
def test_work_that_fails_is_started_again_after_growing_pauses(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    work, begun = failing(5, lambda: error)
    why: list[str] = []

    async def scene() -> None:
        await keep_running(work, "the watch", Backoff(2.0, 10.0), why.append)

    virtual_loop.run(scene())
    assert begun == [0, 2, 6, 14, 24, 34]
    assert len(why) == 5
    assert all(type(error).__name__ in record.getMessage() for record in caplog.records)
    assert "the watch" in caplog.text
    assert SECRET not in caplog.text


def test_work_that_ran_for_long_before_it_failed_begins_with_the_first_pause() -> None:
    begun: list[float] = []

    async def work() -> None:
        begun.append(now())
        if len(begun) < 4:
            if len(begun) == 3:
                await asyncio.sleep(100)
            raise OSError
        return

    async def scene() -> None:
        await keep_running(work, "the watch", Backoff(1.0, 60.0))

    virtual_loop.run(scene())
    assert begun == [0, 1, 3, 104]


def test_what_fails_as_a_failure_is_shown_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    work, begun = failing(2, ValueError)

    def shown(why: str) -> None:
        raise RuntimeError(SECRET)

    async def scene() -> None:
        await keep_running(work, "the watch", on_failure=shown)

    virtual_loop.run(scene())
    assert len(begun) == 3
    assert SECRET not in caplog.text


def test_work_that_is_cancelled_ends() -> None:
    async def forever() -> None:
        await asyncio.sleep(1e9)

    async def scene() -> bool:
        task = keep_running(forever, "the watch")
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert run(scene())


def test_a_task_that_fails_is_logged_once_and_its_caller_hears_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    work, _begun = failing(1, lambda: KeyError(SECRET))
    why: list[str] = []

    async def scene() -> None:
        start_task(work(), "the wish", why.append)
        await asyncio.sleep(0.01)

    virtual_loop.run(scene())
    (told,) = why
    assert told.startswith("KeyError at test_supervision.py:")
    (record,) = caplog.records
    assert record.getMessage() == f"the wish has failed: {told}"


def test_a_thread_that_fails_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    begun: list[int] = []

    def work() -> None:
        begun.append(1)
        if len(begun) < 4:
            raise KeyError(SECRET)

    thread = start_thread(work, "the voice", threading.Event(), AT_ONCE)
    thread.join(10)
    assert len(begun) == 4
    assert "the voice has failed: KeyError" in caplog.text
    assert SECRET not in caplog.text


def test_a_thread_that_is_to_stop_waits_for_no_pause() -> None:
    begun: list[int] = []

    def work() -> None:
        begun.append(1)
        raise KeyError

    stopping = threading.Event()
    thread = start_thread(work, "the voice", stopping, Backoff(3600.0, 3600.0))
    stopping.set()
    thread.join(10)
    assert not thread.is_alive()
    assert len(begun) <= 2


def test_a_cause_is_described_without_its_words() -> None:
    def fails() -> None:
        try:
            raise BlockingIOError(11, "Resource temporarily unavailable", SECRET)
        except OSError as error:
            raise ValueError(SECRET) from error

    with pytest.raises(ValueError, match=SECRET) as caught:
        fails()
    told = describe(caught.value)
    assert SECRET not in told
    assert told.startswith("ValueError at test_supervision.py:")
    assert "because of BlockingIOError: Resource temporarily unavailable" in told
