"""Collects what a trace is made of, moment by moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from boardware.ports import Micros, TagId

log = logging.getLogger("boardumpire")

WriteLine = Callable[[str], object]
"""Takes one line, its line end included."""


class TraceRecorder:
    """Collects the lines of a moment, and writes the moments that mattered.

    A turn in which nothing came, nothing was due and nothing went out changes nothing: it is left out.
    """

    def __init__(
        self, write: WriteLine, *, open_: bool = False, every: bool = False, order: Sequence[TagId] = ()
    ) -> None:
        """`open_` writes secrets at once, `every` leaves no turn out.

        `order`: the tags in the order of their numbers, in a replay; else chance orders them.
        """
        self.tag_order = order
        self._write: WriteLine | None = write
        self._open = open_
        self._every = every
        self._lines: list[str] = []
        self._secrets: list[str] = []
        self._told = 0
        self._start: Micros | None = None

    def add_line(self, text: str) -> None:
        """Something came in or went out at this moment."""
        self._lines.append(text)

    def begin_moment(self, now: Micros) -> None:
        """A moment begins."""
        if self._start is None:
            self._start = now

    def end_moment(self, moment: str, now: Micros, *, matters: bool) -> None:
        """The moment is over; `matters` even though it has no lines."""
        lines, self._lines = self._lines, []
        if lines or matters or self._every:
            verb, _, rest = moment.partition(" ")
            self.write_lines(f"{verb} {self.trace_time(now)} {rest}".rstrip(), *lines)

    def write_lines(self, *lines: str) -> None:
        """Write lines at once. A trace that can't be written any more ends; the game goes on."""
        if self._write is None:
            return
        try:
            for line in lines:
                self._write(line + "\n")
        except OSError as error:
            self._write = None
            log.warning("the trace ends here, it can't be written: %s", error)

    def trace_time(self, at: Micros) -> Micros:
        """A time as the trace counts."""
        return at - (self._start or 0)

    def time_suffix(self, at: Micros, now: Micros) -> str:
        """What the line of an event ends with."""
        return "" if at == now else f" {self.trace_time(at)}"

    def add_secret(self, text: str) -> str:
        """A secret as the trace names it while the game goes on."""
        self._secrets.append(text)
        return f"*{len(self._secrets)}"

    def write_secrets(self) -> None:
        """Write what secrets were, those that are not written yet."""
        for number in range(self._told + 1, len(self._secrets) + 1):
            self.write_lines(f"secret {number} {self._secrets[number - 1]}")
        self._told = len(self._secrets)

    def write_open_secrets(self) -> None:
        """With open secrets: write what was hidden."""
        if self._open:
            self.write_secrets()
