"""The one clock of the service, that of the running loop, and whether the machine knows the date."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from boardware.ports import SECOND, Micros

_OLDEST_DATE_S = 1_767_225_600
"""The beginning of 2026. This program didn't exist before."""


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


def is_date_known(root: Path = Path("/")) -> bool:
    """Whether the date can be right: a clock runs while the machine is off, or the network has set it.

    Most Raspberry Pis begin at the moment when they were switched off. systemd-timesyncd writes a file once
    it has the time; a machine without it is believed.
    """
    told = root / "run/systemd/timesync"
    return not told.is_dir() or (told / "synchronized").exists() or _has_own_date(root / "sys/class/rtc/rtc0")


def _has_own_date(clock: Path) -> bool:
    """Whether a real-time clock has kept its date. A Pi 5 without a battery has such a clock as well: it
    begins in 1970 whenever power comes."""
    try:
        return int((clock / "since_epoch").read_text()) >= _OLDEST_DATE_S
    except (OSError, ValueError):
        return False
