"""Whether a board can be printed, drilled and wired as its file says: what lies on what, and how densely."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, pairwise
from math import dist
from typing import Final

from boardmake.making.holes import WALL_MIN_MM, DrillHole, drill_holes, lamp_positions
from boardmake.making.shapes import Polygon, bounding_radius, is_inside, outline_polygon, overlap_mm
from boardmake.physics.electrics import count_with_noun
from boardware.parts import BoardDescription, BoardPoint, LampChain
from boardware.physics.verdict import Grade, ModelVerdict

OVERLAP_TOLERANCE_MM: Final = 0.05
"""mm that outlines may reach into each other: rounding."""
LAMP_DISTANCE_MAX_MM: Final = 2000.0
"""mm from lamp to lamp beyond which data may arrive garbled (estimate)."""


def verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    """All that is said of where things lie."""
    for part in LAYOUT_CHECKS:
        yield from part(board)


def _size_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    wide = [space.outline.width for space in board.spaces.values()]
    pitch = (
        f", sensors at least {round(board.pitch_mm, 1):g} mm apart" if board.pitch_mm < float("inf") else ""
    )
    across = f"{min(wide):g}" + (f" to {max(wide):g}" if max(wide) > min(wide) else "")
    yield ModelVerdict(
        Grade.FINE,
        "size",
        f"{board.size.x:g} x {board.size.y:g} mm, spaces {across} mm wide{pitch}",
    )


def _edge_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    for id_, space in board.spaces.items():
        corners = outline_polygon(space)
        over = max(
            -min(x for x, _ in corners),
            -min(y for _, y in corners),
            max(x for x, _ in corners) - board.size.x,
            max(y for _, y in corners) - board.size.y,
        )
        if over > OVERLAP_TOLERANCE_MM:
            text = (
                f"its outline {space.outline.id} reaches {over:.1f} mm over the edge;"
                f" keep all of it on the board of {board.size.x:g} x {board.size.y:g}"
            )
            yield ModelVerdict(Grade.REFUSED, f"spaces.{id_}", text)


def _overlap_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    shapes = {id_: outline_polygon(space) for id_, space in board.spaces.items()}
    radius = _outline_radii(board, shapes)
    for one, other in combinations(board.spaces.values(), 2):
        if dist(one.position, other.position) > radius[one.id] + radius[other.id]:
            continue
        into = overlap_mm(shapes[one.id], shapes[other.id])
        if into > OVERLAP_TOLERANCE_MM:
            text = f"overlaps {one.id} by {into:.1f} mm; move them apart"
            yield ModelVerdict(Grade.REFUSED, f"spaces.{other.id}", text)


def _outline_radii(board: BoardDescription, shapes: Mapping[str, Polygon]) -> Mapping[str, float]:
    return {id_: bounding_radius(shape, board.spaces[id_].position) for id_, shape in shapes.items()}


def _line_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    shapes = {id_: outline_polygon(space) for id_, space in board.spaces.items()}
    radius = _outline_radii(board, shapes)
    for one, other in board.lines:
        ends = (board.spaces[one].position, board.spaces[other].position)
        for id_, space in board.spaces.items():
            if id_ in (one, other) or _distance_to_segment(space.position, *ends) > radius[id_]:
                continue
            into = overlap_mm(shapes[id_], ends)
            if into > OVERLAP_TOLERANCE_MM:
                text = f"the line to {other} runs under {id_} ({into:.1f} mm); move {id_} aside"
                yield ModelVerdict(Grade.REFUSED, f"lines.{one}", text)


def _distance_to_segment(point: BoardPoint, one: BoardPoint, other: BoardPoint) -> float:
    """How far a point lies from a straight line between two others."""
    along = (other.x - one.x, other.y - one.y)
    length = along[0] ** 2 + along[1] ** 2
    share = ((point.x - one.x) * along[0] + (point.y - one.y) * along[1]) / length if length else 0.0
    share = max(0.0, min(1.0, share))
    return dist(point, (one.x + share * along[0], one.y + share * along[1]))


def _drill_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    every = list(drill_holes(board))
    for hole in every:
        at, half = hole.at, hole.diameter / 2
        if not (half <= at.x <= board.size.x - half and half <= at.y <= board.size.y - half):
            text = (
                f"the {hole.kind} at {at.x:g}, {at.y:g} is cut by the edge; leave room for its hole of"
                f" {hole.diameter:g} mm"
            )
            yield ModelVerdict(Grade.REFUSED, hole.file_key, text)
    for one, other in _near_pairs(every):
        apart, needed = dist(one.at, other.at), (one.diameter + other.diameter) / 2
        if apart < needed:
            text = (
                f"its {other.kind} hole of {other.diameter:g} mm cuts the {one.kind} hole of {one.id}:"
                f" {apart:.1f} mm apart; keep {needed + WALL_MIN_MM:g} or more"
            )
            yield ModelVerdict(Grade.REFUSED, other.file_key, text)
        elif apart < needed + WALL_MIN_MM - 1e-9:
            text = (
                f"{apart - needed:.1f} mm are left between its {other.kind} hole and the {one.kind} hole of"
                f" {one.id}; keep {WALL_MIN_MM:g} or more"
            )
            yield ModelVerdict(Grade.DOUBT, other.file_key, text)


def _near_pairs(every: list[DrillHole]) -> Iterator[tuple[DrillHole, DrillHole]]:
    """The pairs of holes that lie near each other."""
    drilled = sorted((hole for hole in every if hole.diameter), key=lambda hole: hole.at.x)
    widest = max((hole.diameter for hole in drilled), default=0.0) + WALL_MIN_MM
    place = {(hole.kind, hole.id): number for number, hole in enumerate(every)}
    for number, one in enumerate(drilled):
        for other in drilled[number + 1 :]:
            if other.at.x - one.at.x > widest:
                break
            pair = sorted((one, other), key=lambda hole: place[hole.kind, hole.id])
            yield pair[0], pair[1]


def _stray_lamp_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    """Lamps of no space that lie in one, and lamps that lie in another space than their own."""
    shapes = {id_: outline_polygon(space) for id_, space in board.spaces.items()}
    for lamp, at in lamp_positions(board).items():
        for id_, shape in shapes.items():
            if id_ != lamp and dist(at, board.spaces[id_].position) < 200 and is_inside(at, shape):
                where = f"lamps.{lamp}" if lamp in board.named_lamps else f"spaces.{lamp}"
                text = f"its lamp shines in {id_}; move it out of other spaces"
                yield ModelVerdict(Grade.REFUSED, where, text)


def _chain_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    at = lamp_positions(board)
    for chain in board.chains.values():
        way = sorted((place.index, lamp) for lamp, place in board.lamps.items() if place.chain == chain.id)
        yield from _unplaced_lamp_verdicts(chain, [index for index, _ in way])
        hops = [(dist(at[one], at[other]), one, other) for (_, one), (_, other) in pairwise(way)]
        if hops:
            far, one, other = max(hops)
            text = f"lamps are at most {far:.0f} mm apart ({one} to {other})"
            if far > LAMP_DISTANCE_MAX_MM:
                text += (
                    f"; try at most {LAMP_DISTANCE_MAX_MM:.0f}, or data that arrives there by a level shifter"
                )
            yield ModelVerdict(
                Grade.DOUBT if far > LAMP_DISTANCE_MAX_MM else Grade.FINE, f"chains.{chain.id}", text
            )


def _unplaced_lamp_verdicts(chain: LampChain, used: list[int]) -> Iterator[ModelVerdict]:
    missing = sorted(set(range(chain.length)) - set(used))
    if missing:
        named = ", ".join(map(str, missing[:5])) + (", ..." if len(missing) > 5 else "")
        text = f"{len(missing)} of {chain.length} lamps have no place ({named}); give each a place"
        yield ModelVerdict(Grade.DOUBT, f"chains.{chain.id}", text)


def _matrix_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    for bank in board.banks.values():
        felt = [at for at in board.slots_by_contact if at.bank == bank.id]
        whole = len(bank.rows) * len(bank.columns)
        across = f"{count_with_noun(len(bank.rows), 'row')} x {count_with_noun(len(bank.columns), 'column')}"
        text = f"{across}, {len(felt)} of {whole} contacts used"
        idle = [
            f"{what} {number}"
            for what, count, used in (
                ("row", len(bank.rows), {at.row for at in felt}),
                ("column", len(bank.columns), {at.column for at in felt}),
            )
            for number in range(count)
            if number not in used
        ]
        if idle:
            text += f", none on {', '.join(idle)}; leave those out"
        yield ModelVerdict(Grade.DOUBT if idle else Grade.FINE, f"banks.{bank.id}", text)


LAYOUT_CHECKS: tuple[Callable[[BoardDescription], Iterator[ModelVerdict]], ...] = (
    _size_verdicts,
    _edge_verdicts,
    _overlap_verdicts,
    _line_verdicts,
    _drill_verdicts,
    _stray_lamp_verdicts,
    _matrix_verdicts,
    _chain_verdicts,
)
