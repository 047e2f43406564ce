"""`boardumpire doctor`: looks at every reed, diode, row, column, lamp and button, with a person's help.

First without hands: do all Picos answer, what is closed or chatters on an empty board. Then buttons and
buzzer, then lamps (`doctor_lamps`), then pieces are led over every space (`doctor_walk`). Where they are not
felt a strong magnet is tried (`doctor_magnets`). What was seen is for `diagnosis` to explain.
"""

from __future__ import annotations

from collections.abc import Collection, Generator

from boardumpire.makers.bare_board import ContactId, contact_id, contacts, slot_name
from boardumpire.makers.doctor_lamps import LampRound
from boardumpire.makers.doctor_magnets import TRIED, MagnetRound, spread
from boardumpire.makers.doctor_rows import RowRound
from boardumpire.makers.doctor_walk import WalkRound
from boardumpire.makers.guide import CANCEL, CONFIRM, CONTACTS_REST_US, GuideReply, GuideRequest, VisibleSign
from boardumpire.makers.observations import Observations
from boardware.parts import BoardDescription
from boardware.ports import SECOND, Micros

WATCH_US: Micros = 3 * SECOND
"""How long the empty board is watched."""
ARRIVE_TIMEOUT_US: Micros = 6 * SECOND
"""How long Picos may take to answer: a crash takes five seconds to boot again."""
CHATTER_CHANGES = 4
"""So many changes on an untouched board are a loose contact."""


STAGES = ("matrix", "buttons", "lamps", "squares", "rows")
"""What may be gone through alone, in this order. Whether all Picos answer is looked at first in any case."""


class Doctor:
    """One examination of a board; `check` is for a `Guide` over `bare(board)`."""

    def __init__(
        self, board: BoardDescription, *, hands: bool = True, stages: Collection[str] = STAGES
    ) -> None:
        """`hands=False`: only what needs none. `stages`: which of `STAGES` to go through."""
        self.board = board
        self.seen = Observations()
        self._hands = hands
        self._stages = stages
        self._buttons = False
        """Whether the buttons may answer."""
        self._slots = {contact_id(at): slot for at, slot in board.contacts.items()}

    def check(self) -> Generator[GuideRequest, GuideReply, Observations]:
        """Everything, one after the other. Without a Pico there is nothing to look at."""
        yield from self._arrive()
        if self.seen.absent:
            return self.seen
        if self._hands:
            yield GuideRequest(
                "answer", "Take every piece off the board, then answer yes.", seen=VisibleSign("emptied")
            )
        if "matrix" in self._stages:
            yield from self._watch()
        if self._hands:
            for stage, check in (
                ("matrix", self._opens),
                ("buttons", self._press),
                ("buttons", self._buzzer),
                ("lamps", self._look),
                ("squares", self._walk),
                ("rows", self._fill),
                ("squares", self._try_magnets),
            ):
                if stage in self._stages:
                    yield from check()
        return self.seen

    def _lamps_lead(self) -> bool:
        """Whether colours can be told apart: else lamps say "take" in the colour of "put"."""
        jump = any(one.jumps for one in self.seen.looked.values())
        return all(self.seen.colours.values()) and not jump and not self.seen.white

    # Without hands

    def _arrive(self) -> Generator[GuideRequest, GuideReply, None]:
        if not self.board.picos:
            return
        came = yield GuideRequest("arrive", "Waiting for the Picos.", span=ARRIVE_TIMEOUT_US)
        for pico in came.absent:
            self.seen.absent[pico] = None
            if self._hands:
                told = yield GuideRequest(
                    "answer",
                    f"The Pico {pico} does not answer. Does the small lamp on it shine or blink?",
                    seen=VisibleSign(f"pico-lamp {pico}"),
                )
                self.seen.absent[pico] = told.answer

    def _watch(self) -> Generator[GuideRequest, GuideReply, None]:
        came = yield GuideRequest("watch", "Nobody touches the board.", span=WATCH_US)
        self.seen.idle = came.closed
        self.seen.chatter = frozenset(
            contact for contact, count in came.changes.items() if count >= CHATTER_CHANGES
        )

    def _opens(self) -> Generator[GuideRequest, GuideReply, None]:
        """Where all seems closed: does anything open under a piece?"""
        for bank in self.board.banks.values():
            mine = {
                name: slot for name, slot in self._slots.items() if contacts(self.board)[name].bank == bank.id
            }
            if len(mine) < 2 or not mine.keys() <= self.seen.idle:
                continue
            slot = min(mine.values())
            called = slot_name(self.board, slot)
            text = f"Everything seems closed. Put a piece on {called}, and answer yes."
            yield GuideRequest("answer", text, seen=VisibleSign(f"back {slot}"))
            came = yield GuideRequest("watch", "A moment.", span=2 * CONTACTS_REST_US)
            self.seen.opens[bank.id] = not mine.keys() <= came.closed
            text = f"Take the piece off {called} again, and answer yes."
            yield GuideRequest("answer", text, seen=VisibleSign(f"taken {slot}"))

    # Buttons and buzzer

    def _press(self) -> Generator[GuideRequest, GuideReply, None]:
        presses = self.seen.presses
        for button in self.board.buttons:
            came = yield GuideRequest(
                "press", f"Press the button {button}; answer yes if you did.", button=button
            )
            presses[button] = came.pressed
        self._buttons = all(presses.get(button) == button for button in (CONFIRM, CANCEL))

    def _buzzer(self) -> Generator[GuideRequest, GuideReply, None]:
        if self.board.buzzer is not None:
            came = yield GuideRequest(
                "answer",
                "Did the buzzer sound just now?",
                seen=VisibleSign("heard"),
                sound="both-fall",
                buttons=self._buttons,
            )
            self.seen.buzzer_heard = came.answer

    # Pieces

    def _look(self) -> Generator[GuideRequest, GuideReply, None]:
        yield from LampRound(self.board, self.seen, buttons=self._buttons).check()

    def _walk(self) -> Generator[GuideRequest, GuideReply, None]:
        if self._lamps_lead():
            yield from WalkRound(self.board, self.seen, self._slots, buttons=self._buttons).check()

    def _fill(self) -> Generator[GuideRequest, GuideReply, None]:
        if self.seen.walked or "squares" not in self._stages:
            yield from RowRound(self.board, self.seen, self._slots, buttons=self._buttons).check()

    def _try_magnets(self) -> Generator[GuideRequest, GuideReply, None]:
        magnets = MagnetRound(self.board, self.seen, self._slots, buttons=self._buttons)
        yield from magnets.check([name for bank in self.board.banks for name in self._unfelt(bank)])

    def _unfelt(self, bank: str) -> list[ContactId]:
        """Some contacts of a bank that felt no piece; those first whose row and column feel others."""
        at, felt = contacts(self.board), self.seen.felt
        unfelt = [
            name
            for name, found in felt.items()
            if found is None and name not in self.seen.robs and at[name].bank == bank
        ]
        alive = {(at[name].bank, "row", at[name].row) for name, found in felt.items() if found}
        alive |= {(at[name].bank, "column", at[name].column) for name, found in felt.items() if found}
        scattered = [
            name
            for name in unfelt
            if (at[name].bank, "row", at[name].row) in alive
            and (at[name].bank, "column", at[name].column) in alive
        ]
        chosen = spread(scattered, TRIED)
        return chosen + spread([name for name in unfelt if name not in chosen], TRIED - len(chosen))
