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
from boardware.physics.design import DEFAULT_DESIGN
from boardware.physics.edges import DIRECTIONS, closing_distance_mm, opening_distance_mm
from boardware.physics.reach import reach_cases
from boardware.physics.reading import RulerReading
from boardware.ports import SECOND, SlotId

MARK_SPACING_MM: Final = 2
"""Between two marks on the ruler."""
SPACER_MM: Final = 1.5
"""One spacer, unless the maker says: a beer mat has 1.4, a coin of 1 euro cent 1.67."""
PIECE_NUMBERS: Final = (1, 2, 3)
SQUARE_COUNT: Final = 5
PUSH_MAX_MM: Final = 30
"""Farther out a piece belongs to another square."""
SPACERS_MAX: Final = 20
CHATTER_CHANGES_MIN: Final = 4
"""A contact that changes so often while a piece goes from one mark to the next chatters."""

_WAY_WORDS = {
    "right": "to the right of the middle",
    "left": "to the left of the middle",
    "away": "away from you, from the middle",
    "near": "towards you, from the middle",
}
PUT_MARK = "put"


class _RestartPieceError(Exception):
    """The person wants to begin again with this piece on this square."""


@dataclass
class MeasurementResult:
    """What was measured."""

    readings: list[RulerReading] = field(default_factory=list)
    unsensed_pieces: list[tuple[str, int]] = field(default_factory=list)
    """Where nothing was felt of which piece, right on the middle."""
    neighbours_closed: dict[str, set[str]] = field(default_factory=dict)
    """By square which other contacts closed while a piece stood on its middle."""
    closed_when_empty: frozenset[str] = frozenset()
    """The contacts that were closed on the empty board."""
    chatter_counts: dict[str, int] = field(default_factory=dict)
    """By contact how often it changed between two marks, where that was too often."""

    def objections(self) -> list[str]:
        """What has to be mended before anything can be measured, in sentences."""
        told = [
            f"{slot}: its contact is closed on the empty board" for slot in sorted(self.closed_when_empty)
        ]
        told += [
            f"{slot}: nothing is felt of piece {piece} on the middle" for slot, piece in self.unsensed_pieces
        ]
        told += [
            f"{', '.join(sorted(others))}: closes while a piece stands on {slot}"
            for slot, others in sorted(self.neighbours_closed.items())
        ]
        return told + [
            f"{slot}: its contact changed {times} times between two marks"
            for slot, times in sorted(self.chatter_counts.items())
        ]


def squares_to_measure(board: BoardDescription) -> list[SlotId]:
    """The five squares that are measured: the middle one, and those nearest to the corners."""
    slots = [slot for slot in board.slots_by_contact.values() if "/" not in slot]
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
    return found[:SQUARE_COUNT]


class Measurement:
    """One measurement; `run_steps` is for a `Guide` over the board as its file has it."""

    def __init__(
        self, board: BoardDescription, *, spacer_mm: float = SPACER_MM, pieces: Sequence[int] = PIECE_NUMBERS
    ) -> None:
        self.board = board
        self.spacer_mm = spacer_mm
        self.pieces = tuple(pieces)
        self.result = MeasurementResult()
        usual = reach_cases(board.sensor_design or DEFAULT_DESIGN).usual
        self._guess: dict[tuple[str, bool], float] = {}
        """By way, out or back, where the contact changed last, or should by the model."""
        for way in DIRECTIONS:
            for back, found in (
                (False, opening_distance_mm(usual, way)),
                (True, closing_distance_mm(usual, way)),
            ):
                self._guess[way, back] = 10.0 if found is None else found

    def run_steps(self) -> Generator[GuideRequest, GuideReply, MeasurementResult]:
        """Everything, one after the other."""
        text = (
            f"Take every piece off the board. Have {len(self.pieces)} pieces ready and write"
            f" {', '.join(map(str, self.pieces))} on them, a ruler with a mark every {MARK_SPACING_MM} mm,"
            f" and spacers of {self.spacer_mm:g} mm. Then answer yes."
        )
        yield GuideRequest("answer", text, {}, VisibleSign("emptied"))
        came = yield GuideRequest("watch", "Nobody touches the board.", duration=SECOND)
        self.result.closed_when_empty = came.closed_contacts
        for number, slot in enumerate(squares_to_measure(self.board)):
            for piece in self.pieces:
                while not (yield from self._measure_or_restart(slot, piece, number)):
                    self._discard_readings(slot, piece)
        return self.result

    def _measure_or_restart(
        self, slot: SlotId, piece: int, number: int
    ) -> Generator[GuideRequest, GuideReply, bool]:
        """One piece on one square; whether nobody wanted to begin again."""
        try:
            yield from self._measure_piece(slot, piece, first=piece == self.pieces[0], number=number)
        except _RestartPieceError:
            return False
        return True

    def _discard_readings(self, slot: SlotId, piece: int) -> None:
        """What was measured of a piece on a square was wrong."""
        self.result.readings = [
            each for each in self.result.readings if (each.square, each.piece) != (slot, piece)
        ]
        self.result.unsensed_pieces = [each for each in self.result.unsensed_pieces if each != (slot, piece)]

    def _measure_piece(
        self, slot: SlotId, piece: int, *, first: bool, number: int
    ) -> Generator[GuideRequest, GuideReply, None]:
        """One piece on one square."""
        came = yield from self._ask(
            slot,
            f"Put piece {piece} on the middle of {slot_name(self.board, slot)}, where the lamp blinks."
            " If anything goes wrong with it later answer no, and begin again here.",
            f"centre {piece} {slot}",
        )
        if slot not in came.closed_contacts:
            self.result.unsensed_pieces.append((slot, piece))
        else:
            others = came.closed_contacts - {slot} - self.result.closed_when_empty
            if others:
                self.result.neighbours_closed.setdefault(slot, set()).update(others)
            ways = [way for way in DIRECTIONS if way != "up"]
            # All ways with one piece: where the sensor lies. The others only say how strong they are.
            for way in ways if first else [ways[(number + piece) % len(ways)]]:
                yield from self._measure_way(slot, piece, way)
            yield from self._measure_height(slot, piece)
        yield from self._ask(slot, f"Take piece {piece} off the board.", f"off {piece}")

    def _ask(self, slot: SlotId, text: str, done: str) -> Generator[GuideRequest, GuideReply, GuideReply]:
        """Have something done; it is done when the answer comes."""
        space = slot.partition("/")[0]
        marks = {space: PUT_MARK} if space in self.board.lamps else {}
        came = yield GuideRequest(
            "answer", f"{text} Then yes.", marks, VisibleSign(done), space=slot, buttons_may_answer=True
        )
        if came.answer is False:
            raise _RestartPieceError
        restless = {name: times for name, times in came.change_counts.items() if times >= CHATTER_CHANGES_MIN}
        for name, times in restless.items():
            self.result.chatter_counts[name] = max(times, self.result.chatter_counts.get(name, 0))
        return came

    def _push_to_mark(
        self, slot: SlotId, piece: int, way: str, mm: float
    ) -> Generator[GuideRequest, GuideReply, tuple[bool, bool]]:
        """Have a piece pushed to a mark: whether its contact is closed there, and whether it changed."""
        x, y, _ = DIRECTIONS[way]
        here = slot_name(self.board, slot)
        where = f"{mm:g} mm {_WAY_WORDS[way]} of {here}" if mm else f"the middle of {here}"
        done = f"slide {piece} {slot} {x * mm:g} {y * mm:g}"
        came = yield from self._ask(slot, f"Push piece {piece} to {where}.", done)
        return slot in came.closed_contacts, came.change_counts.get(slot, 0) > 0

    def _measure_way(self, slot: SlotId, piece: int, way: str) -> Generator[GuideRequest, GuideReply, None]:
        """Out until the contact opens, back until it closes; out again where the first mark was too far."""
        first = self._first_mark(way, back=False)
        opened = yield from self._push_out(slot, piece, way, 0, first)
        if opened is None:
            return
        low, high, lobe = opened
        closed: float | None = None
        if not lobe:
            closed = yield from self._push_back(slot, piece, way, high)
        if closed is not None and high - low > MARK_SPACING_MM:
            opened = yield from self._push_out(slot, piece, way, closed, closed + MARK_SPACING_MM)
            if opened is None:
                return
            low, high, _ = opened
        self._add_reading(RulerReading(slot, piece, way, False, low, high))
        if closed is not None:
            self._add_reading(RulerReading(slot, piece, way, True, closed, closed + MARK_SPACING_MM))
        yield from self._push_to_mark(slot, piece, way, 0)

    def _first_mark(self, way: str, *, back: bool) -> float:
        """The mark at which a contact surely hasn't changed yet, as far as can be guessed."""
        marks = int(self._guess[way, back] / MARK_SPACING_MM)
        return max(1, marks - 2) * MARK_SPACING_MM

    def _push_out(
        self, slot: SlotId, piece: int, way: str, start: float, mark: float
    ) -> Generator[GuideRequest, GuideReply, tuple[float, float, bool] | None]:
        """Between which marks the contact opens, and whether it is closed again at the second."""
        while mark <= PUSH_MAX_MM:
            closed, changed = yield from self._push_to_mark(slot, piece, way, mark)
            if not closed or changed:
                return start, mark, closed
            start, mark = mark, mark + MARK_SPACING_MM
        return None

    def _push_back(
        self, slot: SlotId, piece: int, way: str, mark: float
    ) -> Generator[GuideRequest, GuideReply, float | None]:
        """The mark at which the contact is closed again, on the way in."""
        while mark > 0:
            mark -= MARK_SPACING_MM
            closed, _ = yield from self._push_to_mark(slot, piece, way, mark)
            if closed:
                return mark
        return None

    def _measure_height(self, slot: SlotId, piece: int) -> Generator[GuideRequest, GuideReply, None]:
        """From how high a piece that comes down closes its contact: the most spacers with which it does."""
        number = max(1, min(SPACERS_MAX, round(self._guess["up", True] / self.spacer_mm)))
        closed = yield from self._place_on_spacers(slot, piece, number)
        if closed:
            while closed and number < SPACERS_MAX:
                number += 1
                closed = yield from self._place_on_spacers(slot, piece, number)
            if closed:
                return
            number -= 1
        else:
            while not closed and number > 1:
                number -= 1
                closed = yield from self._place_on_spacers(slot, piece, number)
            number -= not closed
        low, high = number * self.spacer_mm, (number + 1) * self.spacer_mm
        self._add_reading(RulerReading(slot, piece, "up", True, low, high))

    def _place_on_spacers(
        self, slot: SlotId, piece: int, number: int
    ) -> Generator[GuideRequest, GuideReply, bool]:
        here = slot_name(self.board, slot)
        text = f"Lift piece {piece}, lay {number} spacers on {here}, and set it down upon them."
        came = yield from self._ask(slot, text, f"stack {piece} {slot} {number * self.spacer_mm:g}")
        return slot in came.closed_contacts

    def _add_reading(self, reading: RulerReading) -> None:
        self.result.readings.append(reading)
        self._guess[reading.direction, reading.is_closing] = (reading.low_mm + reading.high_mm) / 2
