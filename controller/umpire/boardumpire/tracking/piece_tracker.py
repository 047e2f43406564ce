"""Who is where: follows each piece from the space where it belongs to the hand and on to where it rests.

A reed feels that something is there, not who. Identity is followed from the layout on: a piece is named by
the space where it belongs (its home), and what is set down is one of the pieces that were in the air at
that moment. Pure: events in, no clock.
"""

from __future__ import annotations

from collections.abc import Iterable

from boardumpire.tracking.model import Home, Place, PublicPosition
from boardware.ports import Micros

AT_ONCE = 3
"""So many pieces are lifted or set down at the same moment by no hands."""


class PieceTracker:
    """What is sensed against what should stand, and which pieces explain the difference.

    `air` maps the home of each piece that is up to the moment it was lifted. `strays` maps each space that
    should be empty but holds something to the homes of the pieces that it could be: one home where it is
    certain, none where nothing was in the air to explain it.
    """

    def __init__(self, overlap: Micros, touch: Micros) -> None:
        """`overlap`: how long a sliding piece may be sensed on the next space before it leaves the last.

        `touch`: a piece that wasn't felt for no longer was touched: nobody can have put another in its place.
        """
        self._overlap = overlap
        self._short = touch
        self._placed: dict[Place, Micros] = {}
        self.expected: frozenset[Place] = frozenset()
        self.free: frozenset[Place] = frozenset()
        self.felt: set[Place] = set()
        self.up: dict[Home, Micros] = {}
        self.strays: dict[Place, frozenset[Home]] = {}
        self.held_together: set[frozenset[Home]] = set()
        """Pairs of pieces that were in hands together when one was set down: they may have been swapped."""
        self.pushed: set[Place] = set()
        """Where something came to stand as a piece does that is pushed over the board, not carried."""
        self.set_upon: dict[Home, Place] = {}
        """By piece in a hand where something that had been up with it was set down last: it may be that."""
        self.unsure: dict[Place, Home] = {}
        """Strays that the piece of this home is not, as it came home; others were up that may be there."""
        self.contested: dict[Place, frozenset[Home]] = {}
        """By stray all pieces that it could be when it came there, those that have been explained since among
        them: by whose hand, and with which piece, nobody can feel."""
        self.lift_sensed: set[Home] = set()
        """Pieces that are up and were felt to go; others were gone before anybody watched, or a ruling has
        brought them."""
        self._returned: dict[Home, tuple[Micros, Micros]] = {}
        """By piece that came home last when it was lifted, and when it came."""
        self.strangers: set[Place] = set()
        """Strays that were told to be pieces too many."""
        self._stayed: set[Place] = set()
        """Strays on which a piece stood before it moved by the game: there is still one, and a whole one."""
        self.named: dict[Place, Home] = {}
        """Strays that no lift explains and whose tag says which piece they are."""
        self._left: Micros | None = None
        """When a piece was last felt to leave its place."""

    def reset(
        self,
        expected: Iterable[Place],
        free: Iterable[Place],
        felt: Iterable[Place],
        moved: frozenset[Place],
        now: Micros,
    ) -> None:
        """Take a new layout. Pieces in the air or astray stay followed unless they are among `moved`."""
        stood = self.expected & self.felt
        self.expected, self.free, self.felt = frozenset(expected), frozenset(free), set(felt)
        self.set_upon.clear()
        self.unsure.clear()
        self.contested.clear()
        self.up = {
            home: self.up.get(home, now) if home not in moved else now
            for home in sorted(self.expected - self.free)
            if home not in self.felt
        }
        self.lift_sensed &= self.up.keys() - moved
        # A piece that the ruling has moved is where it belongs now. It explains no stray any more.
        known = self.strays
        self.strays = {
            space: frozenset(known.get(space, frozenset()) & self.up.keys() - moved)
            for space in sorted(self._extra())
        }
        self._stayed = {space for space in self.strays if space in stood or space in self._stayed}
        self.drop_impossible()

    def _extra(self) -> set[Place]:
        return self.felt - self.expected - self.free

    def lift(self, space: Place, at: Micros) -> None:
        """The space was sensed to become empty."""
        self.felt.discard(space)
        self.pushed.discard(space)
        self.strangers.discard(space)
        self._stayed.discard(space)
        self.named.pop(space, None)
        self.unsure.pop(space, None)
        self.contested.pop(space, None)
        self._left = at
        self.set_upon = {home: other for home, other in self.set_upon.items() if other != space}
        if space in self.free:
            return
        if space in self.expected:
            self.up[space] = at
            self.lift_sensed.add(space)
            self._hand_over({space}, at)
        elif space in self.strays:
            candidates = self.strays.pop(space)
            self._hand_over(candidates, at)

    def _hand_over(self, candidates: Iterable[Home], at: Micros) -> None:
        """A sliding piece closes the next reed before it opens the last: the lift explains that place.

        What has stood there for longer is a stranger, and no lift explains it.
        """
        for space, homes in self.strays.items():
            if not homes and at - self._placed.get(space, at) <= self._overlap:
                self.strays[space] = frozenset(candidates)
                self.pushed.add(space)
                return

    def place(self, space: Place, at: Micros) -> None:
        """The space was sensed to become occupied."""
        self.felt.add(space)
        self._placed[space] = at
        if self._left is not None and at - self._left <= self._overlap:
            self.pushed.add(space)
        if space in self.free:
            return
        if space in self.expected:
            self._come_home(space, at)
        else:
            self.strays[space] = self.contested[space] = frozenset(self.loose_pieces())
            for home in self.strays[space]:
                self.set_upon.pop(home, None)
        self.drop_impossible()

    def _come_home(self, space: Place, at: Micros) -> None:
        # While others are up, the one that came home may be another one that looks like it to a reed.
        others = self.loose_pieces() - {space}
        for stray, homes in self.strays.items():
            if space in homes and others - homes:
                self.unsure[stray] = space
        self.set_upon.pop(space, None)
        lifted = self.up.pop(space, None)
        if lifted is not None and space in self.lift_sensed:
            self._returned[space] = lifted, at
        self.lift_sensed.discard(space)
        if lifted is not None and at - lifted <= self._short:
            self.contested = {stray: homes - {space} for stray, homes in self.contested.items()}
        if lifted is None or at - lifted > self._short:
            self.held_together.update(frozenset({space, other}) for other in others)
            self.set_upon.update(dict.fromkeys(others, space))

    def bumped_pieces(self, at: Micros) -> frozenset[Home]:
        """The pieces that no hand has moved, though they were not felt for a while: three or more went and
        have just come back at once, and so have most of those that went with them. Hands are slower."""
        left = {home: lifted for home, (lifted, back) in self._returned.items() if at - back <= self._short}
        for first in left.values():
            back = frozenset(home for home, lifted in left.items() if abs(lifted - first) <= self._short)
            away = sum(abs(lifted - first) <= self._short for lifted in self.up.values())
            if len(back) >= AT_ONCE and len(back) > away:
                return back
        return frozenset()

    def forget_handling(self, homes: frozenset[Home]) -> None:
        """These pieces stand where they stood, and came from no hand."""
        self.set_upon = {home: space for home, space in self.set_upon.items() if space not in homes}
        self.contested = {stray: could - homes for stray, could in self.contested.items()}
        self.unsure = {stray: home for stray, home in self.unsure.items() if home not in homes}

    def came_home_while_up(self, home: Home) -> frozenset[Home]:
        """Where something was set down, and belongs, while this piece was up: not what was only touched.

        Each may be this piece, and what was lifted there may be elsewhere.
        """
        since = self.up[home]
        return frozenset(
            other
            for other, (lifted, back) in self._returned.items()
            if other in self.felt and back > since and back - lifted > self._short
        )

    def exclude_piece(self, stray: Place, home: Home) -> None:
        """It is known that the piece of `home` is not what stands there."""
        self.strays[stray] -= {home}
        self.drop_impossible()

    def replaced_at(self, stray: Place) -> frozenset[Home]:
        """The pieces that may have come to a stray before something was set down where they belong."""
        return self.contested.get(stray, frozenset()) & self.felt

    def note_found(self, space: Place, at: Micros) -> None:
        """Something stood there when the board was looked at first: it came after all that was ruled on."""
        self._placed[space] = at + 1

    def set_down_at(self, space: Place) -> Micros:
        """When something was last set down there; 0 if that was not felt."""
        return self._placed.get(space, 0)

    def straddled_space(self, stray: Place, position: PublicPosition) -> Place | None:
        """The space of the piece that is felt on `stray` as well, where it seems to stand between the two:
        it came down where it belongs at the same time, and nobody was seen to lift another one."""
        at = self._placed.get(stray, 0)
        if self.strays.get(stray) or stray in self.strangers | self._stayed or not at:
            return None
        came = [
            home
            for home in sorted(self.felt & self.expected - self.free - position.blind)
            if abs(self._placed.get(home, -self._overlap) - at) < self._overlap
            and not position.apart(home, stray)
        ]
        return came[0] if len(came) == 1 else None

    def loose_pieces(self) -> set[Home]:
        """The pieces that are in a hand: lifted, and not the certain explanation of a stray."""
        if not self.strays:
            return set(self.up)
        # Two strays with the same two explanations leave both pieces loose: which is which nobody can feel.
        certain = {next(iter(homes)) for homes in self.strays.values() if len(homes) == 1}
        return set(self.up) - certain

    def drop_impossible(self) -> None:
        """Drop explanations that have become impossible: a piece that is home, or certain elsewhere."""
        while self.strays:
            # What one stray certainly is no other can be. That may leave another with one explanation, and so
            # on until nothing changes.
            certain = {next(iter(homes)): space for space, homes in self.strays.items() if len(homes) == 1}
            changed = False
            for space, homes in self.strays.items():
                left = frozenset(h for h in homes if h in self.up and certain.get(h, space) == space)
                if left != homes:
                    self.strays[space] = left
                    changed = True
            if not changed:
                return

    def differing_spaces(self) -> set[Place]:
        """Where what is sensed differs from what should stand."""
        return {*self.up, *self.strays}
