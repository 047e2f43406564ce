"""A pad that answers in real time, at the end of a pseudo-terminal, from a thread."""

import os
import pty
import select
import threading
import time
import tty

from boardsim.readers.pn532 import SimPn532


class LivePad:
    """`tags` may be changed while it runs; `path` is its serial port."""

    def __init__(self):
        self.tags = []
        self._later = []
        self._master, self._slave = pty.openpty()
        for end in (self._master, self._slave):
            tty.setraw(end)
        self.path = os.ttyname(self._slave)
        self.chip = SimPn532(
            lambda at: list(self.tags), lambda at, data: self._later.append((at, data)), "live"
        )
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        while not self._ends.is_set():
            if select.select([self._master], [], [], 0.002)[0]:
                self.chip.receive(os.read(self._master, 4096), self._now())
            now = self._now()
            due = [data for at, data in self._later if at <= now]
            self._later = [each for each in self._later if each[0] > now]
            for data in due:
                os.write(self._master, data)

    @staticmethod
    def _now():
        return time.monotonic_ns() // 1000

    def close(self):
        self._ends.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)
