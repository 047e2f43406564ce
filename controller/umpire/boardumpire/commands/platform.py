"""What the service takes from its machine: drivers, the journal's thread, processes, the date.

`REAL_PLATFORM` is the real one. A simulation hands the daemon another one; nothing else of it is replaced
there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from boardumpire.commands.player_process import StartPlayer
from boardumpire.journal.journal import Store
from boardumpire.journal.writer import JournalWriter, ThreadedJournalWriter
from boardumpire.service.control import ControlServer, ControlSocket
from boardumpire.service.drivers import open_ports
from boardumpire.service.process import handle_signals
from boardumpire.web.page_server import OpenPageServer
from boardware.ports import Ports

OpenJournalWriter = Callable[[Store, Callable[[], None], Callable[[float], None]], JournalWriter]
"""Opens what writes into a store: given the store, what to call once something is durable, and whom to tell
how many seconds that took."""


class Platform(NamedTuple):
    """The machine under a daemon."""

    open_ports: Callable[..., Ports] = open_ports
    """Opens the drivers, as `service.drivers.open_ports`."""
    open_journal_writer: OpenJournalWriter = lambda store, wake, took: ThreadedJournalWriter(
        store, wake, report_write_time=took
    )
    """Opens the journal's writer."""
    start_player: StartPlayer | None = None
    """Starts a player; `None`: a process of its own."""
    wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    """The date: milliseconds since 1970."""
    handle_signals: Callable[[Callable[[], object]], AbstractContextManager[None]] = handle_signals
    """Calls a function on a signal that ends the process, within the block."""
    open_control: Callable[..., ControlServer] = ControlSocket
    """Makes the control socket."""
    open_server: OpenPageServer | None = None
    """Makes the page's server; `None`: `web.serving.Server`."""


REAL_PLATFORM = Platform()
