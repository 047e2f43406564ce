"""Armies learnt from tags: a piece is shown to a pad and then stood, or read where it stands. Pure.

When as many pieces as an army has stand in a seat's zone, each known, and nothing has moved there for a
while, that is the seat's set-up. How long it takes, and whether it comes at all, hangs on where pieces stand
and on whether they have tags, never on what they are: a wrong army is refused as one from a phone would be,
and of two pieces that trade places the set-up is said anew, though they be of one rank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from boardrules.core import Seat, Space, State
from boardumpire.tags.standing_tags import StandingTags
from boardumpire.tags.tag_roster import Label, TagRoster, hand_set_armies
from boardware.ports import Micros, TagId


class ArmyLearner:
    """What both seats are setting up. `reads(space)`: whether a reader lies under a space."""

    def __init__(
        self, standing: StandingTags, roster: TagRoster, patience: Micros, reads: Callable[[Space], bool]
    ) -> None:
        self.shown_tags: dict[Seat, TagId] = {}
        """The piece that each seat has shown to a pad and not stood yet."""
        self._standing = standing
        self._roster = roster
        self._patience = patience
        self._reads = reads
        self._carried: dict[Seat, list[TagId | None]] = {}
        self._moved_at: dict[Seat, Micros] = {}
        self._said: dict[Seat, dict[Space, TagId]] = {}
        """Which piece stood where when each seat's set-up was said last."""
        self._zones: tuple[State | None, dict[Seat, frozenset[Space]]] = None, {}

    def zones(self, state: State) -> dict[Seat, frozenset[Space]]:
        """The spaces where each seat may still set up; none once the game has begun."""
        if not state.unchecked_spaces():
            return {}
        if self._zones[0] is not state:
            found = {seat: state.zone(seat) for seat in state.seats}
            self._zones = state, {seat: zone for seat, zone in found.items() if zone}
        return self._zones[1]

    def _seat_of_zone(self, state: State, space: Space) -> Seat | None:
        return next((seat for seat, zone in self.zones(state).items() if space in zone), None)

    def note_shown(self, tag: TagId) -> Seat | None:
        """A piece was shown to a pad; the seat it belongs to, `None` for a stranger."""
        piece = self._roster.piece(tag)
        if piece is None:
            return None
        self.shown_tags[piece[0]] = tag
        self._standing.note_in_hand(tag)
        return piece[0]

    def note_sensed(self, state: State, space: Space, present: bool, at: Micros) -> None:
        """A piece was lifted or stood; called before `StandingTags` forgets what was lifted."""
        seat = self._seat_of_zone(state, space)
        if seat is None:
            return
        self._moved_at[seat] = at
        carried = self._carried.setdefault(seat, [])
        if not present:
            carried.append(self._standing.single_tag(space))
            return
        tag = self.shown_tags.pop(seat, None)
        if tag is not None:
            if tag in carried:
                carried.remove(tag)
            elif carried:
                carried.pop()
        elif len(carried) == 1:
            tag = carried.pop()
        elif carried:  # which of them it is nobody can tell, nor of those that are left
            carried[:] = [None] * (len(carried) - 1)
        if tag is not None and not self._reads(space):
            self._standing.note_identified(space, tag)

    def due(self, state: State, felt: Collection[Space]) -> Micros | None:
        """When an army that stands complete counts as set up."""
        times = [
            self._moved_at.get(seat, 0) + self._patience
            for seat in self.zones(state)
            if self._complete_unsaid_setup(state, seat, felt) is not None
        ]
        return min(times, default=None)

    def ready_setup(self, state: State, felt: Collection[Space], now: Micros) -> tuple[Seat, str] | None:
        """A set-up that is to be said now, as its seat would write it."""
        for seat in self.zones(state):
            stands = self._complete_unsaid_setup(state, seat, felt)
            if stands is not None and now >= self._moved_at.get(seat, 0) + self._patience:
                self._said[seat] = stands
                labels = {space: self._label_of_seat(seat, tag) for space, tag in stands.items()}
                return seat, state.setup_text({space: label for space, label in labels.items() if label})
        return None

    def _complete_unsaid_setup(
        self, state: State, seat: Seat, felt: Collection[Space]
    ) -> dict[Space, TagId] | None:
        """The set-up that stands complete and was not said yet, by tags.

        Tags are compared, not ranks: else everybody could see whether two pieces that trade places are alike.
        """
        zone = self.zones(state)[seat]
        stands: dict[Space, TagId] = {}
        for space in sorted(space for space in felt if space in zone):
            tag = self._standing.single_tag(space)
            if tag is None or self._label_of_seat(seat, tag) is None:
                return None
            stands[space] = tag
        return (
            stands if len(stands) == self._army_size(state, seat) and self._said.get(seat) != stands else None
        )

    def _label_of_seat(self, seat: Seat, tag: TagId) -> Label | None:
        """What is on the piece of a tag, if it is one of the seat's."""
        owner, label = self._roster.piece(tag) or (None, None)
        return label if owner == seat else None

    def _army_size(self, state: State, seat: Seat) -> int:
        army = hand_set_armies([state.game_id])[state.game_id]
        return sum(count for (owner, _), count in army.items() if owner == seat)
