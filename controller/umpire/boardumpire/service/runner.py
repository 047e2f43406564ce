"""Turns a table in real time, on an asyncio loop.

Nothing ticks: after each turn one timer is set to the next moment at which anything wants to happen, be it a
polled port's scan, a pattern of the lamps or the tracker's patience. The journal's thread wakes the loop when
an entry is durable.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.clock import monotonic
from boardware.ports import SECOND, LampId, Micros, Ports, WakingDriver


class Steppable(Protocol):
    """What can be turned: a table, or what examines the board meanwhile."""

    @property
    def all_ports(self) -> Sequence[Ports]:
        """The drivers of each board: the next scan of those that are polled is due then, others wake the
        loop."""

    @property
    def marks(self) -> Mapping[LampId, str]:
        """What the lamps show."""

    def step(self, now: Micros) -> Micros | None:
        """Turn once. Returns when to turn next, the scan grids of the polled ports aside."""

    def take_messages(self) -> Sequence[SeatMessage]:
        """All that was told since the last call."""


OVERDUE_US: Micros = 5 * SECOND
"""A turn that is later than this is not going to come by itself."""

LISTEN_RETRY_S = 2.0
"""Between two attempts to listen at an address that the machine doesn't have yet."""

SendMessages = Callable[[Sequence[SeatMessage]], None]


def next_due(table: Steppable, wanted: Micros | None) -> Micros:
    """When to turn next: when the table `wanted` to, or when a polled port's scan is due.

    What a console wants (a tone's end) it wants at one of its scans.
    """
    scan = min(min(ports.sensors.due(), ports.console.due()) for ports in table.all_ports)
    return scan if wanted is None else min(wanted, scan)


class TableRunner:
    """Turns one table at a time. Make it on a running loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._table: Steppable | None = None
        self._tell: SendMessages = lambda messages: None
        self._timer: asyncio.TimerHandle | None = None
        self._heeded: frozenset[int] = frozenset()
        self._looked_at: tuple[object, ...] = ()
        self._woken: list[WakingDriver] = []
        """Those of the ports looked at that wake the loop by themselves."""
        self._shown: object = None
        self._due: Micros = 0
        self.end_future: asyncio.Future[None] = self._loop.create_future()
        """Done once somebody called `end`; fails if a turn went wrong, and nothing is turned from then on."""

    def start(self, table: Steppable, send_messages: SendMessages) -> None:
        """Turn `table` from now on; hand what it tells to `send_messages`, nothing too when only its marks
        changed."""
        self._table, self._tell = table, send_messages
        self.step_now()

    def stop(self) -> None:
        """Turn no more. Stopping twice is allowed."""
        self._table = None
        self._watch_files(frozenset())
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def request_stop(self) -> None:
        """Say that it is time to stop. Saying it twice is allowed."""
        if not self.end_future.done():
            self.end_future.set_result(None)

    def fail(self, error: BaseException) -> None:
        """Turn no more: something beside the table went wrong."""
        self.stop()
        if not self.end_future.done():
            self.end_future.set_exception(error)

    def is_running(self) -> bool:
        """Whether something is turned, and its next turn is not overdue."""
        return self._table is not None and monotonic() <= self._due + OVERDUE_US

    def wake(self) -> None:
        """Turn soon. May be called from any thread, and when the loop is long closed."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to wake
            self._loop.call_soon_threadsafe(self.step_now)

    def step_now(self) -> None:
        """Turn once, now."""
        table = self._table
        if table is None:
            return
        if self._timer is not None:
            self._timer.cancel()
        try:
            due = next_due(table, table.step(monotonic()))
            messages = table.take_messages()
            if messages or table.marks is not self._shown:
                self._shown = table.marks
                self._tell(messages)
        except Exception as error:
            self.fail(error)
            return
        ports = tuple[object, ...](port for each in table.all_ports for port in (each.sensors, each.tags))
        if ports != self._looked_at:  # to ask each turn would take as long as a scan
            self._looked_at, self._woken = ports, [port for port in ports if isinstance(port, WakingDriver)]
        self._watch_files(frozenset(number for port in self._woken for number in port.filenos()))
        self._due = due
        self._timer = self._loop.call_at(due / SECOND, self.step_now)

    def _watch_files(self, filenos: frozenset[int]) -> None:
        """Turn whenever one of these, and no other, becomes readable."""
        for number in self._heeded - filenos:
            self._loop.remove_reader(number)
        for number in filenos - self._heeded:
            self._loop.add_reader(number, self.step_now)
        self._heeded = filenos
