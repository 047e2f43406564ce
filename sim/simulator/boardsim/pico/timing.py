"""How fast an emulated Pico is: from a contact that opens to the host, and to the end of the answering frame.

All is counted in cycles of the chip, so it is the same on any machine. The host answers at once; its own
computing counts as nothing.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardrules.core import Seat
from boardsim.pico.emulated import HOUR_US, patch_aged_clock
from boardsim.pico.rig import PicoRig
from boardware.ports import MS, Micros, SlotId
from boardwire import wire
from boardwire.scanner import LIFT_LOCKOUT_US, PLACE_DEBOUNCE_US

SPAN: Final[Micros] = 100 * MS
"""For so long the period of scans is taken before each lift."""
REPEAT_RATE: Final = 0.2
GREEN: Final = 0x0F00
WHITE_PULSE: Final = 0xFFF2
"""Lights (`boardwire.lights`)."""
HINT_COUNT: Final = 16
"""How many pieces may be moved, as at the begin of Quick Duel."""


SCAN_PERIOD_MAX_US: Final[Micros] = 1000
"""What is promised: each look after so long, in 99 of 100 ..."""
STAMP_ERROR_MAX_US: Final[Micros] = 250
"""... every lift and place told with a moment that is at most so wrong ..."""
REPORT_MAX_US: Final[Micros] = 2500
"""... the host told after so long, in 95 of 100 ..."""
FRAME_MAX_US: Final = {True: 4500, False: 8000}
"""... and the answering frame sent, with the hint table and without, in 95 of 100."""


class TimingFigures(NamedTuple):
    """What was measured, each in microseconds."""

    periods: list[Micros]
    """From one strobe of the first row to the next."""
    lift_stamp_errors: list[Micros]
    """By how much the told moment of a lift differs from one in which its contact changed. A reed bounces as
    it opens, and what is shorter than a look is not seen."""
    place_stamp_errors: list[Micros]
    """The same of places, which are sure `PLACE_DEBOUNCE_US` after."""
    report_times: list[Micros]
    """From a contact that opens to the host that was told."""
    frame_times: list[Micros]
    """To the last bit of the frame that answers."""


def percentile(values: Sequence[float], part: float) -> float:
    """The value that so many of them don't exceed: 0.95 for p95."""
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]


class Stopwatch:
    """A board with a piece on every square, a Pico under it, and pieces that are lifted and set back."""

    def __init__(self, image: Path, board: str, pico: str | None = None, *, old: bool = False) -> None:
        """An `old` one has had power for an hour."""
        self.rig = rig = PicoRig(image, board, pico, patch=patch_aged_clock if old else lambda files: None)
        self._hours = HOUR_US if old else 0
        self._dice = random.Random(1)
        self._contacts = {
            slot: number for number, slot in enumerate(rig.plan.contact_slots) if slot is not None
        }
        self._pieces = {slot: rig.world.new_piece(Seat("red")) for slot in self._contacts}
        for slot, piece in self._pieces.items():
            rig.world.put(piece, slot, 1)
        self.opened = rig.open()
        """When the session was open, in microseconds after power came."""
        rig.repeats = REPEAT_RATE
        self._lengths = [chain.length for chain in rig.plan.chains]
        self._pulsing: frozenset[int] = frozenset()
        rig.run(60 * MS)

    def pulse(self) -> None:
        """Have four lamps pulse from now on. Their squares are left alone: such a lamp shines anyway."""
        self._pulsing = frozenset(range(4))
        self.rig.host.send("light", 0, WHITE_PULSE, bytes(self._pulsing))
        self.rig.run(20 * MS)

    def measure(self, lifts: int, *, hints: bool) -> TimingFigures:
        """Lift and set back so many pieces, answered by the Pico's own hints or by the host."""
        found = TimingFigures([], [], [], [], [])
        rig = self.rig
        for _ in range(lifts):
            free = [slot for slot in self._contacts if self._lamp(slot) not in self._pulsing]
            slots = self._dice.sample(free, HINT_COUNT)
            if hints:
                self._send_hints(slots)
            began = len(rig.pinned.scans)
            rig.run(SPAN + self._dice.randrange(10 * MS))
            scans = rig.pinned.scans[began:]
            found.periods.extend(after - before for before, after in itertools.pairwise(scans))
            self._lift(slots[0], hints, found)
        return found

    def _lamp(self, slot: SlotId) -> int:
        at = self.rig.plan.lamp_addresses.get(slot)
        return at[1] if at is not None and at[0] == 0 else self._contacts[slot] % self._lengths[0]

    def _send_hints(self, slots: Sequence[SlotId]) -> None:
        host = self.rig.host
        host.send("forget", 7)
        for slot in slots:
            lamps = wire.bits([self._lamp(slot), max(0, self._lamp(slot) - 1)], self._lengths[0])
            host.send("hint", self._contacts[slot], 0, GREEN, lamps)
        host.send("arm", 7)

    def _lift(self, slot: SlotId, hints: bool, found: TimingFigures) -> None:
        rig, contact, lamp = self.rig, self._contacts[slot], self._lamp(slot)
        opened: list[Micros] = []
        told: list[tuple[Micros, tuple[Any, ...]]] = []

        def react(event: tuple[Any, ...]) -> None:
            if event[0] in ("lifted", "hinted") and event[2] == contact and not told:
                told.append((rig.now, event))
                if event[0] == "lifted":
                    rig.host.send("light", 0, GREEN, bytes([lamp]))

        rig.on_host_event = react
        rig.pinned.frames.clear()
        rig.world.watchers.append(opened.append)
        rig.world.take(self._pieces[slot], slot, rig.now + self._dice.randrange(100, 2 * MS))
        answer: Micros | None = None
        end = rig.now + 100 * MS
        while (answer is None or not told) and rig.now < end:
            rig.run(MS)
            for at, _, frame in rig.pinned.frames:
                if opened and at > opened[0] and any(frame[3 * lamp : 3 * lamp + 3]):
                    answer = answer or at
        rig.world.watchers.remove(opened.append)
        rig.on_host_event = lambda event: None
        if answer is None or not told or (told[0][1][0] == "hinted") != hints:
            raise AssertionError(f"{slot} was lifted: the host was told {told}, its lamp was lit at {answer}")
        found.lift_stamp_errors.append(min(abs(told[0][1][1] - self._hours - at) for at in opened))
        found.report_times.append(told[0][0] - opened[0])
        found.frame_times.append(answer - opened[0])
        found.place_stamp_errors.append(self._set_back(slot))
        rig.host.send("light", 0, 0, bytes([lamp]))
        rig.run(5 * MS)

    def _set_back(self, slot: SlotId) -> Micros:
        """Set a piece back once nothing is locked out; by how much the told moment of that was wrong."""
        rig, contact = self.rig, self._contacts[slot]
        closed: list[Micros] = []
        rig.run(LIFT_LOCKOUT_US)
        rig.host_events.clear()
        rig.world.watchers.append(closed.append)
        rig.world.put(self._pieces[slot], slot, rig.now + self._dice.randrange(100, 2 * MS))
        rig.run(40 * MS)
        rig.world.watchers.remove(closed.append)
        (told,) = (event[1] for _, event in rig.host_events if event[0] == "placed" and event[2] == contact)
        return min(abs(int(told) - self._hours - PLACE_DEBOUNCE_US - at) for at in closed)
