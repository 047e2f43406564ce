"""Where the traces of a board in service are written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardumpire.makers.traces.recorder import TraceRecorder
from boardumpire.makers.traces.trace import TraceError
from boardumpire.makers.traces.tracing import open_traced_table
from boardumpire.table.table import Table


class TraceFiles:
    """`first`, `first`-2, `first`-3 ...: opened in turn, for their owner alone, and written line by line."""

    def __init__(self, first: Path) -> None:
        self._first = first
        self._count = 0
        self._open: Any = None

    def open_next(self) -> Callable[[str], object]:
        """Open the next. Raises `TraceError` where one is there already or can't be made."""
        self.close()
        self._count += 1
        path = self._first
        if self._count > 1:
            path = path.with_stem(f"{path.stem}-{self._count}")
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise TraceError(f"{path}: {error.strerror}; try another file") from None
        self._open = os.fdopen(handle, "w", encoding="utf-8", buffering=1)
        write: Callable[[str], object] = self._open.write
        return write

    def close(self) -> None:
        """Close the one that is open. Closing twice is allowed."""
        if self._open is not None:
            self._open.close()
            self._open = None


def traced_table_opener(files: TraceFiles, sensors: str, *, open_: bool = False) -> Callable[..., Table]:
    """Opens tables as `open_table` does, each with a trace in the next of `files`."""

    def opening(**parts: Any) -> Table:
        return open_traced_table(
            **parts, recorder=TraceRecorder(files.open_next(), open_=open_), sensors=sensors
        )

    return opening
