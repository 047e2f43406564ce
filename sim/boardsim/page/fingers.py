"""Fingers: pieces that follow a point on the board, their magnets along with them.

Where `boardsim.hands` knows whole verbs, a finger has a place at every moment. A piece that is slid is felt
wherever it passes; one that is carried in the air is not. A finger can't push a piece through another: there
it lifts it over. Fingers know nothing of games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import hypot
from typing import Any, NamedTuple

from boardsim.hands import HandsError
from boardsim.world import Piece, World
from boardware.ports import MS, Micros, Slot

FELT_MM = 14.0
"""How far from the middle of a slot a piece on the board is felt by its reed."""
NEAR_MM = 24.0
"""How near a slot a piece is set down there, and a slid one is lifted over what stands there."""
STEP_MM = 3.0
"""How finely a way is followed."""
LAG: Micros = 40 * MS
"""Over what time a way is spread that came in one message."""
REACH: Micros = 220 * MS
"""What hands need from one thing to the next when they tidy up or lay out."""


class Point(NamedTuple):
    """A place in mm from the lower left corner of the board."""

    x: float
    y: float


class Grip:
    """A piece at a finger or in the other hand."""

    def __init__(self, piece: Piece, at: Point, slot: Slot | None) -> None:
        self.piece = piece
        self.at = at
        self.slot = slot
        """Where it stands in the world; `None` in the air."""
        self.felt = slot is not None
        self.home = slot
        self.led = True
        """Whether a finger leads it; else it waits in the hand."""
        self.until: Micros = 0
        """Up to when its way is planned: what comes later happens later."""


class Fingers:
    """All hands over one board, whoever's they are."""

    def __init__(
        self,
        world: World,
        owners: Iterable[str],
        pieces_each: int,
        now: Callable[[], Micros],
        named: Mapping[str, str] = {},
    ) -> None:
        """`named`: pieces whose name everybody sees, each with its owner."""
        self.world = world
        self._now = now
        self._slots = {slot.id: Point(*slot.position) for slot in world.board.slots.values()}
        self.grips: dict[int, Grip] = {}
        self.beside: dict[int, Piece] = {}
        self._landing: dict[int, tuple[Piece, Slot]] = {}
        """Pieces that are about to stand."""
        for owner in owners:
            for _ in range(pieces_each):
                self._lay(world.new_piece(owner))
        for name, owner in named.items():
            self._lay(world.new_piece(owner, name))
        self._named = frozenset(named)
        self._free: Micros = 0

    def _lay(self, piece: Piece) -> None:
        self.beside[piece.number] = piece

    # One piece at a finger

    def grab(self, number: int, *, lift: bool) -> None:
        """Take a piece: from the board, from the hand, or from beside. Raises `HandsError`."""
        grip = self.grips.get(number)
        if grip is not None:
            grip.led = True
            return
        if number in self.beside:
            self.grips[number] = Grip(self.beside.pop(number), Point(-20.0, -20.0), None)
            return
        slot, piece = self._standing(number)
        grip = self.grips[number] = Grip(piece, self._slots[slot], slot)
        if lift or piece in self.world.fallen():
            grip.until = self._now()
            self._lift(grip, grip.until)

    def lead(self, number: int, to: Point) -> None:
        """The finger goes straight to a place. Raises `HandsError` for a piece that no finger leads."""
        grip = self._grip(number)
        way = hypot(to.x - grip.at.x, to.y - grip.at.y)
        steps = max(1, min(200, round(way / STEP_MM)))
        now, origin = self._now(), grip.at
        start = max(now, grip.until)
        grip.until = now + LAG
        for step in range(1, steps + 1):
            part = step / steps
            here = Point(origin.x + (to.x - origin.x) * part, origin.y + (to.y - origin.y) * part)
            if grip.slot is not None:
                self._slid(grip, here, start + (grip.until - start) * step // steps)
            grip.at = here

    def drop(self, number: int) -> None:
        """Let go: on a slot it is set down, on another side's piece both are held up; else it lies beside."""
        grip = self._grip(number)
        now = max(self._now(), grip.until)
        slot = self._nearest(grip.at, NEAR_MM)
        grip.led = False
        if grip.slot is not None:
            self._rest(grip, slot, now)
            return
        standing = self._on(slot) if slot is not None else ()
        if slot is None:
            del self.grips[number]
            self._lay(grip.piece)
        elif not standing or grip.piece.label in self._named:
            self._set_down(grip, slot, now)
        elif standing[-1].owner != grip.piece.owner:
            self._take_up(slot, standing[-1], now)
        elif grip.home is not None and not self._on(grip.home):
            self._set_down(grip, grip.home, now)

    def carry(self, number: int, space: str) -> None:
        """A whole move without a finger's way, as by keyboard: lift it, set it down (or attack) there."""
        slot = self._slot(space)
        self.grab(number, lift=True)
        self._grip(number).at = self._slots[slot]
        self.drop(number)

    def aside(self, number: int | None = None) -> None:
        """Lay one piece, or all that wait in the hand, beside the board."""
        for each in list(self.grips) if number is None else [number]:
            grip = self.grips.get(each)
            if grip is not None and (number is not None or not grip.led):
                if grip.slot is not None:
                    self._lift(grip, self._now())
                del self.grips[each]
                self._lay(grip.piece)

    # Many pieces, one after the other

    def lay_out(self, owner: str, spaces: Iterable[str]) -> None:
        """Stand pieces of `owner` on these spaces, from beside the board, where none stands yet."""
        wanted = [self._slot(space) for space in sorted(set(spaces))]
        standing = self.world.standing()
        surplus = [
            (slot, pieces[-1])
            for slot, pieces in standing.items()
            if pieces[-1].owner == owner and slot not in wanted
        ]
        at = max(self._now(), self._free)
        for slot in wanted:
            if self._on(slot):
                continue
            at += REACH // 3
            if surplus:
                origin, piece = surplus.pop()
                self.world.plan(at - REACH // 4, partial(self.world.take, piece, origin))
            else:
                free = [each for each in self.beside.values() if each.owner == owner]
                piece = self.beside.pop(free[0].number) if free else self.world.new_piece(owner)
            self._land(piece, slot, at)
        self._free = at

    def tidy(self, chores: Iterable[Mapping[str, Any]]) -> None:
        """Do chores as far as the hand holds what they need: take pieces off, then put held ones down."""
        at = max(self._now(), self._free)
        for chore in sorted(chores, key=lambda each: each.get("do") != "take"):
            slot = self._slot(str(chore.get("space")))
            at += REACH
            if chore.get("do") == "take" and self._on(slot):
                self._take_up(slot, self._on(slot)[-1], at)
            elif chore.get("do") == "put" and not self._on(slot):
                grip = self._fitting(slot, chore.get("seat"))
                if grip is not None:
                    self._set_down(grip, slot, at)
        self._free = at

    def _fitting(self, slot: Slot, owner: str | None) -> Grip | None:
        held = [grip for grip in self.grips.values() if not grip.led and grip.slot is None]
        fitting = [grip for grip in held if owner in (None, grip.piece.owner)]
        home = [grip for grip in fitting if grip.home == slot]
        return next(iter(home or reversed(fitting)), None)

    # Fumbles

    def knock(self, space: str) -> None:
        """Knock the piece of a space over, or stand it up again."""
        slot = self._slot(space)
        standing = self._on(slot)
        if not standing:
            raise HandsError(f"no piece on {space}")
        piece, now = standing[-1], self._now()
        if piece in self.world.fallen():
            self.world.plan(now, partial(self.world.take, piece, slot))
            self._land(piece, slot, now + REACH)
        else:
            self.world.plan(now, partial(self.world.fall, piece, slot))

    # What is there

    def pieces(self) -> list[dict[str, Any]]:
        """Every piece by its number: whose, and where. Never what its owner reads on it."""
        fallen = self.world.fallen()
        found: dict[int, dict[str, Any]] = {}
        for slot, pieces in self.world.standing().items():
            for piece in pieces:
                lies = "lies" if piece in fallen else "stands"
                found[piece.number] = {"id": piece.number, "seat": piece.owner, "is": lies, "slot": slot}
        for number, grip in self.grips.items():
            where = {"x": round(grip.at.x, 1), "y": round(grip.at.y, 1)}
            state = {"is": "led", **where} if grip.led else {"is": "held"}
            if grip.slot is None or grip.led:
                found[number] = {"id": number, "seat": grip.piece.owner, **state}
        for number, (piece, slot) in self._landing.items():
            found[number] = {"id": number, "seat": piece.owner, "is": "lands", "slot": slot}
        for number, piece in self.beside.items():
            found[number] = {"id": number, "seat": piece.owner, "is": "beside"}
        for piece in self._all():
            if piece.label in self._named:
                found[piece.number]["name"] = piece.label
        return [found[number] for number in sorted(found)]

    def _all(self) -> Iterator[Piece]:
        """Every piece, wherever it is."""
        for pieces in self.world.standing().values():
            yield from pieces
        yield from (grip.piece for grip in self.grips.values() if grip.slot is None or grip.led)
        yield from (piece for piece, _ in self._landing.values())
        yield from self.beside.values()

    def _standing(self, number: int) -> tuple[Slot, Piece]:
        for slot, pieces in self.world.standing().items():
            if pieces[-1].number == number:
                return slot, pieces[-1]
        raise HandsError("that piece can't be taken now")

    def _grip(self, number: int) -> Grip:
        if number not in self.grips:
            raise HandsError("that piece is in no hand")
        return self.grips[number]

    def _slot(self, space: str) -> Slot:
        if space not in self.world.board.spaces:
            raise HandsError(f"no space {space[:20]!r} on this board")
        return self.world.board.spaces[space].slots[0].id

    def _on(self, slot: Slot) -> tuple[Piece, ...]:
        """What stands there, led pieces aside."""
        held = {grip.piece for grip in self.grips.values()}
        landing = tuple(piece for piece, there in self._landing.values() if there == slot)
        standing = (piece for piece in self.world.standing().get(slot, ()) if piece not in held)
        return (*standing, *landing)

    def _nearest(self, at: Point, within: float) -> Slot | None:
        far, slot = min((hypot(at.x - place.x, at.y - place.y), slot) for slot, place in self._slots.items())
        return slot if far <= within else None

    # Magnets

    def _slid(self, grip: Grip, here: Point, at: Micros) -> None:
        near = self._nearest(here, NEAR_MM)
        blocked = near is not None and near != grip.slot and bool(self._on(near))
        if blocked or not self._over_board(here):
            self._lift(grip, at)
            return
        felt = self._nearest(here, FELT_MM)
        if grip.felt and felt != grip.slot:
            self._magnet(grip, -1, at)
        if felt is not None and felt != grip.slot:
            self._shift(grip, felt, at)
        if felt is not None and not grip.felt:
            self._magnet(grip, +1, at)

    def _over_board(self, here: Point) -> bool:
        size = self.world.board.size
        return 0 <= here.x <= size.x and 0 <= here.y <= size.y

    def _rest(self, grip: Grip, slot: Slot | None, at: Micros) -> None:
        """A slid piece is let go: it comes to stand in the middle of the slot it is nearest to."""
        target = slot if slot is not None and not self._on(slot) else grip.slot
        assert target is not None
        if target != grip.slot:
            if grip.felt:
                self._magnet(grip, -1, at)
            self._shift(grip, target, at)
        if not grip.felt:
            self._magnet(grip, +1, at)
        del self.grips[grip.piece.number]

    def _shift(self, grip: Grip, target: Slot, at: Micros) -> None:
        assert grip.slot is not None
        self.world.plan(at, partial(self.world.shift, grip.piece, grip.slot, target))
        grip.slot = target

    def _magnet(self, grip: Grip, change: int, at: Micros) -> None:
        assert grip.slot is not None
        self.world.plan(at, partial(self.world.magnet, grip.slot, change))
        grip.felt = change > 0

    def _lift(self, grip: Grip, at: Micros) -> None:
        """Off the board, into the air."""
        assert grip.slot is not None
        if not grip.felt and grip.piece not in self.world.fallen():
            self._magnet(grip, +1, at)  # `take` takes its magnet away once more
        self.world.plan(at, partial(self.world.take, grip.piece, grip.slot))
        grip.slot, grip.felt = None, False

    def _take_up(self, slot: Slot, piece: Piece, at: Micros) -> None:
        grip = self.grips[piece.number] = Grip(piece, self._slots[slot], slot)
        grip.led = False
        self._lift(grip, at)

    def _set_down(self, grip: Grip, slot: Slot, at: Micros) -> None:
        del self.grips[grip.piece.number]
        self._land(grip.piece, slot, at)

    def _land(self, piece: Piece, slot: Slot, at: Micros) -> None:
        def landed(now: Micros) -> None:
            del self._landing[piece.number]
            self.world.put(piece, slot, now)

        self._landing[piece.number] = (piece, slot)
        self.world.plan(at, landed)
