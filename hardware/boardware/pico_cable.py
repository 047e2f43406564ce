"""The cable to one Pico: finds it, opens it again and again, turns what it says into events of a board."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import serial
from serial.tools import list_ports

from boardware.pico_clock import BankClock
from boardware.pico_plan import Plan
from boardware.pico_presses import Presses
from boardware.ports import MS, Gone, LampId, Micros, ReaderId, Seen, Slot, Tag, TagEvent, Trouble
from boardwire import wire
from boardwire.errors import RemoteProtocolError
from boardwire.framing import crc16
from boardwire.link import OPEN, HostLink

log = logging.getLogger("boardumpire.pico")

RASPBERRY_PI = 0x2E8A
"""The USB vendor of a Pico."""
RETRY: Micros = 500 * MS
"""Between two attempts to open a Pico that is not there."""

Opener = Callable[[str], Any]
Finder = Callable[[], Sequence[str]]


class Listener(Protocol):
    """Whom a cable tells what the Pico told."""

    def felt(self, at: Micros, slot: Slot, present: bool) -> None:
        """A slot changed."""

    def button(self, at: Micros, name: str, down: bool) -> None:
        """A button went down or came up."""

    def trouble(self, trouble: Trouble) -> None:
        """Something is wrong, or well again."""

    def tag(self, event: TagEvent) -> None:
        """A tag was read, or is gone."""


def open_serial(path: str) -> Any:
    """The serial port at `path`, exclusive, never waiting. Raises `OSError`."""
    return serial.Serial(path, 115200, timeout=0, write_timeout=0, exclusive=True)


def usb_paths(number: str | None) -> list[str]:
    """The serial ports of all Picos, or of the one whose USB tells that serial number."""
    return sorted(
        port.device
        for port in list_ports.comports()
        if port.vid == RASPBERRY_PI and number in (None, port.serial_number)
    )


def _escaped(text: str) -> str:
    """What a Pico said, fit for a line of a log or a page."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


class Cable:
    """One Pico of a board. `turn` never waits and raises nothing for what the Pico or the cable does."""

    def __init__(
        self, plan: Plan, listener: Listener, find: Finder, open_: Opener, brightness: int = 128
    ) -> None:
        self.plan = plan
        self.link = HostLink(plan.board.id, plan.hash, plan.pico)
        self.known = False
        """Whether the Pico has told what it feels, in this session."""
        self.closed: set[int] = set()
        """The contacts told closed."""
        self.in_bytes = self.out_bytes = 0
        """How much came and went, for those who count."""
        self._listener = listener
        self._find = find
        self._open = open_
        self._brightness = brightness
        self._port: Any = None
        self._path = ""
        self._tried = ""
        self._open_at: Micros = 0
        self._out = b""
        self._clock = BankClock()
        self._away = False
        """Whether the players were told that it is silent."""
        self._refused = ""
        self._told_at: Micros = 0
        self._presses = Presses()
        self._marks: dict[tuple[int, int], int] = {}
        self._told_marks: dict[tuple[int, int], int] = {}
        self._hints: Mapping[int, Mapping[tuple[int, int], int]] = {}
        self._told_hints: Mapping[int, Mapping[tuple[int, int], int]] = {}
        self._untold: list[tuple[Any, ...]] = []
        """Of the table of hints that is being told: what the link had no room for yet."""
        self._marks_wait = self._hints_wait = False
        """For room in the link: a Pico that acknowledges nothing is told the latest once it does again."""
        self._watched: list[int] = []
        self._told_watched: list[int] | None = None
        self._epoch = 0
        self._armed = False

    # For the crank

    def turn(self, now: Micros) -> None:
        """Read what came, tell it, write what has to go."""
        if self._port is None and (now < self._open_at or not self._connect(now)):
            return
        try:
            self._read(now)
            self.flush(now)
        except OSError as error:
            self._unplugged(now, str(error))

    def flush(self, now: Micros) -> None:
        """Write what has to go, as far as the port takes it. Raises `OSError`."""
        if self._port is None:
            return
        if self._marks_wait:
            self._tell_marks()
        if self._hints_wait:
            self._tell_hints()
        self._tell_watched()
        data = self.link.data_to_send(now)
        self.out_bytes += len(data)
        self._out += data
        if self._out:
            written = self._port.write(self._out)
            self._out = self._out[written or 0 :]
        self._hear(now)

    def due(self) -> Micros:
        """When `turn` has something to do next if nothing comes."""
        if self._port is None:
            return self._open_at
        at = self.link.due()
        return self._open_at + 3600_000 * MS if at is None else at

    def fileno(self) -> int | None:
        """What becomes readable when something comes."""
        return None if self._port is None else int(self._port.fileno())

    @property
    def path(self) -> str:
        """Where it is open; nothing while it is not."""
        return self._path if self._port is not None else ""

    @property
    def refused(self) -> str:
        """Why the Pico that answered can't be spoken to; nothing if it can."""
        return self._refused

    def close(self) -> None:
        """Dark lamps, then close the port. Closing twice is allowed."""
        port, self._port = self._port, None
        if port is not None:
            try:
                if self._say("dark"):
                    port.write(self.link.data_to_send(self._told_at))
                port.close()
            except OSError as error:
                log.debug("%s: %s", self.plan.pico, error)

    # For the lamps

    def show(self, marks: Mapping[LampId, str], now: Micros) -> None:
        """From now on show these marks of lamps that hang on this Pico."""
        lamps = self.plan.lamps
        self._marks = {lamps[lamp]: wire.mark_number(mark) for lamp, mark in marks.items() if lamp in lamps}
        self._tell_marks()

    def foresee(self, hints: Mapping[Slot, Mapping[LampId, str]], now: Micros) -> None:
        """What to show at once when a slot is lifted, until other marks or hints come; nothing disarms."""
        lamps, known = self.plan.lamps, {}
        for contact, slot in enumerate(self.plan.contacts):
            if slot is not None and slot in hints:
                marks = {
                    lamps[lamp]: wire.mark_number(mark) for lamp, mark in hints[slot].items() if lamp in lamps
                }
                if marks:
                    known[contact] = marks
        self._hints = known
        self._tell_hints()

    def sound(self, name: str) -> None:
        """Have the buzzer play it, if somebody is there to hear it now: a late sound tells nothing."""
        if self.plan.buzzes:
            self._say("sound", name)

    def _say(self, name: str, *values: object) -> bool:
        """Queue a message, if there is a session and room for it; whether there was."""
        if self.link.state != OPEN or not self.link.room:
            return False
        self.link.send(name, *values)
        return True

    def _tell_marks(self) -> None:
        self._marks_wait = False
        groups: dict[tuple[int, int], list[int]] = {}
        for at in sorted(self._marks.keys() | self._told_marks.keys()):
            number = self._marks.get(at, 0)
            if number != self._told_marks.get(at, 0):
                groups.setdefault((at[0], number), []).append(at[1])
        for (chain, number), indices in groups.items():
            name, lamps = wire.lamps_message(indices, self.plan.chains[chain].length)
            if not self._say(name, chain, number, lamps):
                self._marks_wait = True
                return
            self._told_marks.update({(chain, index): number for index in indices})
            self._armed = False

    def _tell_hints(self) -> None:
        # Marks that wait go first: they would disarm the hints.
        self._hints_wait = self._marks_wait or not self._told_all_hints()

    def _told_all_hints(self) -> bool:
        if self._hints and self._hints != self._told_hints:
            if not self._say("forget", (self._epoch + 1) & 0xFF):
                return False
            self._epoch = (self._epoch + 1) & 0xFF
            self._untold = self._hint_messages()
            self._told_hints = self._hints
            self._armed = False
        elif not self._hints and (self._armed or self._untold):
            if not self._say("forget", self._epoch):
                return False
            self._told_hints, self._untold, self._armed = {}, [], False
        while self._untold:
            if not self._say("hint", *self._untold[0]):
                return False
            del self._untold[0]
        if self._hints and not self._armed:
            self._armed = self._say("arm", self._epoch)
            return self._armed
        return True

    def _hint_messages(self) -> list[tuple[Any, ...]]:
        messages = []
        for contact, marks in self._hints.items():
            groups: dict[tuple[int, int], list[int]] = {}
            for (chain, index), number in marks.items():
                groups.setdefault((chain, number), []).append(index)
            for (chain, number), indices in groups.items():
                lamps = wire.bits(indices, self.plan.chains[chain].length)
                messages.append((contact, chain, number, lamps))
        return messages

    # Inside

    def _connect(self, now: Micros) -> bool:
        self._open_at = now + RETRY
        try:
            paths = list(self._find())
            if not paths:
                return False
            later = [path for path in paths if path > self._tried]
            self._tried = (later or paths)[0]
            self._port = self._open(self._tried)
        except OSError as error:
            self._port = None
            log.debug("%s: %s", self.plan.pico, error)
            return False
        self._path, self._out = self._tried, b""
        self.link.greet(now)
        return True

    def _read(self, now: Micros) -> None:
        data = self._port.read(4096)
        if data:
            self.in_bytes += len(data)
            self.link.receive_data(data)
        self._hear(now)

    def _hear(self, now: Micros) -> None:
        while True:
            try:
                event = self.link.next_event()
            except RemoteProtocolError as error:
                log.warning("%s said what it may not: %s", self.plan.pico, error)
                self.link.greet(now)
                self._lost(now, str(error))
                continue
            if event is None:
                return
            self._obey(event, now)

    def _obey(self, event: tuple[Any, ...], now: Micros) -> None:
        match event:
            case ("opened",):
                self._refused = ""
                self._clock = BankClock()
                self._greet(now)
            case ("lost", why):
                self._lost(now, why)
            case ("refused", why):
                self._refuse(now, why)
            case ("snapshot", time, felt):
                self._snapshot(self._at(time, now), now, felt)
            case (("lifted" | "placed" | "ghost") as name, _, contact) if contact >= len(self.plan.contacts):
                log.warning("%s told of contact %d (%s), which it has not", self.plan.pico, contact, name)
                where = f"{self.plan.pico}:{contact}"
                self._listener.trouble(Trouble(now, "no-contact", where, "the Pico has no such contact"))
            case (("lifted" | "placed") as name, time, contact):
                self._felt(self._at(time, now), contact, name == "placed")
            case (("pressed" | "released") as name, time, button):
                at = self._clock.host_time(time, now)
                if button < len(self.plan.buttons) and self._presses.new(event, at):
                    self._listener.button(at, self.plan.buttons[button], name == "pressed")
            case (("tag" | "gone" | "mute" | "heard") as name, time, reader, *uid):
                self._read_tag(name, self._clock.host_time(time, now), reader, uid)
            case ("ghost", time, contact):
                where = self._slot(contact) or f"{self.plan.pico}:{contact}"
                at = self._at(time, now)
                self._listener.trouble(Trouble(at, "ghost", where, "a corner of a rectangle, no diodes"))
            case ("alive", time, felt):
                self._at(time, now)
                if self.known and crc16(wire.bits(sorted(self.closed), len(self.plan.contacts))) != felt:
                    log.warning("%s feels something else than it told: asked for all", self.plan.pico)
                    self._say("look")  # not in a session that has ended since; the next sign of life asks
            case ("log", text):
                log.info("%s: %s", self.plan.pico, _escaped(text))

    def _read_tag(self, name: str, at: Micros, reader: int, uid: list[bytes]) -> None:
        if reader >= len(self.plan.readers):
            return
        where = self.plan.readers[reader]
        if name in ("tag", "gone"):
            tag = Tag(uid[0])
            self._listener.tag(Seen(at, where, tag) if name == "tag" else Gone(at, where, tag))
        else:
            code, why = ("reader-mute", "it doesn't answer") if name == "mute" else ("reader-back", "")
            self._listener.tag(Trouble(at, code, where, why))

    def watch(self, readers: Collection[ReaderId]) -> None:
        """Have these read often."""
        watched = [number for number, name in enumerate(self.plan.readers) if name in readers]
        if watched != self._watched:
            self._watched = watched
            self._tell_watched()

    def _tell_watched(self) -> None:
        if not self.plan.readers or self._watched == self._told_watched:
            return
        if self._say("watch", wire.bits(self._watched, len(self.plan.readers))):
            self._told_watched = self._watched

    def _forget_told(self) -> None:
        self._told_marks, self._told_hints, self._untold, self._armed = {}, {}, [], False
        self._told_watched = None

    def _greet(self, now: Micros) -> None:
        """Begin a session, if it still lasts: whatever the Pico showed before is forgotten."""
        self._forget_told()
        if self.link.state != OPEN:
            return
        if not (self._say("bright", self._brightness) and self._say("dark")):
            self.link.greet(now)  # it opened more sessions at once than there is room for greetings
            return
        self._tell_marks()
        self._tell_hints()
        self._tell_watched()

    def _at(self, time: int, now: Micros) -> Micros:
        self._told_at = max(self._told_at, self._clock.host_time(time, now))
        return self._told_at

    def _slot(self, contact: int) -> Slot | None:
        return self.plan.contacts[contact] if contact < len(self.plan.contacts) else None

    def _felt(self, at: Micros, contact: int, closed: bool) -> None:
        self._armed = False  # the Pico follows one lift, and hands that do anything else disarm it
        self._hints_wait = False  # they were for the board before; those that come after it are told
        if closed:
            self.closed.add(contact)
        else:
            self.closed.discard(contact)
        slot = self._slot(contact)
        if slot is not None:
            self._listener.felt(at, slot, closed)

    def _snapshot(self, at: Micros, now: Micros, felt: bytes) -> None:
        closed = {number for number in wire.numbers(felt) if number < len(self.plan.contacts)}
        for contact in sorted(self.closed ^ closed):
            self._felt(at, contact, contact in closed)
        if not self.known:
            self.known = True
            self._presses.begin(at)
        if self._away:
            self._away = False
            self._listener.trouble(Trouble(now, "bank-back", self.plan.pico, "it answers again"))

    def _lost(self, now: Micros, why: str) -> None:
        self._forget_told()
        if self.known and not self._away:
            self._away = True
            self._listener.trouble(Trouble(now, "bank-silent", self.plan.pico, why))

    def _refuse(self, now: Micros, why: str) -> None:
        """Another Pico than the one that was looked for, or one with other firmware: look further."""
        why = _escaped(why)  # it names what the Pico said that it is
        if why != self._refused:
            self._refused = why
            log.error("%s at %s: %s", self.plan.pico, self._path, why)
            if self.known:
                self._listener.trouble(Trouble(now, "bank-refused", self.plan.pico, why))
        self._hang_up(now)

    def _unplugged(self, now: Micros, why: str) -> None:
        self._presses.forget()  # it had no power: its clock begins anew
        self._hang_up(now)
        self._lost(now, f"unplugged ({why})")

    def _hang_up(self, now: Micros) -> None:
        port, self._port = self._port, None
        self.link = HostLink(self.plan.board.id, self.plan.hash, self.plan.pico)
        self._open_at = now + RETRY
        try:
            if port is not None:
                port.close()
        except OSError as error:
            log.debug("%s: %s", self.plan.pico, error)
