"""One MFRC522 and the tags over its antenna, in steps that never wait. MicroPython subset.

A read is a generator. It yields for how many microseconds it wants nothing, and does at most some fifteen
accesses to the chip between two yields, so that whoever turns it can scan a board meanwhile. The antenna is
on during a read only: neighbours don't disturb each other, and a tag that was sent to sleep wakes again.

`bus` reaches the chip that was selected: `write(register, data)`, `read(register, count)`. Registers and
their bits are those of NXP's data sheet of the MFRC522, 9.3; frames those of ISO/IEC 14443-3, type A.
"""

COMMAND, COM_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x06, 0x09, 0x0A
BIT_FRAMING, COLL, MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK = 0x0D, 0x0E, 0x11, 0x12, 0x13, 0x14, 0x15
T_MODE, T_PRESCALER, T_RELOAD_HIGH, T_RELOAD_LOW, RF_CONFIG, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x26, 0x37

_IDLE, _TRANSCEIVE, _SOFT_POWER_DOWN = b"\x00", b"\x0c", b"\x10"
_RX_DONE, _TX_DONE, _TIMER = 0x20, 0x40, 0x01
_BUFFER_OVERFLOW, _COLLISION, _PARITY, _PROTOCOL = 0x10, 0x08, 0x02, 0x01

# What a chip is told before each read, as it may have lost it: a bad contact costs one read at most.
_SETTINGS = (
    (TX_MODE, b"\x00"),  # 106 kbit/s, no CRC by the chip: the few there are are made here
    (RX_MODE, b"\x00"),
    (T_MODE, b"\x80"),  # the timer starts by itself when a frame was sent
    (T_PRESCALER, b"\xa9"),  # in ticks of 25 us
    (T_RELOAD_HIGH, b"\x00"),
    (T_RELOAD_LOW, b"\x28"),  # 1 ms: a tag answers after 86 us
    (RF_CONFIG, b"\x70"),  # the most gain, 48 dB: antennas under a board are small
    (TX_ASK, b"\x40"),  # 100 % amplitude modulation
    (MODE, b"\x3d"),
    (COLL, b"\x00"),  # bits after a collision are read as 0
    (TX_CONTROL, b"\x83"),  # antenna on
)
GUARD_US = 5000
"""After how long in the field a tag has to answer (ISO/IEC 14443-3, 5)."""
WAKES_US = 400
"""From soft power-down to work: the oscillator starts, then 1024 of its clocks."""
BIT_US = 9.44
"""One bit at 106 kbit/s."""
TRIES = 2
"""How often tags are called in one read before it counts as silent."""
MOST_TAGS = 2
"""Two pieces meet on a square; a third can't be told from noise."""

_WUPA, _REQA, _HALT = b"\x52", b"\x26", b"\x50\x00"
_LEVELS = (0x93, 0x95, 0x97)
_CASCADE = 0x88

# What comes of an exchange, and of a read.
SILENT, ANSWERED, COLLIDED, BROKEN, DEAD = "silent", "answered", "collided", "broken", "dead"


def crc_a(data: bytes) -> bytes:
    """CRC_A (ISO/IEC 14443-3, annex B) of `data`, low byte first."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return bytes([crc & 0xFF, crc >> 8 & 0xFF])


def check_byte(data: bytes) -> int:
    """All bytes of `data` added without carry: what a tag sends behind four of them."""
    check = 0
    for byte in data:
        check ^= byte
    return check


class Chip:
    """A reader. The chip is selected before a read begins, and stays so until it ends."""

    def __init__(self, bus) -> None:  # type: ignore[no-untyped-def]
        self._bus = bus

    def read(self, known):  # type: ignore[no-untyped-def]
        """A whole read, as a generator. Returns (outcome, ids of the tags in the field).

        A tag whose id is not among those `known` is selected by it, which it agrees to if nothing of it was
        misheard: a check byte alone lets some errors through.

        `silent`: no tag; `answered`; `broken`: something answered that can't be understood, which says
        nothing; `dead`: no chip.
        """
        bus = self._bus
        bus.write(COMMAND, _IDLE)
        yield WAKES_US
        if bus.read(VERSION, 1)[0] in (0x00, 0xFF):
            return DEAD, ()
        try:
            for register, value in _SETTINGS:
                bus.write(register, value)
            yield GUARD_US
            outcome, found = yield from self._tags(known)  # type: ignore[no-untyped-call]
        finally:  # a read may be broken off
            bus.write(TX_CONTROL, b"\x80")
            bus.write(COMMAND, _SOFT_POWER_DOWN)
        return outcome, found

    def _tags(self, known):  # type: ignore[no-untyped-def]
        found: list[bytes] = []
        call, tries = _WUPA, TRIES
        while len(found) < MOST_TAGS:
            outcome = SILENT
            for _ in range(tries):
                outcome, _, _ = yield from self._exchange(call, 7)
                if outcome != SILENT:
                    break
            if outcome == SILENT:
                break
            # Answers of different tags may collide here: only that there was one matters.
            id_, several = yield from self._identity(known)  # type: ignore[no-untyped-call]
            if id_ is None:
                return BROKEN, ()
            found.append(id_)
            if not several:
                break
            yield from self._exchange(_HALT + crc_a(_HALT), 0)
            call, tries = _REQA, TRIES  # the one that was found keeps still now
        return (ANSWERED if found else SILENT), tuple(found)

    def _identity(self, known):  # type: ignore[no-untyped-def]
        """The id of one tag, and whether there are more; `None` for an id that can't be told."""
        id_, several = b"", False
        for level in _LEVELS:
            part, collided = yield from self._level(level)
            if part is None:
                return None, several
            several = several or collided
            last = part[0] != _CASCADE
            id_ += part[:4] if last else part[1:4]
            if last and not several and id_ in known:
                return id_, False
            selected = yield from self._select(level, part, last)
            if not selected:
                return None, several
            if last:
                return id_, several
        return None, several

    def _level(self, level: int):  # type: ignore[no-untyped-def]
        """Four bytes of the id with their check byte, and whether tags had to be told apart for them."""
        outcome, part, place = yield from self._exchange(bytes([level, 0x20]), 0)
        collided = outcome == COLLIDED
        if collided:
            # Go on with the tag that has a 1 there: what is known is sent, and it completes it.
            if not 1 <= place <= 32 or len(part) < (place + 7) // 8:
                return None, True
            known = bytearray(part[: (place + 7) // 8])
            known[-1] = known[-1] & (1 << (place - 1) % 8) - 1 | 1 << (place - 1) % 8
            whole, rest = place // 8, place % 8
            call = bytes([level, (2 + whole) << 4 | rest]) + bytes(known)
            outcome, more, _ = yield from self._exchange(call, rest)
            # The first byte that comes completes the last one sent.
            part = bytes(known[:whole]) + more
            if rest and more:
                part = bytes(known[:whole]) + bytes([more[0] & 0xFF << rest | known[whole]]) + more[1:]
        if outcome != ANSWERED or len(part) != 5 or check_byte(part):
            return None, collided
        return part, collided

    def _select(self, level: int, part: bytes, last: bool):  # type: ignore[no-untyped-def]
        """Select the tag with this part of an id; whether it agrees, and on whether the id ends here."""
        call = bytes([level, 0x70]) + part
        outcome, answer, _ = yield from self._exchange(call + crc_a(call), 0)
        if outcome != ANSWERED or len(answer) != 3 or crc_a(answer[:1]) != answer[1:]:
            return False
        return bool(answer[0] & 0x04) != last

    def _exchange(self, data: bytes, last_bits: int):  # type: ignore[no-untyped-def]
        """Send a frame, whose last byte has that many bits (0: all), and take the answer.

        Returns what came of it, the bytes, and where a collision was: 1 is the first bit.
        """
        bus = self._bus
        bus.write(COMMAND, _IDLE)
        bus.write(COM_IRQ, b"\x7f")
        bus.write(FIFO_LEVEL, b"\x80")
        bus.write(FIFO_DATA, data)
        bus.write(COMMAND, _TRANSCEIVE)
        align = 0 if last_bits == 7 and len(data) == 1 else last_bits
        bus.write(BIT_FRAMING, bytes([0x80 | align << 4 | last_bits]))
        yield int(BIT_US * 9 * len(data)) + 150
        # The chip's own timer ends it; the count is for a chip that has lost its clock.
        for _ in range(24):
            irq = bus.read(COM_IRQ, 1)[0]
            if irq & (_RX_DONE | _TIMER):
                break
            yield 150
        else:
            return BROKEN, b"", 0
        if not irq & _RX_DONE:
            return SILENT, b"", 0
        error = bus.read(ERROR, 1)[0]
        level = bus.read(FIFO_LEVEL, 1)[0] & 0x7F
        if error & (_BUFFER_OVERFLOW | _PROTOCOL) or not 0 < level <= 8:
            return BROKEN, b"", 0
        answer = bus.read(FIFO_DATA, level)
        if error & _COLLISION:
            place = bus.read(COLL, 1)[0]
            return COLLIDED, answer, 0 if place & 0x20 else (place & 0x1F or 32)
        return (BROKEN if error & _PARITY else ANSWERED), answer, 0
