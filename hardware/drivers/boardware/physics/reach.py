"""How far off a piece is felt, and what its neighbours do, with the worst parts and with usual ones.

All of it is reckoned for pieces that stand still. Lengths in mm; what is felt in A of reeds, in mT of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from math import cos, dist, hypot, pi, radians, sin, sqrt
from typing import Final, NamedTuple

from boardware.parts import BoardDescription, BoardPoint
from boardware.physics.design import SensorDesign
from boardware.physics.sensors import Sensor, make_sensor

PLACING_ERROR_SHARE: Final = 1 / 9
"""How far from the middle of its space people set a piece down, as a share of the pitch: 5 mm where squares
are 45 mm wide. An estimate."""
MOUNTING_ERROR_MM: Final = 2.0
"""How far from its place a sensor or a magnet is fixed at worst: an estimate for holes drilled by hand."""
CARRY_HEIGHT_MM: Final = 22.0
"""A piece that is carried this high has to be out of reach, in mm: it goes over others. An estimate."""
GAP_VARIATION_MM: Final = 0.5
"""How much the gap differs over a board, more or less: an estimate."""
MAGNET_STRENGTH_RANGE: Final = (0.93, 1.07)
"""The weakest and the strongest magnet of one bag (estimate): remanence varies by 5 %, a warm room takes 1 %
of it, and years take some more."""
RARE_SIGMAS: Final = 2.6
"""Standard deviations: magnets at random upside down add up to more in one of a hundred crowds."""
NEIGHBOUR_RANGE_PITCHES: Final = 3.2
"""Times the pitch: what stands farther away adds less than a hundredth."""
_SEARCH_STEP_MM: Final = 0.5
_SEARCH_MAX_MM: Final = 60.0
_UNIT_CIRCLE: Final = tuple((cos(turn * pi / 8), sin(turn * pi / 8)) for turn in range(16))
_CENTRE_AND_CIRCLE: Final = ((0.0, 0.0), *_UNIT_CIRCLE)

Offset = tuple[float, float]
"""From one space's middle to another's."""


class ReachCase(NamedTuple):
    """A sensor and a magnet that meet: parts as they are usually, or at one end of what is sold."""

    sensor: Sensor
    strength: float
    """Of the magnet, as a share of what its size and grade say."""
    design: SensorDesign

    def field_of_piece(self, x: float, y: float, z: float = 0.0) -> float:
        """What a piece does whose foot is so far from the middle of the sensor's space, with its sign."""
        disc = self.design.magnet_disc
        moment = (0.0, 0.0, self.strength * self.design.nominal_moment)
        return self.sensor.field_of_magnet(moment, disc.smoothing_mm2, (x, y, z + disc.height_mm / 2))


class ReachCases(NamedTuple):
    """The three that are asked about."""

    weakest: ReachCase
    """The least sensitive sample, deepest, under the weakest magnet."""
    usual: ReachCase
    most_sensitive: ReachCase
    """The most sensitive one that holds longest, nearest, under the strongest."""


def reach_cases(design: SensorDesign) -> ReachCases:
    """What parts of a design may be."""
    part, way = design.part, radians(design.turn_deg)
    at = (design.aside_mm * cos(way), design.aside_mm * sin(way), 0.0)
    (keen, dull), (holds, lets_go) = part.operate, part.release
    weak, strong = design.strength or MAGNET_STRENGTH_RANGE
    middle = (holds + lets_go) / 2

    def case(strength: float, gap: float, operate: float | None, release: float) -> ReachCase:
        laid = make_sensor(
            part,
            at,
            gap,
            operate=operate,
            release=release,
            turn=design.turn_deg,
            bent=design.bent_mm,
            back=design.back_mm,
        )
        return ReachCase(laid, strength, design)

    return ReachCases(
        case(weak, design.gap_mm + GAP_VARIATION_MM, dull, lets_go),
        case(sum(design.strength) / 2 if design.strength else 1.0, design.gap_mm, None, middle),
        case(strong, max(0.0, design.gap_mm - GAP_VARIATION_MM), keen, holds),
    )


def felt_distance_mm(case: ReachCase, against: float = 0.0) -> float | None:
    """How far off the middle a piece closes its sensor, whichever way it is off, while others work `against`
    it; `None`: not even on the middle."""
    found, off = None, 0.0
    while off <= _SEARCH_MAX_MM and all(
        case.sensor.part.effective_field(case.field_of_piece(off * x, off * y)) - against
        >= case.sensor.operate
        for x, y in _UNIT_CIRCLE
    ):
        found, off = off, off + _SEARCH_STEP_MM
    return found


def lift_height_mm(case: ReachCase, aside: float) -> float:
    """How high a piece at most is when its sensor opens, lifted up to so far beside the middle."""
    high = _SEARCH_MAX_MM
    while high > 0 and all(
        case.sensor.part.effective_field(case.field_of_piece(aside * x, aside * y, high))
        < case.sensor.release
        for x, y in _CENTRE_AND_CIRCLE
    ):
        high -= _SEARCH_STEP_MM
    return min(high + _SEARCH_STEP_MM, _SEARCH_MAX_MM)


class ContactNeighbours:
    """The places of the contacts of a board, as each of them sees the others."""

    def __init__(self, places: Iterable[BoardPoint]) -> None:
        found = list(places)
        self.pitch = min(
            (dist(one, other) for n, one in enumerate(found) for other in found[:n]), default=float("inf")
        )
        """How near each other the two nearest are; infinite where there is but one."""
        seen = {
            tuple(sorted(_neighbour_offsets(one, found, NEIGHBOUR_RANGE_PITCHES * self.pitch)))
            for one in found
        }
        self.required_distance_mm = PLACING_ERROR_SHARE * self.pitch if found[1:] else 0.0
        """How far off the middle a piece has to be felt."""
        self.neighbour_arrangements: tuple[tuple[Offset, ...], ...] = tuple(
            sorted(seen, key=len, reverse=True)
        )
        """Each arrangement of others once, the largest first."""
        each = {offset for crowd in seen for offset in crowd}
        self.nearest_offsets = tuple(sorted(offset for offset in each if hypot(*offset) <= 1.5 * self.pitch))
        """Where the nearest ones are."""


def _neighbour_offsets(one: BoardPoint, places: Iterable[BoardPoint], far: float) -> Iterator[Offset]:
    for other in places:
        x, y = round(other.x - one.x, 1), round(other.y - one.y, 1)
        if (x or y) and hypot(x, y) <= far:
            yield x, y


def square_grid(pitch: float) -> ContactNeighbours:
    """A square among 48 others, as on a large board."""
    return ContactNeighbours(BoardPoint(x * pitch, y * pitch) for x in range(7) for y in range(7))


def neighbours_on_board(board: BoardDescription) -> ContactNeighbours:
    """The contacts of a board."""
    return ContactNeighbours(board.slots[slot].position for slot in board.slots_by_contact.values())


def neighbour_field(case: ReachCase, around: ContactNeighbours) -> float:
    """The most that one piece does on a neighbouring space, as far off its middle as people set it down."""
    most = max(
        (
            case.sensor.part.effective_field(
                case.field_of_piece(
                    x + around.required_distance_mm * dx, y + around.required_distance_mm * dy
                )
            )
            for x, y in around.nearest_offsets
            for dx, dy in _CENTRE_AND_CIRCLE
        ),
        default=0.0,
    )
    return max(0.0, most)


class CrowdedField(NamedTuple):
    """What pieces on all other spaces do together, on the worst of all spaces."""

    closing_field: float
    """Towards closing the sensor of a space that is empty."""
    opposing_field: float
    """Against a piece that stands there."""


def crowded_field(case: ReachCase, around: ContactNeighbours) -> CrowdedField:
    """What all others do.

    Magnets that all point one way add up with their sign. Of mixed ones it is what 99 of 100 arrangements
    stay under.
    """
    one = cache(case.field_of_piece)
    each = [_combined_field(case, [one(x, y) for x, y in others]) for others in around.neighbour_arrangements]
    return (
        CrowdedField(max(all_.closing_field for all_ in each), max(all_.opposing_field for all_ in each))
        if each
        else CrowdedField(0, 0)
    )


def _combined_field(case: ReachCase, each: list[float]) -> CrowdedField:
    if case.design.has_mixed_poles:
        most = min(sum(map(abs, each)), RARE_SIGMAS * sqrt(sum(value * value for value in each)))
        return CrowdedField(most, most)
    drives = case.sensor.part.effective_field
    return CrowdedField(max(0.0, drives(sum(each))), max(0.0, drives(-sum(each))))


class Reach(NamedTuple):
    """What a design does on a board, in one of its cases."""

    felt_mm: float | None
    """How far off the middle of its space a piece is felt, in mm, while all others stand there; `None`: it
    isn't."""
    neighbour_share: float
    """What a neighbour does, as a share of what holds a closed sensor."""
    crowd_share: float
    """What all others do, as a share of the same."""
    lift_height_mm: float
    """From how high on a lifted piece is out of reach, in mm."""


class Reaches(NamedTuple):
    """What the worst parts that are sold do, and usual ones."""

    worst: Reach
    usual: Reach


def compute_reaches(design: SensorDesign, around: ContactNeighbours) -> Reaches:
    """What a design does on a board."""
    weakest, usual, keenest = reach_cases(design)
    return Reaches(
        _compute_reach(weakest, keenest, around, MOUNTING_ERROR_MM), _compute_reach(usual, usual, around, 0.0)
    )


def _compute_reach(weak: ReachCase, keen: ReachCase, around: ContactNeighbours, placed: float) -> Reach:
    felt, holds = felt_distance_mm(weak, crowded_field(weak, around).opposing_field), keen.sensor.release
    return Reach(
        None if felt is None or felt < placed else felt - placed,
        neighbour_field(keen, around) / holds,
        crowded_field(keen, around).closing_field / holds,
        lift_height_mm(keen, around.required_distance_mm),
    )
