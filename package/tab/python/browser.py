"""What Python leaves out in a browser, and what stands in its place. Importing it puts that there."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Callable
from typing import Any

from pyodide.webloop import WebLoop


def _call_at(loop: WebLoop, when: float, callback: Callable[..., object], *given: Any, **named: Any) -> Any:
    """As other event loops do it: what is due already is called soon."""
    return loop.call_later(max(0.0, when - loop.time()), callback, *given, **named)


_locks: dict[int, int] = {}
"""By file (inode) the handle that holds its lock."""


def _flock(handle: int, operation: int, /) -> None:
    """A lock lasts as long as the handle is open. Raises `BlockingIOError` where another one holds it."""
    file = os.fstat(handle).st_ino
    holder, held = _locks.get(file, handle), False
    with contextlib.suppress(OSError):  # that handle is closed
        held = holder != handle and os.fstat(holder).st_ino == file
    if held:
        raise BlockingIOError("the file is locked")
    _locks[file] = handle


WebLoop.call_at = _call_at
os.geteuid = os.getuid  # there is one user
os.link = shutil.copy  # a file has one name
fcntl.flock = _flock
