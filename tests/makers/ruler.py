"""A person with a ruler and spacers who does what `calibrate --measure` asks for, over simulated magnets.

Hands are not exact: each mark is missed by half a millimetre, each stack is a little higher or lower.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import hypot
from typing import Any

from boardlab.rehearsal.person import Led
from boardsim.bench import bare
from boardsim.bench.runner import BenchRunner
from boardsim.pins import drivers
from boardsim.world.kits import MakerKit
from boardsim.world.physics import BoardPhysics, FootMagnet, FootPosition, PathLeg
from boardsim.world.world import Piece, World
from boardumpire.makers.guide import Check, Guide, GuideRequest
from boardware.parts import BoardDescription
from boardware.ports import MS, Micros, Ports

MISSED_MM = 0.5
STACKED_MM = 0.1
ABOVE_MM = 60.0
SPEED_MM_S = 25.0


def on_pins(world: World) -> Any:
    """The real drivers of a header, over the copper of a world."""
    return (
        drivers.open_sensors(world.board, world=world),
        drivers.open_pwm_lamps(world.board, world=world),
        drivers.open_console(world.board, world=world),
    )


class Ruler:
    """One person before one board in virtual time."""

    def __init__(
        self,
        board: BoardDescription,
        check: Check,
        kit: MakerKit | None = None,
        *,
        seed: int = 0,
        opened: Callable[[World], Any] = bare.open_drivers,
        make: Callable[[Ports, Check, Micros], Guide] = Guide,
        exact: bool = False,
    ) -> None:
        self.world = World(board, seed=seed)
        self.physics = BoardPhysics(self.world, kit, seed=seed)
        self.asks: list[GuideRequest] = []
        self.pieces: dict[int, Piece] = {}
        self.says: Callable[[GuideRequest], bool] = lambda ask: True
        """What is answered once that is done."""
        self.does: Callable[[GuideRequest], None] = lambda ask: None
        """Called before each ask is obeyed: for what goes wrong meanwhile."""
        self._dice = random.Random(f"ruler {seed}")
        self._exact = exact
        self.runner = BenchRunner(self.world)
        self.guide: Any

        def open_(ports: Ports, now: Micros) -> Any:
            self.guide = make(ports, check, now)
            return Led(self.guide)

        self.runner.start(*opened(self.world), open_)

    def magnet(self, number: int, strength: float) -> None:
        """Glue another magnet into a piece, before it is used."""
        self.physics.magnets[self.piece(number)] = FootMagnet(strength)

    def piece(self, number: int) -> Piece:
        """The piece with that number written on it."""
        if number not in self.pieces:
            self.pieces[number] = self.world.new_piece("anybody", str(number))
        return self.pieces[number]

    def strength(self, number: int) -> float:
        """How strong its magnet is, as a share of what the kit's size and grade say."""
        return abs(self.physics.magnet(self.piece(number)).moment)

    def obey(self, most: int = 1000) -> Any:
        """Do everything that is asked for; what the check found."""
        while not self.guide.is_done:
            assert len(self.asks) < most, self.asks[-3:]
            ask = self.guide.request
            self.asks.append(ask)
            self.does(ask)
            self._do(ask)
        self.guide.close()
        return self.guide.result

    def _do(self, ask: GuideRequest) -> None:
        if ask.kind == "watch":
            self.runner.run(self.runner.now + max(ask.duration, MS))
            return
        assert ask.expected_sign is not None
        verb, *about = ask.expected_sign.code.split()
        if verb != "emptied":
            if ask.space is not None and verb != "off":
                assert ask.marks == {ask.space: "put"}, "the lamp says where"
            self._move(verb, *about)
        self.runner.run(self.runner.now + 300 * MS)
        self.runner.say("", "yes" if self.says(ask) else "no")

    def _move(self, verb: str, number: str, slot: str = "", x: str = "0", y: str = "0") -> None:
        piece = self.piece(int(number))
        here = self.physics.positions.get(piece)
        match verb:
            case "off":
                assert here is not None
                self._follow(piece, [FootPosition(here.x, here.y, ABOVE_MM)])
                self.physics.remove(piece)
            case "centre":
                self._over(piece, slot, 0.0)
            case "stack":
                self._over(piece, slot, max(0.0, float(x) + self._error(STACKED_MM)))
            case "slide":
                middle = self.world.board.slots[slot].position
                off = self._error(MISSED_MM), self._error(MISSED_MM)
                self._follow(
                    piece, [FootPosition(middle.x + float(x) + off[0], middle.y + float(y) + off[1])]
                )
            case other:
                raise AssertionError(other)

    def _over(self, piece: Piece, slot: str, height: float) -> None:
        middle = self.world.board.slots[slot].position
        x, y = middle.x + self._error(MISSED_MM), middle.y + self._error(MISSED_MM)
        here = self.physics.positions.get(piece)
        up = [] if here is None else [FootPosition(here.x, here.y, ABOVE_MM)]
        self._follow(piece, [*up, FootPosition(x, y, ABOVE_MM), FootPosition(x, y, height)])

    def _follow(self, piece: Piece, points: list[FootPosition]) -> None:
        here = self.physics.positions.get(piece)
        legs = []
        for to in points:
            far = 0.0 if here is None else hypot(to.x - here.x, to.y - here.y, to.z - here.z)
            legs.append(PathLeg(round(1_000_000 * far / SPEED_MM_S), to))
            here = to
        self.runner.run(self.physics.follow(piece, legs, self.runner.now, upright=True))

    def _error(self, sigma: float) -> float:
        return 0.0 if self._exact else self._dice.gauss(0.0, sigma)
