"""Hints: what the strongest player would do now, for a seat that asks (`boardumpire.table.hints`).

It is a player in a process of its own, which is shown what the seat may know, as for games that are looked at
again (`analysis`).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from boardrules.core import Seat, State
from boardumpire.commands.analysis import (
    ANALYSIS_TIMEOUT_S,
    AnalysedMove,
    sample_player_choices,
    start_seeded_player,
)
from boardumpire.commands.computer_players import playable_levels
from boardumpire.commands.player_process import PlayerFailed, StartPlayer
from boardumpire.commands.referee import observation
from boardumpire.messages import announce
from boardumpire.service.clock import monotonic
from boardumpire.supervision import start_task
from boardumpire.table.table import Table

log = logging.getLogger("boardumpire")


class HintHost(Protocol):
    """The service that has the table."""

    def wake_table(self) -> None:
        """Have the table turned at once."""

    def announce_problem(self, text: str) -> None:
        """Tell everybody what could not be done."""


class HintFinder:
    """Finds one hint at a time."""

    def __init__(self, host: HintHost, start: StartPlayer | None = None) -> None:
        """`start` starts a player: a process of its own unless told otherwise."""
        self._host = host
        self._start = start or start_seeded_player
        self._task: asyncio.Task[None] | None = None

    def begin(self, table: Table, seat: Seat) -> None:
        """Work out a hint for a seat of that table; whatever is still worked out is for an older position."""
        self.stop()
        self._task = start_task(
            self._find(table, seat), "a hint", lambda text: self._give(table, seat, table.full_state, "")
        )

    def stop(self) -> None:
        """End what is worked out."""
        if self._task is not None:
            self._task.cancel()

    async def _find(self, table: Table, seat: Seat) -> None:
        state = table.full_state
        level = playable_levels(table.game_id)[-1]
        seen = observation.Observation(*table.player_observation(seat))
        words = frozenset(str(action) for action in seen.table_actions)
        asked = AnalysedMove(table.game_id, seat, "", (observation.encode(seen),), words, {})
        text = ""
        try:
            async with asyncio.timeout(ANALYSIS_TIMEOUT_S):
                (choice,) = await sample_player_choices(asked, level, start=self._start, tries=1)
            text = choice.action
        except (PlayerFailed, TimeoutError) as error:
            log.warning("the player that finds a hint: %s", error or "it takes too long")
            self._host.announce_problem(announce.sentence_by_id("answer no-player"))
        self._give(table, seat, state, text)

    def _give(self, table: Table, seat: Seat, state: State, text: str) -> None:
        table.give_hint(seat, state, text, monotonic())
        self._host.wake_table()
