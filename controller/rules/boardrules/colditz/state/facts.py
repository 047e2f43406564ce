"""A position, split into what everybody at the table knows (`ColditzFacts`) and what is hidden
(`hidden.Secrets`).

What may be shown in public is made from `ColditzFacts` alone: the spectator's view, `layout`, `steps`. Men
are told apart by numbers: first the guards, then each officer's men in turn. Sets of pawns are masks: bit p
is pawn p. None of these is changed once it is made. They have slots: to read a named tuple takes three times
as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from boardrules.colditz.state.rules import ColditzRules
from boardrules.core import Outcome
from boardrules.row import FrozenRecord

CHANCE_SIDE: Final = -1
DEPLOY: Final = "deploy"
BEFORE: Final = "before"
MAIN: Final = "main"
SEARCHED: Final = "searched"
"""The phases of a turn: the set-up of guards, before the roll, after it, after a General Search."""


class PendingTask(FrozenRecord):
    """Something that has to be done before the turn goes on: a throw, a draw, an answer."""

    fields = ("kind", "side", "data")
    __slots__ = fields

    def __init__(self, kind: str, side: int, data: tuple[Any, ...] = ()) -> None:
        self.kind: Final = kind
        self.side: Final = side
        """Who has to act; `CHANCE_SIDE`: chance."""
        self.data: Final = data


class ColditzTurn(FrozenRecord):
    """The turn that is played."""

    fields = (
        "side",
        "phase",
        "throws",
        "releases",
        "drawn",
        "moved",
        "refusers",
        "spare",
        "slack",
        "traded",
        "trail",
        "daring",
        "over",
    )
    __slots__ = fields

    def __init__(
        self,
        side: int,
        phase: str,
        throws: tuple[tuple[int, int], ...] = (),
        releases: int = 0,
        drawn: bool = False,
        moved: bool = False,
        refusers: int = 0,
        spare: int = 0,
        slack: int = 0,
        traded: int = 0,
        trail: tuple[tuple[int, int], ...] = (),
        daring: int = -1,
        over: tuple[int, int] = (-1, -1),
    ) -> None:
        self.side: Final = side
        self.phase: Final = phase
        self.throws: Final = throws
        """The throws of the movement roll (R035)."""
        self.releases: Final = releases
        """R050: how many men may still leave Solitary by doubles."""
        self.drawn: Final = drawn
        """R061: whether a card was drawn."""
        self.moved: Final = moved
        """Whether a guard was moved by points though men had refused (R073: then nobody may search)."""
        self.refusers: Final = refusers
        """R083: the men that ignored the Appel of this turn."""
        self.spare: Final = spare
        """R143: how many more men the Kit that was used up covers."""
        self.slack: Final = slack
        """A21: the men, returning or in the outer cells, that a point spent otherwise could have served."""
        self.traded: Final = traded
        """R093: how often each officer has offered a trade to each other one; see `collecting.offers`."""
        self.trail: Final = trail
        """A23: pawn and node where it has stood, if `doubling_back` is forbidden."""
        self.daring: Final = daring
        """`do_or_die`: the man that goes for it."""
        self.over: Final = over
        """R117: the crossing that a guard went over last, and the points that were left then. While as many
        are left, the guard stands where it came to."""


class TableFacts(FrozenRecord):
    """What changes more rarely, and everybody can see."""

    fields = (
        "round",
        "supply",
        "kits_left",
        "kits",
        "gear",
        "hands",
        "parts",
        "decks",
        "markers",
        "tunnels",
        "returning",
        "way",
        "escapes",
        "out",
        "dares",
        "values",
        "outcome",
    )
    __slots__ = fields

    def __init__(
        self,
        round: int,
        supply: tuple[int, ...],
        kits_left: int,
        kits: tuple[bool, ...],
        gear: tuple[int, ...],
        hands: tuple[int, ...],
        parts: tuple[int, ...],
        decks: tuple[int, int, int],
        markers: tuple[int, ...],
        tunnels: tuple[int, ...],
        returning: int,
        way: int,
        escapes: tuple[int, ...],
        out: int,
        dares: int,
        values: tuple[int, ...],
        outcome: Outcome | None = None,
    ) -> None:
        self.round: Final = round
        self.supply: Final = supply
        """R013: by kind of Equipment the cards of the pile."""
        self.kits_left: Final = kits_left
        self.kits: Final = kits
        """By side whether it holds an Escape Kit."""
        self.gear: Final = gear
        """R095: by side how many Equipment cards it holds."""
        self.hands: Final = hands
        """By side how many Opportunity or Security cards it holds that count (R063) ..."""
        self.parts: Final = parts
        """... and, with six players, parts of Kits that don't (R104)."""
        self.decks: Final = decks
        """How many cards there are in the Opportunity deck, the Security deck and the pile of parts."""
        self.markers: Final = markers
        """By crossing the side whose Escape Attempt marker lies there, or 0 (R114). Each points outwards."""
        self.tunnels: Final = tunnels
        """By tunnel 0 closed, 1 open, 2 detected."""
        self.returning: Final = returning
        """A21: the men that can't be arrested on their way back ..."""
        self.way: Final = way
        """... and those who pass the free entrances (R054)."""
        self.escapes: Final = escapes
        """By side how many of its men have escaped."""
        self.out: Final = out
        """The sides that are out of the game (G18), as a mask."""
        self.dares: Final = dares
        """The sides that have their Do or Die card, as a mask ..."""
        self.values: Final = values
        """... and the values that were not turned up yet."""
        self.outcome: Final = outcome


class ColditzFacts(FrozenRecord):
    """What everybody at the table knows of a position."""

    fields = (
        "rules",
        "where",
        "men",
        "guards",
        "points",
        "last",
        "tasks",
        "turn",
        "table",
    )
    __slots__ = fields

    def __init__(
        self,
        rules: ColditzRules,
        where: tuple[int, ...],
        men: int,
        guards: int,
        points: int,
        last: int,
        tasks: tuple[PendingTask, ...],
        turn: ColditzTurn,
        table: TableFacts,
    ) -> None:
        self.rules: Final = rules
        self.where: Final = where
        """By pawn its node or place."""
        self.men: Final = men
        """The nodes where prisoners stand ..."""
        self.guards: Final = guards
        """... and guards."""
        self.points: Final = points
        """R030: the points of movement that are left."""
        self.last: Final = last
        """The pawn that was moved last in this turn, or -1."""
        self.tasks: Final = tasks
        """What is open; the last is done first."""
        self.turn: Final = turn
        self.table: Final = table


class ReadablePosition(Protocol):
    """What `ColditzFacts` and a `Draft` have in common: enough to ask the rules."""

    @property
    def rules(self) -> ColditzRules:
        """The rules in force."""

    @property
    def where(self) -> Sequence[int]:
        """By pawn its node or place."""

    @property
    def points(self) -> int:
        """R030: the points of movement that are left."""

    @property
    def last(self) -> int:
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
    def men(self) -> int:
        """The nodes where prisoners stand."""

    @property
    def guards(self) -> int:
        """The nodes where guards stand."""
