"""`boardumpire calibrate --measure`: leads a maker through what a ruler and spacers can measure of a board.

Three pieces on five squares. On each square a piece is pushed from mark to mark, out until the contact opens
and back until it closes, and set down on spacers. Between which two marks the contact changed is a reading;
`boardware.physics.fitting` makes magnets and sensors of them. Nobody has to read anything off.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Final

from boardumpire.makers.bare_board import slot_name
from boardumpire.makers.guide import GuideReply, GuideRequest, VisibleSign
from boardware.parts import BoardDescription
from boardware.physics.design import USUAL
from boardware.physics.edges import WAYS, closes, opens
from boardware.physics.reach import cases
from boardware.physics.reading import Reading
from boardware.ports import SECOND, SlotId

MARKS_MM: Final = 2
"""Between two marks on the ruler."""
SPACER_MM: Final = 1.5
"""One spacer, unless the maker says: a beer mat has 1.4, a coin of 1 euro cent 1.67."""
PIECES: Final = (1, 2, 3)
SQUARES: Final = 5
ALONE_MM: Final = 30
"""Farther out a piece belongs to another square."""
MOST_SPACERS: Final = 20
RESTLESS: Final = 4
"""A contact that changes so often while a piece goes from one mark to the next chatters."""

_SAID = {
    "right": "to the right of the middle",
    "left": "to the left of the middle",
    "away": "away from you, from the middle",
    "near": "towards you, from the middle",
}
PUT = "put"


class _AgainError(Exception):
    """The person wants to begin again with this piece on this square."""


@dataclass
class MeasurementResult:
    """What was measured."""

    readings: list[Reading] = field(default_factory=list)
    silent: list[tuple[str, int]] = field(default_factory=list)
    """Where nothing was felt of which piece, right on the middle."""
    beside: dict[str, set[str]] = field(default_factory=dict)
    """By square which other contacts closed while a piece stood on its middle."""
    idle: frozenset[str] = frozenset()
    """The contacts that were closed on the empty board."""
    restless: dict[str, int] = field(default_factory=dict)
    """By contact how often it changed between two marks, where that was too often."""

    def objections(self) -> list[str]:
        """What has to be mended before anything can be measured, in sentences."""
        told = [f"{slot}: its contact is closed on the empty board" for slot in sorted(self.idle)]
        told += [f"{slot}: nothing is felt of piece {piece} on the middle" for slot, piece in self.silent]
        told += [
            f"{', '.join(sorted(others))}: closes while a piece stands on {slot}"
            for slot, others in sorted(self.beside.items())
        ]
        return told + [
            f"{slot}: its contact changed {times} times between two marks"
            for slot, times in sorted(self.restless.items())
        ]


def squares(board: BoardDescription) -> list[SlotId]:
    """The five squares that are measured: the middle one, and those nearest to the corners."""
    slots = [slot for slot in board.contacts.values() if "/" not in slot]
    width, height = board.size
    spots = [(width / 2, height / 2), (0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
    found: list[SlotId] = []
    for x, y in spots:
        left = [slot for slot in slots if slot not in found]
        if left:
            at = board.slots
            found.append(
                min(left, key=lambda slot: (at[slot].position.x - x) ** 2 + (at[slot].position.y - y) ** 2)
            )
    return found[:SQUARES]


class Measurement:
    """One measurement; `check` is for a `Guide` over the board as its file has it."""

    def __init__(
        self, board: BoardDescription, *, spacer_mm: float = SPACER_MM, pieces: Sequence[int] = PIECES
    ) -> None:
        self.board = board
        self.spacer_mm = spacer_mm
        self.pieces = tuple(pieces)
        self.measured = MeasurementResult()
        usual = cases(board.sensing or USUAL).usual
        self._guess: dict[tuple[str, bool], float] = {}
        """By way, out or back, where the contact changed last, or should by the model."""
        for way in WAYS:
            for back, found in ((False, opens(usual, way)), (True, closes(usual, way))):
                self._guess[way, back] = 10.0 if found is None else found

    def check(self) -> Generator[GuideRequest, GuideReply, MeasurementResult]:
        """Everything, one after the other."""
        text = (
            f"Take every piece off the board. Have {len(self.pieces)} pieces ready and write"
            f" {', '.join(map(str, self.pieces))} on them, a ruler with a mark every {MARKS_MM} mm,"
            f" and spacers of {self.spacer_mm:g} mm. Then answer yes."
        )
        yield GuideRequest("answer", text, {}, VisibleSign("emptied"))
        came = yield GuideRequest("watch", "Nobody touches the board.", span=SECOND)
        self.measured.idle = came.closed
        for number, slot in enumerate(squares(self.board)):
            for piece in self.pieces:
                while not (yield from self._done(slot, piece, number)):
                    self._forget(slot, piece)
        return self.measured

    def _done(self, slot: SlotId, piece: int, number: int) -> Generator[GuideRequest, GuideReply, bool]:
        """One piece on one square; whether nobody wanted to begin again."""
        try:
            yield from self._one(slot, piece, first=piece == self.pieces[0], number=number)
        except _AgainError:
            return False
        return True

    def _forget(self, slot: SlotId, piece: int) -> None:
        """What was measured of a piece on a square was wrong."""
        self.measured.readings = [
            each for each in self.measured.readings if (each.square, each.piece) != (slot, piece)
        ]
        self.measured.silent = [each for each in self.measured.silent if each != (slot, piece)]

    def _one(
        self, slot: SlotId, piece: int, *, first: bool, number: int
    ) -> Generator[GuideRequest, GuideReply, None]:
        """One piece on one square."""
        came = yield from self._ask(
            slot,
            f"Put piece {piece} on the middle of {slot_name(self.board, slot)}, where the lamp blinks."
            " If anything goes wrong with it later answer no, and begin again here.",
            f"centre {piece} {slot}",
        )
        if slot not in came.closed:
            self.measured.silent.append((slot, piece))
        else:
            others = came.closed - {slot} - self.measured.idle
            if others:
                self.measured.beside.setdefault(slot, set()).update(others)
            ways = [way for way in WAYS if way != "up"]
            # All ways with one piece: where the sensor lies. The others only say how strong they are.
            for way in ways if first else [ways[(number + piece) % len(ways)]]:
                yield from self._along(slot, piece, way)
            yield from self._on_spacers(slot, piece)
        yield from self._ask(slot, f"Take piece {piece} off the board.", f"off {piece}")

    def _ask(self, slot: SlotId, text: str, done: str) -> Generator[GuideRequest, GuideReply, GuideReply]:
        """Have something done; it is done when the answer comes."""
        space = slot.partition("/")[0]
        marks = {space: PUT} if space in self.board.lamps else {}
        came = yield GuideRequest(
            "answer", f"{text} Then yes.", marks, VisibleSign(done), space=slot, buttons=True
        )
        if came.answer is False:
            raise _AgainError
        restless = {name: times for name, times in came.changes.items() if times >= RESTLESS}
        for name, times in restless.items():
            self.measured.restless[name] = max(times, self.measured.restless.get(name, 0))
        return came

    def _push(
        self, slot: SlotId, piece: int, way: str, mm: float
    ) -> Generator[GuideRequest, GuideReply, tuple[bool, bool]]:
        """Have a piece pushed to a mark: whether its contact is closed there, and whether it changed."""
        x, y, _ = WAYS[way]
        here = slot_name(self.board, slot)
        where = f"{mm:g} mm {_SAID[way]} of {here}" if mm else f"the middle of {here}"
        done = f"slide {piece} {slot} {x * mm:g} {y * mm:g}"
        came = yield from self._ask(slot, f"Push piece {piece} to {where}.", done)
        return slot in came.closed, came.changes.get(slot, 0) > 0

    def _along(self, slot: SlotId, piece: int, way: str) -> Generator[GuideRequest, GuideReply, None]:
        """Out until the contact opens, back until it closes; out again where the first mark was too far."""
        first = self._before(way, back=False)
        opened = yield from self._out(slot, piece, way, 0, first)
        if opened is None:
            return
        low, high, lobe = opened
        closed: float | None = None
        if not lobe:
            closed = yield from self._back(slot, piece, way, high)
        if closed is not None and high - low > MARKS_MM:
            opened = yield from self._out(slot, piece, way, closed, closed + MARKS_MM)
            if opened is None:
                return
            low, high, _ = opened
        self._note(Reading(slot, piece, way, False, low, high))
        if closed is not None:
            self._note(Reading(slot, piece, way, True, closed, closed + MARKS_MM))
        yield from self._push(slot, piece, way, 0)

    def _before(self, way: str, *, back: bool) -> float:
        """The mark at which a contact surely hasn't changed yet, as far as can be guessed."""
        marks = int(self._guess[way, back] / MARKS_MM)
        return max(1, marks - 2) * MARKS_MM

    def _out(
        self, slot: SlotId, piece: int, way: str, start: float, mark: float
    ) -> Generator[GuideRequest, GuideReply, tuple[float, float, bool] | None]:
        """Between which marks the contact opens, and whether it is closed again at the second."""
        while mark <= ALONE_MM:
            closed, changed = yield from self._push(slot, piece, way, mark)
            if not closed or changed:
                return start, mark, closed
            start, mark = mark, mark + MARKS_MM
        return None

    def _back(
        self, slot: SlotId, piece: int, way: str, mark: float
    ) -> Generator[GuideRequest, GuideReply, float | None]:
        """The mark at which the contact is closed again, on the way in."""
        while mark > 0:
            mark -= MARKS_MM
            closed, _ = yield from self._push(slot, piece, way, mark)
            if closed:
                return mark
        return None

    def _on_spacers(self, slot: SlotId, piece: int) -> Generator[GuideRequest, GuideReply, None]:
        """From how high a piece that comes down closes its contact: the most spacers with which it does."""
        number = max(1, min(MOST_SPACERS, round(self._guess["up", True] / self.spacer_mm)))
        closed = yield from self._stack(slot, piece, number)
        if closed:
            while closed and number < MOST_SPACERS:
                number += 1
                closed = yield from self._stack(slot, piece, number)
            if closed:
                return
            number -= 1
        else:
            while not closed and number > 1:
                number -= 1
                closed = yield from self._stack(slot, piece, number)
            number -= not closed
        low, high = number * self.spacer_mm, (number + 1) * self.spacer_mm
        self._note(Reading(slot, piece, "up", True, low, high))

    def _stack(self, slot: SlotId, piece: int, number: int) -> Generator[GuideRequest, GuideReply, bool]:
        here = slot_name(self.board, slot)
        text = f"Lift piece {piece}, lay {number} spacers on {here}, and set it down upon them."
        came = yield from self._ask(slot, text, f"stack {piece} {slot} {number * self.spacer_mm:g}")
        return slot in came.closed

    def _note(self, reading: Reading) -> None:
        self.measured.readings.append(reading)
        self._guess[reading.way, reading.closes] = (reading.low + reading.high) / 2
