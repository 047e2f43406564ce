"""A yes means what its person was asked: what is taken for an answer was given as one, and to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from boardumpire.commands.daemon import Daemon
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.clock import loop_time_s
from evenings.service import Service

PRESSED_S = 3.0
"""For so long a press may be on its way to the table."""
SAID_S = 300.0
"""And what a phone says."""


class Given(NamedTuple):
    """What somebody answered, to what was shown to them."""

    seat: str | None
    """`None`: by the board's buttons, for whoever is asked."""
    yes: bool
    about: str
    """The name of the question, or the thing that was proposed."""
    at: float


class Answers:
    """What people and machines have answered at one service, and what was made of it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._given: list[Given] = []
        self._asked: dict[tuple[str, str], set[str]] = {}
        """By seat and thing who has still to agree to what is proposed."""
        self._tracker: object = None
        service.listeners.append(self._hear)
        service.starters.append(self._hear_machines)
        self._hear_machines(service.daemon)

    @property
    def _daemon(self) -> Daemon:
        return self._service.daemon

    def gives(self, seat: str | None, text: str) -> None:
        """Somebody answers: `yes THING` or `no THING`, as the phone showed the thing to them."""
        word, _, about = text.partition(" ")
        if word in ("yes", "no") or word.startswith("agree-"):
            self._given.append(Given(seat, word != "no", about or word, loop_time_s()))

    def _hear_machines(self, daemon: Daemon) -> None:
        say = daemon.submit_command

        def heard(seat: str, text: str) -> None:
            machines = daemon._computer_players
            if machines is not None and seat in machines.seats:
                self.gives(seat, text)
            say(seat, text)

        daemon.submit_command = heard  # type: ignore[method-assign]

    def watch(self) -> None:
        """Look at what the table of this moment takes for answers."""
        if not self._daemon.has_table:
            return
        table: Any = self._daemon.table
        tracker = table._match.tracker
        if tracker is self._tracker:
            return
        self._tracker, answer = tracker, tracker.answer_question

        def taken(yes: bool, now: int) -> Any:
            asked = table.guidance.question
            self._was_given(
                None, yes, asked.answer_key() if asked is not None else "what nobody asked", any_seat=True
            )
            return answer(yes, now)

        tracker.answer_question = taken

    def _hear(self, messages: Sequence[SeatMessage]) -> None:
        self.watch()
        for message in messages:
            if message.kind == "proposal":
                self._proposal(message.data)
            elif message.seat is None and message.kind == "ruling" and message.data["ok"]:
                action = str(message.data["action"])
                if action.startswith("agree-"):
                    self._was_given(message.data["seat"], True, action)

    def _proposal(self, told: Mapping[str, Any]) -> None:
        by, thing, left = told["seat"], told["thing"], set(told["asked"])
        before = self._asked.pop((by, thing), left)
        if told["answer"] == "declined":
            self._was_given(None, False, thing, any_seat=True)
        elif told["answer"] != "lapsed":
            for seat in before - left:
                self._was_given(seat, True, thing)
        if told["answer"] == "open":
            self._asked[by, thing] = left

    def _was_given(self, seat: str | None, yes: bool, about: str, *, any_seat: bool = False) -> None:
        """Somebody has answered this: that seat, or whoever presses the buttons, which speak for all."""
        for given in reversed(self._given):
            old = loop_time_s() - given.at > (PRESSED_S if given.seat is None else SAID_S)
            may = any_seat or given.seat in (None, seat)
            if may and not old and given.yes == yes and given.about in (about, f"agree-{about}"):
                if given.seat is not None:
                    self._given.remove(given)
                return
        said = [given for given in self._given if loop_time_s() - given.at < SAID_S]
        raise AssertionError(
            f"{'yes' if yes else 'no'} was taken for {about!r}, which {seat or 'nobody'} "
            f"has not answered so: {said[-4:]}"
        )
