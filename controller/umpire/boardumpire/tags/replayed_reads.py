"""What readers said stands where, told once more when another game begins over the same open driver."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from boardware.parts import BoardDescription
from boardware.ports import (
    HardwareTrouble,
    Micros,
    ReaderId,
    TagEvent,
    TagGone,
    TagId,
    TagPort,
    TagSeen,
    WakingDriver,
)


class ReplayingTagPort:
    """A `TagPort` that can tell again what lies over its readers, and which of them are mute."""

    def __init__(self, port: TagPort, board: BoardDescription) -> None:
        self._port = port
        self._pads = frozenset(board.pads)
        self._there: dict[tuple[ReaderId, TagId], TagSeen] = {}
        self._mute: dict[ReaderId, HardwareTrouble] = {}
        self._again = False
        self.watch: Callable[[Collection[ReaderId]], None] = port.watch
        self.due: Callable[[], Micros | None] = port.due
        self.close: Callable[[], None] = port.close

    def request_replay(self) -> None:
        """The next step tells whoever asks everything, as the first one did."""
        self._again = True

    def step(self, now: Micros) -> Sequence[TagEvent]:
        """As the driver; after `request_replay` what it said before comes first."""
        before: list[TagEvent] = []
        if self._again:
            self._again = False
            before += [trouble._replace(at=now) for trouble in self._mute.values()]
            before += [seen._replace(at=now) for seen in self._there.values()]
        events = self._port.step(now)
        for event in events:
            self._remember_event(event)
        return [*before, *events]

    def _remember_event(self, event: TagEvent) -> None:
        match event:
            case TagSeen(_, reader, tag):
                if reader not in self._pads:  # what was shown to a pad is in nobody's hand any more
                    self._there[reader, tag] = event
            case TagGone(_, reader, tag):
                self._there.pop((reader, tag), None)
            case HardwareTrouble(code="reader-mute"):
                self._mute[event.where] = event
            case HardwareTrouble():
                self._mute.pop(event.where, None)


class WakingReplayingTagPort(ReplayingTagPort):
    """The same over a driver to which news come by themselves."""

    def __init__(
        self, port: TagPort, board: BoardDescription, filenos: Callable[[], tuple[int, ...]]
    ) -> None:
        super().__init__(port, board)
        self.filenos = filenos


def make_replaying_port(port: TagPort, board: BoardDescription) -> ReplayingTagPort:
    """`port`, whichever it is, with a memory."""
    return (
        WakingReplayingTagPort(port, board, port.filenos)
        if isinstance(port, WakingDriver)
        else ReplayingTagPort(port, board)
    )
