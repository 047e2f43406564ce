"""The doctor's minute of play: two pieces are moved about as in a game, and contacts that let go are told.

What is felt of each move is a fact of the same kinds as of the walk over the board, so nothing else explains
it.
"""

from __future__ import annotations

from typing import Final

from boardumpire.makers.bare_board import ContactId, lamp_number, slot_name, space_of
from boardumpire.makers.doctor_round import DoctorRound, RoundSteps
from boardumpire.makers.doctor_walk import PUT_MARK, TAKE_MARK
from boardumpire.makers.guide import GuideReply, GuideRequest

MOVES: Final = 12
"""Some five seconds each (estimate)."""
STRIDE: Final = 7
"""So many squares on in the list: moves go all over a board."""


class PlayRound(DoctorRound):
    """A dozen moves, each piece in its turn."""

    def run_steps(self) -> RoundSteps:
        """Nothing where fewer than three squares feel pieces."""
        felt = self._seen.sensed_contacts
        names = [
            name for name in self._slots if felt.get(name, name) == name and name not in self._never_tried()
        ]
        if len(names) < 3:
            return
        standing: list[ContactId] = []
        number = 0
        while number < MOVES + 2:  # the first two bring the pieces
            origin = standing.pop(0) if number > 1 else None
            target = next(
                name
                for step in range(len(names))
                if (name := names[(number * STRIDE + step) % len(names)]) not in {*standing, origin}
            )
            came = yield self._move_request(origin, target, standing)
            self._note(came, origin, target, standing)
            standing.append(target)
            number += 1
        yield from self._empty_board()

    def _never_tried(self) -> frozenset[ContactId]:
        return self._seen.closed_when_empty | self._seen.chattering_contacts

    def _move_request(
        self, origin: ContactId | None, target: ContactId, standing: list[ContactId]
    ) -> GuideRequest:
        to, at = slot_name(self._board, self._slots[target]), self._slots[origin] if origin else None
        left = [origin] if origin else []
        text = f"Put a piece on {to}."
        if at is not None:
            text = f"Move the piece on {slot_name(self._board, at)} to {to}, as in a game."
        marks = {}
        for name, mark in ((target, PUT_MARK), (origin, TAKE_MARK)):
            space = space_of(self._slots[name]) if name else ""
            if space in self._board.lamps:
                marks[lamp_number(self._board.lamps[space])] = mark
        return GuideRequest(
            "place",
            f"{text} Nothing happens? Answer yes.",
            marks,
            space=self._slots[target],
            slots_to_clear=(at,) if at else (),
            ignored_contacts=frozenset([*standing, *left]),
            contacts_to_open=frozenset(left),
            buttons_may_answer=self._buttons,
        )

    def _note(
        self, came: GuideReply, origin: ContactId | None, target: ContactId, standing: list[ContactId]
    ) -> None:
        seen = self._seen
        elsewhere = came.newly_closed - seen.closed_when_empty
        if target in came.closed_contacts:
            seen.sensed_contacts[target] = target
        elif elsewhere:
            seen.sensed_contacts[target] = min(elsewhere)
        elif seen.sensed_contacts.get(target):
            seen.bounce_counts[target] += 1  # it was felt there before
        else:
            seen.sensed_contacts[target] = None
        if origin in came.closed_contacts and origin:
            seen.stuck_closed.add(origin)
        for name in standing:
            if times := came.change_counts.get(name, 0) // 2:
                seen.bounce_counts[name] += times
