"""Writers of the journal: in a thread of its own on a board, at once in virtual time.

The step loop never waits for the disk: it hands an entry to a writer, keeps the receipt, and shows the ruling
once the receipt is done. An entry that finds no room on the disk waits, with all entries behind it, and is
written as soon as there is room.
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

QUEUE_LIMIT = 64
"""How many entries a writer holds before it refuses more; rulings wait, so there are never many."""
RETRY_INTERVAL_S = 1.0
"""Seconds until what could not be written just now is tried again."""


class WriteReceipt:
    """A promise that something is written."""

    __slots__ = ("_done", "_entry", "_error")

    def __init__(self) -> None:
        self._done = threading.Event()
        self._entry: JournalEntry | None = None
        self._error: Exception | None = None

    def is_done(self) -> bool:
        """Whether it is durable, or has failed for good."""
        return self._done.is_set()

    def wait_result(self) -> JournalEntry | None:
        """The entry as it was stored (`None` for an ending); waits for it, and raises what went wrong."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._entry


class WriteBlocked(NamedTuple):
    """Why nothing can be written just now; false where writing works."""

    condition: str = ""
    """What would let it pass: `room` on the disk, the end of another program's `turn`, a better `disk`."""
    text: str = ""
    """What the disk says."""

    def __bool__(self) -> bool:
        return self.condition != ""


class JournalWriter(Protocol):
    """Writes in the order it is told.

    What finds no room waits and is tried again. After a write that failed for good it writes no more: a fold
    must have no gap.
    """

    def write_entry(
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
        """Append one entry with its public `events`. The receipt raises its errors."""

    def finish_game(self, number: int, outcome: Outcome, at_ms: int) -> WriteReceipt:
        """Record the outcome and publish all secrets. The receipt raises its errors."""

    def blocking_reason(self) -> WriteBlocked:
        """What has to change before anything can be written."""

    def close(self) -> None:
        """Write what is left, then stop; the store stays open. Closing twice is allowed.

        What finds no room even now fails.
        """


class _WriteJob:
    __slots__ = ("call", "receipt")

    def __init__(self, call: Callable[[], JournalEntry | None]) -> None:
        self.call = call
        self.receipt = WriteReceipt()


class SyncJournalWriter:
    """Writes at once, in the caller's thread: for virtual time. Each call of `blocking_reason` tries
    again."""

    def __init__(self, store: Store, queue_limit: int = QUEUE_LIMIT) -> None:
        self._store = store
        self._failed = False
        self._closed = False
        self._queue_limit = queue_limit
        self._blocked = WriteBlocked()
        self._queue: deque[_WriteJob] = deque()

    def write_entry(
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
        """Append one entry with its public `events`. The receipt raises its errors."""
        append = self._store.append_entry
        return self._submit(
            _WriteJob(
                lambda: append(
                    number, kind=kind, seat=seat, text=text, secret=secret, events=events, at_ms=at_ms
                )
            )
        )

    def finish_game(self, number: int, outcome: Outcome, at_ms: int) -> WriteReceipt:
        """Record the outcome and publish all secrets. The receipt raises its errors."""
        return self._submit(_WriteJob(lambda: self._store.finish_game(number, outcome, at_ms)))

    def blocking_reason(self) -> WriteBlocked:
        """What has to change before anything can be written."""
        self._write_queued()
        return self._blocked

    def close(self) -> None:
        """Write what is queued, if it can be written now. Closing twice is allowed."""
        self._write_queued()
        self._closed = True
        while self._queue:
            _fail_job(self._queue.popleft(), self._blocked.text)

    def _submit(self, job: _WriteJob) -> WriteReceipt:
        if self._closed:
            return _fail_job(job, "the writer is closed")
        if len(self._queue) >= self._queue_limit:
            self._failed = True
            return _fail_job(job, f"more than {self._queue_limit} entries wait to be written")
        self._queue.append(job)
        self._write_queued()
        return job.receipt

    def _write_queued(self) -> None:
        while self._queue and self._run_job(self._queue[0]):
            self._queue.popleft()

    def _run_job(self, job: _WriteJob) -> bool:
        """Run one job; `False` where it has to wait. The receipt gets any other error."""
        receipt = job.receipt
        if self._failed:
            _fail_job(job, "not written, because an earlier entry was not")
            return True
        try:
            receipt._entry = job.call()
        except Exception as error:
            if isinstance(error, JournalError) and error.condition:
                self._blocked = WriteBlocked(error.condition, error.text)
                return False
            self._failed = True
            receipt._error = error
        self._blocked = WriteBlocked()
        receipt._done.set()
        return True


class ThreadedJournalWriter(SyncJournalWriter):
    """Writes in one thread of its own.

    `wake` is called from that thread whenever a receipt is done, and whenever something begins to wait.
    """

    def __init__(
        self,
        store: Store,
        wake: Callable[[], None],
        queue_limit: int = QUEUE_LIMIT,
        retry_interval_s: float = RETRY_INTERVAL_S,
        report_write_time: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """`report_write_time` is called from that thread with the seconds until an entry was durable."""
        super().__init__(store, queue_limit)
        self._wake = wake
        self._retry_interval_s = retry_interval_s
        self._report_write_time = report_write_time
        self._jobs: queue.Queue[_WriteJob | None] = queue.Queue()
        self._closing = threading.Event()
        self._thread = start_thread(self._run, "journal", self._closing)

    def blocking_reason(self) -> WriteBlocked:
        """What has to change before anything can be written."""
        return self._blocked

    def close(self) -> None:
        """Write what is left, then stop the thread. Closing twice is allowed."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._closing.set()
        self._thread.join()

    def _submit(self, job: _WriteJob) -> WriteReceipt:
        if self._closed:
            return _fail_job(job, "the writer is closed")
        if self._jobs.qsize() >= self._queue_limit:
            self._failed = True
            return _fail_job(job, f"more than {self._queue_limit} entries wait to be written")
        self._jobs.put(job)
        return job.receipt

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            began = time.monotonic()
            while not self._run_job(job):
                self._wake()
                if self._closing.is_set():
                    self._failed = True
                    _fail_job(job, self._blocked.text)
                    break
                self._closing.wait(self._retry_interval_s)
            self._report_write_time(time.monotonic() - began)
            self._wake()


def _fail_job(job: _WriteJob, why: str) -> WriteReceipt:
    job.receipt._error = JournalError(why)
    job.receipt._done.set()
    return job.receipt
