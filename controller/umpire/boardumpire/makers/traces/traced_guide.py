"""Writes a trace while a check leads a person, and replays one.

In place of `game ID` the head says `check NAME`. What is asked is told: `["ask", {"do": ..., "text": ...}]`;
`do` is what is to be done in words for programs (`slide 1 c3 8 0`). What came of it is told at the end, as
`["readings", [...]]`. What the person says is `said TIME maker yes`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from boardumpire.makers.guide import Check, Guide, GuideRequest
from boardumpire.makers.measure import Measurement, MeasurementResult
from boardumpire.makers.traces import trace
from boardumpire.makers.traces.recorder import TraceRecorder
from boardumpire.makers.traces.replayed_ports import (
    ReplayedConsole,
    ReplayedInputs,
    ReplayedLamps,
    ReplayedSensors,
)
from boardumpire.makers.traces.trace import Trace
from boardumpire.makers.traces.traced_ports import trace_ports
from boardumpire.tags.tag_roster import TagRoster
from boardware.parts import BoardDescription
from boardware.ports import Micros, Ports

MEASURE_CHECK: Final = "measure"
MAKER_SEAT: Final = "maker"
SPACER_OPTION: Final = "spacer_mm"
_ANSWERS: Final = {True: "yes", False: "no"}


class TracedGuide(Guide):
    """A guide that notes its turns, what is asked and what is said."""

    def __init__(self, ports: Ports, check: Check, now: Micros, recorder: TraceRecorder) -> None:
        self._recorder = recorder
        self._real = ports
        self._wanted: Micros | None = None
        self._answered = self._inside = False
        self.last_step_at = now
        """When it was turned last."""
        recorder.begin_moment(now)
        super().__init__(trace_ports(ports, recorder, TagRoster()), check, now)
        recorder.end_moment("turn", now, matters=True)

    def step(self, now: Micros) -> Micros | None:
        """As every guide."""
        due = self._answered or (self._wanted is not None and now >= self._wanted)
        was_done, self._inside = self.is_done, True
        self._wanted = super().step(now)
        self._inside, self._answered = False, False
        if self.is_done and not was_done and isinstance(self.result, MeasurementResult):
            told = [str(reading) for reading in self.result.readings] + self.result.objections()
            self._recorder.add_line(f"told {json.dumps(['readings', told])}")
        self._recorder.end_moment("turn", now, matters=due)
        self.last_step_at = now
        times = [self._wanted, self._real.lamps.due()]
        return min((time for time in times if time is not None), default=None)

    def answer(self, yes: bool) -> None:
        """As every guide."""
        super().answer(yes)
        if not self._inside:  # a button is noted as such
            self._answered = True
            self._recorder.end_moment(f"said {MAKER_SEAT} {_ANSWERS[yes]}", self.last_step_at, matters=True)

    def _begin_request(self, ask: GuideRequest, now: Micros) -> None:
        super()._begin_request(ask, now)
        if ask.text:
            done = "" if ask.expected_sign is None else ask.expected_sign.code
            self._recorder.add_line(f"told {json.dumps(['ask', {'do': done, 'text': ask.text}])}")


def measurement_head_lines(board: BoardDescription, options: Mapping[str, Any], sensors: str) -> list[str]:
    """The lines of a trace of a measurement down to `moments`."""
    said = [f"option {name} {json.dumps(value)}" for name, value in options.items()]
    return [
        f"{trace.FORMAT} {trace.FORMAT_VERSION}",
        f"board {board.id}",
        f"check {MEASURE_CHECK}",
        *said,
        f"sensors {sensors}",
        "moments",
    ]


def traced_guide_factory(
    measure: Measurement, write: Callable[[str], object], sensors: str
) -> Callable[..., TracedGuide]:
    """Makes a guide as `Guide` does, with a trace of the measurement; `write` takes one line."""
    recorder = TraceRecorder(write)
    recorder.write_lines(*measurement_head_lines(measure.board, {SPACER_OPTION: measure.spacer_mm}, sensors))

    def make(ports: Ports, check: Check, now: Micros) -> TracedGuide:
        return TracedGuide(ports, check, now, recorder)

    return make


def replay_measurement(found: Trace, board: BoardDescription) -> tuple[Guide, str]:
    """Lead through the measurement of a trace once more: the guide as it ended, and the trace of it.

    Raises `TraceError`.
    """
    if not found.moments:
        raise found.error_at(1, "no moments", "at least the first turn")
    spacer = found.options.get(SPACER_OPTION)
    if found.check_name != MEASURE_CHECK or not isinstance(spacer, (int, float)) or not 0.2 <= spacer <= 5:
        raise found.error_at(
            1, f"check {found.check_name!r} with {SPACER_OPTION} {spacer!r}", f"{MEASURE_CHECK}, 0.2 to 5 mm"
        )
    measure, out = (
        Measurement(board, spacer_mm=float(spacer)),
        [line + "\n" for line in measurement_head_lines(board, found.options, found.sensors)],
    )
    inputs = ReplayedInputs(found)
    inputs.begin_moment(found.moments[0])
    ports = Ports(ReplayedSensors(inputs, board), ReplayedLamps(inputs), ReplayedConsole(inputs))
    guide = TracedGuide(
        ports, measure.run_steps(), found.moments[0].at, TraceRecorder(out.append, every=True)
    )
    for moment in found.moments[1:]:
        inputs.begin_moment(moment)
        if moment.seat is None:
            guide.step(moment.at)
        elif moment.text in _ANSWERS.values():
            guide.last_step_at = moment.at
            guide.answer(moment.text == _ANSWERS[True])
        else:
            raise found.error_at(moment.line, repr(moment.text[:60]), " or ".join(_ANSWERS.values()))
    return guide, "".join(out)


def open_trace_writer(path: Path) -> Callable[[str], object]:
    """Writes lines into a new file, for its owner alone. Raises `TraceError`."""
    from boardumpire.makers.traces.recording import TraceFiles

    return TraceFiles(path).open_next()
