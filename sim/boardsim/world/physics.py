"""Magnets over reeds, in millimetres: which reed closes when on the way of a piece.

A reed closes where the field of a magnet reaches its operate value and opens where it falls below its release
value. Close to a dipole the places of equal strength lie on a surface 1.26 times as high as it is wide. An
ellipsoid of that shape follows it to 5 %, so where a straight way enters and leaves it is a quadratic
equation, and nothing is sampled. Magnets that rest add their fields at the reeds around them: same poles
up weaken each other there, a flipped one strengthens.

The numbers are assumptions within what makers' data sheets say of the usual parts. A glass reed of 10 to 20
ampere-turns closes for a disc of neodymium of 6 to 10 mm at 8 to 25 mm, and opens at 1.05 to 1.3 times that
distance (release at 50 to 90 % of the operate value). Nobody has measured this board.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from math import sqrt
from typing import NamedTuple

from boardsim.world.world import Piece, World
from boardware.ports import Micros, Slot

GAP_MM = 6.0
"""From the middle of a reed up to the middle of the magnet in a piece that stands over it."""
FLAT = 4 ** (1 / 3)
"""A dipole's field is twice as strong along its axis as beside it: by its cube root nearer, squared."""
FAR_MM = 100.0
"""Further away no field is reckoned."""


class Kit(NamedTuple):
    """A maker's choice of reeds and magnets."""

    operate_mm: float = 16.0
    """How far above a reed's middle the usual magnet closes it."""
    release: float = 0.7
    """The release value as a share of the operate value."""
    spread: float = 0.06
    """How much reeds differ: the standard deviation of their operate value, as a share."""
    odd: float = 0.05
    """How many pieces have another magnet than the usual one: weaker, upside down, or with an iron disc."""


class Magnet(NamedTuple):
    """What is in the foot of a piece."""

    strength: float = 1.0
    """Against the usual one; negative where it was glued in upside down."""
    disc: bool = False
    """With an iron disc above: the field is half as strong again below, and no weaker beside."""

    @property
    def moment(self) -> float:
        """How strong it is for the reeds."""
        return self.strength * (1.5 if self.disc else 1.0)


class Point(NamedTuple):
    """Where a piece's foot is: mm from the board's lower left corner, and above its face."""

    x: float
    y: float
    z: float = 0.0


class Leg(NamedTuple):
    """A straight stretch of a way."""

    span: Micros
    to: Point


USUAL = Magnet()
KITS = {
    "usual": Kit(),
    "strong": Kit(operate_mm=30.0),
    "weak": Kit(operate_mm=13.0, release=0.6),
    "mixed": Kit(odd=0.25, spread=0.1),
}
"""On the border of two squares neither reed feels a usual magnet, and both feel a strong one."""


class Physics:
    """Where every piece is, and what the reeds make of it."""

    def __init__(self, world: World, kit: Kit = Kit(), *, seed: int = 0) -> None:  # noqa: B008 - immutable
        self.world = world
        self.kit = kit
        dice = random.Random(f"reeds {seed}")
        self.reeds: dict[Slot, tuple[float, float, float]] = {
            slot: (place.position.x, place.position.y, max(0.5, dice.gauss(1.0, kit.spread)))
            for slot, place in world.board.slots.items()
            if place.sensor is not None
        }
        """By slot where its reed is, and how much of the usual operate value it needs."""
        self.magnets: dict[Piece, Magnet] = {}
        """What is in the foot of each piece that has been seen."""
        self._seed = seed
        self.at: dict[Piece, Point] = {}
        """Where each piece is, or will be once what is planned has happened. Not those in the box."""
        self.slots: dict[Piece, Slot] = {}
        """On which slot each piece rests."""
        self._near: dict[Piece, set[Slot]] = {}
        """The reeds that each piece holds closed by itself."""
        self._field = dict.fromkeys(self.reeds, 0.0)
        """By reed what all resting magnets do to it, in mm^-3 of a usual magnet beside it."""
        self._around: dict[Slot, list[tuple[Slot, float]]] = {}
        self.caused: dict[Slot, Piece] = {}
        """By reed whose magnet came to it or left it last."""

    def magnet(self, piece: Piece) -> Magnet:
        """What is in the foot of a piece; by its number, so that it doesn't matter who asks first."""
        found = self.magnets.get(piece)
        if found is None:
            dice = random.Random(f"magnet {self._seed} {piece.number}")
            found = USUAL
            if dice.random() < self.kit.odd:
                found = dice.choice([Magnet(0.7), Magnet(-1.0), Magnet(1.0, disc=True)])
            self.magnets[piece] = found
        return found

    # -- ways ----------------------------------------------------------------------------------------------

    def follow(self, piece: Piece, legs: Sequence[Leg], now: Micros, *, falls: bool = False) -> Micros:
        """Lead a piece along a way from where it is; when it ends. From the box the first leg takes no time.

        A way that ends on the board's face ends at rest, on the slot whose middle is nearest; one that
        `falls` ends lying there.
        """
        if not legs:
            return now
        here = self.at.get(piece)
        if here is None or legs[0].span == 0:
            here = legs[0].to
        slot = self.slots.pop(piece, None)
        if slot is not None:
            self._disturb(piece, slot, -1)
            self.world.plan(now, partial(self._leave, piece, slot))
        for leg in legs:
            self._cross(piece, here, leg.to, now, now + leg.span)
            here, now = leg.to, now + leg.span
        self.at[piece] = here
        if here.z <= 0 or falls:
            slot = self.nearest(here)
            self.slots[piece] = slot
            if not falls:
                self._disturb(piece, slot, +1)
            self.world.plan(now, partial(self._arrive, piece, slot, falls))
        return now

    def remove(self, piece: Piece) -> None:
        """A piece that is up goes into the box, out of every reed's reach."""
        for slot in self._near.pop(piece, ()):
            self.world.plan(self.world.now, partial(self.world.magnet, slot, -1))
        self.at.pop(piece, None)

    def nearest(self, point: Point) -> Slot:
        """The slot whose middle is nearest to a point."""
        slots = self.world.board.slots

        def far(slot: Slot) -> float:
            x, y = slots[slot].position
            return float((x - point.x) ** 2 + (y - point.y) ** 2)

        return min(slots, key=far)

    def felt_by(self, piece: Piece) -> frozenset[Slot]:
        """The reeds that a piece holds closed, once what is planned has happened."""
        return frozenset(self._near.get(piece, ()))

    def _leave(self, piece: Piece, slot: Slot, at: Micros) -> None:
        self.world.leave(piece, slot)

    def _arrive(self, piece: Piece, slot: Slot, fallen: bool, at: Micros) -> None:
        self.world.arrive(piece, slot, fallen=fallen)

    # -- fields --------------------------------------------------------------------------------------------

    def reaches(self, slot: Slot, moment: float) -> tuple[float, float]:
        """How far above this reed such a magnet closes it, and how far up it opens again, both in mm."""
        need = self.reeds[slot][2] * 2 / self.kit.operate_mm**3
        own = self._field[slot] if moment > 0 else -self._field[slot]
        operate = max(need + own, 0.1 * need)
        release = max(need * self.kit.release + own, 0.1 * need)
        strength = 2 * abs(moment)
        return (strength / operate) ** (1 / 3), (strength / release) ** (1 / 3)

    def _cross(self, piece: Piece, start: Point, end: Point, begin: Micros, finish: Micros) -> None:
        """Plan what the reeds along one straight stretch do."""
        moment = self.magnet(piece).moment
        near = self._near.setdefault(piece, set())
        reach = self.kit.operate_mm * 2
        low_x, high_x = min(start.x, end.x) - reach, max(start.x, end.x) + reach
        low_y, high_y = min(start.y, end.y) - reach, max(start.y, end.y) + reach
        for slot, (x, y, _) in self.reeds.items():
            if not (low_x < x < high_x and low_y < y < high_y):
                continue
            operate, release = self.reaches(slot, moment)
            if slot not in near:
                way = _inside(start, end, x, y, operate)
                if way is None:
                    continue
                near.add(slot)
                self._plan(piece, slot, +1, begin + round(way[0] * (finish - begin)))
            way = _inside(start, end, x, y, max(operate, release))
            if way is None or way[1] < 1.0:
                near.discard(slot)
                share = 0.0 if way is None else way[1]
                self._plan(piece, slot, -1, begin + round(share * (finish - begin)))

    def _plan(self, piece: Piece, slot: Slot, change: int, at: Micros) -> None:
        self.world.plan(max(at, self.world.now), partial(self._feel, piece, slot, change))

    def _feel(self, piece: Piece, slot: Slot, change: int, at: Micros) -> None:
        self.caused[slot] = piece
        self.world.magnet(slot, change, at)

    def _disturb(self, piece: Piece, slot: Slot, sign: int) -> None:
        """A magnet that rests on `slot` changes the field at the reeds around, beside it: pole to pole."""
        moment = sign * self.magnet(piece).moment
        for other, field in self._neighbours(slot):
            self._field[other] += moment * field

    def _neighbours(self, slot: Slot) -> list[tuple[Slot, float]]:
        found = self._around.get(slot)
        if found is None:
            here = self.world.board.slots[slot].position
            found = []
            for other, (x, y, _) in self.reeds.items():
                far = sqrt((x - here.x) ** 2 + (y - here.y) ** 2)
                if 0 < far < FAR_MM:
                    found.append((other, far**-3))
            self._around[slot] = found
        return found


def _inside(start: Point, end: Point, x: float, y: float, height: float) -> tuple[float, float] | None:
    """The share of a straight way at which it comes into a reed's ellipsoid, and leaves it; within 0 to 1."""
    ax, ay, az = start.x - x, start.y - y, start.z + GAP_MM
    dx, dy, dz = end.x - start.x, end.y - start.y, end.z - start.z
    a = FLAT * (dx * dx + dy * dy) + dz * dz
    b = FLAT * (ax * dx + ay * dy) + az * dz
    c = FLAT * (ax * ax + ay * ay) + az * az - height * height
    if a == 0.0:
        return (0.0, 1.0) if c <= 0 else None
    root = b * b - a * c
    if root < 0:
        return None
    root = sqrt(root)
    enter, leave = (-b - root) / a, (-b + root) / a
    if leave < 0 or enter > 1:
        return None
    return max(enter, 0.0), min(leave, 1.0)
