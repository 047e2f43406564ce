"""Pieces held to what they are: whenever a tag is read, it has to be that of the piece that belongs there.

A piece is bound to its tag as the game begins, before anything has moved. From then on it is that piece alone
that will do: one of the same rank would not, or a fault would tell that two ranks differ. What is bound
outlives the power, captured pieces too. A piece that was not bound by then never is: whoever holds another up
to a reader would learn by a fault whether their ranks are the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from boardrules.core import LayoutPiece, Space, State
from boardumpire.tags.standing_tags import StandingTags
from boardumpire.tags.tag_roster import NamedPiece, TagRoster
from boardumpire.tracking.model import Place
from boardumpire.tracking.shared_spaces import place_of
from boardumpire.tracking.tracker import Tracker
from boardware.ports import SECOND, Micros, TagId

READ_TIMEOUT_US: Micros = 1 * SECOND
"""So long after its reed closed a square has been read a dozen times: what wasn't found isn't there."""


class TagAudit:
    """Which tag is which piece of the game."""

    def __init__(
        self,
        standing: StandingTags,
        roster: TagRoster,
        tracker: Tracker,
        bound: str = "",
        *,
        begun: bool = False,
    ) -> None:
        """`bound`: what `bindings_text` said before the power was off; `begun`: whether anything may have
        moved."""
        self._standing = standing
        self._roster = roster
        self._tracker = tracker
        self._bound = _parse_bindings(bound, roster)
        self._binds = not begun
        """Whether nothing has moved yet, so that a piece can be bound to the tag that is read."""
        self._names: dict[LayoutPiece, NamedPiece] = {}
        """What each piece was set up as."""
        self._state: State | None = None
        self._places: dict[LayoutPiece, Space] = {}
        self._awaited: dict[Space, Micros] = {}
        """Where a piece came to stand over a reader and wasn't read yet, and since when."""

    def __len__(self) -> int:
        """How many pieces are bound."""
        return len(self._bound)

    def note_placed(self, space: Space, at: Micros) -> None:
        """Something came to stand over a reader."""
        self._awaited[space] = at

    def note_lifted(self, space: Space) -> None:
        """What stood there is up."""
        self._awaited.pop(space, None)

    def note_unread(self) -> None:
        """Readers were out of sight: what wasn't read may have been."""
        self._awaited.clear()

    def update_state(self, state: State) -> None:
        """Look at everything anew where the game has changed."""
        if state is self._state:
            return
        self._binds = self._binds and not self._names
        self._state = state
        self._places = {pieces[0]: space for space, pieces in state.layout().items()}
        if not self._names:
            self._names = _pieces_by_label(state, self._places)
        self._standing.mark_all_unchecked()

    @property
    def bindings_text(self) -> str:
        """Which piece is bound to which line of the list, a secret; its length tells nothing."""
        lines = {tag: number for number, (tag, _) in enumerate(self._roster)}
        pairs = (f"{piece}={lines[tag]:04}" for piece, tag in sorted(self._bound.items()))
        return " ".join([_roster_digest(self._roster), *pairs])

    def find_piece(self, tag: TagId, homes: Collection[Space]) -> tuple[bool, Space | None]:
        """Whether it is known which piece has this tag, and where it belongs: `None` if nowhere on the board.

        `homes` are the homes of the pieces that it may be by what was sensed.
        """
        for piece, bound in self._bound.items():
            if bound == tag:
                return True, self._places.get(piece)
        named = self._roster.piece(tag)
        maybe = {piece for piece, place in self._places.items() if place in homes}
        if named is None or not any(piece.seat == named[0] for piece in maybe):
            return True, None
        if self._binds and len(maybe) == 1:
            (piece,) = maybe
            return True, self._bind(tag, piece)
        return maybe <= self._bound.keys(), None

    def _bind(self, tag: TagId, piece: LayoutPiece) -> Space | None:
        """Bind a tag to the one piece that it can be, if of that name: which of two it is would tell."""
        if piece in self._bound or self._names.get(piece) != self._roster.piece(tag):
            return None
        self._bound[piece] = tag
        return self._places[piece]

    def check_tags(self, now: Micros) -> None:
        """Hold what was read lately to the layout."""
        following = self._tracker.piece_tracker
        for space in sorted(self._standing.unchecked_spaces & following.felt_places):
            self._standing.unchecked_spaces.discard(space)
            tags = self._standing.tags_on(space)
            if len(tags) == 1:
                (tag,) = tags
                known, home = self.find_piece(tag, self.possible_homes(space))
                if known:
                    self._tracker.note_identity(
                        place_of(space), None if home is None else place_of(home), now
                    )
            elif len(tags) == 2:
                self._check_tags_met(space, tags, now)
        for space in [space for space, at in self._awaited.items() if now >= at + READ_TIMEOUT_US]:
            del self._awaited[space]
            self._note_unread_piece(space, now)

    def due(self) -> Micros | None:
        """When a piece that isn't read has been looked for long enough."""
        return min(self._awaited.values()) + READ_TIMEOUT_US if self._awaited else None

    def _note_unread_piece(self, space: Space, now: Micros) -> None:
        """A piece that was read where it was lifted and isn't read where it stands: it lies.

        Only the first time, for its tag may have broken.
        """
        if self._standing.tags_on(space):
            return
        tag = next((self._bound.get(piece) for piece, place in self._places.items() if place == space), None)
        if tag in self._standing.lifted_tags and self._tracker.note_lying_piece(place_of(space), now):
            self._standing.lifted_tags.discard(tag)

    def possible_homes(self, space: Space) -> frozenset[Place]:
        """The homes of the pieces that may be there, as hands were followed."""
        place = place_of(space)
        return self._tracker.piece_tracker.stray_candidates.get(place, frozenset({place}))

    def _check_tags_met(self, space: Space, tags: frozenset[TagId], now: Micros) -> None:
        """Two pieces on one space: an attack, if one belongs there and the other was lifted to go there."""
        homes = {self.find_piece(tag, {space})[1] for tag in tags}
        if space in homes and len(homes) == 2:
            (other,) = homes - {space}
            if other is not None:
                self._tracker.note_tag_at_target(place_of(other), place_of(space), now)


def _pieces_by_label(state: State, places: dict[LayoutPiece, Space]) -> dict[LayoutPiece, NamedPiece]:
    """What each piece on the board is, as its owner may know."""
    labels: dict[Space, NamedPiece] = {}
    for seat in state.seats:
        labels.update({space: (seat, label) for space, label in state.labels(seat).items()})
    return {piece: labels[space] for piece, space in places.items() if space in labels}


def _roster_digest(roster: TagRoster) -> str:
    """Says whether a list still has the same pieces; a trace has the same, with other tags."""
    names = " ".join(f"{seat} {label}" for _, (seat, label) in roster)
    return hashlib.sha256(names.encode()).hexdigest()[:16]


def _parse_bindings(text: str, roster: TagRoster) -> dict[LayoutPiece, TagId]:
    """What `TagAudit.bindings_text` told; nothing of it where the list has changed since."""
    digest, *pairs = text.split() or [""]
    if digest != _roster_digest(roster):
        return {}
    tags = [tag for tag, _ in roster]
    return {
        LayoutPiece.parse(piece): tags[int(line)]
        for piece, _, line in (pair.partition("=") for pair in pairs)
    }
