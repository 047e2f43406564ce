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

from boardumpire.lamps.legend import SHARED
from boardumpire.makers.bare_board import ContactId, LampNumber, contacts, lamps, slot_name, space_of
from boardumpire.makers.guide import GuideReply, GuideRequest, VisibleSign
from boardumpire.makers.lattice import Lattice, LatticeLine
from boardware.parts import BoardDescription
from boardware.ports import MS, SECOND, LampId, Micros, SlotId

PUT = "put"
ON = "plain-green"
STEP: Micros = 200 * MS
"""How long the running light stays on a square."""
FIRST = (
    "Put the piece on the first of the blinking lamps: nearest to you, and there the leftmost. "
    "If it stands there already lift it and put it back."
)
SINGLE = (
    f"Put the piece where the lamp blinks {SHARED[PUT].colour}{{ring}}. "
    "Nothing happens? Yes if it is there, no if no square is lit."
)
ANY_RING = ", on any ring of that space"


@dataclass
class CalibrationResult:
    """Where things are."""

    reeds: dict[str, ContactId] = field(default_factory=dict)
    """Slot -> the contact under it."""
    lit: dict[str, LampNumber] = field(default_factory=dict)
    """Space -> its lamp."""
    named: dict[LampId, LampNumber] = field(default_factory=dict)
    """Named lamp -> which it is."""
    unsettled: list[str] = field(default_factory=list)
    """What could not be learnt, in words."""
    placings: int = 0
    """How often the piece was put down."""

    def changes(self, board: BoardDescription) -> int:
        """Of how many slots and named lamps the board file says something else."""
        at, number = contacts(board), lamps(board)
        reeds = {space for space, name in self.reeds.items() if board.slots[SlotId(space)].sensor != at[name]}
        lit = {
            lamp for lamp, name in (self.lit | self.named).items() if board.lamps.get(lamp) != number[name]
        }
        return len(reeds | lit)


class Calibration:
    """One calibration; `check` is for a `Guide` over `bare(board)`.

    Of `board` it uses the shape: which spaces there are and where, and which lamps belong to none.
    """

    def __init__(self, board: BoardDescription) -> None:
        self.board = board
        self.learnt = CalibrationResult()
        self._lattice = Lattice(board)
        self._places = [
            slot.id for space in self._lattice.order for slot in board.spaces[space].slots if slot.sensor
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

    def check(self) -> Generator[GuideRequest, GuideReply, CalibrationResult]:
        """Everything, one after the other."""
        yield GuideRequest(
            "answer",
            "Take every piece off the board, keep one in your hand; then answer yes.",
            {},
            VisibleSign("emptied"),
        )
        came = yield GuideRequest("watch", "Nobody touches the board.", span=SECOND)
        self._idle = came.closed
        yield from self._pair()
        yield from self._place_all()
        yield from self._name_lamps()
        self._settle()
        return self.learnt

    # Which contact is under which lamp

    def _pair(self) -> Generator[GuideRequest, GuideReply, None]:
        """Each lamp in turn; those that were led to twice are asked once more."""
        doubtful: list[LampNumber] = []
        for number in lamps(self.board):
            felt = yield from self._under(number)
            if felt is not None and felt in self._over:
                doubtful += [self._over.pop(felt), number]
            elif felt is not None:
                self._over[felt] = number
        for number in doubtful:
            felt = yield from self._under(number)
            if felt is None or felt in self._over:
                self.learnt.unsettled.append(f"lamp {number}: two lamps seem to blink on one space")
            else:
                self._over[felt] = number

    def _under(self, number: LampNumber) -> Generator[GuideRequest, GuideReply, ContactId | None]:
        several = len(self._places) > len(self._lattice.order)
        text = SINGLE.format(ring=ANY_RING if several else "")
        felt, answer = yield from self._put({number: PUT}, text)
        if felt is None:
            (self._elsewhere if answer is False else self._unfelt).append(number)
        return felt

    def _put(
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
            ignore=self._idle,
            gone=gone,
            buttons=True,
        )
        self.learnt.placings += came.answer is not False
        new = sorted(came.appeared - self._idle)
        if len(new) != 1:
            self._stands = None
            return None, came.answer
        self._stands = new[0]
        self._felt.add(new[0])
        return new[0], None

    # Where on the board that is

    def _place_all(self) -> Generator[GuideRequest, GuideReply, None]:
        if not self._lattice.regular:
            yield from self._by_name()
            return
        placed = yield from self._by_lines()
        if placed is not None:
            self._take(placed)
            if (yield from self._runs()):
                return
        self.learnt.reeds.clear()
        self.learnt.lit.clear()
        yield from self._one_by_one()

    def _take(self, placed: dict[str, ContactId]) -> None:
        self.learnt.reeds = placed
        self.learnt.lit = {
            space: self._over[contact] for space, contact in placed.items() if contact in self._over
        }
        unlit = [space for space in placed if space not in self.learnt.lit]
        if len(unlit) == len(self._unfelt) == 1:
            self.learnt.lit[unlit[0]] = self._unfelt.pop()  # one square, one lamp

    def _by_lines(self) -> Generator[GuideRequest, GuideReply, dict[str, ContactId] | None]:
        """Corner, row and column of each bank; `None` if they don't lie as in a matrix."""
        blocks = []
        left = set(self._over)
        while left:
            corner = yield from self._first(left)
            if corner is None:
                return None
            bank = contacts(self.board)[corner].bank
            along_row = yield from self._in_order(corner, LatticeLine.ROW)
            along_column = yield from self._in_order(corner, LatticeLine.COLUMN)
            turned = False
            if len(along_row) > 1 and len(along_column) > 1:
                nearer = yield from self._first({along_row[1], along_column[1]})
                turned = nearer == along_column[1]
            blocks.append((along_row, along_column, turned))
            left = {name for name in left if contacts(self.board)[name].bank != bank}
        return self._lattice.filled(blocks)

    def _in_order(
        self, corner: ContactId, line: LatticeLine
    ) -> Generator[GuideRequest, GuideReply, list[ContactId]]:
        """The contacts of the corner's row or column, from the corner on."""
        found = [corner]
        left = {name for name in self._over if self._lattice.together(name, corner, line)} - {corner}
        while left:
            first = yield from self._first(left)
            if first is None:
                break
            found.append(first)
            left.discard(first)
        return found

    def _first(self, among: Iterable[ContactId]) -> Generator[GuideRequest, GuideReply, ContactId | None]:
        """The one of these that lies first."""
        left = set(among)
        if len(left) == 1:
            return left.pop()
        felt, _ = yield from self._put({self._over[name]: PUT for name in left}, FIRST)
        return felt if felt in left else None

    def _one_by_one(self) -> Generator[GuideRequest, GuideReply, None]:
        """All lamps blink that are not placed yet, again and again."""
        left = set(self._over)
        if len(left) < len(self._lattice.order):
            yield from self._by_name()
            return
        for space in self._lattice.order:
            felt = yield from self._first(left)
            if felt is None:
                continue
            left.discard(felt)
            self.learnt.reeds[space] = felt
            self.learnt.lit[space] = self._over[felt]

    def _by_name(self) -> Generator[GuideRequest, GuideReply, None]:
        """Where spaces are in no rows, or have several rings under one lamp, text names each slot."""
        for slot in self._places:
            here = slot_name(self.board, slot)
            felt, _ = yield from self._put({}, f"Put the piece on {here}; yes if nothing happens.", slot)
            if felt is not None:
                self.learnt.reeds[slot] = felt
                if felt in self._over:
                    self.learnt.lit[space_of(slot)] = self._over[felt]

    def _runs(self) -> Generator[GuideRequest, GuideReply, bool]:
        """Let a light run over the board as it is believed to be."""
        ready = (
            "Now a light runs over the board: watch whether it leaves a square out. Yes when you are ready."
        )
        yield GuideRequest("answer", ready, {}, VisibleSign("ready"), buttons=True)
        run = tuple(space for space in self._lattice.order if space in self.learnt.lit)
        for space in run:
            marks = {self.learnt.lit[space]: ON}
            yield GuideRequest("watch", "A light runs over the board.", marks, span=STEP)
        left_out = [space for space in self._lattice.order if space not in run]
        but = f" (it had to leave out {', '.join(left_out)})" if left_out else ""
        text = f"Did it run square by square{but}, from left to right, the row nearest to you first?"
        came = yield GuideRequest("answer", text, {}, VisibleSign("in-order", spaces=run), buttons=True)
        return bool(came.answer)

    # Lamps that light no space

    def _name_lamps(self) -> Generator[GuideRequest, GuideReply, None]:
        left = list(self._elsewhere)
        for name in self.board.named_lamps:
            for number in self._likely(name, left):
                came = yield GuideRequest(
                    "answer",
                    f"Is the lamp {name} lit?",
                    {number: ON},
                    VisibleSign(f"named {name}", (number,)),
                    buttons=True,
                )
                if came.answer:
                    self.learnt.named[name] = number
                    left.remove(number)
                    break

    def _likely(self, name: LampId, left: list[LampNumber]) -> list[LampNumber]:
        """The lamps that it may be, that of the board file first."""
        at = self.board.lamps.get(name)
        mine = None if at is None else f"{at.chain}:{at.index}"
        return sorted(left, key=lambda number: number != mine)

    # What is left over

    def _settle(self) -> None:
        """Say what was not felt or seen; where nothing else is left, that is what it must be."""
        learnt, order = self.learnt, self._lattice.order
        silent = [slot for slot in self._places if learnt.reeds.get(slot) not in self._felt]
        sure = [space for space in silent if space in learnt.reeds]
        free = [name for name in contacts(self.board) if name not in learnt.reeds.values()]
        guessed = _deal([space for space in silent if space not in sure], free, learnt.reeds)
        for space in silent:
            how = (
                "which reed it is is a guess"
                if space in guessed
                else "which reed it is follows from the others"
            )
            learnt.unsettled.append(f"{slot_name(self.board, space)}: nothing is sensed there; {how}")
        seen = {**learnt.lit, **learnt.named}.values()
        lamps_left = [name for name in (*self._unfelt, *lamps(self.board)) if name not in seen]
        lamps_left = list(dict.fromkeys(lamps_left))
        lit = [space for space in order if space in self.board.lamps and space not in learnt.lit]
        named = [lamp for lamp in self.board.named_lamps if lamp not in learnt.named]
        guessed = _deal(lit, lamps_left, learnt.lit) | _deal(named, lamps_left, learnt.named)
        learnt.unsettled += [
            f"lamp of {lamp}: it was not seen; which it is is a guess"
            for lamp in (*lit, *named)
            if lamp in guessed
        ]


def _deal(places: list[str], left: list[str], into: dict[str, str]) -> set[str]:
    """Give each place the next that is left; those for which it is a guess, as more are left than one."""
    guessed = set() if len(places) == len(left) == 1 else set(places)
    for place in places:
        if left:
            into[place] = left.pop(0)
    return guessed
