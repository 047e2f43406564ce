"""The doctor's look at readers of tags: does each answer, does it read a tag, and from how far?

No id of a tag is kept or told: only by which reader one was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardumpire.makers.bare_board import contact_id, slot_name
from boardumpire.makers.doctor_round import DoctorRound, ReplySteps, RoundSteps
from boardumpire.makers.guide import GuideRequest
from boardumpire.makers.observations import TagTest
from boardware.ports import SECOND, Micros, ReaderId

READ_TIME_US: Micros = 2 * SECOND
"""A reader that is watched looks ten times a second (a pad), or four readers a second in turn."""
HIGH_MM: Final = 10
"""A finger's width above a pad: what the foot of a piece, felt and a printed face have between them."""


class TagRound(DoctorRound):
    """A tag on every pad and over every square with a reader."""

    def run_steps(self) -> RoundSteps:
        """One reader after the other; those that don't answer are not tried."""
        places = self._places()
        if not places:
            return
        yield from self._ask("Take every piece with a tag off board and pads, then answer yes.", "untagged")
        came = yield from self._watch(places)
        self._seen.mute_readers = frozenset(came.mute_readers)
        for reader, where in places.items():
            if reader in self._seen.mute_readers:
                continue
            yield from self._ask(f"Put a piece with a tag on {where}, and answer yes.", f"tag {where}")
            near = (yield from self._watch(places)).tagged_readers
            far: bool | None = None
            if reader in self._board.pads and reader in near:
                text = f"Hold it {HIGH_MM} mm above {where}, a finger's width, and answer yes."
                yield from self._ask(text, f"tag-high {where}")
                far = reader in (yield from self._watch(places)).tagged_readers
            yield from self._ask("Take it away, and answer yes.", "untagged")
            self._seen.tag_tests[reader] = TagTest(near, far)

    def _places(self) -> Mapping[ReaderId, str]:
        """By reader where people find it."""
        squares = {
            contact_id(slot.sensor) if slot.sensor else f"{at.bank}:{at.number}": slot_name(
                self._board, slot.id
            )
            for at, each in self._board.slots_by_reader.items()
            for slot in [self._board.slots[each]]
        }
        return {
            ReaderId(id_): where
            for id_, where in [*squares.items(), *((pad, pad) for pad in self._board.pads)]
        }

    def _watch(self, places: Mapping[ReaderId, str]) -> ReplySteps:
        wait = READ_TIME_US + SECOND * len(self._board.slots_by_reader) // 4
        return (yield GuideRequest("watch", "A moment.", duration=wait, readers=tuple(places)))
