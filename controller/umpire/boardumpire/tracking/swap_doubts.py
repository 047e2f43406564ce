"""Which pieces of one side may have traded places, as they were in hands together. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from boardumpire.tracking.model import Home, PublicPosition
from boardumpire.tracking.open_doubts import Pair, all_pairs
from boardumpire.tracking.piece_tracker import PieceTracker
from boardumpire.tracking.set_up_watch import SetUpWatch
from boardware.ports import Micros


class SwapDoubts:
    """Pairs of pieces that may have been swapped, until their owner says whether they were."""

    def __init__(self, pieces: PieceTracker, overlap: Micros, touch: Micros) -> None:
        """`overlap` and `touch` as in `PieceTracker`."""
        self.swapped_pairs: set[Pair] = set()
        self.set_up_watch = SetUpWatch(overlap, touch)
        self._pieces = pieces
        self._touch = touch
        self._fresh: dict[Pair, Micros] = {}
        """Those of these pairs that came up a moment ago, and when."""
        self._from_box: set[Home] = set()
        """Pieces that came into the game and have not been felt since."""

    def note_new_pieces(self, before: PublicPosition, after: PublicPosition, *, start: bool) -> None:
        """A ruling by which nothing moved and something is there now has brought that into the game."""
        self._from_box &= after.owners.keys()
        if not start and before.owners.items() <= after.owners.items():
            self._from_box |= after.owners.keys() - before.owners.keys()

    def note_pieces_felt(self) -> None:
        """What is felt stands on the board."""
        self._from_box -= self._pieces.felt_places

    def keep_pairs(self, pairs: Collection[Pair], position: PublicPosition) -> None:
        """These are in doubt in a new layout, where their pieces are still there."""
        owners, named = position.owners, position.declared_owners
        self.set_up_watch.swapped_pairs |= {pair for pair in pairs if pair <= named.keys()}
        kept = (pair for pair in pairs if pair <= owners.keys() and not pair <= named.keys())
        # Where a doubtful piece fell another may stand now, of the other side: the doubt fell with it.
        self.swapped_pairs = {
            pair for pair in kept if len({position.side_of(owners[home]) for home in pair}) == 1
        }

    def notice_set_down(self, position: PublicPosition, now: Micros, *, correcting: bool) -> frozenset[Home]:
        """Something was set down. The pieces that seemed to have been in hands and were only bumped."""
        pieces = self._pieces
        fresh = (
            self._swappable_pairs(pieces.held_together_pairs, position, correcting=correcting)
            - self.swapped_pairs
        )
        self.swapped_pairs |= fresh
        self._fresh.update(dict.fromkeys(fresh, now))
        pieces.held_together_pairs.clear()
        bumped = pieces.bumped_pieces(now)
        self._fresh = {pair: at for pair, at in self._fresh.items() if now - at <= self._touch}
        self.swapped_pairs -= {pair for pair in self._fresh if pair & bumped}
        pieces.forget_handling(bumped)
        self.note_pieces_felt()
        return bumped

    def pairs_up_together(self, position: PublicPosition, *, correcting: bool) -> set[Pair]:
        """The pairs that may be swapped as soon as they are set down."""
        up = self._pieces.lifted_at
        together = (
            self._swappable_pairs(all_pairs(up), position, correcting=correcting) if len(up) > 1 else set()
        )
        return together | self.set_up_watch.pairs_up_together() if position.declared_owners else together

    def connected_pieces(self, homes: Iterable[Home]) -> set[Home]:
        """These pieces and all that may have been swapped with them, one after the other: without those that
        hands hold, or have moved, the others could not all be put right."""
        found, more = set[Home](), set(homes)
        while more - found:
            found |= more
            more = {home for pair in self.swapped_pairs for home in pair if pair & found}
        return found

    def _swappable_pairs(
        self, pairs: Iterable[Pair], position: PublicPosition, *, correcting: bool
    ) -> set[Pair]:
        """Those of `pairs` that look alike to a sensor, and not to people."""
        owners, kinds, alike = position.owners, position.public_kinds, position.has_alike_pieces
        # They come from the box; or lamps lead pawns that are alike, those of one seat at a time.
        if correcting and (position.is_fresh_from_box or alike):
            return set()

        def differ(pair: Pair) -> bool:
            seats = {owners[home] for home in pair}
            if len({position.side_of(seat) for seat in seats}) > 1:
                return False
            return len(seats) > 1 or (not alike and len({kinds.get(home, home) for home in pair}) > 1)

        return {pair for pair in pairs if differ(pair) and not pair <= self._from_box}
