"""Hands: verbs that take time and move magnets. They know nothing of games.

Every verb begins at a moment, plans in the world what it does to the copper, and returns when it ends. A
square is named by its space; where a space has several slots, its first suitable slot is meant, or the slot
named (`space/2`; the first, whose own name is that of the space, `space/1`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from boardrules.core import Seat
from boardsim.world.world import Piece, World
from boardware.parts import BoardDescription
from boardware.ports import Micros, SlotId

FELT_BELOW_MM = 9.0
"""How near the board a piece must be for its reed to close; 8 to 12 mm with the usual magnets."""


ATTACK_TAP_US: Micros = 100_000
"""How long a piece that is tapped on its own square stands there."""


class HandPace(NamedTuple):
    """How hands move. Times in microseconds."""

    reach_us: Micros = 300_000
    """From one thing to the next: over a square, over the button."""
    lift_mm: float = 40.0
    """How high a piece is carried."""
    speed_mm_s: float = 250.0
    """How fast it goes up and down."""
    square_us: Micros = 110_000
    """What a slid piece needs from one square to the next."""
    press_us: Micros = 120_000
    """How long a button is held."""

    @property
    def lift_us(self) -> Micros:
        """All the way up or down."""
        return round(1_000_000 * self.lift_mm / self.speed_mm_s)

    @property
    def sensed_lift_us(self) -> Micros:
        """The part of that way near the board."""
        return round(1_000_000 * min(FELT_BELOW_MM, self.lift_mm) / self.speed_mm_s)


PACES = {
    "human": HandPace(),
    "slow": HandPace(reach_us=900_000, speed_mm_s=80.0, square_us=350_000, press_us=400_000),
    "fast": HandPace(reach_us=120_000, lift_mm=20.0, speed_mm_s=500.0, square_us=45_000, press_us=60_000),
}


class HandsError(ValueError):
    """Something that hands can't do now: what, and what is there instead."""


class HeldPiece(NamedTuple):
    """A piece in the hands."""

    piece: Piece
    origin: SlotId | None
    """Where it was lifted; `None` from the box."""


class Hands:
    """One pair of hands over one board. They can hold several pieces; the last one taken is in front."""

    def __init__(self, world: World, *, pace: HandPace = PACES["human"], seed: int = 0) -> None:
        self.world = world
        self.pace = pace
        self.held: list[HeldPiece] = []
        self.beside: list[Piece] = []
        """The pieces put beside the board."""
        self._cleared: list[tuple[Piece, SlotId]] = []
        self._random = random.Random(f"hands {seed}")

    # -- verbs ---------------------------------------------------------------------------------------------

    def lift(self, space: str, now: Micros, label: str | None = None) -> Micros:
        """Take a square's topmost piece up, or the one with that label. A fallen one is picked up unfelt."""
        slot, piece = self._piece_on(space, label)
        felt = now + self.pace.reach_us + self.pace.sensed_lift_us
        self.world.plan(felt, partial(self.world.take, piece, slot))
        self.held.append(HeldPiece(piece, slot))
        return now + self.pace.reach_us + self.pace.lift_us

    def place(self, space: str, now: Micros, origin: str | None = None) -> Micros:
        """Set a held piece down: the last one taken, or the one lifted from `origin`.

        Set down upon another piece it stands on top of it: the reed, closed already, says nothing.
        """
        held = self.held_piece(origin)
        self.held.remove(held)
        return self._set_down(held.piece, self._free_slot(space), now)

    def stand(self, owner: Seat, space: str, now: Micros, label: str = "") -> Micros:
        """Put a piece from the box on a square."""
        return self._set_down(self.world.new_piece(owner, label), self._free_slot(space), now)

    def take(self, owner: Seat, label: str, now: Micros) -> Micros:
        """Take a piece from the box, and keep it in the hands."""
        self.held.append(HeldPiece(self.world.new_piece(owner, label), None))
        return now + self.pace.reach_us

    def slide(self, spaces: Sequence[str], now: Micros) -> Micros:
        """Push a piece over the board along `spaces` (those between are passed too) without lifting it.

        At every border the old reed opens and the new one closes, a little early or late: for a moment
        neither feels the piece, or both do.
        """
        path = self._path(spaces)
        for space in path[1:]:
            self._require_free_slot(space)
        slot, piece = self._piece_on(path[0])
        if piece in self.world.fallen():
            raise HandsError(f"the piece on {path[0]} has fallen over; stand it up before it slides")
        start = now + self.pace.reach_us
        for number, space in enumerate(path[1:]):
            border = start + number * self.pace.square_us + self.pace.square_us // 2
            overlap = round(self.pace.square_us * self._random.uniform(-0.3, 0.3))
            target = self._free_slot(space)
            self.world.plan(border - overlap // 2, partial(self.world.change_magnets, target, +1))
            self.world.plan(border + overlap // 2, partial(self.world.change_magnets, slot, -1))
            self.world.plan(border, partial(self.world.shift, piece, slot, target))
            slot = target
        return start + (len(path) - 1) * self.pace.square_us

    def tap(self, origin: str, space: str, now: Micros) -> Micros:
        """Touch the piece on `space` with the one from `origin` (lifted first, if it isn't in the hands).

        The touched piece tips: its reed opens for 30 to 150 ms. The attacker stays in the air over it.
        """
        slot, touched = self._piece_on(space)
        if self._find_held(origin) is None:
            now = self.lift(origin, now)
        felt = now + self.pace.reach_us
        dip = self._random.randint(30_000, 150_000)
        if touched not in self.world.fallen():
            self.world.plan(felt, partial(self.world.change_magnets, slot, -1))
            self.world.plan(felt + dip, partial(self.world.change_magnets, slot, +1))
        return felt + dip

    def tap_own_square(self, origin: str, now: Micros) -> Micros:
        """Tap a held piece on the square where it was lifted, and keep it: the sign of an attack."""
        held = self.held_piece(origin)
        assert held.origin is not None, "it was found by where it was lifted"
        down = now + self.pace.reach_us + self.pace.sensed_lift_us
        self.world.plan(down - self.pace.sensed_lift_us, partial(self.world.put, held.piece, held.origin))
        up = down + ATTACK_TAP_US + self.pace.sensed_lift_us
        self.world.plan(up, partial(self.world.take, held.piece, held.origin))
        return up + self.pace.sensed_lift_us

    def knock(self, space: str, now: Micros) -> Micros:
        """Knock a piece over: it stays lying on its square, or in one case of four rolls past a neighbour."""
        slot, piece = self._piece_on(space)
        felt = now + self.pace.reach_us
        self.world.plan(felt, partial(self.world.fall, piece, slot))
        beside = [each for each in self._neighbours(slot) if each not in self.world.standing()]
        if beside and self._random.random() < 0.25:
            passed = self._random.choice(beside)
            near = felt + self._random.randint(60_000, 120_000)
            far = near + self._random.randint(20_000, 60_000)
            self.world.plan(near, partial(self.world.change_magnets, passed, +1))
            self.world.plan(far, partial(self.world.change_magnets, passed, -1))
            return far
        return felt

    def nudge(self, space: str, now: Micros) -> Micros:
        """Push against a piece in passing: its reed opens for a moment, and it stays where it is."""
        slot, piece = self._piece_on(space)
        felt = now + self.pace.reach_us
        dip = self._random.randint(30_000, 150_000)
        if piece not in self.world.fallen():
            self.world.plan(felt, partial(self.world.change_magnets, slot, -1))
            self.world.plan(felt + dip, partial(self.world.change_magnets, slot, +1))
        return felt + dip

    def straddle(self, space: str, other: str, now: Micros, origin: str | None = None) -> Micros:
        """Set a held piece down on `space`, but so near to `other` that both reeds feel it."""
        piece = self.held_piece(origin).piece
        near = self._free_slot(other)
        down = self.place(space, now, origin)
        self.world.plan(down, partial(self.world.straddle, piece, near))
        return down

    def centre(self, space: str, now: Micros) -> Micros:
        """Push the piece of a square to the middle of it."""
        _, piece = self._piece_on(space)
        at = now + self.pace.reach_us
        self.world.plan(at, partial(self.world.centre, piece))
        return at

    def clear(self, now: Micros) -> Micros:
        """Take all pieces off the board, one after the other, and put them beside it."""
        for slot, pieces in self.world.standing().items():
            for piece in reversed(pieces):
                now += self.pace.reach_us
                self.world.plan(now, partial(self.world.take, piece, slot))
                self._cleared.append((piece, slot))
                self.beside.append(piece)
        return now

    def rebuild(self, now: Micros) -> Micros:
        """Stand the pieces that `clear` took off back where they were."""
        for piece, slot in reversed(self._cleared):
            if piece in self.beside:
                self.beside.remove(piece)
                now = self._set_down(piece, slot, now)
        self._cleared.clear()
        return now

    def put_beside_board(self, now: Micros, origin: str | None = None) -> Micros:
        """Put a held piece beside the board: the last one taken, or the one lifted from `origin`."""
        held = self.held_piece(origin)
        self.held.remove(held)
        self.beside.append(held.piece)
        return now + self.pace.reach_us

    def fetch(self, piece: Piece, now: Micros) -> Micros:
        """Take a piece from beside the board into the hands again."""
        self.beside.remove(piece)
        self.held.append(HeldPiece(piece, None))
        return now + self.pace.reach_us

    def press(self, button: str, now: Micros) -> Micros:
        """Press a button of the board and let it go."""
        return self.hold(button, self.pace.press_us, now)

    def hold(self, button: str, span: Micros, now: Micros) -> Micros:
        """Press a button of the board and let it go after `span`."""
        if button not in self.world.board.buttons:
            have = ", ".join(self.world.board.buttons) or "none"
            raise HandsError(f"no button {button!r}; try one of: {have}")
        down = now + self.pace.reach_us
        self.world.plan(down, partial(self.world.set_button, button, True))
        self.world.plan(down + span, partial(self.world.set_button, button, False))
        return down + span

    # -- what is there -------------------------------------------------------------------------------------

    def _set_down(self, piece: Piece, slot: SlotId, now: Micros) -> Micros:
        down = now + self.pace.reach_us + self.pace.lift_us
        self.world.plan(down - self.pace.sensed_lift_us, partial(self.world.put, piece, slot))
        return down

    def _find_held(self, origin: str | None) -> HeldPiece | None:
        for held in reversed(self.held):
            if origin is None or (held.origin is not None and origin in (held.origin, space_of(held.origin))):
                return held
        return None

    def held_piece(self, origin: str | None = None) -> HeldPiece:
        """What is in the hands: the piece taken last, or the one lifted from `origin`."""
        held = self._find_held(origin)
        if held is None:
            raise HandsError(f"no piece{f' from {origin}' if origin else ''} in the hands")
        return held

    def _slots(self, space: str) -> list[SlotId]:
        board = self.world.board
        if space in board.spaces:
            return [slot.id for slot in board.spaces[space].slots]
        slot = SlotId(space)
        if slot in board.slots:
            return [slot]
        if space.endswith("/1") and space_of(slot) in board.spaces:
            return [board.spaces[space_of(slot)].slots[0].id]
        raise HandsError(f"no space {space!r} on the board {board.id}")

    def _piece_on(self, space: str, label: str | None = None) -> tuple[SlotId, Piece]:
        standing = self.world.standing()
        for slot in reversed(self._slots(space)):
            for piece in reversed(standing.get(slot, ())):
                if label in (None, piece.label):
                    return slot, piece
        raise HandsError(f"no piece on {space}")

    def _free_slot(self, space: str) -> SlotId:
        slots = self._slots(space)
        standing = self.world.standing()
        return next((slot for slot in slots if slot not in standing), slots[-1])

    def _require_free_slot(self, space: str) -> None:
        standing = self.world.standing()
        if all(slot in standing for slot in self._slots(space)):
            raise HandsError(f"a piece stands on {space}; slide over empty spaces only")

    def _path(self, spaces: Sequence[str]) -> list[str]:
        if len(spaces) < 2:
            raise HandsError("a slide needs at least two squares")
        for space in spaces:
            self._slots(space)
        path = [spaces[0]]
        for here, there in pairwise(spaces):
            path += [
                *spaces_between(self.world.board, space_of(SlotId(here)), space_of(SlotId(there))),
                there,
            ]
        return path

    def _neighbours(self, slot: SlotId) -> list[SlotId]:
        slots = self.world.board.slots
        here = slots[slot].position
        far = {
            other: hypot(place.position.x - here.x, place.position.y - here.y)
            for other, place in slots.items()
            if other != slot
        }
        nearest = min(far.values(), default=0.0)
        return [other for other, distance in far.items() if distance <= 1.1 * nearest]


def space_of(slot: SlotId) -> str:
    """The space a slot belongs to."""
    return slot.partition("/")[0]


def spaces_between(board: BoardDescription, here: str, there: str) -> list[str]:
    """The spaces whose middle lies on the straight way from one space to another, in order."""
    start, end = board.spaces[here].position, board.spaces[there].position
    length = hypot(end.x - start.x, end.y - start.y)
    if not length:
        raise HandsError(f"a slide from {here} to {there} goes nowhere")
    passed = []
    for space in board.spaces.values():
        dx, dy = space.position.x - start.x, space.position.y - start.y
        along = (dx * (end.x - start.x) + dy * (end.y - start.y)) / length
        aside = abs(dx * (end.y - start.y) - dy * (end.x - start.x)) / length
        near = 0.3 * min(space.outline.width, space.outline.height)
        if near < along < length - near and aside < near:
            passed.append((along, space.id))
    return [space for _, space in sorted(passed)]
