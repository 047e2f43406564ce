"""Doctor, calibration and traces for a board in service, on the page.

While the board is examined there is no table: the game waits in its journal and goes on afterwards, as after
a power cut. A trace begins with a table of its own, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from boardumpire.errors import BoardumpireError
from boardumpire.lamps.legend import BOARD_LEGEND
from boardumpire.makers import report
from boardumpire.makers.bare_board import bare_board, lamp_number
from boardumpire.makers.board_file_edit import write_edited_board
from boardumpire.makers.calibrate import Calibration, CalibrationResult
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.guide import Guide
from boardumpire.makers.measure import Measurement, MeasurementResult
from boardumpire.makers.measurement_result import fit_readings, result_sentences, write_sensing
from boardumpire.makers.power import BRIGHTNESS_MAX, estimate_power
from boardumpire.makers.traces import replaying, timeline
from boardumpire.makers.traces.recording import TraceFiles
from boardumpire.makers.traces.trace import read
from boardumpire.makers.traces.traced_guide import traced_guide_factory
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service import fault_log
from boardumpire.service.runner import Steppable
from boardware.neopixel import DEFAULT_BRIGHTNESS_PERCENT
from boardware.parts import BoardDescription
from boardware.physics.design import DEFAULT_DESIGN
from boardware.ports import MS, LampId, Micros, Ports

MEASURE_EXAMINATION = "measure"
EXAMINATIONS = ("doctor", "doctor-no-hands", "calibrate", MEASURE_EXAMINATION)
_TRACE_NAME_PATTERN = re.compile(r"[A-Za-z0-9-]{1,60}\.trace")
PICTURE_SPAN_MAX_MS = 600_000
"""How much of a trace one picture shows."""


class WorkshopError(BoardumpireError):
    """What can't be done in the workshop now."""


class WorkshopHost(Protocol):
    """Whoever runs the board in service."""

    def lend_board(
        self, make_steppable: Callable[[Ports, Micros], Steppable], *, with_names: bool = False
    ) -> None:
        """Put the table away, and turn what `make_steppable` makes over the bare board, or `with_names`,
        instead."""

    def return_board(self) -> None:
        """End what was lent, and open the table again."""

    def call_after_step(self, do: Callable[[], None]) -> None:
        """Do something once this turn is over."""

    def reopen_table(self, trace: Path | None) -> None:
        """Open the table anew, and write a trace of its games, beginning there; `None` writes none."""


class BoardExamination:
    """A guide, as a runner turns it."""

    def __init__(self, guide: Guide, over: Callable[[], None]) -> None:
        self.guide = guide
        self.all_ports = guide.all_ports
        self._over = over
        self._told = False

    @property
    def marks(self) -> Mapping[LampId, str]:
        """What the lamps show."""
        return self.guide.marks

    def take_messages(self) -> Sequence[SeatMessage]:
        """Nothing is told of a game."""
        return ()

    def step(self, now: Micros) -> Micros | None:
        """Turn the guide; say once that it is done."""
        due = self.guide.step(now)
        if self.guide.is_done and not self._told:
            self._told = True
            self._over()
        return due


class Workshop:
    """What the makers' screen may ask for. Files go into `folder`: traces, and corrected board files."""

    def __init__(
        self,
        house: WorkshopHost,
        board: BoardDescription,
        source: Path,
        lamp_settings: Mapping[str, Any],
        folder: Path,
    ) -> None:
        self._house = house
        self._board = board
        self._source = source
        self._lamp_settings = lamp_settings
        self.folder = folder
        self._running: str | None = None
        self._guide: Guide | None = None
        self._measured: TraceFiles | None = None
        self._tracing: Path | None = None
        self._report: dict[str, Any] | None = None
        self._names = {lamp_number(at): lamp for lamp, at in board.lamps.items()}

    # Examinations

    def start_examination(self, what: str) -> None:
        """Begin an examination, one of `EXAMINATIONS`. Raises `WorkshopError`, and what opening drivers
        raises."""
        if what not in EXAMINATIONS:
            raise WorkshopError(f"no examination {what[:30]!r}; try one of {', '.join(EXAMINATIONS)}")
        if self._running is not None:
            raise WorkshopError("the board is being examined already")

        def make(ports: Ports, now: Micros) -> BoardExamination:
            if what == MEASURE_EXAMINATION:
                self._guide = self._make_measuring_guide(ports, now)
                return BoardExamination(self._guide, lambda: self._house.call_after_step(self._finish))
            if what == "calibrate":
                check: Any = Calibration(self._board).run_steps()
            else:
                check = Doctor(self._board, hands=what == "doctor").run_steps()
            self._guide = Guide(ports, check, now)
            return BoardExamination(self._guide, lambda: self._house.call_after_step(self._finish))

        self._report = None
        self._house.lend_board(make, with_names=what == MEASURE_EXAMINATION)
        self._running = what

    def _make_measuring_guide(self, ports: Ports, now: Micros) -> Guide:
        """Measure, and leave a trace of it. Raises `TraceError`."""
        measure = Measurement(self._board)
        self._measured = TraceFiles(self._unused_path(f"{self._board.id}-measure", "trace"))
        make = traced_guide_factory(measure, self._measured.open_next(), "page")
        return make(ports, measure.run_steps(), now)

    def answer(self, yes: bool, request_number: int) -> None:
        """What a person says to the ask of that number; to any other it says nothing."""
        if self._guide is not None and self._guide.request_number == request_number:
            self._guide.answer(yes)

    def stop_examination(self) -> None:
        """Break off, and go on with the game. Stopping nothing is allowed."""
        if self._running is not None:
            self._running = self._guide = None
            if self._measured is not None:
                self._measured.close()
                self._measured = None
            self._house.return_board()

    def _finish(self) -> None:
        guide, what = self._guide, self._running
        if guide is None or what is None:
            return
        try:
            if what == "calibrate":
                self._report = self._calibration_report(guide.result)
            elif what == MEASURE_EXAMINATION:
                self._report = self._measurement_report(guide.result)
            else:
                found = report.make_report(self._board, guide.result, guide.troubles, self._lamp_settings)
                self._report = {
                    "title": f"Looked at {found.tested_parts}",
                    "lines": [finding.text() for finding in found.findings] or ["Nothing wrong was found."],
                    "power": [f"{shown}: {draws.text()}" for shown, draws in found.power_by_colour.items()],
                }
        except BoardumpireError as error:
            self._report = {"title": "No report", "lines": [str(error)]}
        self.stop_examination()

    def _calibration_report(self, learnt: CalibrationResult) -> dict[str, Any]:
        target = self._unused_path(f"{self._board.id}-calibrated", "toml")
        write_edited_board(self._source, target, self._board, learnt)
        title = f"{learnt.count_changes(self._board)} places are elsewhere than the board file says"
        return {"title": title, "lines": [f"Written: {target}", *learnt.unsettled_notes]}

    def _measurement_report(self, came: MeasurementResult) -> dict[str, Any]:
        if not came.readings:
            return {"title": "Nothing was measured", "lines": came.objections()}
        found = fit_readings(self._board.sensor_design or DEFAULT_DESIGN, came.readings, came.objections())
        lines = result_sentences(found, self._board)
        if found.objections:
            title = "Not written: the measurements don't fit each other or the model"
            return {"title": title, "lines": [*found.objections, *lines]}
        target = self._unused_path(f"{self._board.id}-measured", "toml")
        write_sensing(self._source, target, found.design)
        return {"title": "Measured", "lines": [f"Written: {target}", *lines]}

    # What a screen shows

    def screen_state(self) -> dict[str, Any]:
        """All that the makers' screen shows: public, and nothing of a game."""
        guide = self._guide
        ask: dict[str, Any] | None = None
        if guide is not None and not guide.is_done:
            marks = {self._names.get(lamp, lamp): mark for lamp, mark in guide.marks.items()}
            ask = {
                "number": guide.request_number,
                "kind": guide.request.kind,
                "text": guide.request.text,
                "marks": marks,
                "power": self._power_text(guide),
            }
        return {
            "running": self._running,
            "ask": ask,
            "report": self._report,
            "tracing": None if self._tracing is None else self._tracing.name,
            "traces": self.trace_names(),
        }

    def _power_text(self, guide: Guide) -> str:
        percent = self._lamp_settings.get("brightness", DEFAULT_BRIGHTNESS_PERCENT)
        level = max(1, percent * BRIGHTNESS_MAX // 100) if isinstance(percent, int) else BRIGHTNESS_MAX
        at = self._board.lamps  # a measurement calls lamps by their spaces
        marks = {lamp_number(at[lamp]) if lamp in at else lamp: mark for lamp, mark in guide.marks.items()}
        return estimate_power(bare_board(self._board), BOARD_LEGEND.to_lights(marks), level).text()

    def recent_faults(self) -> list[str]:
        """What went wrong lately, also before the last start, oldest first. Raises `WorkshopError`."""
        place = self.folder.parent
        try:
            return [line.replace(f"{place}/", "") for line in fault_log.read(place)]
        except OSError as error:
            raise WorkshopError(f"the faults can't be read: {error.strerror}") from None

    # Traces

    def set_tracing(self, on: bool) -> None:
        """Begin or end a trace of what is played. Raises `WorkshopError` while the board is examined."""
        if self._running is not None:
            raise WorkshopError("the board is being examined")
        if on == (self._tracing is not None):
            return
        self._tracing = self._unused_path(self._board.id, "trace") if on else None
        self._house.reopen_table(self._tracing)

    def trace_names(self) -> Sequence[str]:
        """The traces in the folder, latest last."""
        if not self.folder.is_dir():
            return []
        found = [path for path in self.folder.glob("*.trace") if _TRACE_NAME_PATTERN.fullmatch(path.name)]
        return [path.name for path in sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name))]

    def draw_trace(self, name: str, start_ms: int, end_ms: int | None) -> str:
        """A trace as SVG. Raises `WorkshopError` and `TraceError`."""
        trace = read(self._trace_path(name))
        start = max(0, start_ms)
        last = trace.moments[-1].at // MS + 1 if trace.moments else 1
        end = min(last, start + PICTURE_SPAN_MAX_MS if end_ms is None else end_ms)
        if end <= start:
            raise WorkshopError(f"{name}: nothing between {start} and {end} ms")
        return timeline.draw_timeline(timeline.timeline_of_trace(trace._replace(name=name), start, end))

    def replay_trace(self, name: str) -> str:
        """In a line whether the umpire makes the same of a trace today. Raises as `draw_trace`."""
        path = self._trace_path(name)
        trace = read(path)
        differs = replaying.first_difference(
            path.read_text(encoding="utf-8"), replaying.replay(trace, self._board)
        )
        return differs or f"{len(trace.moments)} moments, the same rulings"

    def _trace_path(self, name: str) -> Path:
        if name not in self.trace_names():
            raise WorkshopError(f"no trace {name[:60]!r}")
        return self.folder / name

    def _unused_path(self, stem: str, kind: str) -> Path:
        """A path in the folder that nothing has yet."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = 1
        while (path := self.folder / f"{stem}-{number}.{kind}").exists():
            number += 1
        return path
