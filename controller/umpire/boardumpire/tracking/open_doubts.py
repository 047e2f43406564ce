"""What is in doubt about which piece stands where: noted in the journal, asked again after a start. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from boardrules.core import Space
from boardumpire.tracking.model import Home, Place

Pair = frozenset[Home]


class OpenDoubts(NamedTuple):
    """All that nobody has said yet. Everything here is public: spaces alone."""

    swap_pairs: frozenset[Pair] = frozenset()
    """Pairs of pieces of one side that may have been swapped."""
    occupant_doubts: frozenset[tuple[Home, Place]] = frozenset()
    """(space, other): what stands on `space` may be another piece, as the right one may be on `other`."""
    wrong_piece_spaces: frozenset[Home] = frozenset()
    """Spaces whose piece has to come up: it is another one, as its owner says."""

    def after_move(self, way: tuple[Place, Place] | None) -> OpenDoubts:
        """The same once a piece was carried `way`: pieces are known by where they belong."""
        if way is None:
            return self
        names = dict([way])
        pairs = (frozenset(names.get(home, home) for home in pair) for pair in self.swap_pairs)
        claims = frozenset((names.get(space, space), other) for space, other in self.occupant_doubts)
        wrong = frozenset(names.get(space, space) for space in self.wrong_piece_spaces)
        return OpenDoubts(frozenset(pair for pair in pairs if len(pair) == 2), claims, wrong)

    def covers(self, other: OpenDoubts) -> bool:
        """Whether nothing is in doubt in `other` that is not in doubt here."""
        return (
            other.swap_pairs <= self.swap_pairs
            and other.occupant_doubts <= self.occupant_doubts
            and other.wrong_piece_spaces <= self.wrong_piece_spaces
        )

    def to_text(self) -> str:
        """As the journal notes it: `a1=b1=c1` (any two of these), `g6?g3` (a claim), `g6!` (a wrong one)."""
        pairs = ["=".join(group) for group in _group_pairs(self.swap_pairs)]
        claims = [f"{space}?{other}" for space, other in sorted(self.occupant_doubts)]
        return " ".join([*pairs, *claims, *(f"{space}!" for space in sorted(self.wrong_piece_spaces))])


NO_DOUBTS = OpenDoubts()


def _parse_place(text: str) -> Place:
    return Place(Space(text))


def parse_open_doubts(text: str) -> OpenDoubts:
    """What `OpenDoubts.to_text` wrote."""
    pairs: set[Pair] = set()
    claims: set[tuple[Home, Place]] = set()
    wrong: set[Home] = set()
    for word in text.split():
        space, claim, other = word.partition("?")
        if claim:
            claims.add((_parse_place(space), _parse_place(other)))
        elif word.endswith("!"):
            wrong.add(_parse_place(word[:-1]))
        else:
            pairs |= all_pairs(map(_parse_place, word.split("=")))
    return OpenDoubts(frozenset(pairs), frozenset(claims), frozenset(wrong))


def all_pairs(homes: Iterable[Home]) -> set[Pair]:
    """Any two of these."""
    several = sorted(set(homes))
    return {frozenset({one, other}) for n, one in enumerate(several) for other in several[n + 1 :]}


def _group_pairs(pairs: frozenset[Pair]) -> list[list[Home]]:
    """Groups of homes, any two of which are a pair, that name all pairs: short where a board is cleared."""
    left, groups = set(pairs), []
    while left:
        group = sorted(min(left, key=sorted))
        others = sorted({home for pair in pairs for home in pair} - {*group})
        for home in others:
            if all(frozenset({home, each}) in pairs for each in group):
                group.append(home)
        groups.append(sorted(group))
        left -= all_pairs(group)
    return groups
