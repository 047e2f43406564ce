"""The turns as a table of stages: each takes one action and says what comes next.

A round is: Hitler, then Tank, Spy and Infantry, each of which rolls and moves; the Spy asks after its move.
What depends on who keeps Hitler's sheet, the umpire or Hitler himself on paper, is asked of `rules.keeper`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from boardrules.core import CHANCE, Action, Event, Outcome, Seat
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import HITLER, INFANTRY, PIECES, SPY, TANK, Ask, Face, Move, Place
from boardrules.fuhrer.ends import over_event
from boardrules.fuhrer.facts import Heard, Known, Sheet, named
from boardrules.fuhrer.liberation import event
from boardrules.fuhrer.maps import Cities

if TYPE_CHECKING:
    from boardrules.fuhrer.rules import Rules

Events = tuple[Event, ...]
Result = tuple[Known, Sheet, Collection[Action], Events]
"""What comes of an action: public facts, hidden sheet, the actions that are legal next, the events."""
_CHANCE = (CHANCE,)
HITLERS = (HITLER,)


class Stage:
    """One point of a round. Interned: there is one object for each name and piece."""

    settled = False
    """Whether the result stands already, and only what bears it out is awaited."""

    def __init__(self, name: str, piece: int = -1) -> None:
        self.name = name
        """As views tell it."""
        self.piece = piece
        """The Allied piece whose turn it is, or -1."""
        STAGES[name, piece] = self

    def take(self, facts: Known, sheet: Sheet, action: Any) -> Result:
        """Carry out an action that is legal here."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<stage {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return stage, (self.name, self.piece)


STAGES: dict[tuple[str, int], Stage] = {}


def stage(name: str, piece: int = -1) -> Stage:
    """The stage of that name and piece."""
    return STAGES[name, piece]


class Placing(Stage):
    """F03, G19: the Allies put a piece on a city of their choice."""

    def take(self, facts: Known, sheet: Sheet, action: Place) -> Result:
        """The next piece is next; after Infantry Hitler chooses."""
        facts = named(facts)
        rules = facts.rules
        told = Event("placed", (("piece", PIECES[self.piece]), ("at", rules.board.ids[action.city])))
        facts = facts._replace(at=(*facts.at, action.city), undo=rules.owners[self.piece], offer=None)
        if self.piece == INFANTRY:
            return rules.keeper.hiding(facts, sheet, (told,))
        piece = self.piece + 1
        facts = facts._replace(stage=PLACING[piece], waits=rules.waits[piece])
        return to_place(facts, sheet, piece, (told,))


class TankFirst(Stage):
    """X5: the Tank says that it stays, or liberates, or that it wants to roll."""

    def take(self, facts: Known, sheet: Sheet, action: actions.Word) -> Result:
        """A Tank that stays needs no roll."""
        if action.words != actions.ROLL:
            return tank_stayed(facts, sheet, said=action.words == actions.LIBERATE)
        rules, _, _, number, at, flags, rising, falling, _, _, lore, _, _, _ = facts
        return to_roll(rules, sheet, TANK, number, at, flags, rising, falling, lore, None, ())


class Rolling(Stage):
    """F06: the three-sided die."""

    def take(self, facts: Known, sheet: Sheet, action: Face) -> Result:
        """G21: the destination is chosen afterwards."""
        rules, _, _, number, at, flags, rising, falling, _, _, lore, _, _, _ = facts
        piece, die = self.piece, action.face
        city = at[piece]
        ways = rules.moves[piece][city] or rules.ways(piece, city)
        facts = (
                rules, MOVING[piece], rules.waits[piece], number, at, flags, rising, falling, die, (), lore,
                None, None, None,
            )  # fmt: skip
        return facts, sheet, ways[die], rules.rolled[piece][die]


class TankMoves(Stage):
    """F06, F08."""

    def take(self, facts: Known, sheet: Sheet, action: Action) -> Result:
        """A Tank that has moved liberates nothing."""
        if not isinstance(action, Move):
            return tank_stayed(facts, sheet, said=False)
        rules, _, _, number, at, flags, rising, falling, _, _, lore, _, _, _ = facts
        at = (action.to, at[SPY], at[INFANTRY])
        undo = rules.owners[TANK]
        return to_roll(rules, sheet, SPY, number, at, flags, rising, falling, lore, undo, action.told[TANK])


class SpyMoves(Stage):
    """F06, G22: the Spy may ask whether it has moved or not."""

    def take(self, facts: Known, sheet: Sheet, action: Action) -> Result:
        """It asks next."""
        rules, _, waits, number, at, flags, rising, falling, _, _, lore, _, _, _ = facts
        events: Events = STAYED[SPY]
        city = at[SPY]
        if isinstance(action, Move):
            events, city = action.told[SPY], action.to
            at = (at[TANK], city, at[INFANTRY])
        facts = (
                rules, ASKING, waits, number, at, flags, rising, falling, 0, (), lore, waits[0], None, None,
            )  # fmt: skip
        return facts, sheet, rules.asks(city, ()), events


class Asking(Stage):
    """F09: none, one or two cities, one after the other (G5)."""

    def take(self, facts: Known, sheet: Sheet, action: Action) -> Result:
        """The answer, then the next question, or Infantry's turn."""
        rules, _, _, number, at, flags, rising, falling, _, _, lore, _, _, _ = facts
        if isinstance(action, Ask):
            return rules.keeper.asked(facts, sheet, action)
        return to_roll(rules, sheet, INFANTRY, number, at, flags, rising, falling, lore, None, ())


class InfantryMoves(Stage):
    """F06, F11."""

    def take(self, facts: Known, sheet: Sheet, action: Action) -> Result:
        """G2, G4: only where it ends its turn counts, moved or not."""
        rules, _, _, _, at, _, _, _, _, _, _, _, _, _ = facts
        events: Events = STAYED[INFANTRY]
        if isinstance(action, Move):
            at, events = (at[TANK], at[SPY], action.to), action.told[INFANTRY]
        return rules.keeper.arrived(facts, sheet, at, events)


class Over(Stage):
    """The game has ended."""


PLACING = tuple(Placing("place", piece) for piece in range(len(PIECES)))
TANK_FIRST = TankFirst("tank", TANK)
ROLLING = tuple(Rolling("roll", piece) for piece in range(len(PIECES)))
MOVING = (TankMoves("move", TANK), SpyMoves("move", SPY), InfantryMoves("move", INFANTRY))
ASKING = Asking("ask", SPY)
OVER = Over("over")

STAYED: tuple[Events, ...] = tuple((Event("stayed", (("piece", piece),)),) for piece in PIECES)
"""By piece the events of one that stays."""


# What begins a stage


def to_place(facts: Known, sheet: Sheet, piece: int, events: Events) -> Result:
    """The Allies place a piece: on any city, or one that has none yet (X3)."""
    rules, _, _, _, at, _, _, _, _, _, _, _, _, _ = facts
    legal: tuple[Place, ...] = rules.places[piece]
    if rules.apart:
        for city in sorted(at, reverse=True):
            legal = legal[:city] + legal[city + 1 :]
    return facts, sheet, legal, events


def to_tank(
    rules: Rules, sheet: Sheet, number: int, at: tuple[int, ...], flags: Cities, rising: Cities,
    falling: Cities, lore: Heard, undo: Seat | None, events: Events,
) -> Result:  # fmt: skip
    """The Tank's turn begins; a flag that has waited for it goes up (T16)."""
    city = at[TANK]
    if rising:
        events = (*events, event("liberated", rules.board.ids[city]))
        flags, rising = flags | rising, 0
    if rules.must_roll:
        return to_roll(rules, sheet, TANK, number, at, flags, rising, falling, lore, undo, events)
    facts = (
            rules, TANK_FIRST, rules.waits[TANK], number, at, flags, rising, falling, 0, (), lore, undo,
            None, None,
        )  # fmt: skip
    return facts, sheet, rules.tank_words(city, flags), events


def to_roll(
    rules: Rules, sheet: Sheet, piece: int, number: int, at: tuple[int, ...], flags: Cities,
    rising: Cities, falling: Cities, lore: Heard, undo: Seat | None, events: Events,
) -> Result:  # fmt: skip
    """The die is thrown for a piece."""
    facts = (
            rules, ROLLING[piece], _CHANCE, number, at, flags, rising, falling, 0, (), lore, undo, None,
            None,
        )  # fmt: skip
    return facts, sheet, rules.faces, events


def tank_stayed(facts: Known, sheet: Sheet, said: bool) -> Result:
    """F08: the Tank ends its turn where it began it."""
    rules, _, _, number, at, flags, rising, falling, _, _, lore, _, _, _ = facts
    flags, rising, kind = rules.liberation.stayed(at[TANK], flags, said)
    events = STAYED[TANK]
    if kind is not None:
        events = (*events, event(kind, rules.board.ids[at[TANK]]))
    undo = rules.owners[TANK]
    return to_roll(rules, sheet, SPY, number, at, flags, rising, falling, lore, undo, events)


def to_round(facts: Known, sheet: Sheet, at: tuple[int, ...], lore: Heard, events: Events) -> Result:
    """F05: the calendar advances, and Hitler's turn begins."""
    rules, _, _, number, _, flags, rising, falling, _, _, _, _, _, _ = facts
    number += 1
    if falling:  # X16
        events = (*events, event("lowered", rules.board.spaces(falling)[0]))
        flags &= ~falling
    keeper = rules.keeper
    facts = (
            rules, keeper.turning, HITLERS, number, at, flags, rising, 0, 0, (), lore, None, None, None,
        )  # fmt: skip
    return facts, sheet, keeper.ways(facts, sheet), (*events, rules.calendar[number])


def over(facts: Known, sheet: Sheet, outcome: Outcome, events: Events) -> Result:
    """The game ends."""
    facts = named(facts)._replace(stage=OVER, waits=(), outcome=outcome, undo=None, offer=None)
    return facts, sheet, (), (*events, over_event(outcome))
