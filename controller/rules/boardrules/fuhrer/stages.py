"""The turns as a table of stages: each takes one action and says what comes next.

A round is: Hitler, then Tank, Spy and Infantry, each of which rolls and moves; the Spy asks after its move.
What depends on who keeps Hitler's sheet, the umpire or Hitler himself on paper, is asked of `facts.keeper`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from boardrules.core import CHANCE, Action, Event, Outcome, Seat
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import (
    HITLER,
    INFANTRY,
    PIECES,
    SPY,
    TANK,
    DieFace,
    MovePiece,
    PlacePiece,
    SpyQuestion,
)
from boardrules.fuhrer.ends import over_event
from boardrules.fuhrer.facts import (
    Events,
    FuhrerFacts,
    HitlerKnowledge,
    HitlerSheet,
    StageResult,
    seat_to_undo_answer,
)
from boardrules.fuhrer.liberation import flag_event

_CHANCE_SEATS: Final = (CHANCE,)
HITLER_SEATS: Final = (HITLER,)


class NamedStage:
    """A stage. There is one object for each name and piece."""

    is_result_settled = False
    """Whether the result stands already, and only what bears it out is awaited."""

    def __init__(self, name: str, piece: int = -1) -> None:
        self.name = name
        """As views tell it."""
        self.piece = piece
        """The Allied piece whose turn it is, or -1."""
        _stages_by_name[name, piece] = self

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Any) -> StageResult:
        """Carry out an action that is legal here."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedStage) and (self.name, self.piece) == (other.name, other.piece)

    def __hash__(self) -> int:
        return hash((self.name, self.piece))

    def __repr__(self) -> str:
        return f"<stage {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _stage_by_name, (self.name, self.piece)


_stages_by_name: dict[tuple[str, int], NamedStage] = {}


def _stage_by_name(name: str, piece: int) -> NamedStage:
    return _stages_by_name[name, piece]


class PlacingStage(NamedStage):
    """F03, G19: the Allies put a piece on a city of their choice."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: PlacePiece) -> StageResult:
        """The next piece is next; after Infantry Hitler chooses."""
        rules = facts.rules
        told = Event("placed", (("piece", PIECES[self.piece]), ("at", rules.board.ids[action.city])))
        at, undo = (*facts.city_by_piece, action.city), rules.owners[self.piece]
        facts = replace(facts, city_by_piece=at, undo_seat=undo, offering_seat=None)
        if self.piece == INFANTRY:
            return facts.keeper.begin_hiding(facts, sheet, (told,))
        piece = self.piece + 1
        return begin_placing(
            replace(facts, stage=PLACING_STAGES[piece], acting_seats=rules.seats_by_piece[piece]),
            sheet,
            (told,),
        )


class TankChoiceStage(NamedStage):
    """X5: the Tank says that it stays, or liberates, or that it wants to roll."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: actions.WordAction) -> StageResult:
        """A Tank that stays needs no roll."""
        if action.written_text != actions.ROLL:
            return finish_tank_stay(facts, sheet, said=action.written_text == actions.LIBERATE)
        return begin_roll(facts, sheet, TANK, None, ())


class RollingStage(NamedStage):
    """F06: the three-sided die."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: DieFace) -> StageResult:
        """G21: the destination is chosen afterwards."""
        rules, piece, die = facts.rules, self.piece, action.face
        legal = rules.choices.moves_by_die[piece, facts.city_by_piece[piece]][die]
        undo = seat_to_undo_answer(facts) if piece == INFANTRY else None
        facts = facts.advance_to(MOVING_STAGES[piece], rules.seats_by_piece[piece], undo=undo, die=die)
        return StageResult(facts, sheet, legal, rules.choices.roll_events[piece][die])


class TankMoveStage(NamedStage):
    """F06, F08."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> StageResult:
        """A Tank that has moved liberates nothing."""
        if not isinstance(action, MovePiece):
            return finish_tank_stay(facts, sheet, said=False)
        at = (action.target, facts.city_by_piece[SPY], facts.city_by_piece[INFANTRY])
        facts = facts.advance_to(ROLLING_STAGES[SPY], _CHANCE_SEATS, undo=facts.rules.owners[TANK], at=at)
        return StageResult(facts, sheet, facts.rules.choices.die_faces, action.events_by_piece[TANK])


class SpyMoveStage(NamedStage):
    """F06, G22: the Spy may ask whether it has moved or not."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> StageResult:
        """It asks next."""
        at, events = facts.city_by_piece, STAY_EVENTS[SPY]
        if isinstance(action, MovePiece):
            at, events = (at[TANK], action.target, at[INFANTRY]), action.events_by_piece[SPY]
        facts = facts.advance_to(SPY_QUESTION_STAGE, facts.acting_seats, undo=facts.acting_seats[0], at=at)
        return StageResult(facts, sheet, facts.rules.choices.spy_questions[at[SPY], ()], events)


class SpyQuestionStage(NamedStage):
    """F09: none, one or two cities, one after the other (G5)."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> StageResult:
        """The answer, then the next question, or Infantry's turn."""
        if isinstance(action, SpyQuestion):
            return facts.keeper.answer_question(facts, sheet, action)
        return begin_roll(facts, sheet, INFANTRY, seat_to_undo_answer(facts), ())


class InfantryMoveStage(NamedStage):
    """F06, F11."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> StageResult:
        """G2, G4: only where it ends its turn counts, moved or not."""
        at, events = facts.city_by_piece, STAY_EVENTS[INFANTRY]
        if isinstance(action, MovePiece):
            at, events = (at[TANK], at[SPY], action.target), action.events_by_piece[INFANTRY]
        return facts.keeper.finish_infantry_move(facts, sheet, at, events)


class GameOverStage(NamedStage):
    """The game has ended."""


PLACING_STAGES: Final = tuple(PlacingStage("place", piece) for piece in range(len(PIECES)))
TANK_CHOICE_STAGE: Final = TankChoiceStage("tank", TANK)
ROLLING_STAGES: Final = tuple(RollingStage("roll", piece) for piece in range(len(PIECES)))
MOVING_STAGES: Final = (
    TankMoveStage("move", TANK),
    SpyMoveStage("move", SPY),
    InfantryMoveStage("move", INFANTRY),
)
SPY_QUESTION_STAGE: Final = SpyQuestionStage("ask", SPY)
GAME_OVER_STAGE: Final = GameOverStage("over")

STAY_EVENTS: Final[tuple[Events, ...]] = tuple((Event("stayed", (("piece", piece),)),) for piece in PIECES)
"""By piece the events of one that stays."""


# What begins a stage


def begin_placing(facts: FuhrerFacts, sheet: HitlerSheet, events: Events) -> StageResult:
    """The Allies place a piece: on any city, or one that has none yet (X3)."""
    rules = facts.rules
    legal = rules.choices.place_actions[facts.stage.piece]
    if rules.needs_different_starts:
        legal = tuple([place for place in legal if place.city not in facts.city_by_piece])
    return StageResult(facts, sheet, legal, events)


def begin_tank_turn(facts: FuhrerFacts, sheet: HitlerSheet, undo: Seat | None, events: Events) -> StageResult:
    """The Tank's turn begins; a flag that has waited for it goes up (T16)."""
    rules, city = facts.rules, facts.city_by_piece[TANK]
    if facts.rising_flags:
        events = (*events, flag_event("liberated", rules.board.ids[city]))
        facts = replace(facts, flags=facts.flags | facts.rising_flags, rising_flags=0)
    if rules.must_roll:
        return begin_roll(facts, sheet, TANK, undo, events)
    facts = facts.advance_to(TANK_CHOICE_STAGE, rules.seats_by_piece[TANK], undo=undo)
    may_liberate = rules.liberation.needs_declaration and not facts.flags >> city & 1
    return StageResult(facts, sheet, rules.choices.tank_choices[may_liberate], events)


def begin_roll(
    facts: FuhrerFacts,
    sheet: HitlerSheet,
    piece: int,
    undo: Seat | None,
    events: Events,
    revealed: HitlerKnowledge | None = None,
) -> StageResult:
    """The die is thrown for a piece; `revealed` is given where it has changed."""
    facts = facts.advance_to(ROLLING_STAGES[piece], _CHANCE_SEATS, undo=undo, revealed=revealed)
    return StageResult(facts, sheet, facts.rules.choices.die_faces, events)


def finish_tank_stay(facts: FuhrerFacts, sheet: HitlerSheet, said: bool) -> StageResult:
    """F08: the Tank ends its turn where it began it."""
    rules, city = facts.rules, facts.city_by_piece[TANK]
    freed = rules.liberation.result_of_staying(city, facts.flags, said)
    events = STAY_EVENTS[TANK]
    if freed.kind is not None:
        events = (*events, flag_event(freed.kind, rules.board.ids[city]))
    facts = facts.advance_to(
        ROLLING_STAGES[SPY], _CHANCE_SEATS, undo=rules.owners[TANK], flags=freed.flags, rising=freed.rising
    )
    return StageResult(facts, sheet, rules.choices.die_faces, events)


def begin_round(
    facts: FuhrerFacts,
    sheet: HitlerSheet,
    at: tuple[int, ...],
    revealed: HitlerKnowledge,
    undo: Seat | None,
    events: Events,
) -> StageResult:
    """F05: the calendar advances, and Hitler's turn begins."""
    rules, keeper, flags, number = facts.rules, facts.keeper, facts.flags, facts.round + 1
    if facts.falling_flags:  # X16
        events = (*events, flag_event("lowered", rules.board.space_ids(facts.falling_flags)[0]))
        flags &= ~facts.falling_flags
    facts = facts.advance_to(
        keeper.turn_stage,
        HITLER_SEATS,
        undo=undo,
        round=number,
        at=at,
        flags=flags,
        falling=0,
        revealed=revealed,
    )
    return StageResult(
        facts, sheet, keeper.turn_actions(facts, sheet), (*events, rules.choices.calendar_events[number])
    )


def end_game(facts: FuhrerFacts, sheet: HitlerSheet, outcome: Outcome, events: Events) -> StageResult:
    """The game ends."""
    facts = replace(
        facts, stage=GAME_OVER_STAGE, acting_seats=(), outcome=outcome, undo_seat=None, offering_seat=None
    )
    return StageResult(facts, sheet, (), (*events, over_event(outcome)))
