"""Who keeps Hitler's sheet: the umpire, who then answers for him and finds him by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from boardrules.core import Action, Event, Outcome, Seat
from boardrules.fuhrer.actions import (
    HITLER,
    INFANTRY,
    SPY,
    UNTOLD_ORIGIN,
    ChooseStart,
    HitlerTurn,
    Recapture,
    SpyQuestion,
)
from boardrules.fuhrer.ends import CAPTURE, ESCAPED, MAX_ROUNDS, outcome_of_loss
from boardrules.fuhrer.facts import (
    TOKEN_LAG_ROUNDS,
    Events,
    FuhrerFacts,
    HitlerSheet,
    Stage,
    StageResult,
    knowledge_after_answer,
    knowledge_after_turn,
)
from boardrules.fuhrer.liberation import flag_event
from boardrules.fuhrer.movement import MAX_BARRING_DISTANCE, PublicTurn
from boardrules.fuhrer.stages import (
    HITLER_SEATS,
    SPY_QUESTION_STAGE,
    NamedStage,
    begin_roll,
    begin_round,
    begin_tank_turn,
    end_game,
)


class StartStage(NamedStage):
    """F03: Hitler chooses where he starts, knowing where the Allies stand; any city will do (G1)."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: ChooseStart) -> StageResult:
        """Round 1 begins: with the Allies' turns, or with his (X1)."""
        entries = () if facts.rules.hitler_moves_first else (action.city,)  # X2
        return begin_first_round(facts, HitlerSheet(1 << action.city, action.city, entries, action.city))


class HitlerTurnStage(NamedStage):
    """F14: an end city and the tickets that it took; or a re-capture."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: HitlerTurn | Recapture) -> StageResult:
        """The entry is written, tickets and re-captures are announced, the token follows."""
        if isinstance(action, HitlerTurn):
            city, turn = action.city, PublicTurn(facts.flags, action.origins)
        else:
            city, turn = sheet.city, PublicTurn(facts.flags, (), sheet.city)
        entries = (*sheet.entries, city)
        sheet = HitlerSheet(
            facts.rules.trap_rule.own_mark_after_turn(sheet.mark, city, turn), city, entries, sheet.start
        )
        late = facts.round - TOKEN_LAG_ROUNDS - 1
        return announce_turn(facts, sheet, turn, entries[late] if late >= 0 else -1)


START_STAGE: Final = StartStage("hide")
HITLER_TURN_STAGE: Final = HitlerTurnStage("hitler")


class AutomaticAnswers:
    """`sheet=umpire`: every turn is entered, answers follow by themselves."""

    turn_stage: Stage = HITLER_TURN_STAGE
    """The stage of Hitler's turn."""

    def begin_hiding(self, facts: FuhrerFacts, sheet: HitlerSheet, events: Events) -> StageResult:
        """Hitler's choice comes next."""
        facts = replace(facts, stage=START_STAGE, acting_seats=HITLER_SEATS)
        return StageResult(facts, sheet, facts.rules.choices.start_actions, events)

    def turn_actions(self, facts: FuhrerFacts, sheet: HitlerSheet) -> tuple[Action, ...]:
        """All that Hitler may do: where his turn may end, by the tickets it takes, and a re-capture."""
        rules, choices, flags, city = facts.rules, facts.rules.choices, facts.flags, sheet.city
        legal = choices.hitler_walks[
            sheet.mark, city, flags & rules.board.cities_within[city][MAX_BARRING_DISTANCE]
        ]
        flights = choices.flights[facts.knowledge.tickets_left][city]
        if flights and not rules.trap_rule.trapped_marks(sheet.mark, flags):
            for origins in flights:
                legal += choices.hitler_turns[
                    origins, rules.flight_rule.end_cities(1 << city, flags, origins)
                ]
        return legal

    def answer_question(self, facts: FuhrerFacts, sheet: HitlerSheet, action: SpyQuestion) -> StageResult:
        """F10: the true answer, at once."""
        rules = facts.rules
        revealed = facts.knowledge
        events: Events = ()
        for city in action.cities:
            here = bool(rules.marks_by_city[city] & sheet.mark)
            revealed = knowledge_after_answer(facts, revealed, SPY, city, here)
            events += (rules.choices.answer_events[city][here],)
        asked = facts.asked_cities + action.cities
        left = (
            ()
            if len(asked) == 2 or rules.asks_both_first
            else rules.choices.spy_questions[facts.city_by_piece[SPY], asked]
        )
        if len(left) < 2:  # `done` alone
            return begin_roll(facts, sheet, INFANTRY, None, events, revealed)
        return StageResult(
            facts.advance_to(SPY_QUESTION_STAGE, facts.acting_seats, asked=asked, revealed=revealed),
            sheet,
            left,
            events,
        )

    def finish_infantry_move(
        self, facts: FuhrerFacts, sheet: HitlerSheet, at: tuple[int, ...], events: Events
    ) -> StageResult:
        """Infantry has ended its turn: he is caught, has escaped, or the next round begins (F11, F22)."""
        here = bool(facts.rules.marks_by_city[at[INFANTRY]] & sheet.mark)
        return finish_infantry_turn(facts, sheet, at, here, events)

    def end_game(
        self, facts: FuhrerFacts, sheet: HitlerSheet, outcome: Outcome, events: Events
    ) -> StageResult:
        """G25: the sheet is shown whole, if anything stands on it."""
        return end_game(
            facts, sheet, outcome, (*events, sheet_event(facts, sheet)) if sheet.entries else events
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


def begin_first_round(facts: FuhrerFacts, sheet: HitlerSheet) -> StageResult:
    """Round 1, once Hitler has chosen."""
    events = (Event("hidden", ()),)
    if facts.rules.hitler_moves_first:
        facts = facts.advance_to(facts.keeper.turn_stage, HITLER_SEATS, undo=HITLER, round=1)
        legal = facts.keeper.turn_actions(facts, sheet)
        return StageResult(facts, sheet, legal, (*events, facts.rules.choices.calendar_events[1]))
    return begin_tank_turn(
        replace(facts, round=1), sheet, HITLER, (*events, facts.rules.choices.calendar_events[1])
    )


def announce_turn(facts: FuhrerFacts, sheet: HitlerSheet, turn: PublicTurn, token: int) -> StageResult:
    """Hitler has made his turn: what everybody is told (G13, G14), then the Tank's turn."""
    rules, flags, falling = facts.rules, facts.flags, facts.falling_flags
    events = [rules.choices.hitler_moved_events[facts.round]]
    for flown, airport in enumerate(turn.origins, 1):
        left: tuple[tuple[str, object], ...] = (("left", facts.knowledge.tickets_left - flown),)
        origin = () if airport == UNTOLD_ORIGIN else (("from", rules.board.ids[airport]),)
        events.append(Event("ticket" if airport == UNTOLD_ORIGIN else "flight", (*origin, *left)))
    if turn.recaptured_city >= 0:
        bit = 1 << turn.recaptured_city
        flags, falling = (flags & ~bit, 0) if rules.recaptures_at_once else (flags, bit)  # F17, X16
        events.append(flag_event("recaptured", rules.board.ids[turn.recaptured_city]))
    if token >= 0:
        events.append(rules.choices.token_events[token])
    undo = HITLER if not turn.origins and turn.recaptured_city < 0 else None
    facts = facts.advance_to(
        facts.stage,
        facts.acting_seats,
        flags=flags,
        falling=falling,
        revealed=knowledge_after_turn(facts, turn, token),
    )
    return begin_tank_turn(facts, sheet, undo, tuple(events))


def finish_infantry_turn(
    facts: FuhrerFacts,
    sheet: HitlerSheet,
    at: tuple[int, ...],
    here: bool,
    events: Events,
    undo: Seat | None = None,
) -> StageResult:
    """Whether Hitler is where Infantry has ended its turn: the end of the round, or of the game.

    `undo`: who may ask to take that back.
    """
    city = at[INFANTRY]
    revealed = knowledge_after_answer(facts, facts.knowledge, INFANTRY, city, here)
    if not here and facts.round < MAX_ROUNDS:
        return begin_round(facts, sheet, at, revealed, undo, events)
    facts = replace(facts, city_by_piece=at, die=0, knowledge=revealed, undo_seat=undo)
    if here:
        events = (*events, flag_event("captured", facts.rules.board.ids[city]))
        return facts.keeper.end_game(facts, sheet, outcome_of_loss(HITLER, CAPTURE), events)
    return facts.keeper.end_game(facts, sheet, Outcome(HITLER, ESCAPED), events)


def sheet_event(facts: FuhrerFacts, sheet: HitlerSheet) -> Event:
    """The whole sheet, for everybody."""
    ids = facts.rules.board.ids
    start = "" if sheet.start < 0 else ids[sheet.start]
    entries = " ".join(ids[city] for city in sheet.entries)
    return Event("sheet", (("start", start), ("entries", entries)))
