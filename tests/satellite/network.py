"""A simulated network between satellites and a host, on the virtual loop: it delays, loses and breaks.

What is lost is sent again, as TCP does: later, and with it all that follows. A line whose network is parted
says nothing; what was sent meanwhile comes once it is whole again, unless an end has given the line up.
"""

from __future__ import annotations

import asyncio
import random
from typing import NamedTuple

from boardumpire.satellite.host import SatelliteHost
from boardumpire.satellite.line import LineError


class Faults(NamedTuple):
    """How bad it is, each way."""

    delay_s: float = 0.02
    jitter_s: float = 0.0
    loss: float = 0.0
    """The chance that a message is sent again, half a second to a second later."""
    reorder: float = 0.0
    """The chance that somebody in between lets a message pass the one before it: TCP doesn't."""


class End:
    """One end of a connection (`MessageStream`)."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._come: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._under_way: list[bytes | None] = []
        self.other: End
        self.sent: list[tuple[float, bytes]] = []
        """What was sent, with its moments."""
        self.backlog = 0
        self.deaf = False
        """Whether what it sends vanishes: the line is half open."""
        self._is_closed = False
        self._last = 0.0

    def send(self, data: bytes) -> None:
        if self._is_closed:
            raise LineError("closed")
        now = asyncio.get_running_loop().time()
        self.sent.append((now, data))
        self.backlog += len(data)
        self._last = max(self._last, now + self._network.trip())
        self._under_way.append(data)
        if len(self._under_way) > 1 and self._network.reorders():
            self._under_way[-2:] = self._under_way[:-3:-1]
        asyncio.get_running_loop().call_at(self._last, self._arrive)

    def _arrive(self) -> None:
        """One more has come, whichever timer tells so."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._network.parted_until:
            self._last = max(self._last, self._network.parted_until + 0.2)
            loop.call_at(self._last, self._arrive)
            return
        data = self._under_way.pop(0)
        if self.deaf or (data is None and self.other._is_closed):
            return
        self.backlog -= len(data or b"")
        self.other._come.put_nowait(data)

    async def receive(self) -> bytes:
        data = await self._come.get()
        if data is None:
            raise LineError("hung up")
        return data

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            loop = asyncio.get_running_loop()
            self._last = max(self._last, loop.time() + self._network.trip())
            self._under_way.append(None)
            loop.call_at(self._last, self._arrive)
            self._come.put_nowait(None)


class Network:
    """Makes connections to one host."""

    def __init__(self, host: SatelliteHost | None, faults: Faults, seed: int = 0) -> None:
        self.host, self.faults = host, faults
        self.parted_until = 0.0
        self.lines: list[tuple[End, End]] = []
        """Satellite's and host's end of each connection so far."""
        self._random = random.Random(f"network {seed}")
        self._tasks: set[asyncio.Task[None]] = set()

    def trip(self) -> float:
        """Seconds that a message takes."""
        faults = self.faults
        late = self._random.uniform(0.5, 1.0) if self._random.random() < faults.loss else 0.0
        return faults.delay_s + self._random.uniform(0.0, faults.jitter_s) + late

    def reorders(self) -> bool:
        """Whether a message passes the one before it."""
        return self.faults.reorder > 0 and self._random.random() < self.faults.reorder

    async def connect(self, address: str = "home") -> End:
        """A new connection. Raises `LineError` where there is no host, or no way to it."""
        await asyncio.sleep(2 * self.trip())
        if self.host is None or asyncio.get_running_loop().time() < self.parted_until:
            raise LineError("no way to the host")
        here, there = End(self), End(self)
        here.other, there.other = there, here
        self.lines.append((here, there))
        host = self.host

        async def serve() -> None:
            try:
                await host.serve(there, address)
            finally:
                there.close()

        task = asyncio.get_running_loop().create_task(serve())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return here

    def part(self, seconds: float) -> None:
        """Nothing comes through for so long."""
        self.parted_until = asyncio.get_running_loop().time() + seconds

    def cut(self) -> None:
        """All connections are reset."""
        for ends in self.lines:
            for end in ends:
                end.close()

    def half_open(self) -> None:
        """What hosts send vanishes from now on; nobody is told."""
        for _, there in self.lines:
            there.deaf = True
