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
from boardsim.people.searchers import MapPlayers
from boardsim.world.physics import FootMagnet, FootPosition
from boardware.ports import SlotId

SHARED_REED_MAGNETS = (FootMagnet(), FootMagnet(0.8), FootMagnet(1.0, disc=True))
"""Magnets of pieces that stand on one reed together: a flipped one would cancel the other."""
RULING_TIMEOUT_MS = 30_000
"""How long people wait for what they said or did to be ruled on."""


class FuhrerPeople(MapPlayers):
    """All players of one game at one board, from power on to the end."""

    # -- the game ------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """A piece comes to the board when it is said where it begins."""

    def _turn(self) -> None:
        (seat,) = self.state.seats_to_act()
        if seat == CHANCE:
            face = self.dice.choice([action for action, _ in self.state.chance()])
            self.scene.write_script_line(self.scene.now, f"# turn {self.turn}: {face}")
            self.pause(300, 1500)
            self.scene.say(self.state.throwers()[0], str(face))
            return
        if self.turn > self.longest * 4:
            self._say(self.state.parse("resign", seat))
            return
        steps = self._steps()
        if steps and not self.early_piece:
            before = self.state
            self._blunder()
            if self.judge.findings or self.state is not before:
                return
        legal = sorted(self.state.legal_actions(seat), key=str)
        moves = [action for action in legal if action in steps]
        action = self.dice.choice(moves if moves and self.dice.random() < 0.8 else legal)
        self.scene.write_script_line(
            self.scene.now, f"# turn {self.turn}: {seat} {'...' if action.secret else action}"
        )
        self._do(action, steps.get(action))
        if self._should_err("take_back") and not self.early_piece:
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
            name = self.piece_to_move()
            self._carry(action, step)
            if self._should_err("early"):
                self._lift_early(name, step)
            return
        if self.early_piece == self.piece_to_move():  # it stays: back with it
            name, self.early_piece = self.early_piece, ""
            self.put(name, self.expected_spaces()[name])
        self._say(action)

    def _say(self, action: Action) -> None:
        """Say it on the phone; a piece that is set up is stood first, if nobody forgets that."""
        name = str(action).split()[0]
        if name not in self.pieces and action in self.state.legal_actions(action.seat):
            after, _ = self.state.apply(action)
            owners = dict(after.view(None).json()["owners"])
            if name in owners:
                piece = self.pieces[name] = self.scene.world.new_piece(owners[name], name)
                self.scene.physics.magnets[piece] = self.dice.choice(SHARED_REED_MAGNETS)
                if self._should_err("forgotten"):
                    self.record_error("forgotten")
                    self.forgotten.add(name)
                else:
                    self.put(name, str(action).split()[1])
        self.judge.do_action(action)
        why = self.scene.say(action.seat, str(action))
        if why is not None:
            self.judge.find(WRONG, f"{action.seat} could not say {action}: {why}")

    # -- one action ----------------------------------------------------------------------------------------

    def _carry(self, action: Action, step: Step) -> None:
        """A legal move with the piece."""
        scene = self.scene
        name = self.piece_to_move()
        piece = self.pieces[name]
        shares = self._is_space_shared(step)
        self.judge.do_action(action)
        if self.early_piece:
            self.early_piece = ""
        elif self._should_err("slide") and not shares:
            self.record_error("slide")
            scene.run_until(scene.hands.slide(piece, step.target, scene.now))
            return
        elif shares and self._should_err("forgotten") and self._say_and_forget(action, name, step):
            return
        self.lift(name)
        if self._should_err("away"):
            self.record_error("away")
            scene.wait(self.dice.randint(5_000, 15_000))
        if self._should_err("between") and not shares:
            share = self.dice.uniform(0.30, 0.46)
            beside = self.nearest(step.target)
            if self._is_nearest_to(step.target, beside, share):
                self.record_error("between")
                scene.run_until(scene.hands.put_between(piece, step.target, beside, share, scene.now))
                return
        self.put(name, step.target)

    def _is_nearest_to(self, space: Space, other: Space, share: float) -> bool:
        """Whether so far on the way to another space it is nearest to the first still."""
        slots = self.scene.world.board.slots
        (x, y), (ox, oy) = slots[SlotId(space)].position, slots[SlotId(other)].position
        return (
            space_of(self.scene.physics.nearest(FootPosition(x + (ox - x) * share, y + (oy - y) * share)))
            == space
        )

    def _say_and_forget(self, action: Action, name: str, step: Step) -> bool:
        """A move that the board can't feel is said, and the piece forgotten; whether it may be said."""
        if self.scene.say(action.seat, str(action)) is not None:
            return False
        self.record_error("forgotten")
        where = list(self.expected_spaces().values())
        if step.origin not in where or where.count(step.target) == 1:  # else nothing can tell
            self.forgotten.add(name)
        return True

    def _is_space_shared(self, step: Step) -> bool:
        """Whether another piece stands where this one leaves or comes."""
        where = list(self.expected_spaces().values())
        return where.count(step.origin) > 1 or step.target in where

    # -- errors before an action ---------------------------------------------------------------------------

    def _blunder(self) -> None:
        self._make_errors_of("put_back", "adjust", "swap", "knock", "illegal", "out_of_turn")

    def _random_lone_piece(self) -> str:
        """A piece that stands alone."""
        alone = self.lone_pieces()
        return self.dice.choice(alone) if alone else ""

    def _put_back(self) -> None:
        """A piece is lifted and, after a thought, set back."""
        name = self._random_lone_piece()
        if name:
            self.record_error("put_back")
            self.lift(name)
            self.pause(50, 4000)
            self.put(name, self.expected_spaces()[name])

    def _adjust(self) -> None:
        """A piece is straightened."""
        name = self._random_lone_piece()
        if name:
            self.record_error("adjust")
            self.scene.run_until(
                self.scene.hands.centre(self.pieces[name], self.expected_spaces()[name], self.scene.now)
            )

    def _swap(self) -> None:
        """Two pieces are taken up together and come down in each other's place."""
        alone, where = self.lone_pieces(), self.expected_spaces()
        names = self.dice.sample(alone, 2) if len(alone) > 1 else []
        if len({self.pieces[name].owner for name in names}) == 1:  # of two seats' pieces no reed could tell
            self.record_error("swap")
            for name in names:
                self.lift(name)
            for name, other in zip(names, reversed(names), strict=True):
                self.put(name, where[other])

    def _knock(self) -> None:
        """A piece falls over; somebody stands it up, at once or when asked."""
        name = self._random_lone_piece()
        if name:
            self.record_error("knock")
            self.scene.run_until(self.scene.hands.topple(self.pieces[name], self.scene.now))
            if self._looks_moved(name):
                return
            if self.dice.random() < 0.5:
                self.pause(300, 3000)
                self.bring_home(name)

    def _looks_moved(self, name: str) -> bool:
        """Whether it fell so far over the next ring that reeds feel a move: people play on from that."""
        where, felt = self.expected_spaces(), self.scene.closed_reed_spaces()
        origin = where[name]
        moves = [
            action
            for action, step in self._steps().items()
            if step.origin == origin and step.target in felt - set(where.values())
        ]
        if name != self.piece_to_move() or origin in felt or len(moves) != 1:
            return False
        self.judge.count["alike"] += 1
        self.judge.do_action(moves[0])
        return True

    def _illegal(self) -> None:
        """A piece is carried where it may not go."""
        self._move_forbidden(self.piece_to_move(), "illegal")

    def _out_of_turn(self) -> None:
        """A piece is moved before it is its turn."""
        others = sorted(set(self.pieces) - {self.piece_to_move()})
        self._move_forbidden(self.dice.choice(others), "out_of_turn")

    def _move_forbidden(self, name: str, kind: str) -> None:
        scene, where = self.scene, self.expected_spaces()
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
        self.record_error(kind)
        before = self.judge.objection_count
        self.judge.forbidden_action = str(action)
        self.lift(name)
        scene.run_until(scene.hands.put(self.pieces[name], target, scene.now))
        scene.wait(9000)
        if self.judge.objection_count == before and scene.centre_unsensed_piece(self.pieces[name], target):
            scene.wait(9000)
        if self.judge.objection_count == before:
            self.judge.find(MISSED, f"{name} from {origin} to {target}: nobody objected")

    # -- errors after an action ----------------------------------------------------------------------------

    def _lift_early(self, moved: str, step: Step) -> None:
        """Whoever moves next has the piece in the hand before the last move has been ruled on."""
        names = list(self.pieces)
        name = names[(names.index(moved) + 1) % len(names)]
        if self.judge.findings or name not in self.lone_pieces() or self.expected_spaces()[name] in step[:2]:
            return
        self.record_error("early")
        self.pause(0, 300)
        self.early_piece = name
        self.lift(name)

    def _take_back(self, action: Action, step: Step | None) -> None:
        """Whoever acted last asks to take it back, on the phone or by putting the piece back."""
        scene, state = self.scene, self.state
        ask = None if state.outcome is not None else state.parse("ask-take-back", action.seat)
        if self.judge.findings or ask is None or state.refusal(ask) is not None:
            return
        self.record_error("take_back")
        self.pause(500, 2500)
        self.judge.do_action(ask)
        name = next(
            (
                name
                for name in self.lone_pieces()
                if step is not None and self.expected_spaces()[name] == step.target
            ),
            "",
        )
        if (
            step is not None
            and name
            and step.origin not in self.expected_spaces().values()
            and self.dice.random() < 0.5
        ):
            self.lift(name)
            scene.run_until(scene.hands.put(self.pieces[name], step.origin, scene.now))
        else:
            scene.say(action.seat, str(ask))
        self._await_rulings()
        self.pause(500, 4000)
        word = self.dice.choice(["agree", "decline"])
        answers = [self.state.parse(f"{word}-take-back", seat) for seat in self.state.seats]
        answer = next(each for each in answers if self.state.refusal(each) is None)
        self.judge.do_action(answer)
        scene.say(answer.seat, str(answer))
        self._await_rulings()
        if word == "agree" and self.misplaced() and self._should_err("forgotten"):
            self.record_error("forgotten")
            self.forgotten.update(self.misplaced())

    def _await_rulings(self) -> None:
        """Wait until all that was done is ruled on."""
        end = self.scene.now + RULING_TIMEOUT_MS * 1000
        while self.judge.unruled_actions and not self.judge.findings and self.scene.now < end:
            self.scene.wait(100)
