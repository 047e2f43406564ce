"""Two players of a game in which nothing is hidden: the pieces come from the box, and who takes stands
there."""

from __future__ import annotations

from collections.abc import Collection

from boardrules.core import Action, Seat, Step
from boardsim.judging.judge import AttemptedAction
from boardsim.judging.open_judge import OpenJudge, from_tray, step_of
from boardsim.people.people import StrategoPeople
from boardware.ports import MS

TAKES = ("other first", "own first", "two hands", "upon")
"""The ways in which people take a piece."""
WITHDRAWN_MS = 600
"""So long a piece may be in the hand still after the one that it could have taken was put back."""


class OpenPlayers(StrategoPeople):
    """They know where all pieces begin, and of each what it is."""

    judges = OpenJudge

    # -- the game ------------------------------------------------------------------------------------------

    def _set_up(self, seat: Seat) -> None:
        """Take the pieces of a seat from the box."""
        scene = self.scene
        scene.note(scene.now, f"# {seat} sets up")
        ends = [scene.now]
        for space, (there,) in sorted(self.state.layout().items()):
            if there.seat == seat:
                piece = scene.world.new_piece(seat, there.name)
                self.judge.stands[space] = piece
                ends.append(scene.hands.stand(piece, space, scene.now))
        scene.let(max(ends))
        scene.wait(200)

    # -- one action ----------------------------------------------------------------------------------------

    def _carry(self, action: Action, kinds: Collection[str]) -> None:
        """Carry a legal action out with the pieces, or say it: what a pawn becomes."""
        step = self.sitting.steps().get(action)
        self.judge.tries(action)
        if step is None:
            self.scene.say(action.seat, str(action))
        else:
            self._do(action.seat, step, kinds)

    def _again(self, tried: AttemptedAction) -> None:
        step = step_of(self.judge.state_before(tried), tried.seat, tried.text)
        if step is None:
            self.scene.say(tried.seat, tried.text)
        else:
            self._do(tried.seat, step, ())

    def _do(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        self.scene.hands.who = seat
        board = self.scene.world.board.spaces
        if step.origin not in board:
            self._drop(seat, step)
        elif step.target not in board:
            self._leave(seat, step, kinds)
        elif step.also:
            self._together(step)
        elif step.takes:
            self._take(seat, step, kinds)
        else:
            self._move(seat, step, kinds)
        if self.mending.blind & {step.origin, step.target}:
            self._says(seat, step)

    def _leave(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        """A piece leaves the board: it is lifted and kept, or laid beside; the board asks, or is told."""
        scene, dice = self.scene, self.sitting.dice
        piece = scene.on(step.origin)
        if piece is None:  # a child has it
            return
        scene.let(scene.hands.lift(piece, scene.now))
        self._between_lifts(seat, step, kinds)
        if self.judge.settled() or piece in scene.physics.slots:
            return  # the board had it put back: it is done again
        if dice.random() < 0.5:
            scene.aside(piece)
        if dice.random() < 0.3:
            self._says(seat, step)

    def _drop(self, seat: Seat, step: Step) -> None:
        """A piece comes to the board, or is said to."""
        scene = self.scene
        if scene.on(step.target) is not None:
            return
        if self.sitting.dice.random() < 0.2:
            self._says(seat, step)
        else:
            self.sitting.pause(0, 1200)
            scene.fetch(from_tray(self.judge, step), step.target)

    def _says(self, seat: Seat, step: Step) -> None:
        """What hands do is said on the phone."""
        text = str(self.judge.before.hand_action(seat, step.origin, step.target))
        self.judge.doers.says(seat, text)
        self.scene.say(seat, text)

    def _together(self, step: Step) -> None:
        """Several pieces of a side: one in each hand, or the first one first."""
        scene, hands = self.scene, self.scene.hands
        ways = ((step.origin, step.target), *step.also)
        found = [(self.judge.stands[at], to) for at, to in ways if scene.on(at) == self.judge.stands[at]]
        if len(found) < len(ways):
            return  # a child has one: people say so, and begin again
        if self.sitting.dice.random() < 0.5:
            scene.let(max(hands.lift(piece, scene.now) for piece, _ in found))
            for piece, to in found:
                scene.let(hands.put(piece, to, scene.now))
            return
        for piece, to in found:
            scene.let(hands.lift(piece, scene.now))
            scene.let(hands.put(piece, to, scene.now))
            self.sitting.pause(0, 1500)

    def _take(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        """Take a piece, where it stands or beside the way."""
        scene, hands, dice = self.scene, self.scene.hands, self.sitting.dice
        (taken,) = step.takes
        own, other = scene.on(step.origin), scene.on(taken)
        if own is None or other is None:  # a child has it: people say so, and begin again
            return
        if "withdraw" in kinds:
            self._withdraw(step)
        way = dice.choice(TAKES)
        if way == "two hands":
            scene.let(max(hands.lift(each, scene.now) for each in (own, other)))
        elif way == "other first":
            scene.let(hands.lift(other, scene.now))
            if dice.random() < 0.5:
                scene.aside(other)
            scene.let(hands.lift(own, scene.now))
        else:
            scene.let(hands.lift(own, scene.now))
            self._between_lifts(seat, step, kinds)
            if self.judge.settled() or own in scene.physics.slots:
                return  # the board had it put back: it is done again
            if way == "own first" and other in scene.physics.slots:
                scene.let(hands.lift(other, scene.now))
        self.sitting.pause(0, 1200)
        if own in scene.physics.slots or scene.on(step.target) not in (None, other):
            return
        scene.let(hands.put(own, step.target, scene.now))
        if other in scene.physics.slots and (way == "upon" or dice.random() < 0.5):
            self.sitting.pause(100, 1500)
            scene.let(hands.lift(other, scene.now))

    def _withdraw(self, step: Step) -> None:
        """Both are up, and both are put back: it was a thought."""
        scene, hands, dice = self.scene, self.scene.hands, self.sitting.dice
        own, other = scene.on(step.origin), scene.on(step.takes[0])
        assert own is not None
        assert other is not None
        self.sitting.erring("withdraw")
        scene.let(max(hands.lift(each, scene.now) for each in (own, other)))
        self.sitting.pause(200, 2000)
        back = [(own, step.origin), (other, step.takes[0])]
        for piece, space in back if dice.random() < 0.5 else back[::-1]:
            scene.let(hands.put(piece, space, scene.now))
            scene.let(scene.now + dice.randint(0, WITHDRAWN_MS) * MS)
        self.sitting.pause(500, 2000)
