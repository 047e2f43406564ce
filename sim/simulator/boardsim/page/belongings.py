"""Which piece belongs where: hands that tidy up know each, though all of a side look alike from behind.

It is learned from rulings. Between two of them pieces may stand anywhere; where they belong stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardrules.core import Seat


class PieceHomes:
    """Each piece, by its number, and the space where it belongs by the last ruling."""

    def __init__(self) -> None:
        self._space: dict[int, str] = {}
        self._spaces: Mapping[str, str] = {}

    def apply_ruling(
        self, spaces: Mapping[str, str], pieces: Mapping[int, str], standing: Mapping[str, int]
    ) -> None:
        """`spaces`: where a piece of which owner belongs now; `pieces`: the owner of each; `standing`: which
        stands on a space. What moved is the piece that has lost its space, if there is one; else what stands
        there."""
        kept = {n: space for n, space in self._space.items() if spaces.get(space) == pieces.get(n)}
        lost = [number for number in self._space if number not in kept]
        for space in spaces.keys() - set(kept.values()):
            owner = spaces[space]
            moved = [number for number in lost if pieces.get(number) == owner and number not in kept]
            found = standing.get(space)
            if len(moved) == 1:
                kept[moved[0]] = space
            elif found is not None and found not in kept and pieces[found] == owner:
                kept[found] = space
        self._space, self._spaces = kept, dict(spaces)

    def note_set_down(self, number: int, owner: Seat, space: str) -> None:
        """A piece is set down where one of its owner belongs: where none is known to,
        and it belongs nowhere else, it is that one."""
        if (
            self._spaces.get(space) == owner
            and number not in self._space
            and space not in self._space.values()
        ):
            self._space[number] = space

    def home(self, space: str) -> int | None:
        """The piece that belongs on a space, where one is known to."""
        return next((number for number, home in self._space.items() if home == space), None)

    def fitting(self, space: str, numbers: Sequence[int]) -> list[int]:
        """Those of these pieces that may belong on a space: the one that does, or, where no ruling has said
        so of any piece, all that belong nowhere else."""
        if space in self._space.values():
            return [number for number in numbers if self._space.get(number) == space]
        return [number for number in numbers if number not in self._space]
