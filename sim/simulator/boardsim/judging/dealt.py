"""The truth of a game whose cards the umpire deals: the seats' own phones say which they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardrules.core import CHANCE, IllegalAction, State
from boardrules.history import GameHistory
from boardsim.bench.scene import BenchScene
from boardsim.bench.table import BenchMessage
from boardsim.judging.truth import GroundTruth


class DealtTruth(GroundTruth):
    """The truth of a game whose cards the umpire deals, to one seat each."""

    def __init__(self, scene: BenchScene, state: State) -> None:
        self._card = False
        super().__init__(scene, state)

    def hear(self, message: BenchMessage) -> None:
        """Hold what everybody is told against the truth; what a seat alone is told may be its card."""
        if message.seat is None:
            super().hear(message)
            return
        for event in message.data.get("events", ()):
            if event["kind"] == "drawn" and self._card:
                self._card = False
                self._apply_chance(f"deal {event['seat']} {event['card']}")

    def _apply_chance(self, text: str) -> None:
        self.actions.append((CHANCE, text))
        self.truth.push_text(CHANCE, text)

    def _check_ruling(self, data: Mapping[str, Any]) -> None:
        if data["ok"] and data["seat"] == CHANCE and data["action"] is None:
            self._card = True  # which one the seat's own phone says
            return
        if data["ok"] and len(self.unruled_actions) == 2 and self._is_second_ruled_first(data):
            self._swap_last_actions()
        if not data["ok"] and len(self.unruled_actions) == 2 and self._is_second_ruled_first(data):
            self._drop_last_actions()
            return
        super()._check_ruling(data)

    def _swap_last_actions(self) -> None:
        """The second of two moves counts first; where the first can't follow it, it has to be put back."""
        first, second = self.actions[-2:]
        del self.actions[-2:]
        self.unruled_actions.reverse()
        self.count["unfelt"] += 1
        self.truth = GameHistory(self.truth.start)
        for action in (*self.actions, second):
            self.truth.push_text(*action)
        self.actions.append(second)
        try:
            self.truth.push_text(*first)
        except IllegalAction:
            self.unruled_actions.pop()
        else:
            self.actions.append(first)

    def _drop_last_actions(self) -> None:
        """The second of two moves was refused, as the first was not felt: both are put back."""
        self.objection_count += 1
        self.count["unfelt"] += 1
        del self.actions[-2:]
        self.unruled_actions.clear()
        self.truth = GameHistory(self.truth.start)
        for action in self.actions:
            self.truth.push_text(*action)

    def _is_second_ruled_first(self, data: Mapping[str, Any]) -> bool:
        """Whether the second of two moves is ruled on while the first rests where no reed feels it."""
        (_, first, _), (seat, second, _) = self.unruled_actions
        target = first.partition("-")[2]
        known = target in self._scene.world.board.spaces and target not in self._scene.closed_reed_spaces()
        known = known and self._scene.top_piece_on(target) is not None
        return known and (data["seat"], data["action"]) == (seat, second)
