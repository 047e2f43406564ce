"""How people capture: the ways in which they really do it, and how they complete an attack."""

from __future__ import annotations

from collections.abc import Callable, Collection

from boardrules.core import Seat, Step
from boardsim.people.pushers import SlidingBehaviour
from boardsim.people.sitting import SeededGame
from boardsim.world.world import Piece
from boardware.ports import MS, Micros

BetweenLifts = Callable[[Seat, Step, Collection[str]], None]
"""What happens while a seat that carries out a step, erring so, has a piece in the hand."""
ATTACK_ORDERS = ("own first", "other first", "two hands", "touch")
CHESS_CAPTURE_WAYS = ("taken out", "set upon", "pushed off")
PUSH_OFF_LEAD_US: Micros = 600 * MS
"""So long before the attacker comes to rest fingers reach for what it pushes off."""
TAP_RATE = 0.6
"""How often people complete an attack by a tap on the attacker's own square rather than by a word."""


class AttackBehaviour:
    """Carries attacks out, one at a time."""

    def __init__(self, sitting: SeededGame, pushers: SlidingBehaviour, between_lifts: BetweenLifts) -> None:
        self.sitting, self.pushers, self.between_lifts = sitting, pushers, between_lifts
        self.scene = sitting.scene

    def attack(self, seat: Seat, step: Step, error_kinds: Collection[str]) -> None:
        """Attack in one of the ways in which people do it; what the umpire asks is answered later."""
        own, other = self.scene.top_piece_on(step.origin), self.scene.top_piece_on(step.target)
        if own is None or other is None:  # a child has it: people say so, and begin again
            return
        if "chess" in error_kinds:
            self.sitting.record_error("chess")
            self._as_in_chess(step, own, other, error_kinds)
            return
        way = self.sitting.dice.choice(ATTACK_ORDERS)
        if self._lift_both(way, seat, step, own, other, error_kinds):
            self.complete_attack(own, step, error_kinds)

    def complete_attack(self, own: Piece, step: Step, kinds: Collection[str]) -> None:
        """Tap the attacker on its own square; or let the board ask."""
        dice, scene = self.sitting.dice, self.scene
        if (
            dice.random() < TAP_RATE
            and scene.top_piece_on(step.origin) is None
            and own in scene.held_pieces()
        ):
            scene.wait(dice.randint(200, 1500))
            scene.run_until(scene.hands.tap_own_square(own, step.origin, scene.now))
            if "words" in kinds:
                self.pushers.speak_after_sign(own.owner)

    def _lift_both(
        self, way: str, seat: Seat, step: Step, own: Piece, other: Piece, kinds: Collection[str]
    ) -> bool:
        """Lift both, or touch the one with the other; whether both are up."""
        scene, hands = self.scene, self.scene.hands
        if way == "two hands":
            scene.run_until(max(hands.lift(each, scene.now) for each in (own, other)))
            return True
        first, second = (other, own) if way == "other first" else (own, other)
        scene.run_until(hands.lift(first, scene.now))
        self.between_lifts(seat, step, kinds)
        if self.sitting.judge.is_all_ruled():  # it was said, and has been ruled on
            return False
        if way == "touch":
            over = hands.hold_over(own, step.target, scene.now)
            scene.run_until(hands.push_and_return(other, over))
            return False
        if second in scene.physics.resting_slots:
            scene.run_until(hands.lift(second, scene.now))
        return True

    def _as_in_chess(self, step: Step, own: Piece, other: Piece, kinds: Collection[str]) -> None:
        """The attacker takes the square before anybody has ruled on it."""
        scene, hands = self.scene, self.scene.hands
        way = self.sitting.dice.choice(CHESS_CAPTURE_WAYS)
        if way == "taken out":
            scene.run_until(hands.lift(other, scene.now))
            scene.run_until(hands.lift(own, scene.now))
            self.sitting.pause(0, 2000)
            scene.run_until(hands.put(own, step.target, scene.now))
        elif way == "set upon":
            scene.run_until(hands.lift(own, scene.now))
            scene.run_until(hands.put(own, step.target, scene.now))
            if self.sitting.dice.random() < 0.7:
                self.sitting.pause(100, 1500)
                scene.run_until(hands.lift(other, scene.now))
        else:
            end = hands.slide(own, step.target, scene.now)
            scene.run_until(max(end, hands.lift(other, max(scene.now, end - PUSH_OFF_LEAD_US))))
