"""What a board in service counts of itself, in the text format of Prometheus (version 0.0.4).

Only what everybody could see or hear at the table is counted, and times of the machine: no ruling in private,
no seat, no square. Twin games that differ in hidden things alone count the same.
"""

from __future__ import annotations

import contextlib
import os
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from boardumpire.messages.disclosure import SeatMessage
from boardware.ports import (
    SECOND,
    CabledDriver,
    LampPort,
    Micros,
    Ports,
    SensorChanged,
    SensorEvent,
    SensorPort,
)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LIFT_BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Bounds of lift to lamp, in seconds: 20 ms are felt as at once; a scan of a header comes each 10 ms."""
WRITE_BUCKETS_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Bounds of a write that waits for the disk, in seconds: SD cards take 10 to 100 ms, bad ones seconds."""
PROC_FOLDER = Path("/proc/self")
MEGABYTE_BYTES = 1 << 20


class Histogram:
    """How often something took how long. Any thread may tell it."""

    def __init__(self, bounds: Sequence[float]) -> None:
        """`bounds`: upper bounds in seconds, rising."""
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        self._lock = threading.Lock()

    def observe(self, seconds: float) -> None:
        """Something took so long."""
        with self._lock:
            self._counts[bisect_left(self._bounds, seconds)] += 1
            self._sum += seconds

    def format_lines(self, name: str) -> Iterator[str]:
        """As Prometheus reads it."""
        with self._lock:
            counts, total = list(self._counts), self._sum
        count = 0
        for bound, here in zip((*map(str, self._bounds), "+Inf"), counts, strict=True):
            count += here
            yield f'{name}_bucket{{le="{bound}"}} {count}'
        yield f"{name}_sum {total:.6f}"
        yield f"{name}_count {count}"


class Metrics:
    """The counts of one process."""

    def __init__(self, clock: Callable[[], Micros]) -> None:
        """`clock`: that of the turns, looked at once lamps were told what to show."""
        self._clock = clock
        self._lifts: list[Micros] = []
        """When pieces were lifted in this turn."""
        self._lift_to_lamp = Histogram(LIFT_BUCKETS_S)
        self._written = Histogram(WRITE_BUCKETS_S)
        self._rulings: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._wired: tuple[CabledDriver, ...] = ()
        self._wire: Counter[tuple[str, str]] = Counter()
        """What cables counted that were closed since."""

    def count_messages(self, messages: Iterable[SeatMessage]) -> None:
        """Count what everybody was told."""
        for message in messages:
            if message.seat is not None:
                continue
            if message.kind == "ruling":
                self._rulings["accepted" if message.data["ok"] else "refused"] += 1
            elif message.kind == "fault":
                self._faults[str(message.data["code"])] += 1

    def observe_write(self, seconds: float) -> None:
        """An entry of the journal was durable after so long. Any thread may tell."""
        self._written.observe(seconds)

    def wrap_ports(self, ports: Ports) -> Ports:
        """The same ports, with a look at when pieces are lifted and lamps are told."""
        for (name, kind), count in _wire_error_counts(self._wired).items():
            self._wire[name, kind] += count
        self._wired = tuple(port for port in (ports.sensors,) if isinstance(port, CabledDriver))
        self._lifts.clear()
        sensors = cast(SensorPort, _ObservedSensors(ports.sensors, self._lifts))
        return ports._replace(
            sensors=sensors, lamps=cast(LampPort, _ObservedLamps(ports.lamps, self._note_lights))
        )

    def _note_lights(self) -> None:
        if self._lifts:
            now = self._clock()
            for at in self._lifts:
                self._lift_to_lamp.observe(max(0, now - at) / SECOND)
            self._lifts.clear()

    def format_text(
        self, *, missing: int, turning: bool, satellites: Mapping[str, bool] = MappingProxyType({})
    ) -> str:
        """All of it. `missing`: the parts that are waited for; `turning`: whether the board is turned;
        `satellites`: by name whether each is connected."""
        wire = Counter(self._wire)
        wire.update(_wire_error_counts(self._wired))
        cables = {
            f'pico="{_escape_label(name)}",kind="{kind}"': count for (name, kind), count in wire.items()
        }
        faults = {f'code="{_escape_label(code)}"': count for code, count in self._faults.items()}
        lines: list[str] = []

        def add(name: str, kind: str, text: str, said: Iterable[str]) -> None:
            lines.extend((f"# HELP boardumpire_{name} {text}", f"# TYPE boardumpire_{name} {kind}", *said))

        def counted(name: str, text: str, counts: Mapping[str, int]) -> None:
            said = (f"boardumpire_{name}{{{label}}} {count}" for label, count in sorted(counts.items()))
            add(name, "counter", text, said)

        def single(name: str, kind: str, text: str, value: object) -> None:
            add(name, kind, text, [f"boardumpire_{name} {value}"])

        single("turning", "gauge", "Whether the board is turned, and its next turn is not overdue.", +turning)
        single("missing_parts", "gauge", "Parts of the board that are waited for.", missing)
        if satellites:
            connected = sorted((_escape_label(name), +there) for name, there in satellites.items())
            said = [
                f'boardumpire_satellite_connected{{satellite="{name}"}} {there}' for name, there in connected
            ]
            add("satellite_connected", "gauge", "Whether a satellite is connected.", said)
        name, text = "lift_to_lamp_seconds", "From a piece that is sensed to be lifted until lamps are told."
        add(name, "histogram", text, self._lift_to_lamp.format_lines(f"boardumpire_{name}"))
        single("rulings_total", "counter", "Actions that the umpire accepted.", self._rulings["accepted"])
        single("refusals_total", "counter", "Actions on the board that it refused.", self._rulings["refused"])
        counted("faults_total", "Faults that everybody was told of.", faults)
        counted("wire_errors_total", "Frames sent to Picos again, and what came that was none.", cables)
        name, text = "journal_write_seconds", "From an entry's turn to be written until it is on the disk."
        add(name, "histogram", text, self._written.format_lines(f"boardumpire_{name}"))
        lines += _process_lines()
        return "\n".join(lines) + "\n"


def _wire_error_counts(wired: Iterable[CabledDriver]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for port in wired:
        for name, counts in port.wire_errors().items():
            for kind, count in counts.items():
                found[name, kind] += count
    return found


def _escape_label(text: str) -> str:
    """A label's value."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _process_lines() -> list[str]:
    """What the kernel says of this process, by the usual names. Memory in whole megabytes: finer than that
    it could hang on what is in it."""
    lines: list[str] = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int((PROC_FOLDER / "statm").read_text().split()[1])
        size = -(-pages * os.sysconf("SC_PAGE_SIZE") // MEGABYTE_BYTES) * MEGABYTE_BYTES
        lines += ["# TYPE process_resident_memory_bytes gauge", f"process_resident_memory_bytes {size}"]
        lines += ["# TYPE process_open_fds gauge", f"process_open_fds {len(os.listdir(PROC_FOLDER / 'fd'))}"]
        lines += ["# TYPE process_threads gauge", f"process_threads {len(os.listdir(PROC_FOLDER / 'task'))}"]
    return lines


class _ObservedSensors:
    """Sensors that note when pieces are lifted; all else they leave to the driver."""

    def __init__(self, port: SensorPort, lifts: list[Micros]) -> None:
        self._port = port
        self._lifts = lifts
        for name in ("filenos", "missing", "wire_errors"):  # what makes it a port of a further kind
            if hasattr(port, name):
                setattr(self, name, getattr(port, name))

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        events = self._port.step(now)
        for event in events:
            if isinstance(event, SensorChanged) and not event.present:
                self._lifts.append(event.at)
        return events

    def __getattr__(self, name: str) -> Any:
        return getattr(self._port, name)


class _ObservedLamps:
    """Lamps that say when they were told; all else they leave to the driver."""

    def __init__(self, port: LampPort, lit: Callable[[], None]) -> None:
        self._port = port
        self._note_lights = lit

    def step(self, now: Micros) -> None:
        self._port.step(now)
        self._note_lights()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._port, name)
