"""Fingers: pieces that follow a point on the board, their magnets along with them.

Where `boardsim.hands` knows whole verbs, a finger has a place at every moment. A piece that is slid is sensed
wherever it passes; one that is carried in the air is not. A finger can't push a piece through another: there
it lifts it over. Fingers know nothing of games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from math import hypot
from types import MappingProxyType
from typing import Any, NamedTuple

from boardrules.core import Seat
from boardsim.hands.hands import HandsError
from boardsim.page.belongings import PieceHomes
from boardsim.world.world import Piece, World
from boardware.ports import MS, Micros, SlotId

REED_RANGE_MM = 14.0
"""How far from the middle of a slot a piece on the board is sensed by its reed."""
SLOT_SNAP_MM = 24.0
"""How near a slot a piece is set down there, and a slid one is lifted over what stands there."""
STEP_MM = 3.0
"""How finely a way is followed."""
SLIDE_DURATION_US: Micros = 40 * MS
"""Over what time a way is spread that came in one message."""
REACH: Micros = 220 * MS
"""What hands need from one thing to the next when they tidy up or lay out."""
ATTACK_TAP_US: Micros = 80 * MS
"""How long a piece that attacks is tapped on its own slot: the sign that it does."""
ATTACK_HELD_US: Micros = 220 * MS
"""How long both pieces are up before that: a piece that is up for less was touched, not lifted."""


class PointerPosition(NamedTuple):
    """A place in mm from the lower left corner of the board."""

    x: float
    y: float


class GrippedPiece:
    """A piece at a finger or in the other hand."""

    def __init__(self, piece: Piece, at: PointerPosition, slot: SlotId | None) -> None:
        self.piece = piece
        self.at = at
        self.slot = slot
        """Where it stands in the world; `None` in the air."""
        self.is_sensed = slot is not None
        self.home = slot
        self.is_led = True
        """Whether a finger leads it; else it waits in the hand."""


class _Tap:
    """A piece that is set down on its own slot for a moment."""

    def __init__(self, begins: Micros) -> None:
        self.begins = begins
        self.down = False


class PointerHands:
    """All hands over one board, whoever's they are.

    What they do is planned some time ahead. Whoever touches a piece meanwhile finds it where it will be, and
    what happens to one piece happens in the order in which it was done.
    """

    def __init__(
        self,
        world: World,
        owners: Collection[Seat],
        now: Callable[[], Micros],
        named: Mapping[str, Seat] = {},
        crew: Mapping[Seat, int] = {},
    ) -> None:
        """`crew`: by owner how many pieces lie beside the board at first; `named`: pieces whose name
        everybody sees, each with its owner."""
        self.world = world
        self._now = now
        self._slots = {slot.id: PointerPosition(*slot.position) for slot in world.board.slots.values()}
        self._space_of = {slot.id: name for name, space in world.board.spaces.items() for slot in space.slots}
        self.grips: dict[int, GrippedPiece] = {}
        self.beside: dict[int, Piece] = {}
        self._landing: dict[int, tuple[Piece, SlotId]] = {}
        """Pieces that are about to stand."""
        self._goes: dict[int, SlotId | None] = {}
        """Where a piece that was touched will stand after all that is planned; `None` off the board."""
        self._until: dict[int, Micros] = {}
        """Up to when the way of a piece is planned."""
        self._taps: dict[int, _Tap] = {}
        """By piece the tap that is planned or under way: the sign of an attack."""
        self._off_rings: set[int] = set()
        """Pieces that stand in a space of several slots, beside those that are taken: no reed feels them."""
        self._owners = frozenset(owners) | frozenset(named.values())
        for owner in owners:
            for _ in range(crew.get(owner, 0)):
                self._lay(world.new_piece(owner))
        for name, owner in named.items():
            self._lay(world.new_piece(owner, name))
        self._named = frozenset(named)
        self._free: Micros = 0
        self._belongings = PieceHomes()
        self._takes: frozenset[tuple[str, str]] = frozenset()
        self._joins: frozenset[tuple[str, str]] = frozenset()
        self._belong: Mapping[str, Collection[str]] = {}
        self._layout: tuple[Mapping[str, str], Mapping[str, Collection[str]]] = {}, {}
        """What belongs where by the last ruling."""

    def _lay(self, piece: Piece) -> None:
        self.beside[piece.number] = piece

    # One piece at a finger

    def grab(self, number: int, *, lift: bool) -> None:
        """Take a piece: from the board, from the hand, or from beside. Raises `HandsError`."""
        grip = self.grips.get(number)
        if grip is not None:
            self._cancel_tap(number)
            grip.is_led = True
            return
        if number in self.beside:
            self.grips[number] = GrippedPiece(self.beside.pop(number), PointerPosition(-20.0, -20.0), None)
            return
        slot, piece = self._standing(number)
        grip = self.grips[number] = GrippedPiece(piece, self._slots[slot], slot)
        if lift or piece in self.world.fallen() or number in self._off_rings:
            self._lift(grip, self._now())

    def lead_piece(self, number: int, to: PointerPosition) -> None:
        """The finger goes straight to a place. Raises `HandsError` for a piece that no finger leads."""
        grip = self._grip(number)
        way = hypot(to.x - grip.at.x, to.y - grip.at.y)
        steps = max(1, min(200, round(way / STEP_MM)))
        now, origin = self._now(), grip.at
        start = self._free_from(grip.piece, now)
        end = max(start, now + SLIDE_DURATION_US)
        for step in range(1, steps + 1):
            part = step / steps
            here = PointerPosition(origin.x + (to.x - origin.x) * part, origin.y + (to.y - origin.y) * part)
            if grip.slot is not None:
                self._slid(grip, here, start + (end - start) * step // steps)
            grip.at = here
        self._until[number] = end

    def drop(self, number: int) -> None:
        """Let go: on a slot it is set down, beside a piece that it may join; another side's piece it attacks
        or takes; else it lies beside the board."""
        grip = self._grip(number)
        now = self._free_from(grip.piece, self._now())
        slot = self._nearest(grip.at, SLOT_SNAP_MM)
        grip.is_led = False
        if grip.slot is not None:
            self._end_slide(grip, slot, now)
            return
        standing = self._pieces_on(slot) if slot is not None else ()
        if slot is None:
            del self.grips[number]
            self._lay(grip.piece)
        elif (
            not self._is_slot_taken(slot := self._free_slot_near(slot))
            or grip.piece.label in self._named
            or self._drop_move(grip, slot) in self._joins
        ):
            self._set_down(grip, slot, now)
        elif standing[-1].owner != grip.piece.owner and self._drop_move(grip, slot) in self._takes:
            self._take_up(slot, standing[-1], now)
            self._set_down(grip, slot, now + REACH)
        elif standing[-1].owner != grip.piece.owner:
            self._attack(grip, slot, now)
        elif grip.home is not None and not self._pieces_on(grip.home):
            self._set_down(grip, grip.home, now)

    def _drop_move(self, grip: GrippedPiece, slot: SlotId) -> tuple[str, str]:
        """From where to where a piece goes that is dropped there."""
        return "" if grip.home is None else self._space_of[grip.home], self._space_of[slot]

    def _attack(self, grip: GrippedPiece, slot: SlotId, at: Micros) -> None:
        """Lift the other's piece too, and tap this one on its own slot: both stay up."""
        self._take_up(slot, self._pieces_on(slot)[-1], at)
        if grip.home is not None and not self._pieces_on(grip.home):
            self._tap(grip.piece, grip.home, self._free_from(grip.piece, at) + ATTACK_HELD_US)

    def _tap(self, piece: Piece, slot: SlotId, at: Micros) -> None:
        tap = self._taps[piece.number] = _Tap(at)

        def begin(now: Micros) -> None:
            if self._taps.get(piece.number) is tap:
                tap.down = True
                self.world.put(piece, slot, now)

        def end(now: Micros) -> None:
            if tap.down:
                self.world.take(piece, slot, now)
            if self._taps.get(piece.number) is tap:
                del self._taps[piece.number]

        self._plan(piece, at, begin)
        self._plan(piece, at + ATTACK_TAP_US, end)

    def _cancel_tap(self, number: int) -> None:
        """A piece that goes elsewhere doesn't tap any more; a tap that has begun ends."""
        tap = self._taps.get(number)
        if tap is not None and not tap.down:
            del self._taps[number]
            self._until[number] = min(self._until.get(number, 0), tap.begins)

    def carry(self, number: int, space: str) -> None:
        """A whole move without a finger's way, as by keyboard: lift it, set it down (or attack) there."""
        slot = self._free_slot_near(self._slot(space))
        self.grab(number, lift=True)
        self._grip(number).at = self._slots[slot]
        self.drop(number)

    def put_beside_board(self, number: int | None = None) -> None:
        """Lay one piece, or all that wait in the hand, beside the board."""
        for each in list(self.grips) if number is None else [number]:
            grip = self.grips.get(each)
            if grip is not None and (number is not None or not grip.is_led):
                self._cancel_tap(each)
                if grip.slot is not None:
                    self._lift(grip, self._now())
                del self.grips[each]
                self._lay(grip.piece)

    def reset_pieces(self, named: Mapping[str, Seat], crew: Mapping[Seat, int]) -> None:
        """Lay the pieces of the next game beside the board, and those that it doesn't need into the box;
        what a finger leads stays there. `named` and `crew` as at first."""
        self.put_beside_board()
        for slot in self._slots:
            for piece in reversed(self._pieces_on(slot)):
                self._take_off(slot, piece, self._now())
        self._owners = frozenset(crew) | frozenset(named.values())
        self._named = frozenset(named)
        wanted = Counter(crew)
        for piece in [grip.piece for grip in self.grips.values()]:
            wanted[piece.owner] -= 1
        lying = {piece.number: piece for piece in self.beside.values()}
        self.beside.clear()
        for number, piece in lying.items():
            if piece.label in named:
                self.beside[number] = piece._replace(owner=named[piece.label])
            elif not piece.label and wanted[piece.owner] > 0:
                wanted[piece.owner] -= 1
                self.beside[number] = piece
        for owner, number in wanted.items():
            for _ in range(number):
                self._lay(self.world.new_piece(owner))
        labels = {piece.label for piece in self._all()}
        for name in named.keys() - labels:
            self._lay(self.world.new_piece(named[name], name))

    # Many pieces, one after the other

    def lay_out(self, owner: Seat, spaces: Iterable[str]) -> None:
        """Stand the pieces of `owner` on these spaces and nowhere else; other pieces there are laid aside.

        A new piece is taken from the box only where all of that owner's together are too few: one that a
        finger leads is missing until it is let go. Raises `HandsError` for a space or an owner that there
        is not.
        """
        if owner not in self._owners:
            raise HandsError(f"nobody called {owner[:20]!r} has pieces here")
        wanted = [self._slot(space) for space in sorted(set(spaces))]
        at, fallen = max(self._now(), self._free), self.world.fallen()
        for slot in self._slots:
            own = [piece for piece in self._pieces_on(slot) if piece.owner == owner and piece not in fallen]
            stays = own[:1] if slot in wanted else []
            for piece in reversed(self._pieces_on(slot)):
                if piece not in stays and (slot in wanted or piece.owner == owner):
                    at += REACH // 3
                    self._take_off(slot, piece, at)
        for grip in [grip for grip in self.grips.values() if grip.piece.owner == owner]:
            if not grip.is_led:
                self.put_beside_board(grip.piece.number)
        new = len(wanted) - sum(piece.owner == owner for piece in self._all())
        for slot in wanted:
            if self._pieces_on(slot):
                continue
            lying = next((piece for piece in self.beside.values() if piece.owner == owner), None)
            if lying is not None:
                del self.beside[lying.number]
            elif new > 0:
                lying, new = self.world.new_piece(owner), new - 1
            else:
                break
            at += REACH // 3
            self._land(lying, slot, at)
        self._free = at

    def apply_ruling(
        self,
        spaces: Mapping[str, str],
        takes: Collection[tuple[str, str]] = (),
        names: Mapping[str, Collection[str]] = MappingProxyType({}),
        joins: Collection[tuple[str, str]] = (),
    ) -> None:
        """The umpire has ruled: on each of these spaces one piece of that owner belongs. Pieces with a name,
        and spaces where several stand, are none of these.

        `takes`: from where to where a piece that is dropped on another side's takes it and stands there;
        `names`: the names of the pieces that belong on each space, where they have names; `joins`: from where
        to where a piece goes to stand beside another one.
        """
        if (spaces, names) != self._layout:  # whoever was beaten gives no sign any more
            self._layout = dict(spaces), dict(names)
            for number in list(self._taps):
                self._cancel_tap(number)
        self._takes, self._belong, self._joins = frozenset(takes), names, frozenset(joins)
        rest = {
            space: [p for slot in self._slots_of(space) for p in self._standing_pieces_on(slot)]
            for space in spaces
        }
        pieces = {piece.number: piece.owner for piece in self._all() if piece.label not in self._named}
        standing = {
            space: there[0].number
            for space, there in rest.items()
            if len(there) == 1 and there[0].number in pieces
        }
        self._belongings.apply_ruling(spaces, pieces, standing)

    def do_corrections(self, chores: Iterable[Mapping[str, Any]], *, beside: bool = False) -> None:
        """Do chores as far as the hand holds what they need: take pieces off, then put held ones down. With
        `beside` also with pieces that lie beside the board, or stand in another one's place. Where pieces
        have names it is the one that belongs there."""
        at = max(self._now(), self._free)
        given: set[str] = set()
        leaving: dict[str, list[Piece]] = {}
        for chore in sorted(chores, key=lambda each: each.get("do") != "take"):
            space, owner, said = str(chore.get("space")), chore.get("seat"), str(chore.get("name") or "")
            if chore.get("do") == "take":
                if space not in leaving:
                    leaving[space] = self._pieces_leaving(space)
                taken = [each for each in leaving[space] if _is_piece_wanted(each, owner, said)]
                if taken:  # other hands do it already
                    leaving[space].remove(taken[0])
                    continue
                for slot, piece in self._pieces_to_take(space, owner, said):
                    at += REACH
                    self._take_up(slot, piece, at)
            elif chore.get("do") == "put":
                free: Sequence[SlotId] = [
                    slot for slot in self._slots_of(space) if not self._is_slot_taken(slot)
                ]
                name = said or self._missing_name(space, given)
                given.add(name)
                if name in self._named:
                    free = free or [self._slot(space)]  # such pieces may share a slot
                    place = self._stray_of_name(name, space, free[0], at) if beside else None
                    if place is not None:
                        space, owner, at = place, None, at + 2 * REACH
                        name = self._missing_name(space, given)
                        free = [self._free_slot_near(self._slot(space))] if name else []
                elif free and beside:
                    space, free, at = self._return_stray_pieces(space, free, at)
                took = self._put(space, free, owner, at, beside=beside, name=name) if free else 0
                at += took or self._move_to_free_slot(space, owner, at, name)
            elif chore.get("do") == "ring":
                at += self._move_to_free_slot(space, owner, at, said) or self._move_to_free_slot(
                    space, owner, at, ""
                )
        self._free = at

    def _pieces_leaving(self, space: str) -> list[Piece]:
        """The pieces that stand there still, and that hands are about to take away."""
        ways = [
            (piece, self._goes.get(piece.number, slot))
            for slot in self._slots_of(space)
            for piece in self.world.pieces_on(slot)
        ]
        return [piece for piece, slot in ways if slot is None or self._space_of[slot] != space]

    def _pieces_to_take(self, space: str, owner: object, name: str) -> list[tuple[SlotId, Piece]]:
        """The piece that is to be taken off: the one of that name; without a name one of that owner, else the
        last."""
        there = [(slot, piece) for slot in self._slots_of(space) for piece in self._pieces_on(slot)]
        if name in self._named:
            return [each for each in there if each[1].label == name]
        own = [each for each in there if each[1].owner == owner]
        return (own or there)[-1:]

    def _move_to_free_slot(self, space: str, owner: object, at: Micros, name: str) -> Micros:
        """Bring a piece that shares a slot of its space, or stands beside one, to a free one: how long that
        takes."""
        free = [slot for slot in self._slots_of(space) if not self._is_slot_taken(slot)]
        abreast = [
            (slot, piece)
            for slot in self._slots_of(space)
            for place, piece in enumerate(self._pieces_on(slot))
            if (place or piece.number in self._off_rings) and (piece.label == name or not name)
        ]
        own = [each for each in abreast if each[1].owner == owner] or abreast
        if not (free and own):
            return 0
        slot, piece = own[0]
        self._take_up(slot, piece, at + REACH)
        self._set_down(self.grips[piece.number], free[0], at + 2 * REACH)
        return 2 * REACH

    def _return_stray_pieces(
        self, space: str, free: Sequence[SlotId], at: Micros
    ) -> tuple[str, Sequence[SlotId], Micros]:
        """Bring the piece that belongs on a space from where it stands in another one's place, then that one,
        and so on: the place that is left empty, and the time. An umpire who feels only that something stands
        asks for none of them."""
        while free and (found := self._astray(space)) is not None:
            slot, piece = found
            self._take_up(slot, piece, at + REACH)
            self._set_down(self.grips[piece.number], free[0], at + 2 * REACH)
            space, free, at = self._space_of[slot], [] if self._pieces_on(slot) else [slot], at + 2 * REACH
        return space, free, at

    def _stray_of_name(self, name: str, space: str, slot: SlotId, at: Micros) -> str | None:
        """Bring the piece of a name from another space, where it doesn't belong, to a slot of its own: the
        space that it has left."""
        for there in self._slots:
            left = self._space_of[there]
            if left == space or name in self._belong.get(left, ()):
                continue
            for piece in self._standing_pieces_on(there):
                if piece.label == name:
                    self._take_up(there, piece, at + REACH)
                    self._set_down(self.grips[piece.number], slot, at + 2 * REACH)
                    return left
        return None

    def _astray(self, space: str) -> tuple[SlotId, Piece] | None:
        """The piece that belongs on a space and stands on another one, or on top of a piece there."""
        number = self._belongings.home(space)
        found = (
            (self._goes.get(piece.number, there), piece)
            for there, pieces in self.world.standing().items()
            for piece in pieces
            if piece.number == number
        )
        for slot, piece in found:
            if (
                slot is not None
                and self._space_of[slot] != space
                and piece in self._standing_pieces_on(slot)[-1:]
            ):
                return slot, piece
        return None

    def _missing_name(self, space: str, given: Collection[str]) -> str:
        """The name of a piece that belongs on a space, isn't there, and isn't `given` yet; or nothing."""
        there = {piece.label for slot in self._slots_of(space) for piece in self._pieces_on(slot)}
        belong = self._belong.get(space, ())
        return next((name for name in belong if name in self._named - there and name not in given), "")

    def _put(
        self, space: str, free: Sequence[SlotId], owner: Seat | None, at: Micros, *, beside: bool, name: str
    ) -> Micros:
        """Stand the piece that belongs there on one of these slots: how long that takes. One that belongs
        elsewhere is not stood there, though it be of the same side."""
        held = [grip for grip in self.grips.values() if not grip.is_led and grip.slot is None]
        fitting = self._fitting(
            space, name, [grip.piece for grip in held if grip.piece.owner == owner or owner is None]
        )
        grip = next((g for g in held if g.home == free[0] and g.piece.number in fitting), None)
        grip = grip or next((g for g in reversed(held) if g.piece.number in fitting), None)
        if grip is not None:
            home = next((slot for slot in free if slot == grip.home), free[0])
            self._set_down(grip, home, at + REACH)
            return REACH
        lying = [piece for piece in self.beside.values() if owner in (None, piece.owner) and beside]
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

    def restore_piece(self, piece: Piece, slot: SlotId) -> None:
        """Stand a piece where it stood when the power went, at once."""
        if self._is_slot_taken(slot) and len(self._slots_of(self._space_of[slot])) > 1:
            self._off_rings.add(piece.number)
            self.world.add_resting_piece(piece, slot)
        else:
            self.world.put(piece, slot, self.world.now)

    def toggle_fallen(self, space: str) -> None:
        """Knock the piece of a space over, or stand it up again."""
        slot = self._slot(space)
        standing = self._pieces_on(slot)
        if not standing:
            raise HandsError(f"no piece on {space}")
        piece, now = standing[-1], self._now()
        if self._free_from(piece, now) > now or piece.number in self._off_rings:
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
            state = {"is": "led", **where} if grip.is_led else {"is": "held"}
            if grip.slot is None or grip.is_led:
                found[number] = {"id": number, "seat": grip.piece.owner, **state}
        for number, (piece, slot) in self._landing.items():
            found[number] = {"id": number, "seat": piece.owner, "is": "lands", "slot": slot}
        for number, piece in self.beside.items():
            found[number] = {"id": number, "seat": piece.owner, "is": "beside"}
        for piece in self._all():
            if piece.label in self._named:
                found[piece.number]["name"] = piece.label
        return [found[number] for number in sorted(found)]

    def is_home_piece_on(self, home: str, space: str) -> bool | None:
        """Whether the piece that belongs on `home` by the last ruling stands on `space`, or is about to;
        `None` where none is known to belong there."""
        number = self._belongings.home(home)
        if number is None or space not in self.world.board.spaces:
            return None
        return any(
            piece.number == number for slot in self._slots_of(space) for piece in self._pieces_on(slot)
        )

    def is_home_piece_held(self, home: str) -> bool | None:
        """Whether the piece that belongs on `home` by the last ruling is in a hand; `None` as above."""
        number = self._belongings.home(home)
        return None if number is None else number in {*self.grips, *self._landing}

    def _all(self) -> set[Piece]:
        """Every piece, wherever it is."""
        return {
            *chain.from_iterable(self.world.standing().values()),
            *(grip.piece for grip in self.grips.values()),
            *(piece for piece, _ in self._landing.values()),
            *self.beside.values(),
        }

    def _standing(self, number: int) -> tuple[SlotId, Piece]:
        for there, pieces in self.world.standing().items():
            slot = self._goes.get(number, there)
            for piece in pieces:  # those of one space stand side by side
                if piece.number == number and slot is not None and number not in self._landing:
                    return slot, piece
        raise HandsError("that piece can't be taken now")

    def _grip(self, number: int) -> GrippedPiece:
        if number not in self.grips:
            raise HandsError("that piece is in no hand")
        return self.grips[number]

    def _slot(self, space: str) -> SlotId:
        return self._slots_of(space)[0]

    def _slots_of(self, space: str) -> list[SlotId]:
        if space not in self.world.board.spaces:
            raise HandsError(f"no space {space[:20]!r} on this board")
        return [slot.id for slot in self.world.board.spaces[space].slots]

    def _is_slot_taken(self, slot: SlotId, apart_from: Piece | None = None) -> bool:
        """Whether a piece stands on the slot itself, or will."""
        return any(
            each.number not in self._off_rings and each != apart_from for each in self._pieces_on(slot)
        )

    def _free_slot_near(self, slot: SlotId) -> SlotId:
        """This slot, or another one of its space that is free where it is taken; where all are, this one."""
        slots = self._slots_of(self._space_of[slot])
        return next((each for each in (slot, *slots) if not self._is_slot_taken(each)), slot)

    def _pieces_on(self, slot: SlotId) -> tuple[Piece, ...]:
        """What will stand there, led pieces aside."""
        landing = (piece for piece, there in self._landing.values() if there == slot)
        return (
            *self._standing_pieces_on(slot),
            *(piece for piece in landing if piece.number not in self.grips),
        )

    def _standing_pieces_on(self, slot: SlotId) -> list[Piece]:
        """What stands on the board already and will stand there."""
        stands = self.world.pieces_on(slot)
        come = {number for number, there in self._goes.items() if there == slot}
        if come <= {piece.number for piece in stands}.union(self.grips, self._landing):
            return [
                piece
                for piece in stands
                if self._goes.get(piece.number, slot) == slot
                and piece.number not in self.grips
                and piece.number not in self._landing
            ]
        return [  # some of them stand elsewhere still: they are on their way
            piece
            for there, pieces in self.world.standing().items()
            for piece in pieces
            if self._goes.get(piece.number, there) == slot
            and piece.number not in self.grips
            and piece.number not in self._landing
        ]

    def _nearest(self, at: PointerPosition, within: float) -> SlotId | None:
        far, slot = min((hypot(at.x - place.x, at.y - place.y), slot) for slot, place in self._slots.items())
        return slot if far <= within else None

    # Magnets

    def _free_from(self, piece: Piece, at: Micros) -> Micros:
        """`at`, or when all that is planned with the piece has happened."""
        return max(at, self._until.get(piece.number, 0))

    def _plan(self, piece: Piece, at: Micros, happening: Callable[[Micros], None]) -> None:
        self._until[piece.number] = at = self._free_from(piece, at)
        self.world.plan(at, happening)

    def _slid(self, grip: GrippedPiece, here: PointerPosition, at: Micros) -> None:
        near = self._nearest(here, SLOT_SNAP_MM)
        blocked = near is not None and near != grip.slot and bool(self._pieces_on(near))
        if blocked or not self._over_board(here):
            self._lift(grip, at)
            return
        felt = self._nearest(here, REED_RANGE_MM)
        if grip.is_sensed and felt != grip.slot:
            self._magnet(grip, -1, at)
        if felt is not None and felt != grip.slot:
            self._shift(grip, felt, at)
        if felt is not None and not grip.is_sensed:
            self._magnet(grip, +1, at)

    def _over_board(self, here: PointerPosition) -> bool:
        size = self.world.board.size
        return 0 <= here.x <= size.x and 0 <= here.y <= size.y

    def _end_slide(self, grip: GrippedPiece, slot: SlotId | None, at: Micros) -> None:
        """A slid piece is let go: it comes to stand in the middle of the slot it is nearest to."""
        target = slot if slot is not None and not self._pieces_on(slot) else grip.slot
        assert target is not None
        if target != grip.slot:
            if grip.is_sensed:
                self._magnet(grip, -1, at)
            self._shift(grip, target, at)
        if not grip.is_sensed:
            self._magnet(grip, +1, at)
        del self.grips[grip.piece.number]

    def _shift(self, grip: GrippedPiece, target: SlotId, at: Micros) -> None:
        assert grip.slot is not None
        self._plan(grip.piece, at, partial(self.world.shift, grip.piece, grip.slot, target))
        grip.slot = self._goes[grip.piece.number] = target

    def _magnet(self, grip: GrippedPiece, change: int, at: Micros) -> None:
        assert grip.slot is not None
        self._plan(grip.piece, at, partial(self.world.change_magnets, grip.slot, change))
        grip.is_sensed = change > 0

    def _lift(self, grip: GrippedPiece, at: Micros) -> None:
        """Off the board, into the air."""
        assert grip.slot is not None
        off_ring = grip.piece.number in self._off_rings
        if not grip.is_sensed and not off_ring and grip.piece not in self.world.fallen():
            self._magnet(grip, +1, at)  # `take` takes its magnet away once more
        leaves = (
            partial(self._step_off, grip.piece, grip.slot)
            if off_ring
            else partial(self.world.take, grip.piece, grip.slot)
        )
        self._plan(grip.piece, at, leaves)
        self._off_rings.discard(grip.piece.number)
        grip.slot, grip.is_sensed = None, False
        self._goes[grip.piece.number] = None
        self._landing.pop(grip.piece.number, None)

    def _step_off(self, piece: Piece, slot: SlotId, now: Micros) -> None:
        """A piece that no reed feels is lifted."""
        self.world.remove_resting_piece(piece, slot)

    def _take_off(self, slot: SlotId, piece: Piece, at: Micros) -> None:
        """Lay a piece that stands, or is about to, beside the board."""
        self._take_up(slot, piece, at)
        self._lay(self.grips.pop(piece.number).piece)

    def _take_up(self, slot: SlotId, piece: Piece, at: Micros) -> None:
        grip = self.grips[piece.number] = GrippedPiece(piece, self._slots[slot], slot)
        grip.is_led = False
        self._lift(grip, at)

    def _set_down(self, grip: GrippedPiece, slot: SlotId, at: Micros) -> None:
        self._cancel_tap(grip.piece.number)
        del self.grips[grip.piece.number]
        self._land(grip.piece, slot, at)

    def _land(self, piece: Piece, slot: SlotId, at: Micros) -> None:
        several = len(self._slots_of(self._space_of[slot])) > 1
        off_ring = several and self._is_slot_taken(slot, apart_from=piece)

        def landed(now: Micros) -> None:
            if self._landing.get(piece.number) is landing:
                del self._landing[piece.number]
            if off_ring:
                self.world.add_resting_piece(piece, slot)
            else:
                self.world.put(piece, slot, now)

        if off_ring:
            self._off_rings.add(piece.number)

        if piece.label not in self._named:
            self._belongings.note_set_down(piece.number, piece.owner, self._space_of[slot])
        landing = self._landing[piece.number] = (piece, slot)
        self._goes[piece.number] = slot
        self._plan(piece, at, landed)


def _is_piece_wanted(piece: Piece, owner: object, name: str) -> bool:
    """Whether a piece is one of that name, or where there is none of that owner, or anybody's."""
    return piece.label == name if name else owner in (None, piece.owner)
