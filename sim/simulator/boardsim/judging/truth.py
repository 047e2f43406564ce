"""The truth of a game: each ruling is held against what was really done and said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from boardrules.core import CHANCE, CLOCK, Action, Seat, State
from boardrules.history import GameHistory
from boardsim.bench.scene import BenchScene, Space
from boardsim.bench.table import BenchMessage
from boardsim.hands.hands import space_of
from boardsim.judging.judge import (
    HELD_PIECE_CODES,
    PENDING_ATTACK_CODES,
    SWAP_TIME_MIN_US,
    WRONG,
    Discrepancy,
)
from boardware.ports import SECOND, Micros, SlotId


class GroundTruth:
    """What was really done, and what the umpire has made of it."""

    def __init__(self, scene: BenchScene, state: State) -> None:
        self.truth = GameHistory(state)
        self.actions: list[tuple[Seat, str]] = []
        self.findings: list[Discrepancy] = []
        self.count: Counter[str] = Counter()
        self.unruled_actions: list[tuple[Seat, str, bool]] = []
        """By what people did and was not ruled on yet: seat, text, whether it is secret."""
        self.objection_count = 0
        """How many refusals, faults, chores and questions were told."""
        self._ruled_at: Micros = 0
        """When something was accepted last, answers of some of those who are asked together aside ..."""
        self._asked: tuple[str, ...] = ()
        """... and who is asked since then, as far as they have not answered."""
        self.forbidden_action: str | None = None
        """What was done that the rules refuse."""
        self._scene = scene
        self._empty: dict[Space, Micros] = {}
        """By space that something left since when it is empty."""
        self._together: set[tuple[Space, Space]] = set()
        """The pairs that were empty together."""
        scene.listeners.append(self.hear)
        scene.world.magnet_listeners.append(self._handle_reed_change)

    def _is_question_needed(self, code: str, spaces: Sequence[Space]) -> bool:
        """Whether no sensor could have told: a piece is up, or two were that may have been swapped."""
        pairs = combinations(sorted(set(spaces)), 2)
        return code in HELD_PIECE_CODES or (
            code in ("same-places", "that-piece") and any(pair in self._together for pair in pairs)
        )

    def _handle_reed_change(self, slot: SlotId, felt: bool, at: Micros) -> None:
        """Note which spaces were empty together, as reeds feel it, when something was set down."""
        space = space_of(slot)
        if not felt:
            self._empty[space] = at
            return
        empty = {each for each, since in self._empty.items() if at - since >= SWAP_TIME_MIN_US}
        self._together.update(combinations(sorted(empty), 2))
        self._empty.pop(space, None)

    def do_action(self, action: Action) -> None:
        """Something legal is done or said now."""
        self.unruled_actions.append((action.seat, str(action), action.secret))
        self.actions.append((action.seat, str(action)))
        self.truth.push(action)

    def find(self, kind: str, what: str) -> None:
        """Note what the umpire did wrong."""
        self.findings.append(Discrepancy(kind, self._scene.now, what))

    def hear(self, message: BenchMessage) -> None:
        """Hold what everybody is told against the truth."""
        if message.seat is not None:
            return
        if message.kind == "ruling":
            self.count["rulings"] += 1
            self._check_ruling(message.data)
        elif message.kind == "question":
            self.objection_count += 1
            if message.data["code"] not in PENDING_ATTACK_CODES:
                self.count["asked"] += 1
                self.count["forced"] += self._is_question_needed(message.data["code"], message.data["spaces"])
        elif message.kind == "reminder" and message.data["code"] in ("piece-up", "attacked-unfelt"):
            return  # that a piece is away says nothing of what was done with it
        elif message.kind == "reminder" or message.data.get("spaces") or message.data.get("chores"):
            self.objection_count += 1

    def _check_ruling(self, data: Mapping[str, Any]) -> None:
        told = (data["seat"], data["action"])
        if not data["ok"]:
            self.objection_count += 1
            if data["action"] is None or data["action"] == self.forbidden_action:
                return
            if self._is_sensed_elsewhere(data["action"]):
                self.count["alike"] += 1
            else:
                self.find(WRONG, f"refused {told}, which nobody tried")
            return
        self._check_accepted(data, told)
        asked = tuple(self.truth.state.possible_answers())
        if not asked or asked != self._asked[1:]:  # else those who are left have been asked as long
            self._ruled_at = self._scene.now
        self._asked = asked

    def _is_sensed_elsewhere(self, refused: str) -> bool:
        """Whether the piece that moved stands where another space alone feels it: nobody could have known.

        A piece between two spaces may be felt by the one further away, as reeds that lie flat have lobes.
        """
        origin, _, target = refused.partition("-")
        meant = self.unruled_actions[0][1].partition("-") if self.unruled_actions else ("", "", "")
        felt = self._scene.closed_reed_spaces()
        empty = target not in self.truth.state.layout()  # as it should stand once this is done
        physics = self._scene.physics
        alone = any(set(physics.sensors_closed_by(piece)) == {target} for piece in physics.positions)
        return meant[0] == origin and empty and alone and target in felt and meant[2] not in felt

    def _check_accepted(self, data: Mapping[str, Any], told: tuple[Seat, str]) -> None:
        """Hold what was accepted against the truth."""
        if data["seat"] == CLOCK:
            self._check_clock_action(told, self._scene.now - self._ruled_at)
            return
        if data["seat"] == CHANCE:  # the umpire has thrown: so it is
            throw = self.truth.state.parse(data["action"], CHANCE)
            if self.truth.state.refusal(throw) is not None:
                self.find(WRONG, f"threw {data['action']}, and no throw was due")
                return
            self.actions.append(told)
            self.truth.push(throw)
            return
        expected = self.unruled_actions[0] if self.unruled_actions else None
        if len(self.unruled_actions) == 1 and self._is_equivalent_action(told):
            self._replace_last_action(told)
            return
        if expected is None or expected[0] != told[0] or not (expected[2] or expected[1] == told[1]):
            self.find(WRONG, f"accepted {told}; people had done {expected and expected[:2]}")
            return
        self.unruled_actions.pop(0)

    def _is_equivalent_action(self, told: tuple[Seat, str]) -> bool:
        """Whether what people did last is another action by the rules, or looked like one to every reed."""
        ((seat, text, secret),) = self.unruled_actions
        if (seat, text) != self.actions[-1] or seat != told[0] or secret or told[1] in (None, text):
            return False
        if self._is_sensed_elsewhere(told[1]):
            self.count["alike"] += 1
            return True
        start = GameHistory(self.truth.start)
        for action in self.actions[:-1]:
            start.push_text(*action)
        back = start.state.straight_back_action(seat)
        origin, _, target = text.partition("-")
        return str(back) == told[1] and self.actions[-2:-1] == [(seat, f"{target}-{origin}")]

    def _replace_last_action(self, told: tuple[Seat, str]) -> None:
        """People play on from what was ruled in place of what they did last."""
        self.unruled_actions.clear()
        self.actions[-1] = told
        self.truth = GameHistory(self.truth.start)
        for action in self.actions:
            self.truth.push_text(*action)

    def _check_clock_action(self, told: tuple[Seat, str], after: Micros) -> None:
        """The clock has ended what was open: nobody had answered, and there had been time enough."""
        closing = [str(action) for action in self.truth.state.legal_actions(CLOCK)]
        limit = self.truth.state.options.get("answer_seconds", 0) * SECOND
        if told[1] not in closing or self.unruled_actions or not 0 < limit <= after:
            waits = self.unruled_actions and self.unruled_actions[0][:2]
            self.find(WRONG, f"accepted {told} after {after // 1000} ms; people had done {waits}")
            return
        self.count["closed"] += 1
        self.actions.append(told)
        self.truth.push_text(*told)
