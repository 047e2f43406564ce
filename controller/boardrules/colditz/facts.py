"""A position, split into what everybody at the table knows (`Facts`) and what is hidden (`Secrets`).

What may be shown in public is made from `Facts` alone: the spectator's view, `layout`, `steps`. Men are told
apart by numbers: first the guards, then each officer's men in turn. Sets of pawns are masks: bit p is pawn p.
None of these is changed once it is made; they have slots, which are read three times as fast as named tuples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from boardrules.core import Outcome

if TYPE_CHECKING:
    from boardrules.colditz.rules import Rules

CHANCE_SIDE = -1
DEPLOY, BEFORE, MAIN, SEARCHED = "deploy", "before", "main", "searched"
"""The phases of a turn: the set-up of guards, before the roll, after it, after a General Search."""


class Row:
    """Some fields of a position."""

    __slots__ = ()

    def _replace(self, **changes: Any) -> Self:
        """The same with other values."""
        return replace(self, **changes)  # type: ignore[type-var]


class Task(NamedTuple):
    """Something that has to be done before the turn goes on: a throw, a draw, an answer."""

    kind: str
    side: int
    """Who has to act; `CHANCE_SIDE`: chance."""
    data: tuple[Any, ...] = ()


@dataclass(slots=True, unsafe_hash=True)
class Turn(Row):
    """The turn that is played."""

    side: int
    phase: str
    tasks: tuple[Task, ...] = ()
    """What is open; the last is done first."""
    throws: tuple[tuple[int, int], ...] = ()
    """The throws of the movement roll (R035)."""
    releases: int = 0
    """R050: how many men may still leave Solitary by doubles."""
    drawn: bool = False
    """R061: whether a card was drawn."""
    moved: bool = False
    """Whether, with men that refused, a guard was moved by points (R073: then there is no General Search)."""
    refusers: int = 0
    """R083: the men that ignored the Appel of this turn."""
    spare: int = 0
    """R143: how many more men the Kit that was used up covers."""
    slack: int = 0
    """A21: the returning men that a point spent otherwise could have brought nearer."""
    traded: int = 0
    """R093: how often each officer has offered a trade to each other one; see `collecting.offers`."""
    trail: tuple[tuple[int, int], ...] = ()
    """A23: pawn and node where it has stood, if `doubling_back` is forbidden."""
    daring: int = -1
    """`do_or_die`: the man that goes for it."""
    over: tuple[int, int] = (-1, -1)
    """R117: the crossing that a guard went over last, and the points that were left then. It stands where it
    came to while as many are left: so steps that only cost a point leave this as it is."""

    def copy(self) -> Turn:
        """Another one, to be changed while nobody else has it."""
        new = object.__new__(Turn)  # by hand, as almost every action does it
        new.side = self.side
        new.phase = self.phase
        new.tasks = self.tasks
        new.throws = self.throws
        new.releases = self.releases
        new.drawn = self.drawn
        new.moved = self.moved
        new.refusers = self.refusers
        new.spare = self.spare
        new.slack = self.slack
        new.traded = self.traded
        new.trail = self.trail
        new.daring = self.daring
        new.over = self.over
        return new


@dataclass(slots=True, unsafe_hash=True)
class Table(Row):
    """What changes more rarely, and everybody can see."""

    round: int
    supply: tuple[int, ...]
    """R013: by kind of Equipment the cards of the pile."""
    kits_left: int
    kits: tuple[bool, ...]
    """By side whether it holds an Escape Kit."""
    gear: tuple[int, ...]
    """R095: by side how many Equipment cards it holds."""
    hands: tuple[int, ...]
    """By side how many Opportunity or Security cards it holds that count (R063) ..."""
    parts: tuple[int, ...]
    """... and, with six players, parts of Kits that don't (R104)."""
    decks: tuple[int, int, int]
    """How many cards there are in the Opportunity deck, the Security deck and the pile of parts."""
    markers: tuple[int, ...]
    """By crossing the side whose Escape Attempt marker lies there, or 0 (R114). Each points outwards."""
    tunnels: tuple[int, ...]
    """By tunnel 0 closed, 1 open, 2 detected."""
    returning: int
    """A21: the men that can't be arrested on their way back ..."""
    way: int
    """... and those who pass the free entrances (R054)."""
    escapes: tuple[int, ...]
    """By side how many of its men have escaped."""
    out: int
    """The sides that are out of the game (G18), as a mask."""
    dares: int
    """The sides that have their Do or Die card, as a mask ..."""
    values: tuple[int, ...]
    """... and the values that were not turned up yet."""
    outcome: Outcome | None = None

    def copy(self) -> Table:
        """Another one, to be changed while nobody else has it."""
        new = object.__new__(Table)  # by hand, as almost every action does it
        new.round = self.round
        new.supply = self.supply
        new.kits_left = self.kits_left
        new.kits = self.kits
        new.gear = self.gear
        new.hands = self.hands
        new.parts = self.parts
        new.decks = self.decks
        new.markers = self.markers
        new.tunnels = self.tunnels
        new.returning = self.returning
        new.way = self.way
        new.escapes = self.escapes
        new.out = self.out
        new.dares = self.dares
        new.values = self.values
        new.outcome = self.outcome
        return new


@dataclass(slots=True, unsafe_hash=True)
class Facts(Row):
    """What everybody at the table knows of a position."""

    rules: Rules
    where: tuple[int, ...]
    """By pawn its node or place."""
    men: int
    """The nodes where prisoners stand ..."""
    guards: int
    """... and guards."""
    points: int
    """R030: the points of movement that are left."""
    last: int
    """The pawn that was moved last in this turn, or -1."""
    turn: Turn
    table: Table


class Look(Protocol):
    """What `Facts` and a `Draft` have in common: enough to ask the rules."""

    @property
    def rules(self) -> Rules:
        """The rules in force."""

    @property
    def where(self) -> Sequence[int]:
        """As in `Facts`."""

    @property
    def points(self) -> int:
        """As in `Facts`."""

    @property
    def last(self) -> int:
        """As in `Facts`."""

    @property
    def turn(self) -> Turn:
        """As in `Facts`."""

    @property
    def table(self) -> Table:
        """As in `Facts`."""

    @property
    def men(self) -> int:
        """As in `Facts`."""

    @property
    def guards(self) -> int:
        """As in `Facts`."""


class Deck(NamedTuple):
    """A deck: the shuffled part, whose order nobody knows, above the cards that were put under it (R067).

    Drawing from the shuffled part by chance is the same as having shuffled it: so there is no order to keep.
    """

    shuffled: tuple[tuple[int, int], ...]
    """Card and how many of it ..."""
    under: tuple[int, ...] = ()
    """... and the cards below, in order."""

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(count for _, count in self.shuffled) + len(self.under)

    def tops(self) -> tuple[tuple[int, int], ...]:
        """The cards that may be on top, each with its weight."""
        return self.shuffled or tuple((card, 1) for card in self.under[:1])

    def without(self, card: int) -> Deck:
        """The deck after that card was drawn."""
        if not self.shuffled:
            return Deck((), self.under[1:])
        rest = []
        for pair in self.shuffled:
            if pair[0] != card:
                rest.append(pair)
            elif pair[1] > 1:
                rest.append((card, pair[1] - 1))
        return Deck(tuple(rest), self.under)

    def with_under(self, card: int) -> Deck:
        """The deck after that card was put under it."""
        return Deck(self.shuffled, (*self.under, card))

    def __repr__(self) -> str:
        return "<deck>"


@dataclass(slots=True, unsafe_hash=True)
class Secrets(Row):
    """The hidden part. Its `repr` tells nothing."""

    hands: tuple[tuple[int, ...], ...]
    """By side its cards, sorted."""
    gear: tuple[tuple[int, ...], ...]
    """By side how many cards it holds of each kind of Equipment."""
    decks: tuple[Deck, Deck, Deck]
    """Opportunity, Security, parts of Kits (with six players)."""
    offer: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """While a trade waits for its answer, what is given and wanted of each kind."""

    def copy(self) -> Secrets:
        """Another one, to be changed while nobody else has it."""
        return Secrets(self.hands, self.gear, self.decks, self.offer)

    def __repr__(self) -> str:
        return "<hidden cards>"
