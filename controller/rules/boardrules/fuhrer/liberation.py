"""The readings of `liberation`: what comes of a Tank that ends its turn where it began it (F08, X7, G6)."""

from __future__ import annotations

from typing import Final, NamedTuple

from boardrules.core import Event
from boardrules.fuhrer.maps import Cities


class LiberationResult(NamedTuple):
    """What staying has brought about."""

    flags: Cities
    rising: Cities
    """The city that is being liberated from now on, or none."""
    kind: str | None
    """The kind of the event that tells it."""


class AutomaticLiberation:
    """`automatic`: the flag goes up at the end of every turn that the Tank stays."""

    declared = False
    """Whether the Tank has to say `liberate`."""

    def stayed(self, city: int, flags: Cities, said: bool) -> LiberationResult:
        """`said`: the Tank said `liberate` instead of rolling."""
        if flags >> city & 1:  # G23
            return LiberationResult(flags, 0, None)
        return self._free(city, flags, said)

    def _free(self, city: int, flags: Cities, said: bool) -> LiberationResult:
        return LiberationResult(flags | 1 << city, 0, "liberated")


class DeclaredLiberation(AutomaticLiberation):
    """`declared`: only if the Tank has said so instead of rolling."""

    declared = True

    def _free(self, city: int, flags: Cities, said: bool) -> LiberationResult:
        return super()._free(city, flags, said) if said else LiberationResult(flags, 0, None)


class FullRoundLiberation(AutomaticLiberation):
    """`full-round`: the flag goes up when the Tank's next turn begins."""

    def _free(self, city: int, flags: Cities, said: bool) -> LiberationResult:
        return LiberationResult(flags, 1 << city, "liberating")


LIBERATIONS: Final = {
    "automatic": AutomaticLiberation,
    "declared": DeclaredLiberation,
    "full-round": FullRoundLiberation,
}


def event(kind: str, city: str) -> Event:
    """What everybody is told of a flag: `liberated`, `liberating`, `recaptured`, `lowered`."""
    return Event(kind, (("at", city),))
