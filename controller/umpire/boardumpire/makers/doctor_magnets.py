"""The doctor's look at magnets: where pieces were not felt, is a strong magnet?

A strong one closes any reed whose wires and diode are sound. So it tells what is wrong with the magnets of
pieces from what is wrong under the board. Turned over it tells a sensor that feels one pole alone; and a
magnet that lies on its side in the foot of a piece closes a reed beside the middle, not in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle

from boardumpire.makers.bare_board import ContactId, slot_name
from boardumpire.makers.doctor_round import DoctorRound, RoundSteps, YesNoSteps
from boardumpire.makers.observations import StrongMagnetTest

PLACES_TRIED_MAX = 3
"""So many places of a bank are tried at most."""
CHANGES_BY_ONE_PIECE = 2
"""A contact closes once and opens once, if of two pieces only one is felt."""
BEGIN_AT = ("to the right", "away from you", "to the left")
"""A piece is pushed round from another side at each place: one that begins on a reed closes it twice."""


class MagnetRound(DoctorRound):
    """Tries some contacts that felt no piece."""

    def run_steps(self, names: Iterable[ContactId]) -> RoundSteps:
        """These contacts, one after the other."""
        chosen = list(names)
        if not chosen:
            return
        yield from self._empty_board()
        for begin_at, name in zip(cycle(BEGIN_AT), chosen, strict=False):
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
            one, aside = False, None
            if felt or turned:
                text = f"Put each of two pieces on {where} once, and take it away. Answer yes."
                came = yield from self._ask(text, f"each {slot}")
                one = max(came.change_counts.values(), default=0) == CHANGES_BY_ONE_PIECE
            if felt and turned:
                text = (
                    f"Put a piece on {where}, push it a finger's width {begin_at}, once round the middle,"
                    " and take it away. Answer yes."
                )
                came = yield from self._ask(text, f"round {slot} {BEGIN_AT.index(begin_at)}")
                aside = max(came.change_counts.values(), default=0)
            self._seen.magnet_tests[name] = StrongMagnetTest(felt, turned, one, aside)

    def _ask_if_closes(self, text: str, what: str) -> YesNoSteps:
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
