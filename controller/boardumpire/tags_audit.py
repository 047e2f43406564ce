"""Pieces held to what they are: whenever a tag is read, it has to be that of the piece that belongs there.

A piece is known by its tag from the first time that it is read where it belongs, and from then on it is that
piece alone that will do: one of the same rank would not, or a fault would tell that two ranks differ.
"""

from __future__ import annotations

from boardrules.core import Space, State
from boardumpire import secrecy
from boardumpire.tags import Label, Named, Roster
from boardumpire.tags_standing import Standing
from boardumpire.tracker import Tracker
from boardware.ports import SECOND, Micros, Tag

PieceId = str
"""A piece as layouts name it: public, and the same for a whole game."""
LOOKED: Micros = 1 * SECOND
"""So long after its reed closed a square has been read a dozen times: what wasn't found isn't there."""


class Audit:
    """Which tag is which piece of the game."""

    def __init__(self, standing: Standing, roster: Roster, tracker: Tracker) -> None:
        self._standing = standing
        self._roster = roster
        self._tracker = tracker
        self._bound: dict[PieceId, Tag] = {}
        self._names: dict[PieceId, Named] = {}
        """What each piece was set up as."""
        self._state: State | None = None
        self._places: dict[PieceId, Space] = {}
        self._awaited: dict[Space, Micros] = {}
        """Where a piece came to stand over a reader and wasn't read yet, and since when."""

    def stood(self, space: Space, at: Micros) -> None:
        """Something came to stand over a reader."""
        self._awaited[space] = at

    def lifted(self, space: Space) -> None:
        """What stood there is up."""
        self._awaited.pop(space, None)

    def unawaited(self) -> None:
        """Readers were out of sight: what wasn't read may have been."""
        self._awaited.clear()

    def take(self, state: State) -> None:
        """Look at everything anew where the game has changed."""
        if state is self._state:
            return
        self._state = state
        self._places = {pieces[0]: space for space, pieces in state.layout().items()}
        if not self._names:
            self._names = _names(state, self._places)
        self._standing.look_again()

    def home(self, tag: Tag, space: Space | None = None) -> Space | None:
        """Where the piece with this tag belongs; `None` if nowhere on the board.

        A tag that is seen for the first time is bound: to the piece that should be on `space`, if it is in
        one of that name, else to the only piece of that name that has none.
        """
        for piece, bound in self._bound.items():
            if bound == tag:
                return self._places.get(piece)
        named = self._roster.piece(tag)
        free = [
            piece for piece in self._places if piece not in self._bound and self._names.get(piece) == named
        ]
        here = next((piece for piece in free if self._places[piece] == space), None)
        if here is None and len(free) == 1:
            (here,) = free
        if here is None:
            return None
        self._bound[here] = tag
        return self._places[here]

    def look(self, now: Micros) -> None:
        """Hold what was read lately to the layout."""
        following = self._tracker.following
        for space in sorted(self._standing.fresh & following.felt):
            self._standing.fresh.discard(space)
            tags = self._standing.tags(space)
            if len(tags) == 1:
                (tag,) = tags
                self._tracker.identified(space, self.home(tag, self._believed(space)), now)
            elif len(tags) == 2:
                self._met(space, tags, now)
        for space in [space for space, at in self._awaited.items() if now >= at + LOOKED]:
            del self._awaited[space]
            self._missed(space, now)

    def due(self) -> Micros | None:
        """When a piece that isn't read has been looked for long enough."""
        return min(self._awaited.values()) + LOOKED if self._awaited else None

    def _missed(self, space: Space, now: Micros) -> None:
        """A piece that was read where it was lifted and isn't read where it stands: it lies.

        Only the first time, for its tag may have broken.
        """
        if self._standing.tags(space):
            return
        tag = next((self._bound.get(piece) for piece, place in self._places.items() if place == space), None)
        if tag in self._standing.carried and self._tracker.lying(space, now):
            self._standing.carried.discard(tag)

    def _believed(self, space: Space) -> Space:
        """The home of the piece that should be there, as hands were followed."""
        homes = self._tracker.following.strays.get(space, frozenset())
        return next(iter(homes)) if len(homes) == 1 else space

    def _met(self, space: Space, tags: frozenset[Tag], now: Micros) -> None:
        """Two pieces on one space: an attack, if one belongs there and the other was lifted to go there."""
        homes = {self.home(tag, space) for tag in tags}
        if space in homes and len(homes) == 2:
            (other,) = homes - {space}
            if other is not None:
                self._tracker.met(other, space, now)


def _names(state: State, places: dict[PieceId, Space]) -> dict[PieceId, Named]:
    """What each piece on the board is, as its owner may know."""
    labels: dict[Space, Named] = {}
    for seat in state.seats:
        for space, piece in secrecy.view(state, seat).get("board", {}).items():
            label: Label = piece.get("rank", "")
            if piece.get("seat") == seat and label:
                labels[space] = seat, label
    return {piece: labels[space] for piece, space in places.items() if space in labels}
