"""What hands do with pieces, as ways through space and time: lifted high or low, pushed, tipped, brushed.

Every gesture begins at a moment and returns when it ends; two of them may overlap, as two hands do. What a
gesture draws by chance (how high, how fast, how far from the middle) it draws once and then tells as a way of
points, so that a run can be written down and led along the same ways again (`script`: the verb `path`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import cos, hypot, pi, sin
from typing import NamedTuple

from boardsim.world.physics import BoardPhysics, FootPosition, PathLeg
from boardsim.world.world import Piece
from boardware.ports import MS, Micros, SlotId

GestureCallback = Callable[[Piece, Sequence[PathLeg], Micros, bool], None]


class HandManner(NamedTuple):
    """How somebody's hands move: spans in microseconds, lengths in mm, each from least to most."""

    reach_time: tuple[Micros, Micros] = (150 * MS, 700 * MS)
    """From one thing to the next."""
    height: tuple[float, float] = (22.0, 60.0)
    """How high a piece is carried."""
    speed: tuple[float, float] = (120.0, 400.0)
    """Up, down and over the board, mm/s."""
    placement_error_mm: float = 5.0
    """How far from the middle of its square a piece is set down, at most."""


HUMAN = HandManner()
BESIDE_BOARD = FootPosition(-120.0, 0.0, 60.0)
"""Where pieces lie that are out of the game: out of every reed's reach."""
HIGH_MM = 90.0
FALLEN_MAGNET_MM = 9.0
"""How far up the magnet of a fallen piece is: it lies at the rim of the foot, upright."""


class HandGestures:
    """One pair of hands over the physics of one board."""

    def __init__(
        self,
        physics: BoardPhysics,
        dice: random.Random,
        manner: HandManner = HUMAN,
        told: GestureCallback = lambda piece, legs, at, falls: None,
    ) -> None:
        self.physics = physics
        self.manner = manner
        self.dice = dice
        self._told = told
        self.acting_person = ""
        """Whose hands these are now."""
        self.last_mover: dict[Piece, str] = {}
        """By piece whose hands moved it last."""

    # -- single ways ---------------------------------------------------------------------------------------

    def lift(self, piece: Piece, now: Micros) -> Micros:
        """Take a piece up."""
        here = self.physics.positions[piece]
        top = self._near(here, 4.0, self.dice.uniform(*self.manner.height))
        return self._move_along(piece, [here, top], now + self._random_reach_time())

    def raise_out_of_reach(self, piece: Piece, now: Micros) -> Micros:
        """Take a piece that is up so high that no reed can feel it any more."""
        here = self.physics.positions[piece]
        return self._move_along(piece, [here, here._replace(z=HIGH_MM)], now + self._random_reach_time())

    def put(self, piece: Piece, space: str, now: Micros, aside: float | None = None) -> Micros:
        """Carry a piece over to a square and set it down, `aside` mm from its middle at most."""
        middle = self._middle(space)
        rest = self._near(middle, self.manner.placement_error_mm if aside is None else aside, 0.0)
        return self._lower(piece, rest, now)

    def tap_own_square(self, piece: Piece, space: str, now: Micros) -> Micros:
        """Tap a piece that is up on a square, and keep it up: the sign of an attack."""
        here, down = self.physics.positions[piece], self._near(self._middle(space), 3.0, 0.0)
        top = down._replace(z=max(here.z, 25.0))
        speed = self.dice.uniform(250.0, 500.0)
        stands = PathLeg(self.dice.randint(60 * MS, 200 * MS), down)
        legs = [*self._legs([here, top]), *self._legs([top, down], speed), stands]
        return self._perform_legs(
            piece, [*legs, *self._legs([down, top], speed)], now + self._random_reach_time()
        )

    def lift_briefly(self, piece: Piece, now: Micros) -> Micros:
        """Lift a piece a little and set it down again at once."""
        here = self.physics.positions[piece]
        top = here._replace(z=round(self.dice.uniform(8.0, 30.0), 1))
        speed = self.dice.uniform(150.0, 500.0)
        return self._move_along(piece, [here, top, here], now + self._random_reach_time(), speed)

    def put_between(self, piece: Piece, space: str, other: str, share: float, now: Micros) -> Micros:
        """Set a piece down on the way from one square to another: share 0.5 is the border."""
        here, there = self._middle(space), self._middle(other)
        rest = FootPosition(here.x + (there.x - here.x) * share, here.y + (there.y - here.y) * share)
        return self._lower(piece, self._near(rest, 1.0, 0.0), now)

    def place_from_box(self, piece: Piece, space: str, now: Micros) -> Micros:
        """Put a piece from the box on a square."""
        rest = self._near(self._middle(space), self.manner.placement_error_mm, 0.0)
        top = rest._replace(z=self.dice.uniform(*self.manner.height))
        return self._move_along(piece, [top, rest], now + self._random_reach_time())

    def hold_over(self, piece: Piece, space: str, now: Micros) -> Micros:
        """Carry a piece that is up over a square, and keep it there."""
        height = self.physics.positions[piece].z
        over = self._near(self._middle(space), 6.0, height)
        return self._move_along(piece, [self.physics.positions[piece], over], now + self._random_reach_time())

    def put_aside(self, piece: Piece, now: Micros) -> Micros:
        """Carry a piece beside the board."""
        here = self.physics.positions[piece]
        top = here._replace(z=max(here.z, self.dice.uniform(*self.manner.height)))
        return self._move_along(piece, [here, top, BESIDE_BOARD], now + self._random_reach_time())

    def slide(self, piece: Piece, space: str, now: Micros) -> Micros:
        """Push a piece straight over the board to a square."""
        here = self.physics.positions[piece]
        rest = self._near(self._middle(space), self.manner.placement_error_mm, 0.0)
        speed = self.dice.uniform(90.0, 450.0)
        return self._move_along(piece, [here, rest], now + self._random_reach_time(), speed)

    def drag(self, piece: Piece, space: str, now: Micros) -> Micros:
        """Carry a piece so low that it brushes over the squares on its way."""
        here, rest = (
            self.physics.positions[piece],
            self._near(self._middle(space), self.manner.placement_error_mm, 0.0),
        )
        low = self.dice.uniform(2.0, 9.0)
        ways = [here, here._replace(z=low), rest._replace(z=low), rest]
        return self._move_along(piece, ways, now + self._random_reach_time())

    def push_and_return(self, piece: Piece, now: Micros) -> Micros:
        """Push a piece aside for a moment, and it is where it was: tapped, or brushed by a sleeve."""
        here = self.physics.positions[piece]
        there = self._near(here, 0.0, here.z, self.dice.uniform(4.0, 20.0))
        wait = self.dice.randint(10 * MS, 90 * MS)
        start = now + self._random_reach_time()
        legs = [*self._legs([here, there]), PathLeg(wait, there), *self._legs([there, here])]
        return self._perform_legs(piece, legs, start)

    def centre(self, piece: Piece, space: str, now: Micros) -> Micros:
        """Push a piece to the middle of a square."""
        rest = self._near(self._middle(space), 2.0, 0.0)
        return self._move_along(piece, [self.physics.positions[piece], rest], now + self._random_reach_time())

    def topple(self, piece: Piece, now: Micros) -> Micros:
        """Knock a piece over: it lies beside where it stood, its magnet off the board's face."""
        here = self.physics.positions[piece]
        lying = self._near(here, 0.0, FALLEN_MAGNET_MM, self.dice.uniform(8.0, 14.0))
        ways = [here, lying]
        if self.dice.random() < 0.25:  # it rolls
            lying = self._near(lying, 0.0, FALLEN_MAGNET_MM, self.dice.uniform(5.0, 20.0))
            ways.append(lying)
        return self._move_along(piece, ways, now + self._random_reach_time(), falls=True)

    # -- how -----------------------------------------------------------------------------------------------

    def _random_reach_time(self) -> Micros:
        return self.dice.randint(*self.manner.reach_time)

    def _middle(self, space: str) -> FootPosition:
        """Of a space its first slot, or the slot of that name."""
        return FootPosition(*self.physics.world.board.slots[SlotId(space)].position)

    def _near(
        self, point: FootPosition, most: float, height: float, far: float | None = None
    ) -> FootPosition:
        """A point up to `most`, or exactly `far`, from another one, in whole tenths of a millimetre."""
        length = self.dice.uniform(0.0, most) if far is None else far
        turn = self.dice.uniform(0.0, 2 * pi)
        x, y = point.x + length * cos(turn), point.y + length * sin(turn)
        return FootPosition(round(x, 1), round(y, 1), round(height, 1))

    def _lower(self, piece: Piece, rest: FootPosition, now: Micros) -> Micros:
        here = self.physics.positions[piece]
        return self._move_along(piece, [here, rest._replace(z=here.z), rest], now + self._random_reach_time())

    def _legs(self, points: Sequence[FootPosition], speed: float | None = None) -> list[PathLeg]:
        legs, here = [], points[0]
        for there in points[1:]:
            pace = speed or self.dice.uniform(*self.manner.speed)
            far = hypot(there.x - here.x, there.y - here.y, there.z - here.z)
            legs.append(PathLeg(round(1_000_000 * far / pace), there))
            here = there
        return legs

    def _move_along(
        self,
        piece: Piece,
        points: Sequence[FootPosition],
        now: Micros,
        speed: float | None = None,
        *,
        falls: bool = False,
    ) -> Micros:
        legs = self._legs(points, speed)
        if piece not in self.physics.positions:
            legs.insert(0, PathLeg(0, points[0]))
        return self._perform_legs(piece, legs, now, falls=falls)

    def _perform_legs(
        self, piece: Piece, legs: Sequence[PathLeg], now: Micros, *, falls: bool = False
    ) -> Micros:
        now = now // MS * MS
        legs = [
            PathLeg(-(-leg.span // MS) * MS, FootPosition(*(round(each, 1) for each in leg.to)))
            for leg in legs
        ]
        self._told(piece, legs, now, falls)
        self.last_mover[piece] = self.acting_person
        return self.physics.follow(piece, legs, now, falls=falls)
