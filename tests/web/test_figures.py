"""What a visit costs: bytes, seconds, memory, wake-ups."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daemon.service import Service
from web.served import PHONE, Screen, Served
from web.wire import Socket, sit_down

FIRST_VISIT = 150_000
"""Bytes, compressed."""
MEMORY = 6.0
"""Times that of a bare Python."""


def test_a_first_visit_is_small(served: Served, screen: Callable[..., Screen]) -> None:
    """Headers, bodies as they come over the wire, and what the socket says until the board is drawn."""
    visitor = screen(None, **PHONE)
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    sizes: list[int] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    visitor.page.goto(served.links["red"])
    visitor.page.click("button.main")
    visitor.live()
    total = sum(sizes) + sum(map(len, visitor.frames))
    assert len(sizes) > 8
    print(f"first visit: {total} bytes in {len(sizes)} requests")
    assert total < FIRST_VISIT
    visitor.page.reload()
    visitor.live()
    again = sum(sizes) + sum(map(len, visitor.frames)) - total
    assert again < total, "a browser that has the files is not sent them again"


@pytest.mark.prove
def test_the_page_is_usable_soon_on_a_slow_phone(served: Served, screen: Callable[..., Screen]) -> None:
    """Reported, with the processor throttled six times: wall time is no test's to judge."""
    visitor = screen(served.links["red"], **PHONE)
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    times = []
    for _ in range(5):
        visitor.page.reload()
        visitor.live()
        times.append(visitor.page.evaluate("performance.getEntriesByName('usable')[0].startTime"))
    print(f"usable after {sorted(times)[2]:.0f} ms, processor throttled six times (median of 5)")


def _rss(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


def _switches(pid: int) -> int:
    """Voluntary context switches of all threads: each is a wait that ended."""
    return sum(
        int(line.split()[1])
        for task in Path(f"/proc/{pid}/task").iterdir()
        for line in (task / "status").read_text().splitlines()
        if line.startswith("voluntary")
    )


def _wait(service: Service, seconds: int) -> None:
    end = service.now + seconds * 1_000_000
    service.until(lambda: service.now >= end, wake_at=end)


@pytest.mark.prove
def test_memory_and_wake_ups_with_the_page(tmp_path: Path) -> None:
    """The page wakes nobody while nothing happens: what is left is the scan of the pins."""
    figures: dict[bool, tuple[int, float]] = {}
    for paged in (False, True):
        directory = tmp_path / str(paged)
        directory.mkdir()
        service = Service(directory)
        with service.config.open("a") as config:
            config.write('[page]\nlisten = "127.0.0.1:0"\n' if paged else "")
        service.start()
        assert service.process is not None
        sockets: list[Any] = []
        if paged:
            links = service.ask("links")["links"]
            origin = links["table"].partition("/link")[0]
            for seat in ("red", "blue"):
                sockets.append(Socket(origin, f"/socket/{seat}", cookie=sit_down(origin, links[seat])))
                sockets[-1].hello()
        _wait(service, 1)
        before, since = _switches(service.process.pid), time.monotonic()
        _wait(service, 10)
        rate = (_switches(service.process.pid) - before) / (time.monotonic() - since)
        figures[paged] = (_rss(service.process.pid), rate)
        for socket in sockets:
            socket.close()
        service.close()
    bare = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert bare.stdout is not None
        bare.stdout.readline()
        ratio = figures[True][0] / _rss(bare.pid)
        print(
            f"RSS {figures[False][0]} kB without, {figures[True][0]} kB with the page, two seats on it: "
            f"{ratio:.1f} times a bare Python ({_rss(bare.pid)} kB); wake-ups a second "
            f"{figures[False][1]:.1f} without, {figures[True][1]:.1f} with the page"
        )
        assert ratio <= MEMORY
        assert figures[True][1] - figures[False][1] <= 12
    finally:
        bare.communicate(b"\n")
