"""A Pico at work: tells the host what changed, shows what the host says. Pins, bytes and time are passed in.

Whoever turns it calls `step` with what came over the wire, sends what it returns, then calls `light`; next
time when a look differs, bytes come, or at `due`. MicroPython subset.
"""

from boardwire import wire
from boardwire.errors import RemoteProtocolError
from boardwire.framing import crc16
from boardwire.lamps import Lamps
from boardwire.link import OPEN, PicoLink
from boardwire.moments import rebased, shift_optional_moment
from boardwire.scanner import Bank, Buttons
from boardwire.sounds import TIME_UNIT_MS, SoundPlayer
from boardwire.tagging import Tagging

VERSION = "1.0.0"
"""Of the firmware."""

ALIVE_INTERVAL_US = 500_000
"""Between signs of life; also how fast the Pico's own lamp blinks while no host is there."""
DARK_TIMEOUT_US = 60_000_000
"""How long the lamps of a silent host are left dimmed before they go dark."""
BOUNCE_WAIT_US = 50_000
"""How long the first snapshot of a session waits for contacts that bounce: half a move is no board."""
RESERVED_LINK_SLOTS = 16
"""Of the room in the link so much is left to what can't be told by a snapshot later."""
MAX_KEPT_PRESSES = 16
"""Presses and releases remembered while no host hears them; the oldest go first."""
LITTER_PER_READ = 8
"""A read of a tag leaves as much as so many hints: 5 KB, and 0.6 (counted on an emulated chip)."""
_CLOCK_MASK = 0xFFFFFFFF
"""The bits of a moment on the wire."""


def _earlier_moment(at: int, other: int | None) -> int:
    """The earlier one; `None` never comes."""
    return at if other is None or at < other else other


class Station:
    """One Pico."""

    def __init__(self, link, looks, banks, buttons, lamps, buzz, now, tagging=None) -> None:  # type: ignore[no-untyped-def]
        """A `PicoLink`, looks at the pins, banks, buttons and lamps; `buzz(on)` switches the buzzer.

        `looks.next(until)` goes on to the next look before `until` that differs from the one before, and says
        when that ended; below 0: none. `looks.words` are what pins read then, a word a row, `looks.rows` the
        words that differ, as bits. They were read one after the other, each `looks.row_us`; a contact changed
        about `looks.half_us` before its word was read. `tagging` reads tags.
        """
        self.link: PicoLink = link
        self._looks = looks
        self._ago_us = (len(looks.words) - 1) * looks.row_us + looks.half_us
        """How long before the end of a look the contacts of its first word have changed."""
        self._stamped = now
        self._start = 0
        """What moments count from, by the clock that the host is told: modulo 2 ** 32."""
        self.maintain = False
        """Whether the host wants the prompt rather than the board."""
        self.led = False
        """The Pico's own lamp: on in a session, blinking without."""
        self._banks: list[Bank] = banks
        self._buttons: Buttons = buttons
        self._lamps: Lamps = lamps
        self._buzz = buzz
        self._player = SoundPlayer()
        self._contacts = sum(bank.size for bank in banks)
        self._alive_at = now + ALIVE_INTERVAL_US
        self._dark_at: int | None = None
        self._behind = False
        self._opens_by: int | None = None
        """By when the session that has opened gets its first snapshot."""
        self._kept: list[tuple] = []  # type: ignore[type-arg]
        """Presses and releases that no host is known to have heard."""
        self._tagging: Tagging | None = tagging
        self._reads: list[tuple] = []  # type: ignore[type-arg]
        """What was read and has not been told."""
        self._now = now
        self._sure_at: int | None = None
        """When a contact or a button that stays as it is has to be told."""
        self._calm = True
        """Whether no contact is on its way from one state to the other."""
        for bank in banks:
            bank.begin(looks.words)
        buttons.begin(looks.words[0])
        if tagging is not None:
            tagging.begin([contact for bank in banks for contact in bank.closed()])

    def step(self, now: int, data: bytes) -> bytes:
        """Take what came, and what changed; what has to be sent."""
        self._now = now
        if data:
            self.link.receive_data(data)
            self._handle_events(now)
        self._look(now)
        if now >= self._alive_at:
            self._alive_at = now + ALIVE_INTERVAL_US
            self._send_alive(now)
        if data and not self.link.has_unsent_messages:
            self.light(now)  # an acknowledgement can wait for the lamps
        out = self.link.data_to_send(now)
        if self.link.has_events:
            self._handle_events(now)  # a host that fell silent
        return out

    def light(self, now: int) -> None:
        """Bring lamps and buzzer up to date. It takes a while: what has to be told goes first."""
        if self._dark_at is not None and now >= self._dark_at:
            self._dark_at = None
            self._lamps.handle_message(("dark",), now)
        self._lamps.settle(now)
        self._lamps.step(now)
        before = self._player.on
        self._player.step(now)
        if self._player.on != before:
            self._buzz(self._player.on)

    def read(self, now: int) -> bool:
        """Do a step of reading tags, if one is due; whether something came of it, which `step` tells."""
        tagging = self._tagging
        if tagging is None or now < tagging.due(now):
            return False
        told = tagging.step(now)
        for event in told:
            self._note_read(event, now)
        return bool(told)

    def _note_read(self, event: tuple, now: int) -> None:  # type: ignore[type-arg]
        if self.link.state == OPEN and self._opens_by is None:
            self._reads.append((event[0], self._wire_moment(now)) + event[1:])  # noqa: RUF005 - MicroPython

    def reading(self) -> bool:
        """Whether a tag is being read just now."""
        return self._tagging is not None and self._tagging.reading()

    def litter(self) -> int:
        """How much has been left to collect by what leaves most, so far. A hint counts as 1."""
        return self._lamps.hints + (0 if self._tagging is None else LITTER_PER_READ * self._tagging.reads())

    def due(self) -> int:
        """When something has to be done next, reads of tags aside, if no look differs and nothing comes."""
        now: int = self._now
        if self._reads:
            return now
        first: int = _earlier_moment(self._alive_at, self._sure_at)
        first = _earlier_moment(first, self._opens_by)
        first = _earlier_moment(first, self.link.due())
        first = _earlier_moment(first, self._lamps.due())
        first = _earlier_moment(first, self._player.due())
        return _earlier_moment(first, self._dark_at)

    def read_due(self, now: int) -> int | None:
        """When `read` has something to do next; `None`: never."""
        return None if self._tagging is None else self._tagging.due(now)

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later, a multiple of `lights.BEAT_US`.

        The host is told moments that count from the first start, as before.
        """
        self._start = (self._start + by) & _CLOCK_MASK
        self._now = rebased(self._now, by)
        self._stamped = rebased(self._stamped, by)
        self._alive_at = rebased(self._alive_at, by)
        self._dark_at = shift_optional_moment(self._dark_at, by)
        self._opens_by = shift_optional_moment(self._opens_by, by)
        self._sure_at = shift_optional_moment(self._sure_at, by)
        for bank in self._banks:
            bank.rebase(by)
        self._buttons.rebase(by)
        self._lamps.rebase(by)
        self._player.rebase(by)
        self.link.rebase(by)
        if self._tagging is not None:
            self._tagging.rebase(by)

    # What comes

    def _handle_events(self, now: int) -> None:
        while True:
            try:
                event = self.link.next_event()
                if event is None:
                    return
                self._handle_event(event, now)
            except RemoteProtocolError as error:
                self.log("refused: " + str(error))

    def _handle_event(self, event: tuple, now: int) -> None:  # type: ignore[type-arg]
        name = event[0]
        if name == "opened":
            if self.link.state != OPEN:
                return  # what came with it has ended the session already: `lost` comes next
            self._dark_at = None
            self._lamps.forget_hints()
            self._lamps.set_dimmed(False, now)
            self.led = True
            self._opens_by = now + BOUNCE_WAIT_US
            self._begin_telling(now)
        elif name == "lost":
            self._dark_at = now + DARK_TIMEOUT_US
            self._opens_by = None
            self._reads = []
            self._keep(self.link.take_unacknowledged_presses())
            self._lamps.forget_hints()
            self._lamps.set_dimmed(True, now)
        elif name == "look":
            self._behind = True
        elif name == "watch":
            if self._tagging is not None:
                self._tagging.watch(wire.numbers(event[1]), now)
        elif name == "sound":
            if not len(event[1]) % 2:
                raise RemoteProtocolError("a sound begins and ends with a tone")
            on = self._player.on
            self._player.play([span * TIME_UNIT_MS for span in event[1]], now)
            if on:
                self._buzz(False)
        elif name == "maintain":
            self.maintain = True
        else:
            self._lamps.handle_message(event, now)

    # What is told

    def _wire_moment(self, at: int) -> int:
        """A moment as it goes over the wire."""
        return (at + self._start) & _CLOCK_MASK

    def log(self, text: str) -> None:
        """A line for the host's log, if it listens and has room."""
        if self.link.state == OPEN and self.link.room > RESERVED_LINK_SLOTS:
            self.link.send("log", text[:100])

    def _look(self, now: int) -> None:
        """Take all that changed up to now, in the order in which it did."""
        while True:
            sure = self._sure_at
            if sure is not None and sure <= now:
                at = self._looks.next(sure)
                if at < 0:
                    self._scan_look(sure, 0)
            else:
                at = self._looks.next(now)
                if at < 0:
                    break
            if at >= 0:
                self._scan_look(at, self._looks.rows)
        if self._opens_by is not None:
            self._begin_telling(now)
        elif not (self._behind or self._kept or self._reads):
            return
        elif self.link.state == OPEN and self.link.room > RESERVED_LINK_SLOTS:
            if self._behind:
                self._snapshot(now)
            if self._kept:
                self._send_kept_presses()
            if self._reads:
                self._send_reads()

    def _scan_look(self, now: int, rows: int) -> None:
        """Take a look of which these words differ; without any, what has stayed as it is for long enough."""
        words = self._looks.words
        sure: int | None = None
        for bank in self._banks:
            for name, contact in bank.look(words, rows, now):
                at = now - self._ago_us
                if self._looks.row_us:
                    at += bank.word(contact) * self._looks.row_us
                if name == "lifted" and self._lamps.handle_lift(contact, now):
                    self._report_contact("hinted", at, contact, self._lamps.message_count)
                else:
                    if name == "placed":
                        self._lamps.handle_place(contact)
                    self._report_contact(name, at, contact)
                if self._tagging is not None and name != "ghost":
                    self._tagging.changed(contact, name == "placed")
            if bank.waits:
                due = bank.due()
                if due is not None and (sure is None or due < sure):
                    sure = due
        self._calm = sure is None
        if self._tagging is not None:
            self._tagging.coming([contact for bank in self._banks for contact in bank.coming()])
        if rows & 1 or self._buttons.waits:  # buttons are in the first word
            presses = self._buttons.look(words[0], now)
            if presses:
                self._keep([(name, self._wire_moment(now), button) for name, button in presses])
        if self._buttons.waits:
            due = self._buttons.due()
            if due is not None and (sure is None or due < sure):
                sure = due
        self._sure_at = sure

    def _report_contact(self, name: str, at: int, contact: int, *more: int) -> None:
        if self.link.state != OPEN or self._opens_by is not None:
            return  # the first snapshot of the session tells it
        if at > self._stamped:  # never before what was told before
            self._stamped = at
        if not self.link.try_send_numbers(
            RESERVED_LINK_SLOTS, name, self._wire_moment(self._stamped), contact, *more
        ):
            self._behind = True

    def _begin_telling(self, now: int) -> None:
        """Begin to tell, once no contact is on its way from one state to the other."""
        if self._calm or self._opens_by is None or now >= self._opens_by:
            self._opens_by = None
            self._snapshot(now)
            self._send_kept_presses()
            if self._tagging is not None:
                self._reads = []
                for event in self._tagging.known():
                    self._note_read(event, now)

    def _send_reads(self) -> None:
        while self._reads and self.link.room > RESERVED_LINK_SLOTS:
            self.link.send(*self._reads.pop(0))

    def _keep(self, presses: list[tuple]) -> None:  # type: ignore[type-arg]
        if presses:
            self._kept = (self._kept + presses)[-MAX_KEPT_PRESSES:]

    def _send_kept_presses(self) -> None:
        for message in self._kept:
            self.link.send(*message)
        self._kept = []

    def _closed_bits(self) -> bytes:
        """As `wire.bits` of all contacts told closed."""
        closed = bytearray((self._contacts + 7) // 8)
        for bank in self._banks:
            bank.set_closed_bits(closed)
        return bytes(closed).rstrip(b"\0")

    def _snapshot(self, now: int) -> None:
        self._behind = False
        self.link.send("snapshot", self._wire_moment(now), self._closed_bits())

    def _send_alive(self, now: int) -> None:
        if self.link.state != OPEN:
            self.led = not self.led
        elif self.link.room > RESERVED_LINK_SLOTS and self._opens_by is None and not self._kept:
            # Never ahead of a press or release: what was told before it is all there was.
            self.link.send("alive", self._wire_moment(now), crc16(self._closed_bits()))
