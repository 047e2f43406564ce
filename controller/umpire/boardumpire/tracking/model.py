"""The public side of a position, as far as hands are concerned: where pieces belong and may go. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import hypot
from typing import NamedTuple, NewType

from boardrules.core import LayoutPiece, Seat, Space

Place = NewType("Place", Space)
"""Where one piece of a space stands: the space itself for the first, `munich+2` for the third."""
NOWHERE = Place(Space(""))
Home = Place
"""A piece, by the place of the layout where it belongs."""

ASLANT = 1.6
"""How much further than the nearest space one that lies beside it, aslant, may be."""
OVER_MM = 25.0
"""How far from the middle of a space a piece that is pushed past may be sensed there."""

APART_MM = 60.0
"""Spaces nearer to each other than this feel a piece that is pushed from one to the next without a break."""
SURE_MM = 8.0
"""So near to the middle of a space a piece that is pushed past is surely felt."""


class PublicPosition(NamedTuple):
    """What everybody may know of a state, as far as hands are concerned."""

    owners: Mapping[Place, Seat]
    """The spaces that hold a piece, with the seat whose piece it is."""
    free: frozenset[Place]
    """Spaces where hands may do as they like."""
    movers: frozenset[Seat]
    """The seats whose pieces may be moved now."""
    steps: Mapping[Place, Mapping[Place, bool]]
    """origin -> target -> whether it is an attack; all that public knowledge allows."""
    last: tuple[Place, Place] | None = None
    """The quiet move made last (origin, target): who puts it back asks to take it back."""
    blind: frozenset[Place] = frozenset()
    """Spaces whose reed is not believed: what stands there is played by hand, by consent."""

    waiting: bool = False
    """Whether the table waits for an answer before anything more is judged."""

    places: Mapping[Place, tuple[float, float]] = {}
    """Where the spaces lie on the board, in mm."""

    crowded: frozenset[Place] = frozenset()
    """Those of `blind` that nothing feels because the slots of their space are too few (`stacks`)."""
    shared: frozenset[Place] = frozenset()
    """Where a piece stands in one space with a crowded one: that it is lifted may not be sensed."""
    alike: bool = False
    """Whether nobody minds which piece of a side is which."""
    resting: frozenset[Place] = frozenset()
    """Places that wait for an answer: what differs there is nobody's chore yet."""
    takes: Mapping[tuple[Place, Place], frozenset[Place]] = {}
    """By step (origin, target) where the pieces stand that it takes for certain."""
    also: Mapping[tuple[Place, Place], tuple[tuple[Place, Place], ...]] = {}
    """By step the further pieces that go with it, each with its origin and target."""
    kinds: Mapping[Place, LayoutPiece] = {}
    """What everybody knows the piece of each space as. Of two that are known as the same nobody minds which
    is which."""
    hints: Mapping[Place, Mapping[Place, bool]] = {}
    """Like `steps`, for people: true also where a piece is taken. Only of pieces that may take one."""
    boxed: bool = False
    """Whether the game has not begun and its layout comes from the box: who is where is not in doubt then."""
    named: Mapping[Place, Seat] = {}
    """Those of `free` where a seat has said that a piece of its own stands, with that seat."""
    pieces: Mapping[Place, LayoutPiece] = {}
    """The piece of the layout that belongs in each place."""
    prints: Mapping[LayoutPiece, str] = {}
    """By piece of the layout what everybody reads on it, where there is anything."""
    rooms: Mapping[Space, int] = {}
    """How many slots those spaces have that have several."""
    off_slots: frozenset[Place] = frozenset()
    """Places whose piece is in their space already, but on no slot of its own."""
    trays: Mapping[Place, Seat] = {}
    """The trays beside the board, which are among `blind`, each with the seat whose pieces come from there;
    empty where none do."""
    leaving: Mapping[Place, LayoutPiece] = {}
    """Places of spaces with several slots where a piece stands that has to leave, with that piece."""

    def owner(self, origin: Place) -> Seat:
        """Whose piece belongs in a place, or comes from a tray."""
        return self.owners[origin] if origin in self.owners else self.trays[origin]

    def captures(self, origin: Place, target: Place) -> bool:
        """Whether a step takes what stands where it leads."""
        return target in self.takes.get((origin, target), ())

    def is_attack(self, origin: Place, target: Place) -> bool:
        """Whether a step is an attack, as far as everybody knows."""
        return self.steps.get(origin, {}).get(target, False)

    def attackable(self, origin: Place, homes: Iterable[Place]) -> list[Place]:
        """Those of these pieces that the one of `origin`, as far as everybody knows, may attack."""
        return sorted(home for home in homes if self.is_attack(origin, home))

    def quiet_targets(self, origin: Place, felt: Collection[Place]) -> list[Place]:
        """Where the piece of `origin` may go without an attack and nothing is `felt`, the nearest first."""
        steps = self.steps.get(origin, {}).items()
        return self.by_distance(origin, [to for to, attack in steps if not attack and to not in felt])

    def other_targets(self, step: tuple[Place, Place]) -> tuple[Place, frozenset[Place]] | None:
        """The target of a quiet step, and where else its piece could have gone without an attack; `None`
        where it makes no difference which piece stands where."""
        origin, target = step
        if self.alike or origin in self.trays or self.is_attack(origin, target):
            return None
        steps = self.steps.get(origin, {}).items()
        return target, frozenset(to for to, attack in steps if not attack and to != target)

    def unfelt(self, origin: Place) -> list[Place]:
        """Where the piece of `origin` may go without being felt, in order."""
        quiet = {target for target, attack in self.steps.get(origin, {}).items() if not attack}
        return sorted((self.crowded | self.blind) & quiet)

    def hidden(self) -> Place | None:
        """The piece whose turn it is, where it is one alone and its lift may not be sensed."""
        (origin,) = self.steps if len(self.steps) == 1 else (None,)
        return origin if origin in self.shared else None

    def by_distance(self, space: Place, others: Sequence[Place]) -> list[Place]:
        """Other spaces, the nearest to `space` first, as far as it is known where they lie."""
        x, y = self.places.get(space, (0.0, 0.0))

        def distance(other: Place) -> float:
            there_x, there_y = self.places.get(other, (x, y))
            return hypot(there_x - x, there_y - y)

        return sorted(others, key=distance)

    def beside(self, one: Place, other: Place) -> bool:
        """Whether two spaces, known by their places, lie side by side, or aslant."""
        if one not in self.places or other not in self.places:
            return False
        (x, y), (there_x, there_y) = self.places[one], self.places[other]
        near = min(
            (hypot(ex - x, ey - y) for space, (ex, ey) in self.places.items() if space != one), default=0.0
        )
        return hypot(there_x - x, there_y - y) <= ASLANT * near

    def apart(self, one: Place, other: Place) -> bool:
        """Whether two spaces are known to lie so far from each other that one piece can't be felt on both."""
        return one in self.places and other in self.places and not self.beside(one, other)

    def further(self, origin: Place, target: Place) -> bool:
        """Whether a step leads on from `origin` over `target`, or close by: to a free space, or to attack."""
        if origin not in self.places or target not in self.places:
            return False
        (x, y), (near_x, near_y) = self.places[origin], self.places[target]
        dx, dy = near_x - x, near_y - y
        for other in self.steps.get(origin, {}):
            ex, ey = self.places.get(other, (x, y))[0] - x, self.places.get(other, (x, y))[1] - y
            over = abs(dx * ey - dy * ex) < OVER_MM * hypot(ex, ey)
            if over and dx * ex + dy * ey > dx * dx + dy * dy:
                return True
        return False

    def open_way(self, origin: Place, target: Place) -> bool:
        """Whether a piece pushed from `origin` to `target` may be sensed nowhere on its way for a while,
        as between the cities of a map: then it looks like one that is carried."""
        if self.alike or origin not in self.places or target not in self.places:
            return False
        (x, y), (there_x, there_y) = self.places[origin], self.places[target]
        dx, dy = there_x - x, there_y - y
        far = hypot(dx, dy)
        return far > APART_MM and not any(
            SURE_MM < ((ox - x) * dx + (oy - y) * dy) / far < far - SURE_MM
            and abs(dx * (oy - y) - dy * (ox - x)) / far < SURE_MM
            for ox, oy in self.places.values()
        )

    def judged(self) -> frozenset[Place]:
        """The spaces where a piece must stand."""
        return frozenset(self.owners) - self.free

    def own(self, homes: Iterable[Place]) -> list[Place]:
        """Those of `homes` whose piece may be moved now, in order."""
        return sorted([home for home in homes if self.owners[home] in self.movers])
