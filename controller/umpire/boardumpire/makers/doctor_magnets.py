"""The doctor's look at magnets: where pieces were not felt, is a strong magnet?

A strong one closes any reed whose wires and diode are sound. So it tells what is wrong with the magnets of
pieces from what is wrong under the board. Turned over it tells a sensor that feels one pole alone; and a
magnet that lies on its side in the foot of a piece closes a reed beside the middle, not in it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable

from boardumpire.makers.bare_board import ContactId, slot_name
from boardumpire.makers.guide import GuideReply, GuideRequest, VisibleSign
from boardumpire.makers.observations import Observations, StrongMagnetTest
from boardware.parts import BoardDescription
from boardware.ports import SlotId

PLACES_TRIED_MAX = 3
"""So many places of a bank are tried at most."""
SIDEWAYS_CHANGES_MIN = 3
"""It closed on one side, opened, and closed on the other: a weak magnet closes once, near the middle."""


class MagnetRound:
    """Tries some contacts that felt no piece; what is seen goes into `seen`."""

    def __init__(
        self, board: BoardDescription, seen: Observations, slots: dict[ContactId, SlotId], *, buttons: bool
    ) -> None:
        self._board = board
        self._seen = seen
        self._slots = slots
        self._buttons = buttons

    def run_steps(self, names: Iterable[ContactId]) -> Generator[GuideRequest, GuideReply, None]:
        """These contacts, one after the other."""
        chosen = list(names)
        if not chosen:
            return
        yield from self._ask("Take every piece off the board, then answer yes.", "emptied")
        for name in chosen:
            where = slot_name(self._board, self._slots[name])
            slot = self._slots[name]
            felt = yield from self._ask_if_closes(
                f"Lay a strong magnet flat and bare on {where}: a disc of 15 x 5 mm, or a stack of four of "
                "those in the pieces. Answer yes when it lies there.",
                f"strong {slot}",
            )
            turned = yield from self._ask_if_closes(
                "Turn it over, its other side down. Answer yes.", f"turned {slot}"
            )
            yield from self._ask("Take the magnet away. Answer yes.", f"away {slot}")
            aside: bool | None = None
            if felt and turned:
                text = (
                    f"Put a piece on {where}, push it a finger's width aside, once round the middle, and "
                    "take it away. Answer yes."
                )
                came = yield from self._ask(text, f"round {slot}")
                aside = any(times >= SIDEWAYS_CHANGES_MIN for times in came.change_counts.values())
            self._seen.magnet_tests[name] = StrongMagnetTest(felt, turned, aside)

    def _ask(self, text: str, what: str) -> Generator[GuideRequest, GuideReply, GuideReply]:
        return (
            yield GuideRequest(
                "answer", text, expected_sign=VisibleSign(what), buttons_may_answer=self._buttons
            )
        )

    def _ask_if_closes(self, text: str, what: str) -> Generator[GuideRequest, GuideReply, bool]:
        """Whether any contact closes: wires may be plugged in elsewhere."""
        came = yield from self._ask(text, what)
        return bool(came.newly_closed) or any(times > 1 for times in came.change_counts.values())


def evenly_spaced_sample(names: Iterable[ContactId], most: int) -> list[ContactId]:
    """Some of them, from the first to the last."""
    known = list(names)
    if len(known) <= most:
        return known
    if most < 2:
        return known[:most]
    return [known[number * (len(known) - 1) // (most - 1)] for number in range(most)]
