"""CPU from a pin event to the lamps' new frame, in units of a raw echo over a pseudo-terminal.

The event is a real one: a reed of the simulated copper opens under the real header driver; the turn of the
table that scans it goes through debounce, tracker and lights to the frame that the lamp driver hands to its
library. There it ends: in the library's place stands a list. The echo is one byte written to a raw pty, read
at its other end by another process, written back and read again; the CPU of both processes counts. Slices of
both take turns.
"""

from __future__ import annotations

import contextlib
import os
import pty
import random
import tempfile
import tty
from pathlib import Path
from statistics import median
from time import thread_time_ns
from typing import Any

from boardlab.benchmarks.measure import BenchmarkResult, Comparison, interleaved
from boardrules import registry
from boardsim.bench.runner import BenchRunner
from boardsim.pins import drivers
from boardsim.world.world import World
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board
from boardware.neopixel import PixelLamps
from boardware.parts import BoardDescription
from boardware.ports import SECOND, Micros, Ports, SlotId
from boardwire.strip import Strip

BOARD, GAME = "quick-battle-8x8", "stratego-quick-duel"


class FakeLampLibrary(list[Any]):
    """Where the lamp library would stand: takes colours, sends nothing."""

    def fill(self, colour: Any) -> None:
        self[:] = [colour] * len(self)

    last_frame_cpu_ns: int = 0
    """The thread's CPU clock when the last frame was handed over, in nanoseconds."""

    def show(self) -> None:
        self.last_frame_cpu_ns = thread_time_ns()

    def deinit(self) -> None:
        pass


class PtyEcho:
    """A raw pseudo-terminal with a process at its far end that sends back what it gets."""

    def __init__(self) -> None:
        self.near, far = pty.openpty()
        tty.setraw(self.near)
        tty.setraw(far)
        self._child = os.fork()
        if self._child == 0:
            _run_echo_child(far)
        os.close(far)

    def echo_cpu_ns(self, count: int) -> float:
        """Nanoseconds of CPU, of both processes, that one byte there and back takes: the mean of `count`."""
        near = self.near
        os.write(near, RESET)
        start = thread_time_ns()
        for _ in range(count):
            os.write(near, b"x")
            os.read(near, 1)
        mine = thread_time_ns() - start
        os.write(near, REPORT)
        theirs = int(os.read(near, 32))
        return (mine + theirs) / count

    def close(self) -> None:
        os.write(self.near, END)
        os.waitpid(self._child, 0)
        os.close(self.near)


RESET, REPORT, END = b"r", b"c", b"e"


def _run_echo_child(far: int) -> None:
    """The far end's whole life."""
    start = thread_time_ns()
    while (got := os.read(far, 1)) != END:
        if got == RESET:
            start = thread_time_ns()
        elif got == REPORT:
            os.write(far, str(thread_time_ns() - start).encode())
        else:
            os.write(far, got)
    os._exit(0)


class HeaderLifts:
    """A game in its first turn, whose pieces are lifted and set back by changing the copper."""

    def __init__(self, directory: Path) -> None:
        self.board = load_board(BOARD)
        self.world = World(self.board, bounce=None)
        # Reeds change behind the world's back here, so the runner may not jump to what the world has planned.
        self.runner = BenchRunner(self.world, jump=False)
        sensors = drivers.open_sensors(self.board, world=self.world)
        console = drivers.open_console(self.board, world=self.world)
        factory = TableFactory()

        def opened(ports: Ports, now: Micros) -> Any:
            return factory(BOARD, GAME, {}, ports, directory / "journal.sqlite", {}, now)

        self._library, lamps = _make_fake_lamps(self.board)
        self.table: Any = self.runner.start(sensors, lamps, console, opened)
        state = registry.new(GAME, {})
        setups = {}
        for seat in state.seats:
            setups[seat] = next(iter(state.legal_actions(seat)))
            state, _ = state.apply(setups[seat])
        for space in state.layout():
            self.world.copper.set_closed(SlotId(space), True)
        self._let(SECOND)
        for seat, setup in setups.items():
            self.runner.say(seat, str(setup))
        self._let(SECOND)
        movable = sorted({step.origin for step in state.steps()})
        self.lifted = [space for space in movable if state.layout()[space][0].seat == "red"]
        self._random = random.Random(1)

    def _let(self, span: Micros) -> None:
        """Let time pass."""
        self.runner.run(self.runner.now + span)

    def lift_cpu_ns(self, count: int) -> float:
        """Nanoseconds of CPU from the scan that finds the reed open to the frame's handing over."""
        taken = []
        for _ in range(count):
            space = self._random.choice(self.lifted)
            self.world.copper.set_closed(SlotId(space), False)
            now = self.table.ports.sensors.due()
            start = thread_time_ns()
            self.table.step(now)
            assert self._library.last_frame_cpu_ns > start
            taken.append(self._library.last_frame_cpu_ns - start)
            assert self.table.marks.get(space) == "lifted", self.table.marks
            self.runner.now = max(self.runner.now, now)
            self.world.copper.set_closed(SlotId(space), True)
            self._let(SECOND)
            assert self.table.marks.get(space) is None, self.table.marks
        return median(taken)

    def scan_cpu(self, count: int) -> float:
        """Nanoseconds of CPU of a scan of all reeds that finds nothing new."""
        taken = []
        for _ in range(count):
            now = self.table.ports.sensors.due()
            start = thread_time_ns()
            self.table.ports.sensors.step(now)
            taken.append(thread_time_ns() - start)
        self.runner.now = max(self.runner.now, now)
        return median(taken)


def _make_fake_lamps(board: BoardDescription) -> tuple[FakeLampLibrary, PixelLamps]:
    chain = next(iter(board.chains.values()))
    strip = Strip(chain.length, board.current_limit_ma, 128)
    library = FakeLampLibrary([(0, 0, 0)] * chain.length)
    return library, PixelLamps(board, chain, strip, library)


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    slices, count = (3, 5) if quick else (21, 20)
    with tempfile.TemporaryDirectory() as directory, contextlib.closing(PtyEcho()) as echo:
        lifts = HeaderLifts(Path(directory))
        lifts.lift_cpu_ns(count)
        whole = interleaved(lambda: lifts.lift_cpu_ns(count), lambda: echo.echo_cpu_ns(200), slices)
        scan = interleaved(lambda: lifts.scan_cpu(100), lambda: echo.echo_cpu_ns(200), slices)
        lifts.table.close()
    unit = "raw pty echoes"
    return [
        BenchmarkResult(
            "lifted piece to lamp frame, CPU", whole.ratio, unit, _comparison_detail(whole), most=10
        ),
        BenchmarkResult(
            "of that, a scan of 64 reeds",
            scan.ratio,
            unit,
            f"{_comparison_detail(scan)}; simulated pins, no Pi",
        ),
    ]


def _comparison_detail(compared: Comparison) -> str:
    return f"{compared.first / 1000:.0f} us against {compared.second / 1000:.1f}"
