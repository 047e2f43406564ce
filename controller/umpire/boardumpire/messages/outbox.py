"""What was told and not taken yet. What everybody hears of it is heard from the board too."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from boardrules.core import Space
from boardumpire.messages import announce, disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.messages.sounds import SOUNDS
from boardware.ports import ConsolePort, Micros


class MessageOutbox:
    """Every message of a table goes through here, in the order in which it was told."""

    def __init__(
        self,
        console: ConsolePort,
        names: Mapping[Space, str] = {},
        game: str = "",
        players: announce.Players = announce.NO_PLAYERS,
    ) -> None:
        """`names`: what people call the spaces whose ids they are not called by; `game`: whose seats are
        named; `players`: who sits there."""
        self._console = console
        self._names = names
        self._game = game
        self._players = players
        self.is_buzzer_on = True
        """Whether what everybody hears of is heard from the board."""
        self._messages: deque[SeatMessage] = deque()

    def add(self, now: Micros, *messages: SeatMessage) -> None:
        """Keep the messages for whoever takes them, and sound the buzzer for what everybody hears."""
        self._messages += [
            disclosure.with_space_names(each, self._names, self._game, self._players) for each in messages
        ]
        for message in messages:
            sound = announce.message_sound(message.kind, message.data) if message.seat is None else None
            if sound is not None and self.is_buzzer_on:
                self._console.sound(SOUNDS[sound].tones, now)

    def take_all(self) -> list[SeatMessage]:
        """All that was told since the last call, oldest first."""
        taken = list(self._messages)
        self._messages.clear()
        return taken
