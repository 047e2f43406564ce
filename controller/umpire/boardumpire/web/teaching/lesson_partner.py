"""Plays for whoever is not there in somebody's first game, on a simulated board.

It says what seats say and moves their pieces by hand, as people do: the umpire can't tell the difference.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from boardrules.core import Seat, Space
from boardrules.teaching import Lesson, matches_any
from boardumpire.errors import BoardumpireError
from boardumpire.ruling.dice import SYSTEM_DICE, Dice
from boardumpire.supervision import keep_running
from boardumpire.web.table_api import TableApi

STEP_PAUSE_S = 0.7
"""How often it looks at the board: slowly enough that each move can be watched."""
RETRY_AFTER_POLLS = 10
"""After so many looks at a game that stands still it does again what it did."""


class PartnerHands(Protocol):
    """Hands over a simulated board."""

    def carry_piece(self, origin: Space, target: Space) -> bool:
        """Carry a piece from space to space; whether there was one."""

    @property
    def is_busy(self) -> bool:
        """Whether a piece is on its way."""

    def place_pieces(self, seat: Seat, spaces: Sequence[Space]) -> None:
        """Stand pieces of a seat on these spaces."""

    def lay_hand_aside(self) -> None:
        """Lay what waits in a hand beside the board."""

    def do_corrections(self, chores: Sequence[Mapping[str, Any]]) -> None:
        """Do these chores, with pieces from beside the board, too."""


def lesson_dice(lesson: Lesson) -> Dice:
    """Dice that throw what the lesson says, and then what they like."""
    rest = deque(lesson.chance_choices)

    def throw(weights: Sequence[int]) -> int:
        return rest.popleft() if rest and rest[0] < len(weights) else SYSTEM_DICE(weights)

    return throw


class LessonPartner:
    """Who plays the other seats of a lesson."""

    def __init__(
        self,
        table_api: TableApi,
        hands: PartnerHands,
        seat: Seat,
        lesson: Lesson,
        report: Callable[[Seat, bool], None] = lambda seat, answers: None,
    ) -> None:
        """`seat`: who learns; `report` is told of each other seat whether its player answers."""
        self._table_api, self._hands, self._report = table_api, hands, report
        self.seat, self.lesson = seat, lesson
        self.run_id = secrets.token_hex(4)
        """Tells this first game from others that the same device was led through."""
        self._task: asyncio.Task[None] | None = None
        self._reset_lesson()

    def _reset_lesson(self) -> None:
        self._opening = deque(self.lesson.opening)
        self._others = {seat: deque(texts) for seat, texts in self.lesson.scripted_actions.items()}
        self._laid_out = False
        self._again = False
        self._seen, self._stood, self._acted = "", 0, False
        self._chores: Sequence[Mapping[str, Any]] = ()

    @property
    def is_lesson_game(self) -> bool:
        """Whether the game on the table is the lesson's, over or not."""
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        """Play from now on, until people begin another game."""
        self._task = keep_running(self._play, "the partner of a lesson", on_failure=self._note_failure)

    def stop(self) -> None:
        """Play no more. Stopping twice is allowed."""
        if self._task is not None:
            self._task.cancel()

    def restart_lesson(self) -> None:
        """Begin the lesson once more, from its opening: a game that is under way is given up for it."""
        self._again = True
        if not self.is_lesson_game:
            self.start()

    async def _play(self) -> None:
        ended = False
        while self._again or not ended or not self._is_under_way():
            ended = self._is_over()
            with contextlib.suppress(BoardumpireError, ValueError):  # the umpire is off, or says no: wait
                if ended and self._again:
                    self._table_api.begin_game()
                    self._reset_lesson()
                    ended = False
                elif not ended:
                    self.play_step()
            self._report_all_seats(True)
            await asyncio.sleep(STEP_PAUSE_S)

    def _note_failure(self, why: str) -> None:
        self._report_all_seats(False)

    def _report_all_seats(self, answers: bool) -> None:
        for seat in self._other_seats():
            self._report(seat, answers)

    def _is_over(self) -> bool:
        return self._table_api.has_table and bool(self._table_api.status()["over"])

    def _is_under_way(self) -> bool:
        return self._table_api.has_table and not self._is_over()

    def play_step(self) -> None:
        """Look at the board once, and do what is to be done there."""
        if not self._table_api.has_table:
            return
        status, view = self._table_api.status(), self._table_api.view(None)
        if self._again and not status["over"]:
            if not self._tidy_board(status["chores"]):  # nobody resigns while the board is out of order
                self._resign_game()
            return
        if not self._laid_out:
            self._laid_out = True
            self._hands.lay_hand_aside()  # what fell in the game before
            for seat, spaces in self.lesson.initial_spaces.items():
                self._hands.place_pieces(seat, tuple(map(Space, spaces)))
        if self._opening and self._hands.is_busy:
            return
        if self._answer_questions(status) or self._tidy_board(status["chores"]):
            return
        seen = json.dumps(view, sort_keys=True, default=str)
        self._stood = self._stood + 1 if seen == self._seen else 0
        if seen != self._seen or self._stood % RETRY_AFTER_POLLS == 0:
            self._acted = False
        self._seen = seen
        if not self._acted:
            self._acted = self._act_once(view["to_act"])

    def _resign_game(self) -> None:
        """Resign for everybody: some games go on without whoever leaves."""
        for seat in self._table_api.seats:
            with contextlib.suppress(BoardumpireError, ValueError):  # is out already
                self._table_api.submit_command(seat, "resign")

    def _answer_questions(self, status: Mapping[str, Any]) -> bool:
        """Agree to what the table, or the seat that learns, is asked of the others."""
        asked = [(seat, each["thing"]) for each in status["proposals"] for seat in each["asked"]]
        question = status["question"]
        if question:
            name = " ".join((question["code"], *question["spaces"]))
            asked = [(question["seat"] or next(iter(self._other_seats())), name)]
        asked = [(seat, what) for seat, what in asked if seat != self.seat or self._opening]
        for seat, what in asked:
            self._table_api.submit_command(seat, f"yes {what}")
        return bool(asked)

    def _tidy_board(self, chores: Sequence[Mapping[str, Any]]) -> bool:
        """Do what nobody has done since the last look."""
        waited, self._chores = bool(chores) and chores == self._chores, chores
        if waited:
            self._hands.do_corrections(chores)
        return bool(chores)

    def _other_seats(self) -> Iterator[Seat]:
        return (seat for seat in self._table_api.seats if seat != self.seat)

    def _act_once(self, to_act: Sequence[Seat]) -> bool:
        """Do one thing for a seat that is to act; whether there was one."""
        if self._opening:
            seat, text = self._opening[0]
            if seat not in to_act:
                return False
            self._perform_action(seat, text)
            self._opening.popleft()
            return True
        for seat in to_act:
            if seat in self._table_api.seats and seat != self.seat:
                return self._play_turn(seat)
        return False

    def _play_turn(self, seat: Seat) -> bool:
        planned = self._others.get(seat)
        if planned:
            with contextlib.suppress(BoardumpireError, ValueError):
                self._perform_action(seat, planned[0])
                planned.popleft()
                return True
        may = self._table_api.choices(seat)
        said = (*may["acts"], *(f"{at}-{to}" for at, targets in may["moves"].items() for to in targets))
        for habit in self.lesson.fallback_patterns:
            for text in said:
                if matches_any(text, (habit,)):
                    self._perform_action(seat, text)
                    return True
        return False

    def _perform_action(self, seat: Seat, text: str) -> None:
        """By hand where hands do it, else by word. Raises `SeatError` for what is not allowed."""
        for origin, targets in self._table_api.choices(seat)["moves"].items():
            for target in targets:
                if text == f"{origin}-{target}" and self._hands.carry_piece(origin, target):
                    return
        self._table_api.submit_command(seat, text)
