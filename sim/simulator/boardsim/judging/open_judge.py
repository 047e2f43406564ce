"""The truth of a game in which who takes stands there at once, and pieces alike are alike.

Where a step is an attack it waits for a sign, and the layout afterwards says who is beaten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardrules import core
from boardrules.core import LayoutPiece, Seat, State, Step
from boardrules.history import GameHistory
from boardsim.bench.scene import BenchScene, Space
from boardsim.judging.judge import Judge
from boardsim.world.world import Piece
from boardware.ports import Micros


class OpenJudge(Judge):
    """A judge who follows the pieces by the steps of the rules, whatever the game calls its events."""

    def __init__(self, scene: BenchScene, state: State) -> None:
        super().__init__(scene, state)
        self._heard = GameHistory(state)
        """The game as far as the umpire has ruled."""

    def known_piece(self, space: Space) -> LayoutPiece:
        """What everybody knows the piece as that belongs there."""
        return self._heard.state.layout()[core.Space(space)][0]

    def match_alike_pieces(self) -> None:
        """A piece that stands where one of its kind belongs is that one from now on."""
        stands = self.expected_pieces
        homes = {piece: space for space, piece in stands.items()}
        for space in sorted(stands):
            there = self.scene.top_piece_on(space)
            if there is None or there == stands[space]:
                continue
            home = homes.get(there)
            if home is None:
                if LayoutPiece(there.owner, there.label) != self.known_piece(space):
                    continue
            elif self.known_piece(home) != self.known_piece(space):
                continue
            else:
                stands[home], homes[stands[space]] = stands[space], home
            stands[space], homes[there] = there, space

    def _attacks(self, data: Mapping[str, Any]) -> bool:
        """Who attacks has to give a sign, who takes has not."""
        step = step_of(self._heard.state, data["seat"], str(data["action"]))
        return step is not None and step.attack

    def _is_felt_at_target(self, data: Mapping[str, Any], since: Micros) -> bool:
        """Also whether a piece that may be taken was up and its space is filled again while the mover's is
        up: hands that take leave that trace, too."""
        if super()._is_felt_at_target(data, since):
            return True
        now, (origin, _, target) = self.scene.now, data["action"].partition("-")
        step = step_of(self._heard.state, data["seat"], data["action"])
        if step is None or step.takes != (target,) or self._felt_elsewhere():
            return False
        return self._off.get(origin, now) <= self._dipped.get(target, 0) <= since

    def _update_expected_pieces(self, data: Mapping[str, Any]) -> None:
        if data["action"] is None:  # a set-up: the umpire says that it is there, not what it is
            self._heard.push_text(
                data["seat"],
                next(text for seat, text in reversed(self.actions) if seat == data["seat"]),
            )
            super()._update_expected_pieces(data)
            return
        state, text = self._heard.state, str(data["action"])
        step = step_of(state, data["seat"], text)
        self._heard.push_text(data["seat"], text)
        if step is not None and step.origin not in self.scene.world.board.spaces:
            self.expected_pieces[step.target] = from_tray(self, step)
        elif step is not None and step.attack:
            self._battle(step)
        elif step is not None:
            self._move(step)
        self._off = {space: at for space, at in self._off.items() if space in self.expected_pieces}

    def _battle(self, step: Step) -> None:
        """Whoever the layout has on the target has won; nobody, and both are beaten."""
        attacker = self.expected_pieces.pop(step.origin)
        stands = self._heard.state.layout().get(step.target)
        if not stands:
            self.expected_pieces.pop(step.target, None)
        elif stands[0].seat == attacker.owner:
            self.expected_pieces[step.target] = attacker

    def _move(self, step: Step) -> None:
        for taken in step.takes:
            self.expected_pieces.pop(taken, None)
        moved: dict[Space, Piece] = {}
        for origin, target in ((step.origin, step.target), *step.companion_moves):
            if origin in self.expected_pieces:
                moved[target] = self.expected_pieces.pop(origin)
        moved = {space: piece for space, piece in moved.items() if space in self.scene.world.board.spaces}
        self.expected_pieces.update(moved)


def step_of(state: State, seat: Seat, text: str) -> Step | None:
    """How hands carry out an action that is written so; `None` for one that is said."""
    for step in state.steps() if seat in state.seats_to_act() else ():
        if str(state.hand_action(seat, step.origin, step.target)) == text:
            return step
    return None


def from_tray(judge: Judge, step: Step) -> Piece:
    """The piece that a step brings to the board: one that lies beside it, or another from the box."""
    states = (judge.state_before_last, judge.truth.state, judge.truth.start)  # one that has any left
    kind = next(pieces[0] for state in states if (pieces := state.trays().get(step.origin)))
    scene, there = judge.scene, judge.scene.top_piece_on(step.target)
    beside: list[Piece] = [*([] if there is None else [there]), *scene.beside]
    for piece in beside:
        if LayoutPiece(piece.owner, piece.label) == kind and piece not in judge.expected_pieces.values():
            return piece
    new = scene.world.new_piece(kind.seat, kind.name)
    scene.beside.append(new)
    return new
