"""People at a board: they play random legal games, err, and mend what lamps and messages tell them to."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar

from boardrules import core
from boardrules.core import Action, Seat, State, Step
from boardsim.bench.bench import Setting, placements
from boardsim.bench.table import BenchTableFactory
from boardsim.judging.judge import AttemptedAction, Judge
from boardsim.people.blunders import PlayerErrors
from boardsim.people.captures import AttackBehaviour
from boardsim.people.hostility import HostileBehaviour
from boardsim.people.mending import CorrectionBehaviour
from boardsim.people.pushers import SlidingBehaviour
from boardsim.people.rates import CLUMSY, KINDS, LONGEST, ErrorRates, TurnError
from boardsim.people.sitting import SeededGame

EAGER = 0.4
"""How often somebody attacks who can."""
LEARNT_MS = 60_000
"""How long people wait for their army to be learnt: readers look at all squares in a quarter of that."""
PUSHED = ("push", "push_home", "push_far", "second")
"""The errors before an action that come while a piece is in the hand, too."""


class StrategoPeople:
    """Two players at one board, from power on to the end of a game."""

    judges: ClassVar[type[Judge]] = Judge
    """Who holds the umpire's words against the truth."""

    def __init__(
        self,
        setting: Setting,
        factory: BenchTableFactory,
        seed: str,
        rates: ErrorRates = CLUMSY,
        *,
        without: Collection[TurnError] = (),
        longest: int = LONGEST,
    ) -> None:
        self.longest = longest
        self.sitting = sitting = SeededGame(
            setting, factory, seed, rates, without=without, judges=self.judges
        )
        self.scene = sitting.scene
        self.judge = sitting.judge
        self.erred = sitting.erred
        self.mending = mending = CorrectionBehaviour(sitting, self._again)
        self.blunders = PlayerErrors(sitting, mending, self._carry)
        self.hostility = HostileBehaviour(sitting, mending)
        self.pushers = SlidingBehaviour(sitting, mending, self.hostility)
        self.captures = AttackBehaviour(sitting, self.pushers, self._between_lifts)
        self._before = before_an_action(self.blunders, self.hostility, self.pushers)

    @property
    def state(self) -> State:
        """The game as it truly stands."""
        return self.sitting.state

    @staticmethod
    def options(number: int) -> dict[str, Any]:
        """The options of the game of that number."""
        return {}

    # -- the game ------------------------------------------------------------------------------------------

    def play(self) -> None:
        """From power on to the end, or to the first thing that the umpire does wrong."""
        scene = self.scene
        scene.bench.start()
        scene.let(scene.now)
        self.sitting.deal("start")
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
        scene.note(scene.now, f"# {seat} sets up")
        ends, pad = [scene.now], scene.pad(seat)
        for space, label in placements(str(action)):
            piece = scene.world.new_piece(seat, label)
            if pad is None:
                ends.append(scene.hands.stand(piece, space, scene.now))
            else:
                scene.show(piece, pad)
                scene.let(scene.hands.stand(piece, space, scene.now))
        scene.let(max(ends))
        scene.wait(200)
        self.judge.tries(action)
        if scene.bench.tags is None:
            scene.say(seat, str(action))
        else:
            self.mending.await_ruling(LEARNT_MS)

    def _resign(self) -> None:
        seat = self.state.seats_to_act()[0]
        self.judge.tries(self.state.parse("resign", seat))
        self.scene.say(seat, "resign")
        self.mending.settle()

    def _turn(self) -> None:
        action = self._choose()
        self.sitting.deal("does")
        kinds = [kind for kind in KINDS if self.sitting.errs(kind)]
        self.scene.note(
            self.scene.now, f"# turn {self.sitting.turn}: {action.seat} {action} {' '.join(kinds)}".rstrip()
        )
        self.scene.hands.who = action.seat
        for kind, err in self._before.items():
            if kind in kinds and not self.sitting.ended:
                self.judge.ambiguous.add(kind)
                err(action.seat)
                self.judge.ambiguous.clear()
                self.scene.hands.who = action.seat
        if self.sitting.ended:
            return
        if action not in self.state.legal_actions(action.seat):  # fallen pieces were taken for an action
            action = self._choose()
        self._carry(action, kinds)
        for kind in ("push_chore", "push_early"):
            if kind in kinds:
                self.pushers.onto_chore(action, kind, kinds)
        if "early" in kinds:
            self.blunders.early(action)
        if "forgotten" in kinds:
            self.blunders.forget(action)
        self.mending.settle()
        self.judge.ambiguous.clear()
        if "take_back" in kinds and not self.sitting.ended:
            self.blunders.take_back(action)

    def _choose(self) -> Action:
        """The next action: any legal one, rather often an attack."""
        dice, state = random.Random(f"{self.sitting.seed} {self.sitting.turn} move"), self.state
        legal = sorted(state.legal_actions(state.seats_to_act()[0]), key=str)
        steps = self.sitting.steps()
        against = {action for action, step in steps.items() if step.attack or step.takes}
        attacks = [action for action in legal if action in against]
        return dice.choice(attacks if attacks and dice.random() < EAGER else legal)

    # -- one action ----------------------------------------------------------------------------------------

    def _carry(self, action: Action, kinds: Collection[str]) -> None:
        """Carry a legal action out with the pieces; the truth goes on."""
        step = self.sitting.steps()[action]
        self.judge.tries(action)
        self._do(action.seat, step, kinds)

    def _again(self, tried: AttemptedAction) -> None:
        """Do something again that the umpire had undone before it was ruled on."""
        origin, _, target = tried.text.partition("-")
        if origin not in self.scene.world.board.spaces:
            self.scene.say(tried.seat, tried.text)
            return
        attack = self.judge.stands.get(target) is not None
        self._do(tried.seat, Step(core.Space(origin), core.Space(target), attack), ())

    def _do(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        self.scene.hands.who = seat
        if step.attack:
            self.captures.attack(seat, step, kinds)
        else:
            self._move(seat, step, kinds)
        if self.mending.blind & {step.origin, step.target}:
            self.judge.doers.says(seat, f"{step.origin}-{step.target}")
            self.scene.say(seat, f"{step.origin}-{step.target}")

    def _between_lifts(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        """What happens while a piece is in the hand."""
        if "away" in kinds:
            self.blunders.away()
        if "fiddle" in kinds:
            self.hostility.meanwhile(seat, step)
            self.scene.hands.who = seat
        for kind in PUSHED:
            if kind in kinds and not (step.attack and kind == "second"):
                self.pushers.meanwhile(seat, step, kind)
                self.scene.hands.who = seat

    def _move(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        scene, hands = self.scene, self.scene.hands
        piece = scene.on(step.origin)
        if piece is None:  # a child has it
            return
        if "slide" in kinds:
            self.sitting.erring("slide")
            scene.let(hands.slide(piece, step.target, scene.now))
            return
        scene.let(hands.lift(piece, scene.now))
        self._between_lifts(seat, step, kinds)
        if self.judge.settled() or piece in scene.physics.slots or scene.on(step.target) is not None:
            return  # the board had it put back, or somebody stands there: it is done again
        if "between" in kinds and (other := self.blunders.beside(step)):
            self.sitting.erring("between")
            share = self.sitting.dice.uniform(0.30, 0.46)
            scene.let(hands.put_between(piece, step.target, other, share, scene.now))
        elif self.sitting.dice.random() < 0.1:
            scene.let(hands.drag(piece, step.target, scene.now))
        else:
            scene.let(hands.put(piece, step.target, scene.now))


def before_an_action(
    blunders: PlayerErrors, hostility: HostileBehaviour, pushers: SlidingBehaviour
) -> Mapping[str, Callable[[Seat], None]]:
    """The errors that come before an action of a seat, in this order.

    Each goes from a board in order to a board in order.
    """
    return {
        "dead": hostility.dead,
        "stuck": hostility.stuck,
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
        "second": pushers.second,
        "child": hostility.child,
        "illegal": blunders.illegal,
    }
