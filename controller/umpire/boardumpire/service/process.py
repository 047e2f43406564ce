"""The daemon as a process: the signals that end it, and its signs of life to systemd."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

from boardumpire.service.clock import monotonic
from boardumpire.service.notify import Notifier
from boardumpire.supervision import describe
from boardware.log_throttle import LogThrottle

log = logging.getLogger("boardumpire")

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextlib.contextmanager
def handle_signals(stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` on a signal; afterwards signals do what they did before."""
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)
            signal.signal(number, before[number])


def stop_event() -> threading.Event:
    """For a program without a loop: set by the first signal to stop. The second ends the process at once.

    A handler that raised would not do: what is raised while an object is being finalized is lost.
    """
    stopped = threading.Event()

    def stop(number: int, frame: object) -> None:
        stopped.set()
        signal.signal(number, signal.SIG_DFL)

    for number in STOP_SIGNALS:
        signal.signal(number, stop)
    return stopped


def handle_loop_errors(loop: asyncio.AbstractEventLoop) -> None:
    """Log what goes wrong in the loop itself a few times a minute, then count it.

    A process that may open no more files is told so dozens of times a second, each time with a traceback.
    """
    throttle = LogThrottle(log)

    def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        what, error = context["message"], context.get("exception")
        why = describe(error) if error is not None else "no error"
        throttle.write(logging.ERROR, what, monotonic(), "%s: %s", what, why, burst=3)

    loop.set_exception_handler(report)


class WatchdogHeartbeat:
    """Tells systemd that the service is ready, and from then on that it lives, for as long as it does.

    They come from the very loop that turns the table: one that hangs, and one whose turns have stopped, gives
    none. Use it on a running loop.
    """

    def __init__(self, notifier: Notifier, turning: Callable[[], bool]) -> None:
        """`turning`: whether what is served is turned."""
        self._notifier, self._turning = notifier, turning
        self._served = False
        self._timer: asyncio.TimerHandle | None = None

    def report_in_service(self, status: str) -> None:
        """Tell that it is served, and what it waits for, if it does."""
        self._notifier.send_status(status)
        if not self._served:
            self._served = True
            self._notifier.send_ready()
            gc.enable()  # the command turns it off
            self._send_heartbeats()

    def report_progress(self) -> None:
        """A sign of life between two steps of opening, once systemd expects some.

        Nothing is turned while a table that was waited for is opened, and for all of that a slow machine may
        take as long as the watchdog waits.
        """
        if self._served and self._notifier.watchdog_s is not None:
            self._notifier.send_heartbeat()

    def stop(self) -> None:
        """No more of them. Stopping twice is allowed."""
        if self._timer is not None:
            self._timer.cancel()

    def _send_heartbeats(self) -> None:
        if self._notifier.watchdog_s is not None:
            if self._turning():
                self._notifier.send_heartbeat()
            self._timer = asyncio.get_running_loop().call_later(
                self._notifier.watchdog_s / 2, self._send_heartbeats
            )
