"""`boardumpire calibrate`: learns where every reed and every lamp is, whatever the board file says.

One piece, led by lamps alone. First each lamp in turn: where it blinks the piece is put, and the contact that
closes lies under that lamp. Nothing says yet where on the board that is. So then several lamps blink at once,
and the piece is put on the first of them: nearest to the person, and there the leftmost. In a matrix that is
wired in rows and columns the corner, one row and one column are enough. Then a light runs over the whole
board, and if it doesn't run square by square all the rest is asked one by one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field

from boardumpire.lamps.legend import SHARED_MARKS
from boardumpire.makers.bare_board import ContactId, LampNumber, all_contacts, all_lamps, slot_name, space_of
from boardumpire.makers.guide import GuideReply, GuideRequest, VisibleSign
from boardumpire.makers.lattice import Lattice, LatticeLine
from boardware.parts import BoardDescription
from boardware.ports import MS, SECOND, LampId, Micros, SlotId

PUT_MARK = "put"
LIT_MARK = "plain-green"
RUNNING_LIGHT_STEP_US: Micros = 200 * MS
"""How long the running light stays on a square."""
FIRST_LAMP_TEXT = (
    "Put the piece on the first of the blinking lamps: nearest to you, and there the leftmost. "
    "If it stands there already lift it and put it back."
)
SINGLE_LAMP_TEXT = (
    f"Put the piece where the lamp blinks {SHARED_MARKS[PUT_MARK].colour}{{ring}}. "
    "Nothing happens? Yes if it is there, no if no square is lit."
)
ANY_RING_TEXT = ", on any ring of that space"


@dataclass
class CalibrationResult:
    """Where things are."""

    contact_by_slot: dict[str, ContactId] = field(default_factory=dict)
    """Slot -> the contact under it."""
    lamp_by_space: dict[str, LampNumber] = field(default_factory=dict)
    """Space -> its lamp."""
    lamp_by_name: dict[LampId, LampNumber] = field(default_factory=dict)
    """Named lamp -> which it is."""
    unsettled_notes: list[str] = field(default_factory=list)
    """What could not be learnt, in words."""
    placing_count: int = 0
    """How often the piece was put down."""

    def count_changes(self, board: BoardDescription) -> int:
        """Of how many slots and named lamps the board file says something else."""
        at, number = all_contacts(board), all_lamps(board)
        reeds = {
            space
            for space, name in self.contact_by_slot.items()
            if board.slots[SlotId(space)].sensor != at[name]
        }
        lit = {
            lamp
            for lamp, name in (self.lamp_by_space | self.lamp_by_name).items()
            if board.lamps.get(lamp) != number[name]
        }
        return len(reeds | lit)


class Calibration:
    """One calibration; `run_steps` is for a `Guide` over `bare(board)`.

    Of `board` it uses the shape: which spaces there are and where, and which lamps belong to none.
    """

    def __init__(self, board: BoardDescription) -> None:
        self.board = board
        self.result = CalibrationResult()
        self._lattice = Lattice(board)
        self._places = [
            slot.id
            for space in self._lattice.spaces_in_order
            for slot in board.spaces[space].slots
            if slot.sensor
        ]
        """The slots that feel, in the order of their spaces."""
        self._felt: set[ContactId] = set()
        self._idle: frozenset[ContactId] = frozenset()
        self._over: dict[ContactId, LampNumber] = {}
        """By contact the lamp over it."""
        self._unfelt: list[LampNumber] = []
        """Lamps where the piece stood and nothing was sensed."""
        self._elsewhere: list[LampNumber] = []
        """Lamps that light no space, or are dark."""
        self._stands: ContactId | None = None

    def run_steps(self) -> Generator[GuideRequest, GuideReply, CalibrationResult]:
        """Everything, one after the other."""
        yield GuideRequest(
            "answer",
            "Take every piece off the board, keep one in your hand; then answer yes.",
            {},
            VisibleSign("emptied"),
        )
        came = yield GuideRequest("watch", "Nobody touches the board.", duration=SECOND)
        self._idle = came.closed_contacts
        yield from self._pair_lamps_with_contacts()
        yield from self._assign_spaces()
        yield from self._name_lamps()
        self._note_unsettled()
        return self.result

    # Which contact is under which lamp

    def _pair_lamps_with_contacts(self) -> Generator[GuideRequest, GuideReply, None]:
        """Each lamp in turn; those that were led to twice are asked once more."""
        doubtful: list[LampNumber] = []
        for number in all_lamps(self.board):
            felt = yield from self._contact_under_lamp(number)
            if felt is not None and felt in self._over:
                doubtful += [self._over.pop(felt), number]
            elif felt is not None:
                self._over[felt] = number
        for number in doubtful:
            felt = yield from self._contact_under_lamp(number)
            if felt is None or felt in self._over:
                self.result.unsettled_notes.append(f"lamp {number}: two lamps seem to blink on one space")
            else:
                self._over[felt] = number

    def _contact_under_lamp(
        self, number: LampNumber
    ) -> Generator[GuideRequest, GuideReply, ContactId | None]:
        several = len(self._places) > len(self._lattice.spaces_in_order)
        text = SINGLE_LAMP_TEXT.format(ring=ANY_RING_TEXT if several else "")
        felt, answer = yield from self._ask_to_place({number: PUT_MARK}, text)
        if felt is None:
            (self._elsewhere if answer is False else self._unfelt).append(number)
        return felt

    def _ask_to_place(
        self, marks: dict[LampNumber, str], text: str, space: str | None = None
    ) -> Generator[GuideRequest, GuideReply, tuple[ContactId | None, bool | None]]:
        """Have the piece put somewhere; the contact that closed, or what was said."""
        gone = frozenset() if self._stands is None else frozenset({self._stands})
        came = yield GuideRequest(
            "place",
            text,
            marks,
            VisibleSign("first"),
            space=space,
            ignored_contacts=self._idle,
            contacts_to_open=gone,
            buttons_may_answer=True,
        )
        self.result.placing_count += came.answer is not False
        new = sorted(came.newly_closed - self._idle)
        if len(new) != 1:
            self._stands = None
            return None, came.answer
        self._stands = new[0]
        self._felt.add(new[0])
        return new[0], None

    # Where on the board that is

    def _assign_spaces(self) -> Generator[GuideRequest, GuideReply, None]:
        if not self._lattice.is_regular:
            yield from self._map_by_name()
            return
        placed = yield from self._map_by_lines()
        if placed is not None:
            self._apply_assignment(placed)
            if (yield from self._confirm_running_light()):
                return
        self.result.contact_by_slot.clear()
        self.result.lamp_by_space.clear()
        yield from self._map_one_by_one()

    def _apply_assignment(self, placed: dict[str, ContactId]) -> None:
        self.result.contact_by_slot = placed
        self.result.lamp_by_space = {
            space: self._over[contact] for space, contact in placed.items() if contact in self._over
        }
        unlit = [space for space in placed if space not in self.result.lamp_by_space]
        if len(unlit) == len(self._unfelt) == 1:
            self.result.lamp_by_space[unlit[0]] = self._unfelt.pop()  # one square, one lamp

    def _map_by_lines(self) -> Generator[GuideRequest, GuideReply, dict[str, ContactId] | None]:
        """Corner, row and column of each bank; `None` if they don't lie as in a matrix."""
        blocks = []
        left = set(self._over)
        while left:
            corner = yield from self._ask_first_contact(left)
            if corner is None:
                return None
            bank = all_contacts(self.board)[corner].bank
            along_row = yield from self._ordered_line(corner, LatticeLine.ROW)
            along_column = yield from self._ordered_line(corner, LatticeLine.COLUMN)
            turned = False
            if len(along_row) > 1 and len(along_column) > 1:
                nearer = yield from self._ask_first_contact({along_row[1], along_column[1]})
                turned = nearer == along_column[1]
            blocks.append((along_row, along_column, turned))
            left = {name for name in left if all_contacts(self.board)[name].bank != bank}
        return self._lattice.assign_contacts(blocks)

    def _ordered_line(
        self, corner: ContactId, line: LatticeLine
    ) -> Generator[GuideRequest, GuideReply, list[ContactId]]:
        """The contacts of the corner's row or column, from the corner on."""
        found = [corner]
        left = {name for name in self._over if self._lattice.is_on_same_line(name, corner, line)} - {corner}
        while left:
            first = yield from self._ask_first_contact(left)
            if first is None:
                break
            found.append(first)
            left.discard(first)
        return found

    def _ask_first_contact(
        self, among: Iterable[ContactId]
    ) -> Generator[GuideRequest, GuideReply, ContactId | None]:
        """The one of these that lies first."""
        left = set(among)
        if len(left) == 1:
            return left.pop()
        felt, _ = yield from self._ask_to_place(
            {self._over[name]: PUT_MARK for name in left}, FIRST_LAMP_TEXT
        )
        return felt if felt in left else None

    def _map_one_by_one(self) -> Generator[GuideRequest, GuideReply, None]:
        """All lamps blink that are not placed yet, again and again."""
        left = set(self._over)
        if len(left) < len(self._lattice.spaces_in_order):
            yield from self._map_by_name()
            return
        for space in self._lattice.spaces_in_order:
            felt = yield from self._ask_first_contact(left)
            if felt is None:
                continue
            left.discard(felt)
            self.result.contact_by_slot[space] = felt
            self.result.lamp_by_space[space] = self._over[felt]

    def _map_by_name(self) -> Generator[GuideRequest, GuideReply, None]:
        """Where spaces are in no rows, or have several rings under one lamp, text names each slot."""
        for slot in self._places:
            here = slot_name(self.board, slot)
            felt, _ = yield from self._ask_to_place(
                {}, f"Put the piece on {here}; yes if nothing happens.", slot
            )
            if felt is not None:
                self.result.contact_by_slot[slot] = felt
                if felt in self._over:
                    self.result.lamp_by_space[space_of(slot)] = self._over[felt]

    def _confirm_running_light(self) -> Generator[GuideRequest, GuideReply, bool]:
        """Let a light run over the board as it is believed to be."""
        ready = (
            "Now a light runs over the board: watch whether it leaves a square out. Yes when you are ready."
        )
        yield GuideRequest("answer", ready, {}, VisibleSign("ready"), buttons_may_answer=True)
        run = tuple(space for space in self._lattice.spaces_in_order if space in self.result.lamp_by_space)
        for space in run:
            marks = {self.result.lamp_by_space[space]: LIT_MARK}
            yield GuideRequest("watch", "A light runs over the board.", marks, duration=RUNNING_LIGHT_STEP_US)
        left_out = [space for space in self._lattice.spaces_in_order if space not in run]
        but = f" (it had to leave out {', '.join(left_out)})" if left_out else ""
        text = f"Did it run square by square{but}, from left to right, the row nearest to you first?"
        came = yield GuideRequest(
            "answer", text, {}, VisibleSign("in-order", spaces=run), buttons_may_answer=True
        )
        return bool(came.answer)

    # Lamps that light no space

    def _name_lamps(self) -> Generator[GuideRequest, GuideReply, None]:
        left = list(self._elsewhere)
        for name in self.board.named_lamps:
            for number in self._likely_lamps(name, left):
                came = yield GuideRequest(
                    "answer",
                    f"Is the lamp {name} lit?",
                    {number: LIT_MARK},
                    VisibleSign(f"named {name}", (number,)),
                    buttons_may_answer=True,
                )
                if came.answer:
                    self.result.lamp_by_name[name] = number
                    left.remove(number)
                    break

    def _likely_lamps(self, name: LampId, left: list[LampNumber]) -> list[LampNumber]:
        """The lamps that it may be, that of the board file first."""
        at = self.board.lamps.get(name)
        mine = None if at is None else f"{at.chain}:{at.index}"
        return sorted(left, key=lambda number: number != mine)

    # What is left over

    def _note_unsettled(self) -> None:
        """Say what was not felt or seen; where nothing else is left, that is what it must be."""
        learnt, order = self.result, self._lattice.spaces_in_order
        silent = [slot for slot in self._places if learnt.contact_by_slot.get(slot) not in self._felt]
        sure = [space for space in silent if space in learnt.contact_by_slot]
        free = [name for name in all_contacts(self.board) if name not in learnt.contact_by_slot.values()]
        guessed = _assign_leftovers(
            [space for space in silent if space not in sure], free, learnt.contact_by_slot
        )
        for space in silent:
            how = (
                "which reed it is is a guess"
                if space in guessed
                else "which reed it is follows from the others"
            )
            learnt.unsettled_notes.append(f"{slot_name(self.board, space)}: nothing is sensed there; {how}")
        seen = {**learnt.lamp_by_space, **learnt.lamp_by_name}.values()
        lamps_left = [name for name in (*self._unfelt, *all_lamps(self.board)) if name not in seen]
        lamps_left = list(dict.fromkeys(lamps_left))
        lit = [space for space in order if space in self.board.lamps and space not in learnt.lamp_by_space]
        named = [lamp for lamp in self.board.named_lamps if lamp not in learnt.lamp_by_name]
        guessed = _assign_leftovers(lit, lamps_left, learnt.lamp_by_space) | _assign_leftovers(
            named, lamps_left, learnt.lamp_by_name
        )
        learnt.unsettled_notes += [
            f"lamp of {lamp}: it was not seen; which it is is a guess"
            for lamp in (*lit, *named)
            if lamp in guessed
        ]


def _assign_leftovers(places: list[str], left: list[str], into: dict[str, str]) -> set[str]:
    """Give each place the next that is left; those for which it is a guess, as more are left than one."""
    guessed = set() if len(places) == len(left) == 1 else set(places)
    for place in places:
        if left:
            into[place] = left.pop(0)
    return guessed
