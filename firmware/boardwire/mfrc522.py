"""One MFRC522 and the tags over its antenna, in steps that never wait. MicroPython subset.

A read is a generator. It yields for how many microseconds it wants nothing, and does at most some fifteen
accesses to the chip between two yields, so that whoever turns it can scan a board meanwhile. The antenna is
on during a read only: neighbours don't disturb each other, and a tag that was sent to sleep wakes again.

`bus` reaches the chip that was selected: `put(accesses)` writes, each an address with its data; `get(asked,
into)` reads, from as many addresses as are asked. Registers and their bits are those of NXP's data sheet of
the MFRC522, 9.3, and how they are reached its 8.1.2; frames are those of ISO/IEC 14443-3, type A.
"""

COMMAND, COM_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x06, 0x09, 0x0A
BIT_FRAMING, COLL, MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK = 0x0D, 0x0E, 0x11, 0x12, 0x13, 0x14, 0x15
T_MODE, T_PRESCALER, T_RELOAD_HIGH, T_RELOAD_LOW, RF_CONFIG, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x26, 0x37

_IDLE, _TRANSCEIVE, _SOFT_POWER_DOWN = 0x00, 0x0C, 0x10
_RX_DONE, _TIMER = 0x20, 0x01
_BUFFER_OVERFLOW, _COLLISION, _PARITY, _PROTOCOL = 0x10, 0x08, 0x02, 0x01


def _put(register: int, value: int) -> bytes:
    """What writes that to a register."""
    return bytes([register << 1, value])


def _read_access(registers: list[int]) -> bytes:
    """What reads these registers, one after the other; a byte later each answers."""
    return bytes([register << 1 | 0x80 for register in registers] + [0])


# What a chip is told before each read, as it may have lost it: a bad contact costs one read at most.
_SETTINGS = (
    _put(TX_MODE, 0x00),  # 106 kbit/s, no CRC by the chip: the few there are are made here
    _put(RX_MODE, 0x00),
    _put(T_MODE, 0x80),  # the timer starts by itself when a frame was sent
    _put(T_PRESCALER, 0xA9),  # in ticks of 25 us
    _put(T_RELOAD_HIGH, 0x00),
    _put(T_RELOAD_LOW, 0x28),  # 1 ms: a tag answers after 86 us
    _put(RF_CONFIG, 0x70),  # the most gain, 48 dB: antennas under a board are small
    _put(TX_ASK, 0x40),  # 100 % amplitude modulation
    _put(MODE, 0x3D),
    _put(COLL, 0x00),  # bits after a collision are read as 0
    _put(TX_CONTROL, 0x83),  # antenna on
)
_WAKE_ACCESSES = (_put(COMMAND, _IDLE),)
_REST_ACCESSES = (_put(TX_CONTROL, 0x80), _put(COMMAND, _SOFT_POWER_DOWN))
_FRAME_RESET_ACCESSES = (_put(COMMAND, _IDLE), _put(COM_IRQ, 0x7F), _put(FIFO_LEVEL, 0x80))
"""Before a frame."""
_SEND = _put(COMMAND, _TRANSCEIVE)
_FIFO_WRITE_ADDRESS = bytes([FIFO_DATA << 1])
_VERSION_READ = _read_access([VERSION])
_STATUS_READ = _read_access([COM_IRQ, ERROR, FIFO_LEVEL, COLL])
"""All that tells what came of a frame."""
_MAX_ANSWER_BYTES = 8
_FIFO_READS = tuple([_read_access([FIFO_DATA] * count) for count in range(_MAX_ANSWER_BYTES + 1)])
"""What reads so many bytes that came."""
GUARD_US = 5000
"""After how long in the field a tag has to answer (ISO/IEC 14443-3, 5)."""
SILENT_STEPS = 2
"""So many steps of a read go by before the first tag is called: it finds what is there then."""
WAKE_UP_US = 400
"""From soft power-down to work: the oscillator starts, then 1024 of its clocks."""
BYTE_US = 85
"""Eight bits and their parity at 106 kbit/s."""
ANSWER_DELAY_US = 100
"""After how long a tag answers, 86 or 91 us, and a little for the ends of both frames."""
STEP_DELAY_US = 250
"""From when a step is due until a Pico does it, counted on an emulated chip: so much sooner it is due."""
POLL_INTERVAL_US = 100
"""Between two looks at whether an answer has come."""
MAX_POLLS = 32
"""So many of them at most: the chip's own timer ends it sooner, unless it has lost its clock."""
MAX_CALLS = 2
"""How often tags are called in one read before it counts as silent."""
MOST_TAGS = 2
"""Two pieces meet on a square; a third can't be told from noise."""

_WUPA, _REQA, _HALT = b"\x52", b"\x26", b"\x50\x00"
_SELECT_LEVELS = (0x93, 0x95, 0x97)
_CASCADE_TAG = 0x88

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
        self._looked = bytearray(len(_STATUS_READ))
        self._there = bytearray(len(_VERSION_READ))

    def read(self, known):  # type: ignore[no-untyped-def]
        """A whole read, as a generator. Returns (outcome, ids of the tags in the field).

        A tag whose id is not among those `known` is selected by it, which it agrees to if nothing of it was
        misheard: a check byte alone lets some errors through.

        `silent`: no tag; `answered`; `broken`: something answered that can't be understood, which says
        nothing; `dead`: no chip.
        """
        bus = self._bus
        bus.put(_WAKE_ACCESSES)
        yield WAKE_UP_US
        bus.get(_VERSION_READ, self._there)
        if self._there[1] in (0x00, 0xFF):
            return DEAD, ()
        try:
            bus.put(_SETTINGS)
            yield GUARD_US
            outcome, found = yield from self._read_tags(known)  # type: ignore[no-untyped-call]
        finally:  # a read may be broken off
            bus.put(_REST_ACCESSES)
        return outcome, found

    def _read_tags(self, known):  # type: ignore[no-untyped-def]
        found: list[bytes] = []
        call, tries = _WUPA, MAX_CALLS
        while len(found) < MOST_TAGS:
            outcome = SILENT
            for _ in range(tries):
                outcome, _, _ = yield from self._exchange(call, 7, 2)
                if outcome != SILENT:
                    break
            if outcome == SILENT:
                break
            # Answers of different tags may collide here: only that there was one matters.
            id_, several = yield from self._read_identity(known)  # type: ignore[no-untyped-call]
            if id_ is None:
                return BROKEN, ()
            found.append(id_)
            if not several:
                break
            yield from self._exchange(_HALT + crc_a(_HALT), 0, 0)
            call, tries = _REQA, MAX_CALLS  # the one that was found keeps still now
        return (ANSWERED if found else SILENT), tuple(found)

    def _read_identity(self, known):  # type: ignore[no-untyped-def]
        """The id of one tag, and whether there are more; `None` for an id that can't be told."""
        id_, several = b"", False
        for level in _SELECT_LEVELS:
            part, collided = yield from self._read_level(level)
            if part is None:
                return None, several
            several = several or collided
            last = part[0] != _CASCADE_TAG
            id_ += part[:4] if last else part[1:4]
            if last and not several and id_ in known:
                return id_, False
            selected = yield from self._select(level, part, last)
            if not selected:
                return None, several
            if last:
                return id_, several
        return None, several

    def _read_level(self, level: int):  # type: ignore[no-untyped-def]
        """Four bytes of the id with their check byte, and whether tags had to be told apart for them."""
        outcome, part, place = yield from self._exchange(bytes([level, 0x20]), 0, 5)
        collided = outcome == COLLIDED
        if collided:
            # Go on with the tag that has a 1 there: what is known is sent, and it completes it.
            if not 1 <= place <= 32 or len(part) < (place + 7) // 8:
                return None, True
            known = bytearray(part[: (place + 7) // 8])
            known[-1] = known[-1] & (1 << (place - 1) % 8) - 1 | 1 << (place - 1) % 8
            whole, rest = place // 8, place % 8
            call = bytes([level, (2 + whole) << 4 | rest]) + bytes(known)
            outcome, more, _ = yield from self._exchange(call, rest, 5 - whole)
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
        outcome, answer, _ = yield from self._exchange(call + crc_a(call), 0, 3)
        if outcome != ANSWERED or len(answer) != 3 or crc_a(answer[:1]) != answer[1:]:
            return False
        return bool(answer[0] & 0x04) != last

    def _exchange(self, data: bytes, last_bits: int, expected: int):  # type: ignore[no-untyped-def]
        """Send a frame, whose last byte has that many bits (0: all), and take the answer, of so many bytes as
        a rule.

        Returns what came of it, the bytes, and where a collision was: 1 is the first bit.
        """
        bus, looked = self._bus, self._looked
        align = 0 if last_bits == 7 and len(data) == 1 else last_bits
        bus.put(_FRAME_RESET_ACCESSES)
        bus.put((_FIFO_WRITE_ADDRESS + data, _SEND, _put(BIT_FRAMING, 0x80 | align << 4 | last_bits)))
        yield max(0, BYTE_US * (len(data) + expected) + ANSWER_DELAY_US - STEP_DELAY_US)
        for _ in range(MAX_POLLS):
            bus.get(_STATUS_READ, looked)
            irq = looked[1]
            if irq & (_RX_DONE | _TIMER):
                break
            yield POLL_INTERVAL_US
        else:
            return BROKEN, b"", 0
        if not irq & _RX_DONE:
            return SILENT, b"", 0
        error, level, place = looked[2], looked[3] & 0x7F, looked[4]
        if error & (_BUFFER_OVERFLOW | _PROTOCOL) or not 0 < level <= _MAX_ANSWER_BYTES:
            return BROKEN, b"", 0
        took = bytearray(level + 1)
        bus.get(_FIFO_READS[level], took)
        answer = bytes(took[1:])
        if error & _COLLISION:
            return COLLIDED, answer, 0 if place & 0x20 else (place & 0x1F or 32)
        return (BROKEN if error & _PARITY else ANSWERED), answer, 0
