"""People at a board whose pieces are few, known to all, and may share a space: they play, err and mend.

What their game wants beside hands they say: set-ups, dice of their own, what the board can't feel. Each
ruling is held against the truth, a game of its own, played by what was really done and said.
"""

from __future__ import annotations

from boardrules import core
from boardrules.core import CHANCE, Action, BadText, Step
from boardsim.bench.scene import Space
from boardsim.hands.hands import space_of
from boardsim.judging.judge import MISSED, WRONG
from boardsim.people.searchers import Searchers
from boardsim.world.physics import FootMagnet, FootPosition
from boardware.ports import SlotId

ALIKE = (FootMagnet(), FootMagnet(0.8), FootMagnet(1.0, disc=True))
"""Magnets of pieces that stand on one reed together: a flipped one would cancel the other."""
HEARD_MS = 30_000
"""How long people wait for what they said or did to be ruled on."""


class FuhrerPeople(Searchers):
    """All players of one game at one board, from power on to the end."""

    # -- the game ------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """A piece comes to the board when it is said where it begins."""

    def _turn(self) -> None:
        (seat,) = self.state.seats_to_act()
        if seat == CHANCE:
            face = self.dice.choice([action for action, _ in self.state.chance()])
            self.scene.note(self.scene.now, f"# turn {self.turn}: {face}")
            self.pause(300, 1500)
            self.scene.say(self.state.throwers()[0], str(face))
            return
        if self.turn > self.longest * 4:
            self._say(self.state.parse("resign", seat))
            return
        steps = self._steps()
        if steps and not self.early:
            before = self.state
            self._blunder()
            if self.judge.findings or self.state is not before:
                return
        legal = sorted(self.state.legal_actions(seat), key=str)
        moves = [action for action in legal if action in steps]
        action = self.dice.choice(moves if moves and self.dice.random() < 0.8 else legal)
        self.scene.note(self.scene.now, f"# turn {self.turn}: {seat} {'...' if action.secret else action}")
        self._do(action, steps.get(action))
        if self._errs("take_back") and not self.early:
            self.settle()
            self._take_back(action, steps.get(action))

    def _steps(self) -> dict[Action, Step]:
        found = {}
        for step in self.state.steps():
            for seat in self.state.seats_to_act():
                found[self.state.hand_action(seat, step.origin, step.target)] = step
        return found

    def _do(self, action: Action, step: Step | None) -> None:
        if step is not None:
            name = self.mover()
            self._carry(action, step)
            if self._errs("early"):
                self._early(name, step)
            return
        if self.early == self.mover():  # it stays: back with it
            name, self.early = self.early, ""
            self.put(name, self.at()[name])
        self._say(action)

    def _say(self, action: Action) -> None:
        """Say it on the phone; a piece that is set up is stood first, if nobody forgets that."""
        name = str(action).split()[0]
        if name not in self.pieces and action in self.state.legal_actions(action.seat):
            after, _ = self.state.apply(action)
            owners = dict(after.view(None).json()["owners"])
            if name in owners:
                piece = self.pieces[name] = self.scene.world.new_piece(owners[name], name)
                self.scene.physics.magnets[piece] = self.dice.choice(ALIKE)
                if self._errs("forgotten"):
                    self.erring("forgotten")
                    self.forgotten.add(name)
                else:
                    self.put(name, str(action).split()[1])
        self.judge.does(action)
        why = self.scene.say(action.seat, str(action))
        if why is not None:
            self.judge.find(WRONG, f"{action.seat} could not say {action}: {why}")

    # -- one action ----------------------------------------------------------------------------------------

    def _carry(self, action: Action, step: Step) -> None:
        """A legal move with the piece."""
        scene = self.scene
        name = self.mover()
        piece = self.pieces[name]
        shares = self._shares(step)
        self.judge.does(action)
        if self.early:
            self.early = ""
        elif self._errs("slide") and not shares:
            self.erring("slide")
            scene.let(scene.hands.slide(piece, step.target, scene.now))
            return
        elif shares and self._errs("forgotten") and self._only_said(action, name, step):
            return
        self.lift(name)
        if self._errs("away"):
            self.erring("away")
            scene.wait(self.dice.randint(5_000, 15_000))
        if self._errs("between") and not shares:
            share = self.dice.uniform(0.30, 0.46)
            beside = self.nearest(step.target)
            if self._still_there(step.target, beside, share):
                self.erring("between")
                scene.let(scene.hands.put_between(piece, step.target, beside, share, scene.now))
                return
        self.put(name, step.target)

    def _still_there(self, space: Space, other: Space, share: float) -> bool:
        """Whether so far on the way to another space it is nearest to the first still."""
        slots = self.scene.world.board.slots
        (x, y), (ox, oy) = slots[SlotId(space)].position, slots[SlotId(other)].position
        return (
            space_of(self.scene.physics.nearest(FootPosition(x + (ox - x) * share, y + (oy - y) * share)))
            == space
        )

    def _only_said(self, action: Action, name: str, step: Step) -> bool:
        """A move that the board can't feel is said, and the piece forgotten; whether it may be said."""
        if self.scene.say(action.seat, str(action)) is not None:
            return False
        self.erring("forgotten")
        where = list(self.at().values())
        if step.origin not in where or where.count(step.target) == 1:  # else nothing can tell
            self.forgotten.add(name)
        return True

    def _shares(self, step: Step) -> bool:
        """Whether another piece stands where this one leaves or comes."""
        where = list(self.at().values())
        return where.count(step.origin) > 1 or step.target in where

    # -- errors before an action ---------------------------------------------------------------------------

    def _blunder(self) -> None:
        self._blunder_each("put_back", "adjust", "swap", "knock", "illegal", "out_of_turn")

    def _some(self) -> str:
        """A piece that stands alone."""
        alone = self.alone()
        return self.dice.choice(alone) if alone else ""

    def _put_back(self) -> None:
        """A piece is lifted and, after a thought, set back."""
        name = self._some()
        if name:
            self.erring("put_back")
            self.lift(name)
            self.pause(50, 4000)
            self.put(name, self.at()[name])

    def _adjust(self) -> None:
        """A piece is straightened."""
        name = self._some()
        if name:
            self.erring("adjust")
            self.scene.let(self.scene.hands.centre(self.pieces[name], self.at()[name], self.scene.now))

    def _swap(self) -> None:
        """Two pieces are taken up together and come down in each other's place."""
        alone, where = self.alone(), self.at()
        names = self.dice.sample(alone, 2) if len(alone) > 1 else []
        if len({self.pieces[name].owner for name in names}) == 1:  # of two seats' pieces no reed could tell
            self.erring("swap")
            for name in names:
                self.lift(name)
            for name, other in zip(names, reversed(names), strict=True):
                self.put(name, where[other])

    def _knock(self) -> None:
        """A piece falls over; somebody stands it up, at once or when asked."""
        name = self._some()
        if name:
            self.erring("knock")
            self.scene.let(self.scene.hands.topple(self.pieces[name], self.scene.now))
            if self._looks_moved(name):
                return
            if self.dice.random() < 0.5:
                self.pause(300, 3000)
                self.fetch(name)

    def _looks_moved(self, name: str) -> bool:
        """Whether it fell so far over the next ring that reeds feel a move: people play on from that."""
        where, felt = self.at(), self.scene.felt()
        origin = where[name]
        moves = [
            action
            for action, step in self._steps().items()
            if step.origin == origin and step.target in felt - set(where.values())
        ]
        if name != self.mover() or origin in felt or len(moves) != 1:
            return False
        self.judge.count["alike"] += 1
        self.judge.does(moves[0])
        return True

    def _illegal(self) -> None:
        """A piece is carried where it may not go."""
        self._wrongly(self.mover(), "illegal")

    def _out_of_turn(self) -> None:
        """A piece is moved before it is its turn."""
        others = sorted(set(self.pieces) - {self.mover()})
        self._wrongly(self.dice.choice(others), "out_of_turn")

    def _wrongly(self, name: str, kind: str) -> None:
        scene, where = self.scene, self.at()
        origin = where[name]
        if list(where.values()).count(origin) > 1:
            return
        reach = {step.target for step in self.state.steps() if step.origin == origin}
        every = set(scene.world.board.spaces)
        # What stands with the piece to move is taken for it: nobody could tell.
        hidden = {step.target for step in self.state.steps() if list(where.values()).count(step.origin) > 1}
        # Who puts the last move back asks to take it back.
        last = next((text for _, text in reversed(self.judge.actions) if text.split("-")[0] in every), "")
        asks = {target for target in every if f"{target}-{origin}" == last}
        free = sorted(every - set(where.values()) - hidden - asks - (reach if kind == "illegal" else set()))
        if not free:
            return
        target = self.dice.choice(free)
        (seat,) = self.state.seats_to_act()
        try:
            action = self.state.hand_action(seat, core.Space(origin), core.Space(target))
        except BadText:
            return
        if self.state.refusal(action) is None:
            return
        self.erring(kind)
        before = self.judge.refused
        self.judge.tried = str(action)
        self.lift(name)
        scene.let(scene.hands.put(self.pieces[name], target, scene.now))
        scene.wait(9000)
        if self.judge.refused == before and scene.push_unfelt(self.pieces[name], target):
            scene.wait(9000)
        if self.judge.refused == before:
            self.judge.find(MISSED, f"{name} from {origin} to {target}: nobody objected")

    # -- errors after an action ----------------------------------------------------------------------------

    def _early(self, moved: str, step: Step) -> None:
        """Whoever moves next has the piece in the hand before the last move has been ruled on."""
        names = list(self.pieces)
        name = names[(names.index(moved) + 1) % len(names)]
        if self.judge.findings or name not in self.alone() or self.at()[name] in step[:2]:
            return
        self.erring("early")
        self.pause(0, 300)
        self.early = name
        self.lift(name)

    def _take_back(self, action: Action, step: Step | None) -> None:
        """Whoever acted last asks to take it back, on the phone or by putting the piece back."""
        scene, state = self.scene, self.state
        ask = None if state.outcome is not None else state.parse("ask-take-back", action.seat)
        if self.judge.findings or ask is None or state.refusal(ask) is not None:
            return
        self.erring("take_back")
        self.pause(500, 2500)
        self.judge.does(ask)
        name = next(
            (name for name in self.alone() if step is not None and self.at()[name] == step.target), ""
        )
        if step is not None and name and step.origin not in self.at().values() and self.dice.random() < 0.5:
            self.lift(name)
            scene.let(scene.hands.put(self.pieces[name], step.origin, scene.now))
        else:
            scene.say(action.seat, str(ask))
        self._await()
        self.pause(500, 4000)
        word = self.dice.choice(["agree", "decline"])
        answers = [self.state.parse(f"{word}-take-back", seat) for seat in self.state.seats]
        answer = next(each for each in answers if self.state.refusal(each) is None)
        self.judge.does(answer)
        scene.say(answer.seat, str(answer))
        self._await()
        if word == "agree" and self.misplaced() and self._errs("forgotten"):
            self.erring("forgotten")
            self.forgotten.update(self.misplaced())

    def _await(self) -> None:
        """Wait until all that was done is ruled on."""
        end = self.scene.now + HEARD_MS * 1000
        while self.judge.waiting and not self.judge.findings and self.scene.now < end:
            self.scene.wait(100)
