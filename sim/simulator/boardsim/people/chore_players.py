"""People who look after a board of pawns: they do chores, answer, and set right what they see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardrules.core import CHANCE
from boardsim.people.pawn_players import PawnPlace, PawnPlayers
from boardsim.people.players import RULING_WAIT_US
from boardware.ports import Micros

ACTION_QUESTIONS = (
    "attack-pending",
    "attack-counting",
    "attack-here",
    "that-piece",
    "came-from",
    "moved-here",
)
"""Questions whether the action between their first two spaces is what was done."""


class ChorePlayers(PawnPlayers):
    """Obeys and answers until the board is in order and all that was done is ruled on."""

    def _is_settled(self) -> bool:
        return self.state.seats_to_act() != (CHANCE,) and super()._is_settled()  # the umpire throws and deals

    def _meant_action(self, asked: Mapping[str, Any]) -> str | None:
        if asked["code"] not in ("attack-which", "attack-where", "moved-where"):
            return None
        waiting = {text for _, text, _ in self.judge.unruled_actions}
        origin, *targets = asked["spaces"]
        return next((text for to in targets if (text := f"{origin}-{to}") in waiting), None)

    def _is_yes_true(self, asked: Mapping[str, Any]) -> bool:
        code, spaces = asked["code"], asked["spaces"]
        if len(spaces) > 1 and code in ACTION_QUESTIONS:
            return any(text == f"{spaces[0]}-{spaces[1]}" for _, text, _ in self.judge.unruled_actions)
        return bool(code == "who-stands")

    def _do_correction(self) -> bool:
        """Do a chore: what is wrong comes up or goes off the board, what is missing goes where it belongs."""
        scene = self.scene
        if not scene.listener.chores:
            return False
        self.pause(200, 1500)
        if self._return_stray_pawn():
            return True
        for chore in scene.listener.chores:
            here = [pawn for pawn, at in self.stands().items() if at.space == chore["space"]]
            if (
                chore["do"] == "take"
                and here
                and here[0].owner == chore["seat"]
                and self.is_single_pawn_space(chore["space"])
            ):
                self.lift(here[0])  # it came before the other had left: it is set down anew
                self.put(here[0], chore["space"])
                scene.wait(200)
                return True
            if chore["do"] not in ("put", "centre"):
                continue
            if here and self.is_single_pawn_space(chore["space"]):
                scene.run_until(scene.hands.centre(here[0], chore["space"], scene.now))
                scene.wait(500)
                return True
            # One of many is said to be missing, and all are there: that which stands badly is straightened.
            if any(scene.centre_unsensed_piece(pawn, scene.physics.resting_slots[pawn]) for pawn in here):
                scene.wait(500)
                return True
        return False

    def _return_stray_pawn(self) -> bool:
        """Take up one pawn that is astray and set it down where one of its seat is missing, or aside."""
        wrong, missing = self.stray_and_missing()
        if not wrong:
            if missing:  # one that was thought to be out of the game
                pawn = next((pawn for pawn in self.scene.beside if pawn.owner == missing[0].seat), None)
                if pawn is not None:
                    self.put(pawn, missing[0].space)
                    return True
            return False
        pawn = wrong[0]
        home = next((stand for stand in missing if stand.seat == pawn.owner), None)
        self.lift(pawn)
        if home is None:
            self.scene.put_beside_board(pawn)
        else:
            self.put(pawn, home.space)
        self.scene.wait(200)
        return True

    def _check_unruled_move(self, idle: Micros) -> bool:
        """Nothing comes of a move: its pawn is pushed to the middle of where it stands."""
        if idle < RULING_WAIT_US or not self.judge.unruled_actions or self.scene.listener.chores:
            return False
        seat, text, _ = self.judge.unruled_actions[0]
        _, dash, target = text.partition("-")
        if not dash or target not in self.scene.world.board.spaces:
            return False
        if idle > 3 * RULING_WAIT_US and self.misplaced():
            return self._return_stray_pawn()
        pawn = self.pawn_at(PawnPlace(target, seat))
        if pawn is None or not self.is_single_pawn_space(target) or idle > 2 * RULING_WAIT_US:
            return False
        self.scene.run_until(self.scene.hands.centre(pawn, target, self.scene.now))
        self.scene.wait(400)
        return False

    def _fix_unprompted(self, idle: Micros) -> bool:
        """Set right what people see themselves."""
        if (
            idle < RULING_WAIT_US
            or self.scene.listener.chores
            or self.judge.unruled_actions
            or not self.misplaced()
        ):
            return False
        return self._return_stray_pawn()
