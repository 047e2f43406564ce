"""`boardumpire doctor`: looks at every reed, diode, row, column, lamp and button, with a person's help.

First without hands: do all Picos answer, what is closed or chatters on an empty board. Then buttons and
buzzer, then lamps (`doctor_lamps`), then pieces are led over every space (`doctor_walk`). Where they are not
felt a strong magnet is tried (`doctor_magnets`). What was seen is for `diagnosis` to explain.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from typing import TypeVar

from boardumpire.makers.bare_board import (
    ContactId,
    all_contacts,
    all_lamps,
    contact_id,
    slot_name,
)
from boardumpire.makers.doctor_lamps import WHITE_MARK, LampRound
from boardumpire.makers.doctor_magnets import PLACES_TRIED_MAX, MagnetRound, evenly_spaced_sample
from boardumpire.makers.doctor_pieces import PieceRound
from boardumpire.makers.doctor_play import PlayRound
from boardumpire.makers.doctor_round import DoctorRound, RoundSteps
from boardumpire.makers.doctor_rows import RowRound
from boardumpire.makers.doctor_tags import TagRound
from boardumpire.makers.doctor_walk import WalkRound
from boardumpire.makers.guide import (
    CANCEL_BUTTON,
    CONFIRM_BUTTON,
    CONTACTS_REST_US,
    GuideReply,
    GuideRequest,
    VisibleSign,
)
from boardumpire.makers.observations import Observations, OpenedByPieces
from boardumpire.makers.power import ALARM_US
from boardware.parts import BoardDescription, MatrixBank
from boardware.ports import SECOND, Micros

WATCH_US: Micros = 3 * SECOND
"""How long the empty board is watched."""
ARRIVE_TIMEOUT_US: Micros = 6 * SECOND
"""How long Picos may take to answer: a crash takes five seconds to boot again."""
CHATTER_CHANGES_MIN = 4
"""So many changes on an untouched board are a loose contact."""


USUAL_STAGES = ("matrix", "power", "buttons", "lamps", "squares", "rows")
"""What is gone through unless something is asked for. Whether all Picos answer is looked at in any case."""
STAGES = (*USUAL_STAGES, "pieces", "tags", "play")
"""What may be gone through alone, in this order."""


Round = TypeVar("Round", bound=DoctorRound)


class Doctor:
    """One examination of a board; `run_steps` is for a `Guide` over `bare(board)`."""

    def __init__(
        self,
        board: BoardDescription,
        *,
        hands: bool = True,
        stages: Collection[str] = USUAL_STAGES,
        contacts: Collection[ContactId] | None = None,
        sagged: Callable[[], bool | None] = lambda: None,
        unopened_readers: str = "",
    ) -> None:
        """`hands=False`: only what needs none. `stages`: which of `STAGES` to go through.
        `contacts`: those to try; all unless some are given.

        `sagged` says whether the Pi had too little voltage lately; `None`: nobody can say.
        `unopened_readers`: why the readers of tags are not open, though they are to be looked at.
        """
        self._sagged = sagged
        self.board = board
        self.observations = Observations(unopened_readers=unopened_readers)
        self._hands = hands
        self._stages = {*stages, *(["matrix"] if "play" in stages else [])}
        self._buttons = False
        """Whether the buttons may answer."""
        slots = {contact_id(at): slot for at, slot in board.slots_by_contact.items()}
        self._slots = {name: slots[name] for name in (slots if contacts is None else contacts)}

    def run_steps(self) -> Generator[GuideRequest, GuideReply, Observations]:
        """Everything, one after the other. Without a Pico there is nothing to look at."""
        yield from self._wait_for_picos()
        if self.observations.absent_picos:
            return self.observations
        if self._hands:
            yield GuideRequest(
                "answer",
                "Take every piece off the board, then answer yes.",
                expected_sign=VisibleSign("emptied"),
            )
        if "matrix" in self._stages:
            yield from self._watch_empty_board()
        if self._hands:
            for stage, check in (
                ("matrix", self._check_opens_under_pieces),
                ("power", self._brighten),
                ("buttons", self._test_buttons),
                ("buttons", self._test_buzzer),
                ("lamps", lambda: self._round(LampRound).run_steps()),
                ("squares", self._walk_spaces),
                ("rows", self._test_full_rows),
                ("squares", self._try_magnets),
                ("pieces", lambda: self._round(PieceRound).run_steps()),
                ("tags", self._try_tags),
                ("play", lambda: self._round(PlayRound).run_steps()),
            ):
                if stage in self._stages:
                    yield from check()
        return self.observations

    def _can_tell_colours(self) -> bool:
        """Whether colours can be told apart: else lamps say "take" in the colour of "put"."""
        jump = any(one.colours_jump for one in self.observations.chain_inspections.values())
        return all(self.observations.colours_right.values()) and not jump and not self.observations.white

    # Without hands

    def _wait_for_picos(self) -> RoundSteps:
        if not self.board.picos:
            return
        came = yield GuideRequest("arrive", "Waiting for the Picos.", duration=ARRIVE_TIMEOUT_US)
        for pico in came.absent_picos:
            self.observations.absent_picos[pico] = None
            if self._hands:
                told = yield GuideRequest(
                    "answer",
                    f"The Pico {pico} does not answer. Does the small lamp on it shine or blink?",
                    expected_sign=VisibleSign(f"pico-lamp {pico}"),
                )
                self.observations.absent_picos[pico] = told.answer

    def _watch_empty_board(self) -> RoundSteps:
        came = yield GuideRequest("watch", "Nobody touches the board.", duration=WATCH_US)
        self.observations.closed_when_empty = came.closed_contacts
        self.observations.chattering_contacts = frozenset(
            contact for contact, count in came.change_counts.items() if count >= CHATTER_CHANGES_MIN
        )

    def _check_opens_under_pieces(self) -> RoundSteps:
        """Where all seems closed: does anything open under two pieces of a column, or beside them?"""
        at = all_contacts(self.board)
        for bank in self.board.banks.values():
            mine = {name for name in self._slots if at[name].bank == bank.id}
            if not mine <= self.observations.closed_when_empty:
                continue
            column = [name for name in sorted(mine) if at[name].column == at[min(mine)].column]
            if len(column) < 2:
                continue
            under = {name: self._slots[name] for name in column[:2]}
            called = " and ".join(slot_name(self.board, slot) for slot in under.values())
            text = f"Everything seems closed. Put pieces on {called}, and answer yes."
            yield GuideRequest(
                "answer", text, expected_sign=VisibleSign(f"filled {' '.join(under.values())}")
            )
            came = yield GuideRequest("watch", "A moment.", duration=2 * CONTACTS_REST_US)
            opened = mine - came.closed_contacts
            self.observations.opened_by_pieces[bank.id] = OpenedByPieces(
                bool(opened & under.keys()), bool(opened - under.keys())
            )
            text = f"Take the pieces off {called} again, and answer yes."
            yield GuideRequest("answer", text, expected_sign=VisibleSign("emptied"))

    def _brighten(self) -> RoundSteps:
        """Does the Pi's own supply hold while all lamps draw what they may?"""
        before = self._sagged()
        if before is not None and self.board.chains:
            white = dict.fromkeys(all_lamps(self.board), WHITE_MARK)
            yield GuideRequest("watch", "All lamps are white for five seconds.", white, duration=ALARM_US)
            self.observations.sagged = before, bool(self._sagged())

    # Buttons and buzzer

    def _test_buttons(self) -> RoundSteps:
        presses = self.observations.button_presses
        for button in self.board.buttons:
            came = yield GuideRequest(
                "press", f"Press the button {button}; answer yes if you did.", button=button
            )
            presses[button] = came.pressed_button
        self._buttons = all(presses.get(button) == button for button in (CONFIRM_BUTTON, CANCEL_BUTTON))

    def _test_buzzer(self) -> RoundSteps:
        if self.board.buzzer is not None:
            came = yield GuideRequest(
                "answer",
                "Did the buzzer sound just now?",
                expected_sign=VisibleSign("heard"),
                sound="both-fall",
                buttons_may_answer=self._buttons,
            )
            self.observations.buzzer_heard = came.answer

    # Pieces

    def _round(self, kind: type[Round]) -> Round:
        return kind(self.board, self.observations, self._slots, buttons=self._buttons)

    def _walk_spaces(self) -> RoundSteps:
        if self._can_tell_colours():
            yield from self._round(WalkRound).run_steps()

    def _test_full_rows(self) -> RoundSteps:
        if self.observations.has_walked or "squares" not in self._stages:
            yield from self._round(RowRound).run_steps()

    def _try_tags(self) -> RoundSteps:
        if not self.observations.unopened_readers:
            yield from self._round(TagRound).run_steps()

    def _try_magnets(self) -> RoundSteps:
        names = [name for bank in self.board.banks for name in self._unsensed_contacts(bank)]
        yield from self._round(MagnetRound).run_steps(names)
        for bank in self.board.banks.values():
            if bank.has_diodes and not bank.wires.buffered_wiring:
                yield from self._look_at_diodes(bank)

    def _look_at_diodes(self, bank: MatrixBank) -> RoundSteps:
        """Reversed diodes seem to be exchanged plugs, or a dead column: a look at one diode tells."""
        felt, at = self.observations.sensed_contacts, all_contacts(self.board)
        lines = [[name for name in felt if at[name].bank == bank.id]]
        if any(felt[name] for name in lines[0]):
            lines = [
                [name for name in lines[0] if at[name].column == column]
                for column in range(len(bank.columns))
            ]
        for line in lines:
            tests = [test for name, test in self.observations.magnet_tests.items() if name in line]
            if len(line) < 2 or any(felt[name] for name in line) or any(test.closes for test in tests):
                continue
            where = slot_name(self.board, self._slots[line[0]])
            came = yield GuideRequest(
                "answer",
                f"Look at the diode of {where}. Is its ring at the reed, not at the row's wire?",
                expected_sign=VisibleSign(f"ring-right {self._slots[line[0]]}"),
                buttons_may_answer=self._buttons,
            )
            self.observations.rings_right[line[0]] = bool(came.answer)

    def _unsensed_contacts(self, bank: str) -> list[ContactId]:
        """Some contacts of a bank that felt no piece; those first whose row and column feel others."""
        at, felt = all_contacts(self.board), self.observations.sensed_contacts
        unfelt = [
            name
            for name, found in felt.items()
            if found is None and name not in self.observations.hidden_by_unsensed and at[name].bank == bank
        ]
        alive = [at[name] for name, found in felt.items() if found and at[name].bank == bank]
        rows, columns = {one.row for one in alive}, {one.column for one in alive}
        scattered = [name for name in unfelt if at[name].row in rows and at[name].column in columns]
        chosen = evenly_spaced_sample(scattered, PLACES_TRIED_MAX)
        return chosen + evenly_spaced_sample(
            [name for name in unfelt if name not in chosen], PLACES_TRIED_MAX - len(chosen)
        )
