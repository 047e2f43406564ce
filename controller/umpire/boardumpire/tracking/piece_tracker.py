"""Who is where: follows each piece from the space where it belongs to the hand and on to where it rests.

A reed feels that something is there, not who. Identity is followed from the layout on: a piece is named by
the space where it belongs (its home), and what is set down is one of the pieces that were in the air at
that moment. Pure: events in, no clock.
"""

from __future__ import annotations

from collections.abc import Iterable

from boardumpire.tracking.model import Home, Place, PublicPosition
from boardware.ports import Micros

BUMPED_PIECES_MIN = 3
"""So many pieces are lifted or set down at the same moment by no hands."""


class PieceTracker:
    """What is sensed against what should stand, and which pieces explain the difference.

    `air` maps the home of each piece that is up to the moment it was lifted. `stray_candidates` maps each
    space that should be empty but holds something to the homes of the pieces that it could be: one home where
    it is certain, none where nothing was in the air to explain it.
    """

    def __init__(self, overlap: Micros, touch: Micros) -> None:
        """`overlap`: how long a sliding piece may be sensed on the next space before it leaves the last.

        `touch`: a piece that wasn't felt for no longer was touched: nobody can have put another in its place.
        """
        self._overlap = overlap
        self._short = touch
        self._placed: dict[Place, Micros] = {}
        self.expected_places: frozenset[Place] = frozenset()
        self.unjudged_places: frozenset[Place] = frozenset()
        self.felt_places: set[Place] = set()
        self.lifted_at: dict[Home, Micros] = {}
        self.stray_candidates: dict[Place, frozenset[Home]] = {}
        self.held_together_pairs: set[frozenset[Home]] = set()
        """Pairs of pieces that were in hands together when one was set down: they may have been swapped."""
        self.pushed_arrivals: set[Place] = set()
        """Where something came to stand as a piece does that is pushed over the board, not carried."""
        self.possible_landings: dict[Home, Place] = {}
        """By piece in a hand where something that had been up with it was set down last: it may be that."""
        self.excluded_homes: dict[Place, Home] = {}
        """Strays that the piece of this home is not, as it came home; others were up that may be there."""
        self.initial_candidates: dict[Place, frozenset[Home]] = {}
        """By stray all pieces that it could be when it came there, those that have been explained since among
        them: by whose hand, and with which piece, nobody can feel."""
        self.sensed_lifts: set[Home] = set()
        """Pieces that are up and were felt to go; others were gone before anybody watched, or a ruling has
        brought them."""
        self._returned: dict[Home, tuple[Micros, Micros]] = {}
        """By piece that came home last when it was lifted, and when it came."""
        self.reported_extra_places: set[Place] = set()
        """Strays that were told to be pieces too many."""
        self._stayed: set[Place] = set()
        """Strays on which a piece stood before it moved by the game: there is still one, and a whole one."""
        self.homes_by_tag: dict[Place, Home] = {}
        """Strays that no lift explains and whose tag says which piece they are."""
        self._left: Micros | None = None
        """When a piece was last felt to leave its place."""
        self._only_lift: Home | None = None
        """The piece that is up, where its lift is the last thing that was felt and nothing else is up."""
        self.carried_step: tuple[Home, Place] | None = None
        """The piece that was carried for certain to where it stands, if nothing was felt since: alone in the
        air, for longer than a piece that is pushed is felt nowhere."""

    def begin_layout(
        self,
        expected: Iterable[Place],
        free: Iterable[Place],
        felt: Iterable[Place],
        moved: frozenset[Place],
        now: Micros,
    ) -> None:
        """Take a new layout. Pieces in the air or astray stay followed unless they are among `moved`."""
        stood = self.expected_places & self.felt_places
        self.expected_places, self.unjudged_places, self.felt_places = (
            frozenset(expected),
            frozenset(free),
            set(felt),
        )
        self.possible_landings.clear()
        self.excluded_homes.clear()
        self.initial_candidates.clear()
        self._only_lift = self.carried_step = None
        self.lifted_at = {
            home: self.lifted_at.get(home, now) if home not in moved else now
            for home in sorted(self.expected_places - self.unjudged_places)
            if home not in self.felt_places
        }
        self.sensed_lifts &= self.lifted_at.keys() - moved
        # A piece that the ruling has moved is where it belongs now. It explains no stray any more.
        known = self.stray_candidates
        self.stray_candidates = {
            space: frozenset(known.get(space, frozenset()) & self.lifted_at.keys() - moved)
            for space in sorted(self._unexpected_places())
        }
        self._stayed = {space for space in self.stray_candidates if space in stood or space in self._stayed}
        self.drop_impossible_candidates()

    def _unexpected_places(self) -> set[Place]:
        return self.felt_places - self.expected_places - self.unjudged_places

    def note_lift(self, space: Place, at: Micros) -> None:
        """The space was sensed to become empty."""
        self.felt_places.discard(space)
        self.pushed_arrivals.discard(space)
        self.reported_extra_places.discard(space)
        self._stayed.discard(space)
        self.homes_by_tag.pop(space, None)
        self.excluded_homes.pop(space, None)
        self.initial_candidates.pop(space, None)
        self._left = at
        self._only_lift = self.carried_step = None
        self.possible_landings = {
            home: other for home, other in self.possible_landings.items() if other != space
        }
        if space in self.unjudged_places:
            return
        if space in self.expected_places:
            self.lifted_at[space] = at
            self.sensed_lifts.add(space)
            if len(self.lifted_at) == 1 and not self.stray_candidates:
                self._only_lift = space
            self._explain_slide({space}, at)
        elif space in self.stray_candidates:
            candidates = self.stray_candidates.pop(space)
            self._explain_slide(candidates, at)

    def _explain_slide(self, candidates: Iterable[Home], at: Micros) -> None:
        """A sliding piece closes the next reed before it opens the last: the lift explains that place.

        What has stood there for longer is a stranger, and no lift explains it.
        """
        for space, homes in self.stray_candidates.items():
            if not homes and at - self._placed.get(space, at) <= self._overlap:
                self.stray_candidates[space] = frozenset(candidates)
                self.pushed_arrivals.add(space)
                return

    def note_set_down(self, space: Place, at: Micros) -> None:
        """The space was sensed to become occupied."""
        self.felt_places.add(space)
        self._placed[space] = at
        lone, self._only_lift, self.carried_step = self._only_lift, None, None
        if self._left is not None and at - self._left <= self._overlap:
            self.pushed_arrivals.add(space)
        elif lone is not None:
            self.carried_step = lone, space
        if space in self.unjudged_places:
            return
        if space in self.expected_places:
            self._note_came_home(space, at)
        else:
            self.stray_candidates[space] = self.initial_candidates[space] = frozenset(self.pieces_in_hand())
            for home in self.stray_candidates[space]:
                self.possible_landings.pop(home, None)
        self.drop_impossible_candidates()

    def _note_came_home(self, space: Place, at: Micros) -> None:
        # While others are up, the one that came home may be another one that looks like it to a reed.
        others = self.pieces_in_hand() - {space}
        for stray, homes in self.stray_candidates.items():
            if space in homes and others - homes:
                self.excluded_homes[stray] = space
        self.possible_landings.pop(space, None)
        lifted = self.lifted_at.pop(space, None)
        if lifted is not None and space in self.sensed_lifts:
            self._returned[space] = lifted, at
        self.sensed_lifts.discard(space)
        if lifted is not None and at - lifted <= self._short:
            self.initial_candidates = {
                stray: homes - {space} for stray, homes in self.initial_candidates.items()
            }
        if lifted is None or at - lifted > self._short:
            self.held_together_pairs.update(frozenset({space, other}) for other in others)
            self.possible_landings.update(dict.fromkeys(others, space))

    def bumped_pieces(self, at: Micros) -> frozenset[Home]:
        """The pieces that no hand has moved, though they were not felt for a while: three or more went and
        have just come back at once, and so have most of those that went with them. Hands are slower."""
        left = {home: lifted for home, (lifted, back) in self._returned.items() if at - back <= self._short}
        for first in left.values():
            back = frozenset(home for home, lifted in left.items() if abs(lifted - first) <= self._short)
            away = sum(abs(lifted - first) <= self._short for lifted in self.lifted_at.values())
            if len(back) >= BUMPED_PIECES_MIN and len(back) > away:
                return back
        return frozenset()

    def forget_handling(self, homes: frozenset[Home]) -> None:
        """These pieces stand where they stood, and came from no hand."""
        self.possible_landings = {
            home: space for home, space in self.possible_landings.items() if space not in homes
        }
        self.initial_candidates = {stray: could - homes for stray, could in self.initial_candidates.items()}
        self.excluded_homes = {
            stray: home for stray, home in self.excluded_homes.items() if home not in homes
        }

    def homes_refilled_while_up(self, home: Home) -> frozenset[Home]:
        """Where something was set down, and belongs, while this piece was up: not what was only touched.

        Each may be this piece, and what was lifted there may be elsewhere.
        """
        since = self.lifted_at[home]
        return frozenset(
            other
            for other, (lifted, back) in self._returned.items()
            if other in self.felt_places and back > since and back - lifted > self._short
        )

    def exclude_piece(self, stray: Place, home: Home) -> None:
        """It is known that the piece of `home` is not what stands there."""
        self.stray_candidates[stray] -= {home}
        self.drop_impossible_candidates()

    def possibly_replaced_pieces(self, stray: Place) -> frozenset[Home]:
        """The pieces that may have come to a stray before something was set down where they belong."""
        return self.initial_candidates.get(stray, frozenset()) & self.felt_places

    def note_found_at_start(self, space: Place, at: Micros) -> None:
        """Something stood there when the board was looked at first: it came after all that was ruled on."""
        self._placed[space] = at + 1

    def set_down_time(self, space: Place) -> Micros:
        """When something was last set down there; 0 if that was not felt."""
        return self._placed.get(space, 0)

    def straddled_space(self, stray: Place, position: PublicPosition) -> Place | None:
        """The space of the piece that is felt on `stray` as well, where it seems to stand between the two:
        it came down where it belongs at the same time, and nobody was seen to lift another one."""
        at = self._placed.get(stray, 0)
        if self.stray_candidates.get(stray) or stray in self.reported_extra_places | self._stayed or not at:
            return None
        came = [
            home
            for home in sorted(
                self.felt_places & self.expected_places - self.unjudged_places - position.hand_played_places
            )
            if abs(self._placed.get(home, -self._overlap) - at) < self._overlap
            and not position.is_apart(home, stray)
        ]
        return came[0] if len(came) == 1 else None

    def pieces_in_hand(self) -> set[Home]:
        """The pieces that are in a hand: lifted, and not the certain explanation of a stray."""
        if not self.stray_candidates:
            return set(self.lifted_at)
        # Two strays with the same two explanations leave both pieces loose: which is which nobody can feel.
        certain = {next(iter(homes)) for homes in self.stray_candidates.values() if len(homes) == 1}
        return set(self.lifted_at) - certain

    def drop_impossible_candidates(self) -> None:
        """Drop explanations that have become impossible: a piece that is home, or certain elsewhere."""
        while self.stray_candidates:
            # What one stray certainly is no other can be. That may leave another with one explanation, and so
            # on until nothing changes.
            certain = {
                next(iter(homes)): space for space, homes in self.stray_candidates.items() if len(homes) == 1
            }
            changed = False
            for space, homes in self.stray_candidates.items():
                left = frozenset(h for h in homes if h in self.lifted_at and certain.get(h, space) == space)
                if left != homes:
                    self.stray_candidates[space] = left
                    changed = True
            if not changed:
                return

    def differing_spaces(self) -> set[Place]:
        """Where what is sensed differs from what should stand."""
        return {*self.lifted_at, *self.stray_candidates}
