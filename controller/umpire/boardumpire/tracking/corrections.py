"""What has to be done before anything more is judged, and by whom it was done. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from boardrules.core import LayoutPiece, Space
from boardumpire.tracking.events import Correction, CorrectionKind
from boardumpire.tracking.model import NOWHERE, Home, Place, PublicPosition
from boardumpire.tracking.piece_tracker import PieceTracker
from boardumpire.tracking.shared_spaces import number_of, space_of
from boardware.ports import Micros


class _KnownBeforeLift(NamedTuple):
    """What was known of a space when what stands there was felt to leave it."""

    at: Micros
    claimed: Home | None
    doubted_since: Micros | None
    pushed: bool
    tidied: Micros | None


class Corrections:
    """The differences between board and layout that hands are to mend."""

    def __init__(self, overlap: Micros, touch: Micros) -> None:
        """`overlap`: how long a sliding piece may be sensed on the next space before it leaves the last.

        `touch`: what left its space for no longer never left it: a reed flickered, or has two lobes.
        """
        self._short = touch
        self._known: dict[Place, _KnownBeforeLift] = {}
        self.outstanding: set[Place] = set()
        """Spaces where a piece is missing, too many, or has to come up."""
        self.exchange: set[Place] = set()
        """Those of them whose piece has to come up though one should stand there: it is not that one."""
        self.beaten: set[Place] = set()
        """Those of these whose piece lost a battle there."""
        self.off_slots: set[Place] = set()
        """Missing ones whose piece is in the space, but on no slot of its own."""
        self.claimed: dict[Place, Home] = {}
        """Spaces that came to be occupied, but perhaps by another piece: by an early reply, whose home this
        names, or by a stranger, as the right piece is known to stand where this says."""
        self._overlap = overlap
        self._doubted_since: dict[Place, Micros] = {}
        """Those of them where it may be a stranger, with the moment."""
        self.pushed: set[Place] = set()
        """Those of the claimed that another piece may have been pushed onto."""
        self.tidied: dict[Place, Micros] = {}
        """Where a missing piece seems to have come, with the moment."""
        self._left: dict[Place, tuple[frozenset[Home], Micros]] = {}
        """By space that something has left, who it could be, and when."""
        self._ordered = True

    @property
    def in_order(self) -> bool:
        """Whether no chore is open, and none was met in doubt."""
        return not (self.outstanding or self.claimed)

    def begin_layout(
        self,
        outstanding: set[Place],
        beaten: set[Place],
        leaving: Collection[Place] = (),
        off_slots: Collection[Place] = (),
    ) -> None:
        """Take the chores of a new layout; on `beaten` a piece stands that lost a battle there, and in the
        places of `leaving` one that has to leave its space, in place of another."""
        self.exchange, self.beaten = beaten.union(leaving), set(beaten)
        self.outstanding = outstanding | self.exchange
        self.off_slots = outstanding.intersection(off_slots)
        self.claimed.clear()
        self._doubted_since.clear()
        self.pushed.clear()
        self.tidied.clear()
        self._left.clear()
        self._known.clear()
        self._ordered = not self.outstanding

    def require(self, spaces: Iterable[Place]) -> None:
        """These have to be mended too."""
        self.outstanding.update(spaces)
        self._ordered = self.in_order

    def note_lift(self, space: Place, now: Micros) -> None:
        """What stood there is up. A piece that slides home was sensed there before it left the last space."""
        self._known[space] = _KnownBeforeLift(
            now,
            self.claimed.get(space),
            self._doubted_since.get(space),
            space in self.pushed,
            self.tidied.get(space),
        )
        self.exchange.discard(space)
        self.beaten.discard(space)
        self.off_slots.discard(space)
        self.tidied.pop(space, None)
        self.settle_who_stands(space)
        for home, at in list(self._doubted_since.items()):
            if self.claimed[home] == space and now - at <= self._overlap:
                self.settle_who_stands(home)

    def settle_who_stands(self, space: Place) -> None:
        """Who stands there is not in question any more."""
        self.claimed.pop(space, None)
        self._doubted_since.pop(space, None)
        self.pushed.discard(space)

    def settle_for(self, other: Place) -> None:
        """Who stands on `other` is known: no other space is in question for that."""
        for space in [space for space, there in self.claimed.items() if there == other]:
            self.settle_who_stands(space)

    def notice_claim(
        self, space: Place, following: PieceTracker, position: PublicPosition, now: Micros
    ) -> None:
        """A piece is about to come home; or an early reply that could go there, or a stranger?"""
        if self._flickered(space, now) or space not in following.up:
            return
        for stray, homes in following.strays.items():
            if homes == {space} and not self._astride(stray, space, following, position, now):
                self.claimed[space], self._doubted_since[space] = stray, now
                return
        if space not in self.outstanding:
            return
        self.tidied[space] = now
        for origin, (were, at) in self._left.items():
            if now - at <= self._overlap:
                self._push(origin, were & following.up.keys(), space, position)
        for home in position.own(following.loose_pieces() - self.outstanding):
            if space in position.steps.get(home, ()):
                self.claimed[space] = home
                self.pushed.discard(space)

    def _astride(
        self, stray: Place, space: Place, following: PieceTracker, position: PublicPosition, now: Micros
    ) -> bool:
        """Whether one piece closes both spaces: they lie side by side, and no hand is so quick."""
        return now - following.set_down_at(stray) < self._short and not position.apart(stray, space)

    def note_left(self, origin: Place, were: frozenset[Home], position: PublicPosition, now: Micros) -> None:
        """What stood on `origin`, one of `were`, has left it: perhaps pushed onto a chore's space beside it.

        The reed there closed just before, or closes just after.
        """
        self._left[origin] = were, now
        for space, at in self.tidied.items():
            if now - at <= self._overlap:
                self._push(origin, were, space, position)

    def _flickered(self, space: Place, now: Micros) -> bool:
        """Whether what stands on a space again has never left it: nobody can have put another in its place.

        Then what was known of it still is, and nobody was pushed from there. But what has to come up
        (`exchange`) has come up: hands are quick where they are asked for just that.
        """
        known = self._known.pop(space, None)
        if known is None or now - known.at > self._short:
            return False
        for other in [other for other in self.pushed if self.claimed.get(other) == space]:
            self.settle_who_stands(other)
        self._left.pop(space, None)
        if known.claimed is not None:
            self.claimed[space] = known.claimed
        if known.doubted_since is not None:
            self._doubted_since[space] = known.doubted_since
        if known.pushed:
            self.pushed.add(space)
        if known.tidied is not None:
            self.tidied[space] = known.tidied
        return known.claimed is not None

    def _push(self, origin: Place, were: frozenset[Home], space: Place, position: PublicPosition) -> None:
        others = were - {space} - self.outstanding
        if position.alike or space == origin or not others or not position.beside(origin, space):
            return
        self.claimed[space] = min(others)
        self.pushed.add(space)

    def doubt_who_stands(self, space: Place, other: Place, now: Micros) -> None:
        """What stands on `space` may be wrong there: the right one may be what came to stand on `other`."""
        self.claimed[space], self._doubted_since[space] = other, now

    def drop_done(self, following: PieceTracker) -> bool:
        """Drop what is done. Whether the board has come in order by that."""
        if not (self.outstanding or self.exchange or self.claimed):
            return False
        if self.outstanding and not following.up.keys() - self.outstanding:
            self.outstanding |= following.strays.keys()  # nobody in play explains them
        self.outstanding = (self.outstanding & following.differing_spaces()) | self.exchange
        loose = following.loose_pieces() | {self.claimed[space] for space in self._doubted_since}
        astray = {next(iter(homes)) for homes in following.strays.values() if len(homes) == 1}
        loose |= {other for space, other in self.claimed.items() if space in self.pushed} - astray
        self.claimed = {space: other for space, other in self.claimed.items() if other in loose}
        came, self._ordered = self.in_order and not self._ordered, self.in_order
        return came

    def list_corrections(
        self,
        following: PieceTracker,
        position: PublicPosition,
        between: Sequence[Place],
        step: tuple[Place, Place] | None = None,
    ) -> tuple[Correction, ...]:
        """As people are told them; `between` are the spaces that share a piece, which is to be centred, and
        `step` is the last move (origin, target).

        Where pieces of several sides are to come to one space those of one come first: what stands there
        then is known, in whatever order hands do the rest.
        """
        chores = []
        first: dict[Space, Correction] = {}
        for where in sorted(self.outstanding | self.exchange, key=_in_order):
            leaving = position.leaving.get(where)
            if leaving is not None and (where in self.exchange or where in following.strays):
                chores.append(_of_piece(CorrectionKind.TAKE, where, leaving, position)._replace(leaving=True))
            elif where in self.exchange:
                owner, beaten = position.owners.get(where), where in self.beaten
                chores.append(Correction(CorrectionKind.TAKE, where, owner, beaten))
            elif where in following.up:
                kind = CorrectionKind.RING if where in self.off_slots else CorrectionKind.PUT
                piece = position.pieces.get(where) or LayoutPiece(position.owners[where])
                chore = _of_piece(kind, where, piece, position)
                if (
                    where in following.lift_sensed
                    and not chore.name
                    and _has_several_sides(space_of(where), position)
                ):
                    chore = chore._replace(seat=None)  # whose piece was lifted there no sensor tells
                put = kind is CorrectionKind.PUT
                if put and step is not None and where == step[1] and step[0] in position.blind:
                    chore = chore._replace(origin=step[0])
                same = first.setdefault(space_of(where), chore)
                if chore._replace(space=NOWHERE) == same._replace(space=NOWHERE):
                    chores.append(chore)
            elif where in following.strays:
                middle = following.straddled_space(where, position)
                kind = CorrectionKind.CENTRE if middle else CorrectionKind.TAKE
                chores.append(Correction(kind, middle or where, None))
        if all(chore.leaving for chore in chores):
            chores = [_anew(chore, position) for chore in chores]
        return (*chores, *(Correction(CorrectionKind.CENTRE, space, None) for space in between))


def _anew(chore: Correction, position: PublicPosition) -> Correction:
    """Of a space for one piece, where nothing else is left to do: whoever left may have done so with the one
    that came standing there already, and no reed felt it. Once that has been set down anew it is known."""
    if chore.space not in position.owners or space_of(chore.space) in position.rooms:
        return chore
    return Correction(CorrectionKind.TAKE, chore.space, position.owners[chore.space])


def _of_piece(kind: CorrectionKind, where: Place, piece: LayoutPiece, position: PublicPosition) -> Correction:
    rings = space_of(where) in position.rooms
    return Correction(kind, where, piece.seat, name=position.prints.get(piece, ""), rings=rings)


def _has_several_sides(space: Space, position: PublicPosition) -> bool:
    """Whether pieces of several sides belong in that space."""
    return len({owner for place, owner in position.owners.items() if space_of(place) == space}) > 1


def _in_order(where: Place) -> tuple[Space, int]:
    return space_of(where), number_of(where)
