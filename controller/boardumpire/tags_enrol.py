"""Glue a tag into a piece, show it, hear that it is known: the crank behind `boardumpire tags enrol`.

The lamps are enough to go by. A pad that blinks blue waits for the piece that is next; green says that it is
known now and may go; three red flashes say that this tag won't do.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence

from boardumpire.errors import TagError
from boardumpire.lights import REFUSED
from boardumpire.tags import Named, Roster
from boardware.parts import Board
from boardware.ports import Gone, LampId, Micros, Ports, ReaderId, Seen


class Enrolment:
    """Asks for one piece after the other. `keep` writes the list after each; `say` tells a person.

    `ports.tags` is there. On a board without pads a piece is stood over any reader.
    """

    def __init__(
        self,
        ports: Ports,
        board: Board,
        roster: Roster,
        wanted: Sequence[Named],
        armies: Mapping[str, Counter[Named]],
        keep: Callable[[Roster], None],
        say: Callable[[str], None],
    ) -> None:
        self.ports = ports
        self.roster = roster
        self._waits = tuple(board.pads)
        self._wanted = deque(wanted)
        self._armies = armies
        self._keep = keep
        self._say = say
        self._lines: list[str] = []
        """What is to be said once the lamps show it."""
        self._known_at: ReaderId | None = None
        """Where a piece lies that has just become known: it has to go before the next comes."""
        self._refused: tuple[ReaderId, Micros] | None = None
        self._marks: Mapping[LampId, str] | None = None
        self._begun = False

    @property
    def done(self) -> bool:
        """Whether every piece that was wanted is known, and the last one was taken away."""
        return not self._wanted and self._known_at is None

    def step(self, now: Micros) -> Micros | None:
        """Turn once. Returns when to turn next. Raises `TagError` where the list can't be written."""
        tags = self.ports.tags
        assert tags is not None
        if not self._begun:
            self._begun = True
            tags.watch(self._waits)
            self._ask()
        for event in tags.step(now):
            if isinstance(event, Seen):
                self._seen(event, now)
            elif isinstance(event, Gone):
                self._gone(event)
            else:
                self._lines.append(f"{event.where}: {event.code} {event.detail}".rstrip())
        self._light(now)
        for line in self._lines:
            self._say(line)
        self._lines.clear()
        times = (tags.due(), self.ports.lamps.due(), self._refused[1] if self._refused else None)
        return min((time for time in times if time is not None), default=None)

    def _ask(self) -> None:
        if self._wanted:
            seat, label = self._wanted[0]
            left = f" ({len(self._wanted)} to go)" if len(self._wanted) > 1 else ""
            where = "a pad" if self._waits else "any square"
            self._lines.append(f"{seat} {label}: show it to {where}{left}")

    def _seen(self, event: Seen, now: Micros) -> None:
        if self._known_at is not None or not self._wanted:
            return
        try:
            self.roster = self.roster.enrolled(event.tag, self._wanted[0], self._armies)
        except TagError as error:
            self._refused = event.reader, now + REFUSED
            self._lines.append(str(error))
            return
        self._keep(self.roster)
        self._lines.append(f"{' '.join(self._wanted.popleft())}: known")
        self._known_at, self._refused = event.reader, None

    def _gone(self, event: Gone) -> None:
        if event.reader == self._known_at:
            self._known_at = None
            self._ask()

    def _light(self, now: Micros) -> None:
        marks: dict[LampId, str] = {}
        if self._known_at is not None:
            marks[self._known_at] = "may-go"
        elif self._wanted:
            marks = dict.fromkeys(self._waits, "put")
        if self._refused is not None and now < self._refused[1]:
            marks[self._refused[0]] = "refused"
        elif self._refused is not None:
            self._refused = None
        if marks != self._marks:
            self._marks = marks
            self.ports.lamps.show(marks, now)
        self.ports.lamps.step(now)
