"""Which pieces of a set-up that is in may have traded places before the game begins. Pure.

Nothing is judged in a zone that may be changed still. But the ranks that a seat has said belong to squares,
so two of its pieces that were off theirs together are in doubt, unless it says its set-up anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from boardrules.core import Seat
from boardumpire.tracking.following import Home, Space
from boardumpire.tracking.open_doubts import Pair, pairs_of
from boardware.ports import Micros


class SetUpWatch:
    """Follows the pieces of set-ups that are in."""

    def __init__(self, overlap: Micros, touch: Micros) -> None:
        """`overlap`: how long a sliding piece may be sensed on the next space before it leaves the last.

        `touch`: what left its space for no longer never left it.
        """
        self.pairs: set[Pair] = set()
        """Pairs of pieces of one side that may have been swapped."""
        self._overlap = overlap
        self._short = touch
        self._named: Mapping[Home, Seat] = {}
        self._away: dict[Home, Micros] = {}
        """The pieces that don't stand where they were said to, and since when."""
        self._new: set[Home] = set()
        """Those of them that have not stood there yet: they come from the box."""
        self._came: tuple[Home, Micros] | None = None
        """Where a piece came back last, and when."""

    def begin(self, named: Mapping[Home, Seat], felt: Collection[Space], said: Collection[Home]) -> None:
        """Take the set-ups that are in: by space whose piece stands there. Those `said` just now are sure."""
        known = self._named
        self._named = named
        self.pairs = {pair for pair in self.pairs if pair <= named.keys() and pair.isdisjoint(said)}
        gone = named.keys() - felt
        fresh = {home for home in gone if home in said or home not in known}
        self._new = (self._new & gone) | fresh
        self._away = {home: self._away.get(home, 0) for home in sorted(gone)}
        self._came = None

    def changed(self, space: Space, present: bool, now: Micros) -> None:
        """A reed changed."""
        if space not in self._named:
            return
        if not present:
            self._away[space] = now
            if self._came is not None and now - self._came[1] <= self._overlap:
                self._doubt(space, {self._came[0]})  # it was pushed there
            return
        lifted = self._away.pop(space, now)
        if now - lifted > self._short:
            self._doubt(space, self._away)
            self._came = space, now
        self._new.discard(space)

    def _doubt(self, space: Home, others: Collection[Home]) -> None:
        self.pairs |= self._pairs(space, others)

    def _pairs(self, space: Home, others: Collection[Home]) -> set[Pair]:
        mine = {home for home in others if self._named[home] == self._named[space] and home != space}
        both_new = self._new & mine if space in self._new else set()
        return {frozenset({space, other}) for other in mine - both_new}

    def up_together(self) -> set[Pair]:
        """Pairs of pieces of one side that are off their squares now."""
        together = pairs_of(self._away)
        return {
            pair for pair in together if len({self._named[home] for home in pair}) == 1 and pair - self._new
        }
