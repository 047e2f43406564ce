"""Two players of a game in which who takes stands there.

The pieces come from the box. As in Stratego, a seat that sets up in secret does so by hand, and who attacks
gives a sign.
"""

from __future__ import annotations

from collections.abc import Collection

from boardrules.core import Action, Seat, Step
from boardsim.judging.judge import AttemptedAction
from boardsim.judging.open_judge import OpenJudge, from_tray, step_of
from boardsim.people.people import StrategoPeople
from boardware.ports import MS

TAKING_WAYS = ("other first", "own first", "two hands", "upon")
"""The ways in which people take a piece."""
PUT_BACK_PAUSE_MS = 600
"""So long a piece may be in the hand still after the one that it could have taken was put back."""


class OpenPlayers(StrategoPeople):
    """They know where all pieces begin, or choose it, and of each what it does."""

    judges = OpenJudge

    # -- the game ------------------------------------------------------------------------------------------

    def _set_up(self, seat: Seat) -> None:
        """Take the pieces of a seat from the box."""
        if any(action.secret for action in self.state.legal_actions(seat)):
            super()._set_up(seat)
            return
        scene = self.scene
        scene.write_script_line(scene.now, f"# {seat} sets up")
        ends = [scene.now]
        for space, (there,) in sorted(self.state.layout().items()):
            if there.seat == seat:
                piece = scene.world.new_piece(seat, there.name)
                self.judge.expected_pieces[space] = piece
                ends.append(scene.hands.place_from_box(piece, space, scene.now))
        scene.run_until(max(ends))
        scene.wait(200)

    # -- one action ----------------------------------------------------------------------------------------

    def _carry(self, action: Action, error_kinds: Collection[str]) -> None:
        """Carry a legal action out with the pieces, or say it: what a pawn becomes."""
        step = self.sitting.steps().get(action)
        self.judge.attempt_action(action)
        if step is None:
            self.scene.say(action.seat, str(action))
        else:
            self._do(action.seat, step, error_kinds)

    def _redo_attempt(self, tried: AttemptedAction) -> None:
        step = step_of(self.judge.state_before(tried), tried.seat, tried.text)
        if step is None:
            self.scene.say(tried.seat, tried.text)
        else:
            self._do(tried.seat, step, ())

    def _do(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        self.scene.hands.acting_person = seat
        board = self.scene.world.board.spaces
        if step.origin not in board:
            self._drop(seat, step)
        elif step.target not in board:
            self._leave(seat, step, kinds)
        elif step.companion_moves:
            self._move_several(step)
        elif step.attack:
            self.captures.attack(seat, step, kinds)
        elif step.takes:
            self._take(seat, step, kinds)
        else:
            self._move(seat, step, kinds)
        if self.mending.hand_played_spaces & {step.origin, step.target}:
            self._says(seat, step)

    def _leave(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        """A piece leaves the board: it is lifted and kept, or laid beside; the board asks, or is told."""
        scene, dice = self.scene, self.sitting.dice
        piece = scene.top_piece_on(step.origin)
        if piece is None:  # a child has it
            return
        scene.run_until(scene.hands.lift(piece, scene.now))
        self._err_between_lifts(seat, step, kinds)
        if self.judge.is_all_ruled() or piece in scene.physics.resting_slots:
            return  # the board had it put back: it is done again
        if dice.random() < 0.5:
            scene.put_beside_board(piece)
        if dice.random() < 0.3:
            self._says(seat, step)

    def _drop(self, seat: Seat, step: Step) -> None:
        """A piece comes to the board, or is said to."""
        scene = self.scene
        if scene.top_piece_on(step.target) is not None:
            return
        if self.sitting.dice.random() < 0.2:
            self._says(seat, step)
        else:
            self.sitting.pause(0, 1200)
            scene.bring_to_space(from_tray(self.judge, step), step.target)

    def _says(self, seat: Seat, step: Step) -> None:
        """What hands do is said on the phone."""
        text = str(self.judge.state_before_last.hand_action(seat, step.origin, step.target))
        self.judge.hand_attribution.note_said_attack(seat, text)
        self.scene.say(seat, text)

    def _move_several(self, step: Step) -> None:
        """Several pieces of a side: one in each hand, or the first one first."""
        scene, hands = self.scene, self.scene.hands
        ways = ((step.origin, step.target), *step.companion_moves)
        found = [
            (self.judge.expected_pieces[at], to)
            for at, to in ways
            if scene.top_piece_on(at) == self.judge.expected_pieces[at]
        ]
        if len(found) < len(ways):
            return  # a child has one: people say so, and begin again
        if self.sitting.dice.random() < 0.5:
            scene.run_until(max(hands.lift(piece, scene.now) for piece, _ in found))
            for piece, to in found:
                scene.run_until(hands.put(piece, to, scene.now))
            return
        for piece, to in found:
            scene.run_until(hands.lift(piece, scene.now))
            scene.run_until(hands.put(piece, to, scene.now))
            self.sitting.pause(0, 1500)

    def _take(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        """Take a piece, where it stands or beside the way."""
        scene, hands, dice = self.scene, self.scene.hands, self.sitting.dice
        (taken,) = step.takes
        own, other = scene.top_piece_on(step.origin), scene.top_piece_on(taken)
        if own is None or other is None:  # a child has it: people say so, and begin again
            return
        if "withdraw" in kinds:
            self._withdraw(step)
        way = dice.choice(TAKING_WAYS)
        if way == "two hands":
            scene.run_until(max(hands.lift(each, scene.now) for each in (own, other)))
        elif way == "other first":
            scene.run_until(hands.lift(other, scene.now))
            if dice.random() < 0.5:
                scene.put_beside_board(other)
            scene.run_until(hands.lift(own, scene.now))
        else:
            scene.run_until(hands.lift(own, scene.now))
            self._err_between_lifts(seat, step, kinds)
            if self.judge.is_all_ruled() or own in scene.physics.resting_slots:
                return  # the board had it put back: it is done again
            if way == "own first" and other in scene.physics.resting_slots:
                scene.run_until(hands.lift(other, scene.now))
        self.sitting.pause(0, 1200)
        if own in scene.physics.resting_slots or scene.top_piece_on(step.target) not in (None, other):
            return
        scene.run_until(hands.put(own, step.target, scene.now))
        if other in scene.physics.resting_slots and (way == "upon" or dice.random() < 0.5):
            self.sitting.pause(100, 1500)
            scene.run_until(hands.lift(other, scene.now))

    def _withdraw(self, step: Step) -> None:
        """Both are up, and both are put back: it was a thought."""
        scene, hands, dice = self.scene, self.scene.hands, self.sitting.dice
        own, other = scene.top_piece_on(step.origin), scene.top_piece_on(step.takes[0])
        assert own is not None
        assert other is not None
        self.sitting.record_error("withdraw")
        scene.run_until(max(hands.lift(each, scene.now) for each in (own, other)))
        self.sitting.pause(200, 2000)
        back = [(own, step.origin), (other, step.takes[0])]
        for piece, space in back if dice.random() < 0.5 else back[::-1]:
            scene.run_until(hands.put(piece, space, scene.now))
            scene.run_until(scene.now + dice.randint(0, PUT_BACK_PAUSE_MS) * MS)
        self.sitting.pause(500, 2000)
