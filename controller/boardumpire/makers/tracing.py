"""Writes a trace while a table is played at.

The recorder stands between the table and its ports and pen: it notes what they hand over and changes none of
it, but that the table feels what was told alone (a driver may know a little more between two turns).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from boardrules.core import BadText, Outcome, Seat
from boardumpire.hands import Timing
from boardumpire.journal import Entry, Store
from boardumpire.makers import trace
from boardumpire.opening import Wanted, open_table
from boardumpire.pen import DirectPen, Pen, Ticket
from boardumpire.secrecy import Message
from boardumpire.table import Table
from boardware.parts import Board
from boardware.ports import (
    ConsoleEvent,
    ConsolePort,
    Felt,
    LampId,
    LampPort,
    Micros,
    Ports,
    Pressed,
    SensorEvent,
    SensorPort,
    Slot,
    Trouble,
    Woken,
)

log = logging.getLogger("boardumpire")

Write = Callable[[str], object]
"""Takes one line, its line end included."""

_OPEN_WORDS = ("yes", "no", "by-hand", "by-reed", "adjourn")
"""What seats say that is about no piece of theirs."""


class Recorder:
    """Collects the lines of a moment, and writes the moments that mattered.

    A turn in which nothing came, nothing was due and nothing went out changes nothing: it is left out.
    """

    def __init__(self, write: Write, *, open_: bool = False, every: bool = False) -> None:
        """`open_` writes secrets at once, `every` leaves no turn out."""
        self._write: Write | None = write
        self._open = open_
        self._every = every
        self._lines: list[str] = []
        self._secrets: list[str] = []
        self._told = 0
        self._start: Micros | None = None

    def line(self, text: str) -> None:
        """Something came in or went out at this moment."""
        self._lines.append(text)

    def begin(self, now: Micros) -> None:
        """A moment begins."""
        if self._start is None:
            self._start = now

    def end(self, moment: str, now: Micros, *, matters: bool) -> None:
        """The moment is over; `matters` even though it has no lines."""
        lines, self._lines = self._lines, []
        if lines or matters or self._every:
            verb, _, rest = moment.partition(" ")
            self.put(f"{verb} {self.since(now)} {rest}".rstrip(), *lines)

    def put(self, *lines: str) -> None:
        """Write lines at once. A trace that can't be written any more ends; the game goes on."""
        if self._write is None:
            return
        try:
            for line in lines:
                self._write(line + "\n")
        except OSError as error:
            self._write = None
            log.warning("the trace ends here, it can't be written: %s", error)

    def since(self, at: Micros) -> Micros:
        """A time as the trace counts."""
        return at - (self._start or 0)

    def at(self, at: Micros, now: Micros) -> str:
        """What the line of an event ends with."""
        return "" if at == now else f" {self.since(at)}"

    def hide(self, text: str) -> str:
        """A secret as the trace names it while the game goes on."""
        self._secrets.append(text)
        return f"*{len(self._secrets)}"

    def reveal(self) -> None:
        """Write what secrets were, those that are not written yet."""
        for number in range(self._told + 1, len(self._secrets) + 1):
            self.put(f"secret {number} {self._secrets[number - 1]}")
        self._told = len(self._secrets)

    def tell_open(self) -> None:
        """With open secrets: write what was hidden."""
        if self._open:
            self.reveal()


class TracedSensors:
    """Sensors whose events are noted."""

    def __init__(self, port: SensorPort, recorder: Recorder) -> None:
        self._port = port
        self._recorder = recorder
        self._present: set[Slot] | None = None

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """As the driver; notes what it told."""
        events = self._port.step(now)
        note, recorder = self._recorder.line, self._recorder
        if self._present is None:
            self._present = set(self._port.present())
            note(" ".join(["present", *sorted(self._present)]))
        for event in events:
            if isinstance(event, Felt):
                (self._present.add if event.present else self._present.discard)(event.slot)
                verb = "placed" if event.present else "lifted"
                note(f"{verb} {event.slot}{recorder.at(event.at, now)}")
            else:
                note(f"trouble {_trouble(event, recorder)}")
        return events

    def present(self) -> frozenset[Slot]:
        """What was told to be there."""
        return frozenset(self._present or ())

    def due(self) -> Micros:
        """As the driver."""
        return self._port.due()

    def due_after(self, at: Micros) -> Micros:
        """As the driver."""
        return self._port.due_after(at)

    def quiet(self) -> bool:
        """As the driver."""
        return self._port.quiet()

    def close(self) -> None:
        """Close the driver."""
        self._port.close()


class WokenSensors(TracedSensors):
    """Sensors to which news come by themselves."""

    def __init__(self, port: SensorPort, recorder: Recorder, filenos: Callable[[], tuple[int, ...]]) -> None:
        super().__init__(port, recorder)
        self.filenos = filenos


class TracedConsole:
    """A console whose events are noted."""

    def __init__(self, port: ConsolePort, recorder: Recorder) -> None:
        self._port = port
        self._recorder = recorder
        self.due = port.due
        self.due_after = port.due_after
        self.quiet = port.quiet
        self.wants = port.wants
        self.sound = port.sound
        self.close = port.close

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        """As the driver; notes what it told."""
        events = self._port.step(now)
        for event in events:
            verb = "pressed" if isinstance(event, Pressed) else "held"
            self._recorder.line(f"{verb} {event.button}{self._recorder.at(event.at, now)}")
        return events


class TracedLamps:
    """Lamps whose marks and troubles are noted. When they move by themselves is no business of the table."""

    def __init__(self, port: LampPort, recorder: Recorder) -> None:
        self.port = port
        self._recorder = recorder
        self._marks: Mapping[LampId, str] = {}
        self.foresee = port.foresee
        self.step = port.step
        self.close = port.close

    def show(self, marks: Mapping[LampId, str], now: Micros) -> None:
        """As the driver; notes what is new."""
        if marks != self._marks:
            self._marks = dict(marks)
            named = [f"{lamp}={mark}" for lamp, mark in sorted(marks.items())]
            self._recorder.line(" ".join(["marks", *named]))
        self.port.show(marks, now)

    def due(self) -> Micros | None:
        """Nothing: the traced table asks the driver itself."""
        return None

    def take_troubles(self) -> Sequence[Trouble]:
        """As the driver; notes them."""
        troubles = self.port.take_troubles()
        for each in troubles:
            self._recorder.line(f"lamps-trouble {_trouble(each, self._recorder)}")
        return troubles


def _trouble(event: Trouble, recorder: Recorder) -> str:
    return json.dumps([recorder.since(event.at), event.code, event.where, event.detail])


class TracedTicket(Ticket):
    """A ticket that notes when the table learnt that it is done."""

    __slots__ = ("_number", "_recorder", "_seen", "_ticket")

    def __init__(self, ticket: Ticket, number: int, recorder: Recorder) -> None:
        super().__init__()
        self._ticket = ticket
        self._number = number
        self._recorder = recorder
        self._seen = False

    def done(self) -> bool:
        """As the ticket; the first yes is noted."""
        if not self._ticket.done():
            return False
        if not self._seen:
            self._seen = True
            error = self._ticket._error
            why = "" if error is None else " " + " ".join(str(error).split())
            self._recorder.line(f"{'un' if error else ''}written {self._number}{why}")
        return True

    def result(self) -> Entry | None:
        """As the ticket."""
        return self._ticket.result()


class TracedPen:
    """A pen whose tickets are noted."""

    def __init__(self, pen: Pen, recorder: Recorder) -> None:
        self._pen = pen
        self._recorder = recorder
        self._count = 0
        self.close = pen.close

    def write(self, number: int, **entry: Any) -> Ticket:
        """As the pen."""
        return self._traced(self._pen.write(number, **entry))

    def finish(self, number: int, outcome: Outcome, at_ms: int) -> Ticket:
        """As the pen."""
        return self._traced(self._pen.finish(number, outcome, at_ms))

    def _traced(self, ticket: Ticket) -> Ticket:
        self._count += 1
        return TracedTicket(ticket, self._count, self._recorder)


class TracedTable(Table):
    """A table that notes its turns, what seats say, and what everybody is told."""

    def __init__(self, *args: Any, recorder: Recorder, lamps: LampPort) -> None:
        super().__init__(*args)
        self._recorder = recorder
        self._real_lamps = lamps
        self._wanted: Micros | None = None
        self._held: list[Message] = []
        self._answered = False
        """Whether a seat has spoken since the last turn: what comes of it goes out with the next."""

    def step(self, now: Micros) -> Micros | None:
        """As every table."""
        recorder = self._recorder
        recorder.begin(now)
        due = self._wanted is not None and now >= self._wanted
        self._wanted = super().step(now)
        for message in super().take_messages():
            self._held.append(message)
            if message.seat is None:
                recorder.line(f"told {json.dumps([message.kind, message.data])}")
        recorder.end("turn", now, matters=due or self._answered)
        self._answered = False
        if self.over:
            recorder.reveal()
        lamps = self._real_lamps.due()
        return min((time for time in (self._wanted, lamps) if time is not None), default=None)

    def take_messages(self) -> list[Message]:
        """As every table."""
        taken, self._held = self._held, []
        return taken

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """As every table. What may be a secret is hidden."""
        self._answered = True
        shown = text if self._is_open(seat, text) else self._recorder.hide(text)
        try:
            super().say(seat, text, now)
        finally:
            self._recorder.end(f"said {seat} {shown}", now, matters=True)
            self._recorder.tell_open()

    def _is_open(self, seat: Seat, text: str) -> bool:
        """Whether everybody may read it: words that are no action, however near, may hold a secret."""
        if text.split(" ", 1)[0] in _OPEN_WORDS:
            return True
        try:
            return seat in self.seats and not self._state.parse(text, seat).secret
        except BadText:
            return False


def open_traced(
    *,
    board: Board,
    wanted: Wanted,
    ports: Ports,
    store: Store,
    now: Micros,
    wall_ms: int,
    timing: Timing | None = None,
    pen: Callable[[Store], Pen] = DirectPen,
    recorder: Recorder,
    sensors: str,
    **more: Any,
) -> Table:
    """As `open_table`, with everything noted by `recorder`; `sensors` is the name of their driver.

    `more` goes to `open_table` as it is.
    """
    _note_head(board, wanted, store, timing or Timing(), recorder, sensors)
    feel: TracedSensors
    if isinstance(ports.sensors, Woken):
        feel = WokenSensors(ports.sensors, recorder, ports.sensors.filenos)
    else:
        feel = TracedSensors(ports.sensors, recorder)
    traced = Ports(feel, TracedLamps(ports.lamps, recorder), TracedConsole(ports.console, recorder))
    return open_table(
        board=board,
        wanted=wanted,
        ports=traced,
        store=store,
        now=now,
        wall_ms=wall_ms,
        timing=timing,
        pen=lambda store: TracedPen(pen(store), recorder),
        make=partial(TracedTable, recorder=recorder, lamps=ports.lamps),
        **more,
    )


def _note_head(
    board: Board, wanted: Wanted, store: Store, timing: Timing, recorder: Recorder, sensors: str
) -> None:
    """Write the head, with the entries of the game that the journal goes on with."""
    game, options = wanted.game, wanted.options
    before = []
    header = store.unfinished()
    if header is not None:
        game, options = header.game, header.options
        for entry in store.entries(header.number):
            text = recorder.hide(entry.text) if entry.secret else entry.text
            before.append(
                {"kind": entry.kind, "seat": entry.seat, "text": text, "events": json.loads(entry.public)}
            )
    recorder.put(*trace.header(board.id, game, options, timing, sensors, tuple(before)))
    recorder.tell_open()
