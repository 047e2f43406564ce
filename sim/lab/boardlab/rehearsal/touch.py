"""Hands over magnets and reeds as they are (`boardsim.world.physics`), for makers' checks."""

from __future__ import annotations

import random
from functools import partial
from math import cos, pi, sin

from boardrules.identifiers import Seat
from boardsim.hands.gestures import HandGestures, HandManner
from boardsim.hands.hands import Hands, HeldPiece
from boardsim.world.physics import BoardPhysics, FootMagnet, FootPosition, PathLeg
from boardsim.world.world import Piece
from boardware.physics.magnets import parse
from boardware.ports import MS, Micros, SlotId

QUICK = HandManner((100 * MS, 200 * MS), (25.0, 40.0), (200.0, 400.0), placement_error_mm=2.0)
"""Asked to put a piece in the middle of a square, a person does within 2 mm."""
STRONG = parse("15x5")
ASIDE_MM = 8.0
"""A finger's width, from the middle of the piece."""


class Touch:
    """As much of `Hands` as makers' checks ask for."""

    def __init__(self, physics: BoardPhysics, seed: int) -> None:
        self.physics = physics
        self.world = physics.world
        self.held: list[HeldPiece] = []
        self.beside: list[Piece] = []
        self._gestures = HandGestures(physics, random.Random(f"touch {seed}"), QUICK)
        self._buttons = Hands(self.world)
        self._magnet: tuple[Piece, SlotId] | None = None

    def _slot(self, space: str) -> SlotId:
        return SlotId(space.removesuffix("/1"))

    def lift(self, space: str, now: Micros) -> Micros:
        """Lift the piece that stands there; when it is up."""
        slot = self._slot(space)
        piece = self.world.pieces_on(slot)[-1]
        end = self._gestures.raise_out_of_reach(piece, now)
        self.held.append(HeldPiece(piece, slot))
        return end

    def place(self, space: str, now: Micros) -> Micros:
        """Put the held piece on a space."""
        return self._gestures.put(self.held.pop().piece, self._slot(space), now)

    def stand(self, owner: str, space: str, now: Micros) -> Micros:
        """Bring a new piece."""
        return self._gestures.place_from_box(self.world.new_piece(Seat(owner)), self._slot(space), now)

    def clear(self, now: Micros) -> Micros:
        """Take every piece off the board."""
        standing = [piece for pieces in self.world.standing().values() for piece in reversed(pieces)]
        held = [each.piece for each in self.held]
        self.held.clear()
        for piece in standing:
            now = self._gestures.raise_out_of_reach(piece, now)
        for piece in standing + held:
            self.world.plan(now, partial(self._remove, piece))
            self.beside.append(piece)
        return now + MS

    def _remove(self, piece: Piece, at: Micros) -> None:
        self.physics.remove(piece)

    def fetch(self, piece: Piece, now: Micros) -> Micros:
        """Take a piece that stands beside the board."""
        self.beside.remove(piece)
        self.physics.positions[piece] = FootPosition(-120.0, 0.0, 60.0)
        self.held.append(HeldPiece(piece, None))
        return now + 100 * MS

    def press(self, button: str, now: Micros) -> Micros:
        """Press a button."""
        return self._buttons.press(button, now)

    # A strong, bare magnet

    def lay_magnet(self, space: str, now: Micros) -> Micros:
        """Lay a strong magnet on a space; when it lies there."""
        piece = self.world.new_piece(Seat("anybody"), "magnet")
        self._magnet = (piece, self._slot(space))
        self.physics.magnets[piece] = FootMagnet(STRONG.moment / self.physics.usual.moment)
        return self._gestures.place_from_box(piece, self._slot(space), now)

    def turn_magnet(self, now: Micros) -> Micros:
        """Turn it over."""
        assert self._magnet is not None
        piece, slot = self._magnet
        now = self._gestures.raise_out_of_reach(piece, now)
        self.world.plan(now, partial(self._turn, piece))
        return self._gestures.put(piece, slot, now + MS)

    def _turn(self, piece: Piece, at: Micros) -> None:
        magnet = self.physics.magnets[piece]
        self.physics.magnets[piece] = magnet._replace(strength=-magnet.strength)

    def take_magnet(self, now: Micros) -> Micros:
        """Take it away."""
        assert self._magnet is not None
        piece, _ = self._magnet
        end = self._gestures.raise_out_of_reach(piece, now)
        self.world.plan(end, partial(self._remove, piece))
        return end + MS

    def push_round(self, space: str, now: Micros, quarter: int) -> Micros:
        """A piece that stands there, once round the middle, from that quarter on."""
        slot = self._slot(space)
        piece, (x, y) = self.world.pieces_on(slot)[-1], self.world.board.slots[slot].position
        turns = [pi * quarter / 2 + 2 * pi * step / 16 for step in range(17)]
        ring = [FootPosition(x + ASIDE_MM * cos(turn), y + ASIDE_MM * sin(turn)) for turn in turns]
        return self.physics.follow(piece, [PathLeg(80 * MS, point) for point in ring], now)
