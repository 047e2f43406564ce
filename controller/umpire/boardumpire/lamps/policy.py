"""What the lamps mean: the public state of hands and rulings as marks of the `legend`. Pure.

What a game itself shows is made into marks by `view_marks`; it lies beneath these, and `display` shows all of
it. All that goes in is public, so the lamps can't tell a secret.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from boardrules.core import Event, Layout, Seat, Space
from boardrules.marks import sweep_mark
from boardumpire.ruling.umpire import Ruling, battle_result, battle_spaces, space_answer
from boardumpire.tracking.events import BoardGuidance, Correction
from boardumpire.tracking.model import Place, PublicPosition
from boardumpire.tracking.questions import PENDING_ATTACK_CODES, UNSENSED_MOVE_CODES, TrackerQuestion
from boardware.parts import LampAt
from boardware.ports import MS, SECOND, LampId, Micros
from boardwire.lights import MAX_SWEEP_PLACE

REFUSAL_SHOW_US: Micros = 1200 * MS
"""How long a refusal flashes."""
BATTLE_SHOW_US: Micros = 1500 * MS
"""How long the result of a battle sweeps."""
ANSWER_SHOW_US: Micros = 6 * SECOND
"""How long an answer is shown."""

FINALE_DELAY_US: Micros = 2 * SECOND
"""How long after the end of a game its finale begins ..."""
FINALE_FRAME_US: Micros = 1 * SECOND
"""... and how long each of its steps is shown."""

Marks = Mapping[LampId, str]
_BATTLE_MARKS = {"attacker": "attacker-stands", "defender": "defender-stands", "both": "both-fall"}
_CORRECTION_MARKS = {"put": "put", "take": "take", "centre": "put", "ring": "put"}


class LightShow(NamedTuple):
    """Marks that outrank all others from one moment to another."""

    marks: Marks
    until: Micros
    since: Micros = 0


class AwaitedAnswer(NamedTuple):
    """An answer that is waited for: to a question, a proposal, or an offer. Public."""

    seats: frozenset[Seat] = frozenset()
    """Who may give it."""
    spaces: tuple[Space, ...] = ()
    """What it is about."""
    lamps: tuple[LampId, ...] = ()
    """The lamps of those who may give it (`side_lamps`)."""


def ruling_show(ruling: Ruling, now: Micros) -> LightShow | None:
    """What a ruling shows for a while: a refusal where hands tried it, the result of a battle."""
    if ruling.refusal is not None:
        return (
            LightShow(dict.fromkeys(ruling.hand_move, "refused"), now + REFUSAL_SHOW_US)
            if ruling.hand_move
            else None
        )
    return battle_show(ruling.events, now)


def battle_show(events: Iterable[Event], now: Micros) -> LightShow | None:
    """The result of a battle, for a while."""
    for event in events:
        data = dict(event.data)
        result, way = battle_result(event.kind, data), battle_spaces(event.kind, data)
        if result is not None and way is not None and event.audience is None:
            mark = _BATTLE_MARKS[result]
            return LightShow({way[0]: sweep_mark(mark, 0), way[1]: sweep_mark(mark, 1)}, now + BATTLE_SHOW_US)
    return None


def answers_show(events: Iterable[Event], now: Micros) -> LightShow | None:
    """What was answered about spaces, for a while."""
    told = (space_answer(event.kind, dict(event.data)) for event in events if event.audience is None)
    marks: Marks = {each[0]: "is-here" if each[1] else "not-here" for each in told if each is not None}
    return LightShow(marks, now + ANSWER_SHOW_US) if marks else None


def end_marks(winners: Sequence[LampId], others: Sequence[LampId], *, resigned: bool) -> dict[LampId, str]:
    """How a game has ended, by the lamps of the sides that won and of all others. Where nobody won it is a
    draw; `resigned`: the others gave up."""
    if not winners:
        return _sweep_marks(others, "both-fall")
    return {
        **(_sweep_marks(others, "defender-stands") if resigned else {}),
        **_sweep_marks(winners, "attacker-stands"),
    }


def _sweep_marks(lamps: Sequence[LampId], mark: str) -> dict[LampId, str]:
    return {lamp: f"{mark}+{min(number, MAX_SWEEP_PLACE)}" for number, lamp in enumerate(lamps)}


def finale_frame_shows(frames: Iterable[Marks], now: Micros) -> Iterator[LightShow]:
    """What a game that has ended shows once more, one after the other."""
    for number, marks in enumerate(frames):
        since = now + FINALE_DELAY_US + number * FINALE_FRAME_US
        yield LightShow(marks, since + FINALE_FRAME_US, since)


def fault_show(lamps: Iterable[LampId], now: Micros) -> LightShow:
    """What a fault shows for a while."""
    return LightShow(dict.fromkeys(lamps, "refused"), now + REFUSAL_SHOW_US)


def hints_after_lift(position: PublicPosition, guidance: BoardGuidance) -> dict[Place, Marks]:
    """For each space the marks that come on top of those of now when its piece is the first to be lifted.

    Nothing while hands have something to do or to answer already: what a lift means then is not foreseen.
    """
    busy = guidance.corrections or guidance.lifted_places or guidance.question or guidance.overdue_pieces
    if busy:
        return {}
    hints: dict[Place, Marks] = {}
    for space in position.judged_places() - position.hand_played_places - position.places_awaiting_answer:
        moves = position.owners[space] in position.seats_to_move
        steps = position.hints.get(space) or position.steps.get(space, {}) if moves else {}
        hints[space] = {**_hint_marks(steps), space: "may-leave" if space in steps else "lifted"}
    return hints


def _hint_marks(steps: Mapping[Place, bool]) -> Marks:
    return {space: "may-attack" if attack else "may-go" for space, attack in steps.items()}


def awaited_by_question(question: TrackerQuestion, seats: Iterable[Seat]) -> AwaitedAnswer:
    """Who of `seats` is asked, and about which spaces."""
    asked = frozenset(seats if question.seat is None else {question.seat})
    pieces = question.spaces
    if question.code in (*PENDING_ATTACK_CODES, *UNSENSED_MOVE_CODES):  # the first is where it came from
        pieces = pieces[1:] or pieces
    elif question.code in ("that-piece", "came-from"):  # the second is where it stands
        pieces = (pieces[0], *pieces[2:])
    return AwaitedAnswer(asked, pieces)


def pending_attack_marks(question: TrackerQuestion | None) -> Marks:
    """The attack that waits for a sign: where it comes from and where it would go."""
    if question is None or question.code not in PENDING_ATTACK_CODES:
        return {}
    mark = "attack-counts" if question.code == "attack-counting" else "attack-waits"
    return dict.fromkeys(question.spaces, mark)


def pad_lights(asking: Iterable[LampId], wanting: Mapping[LampId, bool], free: Iterable[Space]) -> Marks:
    """The lamps of pads, and the spaces where a piece that was shown to one may be stood.

    `asking`: pads that a piece may be shown to instead of answering. `wanting`: while armies are set up,
    each pad and whether it waits for a piece.
    """
    marks: dict[LampId, str] = dict.fromkeys(asking, "asks")
    marks.update({pad: "put" for pad, wants in wanting.items() if wants})
    marks.update(dict.fromkeys(free, "may-go"))
    return marks


def clock_lights(seat: Seat, *, short: bool, asked: bool) -> Marks:
    """The clock of `seat` runs: its own lamp, and where its time is short the lamp of its turn too.

    `asked`: that lamp says already that the seat has to answer.
    """
    marks = {f"clock-{seat}": "time-short" if short else "clock-runs"}
    return marks | ({f"turn-{seat}": "time-short"} if short and not asked else {})


def turn_lights(to_act: Iterable[Seat]) -> dict[LampId, str]:
    """Whose turn it is, where a game has a mark for each side. Otherwise it says so by its own marks."""
    return {f"turn-{seat}": f"turn-{seat}" for seat in to_act}


def side_lamps(
    asked: Collection[Seat], seats: Sequence[Seat], layout: Layout, board_lamps: Collection[LampId]
) -> tuple[LampId, ...]:
    """The lamps that stand for the sides that are `asked`, on a board that has `board_lamps`.

    A side's own lamp, or those of its pieces, as the Tank's; before these stand all lamps that are no other
    side's. On a board without such lamps its pieces' spaces, or else every space that has a lamp.
    """
    found = (lamp for seat in sorted(asked) for lamp in _lamps_of_side(seat, seats, layout, board_lamps))
    return tuple(dict.fromkeys(found))


def _lamps_of_side(
    seat: Seat, seats: Sequence[Seat], layout: Layout, has: Collection[LampId]
) -> Collection[LampId]:
    if f"turn-{seat}" in has:
        return (f"turn-{seat}",)
    pieces = [(at, piece.name) for at, there in layout.items() for piece in there if piece.seat == seat]
    own = [lamp for _, name in pieces if (lamp := f"turn-{name}") in has]
    if own:
        return own
    free = [lamp for lamp in has if lamp.startswith("turn-") and lamp.removeprefix("turn-") not in seats]
    return free or [at for at, _ in pieces if at in has] or has


def corrections_in_turn(
    guidance: BoardGuidance, layout: Layout, has: Container[LampId]
) -> tuple[BoardGuidance, Mapping[LampId, str]]:
    """Where pieces of several sides are to be put: those of one side first, and its lamp asks for them too.

    For hands that move pieces of others, too: a lamp can't say by its place alone whose piece it wants, and
    they may hold several. So does the lamp of a side whose piece is to come where others belong as well. A
    side is a piece that has a lamp of its own, as the Tank, or else a seat. All stay as they are where the
    board (`has`) lacks the lamp of one of them. Whoever does them in another order does them all the same.
    """
    puts = {
        chore: _correction_lamp(chore, layout, has) for chore in guidance.corrections if chore.kind == "put"
    }
    sides = dict.fromkeys(puts.values())
    alone = len(sides) < 2 and not has_mixed_corrections(guidance, layout)
    if not sides or alone or not all(side in has for side in sides):
        return guidance, {}
    first = next(iter(sides))
    chores = tuple(chore for chore in guidance.corrections if puts.get(chore, first) == first)
    return guidance._replace(corrections=chores), {first: "put"}


def has_mixed_corrections(guidance: BoardGuidance, layout: Layout) -> bool:
    """Whether a piece is to be put where others belong as well."""
    return any(chore.kind == "put" and len(layout.get(chore.space, ())) > 1 for chore in guidance.corrections)


def _correction_lamp(chore: Correction, layout: Layout, has: Container[LampId]) -> LampId:
    """The lamp of the piece that belongs there, or of its seat."""
    if chore.printed_name and f"turn-{chore.printed_name}" in has:
        return f"turn-{chore.printed_name}"
    pieces = layout.get(chore.space, ())
    names = [f"turn-{piece.name}" for piece in pieces if piece.seat == chore.seat]
    return names[0] if len(names) == 1 and names[0] in has else f"turn-{chore.seat}"


def missing_part_lights(lamps: Mapping[LampId, LampAt]) -> Marks:
    """A part of the board has not answered yet: the first lamp of each chain asks. One that stays dark is
    missing itself."""
    return {lamp: "asks" for lamp, at in lamps.items() if at.index == 0}


def frame_marks(
    guidance: BoardGuidance,
    to_act: Iterable[Seat],
    awaited: AwaitedAnswer,
    shows: Iterable[LightShow],
    now: Micros,
    first: Marks = {},  # noqa: B006 - never changed
    last: Marks = {},  # noqa: B006
) -> dict[LampId, str]:
    """The marks of now: `first`, whose turn, hints, what is lifted and asked, chores, `shows`, and `last`."""
    marks: dict[LampId, str] = turn_lights(to_act)
    marks.update(first)
    marks.update(dict.fromkeys(awaited.lamps, "asks"))
    marks.update(_hint_marks(guidance.hints))
    for space in guidance.lifted_places:
        # A space that may be attacked is among the hints too, though its own piece was lifted for that.
        marks[space] = "may-leave" if guidance.hints.get(space) is False else "lifted"
    for space in guidance.overdue_pieces:
        marks[space] = "put"
    for chore in guidance.corrections:
        marks[chore.space] = _CORRECTION_MARKS[chore.kind]
    marks.update(dict.fromkeys(awaited.spaces, "asks"))
    marks.update(pending_attack_marks(guidance.question))
    for show in shows:
        if show.since <= now < show.until:  # but a result never hides what a yes would be for
            asked = {lamp for lamp in show.marks if marks.get(lamp) == "asks"}
            marks.update(
                {at: mark for at, mark in show.marks.items() if at not in asked or mark == "refused"}
            )
    marks.update(last)
    return marks
