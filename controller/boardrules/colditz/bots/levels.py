"""The players of Escape from Colditz, from a child's to the strongest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardrules.colditz.bots import players
from boardrules.colditz.bots.escaping import Taste
from boardrules.colditz.bots.guarding import Guarding
from boardrules.colditz.bots.officer import Officer
from boardrules.colditz.castle.actions import Step
from boardrules.colditz.moving.walking import why_step
from boardrules.colditz.state.facts import Facts
from boardrules.colditz.views import PlayView
from boardrules.core import Action, Seat
from boardrules.players import Chance, Erring, Level, Meter, Player, Players

ERRS: Final = "errs"
"""How often a player does anything at all instead of what it thinks best."""
TASTE: Final = "taste"

LEVELS: Final = (
    Level("1", 0, {ERRS: 0.5}),
    Level("2", 0, {ERRS: 0.12}),
    Level("3", 400, {TASTE: Taste(blur=0.8, cards=False, bars=False, runners=2)}),
    Level("4", 4000, {TASTE: Taste()}),
)


class Planner(Player):
    """Plans its turn. What it has planned it does, as long as nothing comes between."""

    __slots__ = ("_ahead", "taste")

    def __init__(self, taste: Taste) -> None:
        self.taste = taste
        self._ahead: list[Action] = []

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: Meter) -> Action:
        """The next action of its plan."""
        if self._ahead:
            action = self._ahead.pop(0)
            if _may(view, action, legal):
                return action
            self._ahead = []
        if len(legal) == 1:
            return legal[0]
        side = view.facts.rules.side[str(view.seat)]
        mind = Officer if side else Guarding
        first, *self._ahead = mind(view, legal, self.taste, chance, meter).actions()
        if _may(view, first, legal):
            return first
        self._ahead = []  # an option of the rules that it doesn't plan for
        return players.choose(view, legal, chance)


def _may(view: PlayView, action: Action, legal: Sequence[Action]) -> bool:
    """Whether an action that was planned may still be done. Walks over several circles aren't listed."""
    if action in legal:
        return True
    facts: Facts = view.facts
    side = facts.rules.side[str(view.seat)]
    if not isinstance(action, Step) or facts.tasks or facts.turn.side != side:
        return False
    gear = None if view.own.gear is None else view.own.gear[side]
    return why_step(facts, gear, side, action) is None


def make(seat: Seat, level: Level) -> Player:
    """A player of a level."""
    settings: Mapping[str, Any] = level.settings
    return Erring(players.choose, settings[ERRS]) if ERRS in settings else Planner(settings[TASTE])


PLAYERS: Final = Players(LEVELS, make)
