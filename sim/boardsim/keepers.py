"""People who look after a board of pawns: they do chores, answer, and set right what they see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boardrules.core import CHANCE
from boardsim.hunters import PATIENCE, SLICE_MS, UNHEARD
from boardsim.judge import LOST, MISSED
from boardsim.pawns import Pawns, Stand
from boardsim.scene import Space
from boardware.ports import Micros


class Keepers(Pawns):
    """Obeys and answers until the board is in order and all that was done is ruled on."""

    def settle(self) -> None:
        """Obey, answer and look until all is ruled on and the board is in order."""
        scene, judge = self.scene, self.judge
        begun = scene.now
        while not judge.findings:
            if self._acts(scene.now - begun):
                begun = scene.now
            elif self._calm():
                break
            elif scene.now - begun > PATIENCE:
                waits = [f"{seat} {text}" for seat, text, _ in judge.waiting[:1]]
                judge.find(LOST if waits else MISSED, f"{waits or self.astray()}: nothing more was said")
            else:
                scene.wait(SLICE_MS)
        judge.tried = None

    def _calm(self) -> bool:
        ears, state = self.scene.ears, self.state
        if self.judge.waiting or ears.chores or self._asked() is not None:
            return False
        if state.outcome is not None:
            return ears.over
        if state.seats_to_act() == (CHANCE,):
            return False
        return ears.to_act == state.seats_to_act() and not self.misplaced()

    def _acts(self, idle: Micros) -> bool:
        return self._answer() or self._obey() or self._unheard(idle) or self._mend(idle)

    def _asked(self) -> Mapping[str, Any] | None:
        ears = self.scene.ears
        if ears.question is not None and ears.question["spaces"] and not self.scene.lit("asks"):
            ears.question = None
        return ears.question

    def _answer(self) -> bool:
        """Answer what is asked, truthfully, on the phone or by a button."""
        scene, asked = self.scene, self._asked()
        if asked is None:
            return False
        self.pause(600, 3000)
        if self._asked() is not asked:
            return True
        scene.ears.question = None
        waiting = [text for _, text, _ in self.judge.waiting]
        spaces: Sequence[Space] = asked["spaces"]
        if asked["code"] in ("attack-where", "moved-where"):
            text = next((f"{spaces[0]}-{to}" for to in spaces[1:] if f"{spaces[0]}-{to}" in waiting), None)
            if text is not None:
                scene.say(asked["seat"], text)
                scene.wait(200)
                return True
        yes = asked["code"] == "who-stands"
        if len(spaces) > 1 and asked["code"] in ("attack-here", "that-piece", "came-from", "moved-here"):
            yes = f"{spaces[0]}-{spaces[1]}" in waiting
        if self.dice.random() < 0.5:
            scene.press("confirm" if yes else "cancel")
        else:
            scene.say(asked["seat"] or scene.ears.to_act[0], "yes" if yes else "no")
        scene.wait(100)
        return True

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
            if here and chore["do"] in ("put", "centre") and self.alone(chore["space"]):
                scene.let(scene.hands.centre(here[0], chore["space"], scene.now))
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
        pawn = self.on(Stand(target, seat))
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
