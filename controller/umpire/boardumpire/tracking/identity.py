"""What it changes to know who stands on a space. Pure: a piece is named by where it belongs, not by rank."""

from __future__ import annotations

from boardumpire.tracking.corrections import Corrections
from boardumpire.tracking.events import BoardFault, FaultCode
from boardumpire.tracking.model import Home, Place
from boardumpire.tracking.piece_tracker import PieceTracker


class IdentityCheck:
    """Holds what is followed to what is known."""

    def __init__(self, following: PieceTracker, chores: Corrections) -> None:
        self.wrong: set[Place] = set()
        """Where another piece stands than was followed there."""
        self.lies: set[Place] = set()
        """Where a piece is sensed whose tag has gone: it lies on its side."""
        self._following = following
        self._chores = chores

    def note_identity(self, space: Place, home: Home | None, doubt: set[frozenset[Home]]) -> bool:
        """The piece of `home` stands on `space` (`None`: one that belongs nowhere). Whether that is news.

        `doubt` that this settles is dropped, a piece that has to come up becomes a chore, and one that hands
        were not seen to bring is `wrong`.
        """
        following = self._following
        self.lies.discard(space)
        asked = self._asked_about(space)
        if following.strays.get(space) == frozenset():  # nobody was seen to bring it
            return self._came(space, home)
        if home is None:
            return self._amiss(space, doubted=asked)
        if home == space:
            news = asked or space in self.wrong or space in self._chores.exchange
            self.wrong.discard(space)
            self._chores.exchange.discard(space)
            return _settle(doubt, home) or news
        if home in following.up and space in following.strays:
            news = following.strays[space] != {home}
            following.strays[space] = frozenset({home})
            following.drop_impossible()
            return _settle(doubt, home) or news
        return self._amiss(space, doubted=asked or frozenset({space, home}) in doubt)

    def _came(self, space: Place, home: Home | None) -> bool:
        """The piece of `home`, or a stranger, stands where nothing should, and no reed told that it left."""
        known = {} if home is None else {space: home}
        news = home is None or self._following.named.get(space) != home
        self._following.named.update(known)
        if home is None:
            self._following.strangers.add(space)
        return news

    def _asked_about(self, space: Place) -> bool:
        """Whether it was in question who stands there; from now on it isn't."""
        following, claimed = self._following, self._chores.claimed
        asked = space in claimed or space in following.set_upon.values()
        self._chores.settle_who_stands(space)
        following.set_upon = {home: other for home, other in following.set_upon.items() if other != space}
        return asked

    def _amiss(self, space: Place, *, doubted: bool) -> bool:
        chores = self._chores
        if space in self.wrong or space in chores.exchange:
            return False
        if not self._following.strays.get(space, {space}):
            return False  # where nothing should stand: that is noticed without tags, but not who it is
        if doubted or chores.outstanding:
            chores.exchange.add(space)
            chores.require({space})
        else:
            self.wrong.add(space)
        return True

    def note_lift(self, space: Place) -> None:
        """What stood there is up."""
        self.wrong.discard(space)
        self.lies.discard(space)

    def begin_layout(self) -> None:
        """A new layout: what was read is held to that one, and told anew."""
        self.wrong.clear()
        self.lies &= self._following.felt & self._following.expected

    def fault(self) -> BoardFault | None:
        """What is wrong, if anything is."""
        if self.wrong:
            return BoardFault(FaultCode.SWAPPED, tuple(sorted(self.wrong)))
        # While a piece is in a hand, what isn't read may be in the other, held so low that its reed feels it.
        return (
            BoardFault(FaultCode.LYING, tuple(sorted(self.lies)))
            if self.lies and not self._following.up
            else None
        )

    def note_fault_reported(self, fault: BoardFault) -> None:
        """What is wrong has to come up."""
        if fault == self.fault():
            self._chores.exchange.update(fault.spaces)
            self._chores.require(fault.spaces)
            self.wrong.clear()
            self.lies.clear()


def _settle(doubt: set[frozenset[Home]], home: Home) -> bool:
    settled = [pair for pair in doubt if home in pair]
    doubt.difference_update(settled)
    return bool(settled)
