"""What a visit costs: bytes, seconds, memory, wake-ups."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daemon.service import Service
from web.served import DUEL, PHONE, Screen, Served
from web.test_start import Started
from web.wire import Socket, sit_down

FIRST_VISIT = 120_000
"""Bytes, compressed."""
USABLE_MS = 1000
SLOWER = 6
MEMORY = 6.0
"""Times that of a bare Python."""
WAKE_UPS = 12.0
"""A second, when nothing happens."""


_MARK = "performance.getEntriesByName('usable')"
_BOARDS = """performance.getEntriesByType("resource")
    .filter((one) => one.name.includes("/board/")).map((one) => one.transferSize)"""


@pytest.mark.slow
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
    assert len(sizes) > 5
    print(f"first visit: {total} bytes in {len(sizes)} requests")
    assert total < FIRST_VISIT
    (board,) = visitor.page.evaluate(_BOARDS)
    assert board > 500, "what is printed on the board comes once"
    visitor.page.goto(visitor.page.url)
    visitor.live()
    assert visitor.page.evaluate(_BOARDS) == [0], "and never again"
    again = sum(sizes) + sum(map(len, visitor.frames)) - total
    assert again < total, "a browser that has the files is not sent them again"


def _worked(screen: Screen) -> float:
    """Milliseconds of processor time that the page's own thread took until the board was drawn and answered:
    the median of seven first visits. What else the machine does is not in it."""
    browser = screen.context.browser
    assert browser is not None
    session = screen.context.new_cdp_session(screen.page)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    times = []
    for _ in range(7):
        browser.start_tracing(page=screen.page, categories=["toplevel", "blink.user_timing"])
        screen.page.reload()
        screen.live()
        took = screen.page.evaluate(f"{_MARK}[0].startTime * 1000")
        events = json.loads(browser.stop_tracing())["traceEvents"]
        (mark,) = [event for event in events if event["name"] == "usable"]
        times.append(sum(task["tdur"] for task in events if _before(task, mark, took)) / 1000)
    return sorted(times)[3]


def _before(task: dict[str, Any], mark: dict[str, Any], took: float) -> bool:
    """Whether a task of the same thread began between the question for the page and the mark."""
    same = (task["pid"], task["tid"]) == (mark["pid"], mark["tid"]) and "tdur" in task
    return same and task["name"].endswith("RunTask") and mark["ts"] - took <= task["ts"] <= mark["ts"]


def _usable(screen: Screen) -> tuple[float, float]:
    """Milliseconds from asking for the page to a drawn board that answers, processor throttled six times: the
    median of seven first visits and the longest."""
    session = screen.context.new_cdp_session(screen.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    times = []
    for _ in range(7):
        screen.page.reload()
        screen.live()
        times.append(screen.page.evaluate(f"{_MARK}[0].startTime"))
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return sorted(times)[3], max(times)


@pytest.mark.nightly
def test_the_page_is_usable_soon_on_a_slow_phone(
    served: Served, screen: Callable[..., Screen], record_property: Callable[[str, object], None]
) -> None:
    """With the processor throttled six times: usable within a second by the clock, judged where the machine
    had little else to do when it began (a load under half of its cores), as wall time depends on that. Six
    times the processor time that it took is judged always."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    quiet = load < cores / 2
    record_property("load of the machine when it began", f"{load:.1f} on {cores} cores")
    record_property(
        "the clock", f"judged: under {USABLE_MS} ms" if quiet else "**not judged**: the machine was busy"
    )

    def note(what: str, of: Screen) -> None:
        worked = _worked(of)
        record_property(f"{what}: processor time, x 6", f"{worked:.0f} ms, {worked * SLOWER:.0f} ms")
        median, longest = _usable(of)
        record_property(f"{what}: usable, median of 7 (longest)", f"{median:.0f} ms ({longest:.0f} ms)")
        assert worked * SLOWER < USABLE_MS
        assert median < USABLE_MS or not quiet

    red, blue = (screen(served.links[seat], **PHONE) for seat in ("red", "blue"))
    note("a seat's screen, setting up", red)
    for seat, its in (("red", red), ("blue", blue)):
        its.take_kept("stratego-quick-duel", seat, DUEL[seat])
    red.until_todo("Your turn")
    note("a seat's screen, playing", red)
    note("the table's screen", screen(served.links["table"], **PHONE))


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "players"), [("fall-of-the-fuhrer", 4), ("escape-from-colditz", 6)])
def test_every_seat_of_a_larger_board_is_usable_soon_on_a_slow_phone(
    tmp_path: Path,
    screen: Callable[..., Screen],
    game: str,
    players: int,
    record_property: Callable[[str, object], None],
) -> None:
    """Every seat of a hunt of four, and of a castle of six: six times the processor time until the board is
    drawn and answers is within a second."""
    served = Served(tmp_path, "--board", game, "--game", game, "--option", f"players={players}")
    try:
        found = {
            seat: _worked(screen(link, **PHONE))
            for seat, link in served.links.items()
            if seat not in ("table", "watch")
        }
        for seat, worked in found.items():
            times = f"{worked:.0f} ms, {worked * SLOWER:.0f} ms"
            record_property(f"{game}, {seat}: processor time, x 6", times)
        assert len(found) >= players
        assert {seat: worked for seat, worked in found.items() if worked * SLOWER >= USABLE_MS} == {}
    finally:
        served.close()


SEATS_MS = 800
"""From *Begin* until the free seats can be touched."""
_SEATS = """new MutationObserver((_, looks) => {
    if (!document.querySelector(".free .row a")) return;
    performance.mark("seats");
    looks.disconnect();
}).observe(document, { subtree: true, childList: true })"""


def _cpu_ms(pid: int) -> float:
    """Processor time of a process, and of its children that live."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    stats = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in (pid, *children)]
    return 1000 * sum(int(each[11]) + int(each[12]) for each in stats) / os.sysconf("SC_CLK_TCK")


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"])
def test_seats_are_there_soon_after_a_game_was_chosen(
    tmp_path: Path,
    screen: Callable[..., Screen],
    game: str,
    record_property: Callable[[str, object], None],
) -> None:
    """Processor time of all that a person waits for: of the board with its Picos, and of the page's thread.
    One waits for the other, so their sum is what it takes on a machine that does nothing else."""
    started = Started(tmp_path)
    try:
        visitor = screen(None, **PHONE)
        browser = visitor.context.browser
        assert browser is not None
        visitor.page.add_init_script(_SEATS)
        visitor.page.goto(f"{started.origin}/?game={game}")
        _until_idle(started.process.pid, visitor)  # while people choose, the board makes ready
        before = _cpu_ms(started.process.pid)
        browser.start_tracing(page=visitor.page, categories=["toplevel", "blink.user_timing"])
        visitor.page.get_by_role("button", name="Begin").tap(no_wait_after=True)
        visitor.page.wait_for_selector(".free .row a")
        board = _cpu_ms(started.process.pid) - before
        events = json.loads(browser.stop_tracing())["traceEvents"]
        mark = next(event for event in events if event["name"] == "seats")
        page = sum(task["tdur"] for task in events if _before(task, mark, mark["ts"])) / 1000
        record_property(f"{game}: board, page", f"{board:.0f} ms, {page:.0f} ms")
        assert board + page < SEATS_MS
    finally:
        started.close()


def _until_idle(pid: int, visitor: Screen) -> None:
    """Until a process has done nothing for a second."""
    known = -1.0
    while (now := _cpu_ms(pid)) != known:
        known = now
        visitor.page.wait_for_timeout(1000)


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


def _idle(directory: Path, *, paged: bool, scan: str = "") -> tuple[int, float]:
    """Resident kB and wake-ups a second of a daemon to which nothing happens, two seats looking on."""
    directory.mkdir()
    service = Service(directory)
    text = service.config.read_text()
    for section in ("[sensors]\n", "[console]\n"):
        text = text.replace(section, section + scan)
    service.config.write_text(text + ('[page]\nlisten = "127.0.0.1:0"\n' if paged else ""))
    service.start()
    assert service.process is not None
    sockets: list[Socket] = []
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
    found = _rss(service.process.pid), rate
    for socket in sockets:
        socket.close()
    service.close()
    return found


@pytest.mark.nightly
def test_memory_and_wake_ups_with_the_page(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """The page wakes nobody while nothing happens: what is left is the scan of the pins, a hundred a second
    as usual, and one a second in a daemon that is told so."""
    without = _idle(tmp_path / "without", paged=False)
    usual = _idle(tmp_path / "usual", paged=True)
    seldom = _idle(tmp_path / "seldom", paged=True, scan="scan_ms = 1000\n")
    command = [sys.executable, "-c", "print(flush=True); input()"]
    bare = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert bare.stdout is not None
        bare.stdout.readline()
        plain = _rss(bare.pid)
    finally:
        bare.communicate(b"\n")
    record_property(
        "resident, page and two seats", f"{usual[0]} kB, {usual[0] / plain:.1f} x bare Python ({plain} kB)"
    )
    record_property("resident, without the page", f"{without[0]} kB")
    record_property("wake-ups a second, without and with the page", f"{without[1]:.1f}, {usual[1]:.1f}")
    record_property("the same with the page, scanned once a second", f"{seldom[1]:.2f}")
    assert usual[0] / plain <= MEMORY
    assert seldom[1] <= WAKE_UPS
