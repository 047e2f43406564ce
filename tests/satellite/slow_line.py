"""A TCP connection across the world, on one machine: what goes through it comes late, and in its order.

`python -m satellite.slow_line HOST PORT HERE` lets the port HERE of this machine lead to another one.
"""

from __future__ import annotations

import asyncio
import random
import sys
import threading

DELAY_S, JITTER_S = 0.2, 0.05


class SlowLine:
    """Listens on a port of this machine and hands on to another one, in a thread of its own."""

    def __init__(self, target: int, seed: int = 0, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self.port = port
        self._host, self._target = host, target
        self._chance = random.Random(f"line {seed}")
        self._listens = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._listens.wait()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", self.port))
        self.port = server.sockets[0].getsockname()[1]
        self._listens.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, to = await asyncio.open_connection(self._host, self._target)
        except OSError:  # the host is not up
            writer.close()
            return
        await asyncio.gather(self._carry(reader, to), self._carry(there, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand on what comes, each piece after the one before it."""
        coming: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        handing = asyncio.ensure_future(self._hand_on(coming, writer))
        data = b"begins"
        while data:
            try:
                data = await reader.read(4096)
            except OSError:
                data = b""
            late = DELAY_S + self._chance.uniform(-JITTER_S, JITTER_S)
            coming.put_nowait((self._loop.time() + late, data))
        await handing

    async def _hand_on(
        self, coming: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter
    ) -> None:
        while not writer.is_closing():
            when, data = await coming.get()
            await asyncio.sleep(when - self._loop.time())
            if not data:
                writer.close()
            elif not writer.is_closing():
                writer.write(data)

    def close(self) -> None:
        """Hang up on all."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


if __name__ == "__main__":
    SlowLine(int(sys.argv[2]), host=sys.argv[1], port=int(sys.argv[3]))
