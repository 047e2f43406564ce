"""Fingers: pieces that follow a point on the board, their magnets along with them.

Where `boardsim.hands` knows whole verbs, a finger has a place at every moment. A piece that is slid is sensed
wherever it passes; one that is carried in the air is not. A finger can't push a piece through another: there
it lifts it over. Fingers know nothing of games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import hypot
from types import MappingProxyType
from typing import Any, NamedTuple

from boardsim.hands.hands import HandsError
from boardsim.page.belongings import Belongings
from boardsim.world.world import Piece, World
from boardware.ports import MS, Micros, Slot

FELT_MM = 14.0
"""How far from the middle of a slot a piece on the board is sensed by its reed."""
NEAR_MM = 24.0
"""How near a slot a piece is set down there, and a slid one is lifted over what stands there."""
STEP_MM = 3.0
"""How finely a way is followed."""
LAG: Micros = 40 * MS
"""Over what time a way is spread that came in one message."""
REACH: Micros = 220 * MS
"""What hands need from one thing to the next when they tidy up or lay out."""


TAP: Micros = 150 * MS
"""How long a piece that attacks is tapped on its own slot: the sign that it does."""


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


class Fingers:
    """All hands over one board, whoever's they are.

    What they do is planned some time ahead. Whoever touches a piece meanwhile finds it where it will be, and
    what happens to one piece happens in the order in which it was done.
    """

    def __init__(
        self,
        world: World,
        owners: Collection[str],
        now: Callable[[], Micros],
        named: Mapping[str, str] = {},
        crew: Mapping[str, int] = {},
    ) -> None:
        """`crew`: by owner how many pieces lie beside the board at first; `named`: pieces whose name
        everybody sees, each with its owner."""
        self.world = world
        self._now = now
        self._slots = {slot.id: Point(*slot.position) for slot in world.board.slots.values()}
        self._space_of = {slot.id: name for name, space in world.board.spaces.items() for slot in space.slots}
        self.grips: dict[int, Grip] = {}
        self.beside: dict[int, Piece] = {}
        self._landing: dict[int, tuple[Piece, Slot]] = {}
        """Pieces that are about to stand."""
        self._goes: dict[int, Slot | None] = {}
        """Where a piece that was touched will stand after all that is planned; `None` off the board."""
        self._until: dict[int, Micros] = {}
        """Up to when the way of a piece is planned."""
        self._owners = frozenset(owners) | frozenset(named.values())
        for owner in owners:
            for _ in range(crew.get(owner, 0)):
                self._lay(world.new_piece(owner))
        for name, owner in named.items():
            self._lay(world.new_piece(owner, name))
        self._named = frozenset(named)
        self._free: Micros = 0
        self._belongings = Belongings()
        self._takes: frozenset[tuple[str, str]] = frozenset()
        self._belong: Mapping[str, Collection[str]] = {}

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
            self._lift(grip, self._now())

    def lead(self, number: int, to: Point) -> None:
        """The finger goes straight to a place. Raises `HandsError` for a piece that no finger leads."""
        grip = self._grip(number)
        way = hypot(to.x - grip.at.x, to.y - grip.at.y)
        steps = max(1, min(200, round(way / STEP_MM)))
        now, origin = self._now(), grip.at
        start = self._after(grip.piece, now)
        end = max(start, now + LAG)
        for step in range(1, steps + 1):
            part = step / steps
            here = Point(origin.x + (to.x - origin.x) * part, origin.y + (to.y - origin.y) * part)
            if grip.slot is not None:
                self._slid(grip, here, start + (end - start) * step // steps)
            grip.at = here
        self._until[number] = end

    def drop(self, number: int) -> None:
        """Let go: on a slot it is set down, on another side's piece it attacks or takes; else it lies
        beside."""
        grip = self._grip(number)
        now = self._after(grip.piece, self._now())
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
        elif standing[-1].owner != grip.piece.owner and self._takes_there(grip, slot):
            self._take_up(slot, standing[-1], now)
            self._set_down(grip, slot, now + REACH)
        elif standing[-1].owner != grip.piece.owner:
            self._attack(grip, slot, now)
        elif grip.home is not None and not self._on(grip.home):
            self._set_down(grip, grip.home, now)

    def _takes_there(self, grip: Grip, slot: Slot) -> bool:
        home = None if grip.home is None else self._space_of[grip.home]
        return (home, self._space_of[slot]) in self._takes

    def _attack(self, grip: Grip, slot: Slot, at: Micros) -> None:
        """Lift the other's piece too, and tap this one on its own slot: both stay up."""
        self._take_up(slot, self._on(slot)[-1], at)
        if grip.home is not None and not self._on(grip.home):
            down = self._after(grip.piece, at) + 2 * REACH
            self._plan(grip.piece, down, partial(self.world.put, grip.piece, grip.home))
            self._plan(grip.piece, down + TAP, partial(self.world.take, grip.piece, grip.home))

    def carry(self, number: int, space: str) -> None:
        """A whole move without a finger's way, as by keyboard: lift it, set it down (or attack) there."""
        free = [slot for slot in self._slots_of(space) if not self._on(slot)]
        slot = free[0] if free else self._slot(space)
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
        """Stand pieces of `owner` on these spaces, from beside the board, where none stands yet.

        Raises `HandsError` for a space or an owner that there is not.
        """
        if owner not in self._owners:
            raise HandsError(f"nobody called {owner[:20]!r} has pieces here")
        wanted = [self._slot(space) for space in sorted(set(spaces))]
        surplus = [
            (slot, piece)
            for slot in self._slots
            if slot not in wanted
            for piece in self._at_rest(slot)[-1:]
            if piece.owner == owner
        ]
        at = max(self._now(), self._free)
        for slot in wanted:
            if self._on(slot):
                continue
            at += REACH // 3
            if surplus:
                origin, piece = surplus.pop()
                self._plan(piece, at - REACH // 4, partial(self.world.take, piece, origin))
            else:
                free = [each for each in self.beside.values() if each.owner == owner]
                piece = self.beside.pop(free[0].number) if free else self.world.new_piece(owner)
            self._land(piece, slot, at)
        self._free = at

    def ruled(
        self,
        spaces: Mapping[str, str],
        takes: Collection[tuple[str, str]] = (),
        names: Mapping[str, Collection[str]] = MappingProxyType({}),
    ) -> None:
        """The umpire has ruled: on each of these spaces one piece of that owner belongs. Pieces with a name,
        and spaces where several stand, are none of these.

        `takes`: from where to where a piece that is dropped on another side's takes it and stands there;
        `names`: the names of the pieces that belong on each space, where they have names.
        """
        self._takes, self._belong = frozenset(takes), names
        rest = {space: [p for slot in self._slots_of(space) for p in self._at_rest(slot)] for space in spaces}
        pieces = {piece.number: piece.owner for piece in self._all() if piece.label not in self._named}
        standing = {
            space: there[0].number
            for space, there in rest.items()
            if len(there) == 1 and there[0].number in pieces
        }
        self._belongings.ruled(spaces, pieces, standing)

    def tidy(self, chores: Iterable[Mapping[str, Any]], *, beside: bool = False) -> None:
        """Do chores as far as the hand holds what they need: take pieces off, then put held ones down. With
        `beside` also with pieces that lie beside the board, or stand in another one's place. Where pieces
        have names it is the one that belongs there."""
        at = max(self._now(), self._free)
        given: set[str] = set()
        for chore in sorted(chores, key=lambda each: each.get("do") != "take"):
            slots, owner = self._slots_of(str(chore.get("space"))), chore.get("seat")
            if chore.get("do") == "take":
                held = [slot for slot in slots if self._on(slot)]
                own = [slot for slot in held if self._on(slot)[-1].owner == owner]
                for slot in (own or held)[-1:]:
                    at += REACH
                    self._take_up(slot, self._on(slot)[-1], at)
            elif chore.get("do") == "put":
                free: Sequence[Slot] = [slot for slot in slots if not self._on(slot)]
                space = str(chore["space"])
                name = self._missing(space, given)
                if name:  # such pieces may share a slot
                    given.add(name)
                    free = free or slots[:1]
                elif beside and free:
                    space, free, at = self._stray(space, free, at)
                at += self._put(space, free, owner, at, beside=beside, name=name) if free else 0
        self._free = at

    def _stray(self, space: str, free: Sequence[Slot], at: Micros) -> tuple[str, Sequence[Slot], Micros]:
        """Bring the piece that belongs on a space from where it stands in another one's place, then that one,
        and so on: the place that is left empty, and the time. An umpire who feels only that something stands
        asks for none of them."""
        while free and (found := self._astray(space)) is not None:
            slot, piece = found
            self._take_up(slot, piece, at + REACH)
            self._set_down(self.grips[piece.number], free[0], at + 2 * REACH)
            space, free, at = self._space_of[slot], [] if self._on(slot) else [slot], at + 2 * REACH
        return space, free, at

    def _astray(self, space: str) -> tuple[Slot, Piece] | None:
        """The piece that belongs on a space and stands on another one, or on top of a piece there."""
        number = self._belongings.home(space)
        for slot in self._slots:
            for piece in self._at_rest(slot)[-1:]:
                if piece.number == number and self._space_of[slot] != space:
                    return slot, piece
        return None

    def _missing(self, space: str, given: Collection[str]) -> str:
        """The name of a piece that belongs on a space, isn't there, and isn't `given` yet; or nothing."""
        there = {piece.label for slot in self._slots_of(space) for piece in self._on(slot)}
        belong = self._belong.get(space, ())
        return next((name for name in belong if name in self._named - there and name not in given), "")

    def _put(
        self, space: str, free: Sequence[Slot], owner: str | None, at: Micros, *, beside: bool, name: str
    ) -> Micros:
        """Stand the piece that belongs there on one of these slots: how long that takes. One that belongs
        elsewhere is not stood there, though it be of the same side."""
        held = [grip for grip in self.grips.values() if not grip.led and grip.slot is None]
        fitting = self._fitting(
            space, name, [grip.piece for grip in held if grip.piece.owner == owner or owner is None]
        )
        grip = next((g for g in held if g.home == free[0] and g.piece.number in fitting), None)
        grip = grip or next((g for g in reversed(held) if g.piece.number in fitting), None)
        if grip is not None:
            home = next((slot for slot in free if slot == grip.home), free[0])
            self._set_down(grip, home, at + REACH)
            return REACH
        lying = [piece for piece in self.beside.values() if piece.owner == owner and beside]
        fitting = self._fitting(space, name, lying)
        if not fitting:
            return 0
        self._land(self.beside.pop(fitting[0]), free[0], at + REACH // 3)
        return REACH // 3

    def _fitting(self, space: str, name: str, pieces: Sequence[Piece]) -> list[int]:
        """The numbers of those of these pieces that may belong on a space; of pieces with names the named."""
        if name in self._named:
            return [piece.number for piece in pieces if piece.label == name]
        return self._belongings.fitting(space, [piece.number for piece in pieces])

    # Fumbles

    def knock(self, space: str) -> None:
        """Knock the piece of a space over, or stand it up again."""
        slot = self._slot(space)
        standing = self._on(slot)
        if not standing:
            raise HandsError(f"no piece on {space}")
        piece, now = standing[-1], self._now()
        if self._after(piece, now) > now:
            raise HandsError("that piece can't be knocked now")
        if piece in self.world.fallen():
            self._plan(piece, now, partial(self.world.take, piece, slot))
            self._land(piece, slot, now + REACH)
        else:
            self._plan(piece, now, partial(self.world.fall, piece, slot))

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
        for there, pieces in self.world.standing().items():
            slot = self._goes.get(number, there)
            # Pieces with a name share a space side by side; of a stack only the uppermost can be taken.
            for piece in pieces if pieces[-1].label in self._named else pieces[-1:]:
                if piece.number == number and slot is not None and number not in self._landing:
                    return slot, piece
        raise HandsError("that piece can't be taken now")

    def _grip(self, number: int) -> Grip:
        if number not in self.grips:
            raise HandsError("that piece is in no hand")
        return self.grips[number]

    def _slot(self, space: str) -> Slot:
        return self._slots_of(space)[0]

    def _slots_of(self, space: str) -> list[Slot]:
        if space not in self.world.board.spaces:
            raise HandsError(f"no space {space[:20]!r} on this board")
        return [slot.id for slot in self.world.board.spaces[space].slots]

    def _on(self, slot: Slot) -> tuple[Piece, ...]:
        """What will stand there, led pieces aside."""
        landing = (piece for piece, there in self._landing.values() if there == slot)
        return (*self._at_rest(slot), *(piece for piece in landing if piece.number not in self.grips))

    def _at_rest(self, slot: Slot) -> list[Piece]:
        """What stands on the board already and will stand there."""
        return [
            piece
            for there, pieces in self.world.standing().items()
            for piece in pieces
            if self._goes.get(piece.number, there) == slot
            and piece.number not in self.grips
            and piece.number not in self._landing
        ]

    def _nearest(self, at: Point, within: float) -> Slot | None:
        far, slot = min((hypot(at.x - place.x, at.y - place.y), slot) for slot, place in self._slots.items())
        return slot if far <= within else None

    # Magnets

    def _after(self, piece: Piece, at: Micros) -> Micros:
        """`at`, or when all that is planned with the piece has happened."""
        return max(at, self._until.get(piece.number, 0))

    def _plan(self, piece: Piece, at: Micros, happening: Callable[[Micros], None]) -> None:
        self._until[piece.number] = at = self._after(piece, at)
        self.world.plan(at, happening)

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
        self._plan(grip.piece, at, partial(self.world.shift, grip.piece, grip.slot, target))
        grip.slot = self._goes[grip.piece.number] = target

    def _magnet(self, grip: Grip, change: int, at: Micros) -> None:
        assert grip.slot is not None
        self._plan(grip.piece, at, partial(self.world.magnet, grip.slot, change))
        grip.felt = change > 0

    def _lift(self, grip: Grip, at: Micros) -> None:
        """Off the board, into the air."""
        assert grip.slot is not None
        if not grip.felt and grip.piece not in self.world.fallen():
            self._magnet(grip, +1, at)  # `take` takes its magnet away once more
        self._plan(grip.piece, at, partial(self.world.take, grip.piece, grip.slot))
        grip.slot, grip.felt = None, False
        self._goes[grip.piece.number] = None
        self._landing.pop(grip.piece.number, None)

    def _take_up(self, slot: Slot, piece: Piece, at: Micros) -> None:
        grip = self.grips[piece.number] = Grip(piece, self._slots[slot], slot)
        grip.led = False
        self._lift(grip, at)

    def _set_down(self, grip: Grip, slot: Slot, at: Micros) -> None:
        del self.grips[grip.piece.number]
        self._land(grip.piece, slot, at)

    def _land(self, piece: Piece, slot: Slot, at: Micros) -> None:
        def landed(now: Micros) -> None:
            if self._landing.get(piece.number) is landing:
                del self._landing[piece.number]
            self.world.put(piece, slot, now)

        if piece.label not in self._named:
            self._belongings.landed(piece.number, piece.owner, self._space_of[slot])
        landing = self._landing[piece.number] = (piece, slot)
        self._goes[piece.number] = slot
        self._plan(piece, at, landed)
