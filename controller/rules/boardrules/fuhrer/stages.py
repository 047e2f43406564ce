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
    undo_of_answer,
)
from boardrules.fuhrer.liberation import event

_CHANCE: Final = (CHANCE,)
HITLERS: Final = (HITLER,)


class NamedStage:
    """A stage. There is one object for each name and piece."""

    settled = False
    """Whether the result stands already, and only what bears it out is awaited."""

    def __init__(self, name: str, piece: int = -1) -> None:
        self.name = name
        """As views tell it."""
        self.piece = piece
        """The Allied piece whose turn it is, or -1."""
        _points[name, piece] = self

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
        return _point, (self.name, self.piece)


_points: dict[tuple[str, int], NamedStage] = {}


def _point(name: str, piece: int) -> NamedStage:
    return _points[name, piece]


class PlacingStage(NamedStage):
    """F03, G19: the Allies put a piece on a city of their choice."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: PlacePiece) -> StageResult:
        """The next piece is next; after Infantry Hitler chooses."""
        rules = facts.rules
        told = Event("placed", (("piece", PIECES[self.piece]), ("at", rules.board.ids[action.city])))
        at, undo = (*facts.at, action.city), rules.owners[self.piece]
        facts = replace(facts, at=at, undo=undo, offer=None)
        if self.piece == INFANTRY:
            return facts.keeper.hiding(facts, sheet, (told,))
        piece = self.piece + 1
        return to_place(replace(facts, stage=PLACING[piece], waits=rules.waits[piece]), sheet, (told,))


class TankChoiceStage(NamedStage):
    """X5: the Tank says that it stays, or liberates, or that it wants to roll."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: actions.WordAction) -> StageResult:
        """A Tank that stays needs no roll."""
        if action.words != actions.ROLL:
            return tank_stayed(facts, sheet, said=action.words == actions.LIBERATE)
        return to_roll(facts, sheet, TANK, None, ())


class RollingStage(NamedStage):
    """F06: the three-sided die."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: DieFace) -> StageResult:
        """G21: the destination is chosen afterwards."""
        rules, piece, die = facts.rules, self.piece, action.face
        legal = rules.choices.moves[piece, facts.at[piece]][die]
        undo = undo_of_answer(facts) if piece == INFANTRY else None
        facts = facts.then(MOVING[piece], rules.waits[piece], undo=undo, die=die)
        return StageResult(facts, sheet, legal, rules.choices.rolled[piece][die])


class TankMoveStage(NamedStage):
    """F06, F08."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> StageResult:
        """A Tank that has moved liberates nothing."""
        if not isinstance(action, MovePiece):
            return tank_stayed(facts, sheet, said=False)
        at = (action.to, facts.at[SPY], facts.at[INFANTRY])
        facts = facts.then(ROLLING[SPY], _CHANCE, undo=facts.rules.owners[TANK], at=at)
        return StageResult(facts, sheet, facts.rules.choices.faces, action.told[TANK])


class SpyMoveStage(NamedStage):
    """F06, G22: the Spy may ask whether it has moved or not."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> StageResult:
        """It asks next."""
        at, events = facts.at, STAYED[SPY]
        if isinstance(action, MovePiece):
            at, events = (at[TANK], action.to, at[INFANTRY]), action.told[SPY]
        facts = facts.then(ASKING, facts.waits, undo=facts.waits[0], at=at)
        return StageResult(facts, sheet, facts.rules.choices.asks[at[SPY], ()], events)


class SpyQuestionStage(NamedStage):
    """F09: none, one or two cities, one after the other (G5)."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> StageResult:
        """The answer, then the next question, or Infantry's turn."""
        if isinstance(action, SpyQuestion):
            return facts.keeper.asked(facts, sheet, action)
        return to_roll(facts, sheet, INFANTRY, undo_of_answer(facts), ())


class InfantryMoveStage(NamedStage):
    """F06, F11."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> StageResult:
        """G2, G4: only where it ends its turn counts, moved or not."""
        at, events = facts.at, STAYED[INFANTRY]
        if isinstance(action, MovePiece):
            at, events = (at[TANK], at[SPY], action.to), action.told[INFANTRY]
        return facts.keeper.arrived(facts, sheet, at, events)


class GameOverStage(NamedStage):
    """The game has ended."""


PLACING: Final = tuple(PlacingStage("place", piece) for piece in range(len(PIECES)))
TANK_FIRST: Final = TankChoiceStage("tank", TANK)
ROLLING: Final = tuple(RollingStage("roll", piece) for piece in range(len(PIECES)))
MOVING: Final = (TankMoveStage("move", TANK), SpyMoveStage("move", SPY), InfantryMoveStage("move", INFANTRY))
ASKING: Final = SpyQuestionStage("ask", SPY)
OVER: Final = GameOverStage("over")

STAYED: Final[tuple[Events, ...]] = tuple((Event("stayed", (("piece", piece),)),) for piece in PIECES)
"""By piece the events of one that stays."""


# What begins a stage


def to_place(facts: FuhrerFacts, sheet: HitlerSheet, events: Events) -> StageResult:
    """The Allies place a piece: on any city, or one that has none yet (X3)."""
    rules = facts.rules
    legal = rules.choices.places[facts.stage.piece]
    if rules.apart:
        legal = tuple([place for place in legal if place.city not in facts.at])
    return StageResult(facts, sheet, legal, events)


def to_tank(facts: FuhrerFacts, sheet: HitlerSheet, undo: Seat | None, events: Events) -> StageResult:
    """The Tank's turn begins; a flag that has waited for it goes up (T16)."""
    rules, city = facts.rules, facts.at[TANK]
    if facts.rising:
        events = (*events, event("liberated", rules.board.ids[city]))
        facts = replace(facts, flags=facts.flags | facts.rising, rising=0)
    if rules.must_roll:
        return to_roll(facts, sheet, TANK, undo, events)
    facts = facts.then(TANK_FIRST, rules.waits[TANK], undo=undo)
    may_liberate = rules.liberation.declared and not facts.flags >> city & 1
    return StageResult(facts, sheet, rules.choices.tank_words[may_liberate], events)


def to_roll(
    facts: FuhrerFacts,
    sheet: HitlerSheet,
    piece: int,
    undo: Seat | None,
    events: Events,
    revealed: HitlerKnowledge | None = None,
) -> StageResult:
    """The die is thrown for a piece; `revealed` is given where it has changed."""
    facts = facts.then(ROLLING[piece], _CHANCE, undo=undo, revealed=revealed)
    return StageResult(facts, sheet, facts.rules.choices.faces, events)


def tank_stayed(facts: FuhrerFacts, sheet: HitlerSheet, said: bool) -> StageResult:
    """F08: the Tank ends its turn where it began it."""
    rules, city = facts.rules, facts.at[TANK]
    freed = rules.liberation.stayed(city, facts.flags, said)
    events = STAYED[TANK]
    if freed.kind is not None:
        events = (*events, event(freed.kind, rules.board.ids[city]))
    facts = facts.then(ROLLING[SPY], _CHANCE, undo=rules.owners[TANK], flags=freed.flags, rising=freed.rising)
    return StageResult(facts, sheet, rules.choices.faces, events)


def to_round(
    facts: FuhrerFacts,
    sheet: HitlerSheet,
    at: tuple[int, ...],
    revealed: HitlerKnowledge,
    undo: Seat | None,
    events: Events,
) -> StageResult:
    """F05: the calendar advances, and Hitler's turn begins."""
    rules, keeper, flags, number = facts.rules, facts.keeper, facts.flags, facts.round + 1
    if facts.falling:  # X16
        events = (*events, event("lowered", rules.board.spaces(facts.falling)[0]))
        flags &= ~facts.falling
    facts = facts.then(
        keeper.turning, HITLERS, undo=undo, round=number, at=at, flags=flags, falling=0, revealed=revealed
    )
    return StageResult(facts, sheet, keeper.ways(facts, sheet), (*events, rules.choices.calendar[number]))


def over(facts: FuhrerFacts, sheet: HitlerSheet, outcome: Outcome, events: Events) -> StageResult:
    """The game ends."""
    facts = replace(facts, stage=OVER, waits=(), outcome=outcome, undo=None, offer=None)
    return StageResult(facts, sheet, (), (*events, over_event(outcome)))
