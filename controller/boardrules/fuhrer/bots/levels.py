"""The players of Fall of the Führer, from a child's to the strongest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardrules.core import Action, Seat
from boardrules.fuhrer import players
from boardrules.fuhrer.actions import HITLER, Go, Hide, Place, Retake
from boardrules.fuhrer.bots.chase import Chase
from boardrules.fuhrer.bots.hide import Hiding
from boardrules.fuhrer.bots.hunt import Hunt, Taste, placed
from boardrules.fuhrer.bots.judging import Judging
from boardrules.fuhrer.bots.nerve import Nerve
from boardrules.players import Chance, Erring, Level, Meter, Player, Players

ERRS: Final = "errs"
"""How often the Allies do anything at all instead of what they think best ..."""
HE_ERRS: Final = "he-errs"
"""... and Hitler, who has one action a round where they have about six, and is caught by one mistake."""
TASTE: Final = "taste"
NERVE: Final = "nerve"
CHASES: Final = "chases"
"""Whether the Allies plan some rounds ahead (`chase`) or for this one and the next (`hunt`)."""

LEVELS: Final = (
    Level("1", 0, {ERRS: 0.5, HE_ERRS: 0.3}),
    Level("2", 0, {ERRS: 0.12, HE_ERRS: 0.05}),
    Level("3", 20_000, {TASTE: Taste(blur=1.0), NERVE: Nerve(guesses=1, rounds=1, whim=0.035, judges=False)}),
    Level("4", 20_000, {TASTE: Taste(), NERVE: Nerve(), CHASES: True}),
)


class Thinker(Player):
    """Believes, and plans by what it believes."""

    __slots__ = ("_judging", "settings")

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        self._judging = Judging()

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: Meter) -> Action:
        """The best of them."""
        if len(legal) == 1:
            return legal[0]
        if isinstance(legal[0], Place):
            return placed(view.facts, legal, chance)
        if view.seat != HITLER:
            allies = Chase if self.settings.get(CHASES) else Hunt
            return allies(view.facts, self.settings[TASTE], chance, meter).best(legal)
        if all(isinstance(action, Go | Retake | Hide) for action in legal):
            return self._hides(view, legal, chance, meter)
        return players.choose(view, legal, chance)  # on paper

    def _hides(self, view: Any, legal: Sequence[Action], chance: Chance, meter: Meter) -> Action:
        nerve = self.settings[NERVE]
        if nerve.judges:
            self._judging.see(view.facts)
            nerve = self._judging.nerve(nerve)
        return Hiding(view.facts, view.sheet, nerve, chance, meter, self._judging).best(legal)


def make(seat: Seat, level: Level) -> Player:
    """A player of a level."""
    if ERRS in level.settings:
        return Erring(players.choose, level.settings[HE_ERRS if seat == HITLER else ERRS])
    return Thinker(level.settings)


PLAYERS: Final = Players(LEVELS, make)
