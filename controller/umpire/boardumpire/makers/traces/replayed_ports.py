"""Ports and a journal writer that hand over what a trace holds, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from boardrules.core import Outcome
from boardumpire.errors import JournalError
from boardumpire.journal.journal import Store
from boardumpire.journal.writer import SyncJournalWriter, WriteBlocked, WriteReceipt
from boardumpire.makers.traces.trace import Trace, TraceLine, TraceMoment
from boardware.parts import BoardDescription
from boardware.ports import (
    ButtonHeld,
    ButtonPressed,
    ConsoleEvent,
    HardwareTrouble,
    LampId,
    Light,
    Micros,
    ReaderId,
    SensorChanged,
    SensorEvent,
    SlotId,
    TagEvent,
    TagGone,
    TagId,
    TagSeen,
    Tone,
)


class ReplayedInputs:
    """What the trace hands to the table at the present moment."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.moment = trace.moments[0]
        self.write_results: dict[int, str | None] = {}
        """The entries that are durable, and those (with the reason) that never will be."""
        self.write_blocked = WriteBlocked()
        """What the journal waits for."""

    def begin_moment(self, moment: TraceMoment) -> None:
        """Come to a moment: what is written at it is known to be."""
        self.moment = moment
        for line in moment.lines:
            if line.word in ("written", "unwritten"):
                number, _, why = line.rest.partition(" ")
                self.write_results[self._parse_int(line, number)] = why if line.word == "unwritten" else None
            elif line.word == "waits":
                wants, _, text = line.rest.partition(" ")
                self.write_blocked = WriteBlocked(wants, text)

    def lines_starting_with(self, *words: str) -> list[TraceLine]:
        """The lines of this moment that begin with one of these words."""
        return [line for line in self.moment.lines if line.word in words]

    def name_and_time(self, line: TraceLine) -> tuple[str, Micros]:
        """A slot or button with the time of its event."""
        name, *at = line.rest.split()
        return name, self._parse_int(line, at[0]) if at else self.moment.at

    def press_duration(self, line: TraceLine) -> Micros:
        """How long a button was down, where that is written: a slow finger."""
        _, *times = line.rest.split()
        return self._parse_int(line, times[1]) if len(times) > 1 else 0

    def parse_trouble(self, line: TraceLine) -> HardwareTrouble:
        """A trouble as a line tells it. Raises `TraceError`."""
        try:
            at, code, where, detail = json.loads(line.rest)
            return HardwareTrouble(int(at), str(code), str(where), str(detail))
        except (ValueError, TypeError):
            raise self.trace.error_at(line.number, line.rest[:60], "[time, code, where, detail]") from None

    def _parse_int(self, line: TraceLine, text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise self.trace.error_at(line.number, repr(text), "a whole number") from None


class ReplayedDice:
    """Show what the trace says."""

    def __init__(self, inputs: ReplayedInputs) -> None:
        self._inputs = inputs
        self._moment: TraceMoment | None = None
        self._shown: list[TraceLine] = []

    def __call__(self, weights: Sequence[int]) -> int:
        """The next throw of this moment, or the first face if the trace has none. Raises `TraceError`."""
        if self._moment is not self._inputs.moment:
            self._moment, self._shown = self._inputs.moment, self._inputs.lines_starting_with("thrown")
        if not self._shown:
            return 0
        line = self._shown.pop(0)
        if not (line.rest.isascii() and line.rest.isdigit() and int(line.rest) < len(weights)):
            raise self._inputs.trace.error_at(
                line.number, f"thrown {line.rest!r}", f"less than {len(weights)}"
            )
        return int(line.rest)


class _ReplayedPort:
    """Nothing is polled: the trace says when to turn."""

    def __init__(self, inputs: ReplayedInputs) -> None:
        self._inputs = inputs

    def due(self) -> Micros:
        return self._inputs.moment.at

    def due_after(self, at: Micros) -> Micros:
        return at

    def is_quiet(self) -> bool:
        return True

    def close(self) -> None:
        """Nothing to release."""


class ReplayedSensors(_ReplayedPort):
    """Feels what the trace says."""

    def __init__(self, inputs: ReplayedInputs, board: BoardDescription) -> None:
        super().__init__(inputs)
        self._board = board
        self._present: set[SlotId] = set()

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """What was sensed at this moment. Raises `TraceError`."""
        events: list[SensorEvent] = []
        for line in self._inputs.lines_starting_with("present", "lifted", "placed", "trouble"):
            if line.word == "present":
                self._present = {self._check_slot(slot, line) for slot in line.rest.split()}
            elif line.word == "trouble":
                events.append(self._inputs.parse_trouble(line))
            else:
                name, at = self._inputs.name_and_time(line)
                slot, present = self._check_slot(name, line), line.word == "placed"
                (self._present.add if present else self._present.discard)(slot)
                events.append(SensorChanged(at, slot, present))
        return events

    def present(self) -> frozenset[SlotId]:
        """What was told to be there."""
        return frozenset(self._present)

    def _check_slot(self, name: str, line: TraceLine) -> SlotId:
        slot = SlotId(name)
        if slot not in self._board.slots:
            raise self._inputs.trace.error_at(line.number, f"slot {slot!r}", f"one of board {self._board.id}")
        return slot


class ReplayedConsole(_ReplayedPort):
    """Buttons as the trace says; a buzzer that nobody hears."""

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        """What was pressed at this moment."""
        return [
            (ButtonPressed if line.word == "pressed" else ButtonHeld)(at, name, span)
            for line in self._inputs.lines_starting_with("pressed", "held")
            for name, at in (self._inputs.name_and_time(line),)
            for span in (self._inputs.press_duration(line),)
        ]

    def sound(self, tones: Sequence[Tone], now: Micros) -> None:
        """Nobody listens."""

    def next_own_change(self) -> Micros | None:
        """Nothing."""
        return None


class ReplayedLamps:
    """Lamps that nobody sees: what they are told is noted by the recorder."""

    def __init__(self, inputs: ReplayedInputs) -> None:
        self._inputs = inputs

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        """Noted outside."""

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        """Nothing to prepare."""

    def step(self, now: Micros) -> None:
        """Nothing to send."""

    def due(self) -> Micros | None:
        """Nothing: the trace says when to turn."""
        return None

    def take_troubles(self) -> Sequence[HardwareTrouble]:
        """What went wrong with the lamps at this moment."""
        return [
            self._inputs.parse_trouble(line) for line in self._inputs.lines_starting_with("lamps-trouble")
        ]

    def close(self) -> None:
        """Nothing to darken."""


class ReplayedTags:
    """Hands over what was read."""

    def __init__(self, inputs: ReplayedInputs) -> None:
        self._inputs = inputs

    def step(self, now: Micros) -> Sequence[TagEvent]:
        """What was read at this moment. Raises `TraceError`."""
        return [self._parse_event(line) for line in self._inputs.lines_starting_with("read")]

    def _parse_event(self, line: TraceLine) -> TagEvent:
        trace = self._inputs.trace
        match json.loads(trace.resolve_secret(line.rest, line.number)):
            case ["trouble", int(at), str(code), str(where), str(detail)]:
                return HardwareTrouble(at, code, where, detail)
            case [("seen" | "gone") as kind, int(at), str(reader), int(number)]:
                return (TagSeen if kind == "seen" else TagGone)(at, reader, tag_of_number(number))
        raise trace.error_at(line.number, "no reading", "[seen or gone, time, reader, number of the tag]")

    def watch(self, readers: Collection[ReaderId]) -> None:
        """Nothing to look at."""

    def due(self) -> Micros | None:
        """Nothing: the trace says when to turn."""
        return None

    def close(self) -> None:
        """Nothing to release."""


def tag_of_number(number: int) -> TagId:
    """The tag of that number: an id as good as any other."""
    return TagId(number.to_bytes(7, "big"))


class _ReplayedReceipt(WriteReceipt):
    """Done when the trace says so."""

    __slots__ = ("_inputs", "_number", "_real")

    def __init__(self, real: WriteReceipt, number: int, inputs: ReplayedInputs) -> None:
        super().__init__()
        self._real = real
        self._number = number
        self._inputs = inputs

    def is_done(self) -> bool:
        if self._number not in self._inputs.write_results:
            return False
        why = self._inputs.write_results[self._number]
        if why is not None:
            self._error = JournalError(why)
        return True

    def wait_result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._real.wait_result()


class ReplayedJournalWriter(SyncJournalWriter):
    """Writes at once, and says so when the trace does."""

    def __init__(self, store: Store, inputs: ReplayedInputs) -> None:
        super().__init__(store)
        self._inputs = inputs
        self._count = 0

    def blocking_reason(self) -> WriteBlocked:
        """As the trace says."""
        return self._inputs.write_blocked

    def write_entry(self, number: int, **entry: Any) -> WriteReceipt:
        """As every journal writer; it is durable when the trace says so."""
        self._count += 1
        return _ReplayedReceipt(super().write_entry(number, **entry), self._count, self._inputs)

    def finish_game(self, number: int, outcome: Outcome, at_ms: int) -> WriteReceipt:
        """As every journal writer; it is durable when the trace says so."""
        self._count += 1
        return _ReplayedReceipt(super().finish_game(number, outcome, at_ms), self._count, self._inputs)
