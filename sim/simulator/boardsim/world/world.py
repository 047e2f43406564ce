"""The one simulated world: pieces with magnets over reeds that bounce, in virtual or real time.

The world outlives every process that looks at it through pins. Hands change it by scheduling what happens to
magnets and buttons; `advance(now)` lets everything up to `now` happen, in order of time, however many or few
calls that takes, so that the same seed always gives the same edges.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from boardrules.core import Seat
from boardsim.world.copper import Copper, SolderedDiode
from boardware.parts import BoardDescription
from boardware.ports import Micros, SlotId


class Piece(NamedTuple):
    """A thing with a magnet. It keeps its identity wherever hands carry it."""

    owner: Seat
    """The seat whose colour it has; whatever a script says for a foreign magnet."""
    label: str
    """What its owner reads on it: a rank, a name, or nothing."""
    number: int
    """Tells apart pieces that look alike."""


class ContactBounce(NamedTuple):
    """How a contact chatters before it rests, in microseconds and pairs of extra edges (least, most)."""

    close_us: tuple[Micros, Micros] = (300, 2000)
    close_pairs: tuple[int, int] = (1, 5)
    open_us: tuple[Micros, Micros] = (200, 1200)
    open_pairs: tuple[int, int] = (0, 3)

    def edges(self, at: Micros, closed: bool, random: random.Random) -> list[tuple[Micros, bool]]:
        """The edges of one change that begins at `at` and ends `closed`, oldest first."""
        pairs = random.randint(*(self.close_pairs if closed else self.open_pairs))
        span = random.randint(*(self.close_us if closed else self.open_us))
        moments = sorted(random.sample(range(1, span + 1), 2 * pairs))
        edges = [(at, closed)]
        for number, moment in enumerate(moments):
            edges.append((at + moment, closed if number % 2 else not closed))
        return edges


class BuzzerTone(NamedTuple):
    """The buzzer began or ended a tone."""

    at: Micros
    is_on: bool


REED = ContactBounce()
"""A dry reed of the usual size."""


class World:
    """The board, what stands on it, and what is about to happen to it."""

    def __init__(
        self,
        board: BoardDescription,
        *,
        seed: int = 0,
        bounce: ContactBounce | None = REED,
        copper: Copper | None = None,
    ) -> None:
        """`bounce=None` makes contacts that never chatter. Without `copper` a fresh board is made."""
        self.board = board
        self.copper = copper or Copper(board)
        self.bounce = bounce
        self.now: Micros = 0
        self.turned = False
        """Whether the board lies the other way round than at first."""
        self.watchers: list[Callable[[Micros], None]] = []
        """Called with the moment whenever a contact, or what is soldered at it, changed."""
        self.magnet_listeners: list[Callable[[SlotId, bool, Micros], None]] = []
        """Called when magnets begin, or cease, to hold the reed of a slot closed, however it chatters."""
        self.buzzer_tones: list[BuzzerTone] = []
        """What the buzzer did, driven by this process, oldest first."""
        self.copper.on_buzzer_switched = lambda on: self.buzzer_tones.append(BuzzerTone(self.now, on))
        self._random = random.Random(f"bounce {seed}")
        self._happenings: list[tuple[Micros, int, Callable[[Micros], None]]] = []
        self._edges: list[tuple[Micros, int, str, bool, int]] = []
        self._count = 0
        self._magnets: Counter[SlotId] = Counter()
        self._turn: Counter[str] = Counter()
        """Which change of a contact is the latest: the chatter of older ones is over."""
        self._on: dict[SlotId, list[Piece]] = {}
        self._fallen: set[Piece] = set()
        self._across: dict[Piece, SlotId] = {}
        """The second reed that feels a piece standing on a border."""
        self._stuck: dict[SlotId, bool] = {}
        self.own_bounces: dict[str, ContactBounce] = {}
        """How contacts chatter (`reed a3`, `button confirm`) that don't do so as the others."""
        self._jammed: set[str] = set()
        self._pieces = 0

    @classmethod
    def create_file(cls, path: str | Path, board: BoardDescription, *, seed: int = 0) -> World:
        """A world whose copper is the new file `path`, which other processes attach to (`Copper.attach`)."""
        return cls(board, seed=seed, copper=Copper.create_file(path, board))

    # -- time ----------------------------------------------------------------------------------------------

    def next_edge(self) -> Micros | None:
        """When something next happens to a magnet or a contact; `None` while nothing is planned."""
        while self._edges and self._stale(self._edges[0]):
            heapq.heappop(self._edges)
        heads = [heap[0][0] for heap in (self._happenings, self._edges) if heap]
        return min(heads, default=None)

    def advance(self, now: Micros) -> None:
        """Let everything planned up to and including `now` happen. Going back in time does nothing."""
        while (at := self.next_edge()) is not None and at <= now:
            if self._happenings and self._happenings[0][0] == at:
                heapq.heappop(self._happenings)[2](at)
            else:
                _, _, contact, closed, _ = heapq.heappop(self._edges)
                self._set_contact(contact, closed)
                self._tell_watchers(at)
        self.now = max(self.now, now)

    def plan(self, at: Micros, happening: Callable[[Micros], None]) -> None:
        """Have `happening(at)` called at its time; those of one moment in the order they were planned."""
        if at < self.now:
            raise ValueError(f"{at} us is past: the world is at {self.now} us")
        self._count += 1
        heapq.heappush(self._happenings, (at, self._count, happening))

    # -- what happens; for `plan` ---------------------------------------------------------------------------

    def new_piece(self, owner: Seat, label: str = "") -> Piece:
        """Take a piece from the box. It is in nobody's way until it is put down."""
        self._pieces += 1
        return Piece(owner, label, self._pieces)

    def put(self, piece: Piece, slot: SlotId, at: Micros) -> None:
        """A piece comes to stand on `slot`, upon others if there are any."""
        self.add_resting_piece(piece, slot)
        self.change_magnets(slot, +1, at)

    def add_resting_piece(self, piece: Piece, slot: SlotId, *, fallen: bool = False) -> None:
        """A piece comes to rest on `slot`; what reeds feel of it is told by `change_magnets`."""
        self._on.setdefault(slot, []).append(piece)
        if fallen:
            self._fallen.add(piece)

    def remove_resting_piece(self, piece: Piece, slot: SlotId) -> None:
        """A piece begins to move; what reeds feel of it is told by `change_magnets`."""
        self._on[slot].remove(piece)
        if not self._on[slot]:
            del self._on[slot]
        self._fallen.discard(piece)

    def take(self, piece: Piece, slot: SlotId, at: Micros) -> None:
        """A piece leaves `slot`."""
        stood = piece not in self._fallen
        self.remove_resting_piece(piece, slot)
        self.centre(piece, at)
        if stood:
            self.change_magnets(slot, -1, at)

    def straddle(self, piece: Piece, other: SlotId, at: Micros) -> None:
        """A piece that stands on its slot comes so near to `other` that both reeds feel it."""
        self.centre(piece, at)
        self._across[piece] = other
        self.change_magnets(other, +1, at)

    def centre(self, piece: Piece, at: Micros) -> None:
        """A piece that stood on a border is pushed to the middle of its slot."""
        other = self._across.pop(piece, None)
        if other is not None:
            self.change_magnets(other, -1, at)

    def stick(self, slot: SlotId, closed: bool | None, at: Micros) -> None:
        """The reed of `slot` sticks open or closed from now on; `None`: it works again."""
        feels = self._magnets[slot] > 0
        before = self._stuck.pop(slot, feels)
        after = feels if closed is None else closed
        if before != after:
            self._change("reed " + slot, after, at)
        if closed is not None:
            self._stuck[slot] = closed

    def turn_board(self, at: Micros) -> None:
        """The board is turned half round under its pieces, all at once."""
        self.turned = not self.turned
        opposite = _opposite_slots(self.board)
        stood = {slot: list(pieces) for slot, pieces in self._on.items()}
        # What comes before what goes: a reed with a magnet before and after feels no change.
        for slot, pieces in stood.items():
            for _ in set(pieces) - self._fallen:
                self.change_magnets(opposite[slot], +1, at)
        for slot, pieces in stood.items():
            for piece in pieces:
                fallen = piece in self._fallen
                self.take(piece, slot, at)
                self._on.setdefault(opposite[slot], []).append(piece)
                if fallen:
                    self._fallen.add(piece)

    def shift(self, piece: Piece, slot: SlotId, target: SlotId, at: Micros) -> None:
        """A piece crosses the border between two slots; its magnet is moved by `change_magnets`."""
        self.remove_resting_piece(piece, slot)
        self.add_resting_piece(piece, target)

    def fall(self, piece: Piece, slot: SlotId, at: Micros) -> None:
        """A standing piece falls over: it lies on `slot`, its magnet too far from the reed."""
        if piece not in self._fallen:
            self.centre(piece, at)
            self._fallen.add(piece)
            self.change_magnets(slot, -1, at)

    def change_magnets(self, slot: SlotId, change: int, at: Micros) -> None:
        """One magnet more or less near the reed of `slot`; the reed changes with the first and the last."""
        before = self._magnets[slot] > 0
        self._magnets[slot] += change
        after = self._magnets[slot] > 0
        if before == after:
            return
        for tell in self.magnet_listeners:
            tell(slot, after, at)
        if self.copper.has_reed(slot) and slot not in self._stuck:
            self._change("reed " + slot, after, at)

    def set_button(self, button: str, down: bool, at: Micros) -> None:
        """A button's contact is pressed closed or let go."""
        if button not in self._jammed:
            self._change("button " + button, down, at)

    def solder(self, slot: SlotId, diode: SolderedDiode, at: Micros) -> None:
        """Change what is soldered where the diode of `slot` belongs."""
        self.copper.set_diode(slot, diode)
        self._tell_watchers(at)

    def cut(self, bank: str, wire: int, cut: bool, at: Micros) -> None:
        """Cut a wire of a bank's matrix (rows first, then columns) at its pin, or mend it."""
        self.copper.cut(bank, wire, cut)
        self._tell_watchers(at)

    def jam(self, button: str, closed: bool | None, at: Micros) -> None:
        """A button's contact jams open or closed from now on; `None`: it is open and works again."""
        self._jammed.discard(button)
        self._change("button " + button, bool(closed), at)
        if closed is not None:
            self._jammed.add(button)

    def _tell_watchers(self, at: Micros) -> None:
        for watcher in self.watchers:
            watcher(at)

    def _change(self, contact: str, closed: bool, at: Micros) -> None:
        self._turn[contact] += 1
        bounce = self.own_bounces.get(contact, self.bounce)
        edges = bounce.edges(at, closed, self._random) if bounce else [(at, closed)]
        for moment, state in edges:
            self._count += 1
            heapq.heappush(self._edges, (moment, self._count, contact, state, self._turn[contact]))

    def _stale(self, edge: tuple[Micros, int, str, bool, int]) -> bool:
        return edge[4] != self._turn[edge[2]]

    def _set_contact(self, contact: str, closed: bool) -> None:
        kind, _, name = contact.partition(" ")
        if kind == "reed":
            self.copper.set_closed(SlotId(name), closed)
        else:
            self.copper.set_down(name, closed)

    # -- the truth -----------------------------------------------------------------------------------------

    def standing(self) -> Mapping[SlotId, tuple[Piece, ...]]:
        """Which pieces are on which slot at this moment, lowest first, fallen ones too; no empty slots."""
        return {slot: tuple(pieces) for slot, pieces in sorted(self._on.items())}

    def pieces_on(self, slot: SlotId) -> Sequence[Piece]:
        """The pieces on one slot, lowest first."""
        return self._on.get(slot, ())

    def straddling_pieces(self) -> Mapping[Piece, SlotId]:
        """Those pieces that stand on a border, with the other slot whose reed feels them."""
        return dict(self._across)

    def stuck_reeds(self) -> Mapping[SlotId, bool]:
        """The slots whose reed sticks, and whether it sticks closed."""
        return dict(self._stuck)

    def fallen(self) -> frozenset[Piece]:
        """Those pieces on the board that lie rather than stand."""
        return frozenset(self._fallen)


def _opposite_slots(board: BoardDescription) -> dict[SlotId, SlotId]:
    """Each slot with the one that lies where it would lie if the board were turned half round."""
    width, height = board.size
    at = {(round(slot.position.x), round(slot.position.y)): name for name, slot in board.slots.items()}
    return {
        name: at[round(width - slot.position.x), round(height - slot.position.y)]
        for name, slot in board.slots.items()
    }
