"""What the tracker asks: a class for each question, and its code as screens, journals and scripts know it.

A question is asked on public grounds. Confirm or cancel on the board answers it, or yes or no on the phone of
its seat. `None` as seat: anybody may answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from boardrules.core import Seat
from boardumpire.tracking.model import Place


class QuestionCode(StrEnum):
    """The names of the tracker's questions on the wire."""

    ATTACK_PENDING = "attack-pending"
    ATTACK_COUNTING = "attack-counting"
    ATTACK_WHICH = "attack-which"
    ATTACK_HERE = "attack-here"
    ATTACK_WHERE = "attack-where"
    IN_HAND = "in-hand"
    WHO_STANDS = "who-stands"
    THAT_PIECE = "that-piece"
    SAME_PLACES = "same-places"
    CAME_FROM = "came-from"
    MOVED_HERE = "moved-here"
    MOVED_WHERE = "moved-where"
    ADJOURN = "adjourn"


PENDING_ATTACK_CODES = (QuestionCode.ATTACK_PENDING, QuestionCode.ATTACK_COUNTING, QuestionCode.ATTACK_WHICH)
"""Asked at once: a piece of the mover and one that it may attack are both up."""
UNSENSED_MOVE_CODES = (
    QuestionCode.ATTACK_HERE,
    QuestionCode.ATTACK_WHERE,
    QuestionCode.MOVED_HERE,
    QuestionCode.MOVED_WHERE,
    QuestionCode.IN_HAND,
)
"""About what a piece in a hand may have done unfelt; the first space is where the piece came from."""
NAMED_ANSWER_CODES = (QuestionCode.ATTACK_WHICH, QuestionCode.ATTACK_WHERE, QuestionCode.MOVED_WHERE)
"""Answered by naming an action: a yes is not enough."""


class TrackerQuestion:
    """Base of all questions. A descendant is a frozen dataclass: its spaces, in the order in which answers
    and sentences name them, then `seat`. The last of its spaces may be several, as a tuple."""

    code: str
    seat: Seat | None
    sentence_parameters: tuple[tuple[str, object], ...] = ()
    """What its sentence names besides, by its parameters."""
    __match_args__: tuple[str, ...]

    @property
    def spaces(self) -> tuple[Place, ...]:
        """The spaces that it is about."""
        found: list[Place] = []
        for name in self.__match_args__[:-1]:
            value = getattr(self, name)
            found += value if isinstance(value, tuple) else [value]
        return tuple(found)

    @classmethod
    def from_spaces(cls, spaces: Sequence[Place], seat: Seat | None) -> Self:
        """The question about these spaces, in the order of `spaces`."""
        single = len(cls.__match_args__) - 2
        if issubclass(cls, _SeveralTargetsQuestion | SamePlacesQuestion):
            return cls(*spaces[:single], tuple(spaces[single:]), seat)  # type: ignore[arg-type, call-arg]
        return cls(*spaces, seat)  # type: ignore[call-arg]

    def with_renamed_spaces(self, name_of: Callable[[Place], Place]) -> Self:
        """The same question with other names of its spaces."""
        return self.from_spaces([name_of(space) for space in self.spaces], self.seat)

    def effect_of_yes(self) -> tuple[str, ...]:
        """What a yes would do: two questions with the same effect are the same to whoever answers."""
        kind = "attack" if self.code.startswith("attack") else self.code
        return (kind, *self.spaces[:2]) if kind == "attack" else (kind, *self.spaces)

    def answer_key(self) -> str:
        """By this an answer can say which question it is meant for."""
        return " ".join((self.code, *self.spaces))


@dataclass(frozen=True)
class _OneTargetQuestion(TrackerQuestion):
    """About the piece of `origin` and one space that it may go to."""

    origin: Place
    target: Place
    seat: Seat | None


@dataclass(frozen=True)
class _SeveralTargetsQuestion(TrackerQuestion):
    """About the piece of `origin` and several spaces that it may go to."""

    origin: Place
    targets: tuple[Place, ...]
    seat: Seat | None


class AttackPendingQuestion(_OneTargetQuestion):
    """Both pieces are up. Does the one of `origin` attack? Only the mover can say it."""

    code = QuestionCode.ATTACK_PENDING


class AttackCountingQuestion(_OneTargetQuestion):
    """The same where holding both pieces up is enough, and the time runs."""

    code = QuestionCode.ATTACK_COUNTING


class AttackWhichQuestion(_SeveralTargetsQuestion):
    """Several pieces are up that the one of `origin` may attack. Which does it attack?"""

    code = QuestionCode.ATTACK_WHICH


class AttackHereQuestion(_OneTargetQuestion):
    """Did the piece of `origin` attack `target` without being felt?"""

    code = QuestionCode.ATTACK_HERE


class AttackWhereQuestion(_SeveralTargetsQuestion):
    """Did it attack one of these without being felt?"""

    code = QuestionCode.ATTACK_WHERE


class CameFromQuestion(_OneTargetQuestion):
    """Did the piece of `origin` come to `target`, though its sensor did not open?"""

    code = QuestionCode.CAME_FROM


class MovedHereQuestion(_OneTargetQuestion):
    """Did the piece of `origin` move to `target`, where nothing feels it?"""

    code = QuestionCode.MOVED_HERE


class MovedWhereQuestion(_SeveralTargetsQuestion):
    """Did it move to one of these, where nothing feels it?"""

    code = QuestionCode.MOVED_WHERE


@dataclass(frozen=True)
class InHandQuestion(TrackerQuestion):
    """Is the piece of `home` still in a hand?"""

    home: Place
    seat: Seat | None
    code = QuestionCode.IN_HAND


@dataclass(frozen=True)
class WhoStandsQuestion(TrackerQuestion):
    """Does the piece that belongs on `space` stand there? If not it may be the piece of `other`, or the right
    one may stand on `other`."""

    space: Place
    other: Place
    seat: Seat | None
    code = QuestionCode.WHO_STANDS


@dataclass(frozen=True)
class ThatPieceQuestion(TrackerQuestion):
    """Is it the piece of `origin` that stands on `target`? It may be the one of `other`."""

    origin: Place
    target: Place
    other: Place
    seat: Seat | None
    code = QuestionCode.THAT_PIECE


@dataclass(frozen=True)
class SamePlacesQuestion(TrackerQuestion):
    """Do these pieces stand where they stood? Two of them may have been swapped."""

    homes: tuple[Place, ...]
    seat: Seat | None
    code = QuestionCode.SAME_PLACES


@dataclass(frozen=True)
class AdjournQuestion(TrackerQuestion):
    """The board is empty. Is the game to be adjourned?"""

    seat: Seat | None = None
    code = QuestionCode.ADJOURN


@dataclass(frozen=True)
class StartQuestion(TrackerQuestion):
    """What a table asks before it judges hands: how to go on after a loss, or how the board lies."""

    code: str
    seat: Seat | None
    sentence_parameters: tuple[tuple[str, object], ...] = ()

    @property
    def spaces(self) -> tuple[Place, ...]:
        """None."""
        return ()

    def with_renamed_spaces(self, _name_of: Callable[[Place], Place]) -> Self:
        """The same question."""
        return self


_QUESTION_CLASSES: dict[str, type[TrackerQuestion]] = {
    each.code: each
    for each in (
        AttackPendingQuestion,
        AttackCountingQuestion,
        AttackWhichQuestion,
        AttackHereQuestion,
        AttackWhereQuestion,
        InHandQuestion,
        WhoStandsQuestion,
        ThatPieceQuestion,
        SamePlacesQuestion,
        CameFromQuestion,
        MovedHereQuestion,
        MovedWhereQuestion,
        AdjournQuestion,
    )
}


def make_question(code: str, spaces: Sequence[Place], seat: Seat | None) -> TrackerQuestion:
    """The question with this code about these spaces, as a screen was told it."""
    return (
        _QUESTION_CLASSES[code].from_spaces(spaces, seat)
        if code in _QUESTION_CLASSES
        else StartQuestion(code, seat)
    )
