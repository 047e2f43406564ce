"""The game as the registry lists it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.core import Game, State


class FallOfTheFuhrer(Game):
    """Two to four players: one hides, the others look for him with three pieces."""

    id = "fall-of-the-fuhrer"
    title = "Fall of the Führer"

    def new(self, options: Mapping[str, Any]) -> State:
        """The empty board: the Allies set up first (F03)."""
        # Loaded when it is played: a board that plays something else has no memory to spare for it.
        from boardrules.fuhrer.options import read_options
        from boardrules.fuhrer.play import first
        from boardrules.fuhrer.rules import rules_of

        return first(rules_of(read_options(self.id, options)))


GAMES: Final = (FallOfTheFuhrer(),)
"""Every game, as the registry lists them."""
