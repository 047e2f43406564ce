"""The sheet of a game on paper against all that was said: the audit, move by move (H3). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boardrules.core import Action, ActionSample
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import HITLER
from boardrules.fuhrer.facts import LAG, AnnouncedTurn, FuhrerFacts, GivenAnswer
from boardrules.fuhrer.maps import numbers
from boardrules.fuhrer.movement import Marks
from boardrules.fuhrer.rules import FuhrerRules

Log = Sequence[GivenAnswer | AnnouncedTurn]


class AuditFinding(NamedTuple):
    """Where a sheet and what was said differ first."""

    code: str
    """`way`: what was announced does not lead from the entry before to this one; `answer`: an answer was not
    true; `token`: the token stood elsewhere; `recapture`: he was not in the city that he re-captured."""
    round: int
    """The round of the entry."""
    city: str
    """The entry."""


def audit(rules: FuhrerRules, log: Log, entries: Sequence[str]) -> AuditFinding | None:
    """The first thing in which a sheet does not hold, or `None`.

    `entries` has a city for every round that Hitler played; a round is looked at in this order: the way, the
    answers, and for each entry the token that showed it two rounds later.
    """
    cities = [rules.board.index[entry] for entry in entries]
    tokens = {
        said.round - LAG: said.token for said in log if isinstance(said, AnnouncedTurn) and said.token >= 0
    }
    marks = rules.board.whole if rules.hitler_too else 1 << cities[0]
    number = 0 if rules.hitler_too else 1
    if tokens.get(number, cities[0]) != cities[0]:
        return AuditFinding("token", number, entries[0])
    for said in log:
        code = None
        if isinstance(said, AnnouncedTurn):
            number = said.round
            city = cities[number - 1]
            recaptured = said.turn.recaptured
            marks = rules.trap.after(marks, said.turn) & rules.trap.of(1 << city)
            if recaptured >= 0 and recaptured != city:
                code = "recapture"
            elif not marks:
                code = "way"
            elif tokens.get(number, city) != city:
                code = "token"
        elif said.here != (cities[said.round - 1] == said.city):
            code = "answer"
        if code is not None:
            return AuditFinding(code, number, entries[number - 1])
    return None


def fitting(rules: FuhrerRules, log: Log) -> tuple[str, ...]:
    """A sheet that holds, found backwards from the last round; there always is one."""
    rounds = _rounds(rules, log)
    before: list[Marks] = []
    """By round the marks that all up to it leaves."""
    marks = rules.board.whole
    for told, kept in rounds:
        if told is not None:
            marks = rules.trap.after(marks, told.turn)
        marks &= kept
        before.append(marks)
    found = [before[-1] & -before[-1]]
    for (told, _), earlier in zip(reversed(rounds[1:]), reversed(before[:-1]), strict=True):
        assert told is not None
        found.append(
            next(1 << mark for mark in numbers(earlier) if rules.trap.after(1 << mark, told.turn) & found[-1])
        )
    return tuple(rules.board.spaces(rules.trap.cities(mark))[0] for mark in reversed(found))


def _rounds(rules: FuhrerRules, log: Log) -> list[tuple[AnnouncedTurn | None, Marks]]:
    """By round what was heard of Hitler's turn, and the marks that answers and the token leave."""
    everything = rules.trap.of(rules.board.whole)
    rounds: list[tuple[AnnouncedTurn | None, Marks]] = [] if rules.hitler_too else [(None, everything)]
    for said in log:
        if isinstance(said, AnnouncedTurn):
            rounds.append((said, everything))
            if said.token >= 0:
                told, kept = rounds[said.round - LAG - 1]
                rounds[said.round - LAG - 1] = (told, kept & rules.trap.of(1 << said.token))
        else:
            told, kept = rounds[-1]
            there = rules.trap.of(1 << said.city)
            rounds[-1] = (told, kept & (there if said.here else ~there))
    return rounds


class PossibleSheets(ActionSample):
    """Every sheet of the right length; iterating gives one that holds."""

    __slots__ = ("_facts", "count")

    def __init__(self, facts: FuhrerFacts, count: int) -> None:
        self._facts = facts
        self.count = count
        """How many entries it has."""

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, actions.EnteredSheet)
            and action.seat == HITLER
            and len(action.entries) == self.count
            and all(city in self._facts.rules.board.index for city in action.entries)
        )

    def __iter__(self) -> Iterator[Action]:
        yield actions.EnteredSheet(HITLER, fitting(self._facts.rules, self._facts.revealed.log))

    def __len__(self) -> int:
        return 1
