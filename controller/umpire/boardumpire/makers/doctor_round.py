"""What the doctor's rounds have in common: a board, what was seen of it, and a person who is asked."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from boardumpire.makers.bare_board import ContactId, LampNumber
from boardumpire.makers.guide import CONTACTS_REST_US, GuideReply, GuideRequest, VisibleSign
from boardumpire.makers.observations import Observations
from boardware.parts import BoardDescription
from boardware.ports import SlotId

ReplySteps = Generator[GuideRequest, GuideReply, GuideReply]
YesNoSteps = Generator[GuideRequest, GuideReply, bool]
RoundSteps = Generator[GuideRequest, GuideReply, None]


class DoctorRound:
    """One round over the board; what is seen goes into `_seen`."""

    def __init__(
        self, board: BoardDescription, seen: Observations, slots: Mapping[ContactId, SlotId], *, buttons: bool
    ) -> None:
        """`slots`: by contact where the board file has it. `buttons`: whether the board's may answer."""
        self._board, self._seen, self._slots, self._buttons = board, seen, slots, buttons

    def _ask(
        self, text: str, sign: str | VisibleSign, marks: Mapping[LampNumber, str] | None = None
    ) -> ReplySteps:
        """What came of a question, or of something to do. `sign`: what to look for."""
        looked_for = VisibleSign(sign) if isinstance(sign, str) else sign
        return (yield GuideRequest("answer", text, marks or {}, looked_for, buttons_may_answer=self._buttons))

    def _ask_yes_no(
        self, text: str, sign: str | VisibleSign, marks: Mapping[LampNumber, str] | None = None
    ) -> YesNoSteps:
        """Whether the answer is yes."""
        return bool((yield from self._ask(text, sign, marks)).answer)

    def _rest(self) -> ReplySteps:
        """What is closed once nothing moves any more."""
        return (yield GuideRequest("watch", "A moment.", duration=2 * CONTACTS_REST_US))

    def _empty_board(self) -> RoundSteps:
        yield from self._ask("Take every piece off the board, then answer yes.", "emptied")
