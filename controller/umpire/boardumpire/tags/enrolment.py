"""Glue a tag into a piece, show it, hear that it is known: the crank behind `boardumpire tags enrol`.

The lamps are enough to go by. A pad that blinks blue waits for the piece that is next; green says that it is
known now and may go. Three red flashes say that it won't do: a tag that is in another piece, or two at once.

What lay over a reader when it began, or came beside another piece, is taken for no piece until it was lifted.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence

from boardumpire.errors import TagError
from boardumpire.lamps.legend import BOARD_LEGEND
from boardumpire.lamps.policy import REFUSAL_SHOW_US
from boardumpire.tags.tag_roster import NamedPiece, TagRoster
from boardware.parts import BoardDescription
from boardware.ports import MS, LampId, Micros, Ports, ReaderId, TagGone, TagId, TagSeen

INITIAL_READ_US: Micros = 1500 * MS
"""How long all readers are given at the start to tell what is there already: 64 of a bank need 0.6 s."""


class TagEnrolment:
    """Asks for one piece after the other. `save_roster` writes the list after each; `print_line` tells a
    person.

    `ports.tags` is there. On a board without pads a piece is stood over any reader.
    """

    def __init__(
        self,
        ports: Ports,
        board: BoardDescription,
        roster: TagRoster,
        wanted: Sequence[NamedPiece],
        armies: Mapping[str, Counter[NamedPiece]],
        save_roster: Callable[[TagRoster], None],
        print_line: Callable[[str], None],
    ) -> None:
        self.ports = ports
        self.roster = roster
        self._waits = tuple(board.pads)
        self._wanted = deque(wanted)
        self._armies = armies
        self._keep = save_roster
        self._say = print_line
        self._lines: list[str] = []
        """What is to be said once the lamps show it."""
        self._known_at: ReaderId | None = None
        """Where a piece lies that has just become known: it has to go before the next comes."""
        self._before = roster
        """The list without that piece."""
        self._over: defaultdict[ReaderId, set[TagId]] = defaultdict(set)
        """The tags that are over each reader."""
        self._blocked: set[ReaderId] = set()
        """The readers over which nothing is taken until they are empty."""
        self._refused: tuple[set[ReaderId], Micros] | None = None
        self._marks: Mapping[LampId, str] | None = None
        self._asks_at: Micros | None = None
        """When the first piece is asked for; what is there by then has been lying there."""
        self._asking = False

    @property
    def is_done(self) -> bool:
        """Whether every piece that was wanted is known, and the last one was taken away."""
        return not self._wanted and self._known_at is None

    def step(self, now: Micros) -> Micros | None:
        """Turn once. Returns when to turn next. Raises `TagError` where the list can't be written."""
        tags = self.ports.tags
        assert tags is not None
        if self._asks_at is None:
            self._asks_at = now + INITIAL_READ_US
            tags.watch(self._waits)
        came: list[TagSeen] = []
        for event in tags.step(now):
            if isinstance(event, TagSeen):
                self._over[event.reader].add(event.tag)
                came.append(event)
            elif isinstance(event, TagGone):
                self._handle_tag_gone(event)
            else:
                self._lines.append(f"{event.where}: {event.code} {event.detail}".rstrip())
        if self._asking:
            self._process_new_tags([event for event in came if event.reader not in self._blocked], now)
        elif now >= self._asks_at:
            self._asking = True
            self._block_readers(
                {reader for reader, over in self._over.items() if over}, "something is there already"
            )
            self._ask_for_next_piece()
        self._show_lights(now)
        for line in self._lines:
            self._say(line)
        self._lines.clear()
        begins = None if self._asking else self._asks_at
        times = (tags.due(), self.ports.lamps.due(), begins, self._refused[1] if self._refused else None)
        return min((time for time in times if time is not None), default=None)

    def _ask_for_next_piece(self) -> None:
        if self._wanted:
            seat, label = self._wanted[0]
            left = f" ({len(self._wanted)} to go)" if len(self._wanted) > 1 else ""
            where = "a pad" if self._waits else "any square"
            self._lines.append(f"{seat} {label}: show it to {where}{left}")

    def _process_new_tags(self, came: Sequence[TagSeen], now: Micros) -> None:
        """Make the one piece that came known. Of several none is taken: nobody knows which was meant."""
        readers = {event.reader for event in came}
        if self._known_at in readers and len(self._over[self._known_at]) > 1:
            self._undo_last_enrolment()
        elif not came or not self._wanted or readers == {self._known_at}:
            return
        elif self._known_at is None and len(readers) == 1 and len(self._over[came[0].reader]) == 1:
            self._enrol(came[0], now)
            return
        readers.discard(self._known_at or "")
        self._block_readers(readers, "one piece at a time")
        self._refused = readers, now + REFUSAL_SHOW_US

    def _undo_last_enrolment(self) -> None:
        """Another piece is beside the one that has just become known: it may have been either."""
        assert self._known_at is not None
        (piece,) = self.roster.counts() - self._before.counts()
        self.roster, self._known_at = self._before, None
        self._keep(self.roster)
        self._wanted.appendleft(piece)
        self._lines.append(f"{' '.join(piece)}: forgotten again, there are two pieces")

    def _block_readers(self, readers: set[ReaderId], why: str) -> None:
        if readers:
            self._blocked |= readers
            where = ", ".join(sorted(readers))
            self._lines.append(f"{where}: {why}; nothing is taken there until all was lifted")

    def _enrol(self, event: TagSeen, now: Micros) -> None:
        try:
            roster = self.roster.with_piece(event.tag, self._wanted[0], self._armies)
        except TagError as error:
            self._refused = {event.reader}, now + REFUSAL_SHOW_US
            self._lines.append(str(error))
            return
        self._keep(roster)
        self._before, self.roster = self.roster, roster
        self._lines.append(f"{' '.join(self._wanted.popleft())}: known")
        self._known_at, self._refused = event.reader, None

    def _handle_tag_gone(self, event: TagGone) -> None:
        over = self._over[event.reader]
        over.discard(event.tag)
        if over:
            return
        if event.reader == self._known_at:
            self._known_at = None
        elif event.reader not in self._blocked:
            return
        self._blocked.discard(event.reader)
        if self._known_at is None:
            self._ask_for_next_piece()

    def _show_lights(self, now: Micros) -> None:
        marks: dict[LampId, str] = {}
        if self._known_at is not None:
            marks[self._known_at] = "may-go"
        elif self._wanted and self._asking:
            marks = {pad: "put" for pad in self._waits if pad not in self._blocked}
        if self._refused is not None and now < self._refused[1]:
            marks |= dict.fromkeys(self._refused[0], "refused")
        elif self._refused is not None:
            self._refused = None
        if marks != self._marks:
            self._marks = marks
            self.ports.lamps.show(BOARD_LEGEND.to_lights(marks), now)
        self.ports.lamps.step(now)
