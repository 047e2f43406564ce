"""What it changes to know who stands on a space. Pure: a piece is named by where it belongs, not by rank."""

from __future__ import annotations

from boardumpire.tracking.corrections import Corrections
from boardumpire.tracking.events import BoardFault, FaultCode
from boardumpire.tracking.model import Home, Place
from boardumpire.tracking.piece_tracker import PieceTracker


class IdentityCheck:
    """Holds what is followed to what is known."""

    def __init__(self, piece_tracker: PieceTracker, corrections: Corrections) -> None:
        self.swapped_spaces: set[Place] = set()
        """Where another piece stands than was followed there."""
        self.lying_spaces: set[Place] = set()
        """Where a piece is sensed whose tag has gone: it lies on its side."""
        self._following = piece_tracker
        self._chores = corrections

    def note_identity(self, space: Place, home: Home | None, doubt: set[frozenset[Home]]) -> bool:
        """The piece of `home` stands on `space` (`None`: one that belongs nowhere). Whether that is news.

        `doubt` that this settles is dropped, a piece that has to come up becomes a chore, and one that hands
        were not seen to bring is `swapped_spaces`.
        """
        following = self._following
        self.lying_spaces.discard(space)
        asked = self._settle_if_asked(space)
        if following.stray_candidates.get(space) == frozenset():  # nobody was seen to bring it
            return self._note_unseen_arrival(space, home)
        if home is None:
            return self._note_wrong_piece(space, doubted=asked)
        if home == space:
            news = asked or space in self.swapped_spaces or space in self._chores.wrong_piece_spaces
            self.swapped_spaces.discard(space)
            self._chores.wrong_piece_spaces.discard(space)
            return _drop_settled_pairs(doubt, home) or news
        if home in following.lifted_at and space in following.stray_candidates:
            news = following.stray_candidates[space] != {home}
            following.stray_candidates[space] = frozenset({home})
            following.drop_impossible_candidates()
            return _drop_settled_pairs(doubt, home) or news
        return self._note_wrong_piece(space, doubted=asked or frozenset({space, home}) in doubt)

    def _note_unseen_arrival(self, space: Place, home: Home | None) -> bool:
        """The piece of `home`, or a stranger, stands where nothing should, and no reed told that it left."""
        known = {} if home is None else {space: home}
        news = home is None or self._following.homes_by_tag.get(space) != home
        self._following.homes_by_tag.update(known)
        if home is None:
            self._following.reported_extra_places.add(space)
        return news

    def _settle_if_asked(self, space: Place) -> bool:
        """Whether it was in question who stands there; from now on it isn't."""
        following, claimed = self._following, self._chores.doubtful_occupants
        asked = space in claimed or space in following.possible_landings.values()
        self._chores.settle_who_stands(space)
        following.possible_landings = {
            home: other for home, other in following.possible_landings.items() if other != space
        }
        return asked

    def _note_wrong_piece(self, space: Place, *, doubted: bool) -> bool:
        chores = self._chores
        if space in self.swapped_spaces or space in chores.wrong_piece_spaces:
            return False
        if not self._following.stray_candidates.get(space, {space}):
            return False  # where nothing should stand: that is noticed without tags, but not who it is
        if doubted or chores.outstanding:
            chores.wrong_piece_spaces.add(space)
            chores.require_correction({space})
        else:
            self.swapped_spaces.add(space)
        return True

    def note_lift(self, space: Place) -> None:
        """What stood there is up."""
        self.swapped_spaces.discard(space)
        self.lying_spaces.discard(space)

    def begin_layout(self) -> None:
        """A new layout: what was read is held to that one, and told anew."""
        self.swapped_spaces.clear()
        self.lying_spaces &= self._following.felt_places & self._following.expected_places

    def current_fault(self) -> BoardFault | None:
        """What is wrong, if anything is."""
        if self.swapped_spaces:
            return BoardFault(FaultCode.PIECES_SWAPPED, tuple(sorted(self.swapped_spaces)))
        # While a piece is in a hand, what isn't read may be in the other, held so low that its reed feels it.
        return (
            BoardFault(FaultCode.PIECE_LYING, tuple(sorted(self.lying_spaces)))
            if self.lying_spaces and not self._following.lifted_at
            else None
        )

    def note_fault_reported(self, fault: BoardFault) -> None:
        """What is wrong has to come up."""
        if fault == self.current_fault():
            self._chores.wrong_piece_spaces.update(fault.spaces)
            self._chores.require_correction(fault.spaces)
            self.swapped_spaces.clear()
            self.lying_spaces.clear()


def _drop_settled_pairs(doubt: set[frozenset[Home]], home: Home) -> bool:
    settled = [pair for pair in doubt if home in pair]
    doubt.difference_update(settled)
    return bool(settled)
