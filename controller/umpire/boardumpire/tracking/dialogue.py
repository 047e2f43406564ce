"""What the tracker asks people, what it asked a moment ago, and what they have denied. Pure."""

from __future__ import annotations

from boardumpire.tracking.events import BoardFault, TrackerEvent
from boardumpire.tracking.questions import PENDING_ATTACK_CODES, TrackerQuestion
from boardware.ports import Micros


class Dialogue:
    """Questions to the people at one board."""

    def __init__(self) -> None:
        self.question: TrackerQuestion | None = None
        """What was asked and is not answered yet."""
        self.pending_attack: TrackerQuestion | None = None
        """The attack that waits for the sign of the mover."""
        self._reported_pending: TrackerQuestion | None = None
        self.no_attack_fault: BoardFault | None = None
        """What was reported to be no attack; it asks for nothing to be put back."""
        self._declined: set[TrackerQuestion] = set()
        self._shown: tuple[TrackerQuestion | None, Micros] = None, 0
        """What is asked, and since when ..."""
        self._before: tuple[TrackerQuestion | None, Micros] = None, 0
        """... and what was asked before that, and until when."""

    @property
    def current_question(self) -> TrackerQuestion | None:
        """What is asked now."""
        return self.question or self.pending_attack

    @property
    def settled_events(self) -> frozenset[TrackerEvent]:
        """What was denied, or reported and done with, since hands last did something."""
        return frozenset(
            self._declined if self.no_attack_fault is None else {*self._declined, self.no_attack_fault}
        )

    def begin_turn(self) -> None:
        """Nothing is asked in a new layout."""
        self.question = self.pending_attack = self._reported_pending = None
        self.note_hands_moved()

    def note_hands_moved(self) -> None:
        """What was denied may be so now."""
        self.no_attack_fault = None
        self._declined.clear()

    def note_answered_by_tag(self) -> None:
        """A tag has said who stands there: it may be asked anew what was denied."""
        self.question = None
        self._declined.clear()

    def update_pending_attack(self, pending: TrackerQuestion | None) -> None:
        """This attack waits for its sign now, as far as the sensors tell."""
        self.pending_attack = None if self.question is not None or pending in self._declined else pending
        if self.pending_attack is None:
            self._reported_pending = None

    def report_pending_again(self) -> None:
        """The pending attack is reported again."""
        self._reported_pending = None

    @property
    def has_unreported_pending(self) -> bool:
        """Whether an attack has come to be pending, or is none any more, since that was reported."""
        return self.pending_attack != self._reported_pending

    def take_unreported_pending(self) -> TrackerQuestion | None:
        """The attack that has come to be pending and was not reported."""
        if not self.has_unreported_pending:
            return None
        self._reported_pending = self.pending_attack
        return self.pending_attack

    def close_question(self, asked: TrackerQuestion | None, *, yes: bool, now: Micros) -> None:
        """Somebody answers `asked`, or what was only implied."""
        self.question = None
        self._shown = self._before = None, now  # what is asked next follows from the answer
        if asked is not None and not (yes and asked.code in PENDING_ATTACK_CODES):
            self._declined.add(asked)

    def note_shown_question(self, now: Micros) -> None:
        """Keep in mind what is asked, since when, and what was asked before."""
        if self.current_question != self._shown[0]:
            if self._shown[0] is not None:
                self._before = self._shown[0], now
            self._shown = self.current_question, now

    def question_since(self) -> Micros | None:
        """When what is asked came up; `None` if nothing is asked."""
        asked, since = self._shown
        return None if asked is None else since

    def just_replaced_question(self, within: Micros, now: Micros) -> TrackerQuestion | None:
        """The question whose place has just been taken by another one: an answer may be meant for it.

        Other hands can do that at any moment, by lifting a piece of their own.
        """
        (asked, since), (before, until) = self._shown, self._before
        if asked is None or before is None or asked.effect_of_yes() == before.effect_of_yes():
            return None
        return before if now - since < within and since - until < within else None
