"""Magnets over sensors, in millimetres: which sensor closes when on the way of a piece.

The fields of all magnets near a sensor add up, with their signs: those of pieces that rest, those of pieces
in the hand. A sensor closes where what it feels rises to its operate value, and opens where that falls below
its release value (`boardware.physics`). Where on a way that will be is found beforehand; at that moment it
is reckoned anew from where everything then is. So two hands may move at once, and a crowd may close the
sensor of an empty square.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import ceil, cos, hypot, pi, radians, sin, sqrt
from typing import Final, NamedTuple

from boardsim.world.kits import MakerKit
from boardsim.world.world import Piece, World
from boardware.physics.design import DEFAULT_DESIGN
from boardware.physics.magnets import Vector
from boardware.physics.sensors import Sensor, make_sensor
from boardware.ports import SECOND, Micros, SlotId

FAR_MM: Final = 110.0
"""Further away no field is reckoned: of the strongest magnet it is under 1 % of what closes a sensor."""
STEP_MM: Final = 1.5
"""How closely a way is looked at; where something changes in between, up to a thousandth of that."""
NOTICED_FIELD_SHARE: Final = 0.2
"""A way is looked at as far as a magnet does so much of what closes the sensor."""
TILT_DEGREES: Final = 20.0
"""How far a piece in the hand leans, at most (an estimate)."""
FULL_TILT_HEIGHT_MM: Final = 10.0
"""From so far up; lower down less, and not at all where it stands."""


class FootMagnet(NamedTuple):
    """What is in the foot of a piece, against what the kit has for it."""

    strength: float = 1.0
    """Negative where it was glued in upside down."""
    disc: bool = False
    """With an iron disc above: the field is half as strong again below, and no weaker beside."""
    centre_offset: tuple[float, float] = (0.0, 0.0)
    """How far it sits off the middle of the foot, in mm."""
    side_direction: float | None = None
    """Where it was glued in on its side: which way it points while the piece stands, in degrees."""

    @property
    def moment(self) -> float:
        """How strong it is for the sensors."""
        return self.strength * (1.5 if self.disc else 1.0)


class FootPosition(NamedTuple):
    """Where a piece's foot is: mm from the board's lower left corner, and above its face."""

    x: float
    y: float
    z: float = 0.0


class PathLeg(NamedTuple):
    """A straight stretch of a way."""

    span: Micros
    to: FootPosition


UPRIGHT: Final[Vector] = (0.0, 0.0, 1.0)


class _TimedLeg(NamedTuple):
    """A leg with its moments, and which way the magnet points at both ends."""

    begin: Micros
    finish: Micros
    start: FootPosition
    end: FootPosition
    from_axis: Vector
    to_axis: Vector

    def at(self, share: float) -> tuple[float, float, float, Vector]:
        """Where the foot is after that share of it, and which way the magnet points."""
        a, b, u, v = self.start, self.end, self.from_axis, self.to_axis
        rest = 1.0 - share
        return (
            a.x * rest + b.x * share,
            a.y * rest + b.y * share,
            a.z * rest + b.z * share,
            (u[0] * rest + v[0] * share, u[1] * rest + v[1] * share, u[2] * rest + v[2] * share),
        )


class BoardPhysics:
    """Where every piece is, and what the sensors make of it."""

    def __init__(self, world: World, kit: MakerKit | None = None, *, seed: int = 0) -> None:
        self.world = world
        self.kit = kit = MakerKit(world.board.sensor_design or DEFAULT_DESIGN) if kit is None else kit
        self.design = kit.design
        self.usual = kit.design.magnet_disc
        """The magnet that pieces have, but for spread."""
        self._moment = kit.design.measured_moment
        self._seed = seed
        self.sensors: dict[SlotId, Sensor] = dict(self._make_sensors())
        """By slot what lies there."""
        self.magnets: dict[Piece, FootMagnet] = {}
        """What is in the foot of each piece that has been seen."""
        self.positions: dict[Piece, FootPosition] = {}
        """Where each piece is, or will be once what is planned has happened. Not those in the box."""
        self.resting_slots: dict[Piece, SlotId] = {}
        """On which slot each piece rests."""
        self.last_causes: dict[SlotId, Piece] = {}
        """By slot whose magnet closed or opened the sensor there last."""
        self._lies: dict[Piece, Vector] = {}
        """Which way the magnets of fallen pieces point."""
        self._resting = dict.fromkeys(self.sensors, 0.0)
        """By slot what all magnets do that rest."""
        self._does: dict[Piece, list[tuple[SlotId, float]]] = {}
        """What each magnet that rests does."""
        self._air: dict[Piece, list[_TimedLeg]] = {}
        """The ways of pieces in the hand."""
        self._closed = dict.fromkeys(self.sensors, False)
        self._near = _Neighbourhood({slot: each.at for slot, each in self.sensors.items()})
        self._reach = self._notice_distances()

    def _make_sensors(self) -> Iterable[tuple[SlotId, Sensor]]:
        """Samples of the kit's part, each a little off its place, leaning, and more or less sensitive."""
        kit, design = self.kit, self.design
        part = design.part
        low, high = part.operate
        for slot, place in self.world.board.slots.items():
            if place.sensor is None:
                continue
            dice = random.Random(f"sensor {self._seed} {slot}")
            middle = (low + high) / 2
            x, y = place.position.x, place.position.y
            way = radians(design.turn_deg)
            x, y = x + design.aside_mm * cos(way), y + design.aside_mm * sin(way)
            if not kit.sample_spread:
                yield (
                    slot,
                    make_sensor(
                        part,
                        (x, y, 0.0),
                        design.gap_mm,
                        turn=design.turn_deg,
                        bent=design.bent_mm,
                        back=design.back_mm,
                    ),
                )
                continue
            yield (
                slot,
                make_sensor(
                    part,
                    (x + dice.gauss(0, 1.0), y + dice.gauss(0, 1.0), 0.0),
                    design.gap_mm + dice.uniform(-0.5, 0.5),
                    operate=middle + (dice.uniform(low, high) - middle) * kit.sample_spread,
                    release=dice.uniform(*part.release),
                    turn=design.turn_deg + dice.gauss(0, 3.0),
                    lean=(dice.gauss(0, 3.0), dice.gauss(0, 3.0)),
                    bent=design.bent_mm,
                    back=design.back_mm,
                ),
            )

    def magnet(self, piece: Piece) -> FootMagnet:
        """What is in the foot of a piece; by its number, so that it doesn't matter who asks first."""
        found = self.magnets.get(piece)
        if found is None:
            dice = random.Random(f"magnet {self._seed} {piece.number}")
            found = FootMagnet()
            if self.kit.sample_spread:
                found = FootMagnet(
                    dice.gauss(1.0, 0.03), centre_offset=(dice.gauss(0, 0.4), dice.gauss(0, 0.4))
                )
            if self.kit.magnets_on_side:
                found = found._replace(side_direction=dice.uniform(0.0, 360.0))
            if self.kit.upside_down:
                found = found._replace(strength=-found.strength)
            if self.design.has_mixed_poles and dice.random() < 0.5:
                found = found._replace(strength=-found.strength)
            if dice.random() < self.kit.odd_magnet_rate:
                odd = [FootMagnet(0.8), FootMagnet(-1.0), FootMagnet(1.0, disc=True)]
                found = dice.choice(odd if not self.design.is_one_pole_only else odd[::2])._replace(
                    side_direction=found.side_direction
                )
            self.magnets[piece] = found
        return found

    # -- ways ----------------------------------------------------------------------------------------------

    def follow(
        self,
        piece: Piece,
        legs: Sequence[PathLeg],
        now: Micros,
        *,
        falls: bool = False,
        upright: bool = False,
    ) -> Micros:
        """Lead a piece along a way from where it is; when it ends. From the box the first leg takes no time.

        It leans a little in the hand, unless it is kept `upright`, as by a ruler. A way that ends on the
        board's face ends at rest, on the slot whose middle is nearest; one that `falls` ends lying there.
        """
        if not legs:
            return now
        here = self.positions.get(piece)
        if here is None or legs[0].span == 0:
            here = legs[0].to
        slot = self.resting_slots.pop(piece, None)
        way = self._way(piece, here, legs, now, falls=falls, upright=upright)
        self.world.plan(now, partial(self._leave, piece, slot, way))
        end = way[-1]
        self.positions[piece] = end.end
        if end.end.z <= 0 or falls:
            slot = self.nearest(end.end)
            self.resting_slots[piece] = slot
            self.world.plan(end.finish, partial(self._arrive, piece, slot, falls))
        return end.finish

    def remove(self, piece: Piece) -> None:
        """A piece that is up goes into the box, out of every sensor's reach."""
        self.positions.pop(piece, None)
        way = self._air.pop(piece, None)
        if way is not None:
            end = way[-1].end
            for slot in self._near.around(end.x, end.y):
                self.world.plan(self.world.now, partial(self._update_sensor, slot, piece))

    def nearest(self, point: FootPosition) -> SlotId:
        """The slot whose middle is nearest to a point."""
        slots = self.world.board.slots

        def far(slot: SlotId) -> float:
            x, y = slots[slot].position
            return float((x - point.x) ** 2 + (y - point.y) ** 2)

        return min(slots, key=far)

    def sensors_closed_by(self, piece: Piece) -> frozenset[SlotId]:
        """The sensors that a piece holds closed, once what is planned has happened."""
        here = self.positions.get(piece)
        if here is None:
            return frozenset()
        axis = self._lies.get(piece, UPRIGHT)
        own = dict(self._does.get(piece, ()))
        found = set()
        for slot, felt in self._fields_of_piece(piece, here, axis):
            sensor, others = self.sensors[slot], self._resting[slot] - own.get(slot, 0.0)
            if sensor.is_closed(felt, True) and sensor.is_closed(others + felt, self._closed[slot]):
                found.add(slot)
        return frozenset(found)

    def _way(
        self,
        piece: Piece,
        here: FootPosition,
        legs: Sequence[PathLeg],
        now: Micros,
        *,
        falls: bool,
        upright: bool,
    ) -> list[_TimedLeg]:
        dice = random.Random(f"tilt {self._seed} {piece.number} {now}")
        lean, turn = sin(radians(dice.uniform(0, TILT_DEGREES))), dice.uniform(0, 2 * pi)
        if upright or not self.kit.sample_spread:
            lean = 0.0
        axis = self._lies.get(piece) or _leaning_axis(lean, turn, here.z)
        way = []
        for leg in legs:
            then = _leaning_axis(lean, turn, leg.to.z)
            if falls:
                far = hypot(leg.to.x - here.x, leg.to.y - here.y) or 1.0
                then = ((leg.to.x - here.x) / far, (leg.to.y - here.y) / far, 0.0)
            way.append(_TimedLeg(now, now + leg.span, here, leg.to, axis, then))
            here, now, axis = leg.to, now + leg.span, then
        return way

    def _leave(self, piece: Piece, slot: SlotId | None, way: list[_TimedLeg], at: Micros) -> None:
        if slot is not None:
            self.world.remove_resting_piece(piece, slot)
            for other, felt in self._does.pop(piece, ()):
                self._resting[other] -= felt
        self._lies.pop(piece, None)
        self._air[piece] = way
        self._plan_sensor_updates(piece, way)

    def _arrive(self, piece: Piece, slot: SlotId, fallen: bool, at: Micros) -> None:
        end = self._air.pop(piece)[-1]
        if fallen:
            self._lies[piece] = end.to_axis
        self.world.add_resting_piece(piece, slot, fallen=fallen)
        self._does[piece] = done = list(self._fields_of_piece(piece, end.end, end.to_axis))
        for other, felt in done:
            self._resting[other] += felt
        for other, _ in done:
            self._update_sensor(other, piece, at)

    # -- fields --------------------------------------------------------------------------------------------

    def _fields_of_piece(
        self, piece: Piece, at: FootPosition, axis: Vector
    ) -> Iterable[tuple[SlotId, float]]:
        """What a piece does to the sensors around."""
        magnet = self.magnet(piece)
        for slot in self._near.around(at.x, at.y):
            yield slot, self._field_on_sensor(slot, magnet, at.x, at.y, at.z, axis)

    def _field_on_sensor(
        self, slot: SlotId, magnet: FootMagnet, x: float, y: float, z: float, axis: Vector
    ) -> float:
        moment = magnet.moment * self._moment
        if magnet.side_direction is not None:  # leaning and lying make little of that
            way = radians(magnet.side_direction)
            axis = (cos(way), sin(way), 0.0)
        pole = (moment * axis[0], moment * axis[1], moment * axis[2])
        middle = (x + magnet.centre_offset[0], y + magnet.centre_offset[1], z + self.usual.height_mm / 2)
        return self.sensors[slot].field_of_magnet(pole, self.usual.smoothing_mm2, middle)

    def field_at(self, slot: SlotId, at: Micros, but: Piece | None = None) -> float:
        """What the sensor of a slot feels at that moment of all there is, in its own unit (`Sensor`).

        Of a piece `but` it doesn't, as long as it is in a hand.
        """
        felt = self._resting[slot]
        place = self.sensors[slot].at
        for piece, way in self._air.items():
            if piece == but:
                continue
            stretch = way[min(bisect_right(way, at, key=lambda each: each.finish), len(way) - 1)]
            span = stretch.finish - stretch.begin
            share = min(max((at - stretch.begin) / span, 0.0), 1.0) if span else 1.0
            x, y, z, axis = stretch.at(share)
            if abs(x - place[0]) < FAR_MM and abs(y - place[1]) < FAR_MM:
                felt += self._field_on_sensor(slot, self.magnet(piece), x, y, z, axis)
        return felt

    def _update_sensor(self, slot: SlotId, cause: Piece, at: Micros) -> None:
        """Close or open a sensor as what it feels at this moment says."""
        before = self._closed[slot]
        if self.sensors[slot].is_closed(self.field_at(slot, at), before) == before:
            return
        self._closed[slot] = not before
        self.last_causes[slot] = cause
        self.world.change_magnets(slot, -1 if before else +1, at)

    def _plan_sensor_updates(self, piece: Piece, way: Sequence[_TimedLeg]) -> None:
        """Plan a look at each sensor along a way whenever it will change, as far as can be seen now."""
        magnet = self.magnet(piece)
        closed: dict[SlotId, bool] = {}
        for stretch in way:
            for slot in self._near.along(stretch.start, stretch.end, self._reach[0]):
                sensor = self.sensors[slot]
                span = _noticed_span(stretch, sensor.at, *self._reach)
                if span is None:
                    continue
                others = self.field_at(slot, stretch.begin, piece)

                def felt(
                    share: float, slot: SlotId = slot, stretch: _TimedLeg = stretch, rest: float = others
                ) -> float:
                    return rest + self._field_on_sensor(slot, magnet, *stretch.at(share))

                state = closed.get(slot, self._closed[slot])
                for share in _switching_shares(felt, sensor, state, stretch, span):
                    state = not state
                    moment = stretch.begin + ceil(share * (stretch.finish - stretch.begin))
                    self.world.plan(
                        self._next_sample_time(slot, moment), partial(self._update_sensor, slot, piece)
                    )
                closed[slot] = state
                # Another hand may have been near then: what is left over is seen here.
                self.world.plan(
                    self._next_sample_time(slot, stretch.finish), partial(self._update_sensor, slot, piece)
                )

    def _next_sample_time(self, slot: SlotId, at: Micros) -> Micros:
        """When a sensor looks next, where it doesn't look all the time."""
        at = max(at, self.world.now)
        rate = self.sensors[slot].part.sample_rate_hz
        if rate is None:
            return at
        period = round(SECOND / rate)
        phase = random.Random(f"phase {self._seed} {slot}").randrange(period)
        return at + (phase - at) % period

    def _notice_distances(self) -> tuple[float, float]:
        """How far beside a sensor, and above its face, a magnet is noticed; in mm."""
        part = self.design.part
        one = make_sensor(
            part,
            (0.0, 0.0, 0.0),
            self.design.gap_mm,
            operate=part.operate[0],
            bent=self.design.bent_mm,
            back=self.design.back_mm,
        )
        pole = (0.0, 0.0, 1.5 * self._moment)

        def noticed(aside: float, up: float) -> bool:
            middle = (aside, 0.0, up + self.usual.height_mm / 2)
            return (
                abs(one.field_of_magnet(pole, self.usual.smoothing_mm2, middle))
                >= NOTICED_FIELD_SHARE * one.operate
            )

        beside = max((mm for mm in range(80) if noticed(mm, 0)), default=0)
        above = max((mm for mm in range(80) for aside in (0, 8) if noticed(aside, mm)), default=0)
        return beside + 4.0, above + 4.0


def _leaning_axis(lean: float, turn: float, height: float) -> Vector:
    lean *= min(height / FULL_TILT_HEIGHT_MM, 1.0)
    if not lean:
        return UPRIGHT
    return (lean * cos(turn), lean * sin(turn), sqrt(1 - lean * lean))


def _noticed_span(stretch: _TimedLeg, at: Vector, beside: float, above: float) -> tuple[float, float] | None:
    """The part of a straight way, as shares, in which a sensor notices a magnet; `None` if it never does."""
    start, end = stretch.start, stretch.end
    flat = (above / beside) ** 2
    ax, ay, az = start.x - at[0], start.y - at[1], start.z
    dx, dy, dz = end.x - start.x, end.y - start.y, end.z - start.z
    a = flat * (dx * dx + dy * dy) + dz * dz
    b = flat * (ax * dx + ay * dy) + az * dz
    c = flat * (ax * ax + ay * ay) + az * az - above * above
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


def _switching_shares(
    felt: Callable[[float], float],
    sensor: Sensor,
    closed: bool,
    stretch: _TimedLeg,
    span: tuple[float, float],
) -> Iterable[float]:
    """The shares of a straight way at which a sensor closes and opens."""
    low, high = span
    a, b = stretch.start, stretch.end
    far = hypot(b.x - a.x, b.y - a.y, b.z - a.z) * (high - low)
    steps = max(1, ceil(far / STEP_MM))
    before, was = low, felt(low)
    for step in range(steps + 1):
        share = low + (high - low) * step / steps
        now = felt(share)
        for here in (_zero_field_share(before, share, felt, was), share) if was * now < 0 else (share,):
            if sensor.is_closed(felt(here), closed) != closed:
                under, over = before, here
                for _ in range(10):
                    middle = (under + over) / 2
                    if sensor.is_closed(felt(middle), closed) != closed:
                        over = middle
                    else:
                        under = middle
                yield over
                closed = not closed
            before = here
        was = now


def _zero_field_share(low: float, high: float, felt: Callable[[float], float], at_low: float) -> float:
    """Where between two shares nothing is felt: the null of a flat reed may be narrower than a step."""
    for _ in range(12):
        middle = (low + high) / 2
        if felt(middle) * at_low > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


class _Neighbourhood:
    """Which sensors are near a place. Places are few, as hands set pieces down on squares: they are kept."""

    def __init__(self, places: dict[SlotId, Vector]) -> None:
        self._places = places
        self._cells: dict[tuple[int, int], tuple[SlotId, ...]] = {}

    def around(self, x: float, y: float) -> tuple[SlotId, ...]:
        """Those within `FAR_MM`, and some beyond."""
        cell = (int(x // 20), int(y // 20))
        found = self._cells.get(cell)
        if found is None:
            middle = (cell[0] * 20 + 10.0, cell[1] * 20 + 10.0)
            found = self._cells[cell] = tuple(
                slot
                for slot, at in self._places.items()
                if hypot(at[0] - middle[0], at[1] - middle[1]) < FAR_MM
            )
        return found

    def along(self, start: FootPosition, end: FootPosition, reach: float) -> Iterable[SlotId]:
        """Those whose distance from a straight way may be less than `reach`."""
        low_x, high_x = min(start.x, end.x) - reach, max(start.x, end.x) + reach
        low_y, high_y = min(start.y, end.y) - reach, max(start.y, end.y) + reach
        for slot, (x, y, _) in self._places.items():
            if low_x < x < high_x and low_y < y < high_y:
                yield slot
