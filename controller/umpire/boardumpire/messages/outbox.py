"""What was told and not taken yet. What everybody hears of it is heard from the boards too."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping

from boardrules.core import Seat, Space
from boardumpire.messages import announce, disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.messages.sounds import SOUNDS
from boardware.ports import ConsolePort, Micros


class MessageOutbox:
    """Every message of a table goes through here, in the order in which it was told."""

    def __init__(
        self,
        consoles: Collection[ConsolePort],
        names: Mapping[Space, str] = {},
        game: str = "",
        players: announce.Players = announce.NO_PLAYERS,
    ) -> None:
        """`consoles`: those of the table's boards; `names`: what people call the spaces whose ids they are
        not called by; `game`: whose seats are named; `players`: who sits there."""
        self._consoles = consoles
        self._names = names
        self._game = game
        self._players = players
        self.is_buzzer_on = True
        """Whether what everybody hears of is heard from the boards."""
        self._messages: deque[SeatMessage] = deque()

    def add(self, now: Micros, *messages: SeatMessage) -> None:
        """Keep the messages for whoever takes them, and sound all buzzers for what everybody hears."""
        self.add_of(self._consoles, now, messages)

    def add_of(
        self, consoles: Collection[ConsolePort], now: Micros, messages: Collection[SeatMessage]
    ) -> None:
        """The same, heard from the boards with these consoles alone."""
        self._messages += [
            disclosure.with_space_names(each, self._names, self._game, self._players) for each in messages
        ]
        for message in messages:
            sound = announce.message_sound(message.kind, message.data) if message.seat is None else None
            if sound is not None and self.is_buzzer_on:
                for console in consoles:
                    console.sound(SOUNDS[sound].tones, now)

    def take_all(self) -> list[SeatMessage]:
        """All that was told since the last call, oldest first."""
        taken = list(self._messages)
        self._messages.clear()
        return taken


class BoardOutbox:
    """What one board of a table tells: everybody is told, its own buzzer sounds."""

    def __init__(
        self,
        outbox: MessageOutbox,
        console: ConsolePort,
        name: str = "",
        home: Collection[Seat] = (),
        *,
        alone: bool = True,
    ) -> None:
        """`alone`: whether the table has no other board. Otherwise messages say that they are about this one,
        with its `name` and the seats whose hands act there."""
        self._outbox = outbox
        self._console = console
        self._name = name
        self._home = tuple(home)
        self._alone = alone

    def add(self, now: Micros, *messages: SeatMessage) -> None:
        """As `MessageOutbox.add`."""
        told = list(messages)
        if not self._alone:
            told = [disclosure.of_board(each, self._name, self._home) for each in messages]
        self._outbox.add_of((self._console,), now, told)
