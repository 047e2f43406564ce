"""The doctor's look at pieces: each of them once over one square, so that a weak magnet is found early."""

from __future__ import annotations

from boardumpire.makers.bare_board import slot_name
from boardumpire.makers.doctor_round import DoctorRound, RoundSteps

PIECES_MAX = 400
"""No game has as many."""


class PieceRound(DoctorRound):
    """Every piece over a square that is known to feel one."""

    def run_steps(self) -> RoundSteps:
        """One after the other, until somebody says that none is left."""
        sound = [name for name, felt in self._seen.sensed_contacts.items() if felt == name]
        name = next(
            iter(sound or [name for name in self._slots if name not in self._seen.closed_when_empty]), None
        )
        if name is None:
            return
        slot = self._slots[name]
        where = slot_name(self._board, slot)
        while len(self._seen.pieces) < PIECES_MAX:
            number = len(self._seen.pieces) + 1
            text = f"Put piece {number} on the middle of {where}, and answer yes; no if none is left."
            if not (yield from self._ask_yes_no(text, f"next {slot}")):
                return
            came = yield from self._rest()
            self._seen.pieces.append(came.closed_contacts - self._seen.closed_when_empty)
            told = (
                "It is felt"
                if name in came.closed_contacts
                else f"It is not felt: mark it as number {number}"
            )
            yield from self._ask(f"{told}. Take it off, and answer yes.", f"taken {slot}")
