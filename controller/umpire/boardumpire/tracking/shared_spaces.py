"""Several pieces in one space: places, room for one piece each, by which the tracker follows hands.

The first piece of a space stands in the place that has the space's own name, further ones in `munich+1`,
`munich+2`. A space feels as many pieces as it has slots, and so many of its first places count as occupied:
those come first that are known to stand there, and what a ruling brought comes after them. Places beyond the
slots are *crowded*: what stands there isn't felt, and of a space that has some it isn't known whether what is
sensed there has changed; there those come first that may be moved. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from boardrules.core import Layout, LayoutPiece, Seat, Space, Step
from boardumpire.tracking.events import (
    BoardFault,
    BoardGuidance,
    Correction,
    CorrectionKind,
    FaultCode,
    LiftReminder,
    MovePutBack,
    SuspectSpace,
    TrackerEvent,
    UnconfirmedCorrection,
)
from boardumpire.tracking.model import Place, PublicPosition
from boardumpire.tracking.questions import TrackerQuestion


def place_of(space: Space, number: int = 0) -> Place:
    """The place of the n-th piece of a space, from 0."""
    return Place(Space(f"{space}+{number}") if number else space)


def space_of(where: Place) -> Space:
    """The space of a place."""
    return Space(where.partition("+")[0])


def number_of(where: Place) -> int:
    """Which place of its space it is, from 0."""
    return int(where.partition("+")[2] or 0)


def all_places(spaces: frozenset[Space], slot_counts: Mapping[Space, int]) -> frozenset[Place]:
    """All places of these spaces that can be sensed."""
    return frozenset(
        place_of(space, number) for space in spaces for number in range(max(1, slot_counts.get(space, 1)))
    )


class KnownPieces(NamedTuple):
    """What is known of a space: the pieces that stand there, those on slots first."""

    pieces: tuple[LayoutPiece, ...]
    sensed_count: int
    """How many of them are on slots."""


class PlaceAssignment(NamedTuple):
    """Which piece belongs in which place."""

    pieces: dict[Place, LayoutPiece]
    off_slot_places: frozenset[Place]
    """Places whose piece is in the space already, but on no slot of its own."""
    leaving_pieces: dict[Place, LayoutPiece]
    """Places where a piece stands that has to leave the space, and which one."""


def known_pieces(
    position: PublicPosition,
    felt: Collection[Place],
    strays: Mapping[Place, Collection[Place]],
    after: Layout,
    hands: tuple[Space, ...],
) -> dict[Space, KnownPieces]:
    """By space what stands there, as far as it was followed up to a ruling: spaces of several slots, and
    others where one ruling may let pieces of several sides trade places.

    `felt` and `strays` as in `PieceTracker`; `after` is the layout from now on, `hands` the spaces (origin,
    target) between which the piece that was ruled on was carried, if it was.
    """
    spaces = set(position.slot_counts)
    if position.has_alike_pieces:  # of two that were in hands together either may have been set down
        spaces |= {space_of(where) for where in position.layout_pieces}
        spaces -= {*hands, *map(space_of, position.places_awaiting_answer)} - position.slot_counts.keys()
    here: dict[Space, list[tuple[bool, int, LayoutPiece]]] = {space: [] for space in spaces}
    lifted: dict[Space, list[LayoutPiece]] = {space: [] for space in spaces}
    for where, piece in position.layout_pieces.items():
        space = space_of(where)
        if space in here and where in felt:
            here[space].append((where in position.hand_played_places, number_of(where), piece))
        elif space in here:
            lifted[space].append(piece)
    for where, homes in strays.items():
        space, pieces = space_of(where), sorted(position.layout_pieces[home] for home in homes)
        if space in here and pieces and len({piece.seat for piece in pieces}) == 1:
            here[space].append((False, number_of(where), pieces[0]))
    found = {}
    for space, places in here.items():
        places.sort()
        sensed = sum(not blind for blind, _, _ in places)
        found[space] = KnownPieces(tuple(piece for _, _, piece in places), sensed)
    return (
        found
        if position.has_alike_pieces or len(hands) < 2
        else _with_carried_piece(found, lifted, position, after, hands)
    )


def _with_carried_piece(
    found: dict[Space, KnownPieces],
    lifted: Mapping[Space, list[LayoutPiece]],
    position: PublicPosition,
    after: Layout,
    hands: tuple[Space, ...],
) -> dict[Space, KnownPieces]:
    """The same, where the ruling says which piece was carried: another one may have seemed to be."""
    origin, target = hands
    before = [piece for where, piece in position.layout_pieces.items() if space_of(where) == origin]
    moved = [piece for piece in before if piece not in after.get(origin, ())]
    if len(moved) != 1 or moved[0] not in after.get(target, ()):
        return found
    if origin in found and moved[0] in found[origin].pieces:
        stays = [piece for piece in found[origin].pieces if piece != moved[0]] + lifted[origin][:1]
        found[origin] = KnownPieces(tuple(stays), min(found[origin].sensed_count, len(stays)))
    if target in found and moved[0] not in found[target].pieces:
        others = [piece for piece in found[target].pieces if piece not in before]
        found[target] = KnownPieces((*others, moved[0]), found[target].sensed_count)
    return found


def assign_places(
    layout: Layout,
    movers: frozenset[Seat],
    slot_counts: Mapping[Space, int],
    known: Mapping[Space, KnownPieces] = {},
    *,
    alike: bool = False,
) -> PlaceAssignment:
    """Which piece belongs in which place, where of some spaces it is `known` what stands there.

    `slot_counts` as in `crowded_places`; `alike`: pieces of a seat are told apart by nobody.
    """
    pieces, off_slots, leaving = dict[Place, LayoutPiece](), set[Place](), dict[Place, LayoutPiece]()
    for space in layout.keys() | {space for space, there in known.items() if there.pieces}:
        belong = list(layout.get(space, ()))
        if len(belong) > slot_counts.get(space, 1):
            belong.sort(key=lambda piece: piece.seat not in movers)
            if space in slot_counts:
                off_slots |= {place_of(space, number) for number in range(len(belong))}
        elif space in known:
            on, off, missing, gone = _match_pieces(belong, known[space], alike=alike)
            belong = [*on, *missing, *off]
            off_slots |= {place_of(space, len(on) + len(missing) + number) for number in range(len(off))}
            leaving |= {place_of(space, len(on) + number): piece for number, piece in enumerate(gone)}
        pieces |= {place_of(space, number): piece for number, piece in enumerate(belong)}
    return PlaceAssignment(pieces, frozenset(off_slots), leaving)


def _match_pieces(
    belong: list[LayoutPiece], there: KnownPieces, *, alike: bool
) -> tuple[list[LayoutPiece], list[LayoutPiece], list[LayoutPiece], list[LayoutPiece]]:
    """Of the pieces that belong in a space those on slots, those beside them, and those that are missing; and
    those on slots that belong there no more."""
    on, off, gone, missing = list[LayoutPiece](), list[LayoutPiece](), list[LayoutPiece](), list(belong)
    for number, piece in enumerate(there.pieces):
        is_it = [each for each in missing if each == piece or (alike and each.seat == piece.seat)]
        sensed = number < there.sensed_count
        if is_it:
            missing.remove(is_it[0])
            (on if sensed else off).append(is_it[0])
        elif sensed:
            gone.append(piece)
    return on, off, missing, gone


def count_pieces(stands: Iterable[Place]) -> Mapping[Space, int]:
    """How many pieces stand in each space, where they stand in these places."""
    return Counter(map(space_of, stands))


def origins_of_step(
    space: Space, stands: Mapping[Place, Seat], piece_counts: Mapping[Space, int], movers: frozenset[Seat]
) -> list[Place]:
    """From which places a step out of a space may lead, where these pieces stand, `piece_counts` of them in
    each: never none."""
    places = [place_of(space, number) for number in range(piece_counts.get(space, 0))]
    return [where for where in places if stands[where] in movers] or [place_of(space)]


def target_of_step(step: Step, piece_counts: Mapping[Space, int]) -> Place:
    """To which place a step leads, where `piece_counts` says how many stand in each space."""
    onto = step.attack or step.target in step.takes
    return place_of(step.target, 0 if onto else piece_counts.get(step.target, 0))


def match_places_by_space(places: Iterable[Place], early: Iterable[Place]) -> set[Place]:
    """Those of `places` that `early` named, though pieces of a space may be counted anew: as many a space."""
    # A place's number may be another one after a ruling, and its space is not: so spaces are counted.
    left = Counter(space_of(where) for where in early)
    kept = set()
    for where in sorted(places):
        space = space_of(where)
        if left[space] > 0:
            left[space] -= 1
            kept.add(where)
    return kept


def crowded_places(places: Iterable[Place], slot_counts: Mapping[Space, int]) -> frozenset[Place]:
    """Those of `places` that nothing feels, where spaces have so many slots (one if not said)."""
    return frozenset(where for where in places if number_of(where) >= slot_counts.get(space_of(where), 1))


def shared_places(stands: Iterable[Place], crowd: frozenset[Place]) -> frozenset[Place]:
    """Those of the places where pieces stand that are in one space with a crowded one of them."""
    spaces = {space_of(where) for where in crowd.intersection(stands)}
    return frozenset(where for where in stands if space_of(where) in spaces)


def felt_places(counts: Mapping[Space, int]) -> set[Place]:
    """The places that are sensed as occupied where so many slots of each space are."""
    return {place_of(space, number) for space, count in counts.items() for number in range(count)}


def place_changes(
    space: Space, count: int, now: set[Place], position: PublicPosition, chores: Collection[Place] = ()
) -> Iterator[tuple[Place, bool]]:
    """What it means that `count` slots of a space are occupied, where `now` are the places felt so far.

    First comes the piece that is missing, one that `chores` wait for before one that was taken up in play;
    first goes a stranger, then a piece that has to leave, then one that may be moved.
    """
    first, second = place_of(space), place_of(space, 1)
    # Most spaces hold one piece. They are asked a hundred times a second, so they are answered first.
    if count <= 1 and second not in now and second not in position.owners:  # a space like most
        if (first in now and first not in position.hand_played_places) != bool(count):
            yield first, bool(count)
        return
    here = {where for where in now - position.hand_played_places if space_of(where) == space}
    stands = {
        where for where in position.owners.keys() - position.hand_played_places if space_of(where) == space
    }  # fmt: skip
    leaving = position.leaving_pieces.keys() & chores
    while len(here) < count:
        # A piece that is missing comes back before a stranger comes: hands mend what they were asked to mend.
        known = sorted(stands - here, key=lambda where: (where not in chores, number_of(where)))
        free = (place_of(space, number) for number in range(len(here | stands) + 1))
        comes = known[0] if known else next(where for where in free if where not in here | stands)
        here.add(comes)
        yield comes, True
    while len(here) > count:
        strangers = here - stands
        goes = (
            max(strangers, key=number_of)  # what came last: who stands in the first place is known by it
            if strangers
            else max(
                here, key=lambda where: (where in leaving, _is_movable(where, position), -number_of(where))
            )
        )
        here.discard(goes)
        yield goes, False


def first_places_of_spaces(spaces: Iterable[Space]) -> tuple[Place, ...]:
    """The first place of each of these spaces."""
    return tuple(place_of(space) for space in spaces)


def first_places_of_way(way: tuple[Space, Space] | None) -> tuple[Place, Place] | None:
    """The same from first place to first place."""
    return None if way is None else (place_of(way[0]), place_of(way[1]))


def step_of_hands(hands: tuple[Space, ...] | None, position: PublicPosition) -> tuple[Place, ...] | None:
    """The places between which hands carried a piece from space to space."""
    if not hands:
        return None if hands is None else ()
    return steps_by_spaces(position).get(hands) or first_places_of_spaces(hands)


def steps_by_spaces(position: PublicPosition) -> dict[tuple[Space, ...], tuple[Place, Place]]:
    """The steps of a position by the spaces (origin, target) of their places; of several the first."""
    found: dict[tuple[Space, ...], tuple[Place, Place]] = {}
    for origin, steps in position.steps.items():
        left = space_of(origin)
        for target in steps:
            found.setdefault((left, space_of(target)), (origin, target))
    return found


def is_step_unsensed(hands: tuple[Space, ...], position: PublicPosition) -> bool:
    """Whether hands that carry a piece from space to space so leave or reach a place that nothing feels."""
    return not (position.hand_played_places | position.shared_places).isdisjoint(
        step_of_hands(hands, position) or ()
    )


def _is_movable(where: Place, position: PublicPosition) -> bool:
    return position.owners.get(where) in position.seats_to_move


# What goes out, by the names of spaces


def event_by_spaces(said: TrackerEvent) -> TrackerEvent:
    """What the tracker told of hands, an intent aside, for people: by spaces."""
    match said:
        case BoardFault(FaultCode.BETWEEN_SPACES, spaces) if len(set(_first_places(spaces))) == 1:
            return BoardFault(FaultCode.BETWEEN_RINGS, _first_places(spaces[:1]))
        case BoardFault():
            return said._replace(spaces=_first_places(said.spaces))
        case TrackerQuestion():
            return question_by_spaces(said)
        case LiftReminder(home):
            return said._replace(home=_first_place(home))
        case UnconfirmedCorrection(spaces):
            return UnconfirmedCorrection(tuple(dict.fromkeys(_first_places(spaces))))
        case SuspectSpace(space):
            return SuspectSpace(_first_place(space))
        case MovePutBack(origin, target):
            return MovePutBack(_first_place(origin), _first_place(target))
    return said


def question_by_spaces(question: TrackerQuestion) -> TrackerQuestion:
    """A question of the tracker for people: by spaces."""
    return question.with_renamed_spaces(_first_place)


def guidance_by_spaces(guidance: BoardGuidance) -> BoardGuidance:
    """Guidance for people: by spaces."""
    chores, lifted, hints, asked, late = guidance
    named = (*(chore.space for chore in chores), *lifted, *hints, *late, *(asked.spaces if asked else ()))
    if "+" not in "".join(named):
        return guidance
    return BoardGuidance(
        _corrections_by_spaces(chores),
        _first_places(lifted),
        {_first_place(where): attack for where, attack in hints.items()},
        None if asked is None else question_by_spaces(asked),
        _first_places(late),
    )


def _corrections_by_spaces(chores: tuple[Correction, ...]) -> tuple[Correction, ...]:
    """Chores by spaces; what is sensed on two slots of one space shall come down on one of their rings."""
    named = [
        chore._replace(space=_first_place(chore.space), origin=_first_place(chore.origin)) for chore in chores
    ]
    between = [chore.space for chore in named if chore.kind == CorrectionKind.CENTRE]
    if len(between) > 1 and len(set(between)) == 1:
        named = [chore for chore in named if chore.kind != CorrectionKind.CENTRE]
        named.append(Correction(CorrectionKind.RING, between[0], None))
    return tuple(named)


def _first_place(where: Place) -> Place:
    """The first place of the same space: it is called as people call the space."""
    return place_of(space_of(where))


def _first_places(places: tuple[Place, ...]) -> tuple[Place, ...]:
    return tuple(map(_first_place, places))
