"""The board as the game sees it: slots to spaces and marks to lamps, whichever way round it lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from boardrules.core import Space
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.model import Place
from boardware.parts import BoardDescription
from boardware.ports import LampId, SlotId


class BoardOrientation:
    """Names of the game against names of the board. Turned half round, a1 of the game is h8 of the board."""

    def __init__(self, board: BoardDescription, *, turned: bool = False) -> None:
        spaces = {Space(name): place for name, place in board.spaces.items()}
        self.all_spaces = frozenset(spaces)
        self.space_positions_mm = {
            space: (place.position.x, place.position.y) for space, place in spaces.items()
        }
        """Where spaces lie, in mm. Turned half round, what lies in one line still does."""
        self.has_choose_button = "choose" in board.buttons
        """Whether there is a button to choose with."""
        self.is_turned = turned
        self._space_of = {slot.id: space for space, place in spaces.items() for slot in place.slots}
        self.slot_counts = {
            space: len(place.slots) for space, place in spaces.items() if len(place.slots) > 1
        }
        """How many slots those spaces have that have several."""
        self._slots = {space: tuple(slot.id for slot in place.slots) for space, place in spaces.items()}
        self._opposite = _opposite_spaces(board)

    def fits_only_turned(self, present: Collection[SlotId], stands: Collection[Space]) -> bool:
        """Whether what is sensed fits what should stand turned half round, and only so."""
        felt = self.occupied_spaces(present)
        return bool(stands) and felt != set(stands) and felt == {self._opposite.get(s) for s in stands}

    def rotate(self) -> None:
        """Take the board the other way round from now on."""
        self.is_turned = not self.is_turned

    def space_of_slot(self, slot: SlotId) -> Space:
        """The space of the game that a slot belongs to."""
        return self._board_space(self._space_of[slot])

    def occupied_spaces(self, present: Iterable[SlotId]) -> set[Space]:
        """The spaces of the game on which something is sensed."""
        return {self.space_of_slot(slot) for slot in present}

    def occupied_slot_count(self, space: Space, present: Collection[SlotId]) -> int:
        """On how many slots of a space of the game something is sensed."""
        return sum(map(present.__contains__, self._slots[self._board_space(space)]))

    def occupied_places(self, present: Iterable[SlotId]) -> set[Place]:
        """The places of the game on which something is sensed."""
        return shared_spaces.felt_places(Counter(self.space_of_slot(slot) for slot in present))

    def single_slot(self, space: Space) -> SlotId | None:
        """The slot of a space of the game that has no other: lifting it empties the space."""
        slots = self._slots.get(self._board_space(space), ())
        return slots[0] if len(slots) == 1 else None

    def board_lamps(self, marks: Mapping[LampId, str]) -> dict[LampId, str]:
        """Marks of the game's spaces as marks of the board's lamps."""
        if not self.is_turned and "+" not in "".join(marks):
            return dict(marks)
        return {
            self._board_space(shared_spaces.space_of(Place(Space(lamp)))): mark
            for lamp, mark in marks.items()
        }

    def _board_space(self, space: Space) -> Space:
        return self._opposite.get(space, space) if self.is_turned else space


def _opposite_spaces(board: BoardDescription) -> dict[Space, Space]:
    """Each space with the one that lies where it would lie if the board were turned half round."""
    width, height = board.size
    spaces = {Space(name): place for name, place in board.spaces.items()}
    at = {(round(place.position.x), round(place.position.y)): space for space, place in spaces.items()}
    pairs = {
        space: at.get((round(width - place.position.x), round(height - place.position.y)))
        for space, place in spaces.items()
    }
    if None in pairs.values():
        return {}
    return {space: other for space, other in pairs.items() if other is not None}
