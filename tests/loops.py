"""Coroutines run to their end, also where the test of a browser has left a loop running in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(scene: Coroutine[Any, Any, Result]) -> Result:
    """What the coroutine returns. Runs in this thread: signals are heard there alone."""
    with no_other():
        return asyncio.run(scene)


@contextmanager
def no_other() -> Iterator[None]:
    """Inside, a loop may be started in this thread.

    Playwright's loop waits in a greenlet meanwhile; that it counts as running would only forbid ours.
    """
    waiting = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(waiting)
