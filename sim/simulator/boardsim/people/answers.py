"""What people answer when the umpire asks, or another seat proposes something: the truth, after a while."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boardrules import core
from boardrules.core import Seat
from boardsim.bench.scene import Space, name_of
from boardsim.people.sitting import SeededGame

ACTION_QUESTIONS = (
    "attack-pending",
    "attack-counting",
    "attack-which",
    "attack-here",
    "attack-where",
    "moved-where",
)
"""Questions about an action: by a word, or by its name on the mover's phone."""
NAMED_ACTION_QUESTIONS = ("attack-which", "attack-where", "moved-where")
"""Those of them that only the name answers."""
IDENTITY_QUESTIONS = ("same-places", "that-piece")
"""Questions about who is who, which a pad can answer too."""


class QuestionAnswerer:
    """Hears questions out and answers them, by phone or by the board's buttons."""

    def __init__(self, sitting: SeededGame, play_by_hand: Callable[[Space], None]) -> None:
        """`play_by_hand` agrees to play a square without its reed."""
        self.sitting, self.play_by_hand = sitting, play_by_hand
        self.scene = sitting.scene
        self.judge = sitting.judge

    def open_question(self) -> Mapping[str, Any] | None:
        """What the umpire asks, as long as the lamps still show it."""
        ears = self.scene.listener
        if ears.question is not None and ears.question["spaces"] and not self.scene.question_lamps():
            ears.question = None
        return ears.question

    def answer(self) -> bool:
        """Answer what is asked or proposed, truthfully."""
        scene, ears = self.scene, self.scene.listener
        if ears.proposal is not None:
            proposal = ears.proposal
            self.sitting.pause(800, 4000)
            if ears.proposal == proposal:  # it lapses
                scene.say(proposal["asked"][0], f"no {proposal['thing']}")
            ears.proposal = None
            return True
        question = self.open_question()
        if question is None:
            return False
        self.sitting.pause(600, 4000)
        if self.open_question() is not question:
            return True
        ears.question = None
        refused = ears.refused_presses
        self._give_answer(question)
        scene.wait(100)
        if ears.question is None and ears.refused_presses != refused:
            ears.question = question  # a press that came too soon did not count
            scene.wait(1500)  # and its lamps are dark for a while
        return True

    def _give_answer(self, question: Mapping[str, Any]) -> None:
        scene = self.scene
        seat = Seat(question["seat"] or scene.listener.to_act[0])
        if (
            question["code"] in IDENTITY_QUESTIONS
            and (pad := scene.pad(seat))
            and self.sitting.dice.random() < 0.5
        ):
            self._answer_by_pad(question, pad)
            return
        if self._answer_dead_reed(question, seat):
            return
        text = self._meant_action(question["spaces"]) if question["code"] in ACTION_QUESTIONS else None
        if text is not None:
            self.judge.hand_attribution.note_said_attack(seat, text)
            if question["code"] in NAMED_ACTION_QUESTIONS or self.sitting.dice.random() < 0.3:
                scene.say(seat, text)
                return
        yes = text is not None or self._is_yes_true(question)
        if yes:
            self.judge.note_answer(question["code"], question["spaces"])
        if self.sitting.dice.random() < 0.5 and scene.world.board.buttons:
            scene.press("confirm" if yes else "cancel")
        else:
            scene.say(seat, f"{'yes' if yes else 'no'} {name_of(question)}")

    def _answer_dead_reed(self, question: Mapping[str, Any], seat: Seat) -> bool:
        """Asked about a piece in the hand that stands in the middle of another square: its reed is dead."""
        if question["code"] not in ("in-hand", "attack-here", "attack-where"):
            return False
        for tried in self.judge.unruled_attempts:
            origin, _, target = tried.text.partition("-")
            piece = self.judge.expected_pieces.get(origin)
            if origin != question["spaces"][0] or piece is None or self.scene.top_piece_on(target) != piece:
                continue
            if target in self.scene.closed_reed_spaces():
                return False
            self.scene.run_until(self.scene.hands.centre(piece, target, self.scene.now))
            self.scene.wait(1500)
            if target in self.scene.closed_reed_spaces():
                return True
            self.play_by_hand(target)
            self.judge.hand_attribution.note_said_attack(seat, tried.text)
            self.scene.say(seat, tried.text)
            return True
        return False

    def _answer_by_pad(self, question: Mapping[str, Any], pad: str) -> None:
        """Answer by showing the piece that is asked about to the pad."""
        scene = self.scene
        space = question["spaces"][0 if question["code"] == "same-places" else 1]
        piece = scene.top_piece_on(space)
        if piece is None:
            return
        if self._is_yes_true(question):
            self.judge.note_answer(question["code"], question["spaces"])
        scene.run_until(scene.hands.lift(piece, scene.now))
        scene.show(piece, pad)
        scene.run_until(scene.hands.put(piece, space, scene.now))

    def _meant_action(self, spaces: list[Space]) -> str | None:
        """The action that was done, if it is one of those asked about."""
        texts = {tried.text for tried in self.judge.unruled_attempts}
        return next((text for space in spaces[1:] if (text := f"{spaces[0]}-{space}") in texts), None)

    def _is_yes_true(self, question: Mapping[str, Any]) -> bool:
        scene, stands, spaces = self.scene, self.judge.expected_pieces, question["spaces"]
        match question["code"]:
            case "in-hand":
                return stands.get(spaces[0]) in scene.held_pieces()
            case "same-places":
                return all(scene.top_piece_on(space) == stands.get(space) for space in spaces)
            case "came-from" | "moved-here" if not scene.world.board.spaces.keys() >= {*spaces}:
                before, seat = self.judge.state_before_last, Seat(question["seat"])
                text = str(before.hand_action(seat, *map(core.Space, spaces)))
                return any(tried.legal and tried.text == text for tried in self.judge.unruled_attempts)
            case "that-piece" | "came-from" | "moved-here":
                return scene.top_piece_on(spaces[1]) == stands.get(spaces[0])
            case "who-stands":
                return scene.top_piece_on(spaces[0]) == stands.get(spaces[0])
        return False
