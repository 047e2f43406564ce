"""How well reeds feel, over time: one that flutters far more than the others is worn, loose or badly placed.

Pure: what was sensed goes in, suspects come out. Hands tip and brush pieces everywhere alike, so a reed is
compared with the others, never with a number of its own.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from boardware.ports import MS, Micros, SlotId

FLUTTER_MAX_US: Micros = 60 * MS
"""Two changes of a reed within so short a time are no hand's work, as a rule."""
FLUTTERS_MIN = 6
"""So many flutters before a reed is suspected of anything."""
FLUTTER_RATIO_MIN = 10.0
"""How much more a reed flutters than the others, each against how often it changes, to be suspected."""


class SuspectReed(NamedTuple):
    """A reed that behaves unlike the others."""

    slot: SlotId
    flutters: int
    changes: int
    times: float
    """How many times as often as the others it flutters."""

    def describe(self) -> str:
        """As a sentence for makers."""
        return f"it flutters {self.times:.0f} times as much as the others ({self.flutters} of {self.changes})"


class ReedHealth:
    """Counts for each reed how often it changed, and how often too soon after its last change."""

    def __init__(self) -> None:
        self._changes: Counter[SlotId] = Counter()
        self._flutters: Counter[SlotId] = Counter()
        self._all_changes = self._all_flutters = 0
        self._last: dict[SlotId, Micros] = {}
        self._told: set[SlotId] = set()

    def note_change(self, slot: SlotId, at: Micros) -> SuspectReed | None:
        """A reed changed (debounced). The suspect that it becomes by that, if it wasn't one before."""
        self._changes[slot] += 1
        self._all_changes += 1
        last, self._last[slot] = self._last.get(slot), at
        if last is None or at - last > FLUTTER_MAX_US:
            return None
        self._flutters[slot] += 1
        self._all_flutters += 1
        suspect = self._suspect_if_fluttering(slot)
        if suspect is None or slot in self._told:
            return None
        self._told.add(slot)
        return suspect

    def suspects(self) -> tuple[SuspectReed, ...]:
        """The reeds to look after, the worst first."""
        found = [
            suspect for slot in self._flutters if (suspect := self._suspect_if_fluttering(slot)) is not None
        ]
        return tuple(sorted(found, key=lambda each: (-each.times, each.slot)))

    def _suspect_if_fluttering(self, slot: SlotId) -> SuspectReed | None:
        flutters, changes = self._flutters[slot], self._changes[slot]
        if flutters < FLUTTERS_MIN:
            return None
        # One more of each for the others, lest a quiet board make a suspect of anybody.
        others = (self._all_flutters - flutters + 1) / (self._all_changes - changes + 1)
        times = flutters / changes / others
        return SuspectReed(slot, flutters, changes, times) if times >= FLUTTER_RATIO_MIN else None
