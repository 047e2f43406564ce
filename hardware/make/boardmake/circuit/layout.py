"""What a circuit board consists of, as data: parts with pads, tracks, vias, holes, words.

Lengths are in mm. Positions are as KiCad has them: x to the right, y down, seen from above. A turn is in
degrees, to the left.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Final, NamedTuple

TOP_LAYER: Final = "F.Cu"
BOTTOM_LAYER: Final = "B.Cu"
COPPER_LAYERS: Final = (TOP_LAYER, BOTTOM_LAYER)

TRACK_WIDTH_MIN_MM: Final = 0.2
GAP_MIN_MM: Final = 0.2
DRILL_MIN_MM: Final = 0.3
RING_WIDTH_MIN_MM: Final = 0.15
EDGE_GAP_MM: Final = 0.5
"""The rules that every board keeps, in mm. What any maker of circuit boards offers at his lowest price."""
LEAST_LETTER: Final = 1.0
LEAST_LINE: Final = 0.16
"""Height of printed letters and width of printed lines, in mm. JLCPCB prints lines of 0.153 mm legibly."""
SILK_GAP: Final = 0.15
"""From print to what is soldered, in mm (JLCPCB)."""
HEAD_MM: Final = 6.1
"""What a screw of 3 mm covers: a nut is 6.01 mm over its corners (ISO 4032), a pan head 5.6 (ISO 7045)."""


class LayoutPoint(NamedTuple):
    """A place."""

    x: float
    y: float


class FootprintPad(NamedTuple):
    """Where a part is soldered, as it lies in a part that is not turned."""

    name: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0.0
    """0: it lies on one side only."""
    layer: str = TOP_LAYER
    """Of one that lies on one side."""
    is_round: bool = True
    """Whether one with a hole is round; others are rectangles."""
    disc: bool = False
    """Whether one without a hole is round."""
    bare: float = 0.0
    """How far solder mask stays away, in mm; 0: as far as at any pad."""


class Footprint(NamedTuple):
    """The place of a kind of part."""

    name: str
    description: str
    """What it is, and whose data sheet its dimensions are from."""
    pads: tuple[FootprintPad, ...]
    body: tuple[float, float, float, float]
    """Left, upper, right and lower edge of the part."""
    holes: tuple[tuple[float, float, float], ...] = ()
    """Without copper: x, y, diameter."""
    orientation_mark: LayoutPoint | None = None
    """A dot beside pin 1, or beside what must not be turned."""
    is_smd: bool = False
    has_outline: bool = True
    """Whether the body's outline is printed."""
    is_label_inside: bool = False
    """Whether its name is printed inside the body, not above it."""
    label_position: LayoutPoint | None = None
    """Where its name is printed, if elsewhere."""
    courtyard: tuple[float, float, float, float] | None = None
    """What it takes of the board, left, top, right, bottom; `None`: body and pads."""


class PlacedPad(NamedTuple):
    """A pad of a part as it lies on the board."""

    part: str
    name: str
    net: str
    at: LayoutPoint
    width: float
    height: float
    drill: float
    layers: tuple[str, ...]
    is_round: bool


@dataclass(frozen=True)
class LayoutPart:
    """A part on the board."""

    ref: str
    value: str
    footprint: Footprint
    x: float
    y: float
    nets: Mapping[str, str]
    """The net of each pad by its name. A pad without one is joined to nothing."""
    turn: int = 0
    is_fitted: bool = True
    """Whether anything is soldered there."""
    is_bought: bool = True
    """Whether it is a part at all, not copper alone."""
    drawn: bool = True
    """Whether the schematic has it."""

    def placed_pads(self) -> Iterator[PlacedPad]:
        """Its pads where they lie."""
        for pad in self.footprint.pads:
            upright = self.turn % 180 == 0
            size = (pad.width, pad.height) if upright else (pad.height, pad.width)
            layers = COPPER_LAYERS if pad.drill else (pad.layer,)
            net = self.nets.get(pad.name, "")
            at = self.board_position(pad.x, pad.y)
            yield PlacedPad(
                self.ref,
                pad.name,
                net,
                at,
                *size,
                pad.drill,
                layers,
                pad.disc or (bool(pad.drill) and pad.is_round),
            )

    def board_position(self, x: float, y: float) -> LayoutPoint:
        """Where a point of the footprint lies on the board."""
        angle = radians(self.turn)
        along, across = round(cos(angle)), round(sin(angle))
        return rounded_point(self.x + x * along + y * across, self.y - x * across + y * along)


class Track(NamedTuple):
    """A straight piece of copper."""

    net: str
    layer: str
    start: LayoutPoint
    end: LayoutPoint
    width: float


class Via(NamedTuple):
    """A plated hole that joins both sides."""

    net: str
    at: LayoutPoint
    size: float = 0.7
    drill: float = 0.35


class ScrewHole(NamedTuple):
    """For a screw."""

    at: LayoutPoint
    diameter: float


class PrintedText(NamedTuple):
    """Something printed."""

    text: str
    at: LayoutPoint
    size: float = 1.0
    layer: str = "F.SilkS"


@dataclass
class Layout:
    """One circuit board."""

    name: str
    title: str
    width: float
    height: float
    parts: list[LayoutPart] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    vias: list[Via] = field(default_factory=list)
    holes: list[ScrewHole] = field(default_factory=list)
    texts: list[PrintedText] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    """Where a V-score runs across the whole board, from the upper edge."""

    def add_track(self, net: str, layer: str, width: float, *points: tuple[float, float]) -> None:
        """Lay a track through these points."""
        way = [rounded_point(*point) for point in points]
        for start, end in itertools.pairwise(way):
            if start != end:
                self.tracks.append(Track(net, layer, start, end, width))

    def add_via(self, net: str, x: float, y: float, size: float = 0.7, drill: float = 0.35) -> None:
        """Join both sides."""
        self.vias.append(Via(net, rounded_point(x, y), size, drill))

    def net_names(self) -> list[str]:
        """The names of all nets, sorted."""
        found = {net for part in self.parts for net in part.nets.values() if net}
        return sorted(found | {each.net for each in self.tracks} | {each.net for each in self.vias})

    def placed_pads(self) -> Iterator[PlacedPad]:
        """All pads where they lie."""
        for part in self.parts:
            yield from part.placed_pads()


def rounded_point(x: float, y: float) -> LayoutPoint:
    """A place to the micrometre, so that equal places are equal."""
    return LayoutPoint(round(x, 3) + 0.0, round(y, 3) + 0.0)
