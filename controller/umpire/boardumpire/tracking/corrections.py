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
    possible_other_occupant: Home | None
    doubted_since: Micros | None
    was_pushed_onto: bool
    refilled_at: Micros | None


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
        self.wrong_piece_spaces: set[Place] = set()
        """Those of them whose piece has to come up though one should stand there: it is not that one."""
        self.beaten_piece_spaces: set[Place] = set()
        """Those of these whose piece lost a battle there."""
        self.off_slot_places: set[Place] = set()
        """Missing ones whose piece is in the space, but on no slot of its own."""
        self.doubtful_occupants: dict[Place, Home] = {}
        """Spaces that came to be occupied, but perhaps by another piece: by an early reply, whose home this
        names, or by a stranger, as the right piece is known to stand where this says."""
        self._overlap = overlap
        self._doubted_since: dict[Place, Micros] = {}
        """Those of them where it may be a stranger, with the moment."""
        self.pushed_onto_spaces: set[Place] = set()
        """Those of the claimed that another piece may have been pushed onto."""
        self.refilled_at: dict[Place, Micros] = {}
        """Where a missing piece seems to have come, with the moment."""
        self._left: dict[Place, tuple[frozenset[Home], Micros]] = {}
        """By space that something has left, who it could be, and when."""
        self._ordered = True

    @property
    def is_in_order(self) -> bool:
        """Whether no chore is open, and none was met in doubt."""
        return not (self.outstanding or self.doubtful_occupants)

    def begin_layout(
        self,
        outstanding: set[Place],
        beaten: set[Place],
        leaving: Collection[Place] = (),
        off_slots: Collection[Place] = (),
    ) -> None:
        """Take the chores of a new layout; on `beaten` a piece stands that lost a battle there, and in the
        places of `leaving` one that has to leave its space, in place of another."""
        self.wrong_piece_spaces, self.beaten_piece_spaces = beaten.union(leaving), set(beaten)
        self.outstanding = outstanding | self.wrong_piece_spaces
        self.off_slot_places = outstanding.intersection(off_slots)
        self.doubtful_occupants.clear()
        self._doubted_since.clear()
        self.pushed_onto_spaces.clear()
        self.refilled_at.clear()
        self._left.clear()
        self._known.clear()
        self._ordered = not self.outstanding

    def require_correction(self, spaces: Iterable[Place]) -> None:
        """These have to be mended too."""
        self.outstanding.update(spaces)
        self._ordered = self.is_in_order

    def note_lift(self, space: Place, now: Micros) -> None:
        """What stood there is up. A piece that slides home was sensed there before it left the last space."""
        self._known[space] = _KnownBeforeLift(
            now,
            self.doubtful_occupants.get(space),
            self._doubted_since.get(space),
            space in self.pushed_onto_spaces,
            self.refilled_at.get(space),
        )
        self.wrong_piece_spaces.discard(space)
        self.beaten_piece_spaces.discard(space)
        self.off_slot_places.discard(space)
        self.refilled_at.pop(space, None)
        self.settle_who_stands(space)
        for home, at in list(self._doubted_since.items()):
            if self.doubtful_occupants[home] == space and now - at <= self._overlap:
                self.settle_who_stands(home)

    def settle_who_stands(self, space: Place) -> None:
        """Who stands there is not in question any more."""
        self.doubtful_occupants.pop(space, None)
        self._doubted_since.pop(space, None)
        self.pushed_onto_spaces.discard(space)

    def settle_doubts_about(self, other: Place) -> None:
        """Who stands on `other` is known: no other space is in question for that."""
        for space in [space for space, there in self.doubtful_occupants.items() if there == other]:
            self.settle_who_stands(space)

    def notice_doubtful_arrival(
        self, space: Place, piece_tracker: PieceTracker, position: PublicPosition, now: Micros
    ) -> None:
        """A piece is about to come home; or an early reply that could go there, or a stranger?"""
        if self._restore_if_flickered(space, now) or space not in piece_tracker.lifted_at:
            return
        for stray, homes in piece_tracker.stray_candidates.items():
            if homes == {space} and not self._is_astride(stray, space, piece_tracker, position, now):
                self.doubtful_occupants[space], self._doubted_since[space] = stray, now
                return
        if space not in self.outstanding:
            return
        self.refilled_at[space] = now
        for origin, (were, at) in self._left.items():
            if now - at <= self._overlap:
                self._note_pushed_arrival(origin, were & piece_tracker.lifted_at.keys(), space, position)
        for home in position.movable_pieces(piece_tracker.pieces_in_hand() - self.outstanding):
            if space in position.steps.get(home, ()):
                self.doubtful_occupants[space] = home
                self.pushed_onto_spaces.discard(space)

    def _is_astride(
        self, stray: Place, space: Place, piece_tracker: PieceTracker, position: PublicPosition, now: Micros
    ) -> bool:
        """Whether one piece closes both spaces: they lie side by side, and no hand is so quick."""
        return now - piece_tracker.set_down_time(stray) < self._short and not position.is_apart(stray, space)

    def note_departure(
        self, origin: Place, were: frozenset[Home], position: PublicPosition, now: Micros
    ) -> None:
        """What stood on `origin`, one of `were`, has left it: perhaps pushed onto a chore's space beside it.

        The reed there closed just before, or closes just after.
        """
        self._left[origin] = were, now
        for space, at in self.refilled_at.items():
            if now - at <= self._overlap:
                self._note_pushed_arrival(origin, were, space, position)

    def _restore_if_flickered(self, space: Place, now: Micros) -> bool:
        """Whether what stands on a space again has never left it: nobody can have put another in its place.

        Then what was known of it still is, and nobody was pushed from there. But what has to come up
        (`wrong_piece_spaces`) has come up: hands are quick where they are asked for just that.
        """
        known = self._known.pop(space, None)
        if known is None or now - known.at > self._short:
            return False
        for other in [
            other for other in self.pushed_onto_spaces if self.doubtful_occupants.get(other) == space
        ]:
            self.settle_who_stands(other)
        self._left.pop(space, None)
        if known.possible_other_occupant is not None:
            self.doubtful_occupants[space] = known.possible_other_occupant
        if known.doubted_since is not None:
            self._doubted_since[space] = known.doubted_since
        if known.was_pushed_onto:
            self.pushed_onto_spaces.add(space)
        if known.refilled_at is not None:
            self.refilled_at[space] = known.refilled_at
        return known.possible_other_occupant is not None

    def _note_pushed_arrival(
        self, origin: Place, were: frozenset[Home], space: Place, position: PublicPosition
    ) -> None:
        others = were - {space} - self.outstanding
        if (
            position.has_alike_pieces
            or space == origin
            or not others
            or not position.is_beside(origin, space)
        ):
            return
        self.doubtful_occupants[space] = min(others)
        self.pushed_onto_spaces.add(space)

    def doubt_who_stands(self, space: Place, other: Place, now: Micros) -> None:
        """What stands on `space` may be wrong there: the right one may be what came to stand on `other`."""
        self.doubtful_occupants[space], self._doubted_since[space] = other, now

    def drop_completed(self, piece_tracker: PieceTracker) -> bool:
        """Drop what is done. Whether the board has come in order by that."""
        if not (self.outstanding or self.wrong_piece_spaces or self.doubtful_occupants):
            return False
        if self.outstanding and not piece_tracker.lifted_at.keys() - self.outstanding:
            self.outstanding |= piece_tracker.stray_candidates.keys()  # nobody in play explains them
        self.outstanding = (self.outstanding & piece_tracker.differing_spaces()) | self.wrong_piece_spaces
        loose = piece_tracker.pieces_in_hand() | {
            self.doubtful_occupants[space] for space in self._doubted_since
        }
        astray = {next(iter(homes)) for homes in piece_tracker.stray_candidates.values() if len(homes) == 1}
        loose |= {
            other for space, other in self.doubtful_occupants.items() if space in self.pushed_onto_spaces
        } - astray
        self.doubtful_occupants = {
            space: other for space, other in self.doubtful_occupants.items() if other in loose
        }
        came, self._ordered = self.is_in_order and not self._ordered, self.is_in_order
        return came

    def list_corrections(
        self,
        piece_tracker: PieceTracker,
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
        for where in sorted(self.outstanding | self.wrong_piece_spaces, key=_place_sort_key):
            leaving = position.leaving_pieces.get(where)
            if leaving is not None and (
                where in self.wrong_piece_spaces or where in piece_tracker.stray_candidates
            ):
                chores.append(
                    _correction_for_piece(CorrectionKind.TAKE, where, leaving, position)._replace(
                        is_leaving=True
                    )
                )
            elif where in self.wrong_piece_spaces:
                owner, beaten = position.owners.get(where), where in self.beaten_piece_spaces
                chores.append(Correction(CorrectionKind.TAKE, where, owner, beaten))
            elif where in piece_tracker.lifted_at:
                kind = CorrectionKind.RING if where in self.off_slot_places else CorrectionKind.PUT
                piece = position.layout_pieces.get(where) or LayoutPiece(position.owners[where])
                chore = _correction_for_piece(kind, where, piece, position)
                if (
                    where in piece_tracker.sensed_lifts
                    and not chore.printed_name
                    and _has_several_sides(space_of(where), position)
                ):
                    chore = chore._replace(seat=None)  # whose piece was lifted there no sensor tells
                put = kind is CorrectionKind.PUT
                if put and step is not None and where == step[1] and step[0] in position.hand_played_places:
                    chore = chore._replace(origin=step[0])
                same = first.setdefault(space_of(where), chore)
                if chore._replace(space=NOWHERE) == same._replace(space=NOWHERE):
                    chores.append(chore)
            elif where in piece_tracker.stray_candidates:
                middle = piece_tracker.straddled_space(where, position)
                kind = CorrectionKind.CENTRE if middle else CorrectionKind.TAKE
                chores.append(Correction(kind, middle or where, None))
        if all(chore.is_leaving for chore in chores):
            chores = [_require_fresh_set_down(chore, position) for chore in chores]
        return (*chores, *(Correction(CorrectionKind.CENTRE, space, None) for space in between))


def _require_fresh_set_down(chore: Correction, position: PublicPosition) -> Correction:
    """Of a space for one piece, where nothing else is left to do: whoever left may have done so with the one
    that came standing there already, and no reed felt it. Once that has been set down anew it is known."""
    if chore.space not in position.owners or space_of(chore.space) in position.slot_counts:
        return chore
    return Correction(CorrectionKind.TAKE, chore.space, position.owners[chore.space])


def _correction_for_piece(
    kind: CorrectionKind, where: Place, piece: LayoutPiece, position: PublicPosition
) -> Correction:
    rings = space_of(where) in position.slot_counts
    return Correction(
        kind, where, piece.seat, printed_name=position.printed_names.get(piece, ""), has_rings=rings
    )


def _has_several_sides(space: Space, position: PublicPosition) -> bool:
    """Whether pieces of several sides belong in that space."""
    return len({owner for place, owner in position.owners.items() if space_of(place) == space}) > 1


def _place_sort_key(where: Place) -> tuple[Space, int]:
    return space_of(where), number_of(where)
