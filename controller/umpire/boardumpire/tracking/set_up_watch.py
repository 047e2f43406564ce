"""Which pieces of a set-up that is in may have traded places before the game begins. Pure.

Nothing is judged in a zone that may be changed still. But the ranks that a seat has said belong to squares,
so two of its pieces that were off theirs together are in doubt, unless it says its set-up anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from boardumpire.tracking.model import Home, Place
from boardumpire.tracking.open_doubts import Pair, all_pairs
from boardumpire.tracking.piece_tracker import PieceTracker
from boardware.ports import Micros


class SetUpWatch:
    """Follows the pieces of set-ups that are in."""

    def __init__(self, overlap: Micros, touch: Micros) -> None:
        """`overlap`: how long a sliding piece may be sensed on the next space before it leaves the last.

        `touch`: what left its space for no longer never left it.
        """
        self.swapped_pairs: set[Pair] = set()
        """Pairs of pieces of one side that may have been swapped."""
        self._overlap = overlap
        self._short = touch
        self._following = PieceTracker(overlap, touch)
        self._named: Mapping[Home, str] = {}
        self._new: set[Home] = set()
        """Pieces that have not stood where they were said to: they come from the box."""
        self._came: tuple[Home, Micros] | None = None
        """Where a piece came back last, and when."""
        self._fresh: dict[Pair, Micros] = {}
        """Pairs that came into doubt just now, and when."""

    def begin_set_up(
        self, named: Mapping[Home, str], felt: Collection[Place], said: Collection[Home], now: Micros
    ) -> None:
        """Take the set-ups that are in: by space which side's piece stands there. Those `said` just now are
        sure."""
        known = self._named
        self._named = named
        self.swapped_pairs = {
            pair for pair in self.swapped_pairs if pair <= named.keys() and pair.isdisjoint(said)
        }
        gone = named.keys() - felt
        self._new = {home for home in gone if home in self._new or home in said or home not in known}
        self._following.begin_layout(named, (), named.keys() & felt, frozenset(), now)
        self._came = None

    def note_sensor_change(self, space: Place, present: bool, now: Micros) -> None:
        """A reed changed."""
        if space not in self._named:
            return
        following = self._following
        if not present:
            following.note_lift(space, now)
            if self._came is not None and space != self._came[0] and now - self._came[1] <= self._overlap:
                self._add_doubtful_pairs([frozenset({space, self._came[0]})], now)  # it was pushed there
            return
        if now - following.lifted_at.get(space, now) > self._short:
            self._came = space, now
        following.note_set_down(space, now)
        self._add_doubtful_pairs(following.held_together_pairs, now)
        following.held_together_pairs.clear()
        self._fresh = {pair: at for pair, at in self._fresh.items() if now - at <= self._short}
        bumped = following.bumped_pieces(now)
        self.swapped_pairs -= {pair for pair in self._fresh if pair & bumped}
        self._new.discard(space)

    def _add_doubtful_pairs(self, pairs: Iterable[Pair], now: Micros) -> None:
        fresh = self._swappable_pairs(pairs) - self.swapped_pairs
        self._fresh.update(dict.fromkeys(fresh, now))
        self.swapped_pairs |= fresh

    def _swappable_pairs(self, pairs: Iterable[Pair]) -> set[Pair]:
        """Those of one side that don't both come from the box."""
        return {pair for pair in pairs if len({self._named[home] for home in pair}) == 1 and pair - self._new}

    def pairs_up_together(self) -> set[Pair]:
        """Pairs of pieces of one side that are off their squares now."""
        return self._swappable_pairs(all_pairs(self._following.lifted_at))
