"""What people do wrong at a board, kind by kind; `rates.ErrorRates` says how often."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection

from boardrules import core
from boardrules.core import Action, BadText, Seat, Step
from boardsim.bench.scene import Space
from boardsim.people.mending import CorrectionBehaviour
from boardsim.people.sitting import SeededGame
from boardsim.world.world import Piece
from boardware.ports import SECOND


class PlayerErrors:
    """Does one error at a time, and sees that it is mended."""

    def __init__(
        self,
        sitting: SeededGame,
        mending: CorrectionBehaviour,
        carry: Callable[[Action, Collection[str]], None],
    ) -> None:
        """`carry` carries a legal action out with the pieces, erring so."""
        self.sitting, self.mending, self.carry = sitting, mending, carry
        self.scene = sitting.scene
        self.judge = sitting.judge
        self.settle = mending.settle

    @property
    def dice(self) -> random.Random:
        """This turn's."""
        return self.sitting.dice

    # -- before an action ----------------------------------------------------------------------------------

    def put_back(self, seat: Seat) -> None:
        """A piece is lifted and, after a thought, set back."""
        if (one := self._random_piece(seat)) is None:
            return
        piece, space = one
        self.sitting.record_error("put_back")
        self._let(self.scene.hands.lift(piece, self.scene.now))
        self.sitting.pause(50, 4000)
        self._let(self.scene.hands.put(piece, space, self.scene.now))
        self.settle()

    def adjust(self, seat: Seat) -> None:
        """Two pieces are straightened."""
        scene, hands = self.scene, self.scene.hands
        if (first := self._random_piece(seat)) is None:
            return
        near = [space for space in self.sitting.neighbours(first[1], 3.0) if scene.top_piece_on(space)]
        if not near:
            return
        self.sitting.record_error("adjust")
        space = self.dice.choice(near)
        second = scene.top_piece_on(space)
        assert second is not None
        pairs = [first, (second, space)]
        way = self.dice.choice(["push", "push together", "lift", "lift together"])
        if way == "push":
            for piece, place in pairs:
                self._let(hands.centre(piece, place, scene.now))
        elif way == "push together":
            self._let(max(hands.centre(piece, place, scene.now) for piece, place in pairs))
        elif way == "lift":
            for piece, place in pairs:
                self._let(hands.lift(piece, scene.now))
                self._let(hands.put(piece, place, scene.now, 2.0))
        else:
            self._let(max(hands.lift(piece, scene.now) for piece, _ in pairs))
            self._let(max(hands.put(piece, place, scene.now, 2.0) for piece, place in pairs))
        self.settle()

    def knock(self, seat: Seat) -> None:
        """Pieces near the hand fall over; somebody stands them up, at once or when asked."""
        scene = self.scene
        if (one := self._random_piece(seat)) is None:
            return
        here = one[1]
        near = [space for space in (here, *self.sitting.neighbours(here, 1.5)) if scene.top_piece_on(space)]
        fallen = self.dice.sample(near, min(len(near), self.dice.choice([1, 1, 2, 2, 3])))
        self.sitting.record_error("knock")
        pieces = [piece for space in fallen if (piece := scene.top_piece_on(space))]
        self._let(max(scene.hands.topple(piece, scene.now) for piece in pieces))
        if self.dice.random() < 0.5:
            self.sitting.pause(300, 3000)
            for piece, fell in zip(pieces, fallen, strict=True):
                # One whose fall was taken for a move belongs where it was said to have gone.
                home = next(
                    (space for space, each in self.judge.expected_pieces.items() if each == piece), fell
                )
                scene.bring_to_space(piece, home)
        self.settle()

    def out_of_turn(self, seat: Seat) -> None:
        """A piece of the other side is moved."""
        scene = self.scene
        others = [space for space, piece in self.judge.expected_pieces.items() if piece.owner != seat]
        last = self.judge.actions[-1][1] if self.judge.actions else ""
        self.dice.shuffle(others)
        for space in others:
            free = [near for near in self.sitting.neighbours(space) if scene.top_piece_on(near) is None]
            free = [near for near in free if last != f"{near}-{space}"]  # that would ask to take it back
            if free:
                break
        else:
            return
        self.sitting.record_error("out_of_turn")
        target, piece = self.dice.choice(free), scene.top_piece_on(space)
        assert piece is not None
        action = self.sitting.state.hand_action(piece.owner, core.Space(space), core.Space(target))
        self.judge.attempt_action(action)
        scene.hands.acting_person = piece.owner
        self._let(scene.hands.lift(piece, scene.now))
        self._let(scene.hands.put(piece, target, scene.now))
        if self.mending.hand_played_spaces & {space, target}:
            self._say_hand_played(action)
        self.settle()

    def try_forbidden_action(self, seat: Seat) -> None:
        """Something that the rules refuse is tried with the pieces."""
        scene, hands, state = self.scene, self.scene.hands, self.sitting.state
        tried = self._forbidden(seat)
        if tried is None:
            return
        action, origin, target = tried
        self.sitting.record_error("illegal")
        piece, other = scene.top_piece_on(origin), scene.top_piece_on(target)
        assert piece is not None
        assert state.refusal(action) is not None
        self.judge.attempt_action(action)
        self._let(hands.lift(piece, scene.now))
        if other is None:
            self._let(hands.put(piece, target, scene.now))
        else:
            self._let(hands.lift(other, scene.now))
            scene.wait(1500)
            if self.mending.answers.answer():  # it looks possible: only its owner knows better
                scene.wait(1500)
            if not self.judge.has_umpire_objected:  # nobody objects: the attacker takes the square
                scene.put_beside_board(other)
                self._let(hands.put(piece, target, scene.now))
        if self.mending.hand_played_spaces & {origin, target}:
            self._say_hand_played(action)
        self.settle()

    def _say_hand_played(self, action: Action) -> None:
        """Say what was done on a square that is played by hand, as was agreed: no reed could tell."""
        if self.scene.say(action.seat, str(action)) is not None:
            self.judge.has_umpire_objected = True

    def _forbidden(self, seat: Seat) -> tuple[Action, Space, Space] | None:
        """An action that hands can do and the rules refuse, and that no other hand's work looks like."""
        state, scene = self.sitting.state, self.scene
        stands = self.judge.expected_pieces
        own = [
            space
            for space, piece in stands.items()
            if piece.owner == seat and scene.top_piece_on(space) == piece
        ]
        spaces = list(scene.world.board.spaces)
        enemies = self.dice.random() < 0.2
        for _ in range(60 if own else 0):
            origin = self.dice.choice(own)
            near = self.sitting.neighbours(origin, 3.3)
            target = self.dice.choice(near if self.dice.random() < 0.7 else spaces)
            taken = scene.top_piece_on(target)
            if target == origin or (taken is not None) != enemies or (taken and taken.owner == seat):
                continue
            try:
                action = state.hand_action(seat, core.Space(origin), core.Space(target))
            except BadText:
                continue
            if state.refusal(action) is not None:
                return action, origin, target
        return None

    def swap(self, seat: Seat) -> None:
        """Two pieces trade places, or one from the box comes in the place of another."""
        scene, hands = self.scene, self.scene.hands
        own = sorted(space for space, piece in self.judge.expected_pieces.items() if piece.owner == seat)
        dead = [piece for piece in scene.beside if piece.owner == seat]
        if dead and own and self.dice.random() < 0.3:
            self.sitting.record_error("swap")
            space = self.dice.choice(own)
            piece = scene.top_piece_on(space)
            assert piece is not None
            scene.put_beside_board(piece)
            scene.bring_to_space(self.dice.choice(dead), space)
        elif len(own) > 1:
            self.sitting.record_error("swap")
            spaces = self.dice.sample(own, 2)
            pieces = [piece for space in spaces if (piece := scene.top_piece_on(space))]
            self._let(max(hands.lift(piece, scene.now) for piece in pieces))
            for piece, space in zip(pieces, reversed(spaces), strict=True):
                self._let(hands.put(piece, space, scene.now))
        self.settle()

    # -- in and after an action ----------------------------------------------------------------------------

    def walk_away(self) -> None:
        """Somebody walks away with a piece in the hand; others answer what is asked meanwhile."""
        self.sitting.record_error("away")
        end = self.scene.now + self.dice.randint(25, 200) * SECOND
        while self.scene.now < end and not self.judge.findings:
            self.scene.wait(1000)

    def free_neighbour(self, step: Step) -> Space | None:
        """A free square beside the target of a move, on whose border a piece may come to stand."""
        near = [
            space for space in self.sitting.neighbours(step.target) if self.scene.top_piece_on(space) is None
        ]
        near = [space for space in near if space != step.origin] or near
        return self.dice.choice(near) if near else None

    def reply_early(self, action: Action) -> None:
        """The other side replies before the umpire has answered, or before the chores are done."""
        sitting = self.sitting
        state = sitting.state
        if state.outcome is not None or action.seat in state.seats_to_act():
            return
        step = sitting.steps(self.judge.state_before_last).get(action)
        if step is None:  # it was said
            return
        if step.attack:
            self.mending.await_ruling(40_000)
            if not self.judge.is_all_ruled():
                return
        else:
            sitting.pause(0, 300)
        reply = self._reply(action)
        if reply is None or self.judge.findings:
            return
        sitting.record_error("early")
        self.judge.ambiguous_errors.add("early")  # until the turn is over
        self.carry(reply, ())

    def leave_loser_standing(self, action: Action) -> None:
        """The loser of a battle is left on the board: set down where it came from, or not taken off."""
        sitting, scene, judge = self.sitting, self.scene, self.judge
        step = sitting.steps(judge.state_before_last).get(action)
        if step is None or not step.attack or judge.findings:
            return
        self.mending.await_ruling(40_000)
        losers = [piece for piece in scene.held_pieces() if piece not in judge.expected_pieces.values()]
        left = scene.top_piece_on(step.target)
        if not losers and (left is None or left in judge.expected_pieces.values()):
            return
        sitting.record_error("forgotten")
        self.mending.postpones_loser = True
        for piece in losers:
            if scene.top_piece_on(step.origin) is None:
                self._let(scene.hands.put(piece, step.origin, scene.now))

    def _reply(self, action: Action) -> Action | None:
        """A quiet move of the other side that leaves alone what the last action is about."""
        sitting, scene = self.sitting, self.scene
        seat = sitting.state.seats_to_act()[0]
        steps, found = sitting.steps(), []
        for reply in sitting.state.legal_actions(seat):
            step = steps.get(reply)
            if step is None or step.attack or step.takes or step.companion_moves:
                continue
            if not {step.origin, step.target} <= scene.world.board.spaces.keys():
                continue  # beside the board nobody is early
            if scene.top_piece_on(step.origin) and scene.top_piece_on(step.target) is None:
                found.append(reply)
        return self.dice.choice(sorted(found, key=str)) if found else None

    def take_back(self, action: Action) -> None:
        """Whoever moved asks to take it back, on the phone, by the button, or by putting the piece back."""
        sitting, scene = self.sitting, self.scene
        state = sitting.state
        try:
            ask = state.parse("ask-take-back", action.seat)
        except BadText:  # a game without take-backs
            return
        if state.refusal(ask) is not None:
            return
        step = sitting.steps(self.judge.state_before_last).get(action)
        if step is None:  # the board felt something else
            return
        sitting.record_error("take_back")
        way = self.dice.choice(["phone", "button", "piece"])
        sitting.pause(500, 2500)
        self.judge.attempt_action(ask)
        if way == "phone":
            scene.say(action.seat, "ask-take-back")
        elif way == "button":
            scene.press("turn", 2500)
        else:
            piece = scene.top_piece_on(step.target)
            assert piece is not None
            scene.hands.acting_person = action.seat
            self._let(scene.hands.lift(piece, scene.now))
            self._let(scene.hands.put(piece, step.origin, scene.now))
            if step.origin in self.mending.hand_played_spaces:  # there they say what they do, as was agreed
                scene.say(action.seat, "ask-take-back")
            self.mending.await_ruling(10_000)
            if not self.judge.is_all_ruled():
                scene.centre_unsensed_piece(piece, step.origin)
        self.mending.await_ruling(30_000)
        if not self.judge.is_all_ruled():  # a button counted for nothing, as something else was asked
            scene.say(action.seat, "ask-take-back")
            self.mending.await_ruling(10_000)
        sitting.pause(500, 4000)
        word = self.dice.choice(["agree", "decline"])
        other = next(seat for seat in state.seats if seat != action.seat)
        self.judge.attempt_action(sitting.state.parse(f"{word}-take-back", other))
        scene.say(other, f"{word}-take-back")
        scene.wait(200)
        self.settle()

    # -- pieces --------------------------------------------------------------------------------------------

    def _random_piece(self, seat: Seat) -> tuple[Piece, Space] | None:
        """A piece of a seat, or one time in four of the other; `None` where it has none on the board."""
        stands = self.judge.expected_pieces
        owners = [piece.owner for piece in stands.values()]
        if self.dice.random() < 0.25 and len(set(owners)) > 1:
            seat = next(owner for owner in owners if owner != seat)
        spaces = sorted(space for space, piece in stands.items() if piece.owner == seat)
        if not spaces:
            return None
        space = self.dice.choice(spaces)
        return stands[space], space

    def _let(self, end: int) -> None:
        self.scene.run_until(end)
