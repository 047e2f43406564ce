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
    interned_action,
)
from boardrules.fuhrer.automatic_keeper import (
    AutomaticAnswers,
    announce_turn,
    begin_first_round,
    finish_infantry_turn,
)
from boardrules.fuhrer.ends import ALLIES, CAPTURE, ESCAPED, RESIGNATION, SHEET, TIME
from boardrules.fuhrer.facts import (
    EMPTY_SHEET,
    TOKEN_LAG_ROUNDS,
    AnnouncedTurn,
    Events,
    FuhrerFacts,
    GivenAnswer,
    HitlerSheet,
    SheetKeeper,
    Stage,
    StageResult,
    knowledge_after_answer,
    marks_before_turn,
    seat_to_undo_answer,
)
from boardrules.fuhrer.maps import city_numbers
from boardrules.fuhrer.movement import PublicTurn
from boardrules.fuhrer.stages import HITLER_SEATS, SPY_QUESTION_STAGE, NamedStage, begin_roll, end_game


class PaperStartStage(NamedStage):
    """F03: Hitler writes down where he starts."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: SheetEntry) -> StageResult:
        """Round 1 begins."""
        return begin_first_round(facts, EMPTY_SHEET)


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
        here = action.written_text == actions.YES
        if self.piece == INFANTRY:
            return finish_infantry_turn(facts, sheet, facts.city_by_piece, here, (), undo=HITLER)
        choices, city = facts.rules.choices, asked_city(facts, SPY)
        facts = replace(
            facts,
            knowledge=knowledge_after_answer(facts, facts.knowledge, SPY, city, here),
            undo_seat=HITLER,
            offering_seat=None,
        )  # H6
        events = (choices.answer_events[city][here],)
        asked = facts.asked_cities
        if answered_question_count(facts) < len(asked):
            return StageResult(facts, sheet, possible_answers(facts, SPY), events)
        left = (
            ()
            if len(asked) == 2 or facts.rules.asks_both_first
            else choices.spy_questions[facts.city_by_piece[SPY], asked]
        )
        if len(left) < 2:  # `done` alone
            return begin_roll(facts, sheet, INFANTRY, HITLER, events)
        facts = replace(facts, stage=SPY_QUESTION_STAGE, acting_seats=facts.rules.seats_by_piece[SPY])
        return StageResult(facts, sheet, left, events)


class PaperSheetStage(NamedStage):
    """The game is over; what is missing is the sheet."""

    is_result_settled = True

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        """How it has ended if the sheet holds."""
        super().__init__(f"sheet-{outcome.reason}")

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: actions.EnteredSheet) -> StageResult:
        """A sheet that does not hold loses."""
        found = audits.audit(facts.rules, facts.knowledge.log, action.entries)
        events: Events = (Event("sheet", (("start", ""), ("entries", " ".join(action.entries)))),)
        if found is None:
            return end_game(facts, sheet, self.outcome, (*events, Event("audit", (("thing", "holds"),))))
        wrong = Event("audit", (("thing", found.code), ("round", found.round), ("at", found.city)))
        return end_game(facts, sheet, Outcome(ALLIES, SHEET), (*events, wrong))


PAPER_START_STAGE: Final = PaperStartStage("choose")
PAPER_ENTRY_STAGE: Final = PaperEntryStage("write")
ANSWER_STAGES: Final = {piece: PaperAnswerStage("answer", piece) for piece in (SPY, INFANTRY)}
SHEET_STAGES: Final = {
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

    turn_stage: Stage = PAPER_ENTRY_STAGE

    def begin_hiding(self, facts: FuhrerFacts, sheet: HitlerSheet, events: Events) -> StageResult:
        """Hitler's choice comes next."""
        legal = (interned_action(SheetEntry, facts.rules.board, HITLER, (), None, None),)
        return StageResult(
            replace(facts, stage=PAPER_START_STAGE, acting_seats=HITLER_SEATS), sheet, legal, events
        )

    def turn_actions(self, facts: FuhrerFacts, sheet: HitlerSheet) -> tuple[Action, ...]:
        """All that Hitler may say of an entry."""
        return possible_announcements(facts)

    def answer_question(self, facts: FuhrerFacts, sheet: HitlerSheet, action: SpyQuestion) -> StageResult:
        """The answer is Hitler's."""
        asked = facts.asked_cities + action.cities
        facts = facts.advance_to(
            ANSWER_STAGES[SPY], HITLER_SEATS, undo=seat_to_undo_answer(facts), asked=asked
        )
        event = Event("asked", (("at", " ".join(facts.rules.board.ids[city] for city in action.cities)),))
        return StageResult(facts, sheet, possible_answers(facts, SPY), (event,))

    def finish_infantry_move(
        self, facts: FuhrerFacts, sheet: HitlerSheet, at: tuple[int, ...], events: Events
    ) -> StageResult:
        """Hitler says whether he is caught."""
        facts = facts.advance_to(
            ANSWER_STAGES[INFANTRY], HITLER_SEATS, undo=seat_to_undo_answer(facts), at=at
        )
        return StageResult(facts, sheet, possible_answers(facts, INFANTRY), events)

    def end_game(
        self, facts: FuhrerFacts, sheet: HitlerSheet, outcome: Outcome, events: Events
    ) -> StageResult:
        """The sheet is asked for, unless Hitler has given up or has run out of time, or never began."""
        if isinstance(
            facts.stage, PaperSheetStage
        ):  # he enters no sheet: then nothing is left of what he has won
            found = facts.stage.outcome
            return end_game(facts, sheet, found if found.winner == ALLIES else outcome, events)
        if outcome not in SHEET_STAGES or facts.round == 0:
            return end_game(facts, sheet, outcome, events)
        undo = facts.undo_seat if outcome.reason in (CAPTURE, ESCAPED) else None  # by his answer: H6
        facts = replace(
            facts, stage=SHEET_STAGES[outcome], acting_seats=HITLER_SEATS, undo_seat=undo, offering_seat=None
        )
        count = sum(isinstance(said, AnnouncedTurn) for said in facts.knowledge.log) + (
            not facts.rules.hitler_moves_first
        )
        return StageResult(facts, sheet, audits.PossibleSheets(facts, count), events)


KEEPERS: Final[tuple[SheetKeeper, SheetKeeper]] = (AutomaticAnswers(), PaperKeeper())
"""By whether the sheet is on paper who keeps it."""


def answered_question_count(facts: FuhrerFacts) -> int:
    """How many questions of the Spy have been answered this turn."""
    said = (said for said in facts.knowledge.log if isinstance(said, GivenAnswer))
    return sum(said.round == facts.round and said.piece == SPY for said in said)


def asked_city(facts: FuhrerFacts, piece: int) -> int:
    """The city that is asked about."""
    return (
        facts.city_by_piece[INFANTRY]
        if piece == INFANTRY
        else facts.asked_cities[answered_question_count(facts)]
    )


def possible_answers(facts: FuhrerFacts, piece: int) -> tuple[WordAction, ...]:
    """The answers that some sheet bears out."""
    rules, revealed = facts.rules, facts.knowledge
    there = rules.trap_rule.marks_of_cities(1 << asked_city(facts, piece))
    fits = {actions.YES: revealed.possible_marks & there, actions.NO: revealed.possible_marks & ~there}
    return tuple(rules.choices.word_actions[HITLER, text] for text, marks in fits.items() if marks)


def possible_announcements(facts: FuhrerFacts) -> tuple[SheetEntry, ...]:
    """All that Hitler may say of an entry: what some sheet bears out."""
    rules, revealed = facts.rules, facts.knowledge
    tokens: Iterator[int | None] | tuple[None] = (None,)
    if facts.round > TOKEN_LAG_ROUNDS:
        tokens = city_numbers(rules.trap_rule.cities_of_marks(revealed.earlier_possible))
    legal = []
    for token in tokens:
        before = marks_before_turn(facts, -1 if token is None else token)
        if not before:
            continue
        for origins in rules.choices.origins[revealed.tickets_left]:
            if rules.trap_rule.marks_after_turn(before, PublicTurn(facts.flags, origins)):
                legal.append(_sheet_entry(facts, origins, None, token))
        for city in city_numbers(rules.trap_rule.cities_of_marks(before) & facts.flags):
            legal.append(_sheet_entry(facts, (), city, token))
    return tuple(legal)


def _sheet_entry(
    facts: FuhrerFacts, origins: Origins, recapture: int | None, token: int | None
) -> SheetEntry:
    return interned_action(SheetEntry, facts.rules.board, HITLER, origins, recapture, token)
