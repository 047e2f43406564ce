"""Who writes into the journal, and when it is durable.

The crank never waits for the disk: it hands an entry to a pen, keeps the ticket, and shows the ruling once
the ticket is done. What finds no room on the disk waits there, with all that is behind it, and is written as
soon as there is some.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from boardrules.core import Outcome, Seat
from boardumpire.errors import JournalError
from boardumpire.journal.journal import JournalEntry, Store
from boardumpire.supervision import start_thread

DEPTH = 64
"""How many entries a pen holds before it refuses more; rulings wait, so there are never many."""
AGAIN_S = 1.0
"""Seconds until what could not be written just now is tried again."""


class WriteReceipt:
    """A promise that something is written."""

    __slots__ = ("_done", "_entry", "_error")

    def __init__(self) -> None:
        self._done = threading.Event()
        self._entry: JournalEntry | None = None
        self._error: Exception | None = None

    def done(self) -> bool:
        """Whether it is durable, or has failed for good."""
        return self._done.is_set()

    def result(self) -> JournalEntry | None:
        """The entry as it was stored (`None` for an ending); waits for it, and raises what went wrong."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._entry


class WriteBlocked(NamedTuple):
    """Why nothing can be written just now; false where nothing is in the way."""

    wants: str = ""
    """What would let it pass: `room` on the disk, the end of another program's `turn`, a better `disk`."""
    text: str = ""
    """What the disk says."""

    def __bool__(self) -> bool:
        return self.wants != ""


class JournalWriter(Protocol):
    """Writes in the order it is told.

    What finds no room waits and is tried again. After a write that failed for good it writes no more: a fold
    must have no gap.
    """

    def write(
        self,
        number: int,
        *,
        kind: str,
        seat: Seat,
        text: str,
        secret: bool,
        events: Sequence[Mapping[str, Any]],
        at_ms: int,
    ) -> WriteReceipt:
        """Append one entry with its public `events`. Errors come out at the ticket."""

    def finish(self, number: int, outcome: Outcome, at_ms: int) -> WriteReceipt:
        """Note the outcome and open every seal. Errors come out at the ticket."""

    def waits(self) -> WriteBlocked:
        """What is waited for before anything can be written."""

    def close(self) -> None:
        """Write what is left, then stop; the store stays open. Closing twice is allowed.

        What finds no room even now fails.
        """


class _Job:
    __slots__ = ("call", "ticket")

    def __init__(self, call: Callable[[], JournalEntry | None]) -> None:
        self.call = call
        self.ticket = WriteReceipt()


class SyncJournalWriter:
    """Writes at once, in the caller's thread: for virtual time. Each look at `waits` tries again."""

    def __init__(self, store: Store, depth: int = DEPTH) -> None:
        self._store = store
        self._failed = False
        self._closed = False
        self._depth = depth
        self._waits = WriteBlocked()
        self._waiting: deque[_Job] = deque()

    def write(
        self,
        number: int,
        *,
        kind: str,
        seat: Seat,
        text: str,
        secret: bool,
        events: Sequence[Mapping[str, Any]],
        at_ms: int,
    ) -> WriteReceipt:
        """Append one entry with its public `events`. Errors come out at the ticket."""
        append = self._store.append
        return self._submit(
            _Job(
                lambda: append(
                    number, kind=kind, seat=seat, text=text, secret=secret, events=events, at_ms=at_ms
                )
            )
        )

    def finish(self, number: int, outcome: Outcome, at_ms: int) -> WriteReceipt:
        """Note the outcome and open every seal. Errors come out at the ticket."""
        return self._submit(_Job(lambda: self._store.finish(number, outcome, at_ms)))

    def waits(self) -> WriteBlocked:
        """What is waited for before anything can be written."""
        self._catch_up()
        return self._waits

    def close(self) -> None:
        """Write what waits, if it can be written now, and no more. Closing twice is allowed."""
        self._catch_up()
        self._closed = True
        while self._waiting:
            _refuse(self._waiting.popleft(), self._waits.text)

    def _submit(self, job: _Job) -> WriteReceipt:
        if self._closed:
            return _refuse(job, "the pen is closed")
        if len(self._waiting) >= self._depth:
            self._failed = True
            return _refuse(job, f"more than {self._depth} entries wait to be written")
        self._waiting.append(job)
        self._catch_up()
        return job.ticket

    def _catch_up(self) -> None:
        while self._waiting and self._do(self._waiting[0]):
            self._waiting.popleft()

    def _do(self, job: _Job) -> bool:
        """Carry out one job; `False` where it has to wait. What else goes wrong is the ticket's to tell."""
        ticket = job.ticket
        if self._failed:
            _refuse(job, "not written, because an earlier entry was not")
            return True
        try:
            ticket._entry = job.call()
        except Exception as error:
            if isinstance(error, JournalError) and error.wants:
                self._waits = WriteBlocked(error.wants, error.text)
                return False
            self._failed = True
            ticket._error = error
        self._waits = WriteBlocked()
        ticket._done.set()
        return True


class ThreadedJournalWriter(SyncJournalWriter):
    """Writes in one thread of its own.

    `wake` is called from that thread whenever a ticket is done, and whenever something begins to wait.
    """

    def __init__(
        self,
        store: Store,
        wake: Callable[[], None],
        depth: int = DEPTH,
        again_s: float = AGAIN_S,
        took: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """`took` is called from that thread, too: after how many seconds an entry was durable."""
        super().__init__(store, depth)
        self._wake = wake
        self._again_s = again_s
        self._took = took
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._closing = threading.Event()
        self._thread = start_thread(self._run, "journal", self._closing)

    def waits(self) -> WriteBlocked:
        """What is waited for before anything can be written."""
        return self._waits

    def close(self) -> None:
        """Write what is left, then stop the thread. Closing twice is allowed."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._closing.set()
        self._thread.join()

    def _submit(self, job: _Job) -> WriteReceipt:
        if self._closed:
            return _refuse(job, "the pen is closed")
        if self._jobs.qsize() >= self._depth:
            self._failed = True
            return _refuse(job, f"more than {self._depth} entries wait to be written")
        self._jobs.put(job)
        return job.ticket

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            began = time.monotonic()
            while not self._do(job):
                self._wake()
                if self._closing.is_set():
                    self._failed = True
                    _refuse(job, self._waits.text)
                    break
                self._closing.wait(self._again_s)
            self._took(time.monotonic() - began)
            self._wake()


def _refuse(job: _Job, why: str) -> WriteReceipt:
    job.ticket._error = JournalError(why)
    job.ticket._done.set()
    return job.ticket
