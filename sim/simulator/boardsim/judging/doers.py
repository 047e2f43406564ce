"""Whose hands did what: who opened and closed each reed last, and whose sign completed an attack.

The umpire can't know this. The judge does: what a seat's own hands did is that seat's doing, and no ruling
may come of another's.
"""

from __future__ import annotations

from boardrules.core import Seat
from boardsim.bench.scene import BenchScene, Space
from boardsim.hands.hands import space_of
from boardware.ports import MS, Micros, SlotId

TAP_MAX_US: Micros = 650 * MS
"""So long a piece that is tapped on its own square may be sensed there, bounce and all."""
CERTAIN_TAP_MAX_US: Micros = 250 * MS
"""So long it is a tap in any case."""
LAG: Micros = 60 * MS
"""How much later than the magnet the umpire feels it: scan, bounce and all."""
BOTH = "both"
"""People who put the board in order together."""


class HandAttribution:
    """Watches the reeds of one board, and the hands over it."""

    def __init__(self, scene: BenchScene) -> None:
        self._scene = scene
        self._opened: dict[Space, str] = {}
        self._closed: dict[Space, tuple[str, Micros]] = {}
        self._tapped: dict[Space, tuple[str, Micros | None]] = {}
        """By space who tapped the piece that belongs there, and when it came home after that."""
        self._spans: dict[Space, Micros] = {}
        """By space how long it was closed when it opened last."""
        self._said: set[tuple[str, str]] = set()
        scene.world.magnet_listeners.append(self._handle_reed_change)

    def note_said_attack(self, seat: Seat, text: str) -> None:
        """A seat says, or confirms, that it attacks."""
        self._said.add((seat, text))

    def forget_attack_signs(self) -> None:
        """Something was ruled on: signs count for one action."""
        self._tapped.clear()
        self._said.clear()

    def has_completed_attack(self, seat: Seat, text: str) -> bool:
        """Whether the hands of `seat` completed that attack: by a word, or by its piece tapped at home."""
        origin = text.partition("-")[0]
        who, ended = self._tapped.get(origin, ("", None))
        given = who == seat and (ended is None or self._scene.now - ended < LAG)
        return given or (seat, text) in self._said

    def has_tapped_clearly(self, seat: Seat, text: str) -> bool:
        """Whether that attack was completed by a tap so short that no umpire may take it for a rest."""
        origin = text.partition("-")[0]
        return self._tapped.get(origin) == (seat, None) and self._spans[origin] <= CERTAIN_TAP_MAX_US

    def has_moved_alone(self, seat: Seat, origin: Space, target: Space) -> bool:
        """Whether nobody else's hands opened the one reed and closed the other."""
        closed = self._closed.get(target, ("", 0))[0]
        return {self._opened.get(origin, ""), closed} <= {seat, BOTH}

    def _handle_reed_change(self, slot: SlotId, felt: bool, at: Micros) -> None:
        space, physics = space_of(slot), self._scene.physics
        piece = physics.last_causes.get(slot)
        who = self._scene.hands.last_mover.get(piece, "") if piece is not None else ""
        if felt:
            self._closed[space] = who, at
            if space in self._tapped:
                self._tapped[space] = self._tapped[space][0], at
            return
        self._opened[space] = who
        closer, since = self._closed.get(space, ("", -TAP_MAX_US))
        self._spans[space] = at - since
        if closer == who and at - since < TAP_MAX_US:
            self._tapped[space] = who, None
