"""A position, split into what everybody at the table knows (`FuhrerFacts`) and what is hidden
(`HitlerSheet`).

All that may be shown in public is made from `FuhrerFacts` alone: the spectator's view, `layout`, `steps`,
public refusals, the possible places. So nothing there can tell where Hitler is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from boardrules.core import Action, Event, Outcome, Seat
from boardrules.fuhrer.actions import HITLER, SpyQuestion
from boardrules.fuhrer.maps import Cities
from boardrules.fuhrer.movement import Marks, PublicTurn
from boardrules.fuhrer.rules import FuhrerRules

ALL_MARKS: Final[Marks] = -1
"""Every mark there is."""
TOKEN_LAG_ROUNDS: Final = 2
"""F13: by how many rounds the token is late."""


class GivenAnswer(NamedTuple):
    """Whether Hitler is in a city, as he told: asked by the Spy, or by Infantry that ended its turn there."""

    round: int
    piece: int
    city: int
    is_here: bool


class AnnouncedTurn(NamedTuple):
    """What everybody heard of a turn of Hitler."""

    round: int
    turn: PublicTurn
    token: int
    """F13: the city of the entry two rounds ago, or -1."""


class HitlerKnowledge(NamedTuple):
    """What is known of Hitler: what he told so far, and where he may be by that."""

    tickets_left: int
    """How many are left."""
    possible_marks: Marks
    """Exactly the marks that public knowledge leaves."""
    marks_since_turn: Marks
    """What the answers since his last turn leave."""
    earlier_possible: Marks
    """The marks that were left for the entry before the last, once its round was over."""
    last_turn: PublicTurn
    """His last turn."""
    log: tuple[GivenAnswer | AnnouncedTurn, ...]
    """All answers and turns, in order."""


class HitlerSheet(NamedTuple):
    """What Hitler alone knows."""

    mark: Marks
    """Where he is, as a set of one mark; 0 before he has chosen."""
    city: int
    """The same as a city, or -1."""
    entries: tuple[int, ...]
    """F12: by round the city in which he ended his turn."""
    start: int
    """Where he began, or -1."""

    def __repr__(self) -> str:
        return "<hidden sheet>"


EMPTY_SHEET: Final = HitlerSheet(0, -1, (), -1)


@dataclass(slots=True, unsafe_hash=True)
class FuhrerFacts:
    """What everybody at the table knows of a position."""

    rules: Final[FuhrerRules]
    keeper: Final[SheetKeeper]
    """Who keeps Hitler's sheet."""
    stage: Final[Stage]
    """What happens next ..."""
    acting_seats: Final[tuple[Seat, ...]]
    """... and whose it is."""
    round: Final[int]
    """0 until the set-up is done."""
    city_by_piece: Final[tuple[int, ...]]
    """By Allied piece its city; pieces that are not set up yet are missing."""
    flags: Final[Cities]
    rising_flags: Final[Cities]
    """`liberation=full-round`: the city that is being liberated."""
    falling_flags: Final[Cities]
    """`recapture=round_end`: the city whose flag goes at the end of the round."""
    die: Final[int]
    """What was rolled for the piece that moves, else 0."""
    asked_cities: Final[tuple[int, ...]]
    """The cities that the Spy has named this turn."""
    knowledge: Final[HitlerKnowledge]
    undo_seat: Final[Seat | None]
    """H1: the seat that may ask to take its last action back."""
    offering_seat: Final[Seat | None]
    """H1: the seat that has asked."""
    outcome: Final[Outcome | None]

    def advance_to(
        self,
        stage: Stage,
        waits: tuple[Seat, ...],
        *,
        undo: Seat | None = None,
        round: int | None = None,
        at: tuple[int, ...] | None = None,
        flags: Cities | None = None,
        rising: Cities | None = None,
        falling: Cities | None = None,
        die: int = 0,
        asked: tuple[int, ...] = (),
        revealed: HitlerKnowledge | None = None,
    ) -> FuhrerFacts:
        """The facts of the next stage: no offer is open, die and questions are over unless they are given."""
        return FuhrerFacts(  # by position: every action comes by here, and names take a tenth more time
            self.rules, self.keeper, stage, waits,
            self.round if round is None else round,
            self.city_by_piece if at is None else at,
            self.flags if flags is None else flags,
            self.rising_flags if rising is None else rising,
            self.falling_flags if falling is None else falling,
            die, asked,
            self.knowledge if revealed is None else revealed,
            undo, None, self.outcome,
        )  # fmt: skip


Events = tuple[Event, ...]


class StageResult:
    """What comes of an action."""

    __slots__ = ("events", "facts", "legal_actions", "sheet")

    def __init__(
        self, facts: FuhrerFacts, sheet: HitlerSheet, legal: Collection[Action], events: Events
    ) -> None:
        self.facts: Final = facts
        self.sheet: Final = sheet
        self.legal_actions: Final = legal
        """The actions that are legal next."""
        self.events: Final = events


class Stage(Protocol):
    """One point of a round, as `stages` lists them."""

    @property
    def name(self) -> str:
        """As views tell it."""

    @property
    def piece(self) -> int:
        """The Allied piece whose turn it is, or -1."""

    @property
    def is_result_settled(self) -> bool:
        """Whether the result stands already, and only what bears it out is awaited."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: Any) -> StageResult:
        """Carry out an action that is legal here."""


class SheetKeeper(Protocol):
    """Who keeps Hitler's sheet: the umpire, or he himself on paper."""

    @property
    def turn_stage(self) -> Stage:
        """The stage of Hitler's turn."""

    def begin_hiding(self, facts: FuhrerFacts, sheet: HitlerSheet, events: Events) -> StageResult:
        """Hitler's choice of a start comes next."""

    def turn_actions(self, facts: FuhrerFacts, sheet: HitlerSheet) -> tuple[Action, ...]:
        """All that Hitler may do in his turn."""

    def answer_question(self, facts: FuhrerFacts, sheet: HitlerSheet, action: SpyQuestion) -> StageResult:
        """The Spy has asked."""

    def finish_infantry_move(
        self, facts: FuhrerFacts, sheet: HitlerSheet, at: tuple[int, ...], events: Events
    ) -> StageResult:
        """Infantry has ended its turn, and the pieces stand in the cities `at`."""

    def end_game(
        self, facts: FuhrerFacts, sheet: HitlerSheet, outcome: Outcome, events: Events
    ) -> StageResult:
        """The game is over."""


def seat_to_undo_answer(facts: FuhrerFacts) -> Seat | None:
    """H6: Hitler, while it is an answer of his that can be taken back, whatever the Allies did after it."""
    return HITLER if facts.undo_seat == HITLER else None


def knowledge_after_answer(
    facts: FuhrerFacts, revealed: HitlerKnowledge, piece: int, city: int, here: bool
) -> HitlerKnowledge:
    """What is known once a piece has been told whether Hitler is in a city (F10, F11)."""
    there = facts.rules.marks_by_city[city]
    marks = there if here else ~there
    said = GivenAnswer(facts.round, piece, city, here)
    possible, kept = revealed.possible_marks & marks, revealed.marks_since_turn & marks
    return HitlerKnowledge(
        revealed.tickets_left,
        possible,
        kept,
        revealed.earlier_possible,
        revealed.last_turn,
        (*revealed.log, said),
    )


def marks_before_turn(facts: FuhrerFacts, token: int) -> Marks:
    """The marks left for the last entry, once the token has told the one before it (-1: it didn't, F13)."""
    rules, revealed = facts.rules, facts.knowledge
    if token < 0:
        return revealed.possible_marks
    return (
        rules.trap_rule.marks_after_turn(
            revealed.earlier_possible & rules.marks_by_city[token], revealed.last_turn
        )
        & revealed.marks_since_turn
    )


def knowledge_after_turn(facts: FuhrerFacts, turn: PublicTurn, token: int) -> HitlerKnowledge:
    """What is known once Hitler has made his turn."""
    revealed = facts.knowledge
    before = marks_before_turn(facts, token)
    return HitlerKnowledge(
        tickets_left=revealed.tickets_left - len(turn.origins),
        possible_marks=facts.rules.trap_rule.marks_after_turn(before, turn),
        marks_since_turn=ALL_MARKS,
        earlier_possible=before,
        last_turn=turn,
        log=(*revealed.log, AnnouncedTurn(facts.round, turn, token)),
    )
