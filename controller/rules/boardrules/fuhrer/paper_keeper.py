"""Who keeps Hitler's sheet: himself, on paper. He answers on his honour and enters the sheet at the end (H3).

The umpire knows what everybody knows. An announcement or an answer that no sheet could bear out is refused at
once; what only the sheet can tell is audited when it comes in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from boardrules.core import Action, Event, Outcome
from boardrules.fuhrer import actions
from boardrules.fuhrer import sheet_audit as audits
from boardrules.fuhrer.actions import (
    HITLER,
    INFANTRY,
    SPY,
    Origins,
    SheetEntry,
    SpyQuestion,
    WordAction,
    allied_action,
)
from boardrules.fuhrer.automatic_keeper import AutomaticAnswers, announce_turn, begin_first_round, finish_turn
from boardrules.fuhrer.ends import ALLIES, CAPTURE, ESCAPED, RESIGNATION, SHEET, TIME
from boardrules.fuhrer.facts import (
    LAG,
    NOWHERE,
    AnnouncedTurn,
    Events,
    FuhrerFacts,
    GivenAnswer,
    HitlerSheet,
    SheetKeeper,
    Stage,
    StageResult,
    answer,
    earlier,
    undo_of_answer,
)
from boardrules.fuhrer.maps import numbers
from boardrules.fuhrer.movement import PublicTurn
from boardrules.fuhrer.stages import ASKING, HITLERS, NamedStage, over, to_roll


class PaperStartStage(NamedStage):
    """F03: Hitler writes down where he starts."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: SheetEntry) -> StageResult:
        """Round 1 begins."""
        return begin_first_round(facts, NOWHERE)


class PaperEntryStage(NamedStage):
    """F12: Hitler writes an entry, and says what of it is public."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: SheetEntry) -> StageResult:
        """Tickets, a re-capture and the token are his to tell."""
        city = -1 if action.recapture is None else action.recapture
        turn = PublicTurn(facts.flags, action.origins, city)
        return announce_turn(facts, sheet, turn, -1 if action.token is None else action.token)


class PaperAnswerStage(NamedStage):
    """F10, F11: Hitler says whether he is in the city that is asked about."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: WordAction) -> StageResult:
        """The next question of the Spy, or what comes of Infantry's arrival."""
        here = action.words == actions.YES
        if self.piece == INFANTRY:
            return finish_turn(facts, sheet, facts.at, here, (), undo=HITLER)
        choices, city = facts.rules.choices, wanted(facts, SPY)
        facts = replace(
            facts, revealed=answer(facts, facts.revealed, SPY, city, here), undo=HITLER, offer=None
        )  # H6
        events = (choices.answered[city][here],)
        asked = facts.asked
        if answered(facts) < len(asked):
            return StageResult(facts, sheet, answers(facts, SPY), events)
        left = () if len(asked) == 2 or facts.rules.both_first else choices.asks[facts.at[SPY], asked]
        if len(left) < 2:  # `done` alone
            return to_roll(facts, sheet, INFANTRY, HITLER, events)
        facts = replace(facts, stage=ASKING, waits=facts.rules.waits[SPY])
        return StageResult(facts, sheet, left, events)


class PaperSheetStage(NamedStage):
    """The game is over; what is missing is the sheet."""

    settled = True

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        """How it has ended if the sheet holds."""
        super().__init__(f"sheet-{outcome.reason}")

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: actions.EnteredSheet) -> StageResult:
        """A sheet that does not hold loses."""
        found = audits.audit(facts.rules, facts.revealed.log, action.entries)
        events: Events = (Event("sheet", (("start", ""), ("entries", " ".join(action.entries)))),)
        if found is None:
            return over(facts, sheet, self.outcome, (*events, Event("audit", (("thing", "holds"),))))
        wrong = Event("audit", (("thing", found.code), ("round", found.round), ("at", found.city)))
        return over(facts, sheet, Outcome(ALLIES, SHEET), (*events, wrong))


CHOOSING: Final = PaperStartStage("choose")
WRITING: Final = PaperEntryStage("write")
ANSWERING: Final = {piece: PaperAnswerStage("answer", piece) for piece in (SPY, INFANTRY)}
ENTERING: Final = {
    outcome: PaperSheetStage(outcome)
    for outcome in (
        Outcome(ALLIES, CAPTURE),
        Outcome(HITLER, ESCAPED),
        Outcome(HITLER, RESIGNATION),
        Outcome(HITLER, TIME),
    )
}


class PaperKeeper(AutomaticAnswers):
    """`sheet=paper`."""

    turning: Stage = WRITING

    def hiding(self, facts: FuhrerFacts, sheet: HitlerSheet, events: Events) -> StageResult:
        """Hitler's choice comes next."""
        legal = (allied_action(SheetEntry, facts.rules.board, HITLER, (), None, None),)
        return StageResult(replace(facts, stage=CHOOSING, waits=HITLERS), sheet, legal, events)

    def ways(self, facts: FuhrerFacts, sheet: HitlerSheet) -> tuple[Action, ...]:
        """All that Hitler may say of an entry."""
        return announcements(facts)

    def asked(self, facts: FuhrerFacts, sheet: HitlerSheet, action: SpyQuestion) -> StageResult:
        """The answer is Hitler's."""
        asked = facts.asked + action.cities
        facts = facts.then(ANSWERING[SPY], HITLERS, undo=undo_of_answer(facts), asked=asked)
        event = Event("asked", (("at", " ".join(facts.rules.board.ids[city] for city in action.cities)),))
        return StageResult(facts, sheet, answers(facts, SPY), (event,))

    def arrived(
        self, facts: FuhrerFacts, sheet: HitlerSheet, at: tuple[int, ...], events: Events
    ) -> StageResult:
        """Hitler says whether he is caught."""
        facts = facts.then(ANSWERING[INFANTRY], HITLERS, undo=undo_of_answer(facts), at=at)
        return StageResult(facts, sheet, answers(facts, INFANTRY), events)

    def ended(self, facts: FuhrerFacts, sheet: HitlerSheet, outcome: Outcome, events: Events) -> StageResult:
        """The sheet is asked for, unless Hitler has given up or has run out of time, or never began."""
        if isinstance(
            facts.stage, PaperSheetStage
        ):  # he enters no sheet: then nothing is left of what he has won
            found = facts.stage.outcome
            return over(facts, sheet, found if found.winner == ALLIES else outcome, events)
        if outcome not in ENTERING or facts.round == 0:
            return over(facts, sheet, outcome, events)
        undo = facts.undo if outcome.reason in (CAPTURE, ESCAPED) else None  # by his answer: H6
        facts = replace(facts, stage=ENTERING[outcome], waits=HITLERS, undo=undo, offer=None)
        count = sum(isinstance(said, AnnouncedTurn) for said in facts.revealed.log) + (
            not facts.rules.hitler_too
        )
        return StageResult(facts, sheet, audits.PossibleSheets(facts, count), events)


KEEPERS: Final[tuple[SheetKeeper, SheetKeeper]] = (AutomaticAnswers(), PaperKeeper())
"""By whether the sheet is on paper who keeps it."""


def answered(facts: FuhrerFacts) -> int:
    """How many questions of the Spy have been answered this turn."""
    said = (said for said in facts.revealed.log if isinstance(said, GivenAnswer))
    return sum(said.round == facts.round and said.piece == SPY for said in said)


def wanted(facts: FuhrerFacts, piece: int) -> int:
    """The city that is asked about."""
    return facts.at[INFANTRY] if piece == INFANTRY else facts.asked[answered(facts)]


def answers(facts: FuhrerFacts, piece: int) -> tuple[WordAction, ...]:
    """The answers that some sheet bears out."""
    rules, revealed = facts.rules, facts.revealed
    there = rules.trap.of(1 << wanted(facts, piece))
    fits = {actions.YES: revealed.possible & there, actions.NO: revealed.possible & ~there}
    return tuple(rules.choices.words[HITLER, text] for text, marks in fits.items() if marks)


def announcements(facts: FuhrerFacts) -> tuple[SheetEntry, ...]:
    """All that Hitler may say of an entry: what some sheet bears out."""
    rules, revealed = facts.rules, facts.revealed
    tokens: Iterator[int | None] | tuple[None] = (None,)
    if facts.round > LAG:
        tokens = numbers(rules.trap.cities(revealed.earlier))
    legal = []
    for token in tokens:
        before = earlier(facts, -1 if token is None else token)
        if not before:
            continue
        for origins in rules.choices.origins[revealed.tickets]:
            if rules.trap.after(before, PublicTurn(facts.flags, origins)):
                legal.append(_written(facts, origins, None, token))
        for city in numbers(rules.trap.cities(before) & facts.flags):
            legal.append(_written(facts, (), city, token))
    return tuple(legal)


def _written(facts: FuhrerFacts, origins: Origins, recapture: int | None, token: int | None) -> SheetEntry:
    return allied_action(SheetEntry, facts.rules.board, HITLER, origins, recapture, token)
