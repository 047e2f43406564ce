"""Holds a trace of a game against the model: what contacts did that no ruling and no hand explains.

Hands do much that is never ruled: they lift pieces and put them back, touch them, knock them over. So single
events say little. What is told is what a sound board doesn't do however people play.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from boardumpire.makers.traces.judge import ModelComparison, ModelDifference, parse_told_line
from boardumpire.makers.traces.trace import Trace
from boardware.parts import BoardDescription
from boardware.physics.design import DEFAULT_DESIGN, SensorDesign
from boardware.physics.reach import compute_reaches, felt_distance_mm, neighbours_on_board, reach_cases
from boardware.ports import MS, SECOND, Micros

FLICKER_CHANGES: Final = 6
"""A contact that changes so often within `FLICKER_WINDOW_US` is in nobody's hand: an estimate."""
FLICKER_WINDOW_US: Final[Micros] = 500 * MS
DIP_MAX_US: Final[Micros] = 250 * MS
"""A contact that closes again so soon let go of a piece that was touched, not lifted."""
DIPS_MIN: Final = 4
"""So often nobody touches one piece without meaning anything: an estimate."""
UNEXPLAINED_CLOSURES_MIN: Final = 3
"""So often nobody sets a piece down on one square that came from beside the board: an estimate."""
EXPLANATION_WINDOW_US: Final[Micros] = 20 * SECOND
"""What is ruled so long afterwards may explain a change."""
IN_HAND_MAX_US: Final[Micros] = 120 * SECOND
"""So long a piece may be in a hand."""


class ContactChange(NamedTuple):
    """A contact opened or closed."""

    at: Micros
    slot: str
    closed: bool


class TracedGame(NamedTuple):
    """What a trace of a game says."""

    changes: list[ContactChange]
    """From when pieces may move."""
    rulings: list[tuple[Micros, frozenset[str]]]
    """When something was ruled or asked, and the spaces that it names."""
    end: Micros
    lift_counts: Counter[str]
    """How often each space was left, as was ruled."""


def judge_game(trace: Trace, board: BoardDescription) -> ModelComparison:
    """Compare a trace of a game with the model of its board. Raises `TraceError`."""
    design = board.sensor_design or DEFAULT_DESIGN
    played = _extract_game(trace, board)
    if not played.rulings:
        raise trace.error_at(1, "no move that was ruled", "a game in which pieces were moved")
    flickering = dict(_flickering_contacts(played))
    differs = [ModelDifference(slot, f"{said}; the model: never") for slot, said in flickering.items()]
    rest = played._replace(changes=[each for each in played.changes if each.slot not in flickering])
    differs += [*_dip_differences(rest, design), *_unexplained_closures(rest, design, board)]
    doubts = tuple(_unexplained_openings(rest))
    wrong = {each.where for each in (*differs, *doubts)}
    agrees = []
    moved = {slot for slot in played.lift_counts if slot not in wrong}
    if moved:
        says = f"{len(moved)} squares agree: {len(played.changes)} changes of contacts, none of them strange"
        agrees.append(f"{says}; the model: {_sure_sensing_text(design)}")
    return ModelComparison(tuple(differs), tuple(agrees), doubts)


def _sure_sensing_text(design: SensorDesign) -> str:
    far = felt_distance_mm(reach_cases(design).weakest)
    return (
        "not even a piece on the middle is sure" if far is None else f"a piece is felt up to {far:g} mm off"
    )


def _extract_game(trace: Trace, board: BoardDescription) -> TracedGame:
    changes: list[ContactChange] = []
    ruled: list[tuple[Micros, frozenset[str]]] = []
    lifts: Counter[str] = Counter()
    begun: Micros = 0
    for moment in trace.moments:
        for line in moment.lines:
            if line.word in ("placed", "lifted"):
                slot, _, at = line.rest.partition(" ")
                when = int(at) if at else moment.at
                changes.append(ContactChange(when, slot, line.word == "placed"))
            elif line.word == "told":
                kind, data = parse_told_line(trace, line)
                named = _spaces_named(kind, data, board)
                if named:
                    ruled.append((moment.at, named))
                    lifts.update(named)
                elif kind == "turn" and not ruled:
                    begun = moment.at
    end = trace.moments[-1].at if trace.moments else 0
    return TracedGame([each for each in changes if each.at >= begun], ruled, end, lifts)


def _spaces_named(kind: str, data: dict[str, object], board: BoardDescription) -> frozenset[str]:
    """The spaces that something told names."""
    if kind == "ruling":
        words = re.findall(r"[\w/]+", str(data.get("action") or ""))
    elif kind in ("question", "fault"):
        found = data.get("spaces")
        words = [str(each) for each in found] if isinstance(found, list) else []
    elif kind == "chores":
        found = data.get("chores")
        words = (
            [str(each["space"]) for each in found if each["do"] == "take"] if isinstance(found, list) else []
        )
    else:
        words = []
    return frozenset(word for word in words if word in board.spaces)


def _space_of_slot(slot: str) -> str:
    return slot.partition("/")[0]


def _flickering_contacts(played: TracedGame) -> Iterator[tuple[str, str]]:
    """Contacts that open and close again and again within a moment."""
    times: dict[str, list[Micros]] = defaultdict(list)
    for each in played.changes:
        times[each.slot].append(each.at)
    for slot, moments in sorted(times.items()):
        for first, last in zip(moments, moments[FLICKER_CHANGES - 1 :], strict=False):
            if last - first <= FLICKER_WINDOW_US:
                lasts = (last - first) // MS
                yield (
                    slot,
                    f"its contact changed {FLICKER_CHANGES} times within {lasts} ms, at {first / SECOND:.1f}"
                    " s",
                )
                break


def _is_explained(played: TracedGame, slot: str, at: Micros) -> bool:
    return any(
        at - SECOND <= when <= at + EXPLANATION_WINDOW_US and _space_of_slot(slot) in named
        for when, named in played.rulings
    )


def _dip_differences(played: TracedGame, design: SensorDesign) -> Iterator[ModelDifference]:
    """Contacts that let go of a piece that stands, for a moment, more often than people touch pieces."""
    count: Counter[str] = Counter()
    opened: dict[str, Micros] = {}
    for each in played.changes:
        if not each.closed:
            opened[each.slot] = each.at
        elif each.at - opened.get(each.slot, each.at - DIP_MAX_US - 1) <= DIP_MAX_US:
            count[each.slot] += not _is_explained(played, each.slot, each.at)
    for slot, times in sorted(count.items()):
        if times >= DIPS_MIN:
            text = (
                f"its contact let go for under {DIP_MAX_US // MS} ms {times} times, and nothing was ruled of"
                " it"
            )
            yield ModelDifference(slot, f"{text}; the model: {_sure_sensing_text(design)}")


def _unexplained_closures(
    played: TracedGame, design: SensorDesign, board: BoardDescription
) -> Iterator[ModelDifference]:
    """Contacts that closed while no piece was in a hand, and none was about to be."""
    worst = compute_reaches(design, neighbours_on_board(board)).worst
    share = max(worst.neighbour_share, worst.crowd_share)
    lifted: list[Micros] = []
    found: Counter[str] = Counter()
    waiting: list[ContactChange] = []
    strange: set[str] = set()
    """Where a contact is closed that no hand closed: that it opens is no lift either."""
    for each in played.changes:
        late = [closed for closed in waiting if each.at - closed.at > SECOND]
        waiting = [closed for closed in waiting if closed not in late]
        found.update(closed.slot for closed in late)
        strange |= {closed.slot for closed in late}
        lifted = [at for at in lifted if each.at - at <= IN_HAND_MAX_US]
        if not each.closed and each.slot in strange:
            strange.discard(each.slot)
        elif not each.closed:
            if waiting:  # pushed over a border: the new contact closed before the old one opened
                waiting.pop(0)
            else:
                lifted.append(each.at)
        elif lifted:
            lifted.pop()
        else:
            waiting.append(each)
    found.update(closed.slot for closed in waiting)
    for slot, times in sorted(found.items()):
        if times < UNEXPLAINED_CLOSURES_MIN:
            continue
        text = f"its contact closed {times} times though no piece had been lifted"
        yield ModelDifference(
            slot, f"{text}; the model: all others do {100 * share:.0f} % of what holds one, at worst"
        )


def _unexplained_openings(played: TracedGame) -> Iterator[ModelDifference]:
    """Contacts that opened and stayed so, though nothing was ruled of their square.

    A piece that was knocked over and is left lying does the same.
    """
    last = {each.slot: each for each in played.changes}
    for slot, each in sorted(last.items()):
        named = any(
            _space_of_slot(slot) in spaces and when >= each.at - IN_HAND_MAX_US
            for when, spaces in played.rulings
        )
        if not each.closed and not named and played.end - each.at > EXPLANATION_WINDOW_US:
            text = (
                f"its contact opened at {each.at / SECOND:.1f} s and never closed again, with nothing ruled"
            )
            yield ModelDifference(slot, f"{text}: was the piece taken off, or knocked over?")
