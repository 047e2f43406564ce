"""Tags read by the Picos under a board, over the cables that its other ports use."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from boardware.errors import DriverError
from boardware.opening import Settings, refuse_unknown_settings, with_settings_check
from boardware.parts import BoardDescription
from boardware.pico import HubPort, PicoHub, shared_hub
from boardware.ports import Micros, ReaderId, TagEvent

_DRIVER = "pico-tags"


def check_settings(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, and `DriverError` for a board whose Picos read no tags."""
    refuse_unknown_settings(_DRIVER, settings)
    if not board.reader_banks and all(pad.pico is None for pad in board.pads.values()):
        raise DriverError(f"{_DRIVER}: board {board.id} has no reader on a Pico")
    others = [pad.id for pad in board.pads.values() if pad.pico is None]
    if others:
        raise DriverError(
            f"{_DRIVER}: {', '.join(others)} of board {board.id}: on the Pi, where it reads nothing; "
            "move all readers to Picos"
        )


@with_settings_check(check_settings)
def open_tags(board: BoardDescription, **settings: object) -> PicoTags:
    """What the Picos of `board` read; it has no settings. Raises `SettingError` and `DriverError`."""
    check_settings(board, settings)
    return PicoTags(shared_hub(board))


class PicoTags(HubPort):
    """The readers of all Picos as one `TagPort`. Times of events are those of the Picos' clocks."""

    def __init__(self, hub: PicoHub) -> None:
        super().__init__(hub)

    def step(self, now: Micros) -> Sequence[TagEvent]:
        """What was read since the last call."""
        hub = self._hub
        hub.poll_cables(now)
        if not hub.tag_events:
            return ()
        told = sorted(hub.tag_events, key=lambda event: event.at)
        hub.tag_events.clear()
        return told

    def watch(self, readers: Collection[ReaderId]) -> None:
        """Tell the Picos what to look at often."""
        for cable in self._hub.cables:
            cable.watch(readers)

    def due(self) -> Micros | None:
        """When a Pico is spoken to again if nothing comes."""
        return self._hub.due()
