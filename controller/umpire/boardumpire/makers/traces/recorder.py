"""Collects what a trace is made of, moment by moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from boardware.ports import Micros, TagId

log = logging.getLogger("boardumpire")

Write = Callable[[str], object]
"""Takes one line, its line end included."""


class TraceRecorder:
    """Collects the lines of a moment, and writes the moments that mattered.

    A turn in which nothing came, nothing was due and nothing went out changes nothing: it is left out.
    """

    def __init__(
        self, write: Write, *, open_: bool = False, every: bool = False, order: Sequence[TagId] = ()
    ) -> None:
        """`open_` writes secrets at once, `every` leaves no turn out.

        `order`: the tags in the order of their numbers, in a replay; else chance orders them.
        """
        self.order = order
        self._write: Write | None = write
        self._open = open_
        self._every = every
        self._lines: list[str] = []
        self._secrets: list[str] = []
        self._told = 0
        self._start: Micros | None = None

    def line(self, text: str) -> None:
        """Something came in or went out at this moment."""
        self._lines.append(text)

    def begin(self, now: Micros) -> None:
        """A moment begins."""
        if self._start is None:
            self._start = now

    def end(self, moment: str, now: Micros, *, matters: bool) -> None:
        """The moment is over; `matters` even though it has no lines."""
        lines, self._lines = self._lines, []
        if lines or matters or self._every:
            verb, _, rest = moment.partition(" ")
            self.put(f"{verb} {self.since(now)} {rest}".rstrip(), *lines)

    def put(self, *lines: str) -> None:
        """Write lines at once. A trace that can't be written any more ends; the game goes on."""
        if self._write is None:
            return
        try:
            for line in lines:
                self._write(line + "\n")
        except OSError as error:
            self._write = None
            log.warning("the trace ends here, it can't be written: %s", error)

    def since(self, at: Micros) -> Micros:
        """A time as the trace counts."""
        return at - (self._start or 0)

    def at(self, at: Micros, now: Micros) -> str:
        """What the line of an event ends with."""
        return "" if at == now else f" {self.since(at)}"

    def hide(self, text: str) -> str:
        """A secret as the trace names it while the game goes on."""
        self._secrets.append(text)
        return f"*{len(self._secrets)}"

    def reveal(self) -> None:
        """Write what secrets were, those that are not written yet."""
        for number in range(self._told + 1, len(self._secrets) + 1):
            self.put(f"secret {number} {self._secrets[number - 1]}")
        self._told = len(self._secrets)

    def tell_open(self) -> None:
        """With open secrets: write what was hidden."""
        if self._open:
            self.reveal()
