"""Tags in the pieces of a simulated world, and readers under its squares and in its pads.

The world outlives the daemon, and so do readers: drivers are opened over them as often as one likes.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from boardrules import registry
from boardrules.core import Seat
from boardsim.hands.hands import Hands
from boardsim.readers.bank import BankPin, BankSpi, ManualClock, SimBank
from boardsim.readers.line import SerialLine
from boardsim.readers.mfrc522 import SimMfrc522
from boardsim.readers.pn532 import PicoLine, SimPn532
from boardsim.readers.tags import RadioNoise, SimTag
from boardsim.world.world import Piece, World
from boardware import tags_pn532
from boardware.parts import ReaderAt, ReaderBank
from boardware.ports import (
    MS,
    HardwareTrouble,
    Micros,
    ReaderId,
    SlotId,
    TagEvent,
    TagGone,
    TagId,
    TagPort,
    TagSeen,
)
from boardwire.rfid import Bus, DemuxSelect, Readers, ShiftSelect

SHOWN: Micros = 700 * MS
"""How long hands hold a piece over a pad."""


class TagBox:
    """Which tag is glued into which piece.

    A piece has one by its owner, its label and how many like it were taken from the box before: the first
    red Miner of any game has the tag that the first red Miner of the last one had.
    """

    def __init__(self, seed: int = 0, size: int = 7) -> None:
        self._seed = seed
        self._size = size
        self._taken: Counter[tuple[Seat, str]] = Counter()
        self._of: dict[Piece, SimTag | None] = {}

    def uid(self, owner: Seat, label: str, number: int) -> bytes:
        """The id of the tag of the `number`-th such piece, from 1."""
        word = f"tag {self._seed} {owner} {label} {number}".encode()
        # No id has 88 where a cascade level begins (ISO/IEC 14443-3, 6.5.4).
        return b"\x04" + hashlib.sha256(word).digest()[: self._size - 1].replace(b"\x88", b"\x89")

    def enrolment_list(self, games: Iterable[str]) -> str:
        """Every piece that one of these games may need with its tag, as `boardumpire tags` lists them."""
        most: Counter[tuple[Seat, str]] = Counter()
        for game in registry.usable_games(games):
            armies = registry.package(game).armies()
            most |= Counter({(seat, label): n for seat, army in armies.items() for label, n in army.items()})
        lines = [
            f"{self.uid(*piece, number).hex()} {' '.join(piece)}"
            for piece, count in sorted(most.items())
            for number in range(1, count + 1)
        ]
        return "\n".join(["boardumpire-tags 1", *lines, ""])

    def tag(self, piece: Piece) -> SimTag | None:
        """The tag of a piece, glued in when it is first asked for; `None` if it has none."""
        if piece not in self._of:
            like = (piece.owner, piece.label)
            self._taken[like] += 1
            self._of[piece] = SimTag(self.uid(*like, self._taken[like]))
        return self._of[piece]

    def remove_tag(self, piece: Piece) -> None:
        """Take the tag out of a piece, or let it be broken."""
        self._of[piece] = None

    def clone(self, piece: Piece, of: Piece) -> None:
        """Give a piece a tag that says it is another."""
        tag = self.tag(of)
        self._of[piece] = None if tag is None else SimTag(tag.uid)


class TagWorld:
    """All readers over, or rather under, one world."""

    def __init__(self, world: World, *, seed: int = 0, noise: RadioNoise | None = None) -> None:
        self.world = world
        self.box = TagBox(seed)
        self.pieces_over_pads: dict[str, list[Piece]] = {pad: [] for pad in world.board.pads}
        self.banks = {
            id_: SimBank(bank, [self._chip(bank, number, seed) for number in range(bank.count)])
            for id_, bank in world.board.reader_banks.items()
        }
        self.pads: dict[str, SimPn532] = {}
        self.lines: dict[str, SerialLine] = {}
        self.uarts: dict[str, PicoLine] = {}
        """The pads that hang on Picos."""
        for id_, pad in world.board.pads.items():
            if pad.pico is not None:
                self.uarts[id_] = PicoLine(partial(self.over_pad, id_), f"{id_} {seed}")
                self.pads[id_] = self.uarts[id_].chip
            else:
                line = self.lines[id_] = SerialLine(world, id_)
                self.pads[id_] = SimPn532(partial(self.over_pad, id_), line.send_later, f"{id_} {seed}")
                line.on_host_data = self.pads[id_].receive
        if noise is not None:
            self.disturb(noise)

    def disturb(self, noise: RadioNoise) -> None:
        """Make it noisy between all tags and readers."""
        for bank in self.banks.values():
            for chip in bank.chips:
                chip.antenna_field.noise = noise
        for pad in self.pads.values():
            pad.antenna_field.noise = noise

    def _chip(self, bank: ReaderBank, number: int, seed: int) -> SimMfrc522:
        slot = self.world.board.slots_by_reader.get(ReaderAt(bank.id, number))
        return SimMfrc522(partial(self.over_slot, slot), f"{bank.id} {number} {seed}")

    def _tags(self, pieces: Iterable[Piece]) -> Iterator[SimTag]:
        return (tag for piece in pieces if (tag := self.box.tag(piece)) is not None)

    def over_slot(self, slot: SlotId | None, at: Micros) -> list[SimTag]:
        """The tags over the antenna of a slot: those of pieces that stand there."""
        if slot is None:
            return []
        fallen = self.world.fallen()
        return list(self._tags(p for p in self.world.pieces_on(slot) if p not in fallen))

    def over_pad(self, pad: str, at: Micros) -> list[SimTag]:
        """The tags over a pad."""
        return list(self._tags(self.pieces_over_pads[pad]))

    # Hands

    def show(self, hands: Hands, pad: str, now: Micros, origins: Sequence[str | None] = (None,)) -> Micros:
        """Hold pieces over a pad for a while: the last one taken, or those lifted from `origins`."""
        pieces = [hands.held_piece(origin).piece for origin in origins]
        begin = now + hands.pace.reach_us
        for piece in pieces:
            self.world.plan(begin, partial(self._put_over_pad, pad, piece))
            self.world.plan(begin + SHOWN, partial(self._remove_from_pad, pad, piece))
        return begin + SHOWN

    def take_and_show(self, hands: Hands, pad: str, owner: Seat, label: str, now: Micros) -> Micros:
        """Take a piece from the box and hold it over a pad; it is in the hands afterwards."""
        return self.show(hands, pad, hands.take(owner, label, now))

    def put_over_pad(self, pad: str, piece: Piece) -> None:
        """From now on a piece is over a pad."""
        self.pieces_over_pads[pad].append(piece)

    def remove_from_pad(self, pad: str, piece: Piece) -> None:
        """It is no more."""
        self.pieces_over_pads[pad].remove(piece)

    def _put_over_pad(self, pad: str, piece: Piece, at: Micros) -> None:
        self.put_over_pad(pad, piece)

    def _remove_from_pad(self, pad: str, piece: Piece, at: Micros) -> None:
        self.remove_from_pad(pad, piece)

    def open(self, now: Micros) -> TagPort:
        """A fresh driver, as the daemon opens one: of the pads on lines of their own, else of the banks."""
        if not self.lines:
            return BankReaders(self, now)
        return tags_pn532.open_pads(
            self.world.board,
            opener=lambda path: self.lines[path].open(),
            wait=self._wait,
            ports={id_: id_ for id_ in self.lines},
        )

    def _wait(self, until: Micros, port: object) -> Micros:
        edge = self.world.next_edge()
        self.world.advance(max(self.world.now, until if edge is None else min(until, edge)))
        return self.world.now

    def close(self) -> None:
        """Pull all lines. Twice is allowed."""
        for line in self.lines.values():
            line.close()


class BankReaders:
    """The firmware's own readers over simulated banks, in this process, as a `TagPort`.

    A read is done at once, and told when it would have ended: fast, for many games. `boardsim.pico` has the
    same files in step with everything else.
    """

    def __init__(self, tags: TagWorld, now: Micros) -> None:
        self._tags = tags
        self._board = tags.world.board
        self._clock = ManualClock()
        self._clock.now = now
        self._coming: deque[tuple[Micros, TagEvent]] = deque()
        self._banks: list[tuple[str, Readers]] = []
        self._closed: dict[SlotId, bool] = {}
        self._dirty = False
        tags.world.watchers.append(self._note_reed_change)
        for id_, bank in tags.banks.items():
            self._banks.append((id_, self._readers(bank, now)))
        for at, slot in self._board.slots_by_reader.items():
            self._closed[slot] = self._is_closed(slot)
            self._readers_of_bank(at.bank).begin(at.number, self._closed[slot])

    def _readers(self, bank: SimBank, now: Micros) -> Readers:
        spi, enable = BankSpi(bank, self._clock), BankPin(bank, bank.bank.enable_pin)
        pins = [BankPin(bank, gpio) for gpio in bank.bank.select_pins]
        select: ShiftSelect | DemuxSelect
        if bank.bank.select_method == "shift":
            select = ShiftSelect(spi, pins[0], enable, bank.bank.count)
        else:
            select = DemuxSelect(pins, enable)
        return Readers(Bus(spi, select), bank.bank.count, now)

    def _readers_of_bank(self, bank: str) -> Readers:
        return next(readers for id_, readers in self._banks if id_ == bank)

    def _is_closed(self, slot: SlotId) -> bool:
        copper = self._tags.world.copper
        return copper.has_reed(slot) and copper.closed(slot)

    def _note_reed_change(self, at: Micros) -> None:
        self._dirty = True

    def _report_reed_changes(self) -> None:
        self._dirty = False
        for at, slot in self._board.slots_by_reader.items():
            closed = self._is_closed(slot)
            if closed != self._closed[slot]:
                self._closed[slot] = closed
                self._readers_of_bank(at.bank).changed(at.number, closed)

    def step(self, now: Micros) -> Sequence[TagEvent]:
        """Notice what the reeds under the readers do, and read."""
        if self._dirty:
            self._report_reed_changes()
        for id_, readers in self._banks:
            if self._clock.now <= now:
                self._read(id_, readers, now)
        told = []
        while self._coming and self._coming[0][0] <= now:
            told.append(self._coming.popleft()[1])
        return told

    def _read(self, bank: str, readers: Readers, now: Micros) -> None:
        """Do the reads that are due, one after the other, ahead of time."""
        self._clock.now = now
        while readers.due() <= self._clock.now or readers.reading:
            self._clock.now = max(self._clock.now, readers.due())
            for event in readers.step(self._clock.now):
                self._queue_event(bank, event, self._clock.now)
            if not readers.reading and self._clock.now > now:
                break

    def _queue_event(self, bank: str, event: tuple[object, ...], at: Micros) -> None:
        name, number, *uid = event
        assert isinstance(number, int)
        reader = self._board.slots_by_reader.get(ReaderAt(bank, number), f"{bank}:{number}")
        if name in ("tag", "gone"):
            assert isinstance(uid[0], bytes)
            tag = TagId(uid[0])
            told: TagEvent = TagSeen(at, reader, tag) if name == "tag" else TagGone(at, reader, tag)
        else:
            code = "reader-mute" if name == "mute" else "reader-back"
            told = HardwareTrouble(at, code, reader, "")
        self._coming.append((at, told))

    def watch(self, readers: Collection[ReaderId]) -> None:
        """Have these read more often."""
        for id_, bank in self._banks:
            bank.watch(
                [
                    at.number
                    for at, slot in self._board.slots_by_reader.items()
                    if at.bank == id_ and slot in readers
                ]
            )

    def due(self) -> Micros | None:
        """When a read has ended, or the next begins."""
        begins = min((readers.due() for _, readers in self._banks), default=None)
        times = [at for at, _ in list(self._coming)[:1]]
        if begins is not None:
            times.append(max(begins, self._clock.now))
        return min(times, default=None)

    def close(self) -> None:
        """Look no more. Closing twice is allowed."""
        watchers = self._tags.world.watchers
        if self._note_reed_change in watchers:
            watchers.remove(self._note_reed_change)
