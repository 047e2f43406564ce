"""The sheet of a game on paper against all that was said: the audit, move by move (H3). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boardrules.core import Action, ActionSample
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import HITLER
from boardrules.fuhrer.facts import TOKEN_LAG_ROUNDS, AnnouncedTurn, FuhrerFacts, GivenAnswer
from boardrules.fuhrer.maps import city_numbers
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
        said.round - TOKEN_LAG_ROUNDS: said.token
        for said in log
        if isinstance(said, AnnouncedTurn) and said.token >= 0
    }
    marks = rules.board.all_cities if rules.hitler_moves_first else 1 << cities[0]
    number = 0 if rules.hitler_moves_first else 1
    if tokens.get(number, cities[0]) != cities[0]:
        return AuditFinding("token", number, entries[0])
    for said in log:
        code = None
        if isinstance(said, AnnouncedTurn):
            number = said.round
            city = cities[number - 1]
            recaptured = said.turn.recaptured_city
            marks = rules.trap_rule.marks_after_turn(marks, said.turn) & rules.trap_rule.marks_of_cities(
                1 << city
            )
            if recaptured >= 0 and recaptured != city:
                code = "recapture"
            elif not marks:
                code = "way"
            elif tokens.get(number, city) != city:
                code = "token"
        elif said.is_here != (cities[said.round - 1] == said.city):
            code = "answer"
        if code is not None:
            return AuditFinding(code, number, entries[number - 1])
    return None


def possible_sheet(rules: FuhrerRules, log: Log) -> tuple[str, ...]:
    """A sheet that holds, found backwards from the last round; there always is one."""
    rounds = _marks_by_round(rules, log)
    before: list[Marks] = []
    """By round the marks that all up to it leaves."""
    marks = rules.board.all_cities
    for told, kept in rounds:
        if told is not None:
            marks = rules.trap_rule.marks_after_turn(marks, told.turn)
        marks &= kept
        before.append(marks)
    found = [before[-1] & -before[-1]]
    for (told, _), earlier in zip(reversed(rounds[1:]), reversed(before[:-1]), strict=True):
        assert told is not None
        found.append(
            next(
                1 << mark
                for mark in city_numbers(earlier)
                if rules.trap_rule.marks_after_turn(1 << mark, told.turn) & found[-1]
            )
        )
    return tuple(rules.board.space_ids(rules.trap_rule.cities_of_marks(mark))[0] for mark in reversed(found))


def _marks_by_round(rules: FuhrerRules, log: Log) -> list[tuple[AnnouncedTurn | None, Marks]]:
    """By round what was heard of Hitler's turn, and the marks that answers and the token leave."""
    everything = rules.trap_rule.marks_of_cities(rules.board.all_cities)
    rounds: list[tuple[AnnouncedTurn | None, Marks]] = (
        [] if rules.hitler_moves_first else [(None, everything)]
    )
    for said in log:
        if isinstance(said, AnnouncedTurn):
            rounds.append((said, everything))
            if said.token >= 0:
                told, kept = rounds[said.round - TOKEN_LAG_ROUNDS - 1]
                rounds[said.round - TOKEN_LAG_ROUNDS - 1] = (
                    told,
                    kept & rules.trap_rule.marks_of_cities(1 << said.token),
                )
        else:
            told, kept = rounds[-1]
            there = rules.trap_rule.marks_of_cities(1 << said.city)
            rounds[-1] = (told, kept & (there if said.is_here else ~there))
    return rounds


class PossibleSheets(ActionSample):
    """Every sheet of the right length; iterating gives one that holds."""

    __slots__ = ("_facts", "entry_count")

    def __init__(self, facts: FuhrerFacts, count: int) -> None:
        self._facts = facts
        self.entry_count = count
        """How many entries it has."""

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, actions.EnteredSheet)
            and action.seat == HITLER
            and len(action.entries) == self.entry_count
            and all(city in self._facts.rules.board.index for city in action.entries)
        )

    def __iter__(self) -> Iterator[Action]:
        yield actions.EnteredSheet(HITLER, possible_sheet(self._facts.rules, self._facts.knowledge.log))

    def __len__(self) -> int:
        return 1
