"""The sign that only the mover can give: an attacker tapped on its own space while its target is up. Pure.

Reeds feel that a piece of each side is up, not whose hands did it. The attacker is in the mover's hand: that
it comes home for a moment and goes up again nobody else's fingers can do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from boardumpire.tracking.model import Home, Place
from boardware.ports import Micros


class _Tap(NamedTuple):
    """A piece that came home, and the pieces that were up at that moment."""

    home: Home
    at: Micros
    lifted_pieces: frozenset[Home]


class AttackConfirmation:
    """Watches one board for taps."""

    def __init__(self, least: Micros, most: Micros) -> None:
        """A piece that was up for `least` and then stands for `most` was tapped; a bump or a rest is none."""
        self._least, self._most = least, most
        self._tap: _Tap | None = None
        self.signed_attack: tuple[Home, Place] | None = None
        """The attack (origin, target) whose sign was given, until its piece comes home or elsewhere."""

    def note_set_down(
        self, space: Place, now: Micros, up: Mapping[Home, Micros], *, target_known: bool = True
    ) -> None:
        """Something comes to stand on a space; `up` are the pieces up before, and since when.

        `target_known`: whether the mover can know which piece he would attack; it was not swapped for another
        one.
        """
        lifted = up.get(space)
        held = target_known and lifted is not None and now - lifted >= self._least
        self._tap = _Tap(space, now, frozenset(up) - {space}) if held else None
        if self.signed_attack is not None and (space == self.signed_attack[0] or space not in up):
            self.signed_attack = None

    def note_lift(
        self, space: Place, now: Micros, targets: Callable[[Home], list[Place]], up: Mapping[Home, Micros]
    ) -> None:
        """What stood there is up; `targets` are those up that it may attack, `up` as in `note_set_down`,
        now."""
        tap, self._tap = self._tap, None
        if tap is None or tap.home != space or now - tap.at > self._most:
            return
        stayed = [target for target in targets(space) if target in tap.lifted_pieces and up[target] < tap.at]
        if len(stayed) == 1:
            self.signed_attack = space, stayed[0]

    def forget(self) -> None:
        """Another turn."""
        self._tap = self.signed_attack = None
