"""People at a board: they play random legal games, err, and mend what lamps and messages tell them to."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar

from boardrules import core
from boardrules.core import Action, Seat, State, Step
from boardsim.bench.bench import BenchSettings, parse_setup
from boardsim.bench.table import BenchTableFactory
from boardsim.judging.judge import AttemptedAction, Judge
from boardsim.people.blunders import PlayerErrors
from boardsim.people.captures import AttackBehaviour
from boardsim.people.hostility import HostileBehaviour
from boardsim.people.mending import CorrectionBehaviour
from boardsim.people.pushers import SlidingBehaviour
from boardsim.people.rates import ACTIONS_MAX, CLUMSY, ERROR_KINDS, ErrorRates, TurnError
from boardsim.people.sitting import SeededGame

ATTACK_RATE = 0.4
"""How often somebody attacks who can."""
LEARNT_MS = 60_000
"""How long people wait for their army to be learnt: readers look at all squares in a quarter of that."""
SLIDING_ERROR_KINDS = ("push", "push_home", "push_far", "second")
"""The errors before an action that come while a piece is in the hand, too."""


class StrategoPeople:
    """Two players at one board, from power on to the end of a game."""

    judges: ClassVar[type[Judge]] = Judge
    """Who holds the umpire's words against the truth."""

    def __init__(
        self,
        setting: BenchSettings,
        factory: BenchTableFactory,
        seed: str,
        rates: ErrorRates = CLUMSY,
        *,
        without: Collection[TurnError] = (),
        longest: int = ACTIONS_MAX,
    ) -> None:
        self.longest = longest
        self.sitting = sitting = SeededGame(
            setting, factory, seed, rates, without=without, judges=self.judges
        )
        self.scene = sitting.scene
        self.judge = sitting.judge
        self.erred = sitting.erred
        self.mending = mending = CorrectionBehaviour(sitting, self._redo_attempt)
        self.blunders = PlayerErrors(sitting, mending, self._carry)
        self.hostility = HostileBehaviour(sitting, mending)
        self.pushers = SlidingBehaviour(sitting, mending, self.hostility)
        self.captures = AttackBehaviour(sitting, self.pushers, self._err_between_lifts)
        self._before = before_an_action(self.blunders, self.hostility, self.pushers)

    @property
    def state(self) -> State:
        """The game as it truly stands."""
        return self.sitting.state

    @staticmethod
    def game_options(number: int) -> dict[str, Any]:
        """The options of the game of that number."""
        return {}

    # -- the game ------------------------------------------------------------------------------------------

    def play(self) -> None:
        """From power on to the end, or to the first thing that the umpire does wrong."""
        scene = self.scene
        scene.bench.start()
        scene.run_until(scene.now)
        self.sitting.reseed_dice("start")
        for seat in self.state.seats:
            self._set_up(seat)
        self.mending.settle()
        while not self.sitting.ended:
            self.sitting.turn += 1
            if self.sitting.turn > self.longest:
                self._resign()
            else:
                self._turn()

    def _set_up(self, seat: Seat) -> None:
        scene = self.scene
        action = self.sitting.dice.choice(list(self.state.legal_actions(seat)))
        scene.write_script_line(scene.now, f"# {seat} sets up")
        ends, pad = [scene.now], scene.pad(seat)
        for space, label in parse_setup(str(action)):
            piece = scene.world.new_piece(seat, label)
            if pad is None:
                ends.append(scene.hands.place_from_box(piece, space, scene.now))
            else:
                scene.show(piece, pad)
                scene.run_until(scene.hands.place_from_box(piece, space, scene.now))
        scene.run_until(max(ends))
        scene.wait(200)
        self.judge.attempt_action(action)
        if scene.bench.tags is None:
            scene.say(seat, str(action))
        else:
            self.mending.await_ruling(LEARNT_MS)

    def _resign(self) -> None:
        seat = self.state.seats_to_act()[0]
        self.judge.attempt_action(self.state.parse("resign", seat))
        self.scene.say(seat, "resign")
        self.mending.settle()

    def _turn(self) -> None:
        action = self._choose()
        self.sitting.reseed_dice("does")
        kinds = [kind for kind in ERROR_KINDS if self.sitting.should_err(kind)]
        self.scene.write_script_line(
            self.scene.now, f"# turn {self.sitting.turn}: {action.seat} {action} {' '.join(kinds)}".rstrip()
        )
        self.scene.hands.acting_person = action.seat
        for kind, err in self._before.items():
            if kind in kinds and not self.sitting.ended:
                self.judge.ambiguous_errors.add(kind)
                err(action.seat)
                self.judge.ambiguous_errors.clear()
                self.scene.hands.acting_person = action.seat
        if self.sitting.ended:
            return
        if action not in self.state.legal_actions(action.seat):  # fallen pieces were taken for an action
            action = self._choose()
        self._carry(action, kinds)
        for kind in ("push_chore", "push_early"):
            if kind in kinds:
                self.pushers.push_onto_correction(action, kind, kinds)
        if "early" in kinds:
            self.blunders.reply_early(action)
        if "forgotten" in kinds:
            self.blunders.leave_loser_standing(action)
        self.mending.settle()
        self.judge.ambiguous_errors.clear()
        if "take_back" in kinds and not self.sitting.ended and len(self.state.seats) > 1:
            self.blunders.take_back(action)

    def _choose(self) -> Action:
        """The next action: any legal one, rather often an attack."""
        dice, state = random.Random(f"{self.sitting.seed} {self.sitting.turn} move"), self.state
        legal = sorted(state.legal_actions(state.seats_to_act()[0]), key=str)
        steps = self.sitting.steps()
        against = {action for action, step in steps.items() if step.attack or step.takes}
        attacks = [action for action in legal if action in against]
        return dice.choice(attacks if attacks and dice.random() < ATTACK_RATE else legal)

    # -- one action ----------------------------------------------------------------------------------------

    def _carry(self, action: Action, error_kinds: Collection[str]) -> None:
        """Carry a legal action out with the pieces; the truth goes on."""
        step = self.sitting.steps()[action]
        self.judge.attempt_action(action)
        self._do(action.seat, step, error_kinds)

    def _redo_attempt(self, tried: AttemptedAction) -> None:
        """Do something again that the umpire had undone before it was ruled on."""
        origin, _, target = tried.text.partition("-")
        if origin not in self.scene.world.board.spaces:
            self.scene.say(tried.seat, tried.text)
            return
        attack = self.judge.expected_pieces.get(target) is not None
        self._do(tried.seat, Step(core.Space(origin), core.Space(target), attack), ())

    def _do(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        self.scene.hands.acting_person = seat
        if step.attack:
            self.captures.attack(seat, step, kinds)
        else:
            self._move(seat, step, kinds)
        if self.mending.hand_played_spaces & {step.origin, step.target}:
            self.judge.hand_attribution.note_said_attack(seat, f"{step.origin}-{step.target}")
            self.scene.say(seat, f"{step.origin}-{step.target}")

    def _err_between_lifts(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        """What happens while a piece is in the hand."""
        if "away" in kinds:
            self.blunders.walk_away()
        if "fiddle" in kinds:
            self.hostility.fiddle_during_action(seat, step)
            self.scene.hands.acting_person = seat
        for kind in SLIDING_ERROR_KINDS:
            if kind in kinds and not (step.attack and kind == "second"):
                self.pushers.push_during_action(seat, step, kind)
                self.scene.hands.acting_person = seat

    def _move(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        scene, hands = self.scene, self.scene.hands
        piece = scene.top_piece_on(step.origin)
        if piece is None:  # a child has it
            return
        if "slide" in kinds:
            self.sitting.record_error("slide")
            scene.run_until(hands.slide(piece, step.target, scene.now))
            return
        scene.run_until(hands.lift(piece, scene.now))
        self._err_between_lifts(seat, step, kinds)
        if (
            self.judge.is_all_ruled()
            or piece in scene.physics.resting_slots
            or scene.top_piece_on(step.target) is not None
        ):
            return  # the board had it put back, or somebody stands there: it is done again
        if "between" in kinds and (other := self.blunders.free_neighbour(step)):
            self.sitting.record_error("between")
            share = self.sitting.dice.uniform(0.30, 0.46)
            scene.run_until(hands.put_between(piece, step.target, other, share, scene.now))
        elif self.sitting.dice.random() < 0.1:
            scene.run_until(hands.drag(piece, step.target, scene.now))
        else:
            scene.run_until(hands.put(piece, step.target, scene.now))


def before_an_action(
    blunders: PlayerErrors, hostility: HostileBehaviour, pushers: SlidingBehaviour
) -> Mapping[str, Callable[[Seat], None]]:
    """The errors that come before an action of a seat, in this order.

    Each goes from a board in order to a board in order.
    """
    return {
        "dead": hostility.break_reed_open,
        "stuck": hostility.break_reed_closed,
        "swap": blunders.swap,
        "adjust": blunders.adjust,
        "knock": blunders.knock,
        "out_of_turn": blunders.out_of_turn,
        "put_back": blunders.put_back,
        "withdraw": hostility.withdraw,
        "probe": hostility.probe,
        "fiddle": hostility.fiddle,
        "push": pushers.push,
        "push_home": pushers.push_home,
        "push_far": pushers.push_far,
        "second": pushers.place_second_piece,
        "child": hostility.take_as_child,
        "illegal": blunders.try_forbidden_action,
    }
