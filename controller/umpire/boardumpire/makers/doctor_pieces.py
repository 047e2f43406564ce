"""The doctor's look at pieces: each of them once over one square, so that a weak magnet is found early."""

from __future__ import annotations

from collections.abc import Generator

from boardumpire.makers.bare_board import ContactId, slot_name
from boardumpire.makers.guide import CONTACTS_REST_US, GuideReply, GuideRequest, VisibleSign
from boardumpire.makers.observations import Observations
from boardware.parts import BoardDescription
from boardware.ports import SlotId

MOST = 400
"""No game has as many pieces."""


class PieceRound:
    """Every piece over a square that is known to feel one; what is seen goes into `seen`."""

    def __init__(
        self, board: BoardDescription, seen: Observations, slots: dict[ContactId, SlotId], *, buttons: bool
    ) -> None:
        """`slots`: by contact where the board file has it."""
        self._board, self._seen, self._slots, self._buttons = board, seen, slots, buttons

    def run_steps(self) -> Generator[GuideRequest, GuideReply, None]:
        """One after the other, until somebody says that none is left."""
        sound = [name for name, felt in self._seen.sensed_contacts.items() if felt == name]
        name = next(
            iter(sound or [name for name in self._slots if name not in self._seen.closed_when_empty]), None
        )
        if name is None:
            return
        slot = self._slots[name]
        where = slot_name(self._board, slot)
        while len(self._seen.pieces) < MOST:
            number = len(self._seen.pieces) + 1
            text = f"Put piece {number} on the middle of {where}, and answer yes; no if none is left."
            if not (yield from self._make_instruction(text, f"next {slot}")):
                return
            came = yield GuideRequest("watch", "A moment.", duration=2 * CONTACTS_REST_US)
            self._seen.pieces.append(came.closed_contacts - self._seen.closed_when_empty)
            told = (
                "It is felt"
                if name in came.closed_contacts
                else f"It is not felt: mark it as number {number}"
            )
            yield from self._make_instruction(f"{told}. Take it off, and answer yes.", f"taken {slot}")

    def _make_instruction(self, text: str, sign: str) -> Generator[GuideRequest, GuideReply, bool]:
        came = yield GuideRequest(
            "answer", text, expected_sign=VisibleSign(sign), buttons_may_answer=self._buttons
        )
        return bool(came.answer)
