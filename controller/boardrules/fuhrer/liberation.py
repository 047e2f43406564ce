"""The readings of `liberation`: what comes of a Tank that ends its turn where it began it (F08, X7, G6)."""

from __future__ import annotations

from typing import Final, NamedTuple

from boardrules.core import Event
from boardrules.fuhrer.maps import Cities


class Freed(NamedTuple):
    """What staying has brought about."""

    flags: Cities
    rising: Cities
    """The city that is being liberated from now on, or none."""
    kind: str | None
    """The kind of the event that tells it."""


class Automatic:
    """`automatic`: the flag goes up at the end of every turn that the Tank stays."""

    declared = False
    """Whether the Tank has to say `liberate`."""

    def stayed(self, city: int, flags: Cities, said: bool) -> Freed:
        """`said`: the Tank said `liberate` instead of rolling."""
        if flags >> city & 1:  # G23
            return Freed(flags, 0, None)
        return self._free(city, flags, said)

    def _free(self, city: int, flags: Cities, said: bool) -> Freed:
        return Freed(flags | 1 << city, 0, "liberated")


class Declared(Automatic):
    """`declared`: only if the Tank has said so instead of rolling."""

    declared = True

    def _free(self, city: int, flags: Cities, said: bool) -> Freed:
        return super()._free(city, flags, said) if said else Freed(flags, 0, None)


class FullRound(Automatic):
    """`full-round`: the flag goes up when the Tank's next turn begins."""

    def _free(self, city: int, flags: Cities, said: bool) -> Freed:
        return Freed(flags, 1 << city, "liberating")


LIBERATIONS: Final = {"automatic": Automatic, "declared": Declared, "full-round": FullRound}


def event(kind: str, city: str) -> Event:
    """What everybody is told of a flag: `liberated`, `liberating`, `recaptured`, `lowered`."""
    return Event(kind, (("at", city),))
