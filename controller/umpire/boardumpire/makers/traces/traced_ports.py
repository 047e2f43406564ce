"""Ports and a journal writer that note what they hand to a table.

They change nothing of it, but that the table feels what was told alone: a driver may know a little more
between two turns.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from boardrules.core import Outcome
from boardumpire.errors import public_error_text
from boardumpire.journal.journal import JournalEntry
from boardumpire.journal.writer import JournalWriter, WriteBlocked, WriteReceipt
from boardumpire.makers.traces.recorder import TraceRecorder
from boardumpire.tags.tag_roster import NamedPiece, TagRoster
from boardware.ports import (
    QUICK_PRESS_MAX_US,
    ButtonPressed,
    ConsoleEvent,
    ConsolePort,
    HardwareTrouble,
    LampId,
    LampPort,
    Light,
    Micros,
    Ports,
    ReaderId,
    SensorChanged,
    SensorEvent,
    SensorPort,
    SlotId,
    TagEvent,
    TagId,
    TagPort,
    TagSeen,
    WakingDriver,
)


class TracedSensors:
    """Sensors whose events are noted."""

    def __init__(self, port: SensorPort, recorder: TraceRecorder) -> None:
        self._port = port
        self._recorder = recorder
        self._present: set[SlotId] | None = None

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """As the driver; notes what it told."""
        events = self._port.step(now)
        note, recorder = self._recorder.add_line, self._recorder
        if self._present is None:
            self._present = set(self._port.present())
            note(" ".join(["present", *sorted(self._present)]))
        for event in events:
            if isinstance(event, SensorChanged):
                (self._present.add if event.present else self._present.discard)(event.slot)
                verb = "placed" if event.present else "lifted"
                note(f"{verb} {event.slot}{recorder.time_suffix(event.at, now)}")
            else:
                note(f"trouble {_trouble_as_json(event, recorder)}")
        return events

    def present(self) -> frozenset[SlotId]:
        """What was told to be there."""
        return frozenset(self._present or ())

    def due(self) -> Micros:
        """As the driver."""
        return self._port.due()

    def due_after(self, at: Micros) -> Micros:
        """As the driver."""
        return self._port.due_after(at)

    def is_quiet(self) -> bool:
        """As the driver."""
        return self._port.is_quiet()

    def close(self) -> None:
        """Close the driver."""
        self._port.close()


class WakingTracedSensors(TracedSensors):
    """Sensors to which news come by themselves."""

    def __init__(
        self, port: SensorPort, recorder: TraceRecorder, filenos: Callable[[], tuple[int, ...]]
    ) -> None:
        super().__init__(port, recorder)
        self.filenos = filenos


class TracedConsole:
    """A console whose events are noted."""

    def __init__(self, port: ConsolePort, recorder: TraceRecorder) -> None:
        self._port = port
        self._recorder = recorder
        self.due = port.due
        self.due_after = port.due_after
        self.is_quiet = port.is_quiet
        self.next_own_change = port.next_own_change
        self.sound = port.sound
        self.close = port.close

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        """As the driver; notes what it told."""
        events = self._port.step(now)
        for event in events:
            verb = "pressed" if isinstance(event, ButtonPressed) else "held"
            when = self._recorder.time_suffix(event.at, now)
            if event.down_time > QUICK_PRESS_MAX_US:
                when = f" {self._recorder.trace_time(event.at)} {event.down_time}"
            self._recorder.add_line(f"{verb} {event.button}{when}")
        return events


class TracedLamps:
    """Lamps whose marks and troubles are noted. When they move by themselves is no business of the table."""

    def __init__(self, port: LampPort, recorder: TraceRecorder) -> None:
        self.port = port
        self._recorder = recorder
        self._lights: Mapping[LampId, Light] = {}
        self.prepare_hints = port.prepare_hints
        self.step = port.step
        self.close = port.close

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        """As the driver; notes what is new, by its meaning."""
        if lights != self._lights:
            self._lights = dict(lights)
            named = [f"{lamp}={light.mark}" for lamp, light in sorted(lights.items())]
            self._recorder.add_line(" ".join(["marks", *named]))
        self.port.show(lights, now)

    def due(self) -> Micros | None:
        """Nothing: the traced table asks the driver itself."""
        return None

    def take_troubles(self) -> Sequence[HardwareTrouble]:
        """As the driver; notes them."""
        troubles = self.port.take_troubles()
        for each in troubles:
            self._recorder.add_line(f"lamps-trouble {_trouble_as_json(each, self._recorder)}")
        return troubles


def _trouble_as_json(event: HardwareTrouble, recorder: TraceRecorder) -> str:
    return json.dumps([recorder.trace_time(event.at), event.code, event.where, event.detail])


class TracedReceipt(WriteReceipt):
    """A receipt that notes when the table learnt that it is done."""

    __slots__ = ("_number", "_receipt", "_recorder", "_seen")

    def __init__(self, receipt: WriteReceipt, number: int, recorder: TraceRecorder) -> None:
        super().__init__()
        self._receipt = receipt
        self._number = number
        self._recorder = recorder
        self._seen = False

    def is_done(self) -> bool:
        """As the receipt; the first yes is noted."""
        if not self._receipt.is_done():
            return False
        if not self._seen:
            self._seen = True
            error = self._receipt._error
            why = "" if error is None else " " + " ".join(public_error_text(error).split())
            self._recorder.add_line(f"{'un' if error else ''}written {self._number}{why}")
        return True

    def wait_result(self) -> JournalEntry | None:
        """As the receipt."""
        return self._receipt.wait_result()


class TracedJournalWriter:
    """A journal writer whose receipts are noted."""

    def __init__(self, writer: JournalWriter, recorder: TraceRecorder) -> None:
        self._writer = writer
        self._recorder = recorder
        self._count = 0
        self._noted = WriteBlocked()
        self.close = writer.close

    def blocking_reason(self) -> WriteBlocked:
        """As the writer; what has changed is noted."""
        waits = self._writer.blocking_reason()
        if waits != self._noted:
            self._noted = waits
            self._recorder.add_line(f"waits {waits.condition} {' '.join(waits.text.split())}".rstrip())
        return waits

    def write_entry(self, number: int, **entry: Any) -> WriteReceipt:
        """As the writer."""
        return self._trace_receipt(self._writer.write_entry(number, **entry))

    def finish_game(self, number: int, outcome: Outcome, at_ms: int) -> WriteReceipt:
        """As the writer."""
        return self._trace_receipt(self._writer.finish_game(number, outcome, at_ms))

    def _trace_receipt(self, receipt: WriteReceipt) -> WriteReceipt:
        self._count += 1
        return TracedReceipt(receipt, self._count, self._recorder)


class TracedTags:
    """Readers of tags whose events are noted, as secrets: who knows what lies where knows ranks.

    No id of a tag is written: each is a number of this trace alone.
    """

    def __init__(self, port: TagPort, recorder: TraceRecorder, roster: TagRoster) -> None:
        self.port = port
        self._recorder = recorder
        known = list(roster)
        random.SystemRandom().shuffle(known)  # the numbers of tags tell nothing of their pieces
        if recorder.tag_order:
            known.sort(key=lambda item: recorder.tag_order.index(item[0]))
        self._numbers = _order_same_pieces({tag: number for number, (tag, _) in enumerate(known, 1)}, roster)
        self.roster = dict(sorted((self._numbers[tag], piece) for tag, piece in known))
        """By the number of a tag its piece."""
        self.watch: Callable[[Collection[ReaderId]], None] = port.watch
        self.close = port.close

    def step(self, now: Micros) -> Sequence[TagEvent]:
        """As the driver; notes what it told."""
        events = self.port.step(now)
        for event in events:
            self._recorder.add_line(
                f"read {self._recorder.add_secret(json.dumps(self._event_as_list(event)))}"
            )
        return events

    def _event_as_list(self, event: TagEvent) -> list[Any]:
        at = self._recorder.trace_time(event.at)
        if isinstance(event, HardwareTrouble):
            return ["trouble", at, event.code, event.where, event.detail]
        return ["seen" if isinstance(event, TagSeen) else "gone", at, event.reader, self._number(event.tag)]

    def _number(self, tag: TagId) -> int:
        return self._numbers.setdefault(tag, len(self._numbers) + 1)

    def due(self) -> Micros | None:
        """Nothing: the traced table asks the driver itself."""
        return None


def _order_same_pieces(numbers: dict[TagId, int], roster: TagRoster) -> dict[TagId, int]:
    """The same numbers, but those of pieces of one name go up as in the list: a binding names lines of it."""
    alike: dict[NamedPiece, list[int]] = {}
    for tag, piece in roster:
        alike.setdefault(piece, []).append(numbers[tag])
    left = {piece: iter(sorted(found)) for piece, found in alike.items()}
    return {tag: next(left[piece]) for tag, piece in roster}


class WakingTracedTags(TracedTags):
    """Readers from which news come by themselves."""

    def __init__(
        self,
        port: TagPort,
        recorder: TraceRecorder,
        roster: TagRoster,
        filenos: Callable[[], tuple[int, ...]],
    ) -> None:
        super().__init__(port, recorder, roster)
        self.filenos = filenos


def trace_ports(ports: Ports, recorder: TraceRecorder, roster: TagRoster) -> Ports:
    """All ports of a table, noted by `recorder`."""
    feel: TracedSensors = TracedSensors(ports.sensors, recorder)
    if isinstance(ports.sensors, WakingDriver):
        feel = WakingTracedSensors(ports.sensors, recorder, ports.sensors.filenos)
    read: TracedTags | None = None
    if isinstance(ports.tags, WakingDriver):
        read = WakingTracedTags(ports.tags, recorder, roster, ports.tags.filenos)
    elif ports.tags is not None:
        read = TracedTags(ports.tags, recorder, roster)
    return Ports(feel, TracedLamps(ports.lamps, recorder), TracedConsole(ports.console, recorder), read)
