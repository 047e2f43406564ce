"""Replays a trace: the same moments, over ports that hand over what the trace holds, and nothing else."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import boardrules
from boardrules.core import OptionError, Outcome
from boardumpire.errors import BoardumpireError, JournalError, SeatError
from boardumpire.journal import Store
from boardumpire.makers.trace import Line, Moment, Trace, significant
from boardumpire.makers.tracing import Recorder, open_traced
from boardumpire.opening import Wanted
from boardumpire.pen import DirectPen, Ticket
from boardumpire.seal import BoardKey
from boardumpire.table import Table
from boardware.description import load_board
from boardware.parts import Board
from boardware.ports import (
    ConsoleEvent,
    Felt,
    Held,
    LampId,
    Micros,
    Ports,
    Pressed,
    SensorEvent,
    Slot,
    Trouble,
)


def replay(trace: Trace, board: Board | None = None) -> str:
    """What the umpire makes of a trace today, as a trace: equal to what was read if nothing changed.

    `board` is the one to replay on; without it, it is the board file beside the trace, or the shipped board,
    that has the id in its head. Raises `TraceError`, `BoardumpireError` and `BoardFileError`.
    """
    return _Replay(trace, board or board_of(trace)).run()


def board_of(trace: Trace) -> Board:
    """The board of a trace. Raises `BoardFileError`."""
    beside = Path(trace.name).with_name(f"{trace.board}.toml")
    return load_board(beside if beside.is_file() else trace.board)


def difference(read: str, replayed: str) -> str | None:
    """The first line in which a replay differs from the trace it replayed; `None` if none does.

    Heads are not compared: what a later version can be told beside has its default where a trace is older.
    """
    ours, theirs = _below_head(read), [line for _, line in _below_head(replayed)]
    for place, (number, line) in enumerate(ours):
        found = theirs[place] if place < len(theirs) else "nothing"
        if line != found:
            return f"line {number}: the trace has {line!r}, the replay {found!r}"
    if len(theirs) > len(ours):
        return f"behind the last line: the replay has {theirs[len(ours)]!r} too"
    return None


def _below_head(text: str) -> list[tuple[int, str]]:
    lines = list(significant(text))
    words = [line for _, line in lines]
    return lines[words.index("moments") :] if "moments" in words else lines


class _Inputs:
    """What the trace hands to the table at the present moment."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.moment = trace.moments[0]
        self.written: dict[int, str | None] = {}
        """The entries that are durable, and those (with the reason) that never will be."""

    def begin(self, moment: Moment) -> None:
        self.moment = moment
        for line in moment.lines:
            if line.word in ("written", "unwritten"):
                number, _, why = line.rest.partition(" ")
                self.written[self._whole(line, number)] = why if line.word == "unwritten" else None

    def lines(self, *words: str) -> list[Line]:
        return [line for line in self.moment.lines if line.word in words]

    def named(self, line: Line) -> tuple[str, Micros]:
        """A slot or button with the time of its event."""
        name, _, at = line.rest.partition(" ")
        return name, self._whole(line, at) if at else self.moment.at

    def trouble(self, line: Line) -> Trouble:
        try:
            at, code, where, detail = json.loads(line.rest)
            return Trouble(int(at), str(code), str(where), str(detail))
        except (ValueError, TypeError):
            raise self.trace.fail(line.number, line.rest[:60], "[time, code, where, detail]") from None

    def _whole(self, line: Line, text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise self.trace.fail(line.number, repr(text), "a whole number") from None


class _Polled:
    """Nothing is polled: the trace says when to turn."""

    def __init__(self, inputs: _Inputs) -> None:
        self._inputs = inputs

    def due(self) -> Micros:
        return self._inputs.moment.at

    def due_after(self, at: Micros) -> Micros:
        return at

    def quiet(self) -> bool:
        return True

    def close(self) -> None:
        """Nothing to release."""


class _Sensors(_Polled):
    def __init__(self, inputs: _Inputs, board: Board) -> None:
        super().__init__(inputs)
        self._board = board
        self._present: set[Slot] = set()

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        events: list[SensorEvent] = []
        for line in self._inputs.lines("present", "lifted", "placed", "trouble"):
            if line.word == "present":
                self._present = {self._known(slot, line) for slot in line.rest.split()}
            elif line.word == "trouble":
                events.append(self._inputs.trouble(line))
            else:
                slot, at = self._inputs.named(line)
                present = line.word == "placed"
                (self._present.add if present else self._present.discard)(self._known(slot, line))
                events.append(Felt(at, slot, present))
        return events

    def present(self) -> frozenset[Slot]:
        return frozenset(self._present)

    def _known(self, slot: Slot, line: Line) -> Slot:
        if slot not in self._board.slots:
            raise self._inputs.trace.fail(line.number, f"slot {slot!r}", f"one of board {self._board.id}")
        return slot


class _Console(_Polled):
    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        return [
            (Pressed if line.word == "pressed" else Held)(at, name)
            for line in self._inputs.lines("pressed", "held")
            for name, at in (self._inputs.named(line),)
        ]

    def sound(self, name: str, now: Micros) -> None:
        """Nobody listens."""

    def wants(self) -> Micros | None:
        return None


class _Lamps:
    """Lamps that nobody sees: what they are told is noted by the recorder."""

    def __init__(self, inputs: _Inputs) -> None:
        self._inputs = inputs

    def show(self, marks: Mapping[LampId, str], now: Micros) -> None:
        """Noted outside."""

    def foresee(self, hints: Mapping[Slot, Mapping[LampId, str]], now: Micros) -> None:
        """Nothing to prepare."""

    def step(self, now: Micros) -> None:
        """Nothing to send."""

    def due(self) -> Micros | None:
        return None

    def take_troubles(self) -> Sequence[Trouble]:
        return [self._inputs.trouble(line) for line in self._inputs.lines("lamps-trouble")]

    def close(self) -> None:
        """Nothing to darken."""


class _Ticket(Ticket):
    """Done when the trace says so."""

    __slots__ = ("_inputs", "_number", "_real")

    def __init__(self, real: Ticket, number: int, inputs: _Inputs) -> None:
        super().__init__()
        self._real = real
        self._number = number
        self._inputs = inputs

    def done(self) -> bool:
        if self._number not in self._inputs.written:
            return False
        why = self._inputs.written[self._number]
        if why is not None:
            self._error = JournalError(why)
        return True

    def result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._real.result()


class _Pen(DirectPen):
    def __init__(self, store: Store, inputs: _Inputs) -> None:
        super().__init__(store)
        self._inputs = inputs
        self._count = 0

    def write(self, number: int, **entry: Any) -> Ticket:
        self._count += 1
        return _Ticket(super().write(number, **entry), self._count, self._inputs)

    def finish(self, number: int, outcome: Outcome, at_ms: int) -> Ticket:
        self._count += 1
        return _Ticket(super().finish(number, outcome, at_ms), self._count, self._inputs)


class _Replay:
    def __init__(self, trace: Trace, board: Board) -> None:
        if not trace.moments:
            raise trace.fail(1, "no moments", "at least the first turn")
        self._trace = trace
        self._board = board
        self._inputs = _Inputs(trace)
        self._out: list[str] = []
        # Secrets were told at the end of the game, or at once: the replay writes them where the trace does.
        self._recorder = Recorder(self._out.append, every=True, open_=trace.open)

    def run(self) -> str:
        table = self._open()
        for moment in self._trace.moments[1:]:
            self._inputs.begin(moment)
            if moment.seat is None:
                table.step(moment.at)
                table.take_messages()
            else:
                with contextlib.suppress(SeatError):
                    table.say(moment.seat, self._plain(moment.text, moment.line), moment.at)
        return "".join(self._out)

    def _open(self) -> Table:
        trace, inputs = self._trace, self._inputs
        inputs.begin(trace.moments[0])
        store = Store.open(None, BoardKey.random())
        try:
            self._begin_before(store)
            table = open_traced(
                board=self._board,
                wanted=Wanted(trace.game, trace.options),
                ports=Ports(_Sensors(inputs, self._board), _Lamps(inputs), _Console(inputs)),
                store=store,
                now=trace.moments[0].at,
                wall_ms=0,
                timing=trace.timing,
                pen=lambda store: _Pen(store, inputs),
                recorder=self._recorder,
                sensors=trace.sensors,
            )
        except (OptionError, boardrules.UnknownGame) as error:
            raise BoardumpireError(f"{trace.name}: {error}") from None
        table.take_messages()
        return table

    def _begin_before(self, store: Store) -> None:
        """Write the entries of the game that had begun before."""
        trace = self._trace
        if not trace.before:
            return
        number = store.begin(trace.game, trace.options, self._board.id, 0)
        for entry in trace.before:
            secret = entry["text"].startswith("*")
            store.append(
                number,
                kind=entry["kind"],
                seat=entry["seat"],
                text=self._plain(entry["text"], 1),
                secret=secret,
                events=entry["events"],
                at_ms=0,
            )

    def _plain(self, text: str, line: int) -> str:
        """What was said. Raises `TraceError` for a secret that was never told."""
        if not text.startswith("*"):
            return text
        try:
            return self._trace.secrets[int(text[1:])]
        except (KeyError, ValueError):
            raise self._trace.fail(
                line,
                f"a secret ({text}) that no line tells",
                "a trace of a game that came to its end, or one recorded with its secrets open",
            ) from None
