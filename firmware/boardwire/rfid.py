"""Readers under a board: which is read when, and what is told of it. MicroPython subset.

A bank of MFRC522 hangs on one SPI bus, a chip select each behind shift registers or a demultiplexer. A square
is read when its contact changes, and all of them in turn, slowly. One reader works at a time, a bounded step
a turn. A tag that was told stays told until three reads in a row, some time apart, missed it; nine while the
contact over its reader has been closed ever since: a piece that is felt is there, though it may lie.
"""

from boardwire.mfrc522 import ANSWERED, BROKEN, DEAD, SILENT, SILENT_STEPS, Chip
from boardwire.moments import rebased, shift_optional_moment

SWEEP_INTERVAL_US = 250_000
"""Between two reads while nothing changes: 64 readers take 16 s."""
WATCH_INTERVAL_US = 60_000
"""The same while some are watched."""
REREAD_DELAY_US = 50_000
"""Between a read that missed a tag and the next: what disturbed it may last a little."""
MAX_MISSES = 3
"""Reads in a row that missed a tag before it counts as gone."""
MAX_HELD_MISSES = 9
"""The same while the contact over the reader stays closed."""
URGENT_READS = 4
"""Reads one after the other of a square that has changed, until one is answered."""
PATIENT_READS = 8
"""Reads that follow then, some time apart: a hand may hold the piece over its square for a while."""

_NO_EVENTS: "list[tuple]" = []  # type: ignore[type-arg]
"""What most steps tell."""


class ShiftSelect:
    """Chip selects behind a chain of 74HC595 that share the bus's clock and data.

    While `enable` is high their outputs float and all chips are deselected by pull-ups: so the pattern is
    shifted in unheard, and `enable` is the chip select of whichever was chosen.
    """

    def __init__(self, spi, latch, enable, count: int) -> None:  # type: ignore[no-untyped-def]
        """`latch` and `enable` are pins: `value(level)`; `enable` is low while a chip is selected."""
        self._spi = spi
        self._latch = latch
        self.enable = enable
        self._size = (count + 7) // 8
        enable.value(1)
        latch.value(0)

    def choose(self, number: int) -> None:
        """From now on `enable` selects that chip. The last byte shifted stays in the first register."""
        pattern = bytearray(b"\xff" * self._size)
        pattern[self._size - 1 - number // 8] = 0xFF ^ 1 << number % 8
        self._spi.write(pattern)
        self._latch.value(1)
        self._latch.value(0)


class DemuxSelect:
    """Chip selects behind demultiplexers (74HC138, 74HC154): pins that give its number, and an enable."""

    def __init__(self, address, enable) -> None:  # type: ignore[no-untyped-def]
        """`address` are pins, the lowest bit first; `enable` is low while a chip is selected."""
        self._address = address
        self.enable = enable
        enable.value(1)

    def choose(self, number: int) -> None:
        """From now on `enable` selects that chip."""
        for place, pin in enumerate(self._address):
            pin.value(number >> place & 1)


class Bus:
    """Registers of the selected chip over SPI (data sheet of the MFRC522, 8.1.2)."""

    def __init__(self, spi, select) -> None:  # type: ignore[no-untyped-def]
        """`spi` is a `machine.SPI`: mode 0, at most 10 MHz."""
        self._select = select
        # A read makes some fifty accesses: looking these up each time takes a third of it.
        self._enable = select.enable.value
        self._write = spi.write
        self._both = spi.write_readinto

    def choose(self, number: int) -> None:
        """Select another chip."""
        self._select.choose(number)

    def put(self, accesses) -> None:  # type: ignore[no-untyped-def]
        """Write, access after access: an address, then one byte, or several to the FIFO."""
        enable, write = self._enable, self._write
        for access in accesses:
            enable(0)
            write(access)
            enable(1)

    def get(self, asked: bytes, into: bytearray) -> None:
        """Read: each address asked for answers a byte later, so `into` begins with one that says nothing."""
        self._enable(0)
        self._both(asked, into)
        self._enable(1)


class TagTracker:
    """The tags told of one reader, each with how many reads in a row missed it."""

    def __init__(self) -> None:
        self.told: dict[bytes, int] = {}
        self.anew = False
        """Whether what is found next is told even if it was told before."""

    def read(self, found: tuple[bytes, ...], misses: int = MAX_MISSES) -> list[tuple[str, bytes]]:
        """Take what a read found; (`tag` or `gone`, id) for each change. `misses` in a row make one gone."""
        events = []
        for tag in found:
            if self.anew or tag not in self.told:
                events.append(("tag", tag))
            self.told[tag] = 0
        if found:
            self.anew = False
        for tag in sorted(self.told):
            if tag not in found:
                self.told[tag] += 1
                if self.told[tag] >= misses:
                    del self.told[tag]
                    events.append(("gone", tag))
        return events

    def report_all_again(self) -> None:
        """Something came: what is found is told again, and what was missed before doesn't count."""
        self.anew = True
        for tag in self.told:
            self.told[tag] = 0

    def has_doubtful_tags(self) -> bool:
        """Whether a tag was missed, but not often enough to be gone."""
        return any([misses > 0 for misses in self.told.values()])  # noqa: C419 - MicroPython


class ReaderState:
    """What is known of one reader of a bank."""

    def __init__(self) -> None:
        self.tags = TagTracker()
        self.closed = False
        """Whether the contact over it is."""
        self.held = False
        """Whether that has been closed since a tag was last found."""
        self.reads_left = 0
        """How many more reads are wanted at once."""
        self.reread_at: int | None = None
        """When it is read again because something was missed."""
        self.is_dead = False


class Readers:
    """A bank of readers, numbered from 0.

    Events are (`tag` or `gone`, reader, id) and (`mute` or `heard`, reader). A tag is told again when the
    contact over it closed again: between, another piece may have stood there.
    """

    def __init__(self, bus: Bus, count: int, now: int, clock=None) -> None:  # type: ignore[no-untyped-def]
        """`clock()` says what time it is once a step is done; without it a step takes no time."""
        self._clock = clock
        self.reads = 0
        """How many reads have ended, for those who count."""
        self._bus = bus
        self._chip = Chip(bus)
        self._each = [ReaderState() for _ in range(count)]
        self._urgent = list(range(count))
        self._again: list[int] = []
        self._watched: list[int] = []
        self._next = 0
        self._sweep_at = now + SWEEP_INTERVAL_US
        self._work = None
        self._sweeping = False
        """Whether the read under way may be broken off for one that is wanted at once."""
        self._reader = 0
        self._steps = 0
        """How many of the read under way were done."""
        self._step_at = now

    @property
    def reading(self) -> bool:
        """Whether a read is under way, or wanted at once."""
        return self._work is not None or bool(self._urgent)

    def known(self) -> list[tuple[int, bytes]]:
        """Every tag that was told and is not gone."""
        return [(number, tag) for number, one in enumerate(self._each) for tag in sorted(one.tags.told)]

    def mute_readers(self) -> list[int]:
        """The readers whose chip doesn't answer."""
        return [number for number, one in enumerate(self._each) if one.is_dead]

    def begin(self, reader: int, closed: bool) -> None:
        """What the contact over a reader is at the start. All readers are read at once then."""
        self._each[reader].closed = closed

    def changed(self, reader: int, closed: bool) -> None:
        """The contact over a reader opened or closed: it is read next."""
        one = self._each[reader]
        one.closed = closed
        one.held = False
        one.reads_left = URGENT_READS + PATIENT_READS if closed else 1
        if closed:
            one.tags.report_all_again()
        if self._work is not None and self._sweeping:
            # Pieces don't wait for a square on which nothing happened.
            self._work.close()
            self._work = None
            self._step_at = 0
            self._queue_urgent(self._reader, False)
        if self._work is None or self._reader != reader or self._steps > SILENT_STEPS:
            self._queue_urgent(reader, True)

    def watch(self, readers: list[int]) -> None:
        """Until told otherwise read these alone while nothing changes, and often: tags may come."""
        self._watched = [reader for reader in readers if reader < len(self._each)]
        self._next = 0

    def _queue_urgent(self, reader: int, first: bool) -> None:
        if reader in self._urgent:
            self._urgent.remove(reader)
        if first:
            self._urgent.insert(0, reader)
        else:
            self._urgent.append(reader)

    def due(self) -> int:
        """When `step` has something to do next."""
        if self._work is not None or self._urgent:
            return self._step_at
        first = self._sweep_at
        for reader in self._again:
            at = self._each[reader].reread_at
            if at is not None and at < first:
                first = at
        return first

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        self._sweep_at = rebased(self._sweep_at, by)
        self._step_at = rebased(self._step_at, by)
        for one in self._each:
            one.reread_at = shift_optional_moment(one.reread_at, by)

    def step(self, now: int) -> list[tuple]:  # type: ignore[type-arg]
        """Do one bounded step if one is due; what is to be told because of it."""
        if self._work is None and not self._begin_read(now):
            return _NO_EVENTS
        if now < self._step_at:
            return _NO_EVENTS
        try:
            self._steps += 1
            wants = next(self._work)  # type: ignore[call-overload]
            self._step_at = wants + (now if self._clock is None else self._clock())
        except StopIteration as end:
            self._work = None
            self._step_at = now
            return self._ended(self._reader, end.value[0], end.value[1], now)
        return _NO_EVENTS

    def _begin_read(self, now: int) -> bool:
        reader = self._wanted(now)
        if reader is None:
            return False
        self._reader = reader
        self._bus.choose(reader)
        self._steps = 0
        self._work = self._chip.read(self._each[reader].tags.told)  # type: ignore[no-untyped-call]
        self._step_at = now
        return True

    def _wanted(self, now: int) -> int | None:
        """The reader whose turn it is, if one is due."""
        self._sweeping = not self._urgent
        if self._urgent:
            return self._urgent.pop(0)
        for reader in self._again:
            at = self._each[reader].reread_at
            if at is not None and now >= at:
                self._again.remove(reader)
                return reader
        if now < self._sweep_at:
            return None
        self._sweep_at = now + (WATCH_INTERVAL_US if self._watched else SWEEP_INTERVAL_US)
        among = self._watched or range(len(self._each))
        self._next = (self._next + 1) % len(among)
        return among[self._next]

    def _ended(self, reader: int, outcome: str, found: tuple[bytes, ...], now: int) -> list[tuple]:  # type: ignore[type-arg]
        self.reads += 1
        one = self._each[reader]
        one.reads_left -= 1
        told: list[tuple] = []  # type: ignore[type-arg]
        if (outcome == DEAD) != one.is_dead:
            one.is_dead = outcome == DEAD
            told.append(("mute" if one.is_dead else "heard", reader))
        if outcome in (ANSWERED, SILENT):  # what is broken says nothing of tags
            misses = MAX_HELD_MISSES if one.held and outcome == SILENT else MAX_MISSES
            for name, tag in one.tags.read(found, misses):
                told.append((name, reader, tag))
        if outcome == ANSWERED:
            one.held = one.closed
        self._plan_reread(reader, outcome, now)
        return told

    def _plan_reread(self, reader: int, outcome: str, now: int) -> None:
        """Read it again, at once or soon, if this read didn't say enough."""
        one = self._each[reader]
        if reader in self._again:
            self._again.remove(reader)
        wanted = outcome in (SILENT, BROKEN) and one.closed
        if wanted and one.reads_left > PATIENT_READS:
            self._queue_urgent(reader, False)
        elif outcome == BROKEN or one.tags.has_doubtful_tags() or (wanted and one.reads_left > 0):
            one.reread_at = now + REREAD_DELAY_US
            self._again.append(reader)
