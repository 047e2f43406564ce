"""The one clock of the service: that of the running loop."""

from __future__ import annotations

import asyncio
import time

from boardware.ports import SECOND, Micros


def loop_time_s() -> float:
    """The clock of the running loop, in seconds; where none runs, the machine's monotonic clock, by which a
    loop goes unless it is given another one."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()


def monotonic() -> Micros:
    """The clock of every turn: that of the running loop, in microseconds."""
    return round(loop_time_s() * SECOND)
