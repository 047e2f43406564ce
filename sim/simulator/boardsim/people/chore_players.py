"""People who look after a board of pawns: they do chores, answer, and set right what they see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardrules.core import CHANCE
from boardsim.people.pawn_players import PawnPlace, PawnPlayers
from boardsim.people.players import UNHEARD
from boardware.ports import Micros

ANSWERED = (
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

    def _calm(self) -> bool:
        return self.state.seats_to_act() != (CHANCE,) and super()._calm()  # the umpire throws and deals

    def _meant(self, asked: Mapping[str, Any]) -> str | None:
        if asked["code"] not in ("attack-which", "attack-where", "moved-where"):
            return None
        waiting = {text for _, text, _ in self.judge.waiting}
        origin, *targets = asked["spaces"]
        return next((text for to in targets if (text := f"{origin}-{to}") in waiting), None)

    def _true(self, asked: Mapping[str, Any]) -> bool:
        code, spaces = asked["code"], asked["spaces"]
        if len(spaces) > 1 and code in ANSWERED:
            return any(text == f"{spaces[0]}-{spaces[1]}" for _, text, _ in self.judge.waiting)
        return bool(code == "who-stands")

    def _obey(self) -> bool:
        """Do a chore: what is wrong comes up or goes off the board, what is missing goes where it belongs."""
        scene = self.scene
        if not scene.ears.chores:
            return False
        self.pause(200, 1500)
        if self._set_right():
            return True
        for chore in scene.ears.chores:
            here = [pawn for pawn, at in self.stands().items() if at.space == chore["space"]]
            if (
                chore["do"] == "take"
                and here
                and here[0].owner == chore["seat"]
                and self.alone(chore["space"])
            ):
                self.lift(here[0])  # it came before the other had left: it is set down anew
                self.put(here[0], chore["space"])
                scene.wait(200)
                return True
            if chore["do"] not in ("put", "centre"):
                continue
            if here and self.alone(chore["space"]):
                scene.let(scene.hands.centre(here[0], chore["space"], scene.now))
                scene.wait(500)
                return True
            # One of many is said to be missing, and all are there: that which stands badly is straightened.
            if any(scene.push_unfelt(pawn, scene.physics.slots[pawn]) for pawn in here):
                scene.wait(500)
                return True
        return False

    def _set_right(self) -> bool:
        """Take up one pawn that is astray and set it down where one of its seat is missing, or aside."""
        wrong, missing = self.astray()
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
            self.scene.aside(pawn)
        else:
            self.put(pawn, home.space)
        self.scene.wait(200)
        return True

    def _unheard(self, idle: Micros) -> bool:
        """Nothing comes of a move: its pawn is pushed to the middle of where it stands."""
        if idle < UNHEARD or not self.judge.waiting or self.scene.ears.chores:
            return False
        seat, text, _ = self.judge.waiting[0]
        _, dash, target = text.partition("-")
        if not dash or target not in self.scene.world.board.spaces:
            return False
        if idle > 3 * UNHEARD and self.misplaced():
            return self._set_right()
        pawn = self.on(PawnPlace(target, seat))
        if pawn is None or not self.alone(target) or idle > 2 * UNHEARD:
            return False
        self.scene.let(self.scene.hands.centre(pawn, target, self.scene.now))
        self.scene.wait(400)
        return False

    def _mend(self, idle: Micros) -> bool:
        """Set right what people see themselves."""
        if idle < UNHEARD or self.scene.ears.chores or self.judge.waiting or not self.misplaced():
            return False
        return self._set_right()
