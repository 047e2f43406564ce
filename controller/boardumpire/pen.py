"""Who writes into the journal, and when it is durable.

The crank never waits for the disk: it hands an entry to a pen, keeps the ticket, and shows the ruling once
the ticket is done.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from boardrules.core import Outcome
from boardumpire.errors import JournalError
from boardumpire.journal import Entry, Store

DEPTH = 64
"""How many entries a `ThreadPen` holds before it refuses more; rulings wait, so there are never many."""


class Ticket:
    """A promise that something is written."""

    __slots__ = ("_done", "_entry", "_error")

    def __init__(self) -> None:
        self._done = threading.Event()
        self._entry: Entry | None = None
        self._error: Exception | None = None

    def done(self) -> bool:
        """Whether it is durable, or has failed for good."""
        return self._done.is_set()

    def result(self) -> Entry | None:
        """The entry as it was stored (`None` for an ending); waits for it, and raises what went wrong."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._entry


class Pen(Protocol):
    """Writes in the order it is told. After a failed write it writes no more: a fold must have no gap."""

    def write(
        self,
        number: int,
        *,
        kind: str,
        seat: str,
        text: str,
        secret: bool,
        events: Sequence[Mapping[str, Any]],
        at_ms: int,
    ) -> Ticket:
        """As `Store.append`; its errors come out at the ticket."""

    def finish(self, number: int, outcome: Outcome, at_ms: int) -> Ticket:
        """As `Store.finish`; its errors come out at the ticket."""

    def close(self) -> None:
        """Write what is left, then stop; the store stays open. Closing twice is allowed."""


class _Job:
    __slots__ = ("call", "ticket")

    def __init__(self, call: Callable[[], Entry | None]) -> None:
        self.call = call
        self.ticket = Ticket()


class DirectPen:
    """Writes at once, in the caller's thread: for virtual time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._failed = False
        self._closed = False

    def write(
        self,
        number: int,
        *,
        kind: str,
        seat: str,
        text: str,
        secret: bool,
        events: Sequence[Mapping[str, Any]],
        at_ms: int,
    ) -> Ticket:
        """As `Store.append`; its errors come out at the ticket."""
        append = self._store.append
        return self._submit(
            _Job(
                lambda: append(
                    number, kind=kind, seat=seat, text=text, secret=secret, events=events, at_ms=at_ms
                )
            )
        )

    def finish(self, number: int, outcome: Outcome, at_ms: int) -> Ticket:
        """As `Store.finish`; its errors come out at the ticket."""
        return self._submit(_Job(lambda: self._store.finish(number, outcome, at_ms)))

    def close(self) -> None:
        """Write no more. Closing twice is allowed."""
        self._closed = True

    def _submit(self, job: _Job) -> Ticket:
        if self._closed:
            return _refuse(job, "the pen is closed")
        self._do(job)
        return job.ticket

    def _do(self, job: _Job) -> None:
        """Carry out one job; whatever goes wrong is the ticket's to tell."""
        ticket = job.ticket
        if self._failed:
            _refuse(job, "not written, because an earlier entry was not")
            return
        try:
            ticket._entry = job.call()
        except Exception as error:
            self._failed = True
            ticket._error = error
        ticket._done.set()


class ThreadPen(DirectPen):
    """Writes in one thread of its own. `wake` is called from that thread whenever a ticket is done."""

    def __init__(self, store: Store, wake: Callable[[], None], depth: int = DEPTH) -> None:
        super().__init__(store)
        self._wake = wake
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._depth = depth
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is left, then stop the thread. Closing twice is allowed."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        self._thread.join()

    def _submit(self, job: _Job) -> Ticket:
        if self._closed:
            return _refuse(job, "the pen is closed")
        if self._jobs.qsize() >= self._depth:
            self._failed = True
            return _refuse(job, f"more than {self._depth} entries wait to be written")
        self._jobs.put(job)
        return job.ticket

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            self._do(job)
            self._wake()


def _refuse(job: _Job, why: str) -> Ticket:
    job.ticket._error = JournalError(why)
    job.ticket._done.set()
    return job.ticket
