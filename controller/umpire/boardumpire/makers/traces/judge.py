"""`boardumpire trace judge`: holds what a real board sensed against what the model says of it.

Of a measurement the trace says what was to be done (`slide 1 c3 8 0`), so every change of a contact can be
held against `boardware.physics`. Of a game it says what was ruled, so what no ruling explains is told.
Everything is a sentence about a square, with the model's figure beside the measured one.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import hypot
from statistics import median
from typing import Any, Final, NamedTuple

from boardumpire.makers.measure import CHATTER_CHANGES_MIN
from boardumpire.makers.measurement_result import STRENGTH_RATIO_MAX
from boardumpire.makers.traces.trace import Trace, TraceLine
from boardware.parts import BoardDescription
from boardware.physics.design import DEFAULT_DESIGN, SensorDesign
from boardware.physics.edges import DIRECTIONS, closing_distance_mm, opening_distance_mm
from boardware.physics.fitting import FittedReadings, MeasuredValue, fit, uncovered_readings
from boardware.physics.reach import (
    GAP_VARIATION_MM,
    MAGNET_STRENGTH_RANGE,
    MOUNTING_ERROR_MM,
    ReachCase,
    ReachCases,
    felt_distance_mm,
    reach_cases,
)
from boardware.physics.reading import RulerReading
from boardware.ports import SlotId

READING_SPAN_MAX_MM: Final = 3.0
"""A contact that changed somewhere on a longer stretch is no reading."""


class ModelDifference(NamedTuple):
    """Where a board and the model differ."""

    where: str
    """A square, or a piece."""
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


class ModelComparison(NamedTuple):
    """What comes of comparing."""

    differences: tuple[ModelDifference, ...]
    agreements: tuple[str, ...]
    """What was measured where it agrees, in sentences."""
    doubts: tuple[ModelDifference, ...] = ()
    """What a person may have done as well as a board."""


class MakerStep(NamedTuple):
    """One thing that a maker did, and what the board sensed of it."""

    instruction: tuple[str, ...]
    """In words for programs: `slide 1 c3 8 0`."""
    closed_contacts: frozenset[str]
    """The contacts that were closed when it was done."""
    change_counts: Counter[str]
    """How often each contact had changed meanwhile."""


def judge_measurement(trace: Trace, board: BoardDescription) -> ModelComparison:
    """Compare a trace of a measurement with the model of its board. Raises `TraceError`."""
    design = board.sensor_design or DEFAULT_DESIGN
    done = list(maker_steps(trace))
    for step in done:
        for slot in (*step.instruction[2:3], *step.closed_contacts, *step.change_counts):
            if slot not in board.slots:
                raise trace.error_at(1, f"slot {slot[:60]!r}", f"one of board {board.id}")
    restless = list(_chatter_differences(done, board, design))
    # What a contact says that chatters says nothing of magnets.
    chatters = {each.where for each in restless}
    found = [each for each in extract_readings(done) if each.square not in chatters]
    differs = [*restless, *_unsensed_differences(done, design)]
    agrees: list[str] = []
    if found:
        came = fit(design, found)
        differs += [
            *_piece_differences(came, design, found),
            *_square_differences(came, design),
            *_reading_differences(came, design, found),
        ]
        agrees += _agreement_sentences(came, design, {each.where for each in differs})
    elif not differs:
        raise trace.error_at(
            1, "nothing that was measured", "a measurement that came at least to its first square"
        )
    return ModelComparison(tuple(dict.fromkeys(differs)), tuple(agrees))


# What was done


def maker_steps(trace: Trace) -> Iterator[MakerStep]:
    """What was done, one after the other."""
    closed: set[str] = set()
    changes: Counter[str] = Counter()
    does: tuple[str, ...] | None = None
    for moment in trace.moments:
        for line in moment.lines:
            words = line.rest.split()
            if line.word == "present":
                closed = set(words)
            elif line.word in ("placed", "lifted"):
                (closed.add if line.word == "placed" else closed.discard)(words[0])
                changes[words[0]] += 1
            elif line.word == "told":
                kind, data = parse_told_line(trace, line)
                if does is not None:
                    yield MakerStep(does, frozenset(closed), changes)
                does = None
                if kind == "ask":
                    does = _parse_instruction(trace, line, data.get("do"))
                changes = Counter()


def parse_told_line(trace: Trace, line: TraceLine) -> tuple[str, dict[str, Any]]:
    """Kind and data of what a line tells. Raises `TraceError`."""
    try:
        kind, data = json.loads(line.rest)
    except (ValueError, TypeError):
        kind, data = "", None
    if kind == "readings":
        return kind, {}
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise trace.error_at(line.number, f"told {line.rest[:60]!r}", "[kind, data]")
    return kind, data


_MM_PATTERN = r"-?[0-9]{1,3}(\.[0-9]{1,3})?"
_INSTRUCTION_PATTERN: Final = re.compile(
    rf"|emptied|off [0-9]{{1,3}}|centre [0-9]{{1,3}} \S+|stack [0-9]{{1,3}} \S+ {_MM_PATTERN}"
    rf"|slide [0-9]{{1,3}} \S+ {_MM_PATTERN} {_MM_PATTERN}"
)


def _parse_instruction(trace: Trace, line: TraceLine, text: object) -> tuple[str, ...]:
    """What was to be done. Raises `TraceError`."""
    if not isinstance(text, str) or not _INSTRUCTION_PATTERN.fullmatch(text):
        expected = "emptied, off N, centre N SLOT, stack N SLOT MM or slide N SLOT MM MM"
        raise trace.error_at(line.number, f"to be done: {str(text)[:60]!r}", expected)
    return tuple(text.split())


def extract_readings(done: Iterable[MakerStep]) -> list[RulerReading]:
    """Between which marks contacts changed, of each way the narrowest."""
    found: dict[tuple[str, int, str, bool], RulerReading] = {}
    heights: dict[tuple[str, int], dict[float, bool]] = defaultdict(dict)
    stands: dict[tuple[str, int], tuple[str, float, bool]] = {}
    """By square and piece: which way it was pushed, how far, and whether its contact was closed there."""
    for step in done:
        verb, *words = step.instruction or ("",)
        if verb not in ("centre", "slide", "stack"):
            stands.clear()
            continue
        piece, slot = int(words[0]), words[1]
        key, closed = (slot, piece), slot in step.closed_contacts
        if verb == "stack":
            heights[key][float(words[2])] = closed
            stands.clear()
            continue
        x, y = (float(words[2]), float(words[3])) if verb == "slide" else (0.0, 0.0)
        before, mm = stands.get(key), abs(x) + abs(y)
        way = _direction(x, y) or (before[0] if before else "")
        if before and before[0] in ("", way) and way:
            _, was_at, was_closed = before
            if mm > was_at and was_closed and (not closed or step.change_counts[slot]):
                _keep_narrower(found, RulerReading(slot, piece, way, False, was_at, mm))
            elif mm < was_at and closed and not was_closed:
                _keep_narrower(found, RulerReading(slot, piece, way, True, mm, was_at))
        stands[key] = (way if mm else "", mm, closed)
    for (slot, piece), seen in heights.items():
        low = max((height for height, closed in seen.items() if closed), default=0.0)
        high = min((height for height, closed in seen.items() if not closed), default=low)
        if high > low:
            _keep_narrower(found, RulerReading(slot, piece, "up", True, low, high))
    return [each for each in found.values() if each.high_mm - each.low_mm <= READING_SPAN_MAX_MM]


def _direction(x: float, y: float) -> str:
    return "right" if x > 0 else "left" if x < 0 else "away" if y > 0 else "near" if y < 0 else ""


def _keep_narrower(found: dict[tuple[str, int, str, bool], RulerReading], reading: RulerReading) -> None:
    key = (reading.square, reading.piece, reading.direction, reading.is_closing)
    if key not in found or reading.high_mm - reading.low_mm < found[key].high_mm - found[key].low_mm:
        found[key] = reading


# What differs


def _chatter_differences(
    done: Iterable[MakerStep], board: BoardDescription, design: SensorDesign
) -> Iterator[ModelDifference]:
    """Contacts that changed where nothing moved, or more often than one does that a magnet passes."""
    most = CHATTER_CHANGES_MIN - 1 if design.is_open_below_magnet else 2
    times: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    keenest = reach_cases(design).most_sensitive
    far = max(opening_distance_mm(keenest, way) or 0.0 for way in DIRECTIONS) + 2 * MOUNTING_ERROR_MM
    for step in done:
        target = step.instruction[2] if len(step.instruction) > 2 else None
        for slot, count in step.change_counts.items():
            if slot != target:
                alone[slot] += 0 if _may_be_felt(step, SlotId(slot), board, far) else count
            elif count > most:
                times[slot] = max(times[slot], count)
    for slot, count in sorted(times.items()):
        text = f"its contact changed {count} times while a piece went one mark on; the model: {most} at most"
        yield ModelDifference(slot, text)
    for slot, count in sorted((+alone).items()):
        yield ModelDifference(
            slot, f"its contact changed {count} times while pieces were moved elsewhere; the model: never"
        )


def _may_be_felt(step: MakerStep, slot: SlotId, board: BoardDescription, far: float) -> bool:
    """Whether a piece may be felt there that is pushed to a mark; in a hand it may come past anywhere."""
    if step.instruction[:1] != ("slide",):
        return True
    here, there = board.slots[SlotId(step.instruction[2])].position, board.slots[slot].position
    x, y = float(step.instruction[3]), float(step.instruction[4])
    return hypot(here.x + x - there.x, here.y + y - there.y) <= far


def _unsensed_differences(done: Iterable[MakerStep], design: SensorDesign) -> Iterator[ModelDifference]:
    far = felt_distance_mm(reach_cases(design).weakest)
    says = "not surely" if far is None else f"surely, and up to {far:g} mm off"
    seen = set()
    for step in done:
        if step.instruction[:1] != ("centre",):
            continue
        _, piece, slot = step.instruction
        if slot not in step.closed_contacts and (slot, piece) not in seen:
            seen.add((slot, piece))
            yield ModelDifference(slot, f"nothing is felt of piece {piece} on the middle; the model: {says}")
        for other in sorted(step.closed_contacts - {slot}):
            yield ModelDifference(other, f"closed while piece {piece} stands on {slot}; the model: open")


def _is_surely_outside(value: MeasuredValue, low: float, high: float) -> bool:
    """Whether a value is surely not in a range."""
    return value.best - value.margin > high or value.best + value.margin < low


def _value_text(value: MeasuredValue, digits: int) -> str:
    return f"{value.best:.{digits}f} (give or take {value.margin:.{digits}f})"


def _piece_differences(
    came: FittedReadings, design: SensorDesign, found: Iterable[RulerReading]
) -> Iterator[ModelDifference]:
    low, high = design.strength or MAGNET_STRENGTH_RANGE
    usual = median(value.best for value in came.pieces.values())
    for number, value in came.pieces.items():
        on = ", ".join(dict.fromkeys(each.square for each in found if each.piece == number))
        if _is_surely_outside(value, low, high):
            text = f"on {on}: its magnet has {_value_text(value, 2)} of the strength of {design.magnet_disc}"
            yield ModelDifference(f"piece {number}", f"{text}; the model: {low} to {high}")
        elif not 1 / STRENGTH_RATIO_MAX < (share := value.best / usual) < STRENGTH_RATIO_MAX:
            text = f"on {on}: its magnet is {share:.2f} times as strong as the others'"
            yield ModelDifference(
                f"piece {number}", f"{text}; the model: {low / high:.2f} to {high / low:.2f} times"
            )


def _square_differences(came: FittedReadings, design: SensorDesign) -> Iterator[ModelDifference]:
    part = design.part
    unit = "AT" if part.is_reed else "mT"
    for name, square in came.squares.items():
        right, away = square.sensor_offset_mm
        off = hypot(right.best, away.best)
        sure = max(right.margin, away.margin)
        if off - sure > MOUNTING_ERROR_MM:
            text = (
                f"its sensor lies {off:.1f} mm (give or take {sure:.1f}) off its place, {right.best:+.1f} to"
                f" the right and {away.best:+.1f} away from you; the model: {MOUNTING_ERROR_MM:g} at most"
            )
            yield ModelDifference(name, text)
        allowed = (
            (square.operate, part.operate, 1, f"closes at {{}} {unit}"),
            (square.release, part.release, 2, "holds down to {} of what closes it"),
            (
                square.gap,
                (design.gap_mm - GAP_VARIATION_MM, design.gap_mm + GAP_VARIATION_MM),
                1,
                "has a gap of {} mm",
            ),
        )
        for value, (low, high), digits, text in allowed:
            if _is_surely_outside(value, low, high):
                said = text.format(_value_text(value, digits))
                yield ModelDifference(name, f"its sensor {said}; the model: {low:g} to {high:g}")


def _reading_differences(
    came: FittedReadings, design: SensorDesign, found: list[RulerReading]
) -> Iterator[ModelDifference]:
    """Readings that no parts would give, and those that contradict the others."""
    all_cases = reach_cases(design)
    for each in uncovered_readings(design, found):
        yield ModelDifference(
            each.square, f"{_reading_text(each)}; the model: {_model_range_text(all_cases, each)}"
        )
    for odd in came.odd_readings:
        text = f"{_reading_text(odd.reading)}; the model, by all other readings: at {odd.expected:.0f} mm"
        yield ModelDifference(odd.reading.square, text)


def _reading_text(reading: RulerReading) -> str:
    verb = "closes" if reading.is_closing else "opens"
    where = "on spacers" if reading.direction == "up" else f"moved {reading.direction}"
    return f"piece {reading.piece}, {where}, {verb} between {reading.low_mm:g} and {reading.high_mm:g} mm"


def _model_range_text(all_cases: ReachCases, reading: RulerReading) -> str:
    edge = closing_distance_mm if reading.is_closing else opening_distance_mm
    near, far = edge(all_cases.weakest, reading.direction), edge(all_cases.most_sensitive, reading.direction)
    if near is None and far is None:
        return "never"
    return f"{'not surely' if near is None else f'{near:g}'} to {'never' if far is None else f'{far:g}'} mm"


def _agreement_sentences(came: FittedReadings, design: SensorDesign, differing: set[str]) -> Iterator[str]:
    weakest, usual, keenest = map(_sensed_offset_mm, reach_cases(design))
    model = f"{max(0.0, weakest - MOUNTING_ERROR_MM):g} to {keenest:g}, usually {usual:g}"
    for name, square in came.squares.items():
        if name not in differing:
            felt = _value_text(square.felt_mm, 1)
            yield f"{name}: agrees; a piece is felt {felt} mm off the middle; the model: {model}"


def _sensed_offset_mm(case: ReachCase) -> float:
    """How far off the middle a piece closes its contact, whichever of four ways it is off."""
    return min(closing_distance_mm(case, way) or 0.0 for way in DIRECTIONS if way != "up")
