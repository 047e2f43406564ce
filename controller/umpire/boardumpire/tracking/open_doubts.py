"""What is in doubt about which piece stands where: noted in the journal, asked again after a start. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from boardrules.core import Space
from boardumpire.tracking.model import Home, Place

Pair = frozenset[Home]


class OpenDoubts(NamedTuple):
    """All that nobody has said yet. Everything here is public: spaces alone."""

    pairs: frozenset[Pair] = frozenset()
    """Pairs of pieces of one side that may have been swapped."""
    claims: frozenset[tuple[Home, Place]] = frozenset()
    """(space, other): what stands on `space` may be another piece, as the right one may be on `other`."""
    wrong: frozenset[Home] = frozenset()
    """Spaces whose piece has to come up: it is another one, as its owner says."""

    def renamed(self, way: tuple[Place, Place] | None) -> OpenDoubts:
        """The same once a piece was carried `way`: pieces are known by where they belong."""
        if way is None:
            return self
        names = dict([way])
        pairs = (frozenset(names.get(home, home) for home in pair) for pair in self.pairs)
        claims = frozenset((names.get(space, space), other) for space, other in self.claims)
        wrong = frozenset(names.get(space, space) for space in self.wrong)
        return OpenDoubts(frozenset(pair for pair in pairs if len(pair) == 2), claims, wrong)

    def covers(self, other: OpenDoubts) -> bool:
        """Whether nothing is in doubt in `other` that is not in doubt here."""
        return other.pairs <= self.pairs and other.claims <= self.claims and other.wrong <= self.wrong

    def text(self) -> str:
        """As the journal notes it: `a1=b1=c1` (any two of these), `g6?g3` (a claim), `g6!` (a wrong one)."""
        pairs = ["=".join(group) for group in _groups(self.pairs)]
        claims = [f"{space}?{other}" for space, other in sorted(self.claims)]
        return " ".join([*pairs, *claims, *(f"{space}!" for space in sorted(self.wrong))])


NO_DOUBTS = OpenDoubts()


def _place(text: str) -> Place:
    return Place(Space(text))


def parse_open_doubts(text: str) -> OpenDoubts:
    """What `OpenDoubts.text` wrote."""
    pairs: set[Pair] = set()
    claims: set[tuple[Home, Place]] = set()
    wrong: set[Home] = set()
    for word in text.split():
        space, claim, other = word.partition("?")
        if claim:
            claims.add((_place(space), _place(other)))
        elif word.endswith("!"):
            wrong.add(_place(word[:-1]))
        else:
            pairs |= pairs_of(map(_place, word.split("=")))
    return OpenDoubts(frozenset(pairs), frozenset(claims), frozenset(wrong))


def pairs_of(homes: Iterable[Home]) -> set[Pair]:
    """Any two of these."""
    several = sorted(set(homes))
    return {frozenset({one, other}) for n, one in enumerate(several) for other in several[n + 1 :]}


def _groups(pairs: frozenset[Pair]) -> list[list[Home]]:
    """Groups of homes, any two of which are a pair, that name all pairs: short where a board is cleared."""
    left, groups = set(pairs), []
    while left:
        group = sorted(min(left, key=sorted))
        others = sorted({home for pair in pairs for home in pair} - {*group})
        for home in others:
            if all(frozenset({home, each}) in pairs for each in group):
                group.append(home)
        groups.append(sorted(group))
        left -= pairs_of(group)
    return groups
