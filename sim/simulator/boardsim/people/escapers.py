"""People around a board of pawns that are alike, many of them moved in one turn: they play, err and mend.

What is no carrying of pawns they say on their phones. Each ruling is held against the truth, a game of its
own, played by what was really done and said; the cards that the umpire deals are read from the phones.
"""

from __future__ import annotations

import random
from typing import Any

from boardrules import core
from boardrules.colditz.bots.simple_players import choose
from boardrules.colditz.castle.actions import Command
from boardrules.core import Action, Seat
from boardsim.bench.bench import BenchSettings
from boardsim.bench.scene import Space
from boardsim.bench.table import BenchTableFactory
from boardsim.judging.judge import MISSED, WRONG
from boardsim.people.chore_players import ChorePlayers
from boardsim.people.pawn_players import PawnPlace
from boardsim.people.rates import ACTIONS_MAX, CLUMSY, ErrorRates
from boardsim.world.world import Piece
from boardware.ports import MS, SECOND, Micros

RANDOM_ACTION_RATE = 0.25
"""How often somebody does just anything."""
TIMEOUT_RATE = 0.15
"""How often somebody lets the time for an answer run out."""
ANSWER_TIME_MIN_US: Micros = 24 * SECOND
"""Who has less left leaves it to the clock: hands need so long at their clumsiest."""
PLAYER_ACTIONS = 2
"""A turn has many actions: so many times `longest` are played."""


class ColditzPeople(ChorePlayers):
    """All players of one game at one board, from power on to the end."""

    @staticmethod
    def game_options(number: int) -> dict[str, Any]:
        """Two to six players, in turn."""
        return {"players": 2 + number % 5}

    def __init__(
        self,
        setting: BenchSettings,
        factory: BenchTableFactory,
        seed: str,
        rates: ErrorRates = CLUMSY,
        *,
        longest: int = ACTIONS_MAX,
        **more: Any,
    ) -> None:
        """`more` as `Players`."""
        super().__init__(setting, factory, seed, rates, longest=longest * PLAYER_ACTIONS, **more)

    # -- the game ------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self.deal_out()
        self.settle()

    def _turn(self) -> None:
        (seat,) = self.state.seats_to_act()
        if self.turn > self.longest:
            self.say(self.state.parse("resign", seat))
            return
        self._blunder()
        if self.judge.findings or self.state.outcome is not None:
            return
        (seat,) = self.state.seats_to_act()  # a window may have closed meanwhile
        if self._will_miss_deadline():
            self._let_deadline_pass()
            return
        action = self._choose(seat)
        self.scene.write_script_line(self.scene.now, f"# turn {self.turn}: {seat} {action!r}")
        carried = {each: hands for hands, each in self.carry_actions(seat).items()}
        if action in carried:
            self.carry(action, *carried[action])
            if self._should_err("early"):
                self._move_early(seat, carried[action][1])
        else:
            self.say(action)

    def carry_actions(self, seat: Seat) -> dict[tuple[Space, Space], Action]:
        """By origin and target what a seat's hands may do."""
        return {
            (origin, target): action
            for origin, targets in self.state.carry_actions(seat).items()
            for target, action in targets.items()
        }

    def _choose(self, seat: Seat) -> Action:
        """What a simple player would do, who sees some of the ways of his pawns; or just anything."""
        dice, carries = self.dice, list(self.carry_actions(seat).values())
        words = [action for action in self.state.legal_actions(seat) if isinstance(action, Command)]
        if dice.random() < RANDOM_ACTION_RATE:
            return dice.choice(dice.choice([each for each in (carries, words) if each]))
        ways = dice.sample(carries, min(len(carries), 60))
        view: Any = self.state.view(seat)
        return choose(view, [*ways, *words], dice)

    def _time_to_answer(self) -> Micros | None:
        """How long what is asked may still be answered, as screens show it; `None` where nothing is."""
        table = self.scene.bench.table
        window = table.answer_deadlines.json(self.scene.now) if table is not None else None
        return None if window is None else int(window["left_ms"]) * MS

    def _will_miss_deadline(self) -> bool:
        """Whether nobody will answer what is asked: too little time is left, or minds are elsewhere."""
        left = self._time_to_answer()
        lost = random.Random(f"{self.seed} {self.turn} late").random() < TIMEOUT_RATE
        return left is not None and (left < ANSWER_TIME_MIN_US or lost)

    def _let_deadline_pass(self) -> None:
        """Wait until the clock has closed what is asked; it has to."""
        left, before = self._time_to_answer() or 0, self.judge.count["closed"]
        self.scene.write_script_line(self.scene.now, f"# turn {self.turn}: nobody answers")
        self.scene.run_until(self.scene.now + left + SECOND)
        if self.judge.count["closed"] == before and not self.judge.findings:
            self.judge.find(MISSED, f"{self.state.seats_to_act()[0]} did not answer, and it is still open")

    def say(self, action: Action) -> None:
        """Say it on the phone, or by a button where one says it."""
        buttons = [button for button, said in self.state.button_actions().items() if said == action]
        self.judge.do_action(action)
        if buttons and self.dice.random() < 0.3 and self._press(buttons[0]):
            return
        why = self.scene.say(action.seat, str(action))
        if why is not None:
            self.judge.find(WRONG, f"{action.seat} could not say {action!r}: {why}")

    def _press(self, button: str) -> bool:
        """Press a button, and once more if that came too soon; whether it counted."""
        ears = self.scene.listener
        for _ in range(2):
            before = ears.refused_presses
            self.scene.press(button)
            if ears.refused_presses == before:
                return True
            self.scene.wait(1000)
        return False

    # -- one action ----------------------------------------------------------------------------------------

    def carry(self, action: Action, origin: Space, target: Space) -> None:
        """A legal move with a pawn; where it meets one of the other side, both are taken up."""
        scene, dice = self.scene, self.dice
        pawn = self.pawn_at(PawnPlace(origin, action.seat))
        if pawn is None:
            self.judge.find(WRONG, f"nothing of {action.seat} stands on {origin}")
            return
        met = next((other for other, at in self.stands().items() if at.space == target), None)
        meets = met is not None and (met.owner == "security") != (pawn.owner == "security")
        if len(scene.world.board.spaces[target].slots) > 1:
            meets = False
        if self.judge.actions[-1:] == [(action.seat, f"{target}-{origin}")]:
            scene.wait(2_100)  # this is meant as a walk: at once it would be taken for a push and its undoing
        self.judge.do_action(action)
        if meets and met is not None:
            stood = scene.physics.resting_slots[pawn]
            first, second = (pawn, met) if dice.random() < 0.6 else (met, pawn)
            self.lift(first)
            self.lift(second)
            if dice.random() < 0.5:  # or it is said, once it is asked
                scene.run_until(scene.hands.tap_own_square(pawn, stood, scene.now))
            return
        if (
            self._should_err("slide")
            and self.is_single_pawn_space(origin)
            and self._can_slide(origin, target)
        ):
            self.record_error("slide")
            scene.run_until(scene.hands.slide(pawn, target, scene.now))
            return
        self.lift(pawn)
        if self._time_to_answer() is None and self._should_err("away"):
            self.record_error("away")
            scene.wait(dice.randint(5_000, 15_000))
        if self._should_err("between") and (beside := self._free_neighbour(target)):
            self.record_error("between")
            scene.run_until(scene.hands.put_between(pawn, target, beside, dice.uniform(0.3, 0.46), scene.now))
            return
        self.put(pawn, target)

    def _can_slide(self, origin: Space, target: Space) -> bool:
        """Whether a pawn can be pushed there: side by side, both with one slot."""
        return self.is_single_pawn_space(target) and target in self.near(origin, 45.0)

    def _free_neighbour(self, target: Space) -> Space | None:
        if not self.is_single_pawn_space(target):
            return None
        taken = {at.space for at in self.stands().values()}
        free = [space for space in self.near(target, 45.0) if space not in taken]
        return self.dice.choice(free) if free else None

    # -- errors --------------------------------------------------------------------------------------------

    def _blunder(self) -> None:
        for kind in ("put_back", "adjust", "swap", "knock", "illegal", "out_of_turn"):
            left = self._time_to_answer()
            if left is None or left >= ANSWER_TIME_MIN_US:
                self._make_errors_of(kind)

    def _random_pawn(self) -> tuple[Piece, PawnPlace]:
        return self.dice.choice(sorted(self.stands().items()))

    def _put_back(self) -> None:
        """A pawn is lifted and, after a thought, set back."""
        pawn, at = self._random_pawn()
        self.record_error("put_back")
        self.lift(pawn)
        self.pause(50, 4000)
        self.put(pawn, at.space)

    def _adjust(self) -> None:
        """A pawn is straightened."""
        pawn, at = self._random_pawn()
        if self.is_single_pawn_space(at.space):
            self.record_error("adjust")
            self.scene.run_until(self.scene.hands.centre(pawn, at.space, self.scene.now))

    def _knock(self) -> None:
        """A pawn falls over; somebody stands it up, at once or when asked."""
        pawn, at = self._random_pawn()
        if not self.is_single_pawn_space(at.space):
            return
        self.record_error("knock")
        self.scene.run_until(self.scene.hands.topple(pawn, self.scene.now))
        if self.dice.random() < 0.5:
            self.pause(300, 3000)
            self.lift(pawn)
            self.put(pawn, at.space)

    def _illegal(self) -> None:
        """A pawn of whoever is to move is carried where it may not go."""
        self._move_forbidden("illegal", mine=True)

    def _out_of_turn(self) -> None:
        """A pawn is moved by somebody whose turn it is not."""
        self._move_forbidden("out_of_turn", mine=False)

    def _swap(self) -> None:
        """Two pawns of a seat are taken up together and trade places: nothing has changed."""
        pawn, at = self._random_pawn()
        others = [
            (other, there) for other, there in sorted(self.stands().items()) if other.owner == pawn.owner
        ]
        other, there = self.dice.choice(others)
        if other is pawn or not (
            self.is_single_pawn_space(at.space) and self.is_single_pawn_space(there.space)
        ):
            return
        self.record_error("swap")
        for each in (pawn, other):
            self.lift(each)
        self.put(pawn, there.space)
        self.put(other, at.space)

    def _move_early(self, seat: Seat, moved: Space) -> None:
        """Another pawn is moved before the last move has been ruled on, or before its chores are done."""
        state = self.state
        if state.seats_to_act() != (seat,) or self.judge.findings:
            return
        found = [
            (action, *hands)
            for hands, action in self.carry_actions(seat).items()
            if hands[0] != moved
            and self.pawn_at(PawnPlace(hands[0], seat)) is not None
            and not self.occupied(hands[1])
        ]
        if found:
            self.record_error("early")
            self.pause(0, 300)
            action, origin, target = self.dice.choice(found)
            self.scene.write_script_line(self.scene.now, f"# early: {seat} {action!r}")
            self.carry(action, origin, target)

    def _move_forbidden(self, kind: str, *, mine: bool) -> None:
        (seat,) = self.state.seats_to_act()
        taken = {at.space for at in self.stands().values()}
        pawns = [(pawn, at) for pawn, at in sorted(self.stands().items()) if (pawn.owner == seat) == mine]
        if not mine:  # among others in the cells it is taken for one of them
            pawns = [(pawn, at) for pawn, at in pawns if self.is_single_pawn_space(at.space)]
        if not pawns:
            return
        pawn, at = self.dice.choice(pawns)
        spaces = self.scene.world.board.spaces
        legal = self.carry_actions(seat) if mine else {}
        free = [
            space
            for space, place in sorted(spaces.items())
            if space not in taken and (at.space, space) not in legal and len(place.slots) == 1
        ]
        target = self.dice.choice(free)
        self.record_error(kind)
        before = self.judge.objection_count
        self.judge.forbidden_action = (
            str(self.state.hand_action(seat, core.Space(at.space), core.Space(target))) if mine else None
        )
        self.lift(pawn)
        self.put(pawn, target)
        self.scene.wait(9000)
        if self.judge.objection_count == before and self.scene.centre_unsensed_piece(pawn, target):
            self.scene.wait(9000)
        if self.judge.objection_count == before:
            self.judge.find(MISSED, f"{pawn.owner} from {at.space} to {target}: nobody objected")
