"""What is open at a table, and which of it an answer refers to.

Everything that a yes, a no or a button may mean at a moment is a `OpenMatter`: a question of the board, an
attack that waits for its sign, a proposal, an offer of the game, a thing that the buttons point at.
`OpenMatters` keeps the list and notes since when each of them has been open. `meant` alone decides what an
answer refers to. docs/understand/tracker.md has its rules as a table.

An answer that doesn't name what it is for may be meant for what was shown a moment before. So it counts for
nothing until what is newest to whoever gives it has stayed the same for `SETTLING_TIME_US`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from boardrules.core import Seat, Space
from boardware.ports import SECOND, Micros

SETTLING_TIME_US: Micros = SECOND
"""For so long what is newest must have been the same before an answer that doesn't name it counts."""

(
    SIGN_MATTER,
    QUESTION_MATTER,
    PROPOSAL_MATTER,
    OFFER_MATTER,
    POINTED_MATTER,
    GAME_MATTER,
    IMPLIED_MATTER,
    BUTTON_MATTER,
) = (
    "sign",
    "question",
    "proposal",
    "offer",
    "pointed",
    "game",
    "implied",
    "button",
)
"""Kinds of matters: an attack that waits for its sign · a question of the board · what a seat or the board
proposes · what the game asks a seat about an offer · what `choose` has stepped to · a question of the game
that one seat answers by yes or no · what `confirm` means while nothing is asked · what a button other than
`confirm` and `cancel` does in the game."""
_MATTER_RANKS = {
    kind: rank
    for rank, kind in enumerate(
        (
            IMPLIED_MATTER,
            GAME_MATTER,
            OFFER_MATTER,
            PROPOSAL_MATTER,
            QUESTION_MATTER,
            POINTED_MATTER,
            SIGN_MATTER,
        )
    )
}
"""Of what is equally new the last one counts as newest."""

YES, NO = "yes", "no"
BOARD_PERSON = None
"""Whoever presses the board's buttons."""

Person = Seat | None
"""A seat with a screen of its own, or `BOARD_PERSON`."""


class OpenMatter(NamedTuple):
    """Something open, and who may answer it."""

    kind: str
    name: str
    """By this an answer names it; of a `BUTTON_MATTER` the button."""
    meaning: tuple[object, ...]
    """What a yes does: as long as this stays equal the matter is the same to whoever answers."""
    seats: frozenset[Seat] = frozenset()
    """Who is asked."""
    spaces: tuple[Space, ...] = ()
    """What it is about."""
    may_say_yes: frozenset[Person] = frozenset()
    """Whose yes counts."""
    may_say_no: frozenset[Person] = frozenset()
    """Whose no counts."""
    open_since: Micros = -1
    """Since when it has been open; negative: as `OpenMatters` notes it."""
    slot: str = ""
    """Of a proposal its slot (`proposals.proposal_slot`): two may propose the same."""


class PlayerInput(NamedTuple):
    """A yes or no, by a screen or a button; or a press of another button."""

    person: Person
    word: str
    """`YES`, `NO`, or the name of a button."""
    matter_name: str = ""
    """What it is for, by the name of a matter; empty: it names nothing."""


class AnswerMeaning(NamedTuple):
    """What an answer refers to."""

    matter: OpenMatter | None
    refusal: str = ""
    """Where it refers to nothing: `changed` (what is asked is too new), `own-screen` (only the screens of
    those who are asked answer it), `unasked` (nobody asks this person that)."""


def find_answer_meaning(
    matters: Sequence[OpenMatter], changed: Mapping[str | None, Micros], answer: PlayerInput, now: Micros
) -> AnswerMeaning:
    """The one of `matters`, oldest first, that an answer refers to.

    `changed`: by person, and by button, when what is newest to them became another one.
    """
    if answer.word not in (YES, NO):
        button = next((m for m in matters if m.kind == BUTTON_MATTER and m.name == answer.word), None)
        if button is None:
            return AnswerMeaning(None, "unasked")
        settled = now - changed.get(answer.word, 0) >= SETTLING_TIME_US
        return AnswerMeaning(button) if settled else AnswerMeaning(None, "changed")
    asked = [matter for matter in matters if matter.kind != BUTTON_MATTER]
    if answer.matter_name:
        named = [matter for matter in asked if matter.name == answer.matter_name]
        mine = [matter for matter in named if answer.person in _persons_allowed(matter, answer.word)]
        if mine:
            return AnswerMeaning(mine[-1])
        return AnswerMeaning(None, "unasked" if named else "changed")
    newest = _newest_matter(asked, answer.person)
    sign = next(
        (each for each in asked if each.kind == SIGN_MATTER and answer.person in each.may_say_yes), None
    )
    if answer.word == YES and sign is not None:  # then that is the only meaning of it
        return (
            AnswerMeaning(sign)
            if now - sign.open_since >= SETTLING_TIME_US
            else AnswerMeaning(None, "changed")
        )
    if newest is None:
        return AnswerMeaning(None, "unasked")
    # A yes or no that is an action of the game is said to nothing else, unless something else was asked too.
    born = 0 if newest.kind == GAME_MATTER else newest.open_since
    if now - max(born, changed.get(answer.person, 0)) < SETTLING_TIME_US:
        return AnswerMeaning(None, "changed")
    if answer.person not in _persons_allowed(newest, answer.word):
        return AnswerMeaning(None, "own-screen" if answer.person is BOARD_PERSON else "unasked")
    return AnswerMeaning(newest)


def shown_matter(matters: Sequence[OpenMatter]) -> OpenMatter | None:
    """What the lamps show: what a yes at the board would refer to, else the newest that anybody is asked."""
    asked = [matter for matter in matters if matter.kind not in (BUTTON_MATTER, IMPLIED_MATTER)]
    sign = next((each for each in asked if each.kind == SIGN_MATTER), None)
    return sign or _newest_matter(asked, BOARD_PERSON) or (asked[-1] if asked else None)


def _persons_allowed(matter: OpenMatter, word: str) -> frozenset[Person]:
    return matter.may_say_yes if word == YES else matter.may_say_no


def _newest_matter(asked: Sequence[OpenMatter], person: Person) -> OpenMatter | None:
    """The newest of what a person may say yes to; where there is nothing, of what he may say no to.

    At the board everything is seen, also what only those who are asked answer.
    """
    mine = [each for each in asked if person in each.may_say_yes]
    mine = mine or [each for each in asked if person in each.may_say_no or person is BOARD_PERSON]
    told = [each for each in mine if each.kind != IMPLIED_MATTER] or mine
    return told[-1] if told else None


class OpenMatters:
    """What is open at one table, and since when. It changes by `update` alone."""

    def __init__(self) -> None:
        self.matters: tuple[OpenMatter, ...] = ()
        """All of it, oldest first."""
        self.newest_changed_at: dict[str | None, Micros] = {}
        """By person, and by button, when what is newest to them became another one."""
        self._newest: dict[str | None, tuple[object, ...] | None] = {}
        self._idle: dict[str | None, Micros] = {}
        """Since when buttons have meant nothing."""

    def update(self, found: Iterable[OpenMatter], seats: Iterable[Seat], now: Micros) -> None:
        """Take what is open now. What was open before keeps the moment since when."""
        born = {(each.kind, each.meaning): each.open_since for each in self.matters}
        self.matters = tuple(
            sorted(
                (
                    each
                    if each.open_since >= 0
                    else each._replace(open_since=born.get((each.kind, each.meaning), now))
                    for each in found
                ),
                key=lambda each: (each.open_since, _MATTER_RANKS.get(each.kind, -1)),
            )
        )
        asked = [matter for matter in self.matters if matter.kind != BUTTON_MATTER]
        newest: dict[str | None, OpenMatter | None] = {
            person: _newest_matter(asked, person) for person in (BOARD_PERSON, *seats)
        }
        newest.update({each.name: each for each in self.matters if each.kind == BUTTON_MATTER})
        buttons = {each.name for each in self.matters if each.kind == BUTTON_MATTER}
        for person in {*newest, *self._newest}:
            matter = newest.get(person)
            meaning = None if matter is None else matter.meaning
            if self._newest.get(person) == meaning:
                continue
            fresh = person in buttons and self._newest.get(person) is None
            if not (fresh and now - self._idle.get(person, -SETTLING_TIME_US) >= SETTLING_TIME_US):
                self.newest_changed_at[person] = (
                    now  # else it meant nothing before, so no press was meant for that
                )
            if meaning is None:
                self._idle[person] = now
            self._newest[person] = meaning

    def restart_settling(self, person: str | None, now: Micros) -> None:
        """A button, or a seat, did something: the same at once again counts for nothing."""
        self.newest_changed_at[person] = now

    def has_changed_at_board(self, since: Micros) -> bool:
        """Whether what a press at the board would answer has changed since that moment."""
        return self.newest_changed_at.get(BOARD_PERSON, since) > since

    def find_meaning(self, answer: PlayerInput, now: Micros, *more: OpenMatter) -> AnswerMeaning:
        """What an answer refers to; `more`: what is looked for only once somebody answers."""
        matters = sorted(
            (*self.matters, *more), key=lambda each: (each.open_since, _MATTER_RANKS.get(each.kind, -1))
        )
        return find_answer_meaning(matters, self.newest_changed_at, answer, now)
