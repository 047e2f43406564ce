"""Moves of seats at other boards that no sensor of this one can feel: people here are led, and say yes.

A space feels as many pieces as it has slots. Where a token comes to stand beside others, and above all where
it leaves others for that, the board looks the same before and after. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from boardrules.core import Layout, LayoutPiece, Seat, Space
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.events import Correction, CorrectionKind
from boardumpire.tracking.questions import MovedHereQuestion


class UnfeltMove(NamedTuple):
    """A piece that hands here shall carry, though nothing feels that it comes."""

    piece: LayoutPiece
    origin: Space
    target: Space
    leaves_unfelt: bool
    """Whether nothing feels that it leaves, either."""

    def corrections(self, printed_name: str) -> Iterator[Correction]:
        """What people are to do with the piece, on which everybody reads this name."""
        origin, seat = shared_spaces.place_of(self.origin), self.piece.seat
        if self.leaves_unfelt:
            yield Correction(CorrectionKind.TAKE, origin, seat, printed_name=printed_name, is_leaving=True)
        target = shared_spaces.place_of(self.target)
        yield Correction(CorrectionKind.PUT, target, seat, printed_name=printed_name, origin=origin)

    def question(self) -> MovedHereQuestion:
        """Whether they have done it: whoever is at the board may say so."""
        way = shared_spaces.first_places_of_spaces((self.origin, self.target))
        return MovedHereQuestion.from_spaces(way, None)


class BoardSenses(NamedTuple):
    """What the hands and the sensors of a board know of the moves of a game."""

    home: Collection[Seat]
    """The seats whose hands act there."""
    slot_counts: Mapping[Space, int]
    """How many slots those spaces have that have several."""
    hand_played_spaces: Collection[Space] = ()

    def feels_each_piece(self, space: Space, layout: Layout) -> bool:
        """Whether each piece of a layout is felt in that space."""
        count = len(layout.get(space, ()))
        return space not in self.hand_played_spaces and count <= self.slot_counts.get(space, 1)


def unfelt_moves_after(
    open_moves: tuple[UnfeltMove, ...],
    before: Layout,
    after: Layout,
    way: tuple[Space, Space] | None,
    senses: BoardSenses,
) -> tuple[UnfeltMove, ...]:
    """What is to be carried unfelt once an action has led from one layout to another and a piece went that
    `way`, where `open_moves` were to be carried before."""
    moved = None if way is None else _moved_piece(before, after, *way)
    if way is not None and moved is not None and moved.seat not in senses.home:
        origin, target = way
        new = UnfeltMove(moved, origin, target, not senses.feels_each_piece(origin, before))
        for earlier in open_moves:
            if (earlier.piece, earlier.target) == (moved, origin):  # it was not carried there yet
                open_moves = tuple(each for each in open_moves if each is not earlier)
                new = earlier._replace(target=target)
                break
        open_moves = (*open_moves, new)
    return tuple(
        each
        for each in open_moves
        if each.origin != each.target
        and each.piece in after.get(each.target, ())
        and not senses.feels_each_piece(each.target, after)
    )


def _moved_piece(before: Layout, after: Layout, origin: Space, target: Space) -> LayoutPiece | None:
    """The piece that went from one space to another."""
    left = Counter(before.get(origin, ())) - Counter(after.get(origin, ()))
    came = Counter(after.get(target, ())) - Counter(before.get(target, ()))
    return next(iter(left & came), None)
