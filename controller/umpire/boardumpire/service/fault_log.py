"""The latest warnings and errors of the service in files beside the journal of games, also of starts before.

The system's own journal may live in memory alone, as on Raspberry Pi OS: after a power cut it knows nothing.
What a line says is what everybody may know, as in the log.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from boardumpire.errors import escape_unprintable
from boardumpire.service.log_lines import DETAILS_KEY, LogFormatter

LOG_NAME, OLDER_LOG_NAME = "faults.log", "faults.log.1"
FILE_MAX_BYTES = 32_768
"""Of one file; then it takes the place of the older one, and another one is begun."""
ENTRY_MAX_CHARS = 1000
"""Characters of one entry: a traceback keeps its end, which says what was wrong."""


class FaultLog(logging.Handler):
    """Writes what is a warning or worse. A disk that is full or read-only disturbs nobody."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        """`folder`: where the journal is, or will be."""
        super().__init__(logging.WARNING)
        self._path, self._clock = folder / LOG_NAME, clock
        self.setFormatter(LogFormatter({}))

    def emit(self, record: logging.LogRecord) -> None:
        """Append it."""
        about = getattr(record, DETAILS_KEY, {})
        if about.get("event") != "set-up":  # it says the code of the set-up, and is no fault
            self.append_line(self.format(record))

    def append_line(self, text: str) -> None:
        """Append a line of that text."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))
        told = " | ".join(text.splitlines())
        if len(told) > ENTRY_MAX_CHARS:
            told = f"... {told[-ENTRY_MAX_CHARS:]}"
        data = f"{stamp} {told}\n".encode(errors="replace")
        try:
            if self._path.exists() and self._path.stat().st_size + len(data) > FILE_MAX_BYTES:
                os.replace(self._path, self._path.with_name(OLDER_LOG_NAME))
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
            number = os.open(self._path, flags, 0o600)
            try:
                os.write(number, data)
            finally:
                os.close(number)
        except OSError:
            pass  # the log has it all the same


def read(folder: Path) -> Iterator[str]:
    """The lines that are kept, oldest first, fit for a terminal. Raises `OSError`."""
    for name in (OLDER_LOG_NAME, LOG_NAME):
        try:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            continue
        for line in text.splitlines():
            yield escape_unprintable(line)
