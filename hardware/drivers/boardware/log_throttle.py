"""Keeps a log readable where one thing goes wrong again and again."""

from __future__ import annotations

import logging

from boardware.ports import SECOND, Micros

PERIOD_US: Micros = 60 * SECOND
"""How long lines of one kind are counted before there is another."""


class LogThrottle:
    """Writes a line of each kind, then counts further ones; the next line, a minute later, says how many."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._lines: dict[str, tuple[Micros, int]] = {}
        """By kind when it was written first in this period, and how many came since."""

    def write(
        self,
        level: int,
        kind: str,
        now: Micros,
        text: str,
        *values: object,
        burst: int = 1,
        extra: dict[str, object] | None = None,
    ) -> None:
        """Write it, or count it: in a period `burst` lines of a kind are written."""
        since, count = self._lines.get(kind, (now, 0))
        if now >= since + PERIOD_US:
            left_out = max(0, count - burst)
            since, count = now, 0
            if left_out:
                text, values = f"{text} (and %d more like it before)", (*values, left_out)
        self._lines[kind] = since, count + 1
        if count < burst:
            self._log.log(level, text, *values, extra=extra)
