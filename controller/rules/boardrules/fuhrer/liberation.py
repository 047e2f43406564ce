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

    needs_declaration = False
    """Whether the Tank has to say `liberate`."""

    def result_of_staying(self, city: int, flags: Cities, has_declared: bool) -> LiberationResult:
        """`has_declared`: the Tank said `liberate` instead of rolling."""
        if flags >> city & 1:  # G23
            return LiberationResult(flags, 0, None)
        return self._liberate(city, flags, has_declared)

    def _liberate(self, city: int, flags: Cities, has_declared: bool) -> LiberationResult:
        return LiberationResult(flags | 1 << city, 0, "liberated")


class DeclaredLiberation(AutomaticLiberation):
    """`declared`: only if the Tank has said so instead of rolling."""

    needs_declaration = True

    def _liberate(self, city: int, flags: Cities, has_declared: bool) -> LiberationResult:
        return (
            super()._liberate(city, flags, has_declared) if has_declared else LiberationResult(flags, 0, None)
        )


class FullRoundLiberation(AutomaticLiberation):
    """`full-round`: the flag goes up when the Tank's next turn begins."""

    def _liberate(self, city: int, flags: Cities, has_declared: bool) -> LiberationResult:
        return LiberationResult(flags, 1 << city, "liberating")


LIBERATION_RULES: Final = {
    "automatic": AutomaticLiberation,
    "declared": DeclaredLiberation,
    "full-round": FullRoundLiberation,
}


def flag_event(kind: str, city: str) -> Event:
    """What everybody is told of a flag: `liberated`, `liberating`, `recaptured`, `lowered`."""
    return Event(kind, (("at", city),))
