"""A position, split into what everybody at the table knows (`ColditzFacts`) and what is hidden
(`HiddenCards`).

What may be shown in public is made from `ColditzFacts` alone: the spectator's view, `layout`, `steps`. Men
are told apart by numbers: first the guards, then each officer's men in turn. Sets of pawns are masks: bit p
is pawn p. None of these is changed once it is made. They have slots: to read a named tuple takes three times
as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from boardrules.colditz.state.rules import ColditzRules
from boardrules.core import Outcome

CHANCE_SIDE: Final = -1
DEPLOY: Final = "deploy"
BEFORE_ROLL: Final = "before"
AFTER_ROLL: Final = "main"
AFTER_SEARCH: Final = "searched"
"""The phases of a turn: the set-up of guards, before the roll, after it, after a General Search."""


@dataclass(slots=True, unsafe_hash=True)
class PendingTask:
    """Something that has to be done before the turn goes on: a throw, a draw, an answer."""

    kind: Final[str]
    side: Final[int]
    """Who has to act; `CHANCE_SIDE`: chance."""
    data: Final[tuple[Any, ...]] = ()


@dataclass(slots=True, unsafe_hash=True)
class ColditzTurn:
    """The turn that is played."""

    side: Final[int]
    phase: Final[str]
    throws: Final[tuple[tuple[int, int], ...]] = ()
    """The throws of the movement roll (R035)."""
    releases_left: Final[int] = 0
    """R050: how many men may still leave Solitary by doubles."""
    has_drawn: Final[bool] = False
    """R061: whether a card was drawn."""
    has_moved_guards: Final[bool] = False
    """Whether a guard was moved by points though men had refused (R073: then nobody may search)."""
    refusers: Final[int] = 0
    """R083: the men that ignored the Appel of this turn."""
    extra_escapes: Final[int] = 0
    """R143: how many more men the Kit that was used up covers."""
    overlooked_men: Final[int] = 0
    """A21: the men, returning or in the outer cells, that a point spent otherwise could have served."""
    trade_offers: Final[int] = 0
    """R093: how often each officer has offered a trade to each other one; see `collecting.offer_count`."""
    visited_nodes: Final[tuple[tuple[int, int], ...]] = ()
    """A23: pawn and node where it has stood, if `doubling_back` is forbidden."""
    daring_man: Final[int] = -1
    """`do_or_die`: the man that goes for it."""
    last_crossing: Final[tuple[int, int]] = (-1, -1)
    """R117: the crossing that a guard went over last, and the points that were left then. While as many
    are left, the guard stands where it came to."""


@dataclass(slots=True, unsafe_hash=True)
class TableFacts:
    """What changes more rarely, and everybody can see."""

    round: Final[int]
    supply: Final[tuple[int, ...]]
    """R013: by kind of Equipment the cards of the pile."""
    kits_left: Final[int]
    has_kit: Final[tuple[bool, ...]]
    """By side whether it holds an Escape Kit."""
    equipment_counts: Final[tuple[int, ...]]
    """R095: by side how many Equipment cards it holds."""
    hand_sizes: Final[tuple[int, ...]]
    """By side how many Opportunity or Security cards it holds that count (R063) ..."""
    part_counts: Final[tuple[int, ...]]
    """... and, with six players, parts of Kits that don't (R104)."""
    deck_sizes: Final[tuple[int, int, int]]
    """How many cards there are in the Opportunity deck, the Security deck and the pile of parts."""
    markers: Final[tuple[int, ...]]
    """By crossing the side whose Escape Attempt marker lies there, or 0 (R114). Each points outwards."""
    tunnels: Final[tuple[int, ...]]
    """By tunnel 0 closed, 1 open, 2 detected."""
    immune_men: Final[int]
    """A21: the men that can't be arrested on their way back ..."""
    men_on_free_way: Final[int]
    """... and those who pass the free entrances (R054)."""
    escape_counts: Final[tuple[int, ...]]
    """By side how many of its men have escaped."""
    left_sides: Final[int]
    """The sides that are out of the game (G18), as a mask."""
    do_or_die_sides: Final[int]
    """The sides that have their Do or Die card, as a mask ..."""
    do_or_die_values: Final[tuple[int, ...]]
    """... and the values that were not turned up yet."""
    outcome: Final[Outcome | None] = None


@dataclass(slots=True, unsafe_hash=True)
class ColditzFacts:
    """What everybody at the table knows of a position."""

    rules: Final[ColditzRules]
    node_by_pawn: Final[tuple[int, ...]]
    """By pawn its node or place."""
    men_nodes: Final[int]
    """The nodes where prisoners stand ..."""
    guard_nodes: Final[int]
    """... and guards."""
    points: Final[int]
    """R030: the points of movement that are left."""
    last_moved_pawn: Final[int]
    """The pawn that was moved last in this turn, or -1."""
    tasks: Final[tuple[PendingTask, ...]]
    """What is open; the last is done first."""
    turn: Final[ColditzTurn]
    table: Final[TableFacts]


class ReadablePosition(Protocol):
    """What `ColditzFacts` and a `PositionDraft` have in common: enough to ask the rules."""

    @property
    def rules(self) -> ColditzRules:
        """The rules in force."""

    @property
    def node_by_pawn(self) -> Sequence[int]:
        """By pawn its node or place."""

    @property
    def points(self) -> int:
        """R030: the points of movement that are left."""

    @property
    def last_moved_pawn(self) -> int:
        """The pawn that was moved last in this turn, or -1."""

    @property
    def tasks(self) -> tuple[PendingTask, ...]:
        """What is open; the last is done first."""

    @property
    def turn(self) -> ColditzTurn:
        """The turn that is played."""

    @property
    def table(self) -> TableFacts:
        """What changes more rarely."""

    @property
    def men_nodes(self) -> int:
        """The nodes where prisoners stand."""

    @property
    def guard_nodes(self) -> int:
        """The nodes where guards stand."""
