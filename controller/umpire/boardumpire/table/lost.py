"""What damage took of the journal, and who has agreed to go on without it. Hands wait until all have.

Every seat says yes by its phone, or players together press confirm on their board. Whoever says no changes
nothing: the damaged files are kept beside the journal, and somebody may find in them what is missing here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from boardrules.core import Seat
from boardumpire.journal.merge import LostActions
from boardumpire.tracking.questions import StartQuestion


class JournalLossDialog:
    """Losses to be agreed to, one after the other."""

    def __init__(self, losses: Iterable[LostActions], seats: Sequence[Seat]) -> None:
        self._losses = list(losses)
        self._seats = seats
        self._asked = set(seats)

    @property
    def question(self) -> StartQuestion | None:
        """What is asked now: of whoever alone has not answered yet, or of all."""
        if not self._losses:
            return None
        loss = self._losses[0]
        named = {
            "number": loss.game_number,
            "first": loss.first_action,
            "last": loss.last_action,
            "kept": loss.first_action - 1,
        }
        alone = next(iter(self._asked)) if len(self._asked) == 1 < len(self._seats) else None
        return StartQuestion(_question_code(loss), alone, tuple(named.items()))

    def answer(self, seats: Collection[Seat], *, yes: bool) -> LostActions | None:
        """Take the answer of these seats; the loss that all have agreed to by it."""
        if not yes:
            return None
        self._asked.difference_update(seats)
        if self._asked:
            return None
        self._asked = set(self._seats)
        return self._losses.pop(0)


def _question_code(loss: LostActions) -> str:
    if not loss.game_number:
        return "lost-all"
    if not loss.is_certain:
        return "lost-perhaps"
    if not loss.first_action:
        return "lost-end"
    if not loss.last_action:
        return "lost-game"
    return "lost-action" if loss.first_action == loss.last_action else "lost-actions"
