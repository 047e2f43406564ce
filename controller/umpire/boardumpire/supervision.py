"""Background work that is watched: every task and thread of the program is started here.

Work that fails is logged with its cause. Work that has to go on is started again, after a pause that doubles
up to a limit. A test sees to it that nothing else in the program starts a task or a thread.

The log names the kind of an error and where it was raised, never its message: that may quote a set-up, a hand
of cards or a PIN. What the operating system says of a file or a process holds no such thing.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import traceback
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

log = logging.getLogger("boardumpire")

T = TypeVar("T")


class Backoff(NamedTuple):
    """How long to wait before work that has failed is started again."""

    first_s: float = 1.0
    """Before the first time; each further pause is twice as long ..."""
    max_s: float = 60.0
    """... up to this. Work that ran for longer than this before it failed begins again with the first."""

    def next_pause(self, pause_s: float) -> float:
        """The pause that follows on one of `pause_s`; on 0 the first."""
        return min(2 * pause_s, self.max_s) if pause_s else self.first_s


BACKOFF = Backoff()


def describe(error: BaseException) -> str:
    """The kind of an error, what the system says of it, and where it was raised; never its message."""
    said = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    cause = error.__cause__
    because = f", because of {describe(cause)}" if cause is not None else ""
    return f"{type(error).__name__}{said}{place}{because}"


def start_task(
    work: Coroutine[Any, Any, T],
    name: str,
    on_failure: Callable[[str], object] = lambda why: None,
    *,
    awaited: bool = False,
) -> asyncio.Task[T]:
    """Do some work once beside everything else; `on_failure` is told why it failed, once that is logged.

    `awaited`: the caller awaits the task and deals with what it raises, so nothing is logged.
    """
    task = asyncio.get_running_loop().create_task(work, name=name)
    if awaited:
        return task

    def done(task: asyncio.Task[T]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            why = describe(error)
            log.error("%s has failed: %s", name, why)
            _report_failure(on_failure, why)

    task.add_done_callback(done)
    return task


def keep_running(
    work: Callable[[], Coroutine[Any, Any, None]],
    name: str,
    backoff: Backoff = BACKOFF,
    on_failure: Callable[[str], object] = lambda why: None,
) -> asyncio.Task[None]:
    """Do some work until it returns; whenever it fails, log that, tell `on_failure` why, and start it
    again."""

    async def run() -> None:
        loop, pause = asyncio.get_running_loop(), 0.0
        while True:
            began = loop.time()
            try:
                await work()
                return
            except Exception as error:
                why = describe(error)
            pause = backoff.next_pause(0.0 if loop.time() - began > backoff.max_s else pause)
            log.error("%s has failed: %s; it is started again in %g s", name, why, pause)
            _report_failure(on_failure, why)
            await asyncio.sleep(pause)

    return asyncio.get_running_loop().create_task(run(), name=name)


def _report_failure(failed: Callable[[str], object], why: str) -> None:
    """Tell it; what goes wrong there ends nothing."""
    try:
        failed(why)
    except Exception as error:
        log.error("a failure could not be reported: %s", describe(error))


def start_thread(
    work: Callable[[], None], name: str, stopping: threading.Event, backoff: Backoff = BACKOFF
) -> threading.Thread:
    """Do some work in a thread of its own until it returns; whenever it fails, log that and start it again.

    Once `stopping` is set there is no pause any more, and no more than one further try.
    """

    def run() -> None:
        pause, last = 0.0, False
        while not last:
            began, last = time.monotonic(), stopping.is_set()
            try:
                work()
                return
            except Exception as error:
                why = describe(error)
            pause = backoff.next_pause(0.0 if time.monotonic() - began > backoff.max_s else pause)
            log.error("%s has failed: %s; it is started again in %g s", name, why, pause)
            stopping.wait(pause)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread
