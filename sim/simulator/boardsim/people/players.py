"""People around one board: they take turns, and obey, answer and look until all that was done is ruled on."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Any

from boardrules.core import Seat, State
from boardsim.bench.scene import BenchScene, name_of
from boardsim.judging.judge import LOST, MISSED
from boardsim.judging.truth import GroundTruth
from boardsim.people.rates import ACTIONS_MAX, CLUMSY, ErrorRates, TurnError
from boardware.ports import SECOND, Micros

UMPIRE_TIMEOUT_US: Micros = 200 * SECOND
"""How long people wait for the umpire to say something before they call it stuck."""
RULING_WAIT_US: Micros = 6 * SECOND
"""How long before they look where the piece stands, or say what they did."""
SLICE_MS = 150


class TablePeople(ABC):
    """All players of one game at one board, from power on to the end. What they do is each game's own."""

    @staticmethod
    def game_options(number: int) -> dict[str, Any]:
        """The options of the game of that number."""
        return {}

    def __init__(
        self,
        scene: BenchScene,
        judge: GroundTruth,
        seed: str,
        rates: ErrorRates = CLUMSY,
        *,
        without: Collection[TurnError] = (),
        longest: int = ACTIONS_MAX,
    ) -> None:
        self.scene, self.judge = scene, judge
        self.seed, self.rates, self.without, self.longest = seed, rates, frozenset(without), longest
        self.turn = 0
        self.erred: list[TurnError] = []
        self.dice = random.Random(seed)

    @property
    def state(self) -> State:
        """The game as it truly stands."""
        return self.judge.truth.state

    def play(self) -> None:
        """From power on to the end, or to the first thing that the umpire does wrong."""
        self.scene.bench.start()
        self.scene.wait(200)
        self._begin()
        while self.state.outcome is None and not self.judge.findings:
            self.turn += 1
            self.dice = random.Random(f"{self.seed} {self.turn}")
            self.scene.hands.dice = random.Random(f"{self.seed} {self.turn} hands")
            self._turn()
            self.settle()

    @abstractmethod
    def _begin(self) -> None:
        """Do what comes before the first turn."""

    @abstractmethod
    def _turn(self) -> None:
        """Err, perhaps, and do one action."""

    @abstractmethod
    def misplaced(self) -> object:
        """What doesn't stand where it belongs, if anything."""

    # -- errors --------------------------------------------------------------------------------------------

    def _should_err(self, kind: str) -> bool:
        dice = random.Random(f"{self.seed} {self.turn} {kind}")
        return dice.random() < getattr(self.rates, kind) and TurnError(self.turn, kind) not in self.without

    def record_error(self, kind: str) -> None:
        """An error really happens now."""
        self.erred.append(TurnError(self.turn, kind))
        self.judge.count[f"injected {kind}"] += 1

    def _make_errors_of(self, *kinds: str) -> None:
        """Make those of these errors that this turn has, each mended before the next."""
        before = self.state
        for kind in kinds:
            if self._should_err(kind) and not self.judge.findings and self.state is before:
                getattr(self, "_" + kind)()
                self.settle()

    # -- mending -------------------------------------------------------------------------------------------

    def pause(self, least_ms: int, most_ms: int) -> None:
        """Take one's time."""
        self.scene.wait(self.dice.randint(least_ms, most_ms))

    def settle(self) -> None:
        """Obey, answer and look until all is ruled on and the board is in order."""
        scene, judge = self.scene, self.judge
        begun = scene.now
        while not judge.findings:
            if self._do_next_task(scene.now - begun):
                begun = scene.now
            elif self._is_settled():
                break
            elif scene.now - begun > UMPIRE_TIMEOUT_US:
                waits = [f"{seat} {text}" for seat, text, _ in judge.unruled_actions[:1]]
                judge.find(LOST if waits else MISSED, f"{waits or self.misplaced()}: nothing more was said")
            else:
                scene.wait(SLICE_MS)
        judge.forbidden_action = None

    def _is_settled(self) -> bool:
        ears, state = self.scene.listener, self.state
        if self.judge.unruled_actions or ears.chores or self._open_question() is not None:
            return False
        if state.outcome is not None:
            return ears.over
        return ears.to_act == state.seats_to_act() and not self.misplaced()

    def _do_next_task(self, idle: Micros) -> bool:
        """Do the next thing that there is to do; false if people just look on."""
        return (
            self._answer()
            or self._do_correction()
            or self._check_unruled_move(idle)
            or self._fix_unprompted(idle)
        )

    @abstractmethod
    def _do_correction(self) -> bool:
        """Do a chore."""

    @abstractmethod
    def _check_unruled_move(self, idle: Micros) -> bool:
        """See what may be wrong with a move of which nothing comes."""

    @abstractmethod
    def _fix_unprompted(self, idle: Micros) -> bool:
        """Set right what people see themselves."""

    # -- answers -------------------------------------------------------------------------------------------

    def _open_question(self) -> Mapping[str, Any] | None:
        ears = self.scene.listener
        if ears.question is not None and ears.question["spaces"] and not self.scene.question_lamps():
            ears.question = None
        return ears.question

    def _answer(self) -> bool:
        """Answer what is asked, truthfully, on the phone or by a button."""
        scene, asked = self.scene, self._open_question()
        if asked is None:
            return False
        self.pause(600, 3000)
        if self._open_question() is not asked:
            return True
        scene.listener.question = None
        refused = scene.listener.refused_presses
        seat, text = Seat(asked["seat"] or scene.listener.to_act[0]), self._meant_action(asked)
        if text is None:
            yes = self._is_yes_true(asked)
            text = f"{'yes' if yes else 'no'} {name_of(asked)}"
            if self.dice.random() < 0.5:
                scene.press("confirm" if yes else "cancel")
            else:
                scene.say(seat, text)
        else:
            scene.say(seat, text)
        scene.wait(100)
        if scene.listener.question is None and scene.listener.refused_presses != refused:
            scene.listener.question = asked  # a press that came too soon did not count
            scene.wait(1500)  # and its lamps are dark for a while
        return True

    @abstractmethod
    def _meant_action(self, asked: Mapping[str, Any]) -> str | None:
        """The action that was meant, where the question wants one."""

    @abstractmethod
    def _is_yes_true(self, asked: Mapping[str, Any]) -> bool:
        """Whether what the question supposes is so."""
