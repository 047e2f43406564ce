"""A board on a Pico: from the lifted piece to its lit lamps in virtual time, bytes, and the way over a pty.

Virtual time: the real firmware under MicroPython, the real host driver and table. What is modelled: a reed
opens 0.05 to 0.3 ms after the magnet leaves, USB takes 0.05 to 1 ms each way, a frame of 66 lamps 2.1 ms. The
host's own computing counts as nothing here (`lamps` measures it), and so does MicroPython's on a Pico, which
`emulated` counts. The computed typical figures for such a board are 4.8 ms, and 3.0 ms with the hint table.

The round trip is real time: the host's link asks, the firmware's link under MicroPython answers with a
snapshot, over a raw pty; the yardstick is a byte that a MicroPython of its own sends straight back.
"""

from __future__ import annotations

import os
import pty
import random
import subprocess
import sys
import time
import tty
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import boardwire
from boardlab.benchmarks.measure import BenchmarkResult, interleaved
from boardrules import registry
from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS, SECOND, Micros
from boardwire.link import HostLink

TYPICAL_MS, TYPICAL_HINTED_MS = 4.8, 3.0
EMULATED_MS, EMULATED_HINTED_MS = 4.8, 1.8
"""Medians that `emulated` counted for the same board on 27 November 2026, beside what is virtual."""
READERS = "quick-battle-8x8-readers"
REED_OPENING_RANGE_US = (50, 300)
TYPICAL_RATIO_MAX = 1.25
"""Gate: times the computed typical."""
BYTES_PER_LIFT_MAX = 20
"""Gate: a lift; with the hint table both ways together, without it from the Pico alone."""


class _Bench(Bench):
    hints = True

    def open_drivers(self) -> Any:
        assert self.picos is not None
        return self.picos.open_drivers(hints=self.hints)


class PicoLifts:
    """A game in its first turn on a Pico; pieces are lifted and set back."""

    def __init__(self, hints: bool, tags: bool = False) -> None:
        board = READERS if tags else "quick-battle-8x8-pico"
        self.bench = _Bench(BenchSettings(board=board, driver="pico-sim", tags=tags), TableFactory())
        self.bench.hints = hints
        self.bench.start()
        state = registry.new("stratego-quick-duel", {})
        for seat in state.seats:
            setup = next(iter(state.legal_actions(seat)))
            state, _ = state.apply(setup)
            self.bench.set_up(seat, str(setup))
        self.bench.wait(2 * SECOND)
        assert self.bench.picos is not None
        self.pico = next(iter(self.bench.picos.picos_by_name.values()))
        table: Any = self.bench.table
        self.cable = table.ports.lamps._hub.cables[0]
        movable = sorted({step.origin for step in state.steps()})
        self.spaces = [space for space in movable if state.layout()[space][0].seat == "red"]
        self._dice = random.Random(1)
        self._shown: list[Micros] = []

    def lift(self) -> tuple[Micros, int, int]:
        """One lift: microseconds to the frame that shows it, bytes from the Pico and to it."""
        bench, space = self.bench, self._dice.choice(self.spaces)
        bench.wait(self._dice.randint(1000, 60_000))
        dark = bench.world.copper.lamps()[space]
        opened: list[Micros] = []
        counts: list[tuple[int, int]] = []

        def count(at: Micros) -> None:
            counts.append((self.cable.in_bytes, self.cable.out_bytes))

        def watch(at: Micros) -> None:
            if not opened:
                count(at)
                bench.world.plan(at + 12 * MS, count)
            opened.append(at)

        bench.world.watchers.append(watch)
        self._shown.clear()

        def told(what: str, at: Micros) -> None:
            if what == "shown" and bench.world.copper.lamps()[space] != dark:
                self._shown.append(at)

        self.pico.on_timed_event = told
        bench.run_until(bench.hands.lift(space, bench.now))
        bench.wait(30 * MS)
        came, went = (after - before for before, after in zip(*counts, strict=True))
        bench.world.watchers.remove(watch)
        bench.run_until(bench.hands.place(space, bench.now))
        bench.wait(2 * SECOND)
        return self._shown[0] - opened[0] + self._dice.randint(*REED_OPENING_RANGE_US), came, went


def measure_virtual_lifts(count: int, hints: bool, tags: bool = False) -> tuple[float, float, float]:
    """Medians of ms to the lamps and bytes each way."""
    lifts = PicoLifts(hints, tags)
    try:
        taken = [lifts.lift() for _ in range(count)]
    finally:
        lifts.bench.close()
    times, came, went = zip(*taken, strict=True)
    return median(times) / 1000, median(came), median(went)


LINK_PROGRAM = """
import select, sys
sys.path.insert(0, "FIRMWARE")
from boardwire.link import PicoLink
link = PicoLink("0", "b", 1, "p")
poll = select.poll()
poll.register(sys.stdin, select.POLLIN)
now = 0
while True:
    poll.poll()
    data = b""
    while poll.poll(0):
        data += sys.stdin.buffer.read(1)
    link.receive_data(data)
    event = link.next_event()
    while event is not None:
        if event[0] == "look":
            link.send("snapshot", now, b"12345678")
        event = link.next_event()
    now += 1
    sys.stdout.buffer.write(link.data_to_send(now))
"""
ECHO = """
import sys
while True:
    sys.stdout.buffer.write(sys.stdin.buffer.read(1))
"""


class MicroPythonPeer:
    """A MicroPython at the other end of a raw pty."""

    def __init__(self, program: str) -> None:
        self.fd, far = pty.openpty()
        tty.setraw(self.fd)
        tty.setraw(far)
        firmware = str(Path(boardwire.__file__).parent.parent)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "micropython_unix", "-c", program.replace("FIRMWARE", firmware)],
            stdin=far,
            stdout=far,
        )
        os.close(far)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self.fd)


class HostLinkPeer(MicroPythonPeer):
    """The host's link to a firmware's link."""

    def __init__(self) -> None:
        super().__init__(LINK_PROGRAM)
        self._link = HostLink("b", 1, "p")
        self._link.greet(0)
        self._until("opened")

    def _until(self, name: str) -> None:
        os.write(self.fd, self._link.data_to_send(0))
        while True:
            self._link.receive_data(os.read(self.fd, 4096))
            event = self._link.next_event()
            if event is not None and event[0] == name:
                return

    def microseconds(self, count: int) -> float:
        start = time.perf_counter_ns()
        for _ in range(count):
            self._link.send("look")
            self._until("snapshot")
        return (time.perf_counter_ns() - start) / count / 1000


class LinkEcho(MicroPythonPeer):
    """A byte there and back."""

    def __init__(self) -> None:
        super().__init__(ECHO)
        self.microseconds(1)

    def microseconds(self, count: int) -> float:
        start = time.perf_counter_ns()
        for _ in range(count):
            os.write(self.fd, b"x")
            os.read(self.fd, 1)
        return (time.perf_counter_ns() - start) / count / 1000


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    count = 5 if quick else 60
    plain, came, went = measure_virtual_lifts(count, hints=False)
    hinted, told, answered = measure_virtual_lifts(count, hints=True)
    tagged, _, _ = measure_virtual_lifts(count, hints=True, tags=True)
    results = [
        BenchmarkResult(
            "lift to lamps on a Pico, virtual",
            plain / TYPICAL_MS,
            "x computed typical",
            f"{plain:.2f} ms; an emulated Pico takes {EMULATED_MS} (emulated)",
            most=TYPICAL_RATIO_MAX,
            counted=True,
        ),
        BenchmarkResult(
            "the same with the hint table",
            hinted / TYPICAL_HINTED_MS,
            "x computed typical",
            f"{hinted:.2f} ms; an emulated Pico takes {EMULATED_HINTED_MS} (emulated)",
            most=TYPICAL_RATIO_MAX,
            counted=True,
        ),
        BenchmarkResult(
            "the same with a reader a square",
            tagged / hinted,
            "x without tags",
            f"{tagged:.2f} ms, virtual; not counted on an emulated Pico",
            most=1.0,
            counted=True,
        ),
        BenchmarkResult(
            "bytes a lift with the hint table",
            told + answered,
            "bytes",
            f"{told:.0f} from the Pico: the report; {answered:.0f} to it: its acknowledgement",
            most=BYTES_PER_LIFT_MAX,
            counted=True,
        ),
        BenchmarkResult(
            "bytes a lift without",
            came,
            "bytes",
            f"from the Pico: report and acknowledgement; {went:.0f} more to it: lights and acknowledgement",
            most=BYTES_PER_LIFT_MAX,
            counted=True,
        ),
    ]
    if find_spec("micropython_unix") is None:
        return results
    asker, echo = HostLinkPeer(), LinkEcho()
    try:
        slices = 3 if quick else 15
        asked = interleaved(lambda: asker.microseconds(100), lambda: echo.microseconds(100), slices)
    finally:
        asker.close()
        echo.close()
    how = f"{asked.first:.0f} us against {asked.second:.0f}; links on both ends, MicroPython at one"
    return [*results, BenchmarkResult("ask and be told over a pty", asked.ratio, "raw pty echoes", how)]
