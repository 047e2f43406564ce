"""The serial protocol of DGT's electronic boards, seen from the board: commands in, messages out.

After DGT's published description of it (`dgtbrd.h`, with its changes up to 2017), for a single board with
a clock of its own beside it. White sits at the clock's left. What it leaves out: bus mode, whose commands are
skipped.

Pure: the moment is passed in, in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import chess

IDENTITY: Final = "Boardumpire. This board is not a product of DGT."
"""What is answered to who asks for the trade mark. DGT's own text is theirs alone."""
SERIAL_NUMBER: Final = "00000"
BOARD_VERSION: Final = (1, 2)
CLOCK_VERSION: Final = 0x22
"""2.2, as a DGT 3000 has it: one that shows eight letters."""
STORE_MAX_BYTES: Final = 0x1F00
"""What the board's memory of changes holds; the oldest are let go."""
HOURS_MAX: Final = 9
FIELDS: Final = [chess.square(number % 8, 7 - number // 8) for number in range(64)]
"""By field number its square: from a8 in the order in which one reads."""
FIELD_BY_SQUARE: Final = {square: number for number, square in enumerate(FIELDS)}
_KINDS: Final = (chess.PAWN, chess.ROOK, chess.KNIGHT, chess.BISHOP, chess.KING, chess.QUEEN)
CODES: Final = {
    chess.Piece(kind, color): number + 6 * (color == chess.BLACK)
    for color in chess.COLORS
    for number, kind in enumerate(_KINDS, 1)
}
"""By piece its code; an empty field is 0."""
START: Final = {square: CODES[piece] for square, piece in chess.Board().piece_map().items()}

# Commands
_CLOCK_MESSAGE, _RESET, _SEND_CLOCK, _SEND_BOARD, _UPDATE, _UPDATE_BOARD = 0x2B, 0x40, 0x41, 0x42, 0x43, 0x44
_SERIAL, _BUS_ADDRESS, _TRADEMARK, _STORE, _UPDATE_NICE, _BATTERY = 0x45, 0x46, 0x47, 0x49, 0x4B, 0x4C
_VERSION, _LONG_SERIAL, _SET_LEDS = 0x4D, 0x55, 0x60
_WITH_SIZE: Final = (_CLOCK_MESSAGE, _SET_LEDS)
"""Commands whose second byte says how many follow it."""
_BUS_COMMAND_BYTES: Final = 4

# Messages, with the bit that each has
_BOARD_DUMP, _TIMES, _FIELD_UPDATE, _STORED, _BUS_ADDRESS_MESSAGE = 0x86, 0x8D, 0x8E, 0x8F, 0x90
_SERIAL_MESSAGE, _TRADEMARK_MESSAGE, _VERSION_MESSAGE, _BATTERY_MESSAGE, _LONG_SERIAL_MESSAGE = (
    0x91,
    0x92,
    0x93,
    0xA0,
    0xA2,
)

# What a clock is told, each answered with its own number
_SHOW_SEGMENTS, _END_TEXT, _CLOCK_VERSION, _SET_AND_RUN, _SHOW_ASCII = 0x01, 0x03, 0x09, 0x0A, 0x0C
_DONE, _REFUSED = 0x10, 0x40

# What the memory of changes holds
_POWER_UP, _END_OF_STORE, _BEGIN_POSITION, _NOTHING = 0x6A, 0x6B, 0x6F, 0x7F

_SEGMENT_LETTERS: Final = (
    "3f0 061 5b2 4f3 664 6d5 7d6 077 7f8 6f9 5fa 77a 7cb 58c 39c 5ed 79e 7be 71f 3dg 74h 76h 10i 1ej 75k 38l "
    "55m 54n 5co 73p 67q 50r 78t 1cu 3eu 2av 7ew 64x 6ey 40- 48= 08_ 00"
)
"""By lit segments (from the top clockwise, the middle last: bit 0 to bit 6) the letter; a 2 may be a z."""
_SEGMENTS: Final = {int(each[:2], 16): each[2:] or " " for each in _SEGMENT_LETTERS.split()}


class ClockTimes(NamedTuple):
    """What a clock shows."""

    left_s: float = 0
    """White's."""
    right_s: float = 0
    running: str = ""
    """`left`, `right`, or empty while it stands."""


class DgtBoard:
    """One board on a serial line: what it is told, and what it says."""

    def __init__(self) -> None:
        self._codes: dict[chess.Square, int] = {}
        self._mode = _RESET
        self._input = b""
        self._output = bytearray()
        self._store = bytearray([_NOTHING, _NOTHING, _NOTHING, _POWER_UP])
        self._table_clock: ClockTimes | None = None
        """The clock of the game that is played; `None` where it has none."""
        self._own_clock = ClockTimes()
        """The clock that a program sets, while the game has none."""
        self._own_since = 0.0
        self._told_times = b""
        self._times_due = 0.0
        self.shown_text = ""
        """What a program shows on the clock."""

    @property
    def sends_updates(self) -> bool:
        """Whether a program wants to hear of changes."""
        return self._mode != _RESET

    def take_output(self) -> bytes:
        """What the board says, once."""
        said, self._output = bytes(self._output), bytearray()
        return said

    # What the board senses

    def set_pieces(self, pieces: Mapping[chess.Square, chess.Piece]) -> None:
        """These pieces stand on the board now."""
        codes = {square: CODES[piece] for square, piece in pieces.items()}
        changed = [
            (square, codes.get(square, 0))
            for square in FIELDS
            if codes.get(square, 0) != self._codes.get(square, 0)
        ]
        self._codes = codes
        for square, code in sorted(changed, key=lambda each: each[1] != 0):  # first what is lifted
            self._remember([0x40 | code, FIELD_BY_SQUARE[square]])
            if self.sends_updates:
                self._send(_FIELD_UPDATE, [FIELD_BY_SQUARE[square], code])
        if changed and codes == START:
            self._remember([_BEGIN_POSITION])

    def _remember(self, entry: Iterable[int]) -> None:
        self._store += bytes(entry)
        while len(self._store) > STORE_MAX_BYTES:
            del self._store[: 2 if 0x40 <= self._store[0] <= 0x5F else 1]

    def set_clock(self, times: ClockTimes | None) -> None:
        """The clock of the game that is played; `None`: it has none, and a program may set one."""
        self._table_clock = times

    def advance(self, now: float) -> None:
        """Send the times where a program wants them: each second, or each time that they differ."""
        if self._mode not in (_UPDATE, _UPDATE_NICE):
            return
        times = self._time_bytes(now)
        if times == self._told_times and (self._mode == _UPDATE_NICE or now < self._times_due):
            return
        self._told_times, self._times_due = times, now + 1
        self._send(_TIMES, times)

    # What a program says

    def receive(self, data: bytes, now: float) -> None:
        """Take what a program sends; what is no command is skipped."""
        self._input += data
        while self._input:
            first = self._input[0]
            if first in _WITH_SIZE:
                if len(self._input) < 2:
                    return
                length = 2 + self._input[1]
            else:
                length = _BUS_COMMAND_BYTES if first & 0x80 else 1
            if len(self._input) < length:
                return
            command, self._input = self._input[:length], self._input[length:]
            self._obey(first, command[2:], now)

    def _obey(self, command: int, data: bytes, now: float) -> None:
        if command in (_RESET, _UPDATE, _UPDATE_BOARD, _UPDATE_NICE):
            self._mode, self._told_times = command, b""
        elif command == _SEND_CLOCK:
            self._send(_TIMES, self._time_bytes(now))
        elif command == _SEND_BOARD:
            self._send(_BOARD_DUMP, [self._codes.get(square, 0) for square in FIELDS])
        elif command == _STORE:
            self._send(_STORED, [*self._store, _END_OF_STORE])
        elif command == _CLOCK_MESSAGE:
            self._tell_clock(data, now)
        elif command in _FIXED_ANSWERS:
            self._send(*_FIXED_ANSWERS[command])

    def _send(self, message: int, data: Iterable[int]) -> None:
        content = bytes(data)
        length = len(content) + 3
        self._output += bytes([message, length >> 7, length & 0x7F]) + content

    # The clock

    def _times(self, now: float) -> ClockTimes:
        if self._table_clock is not None:
            return self._table_clock
        passed, clock = now - self._own_since, self._own_clock
        return clock._replace(
            left_s=max(0.0, clock.left_s - passed * (clock.running == "left")),
            right_s=max(0.0, clock.right_s - passed * (clock.running == "right")),
        )

    def _time_bytes(self, now: float) -> bytes:
        times = self._times(now)
        status = 0 if not times.running else 0x0B if times.running == "right" else 0x11
        return bytes([*_digits(times.right_s), *_digits(times.left_s), status])

    def _tell_clock(self, data: bytes, now: float) -> None:
        if len(data) < 3 or data[0] != 0x03 or data[-1] != 0x00:
            return
        command, content = data[1], data[2:-1]
        done, first = _DONE, 0
        if command == _SHOW_SEGMENTS and len(content) >= 6:
            c, b, a, f, e, d = content[:6]
            self.shown_text = "".join(_SEGMENTS.get(each, "?") for each in (a, b, c, d, e, f)).strip()
        elif command == _SHOW_ASCII and len(content) >= 8:
            self.shown_text = "".join(chr(each) if 32 <= each < 127 else "?" for each in content[:8]).strip()
        elif command == _END_TEXT:
            self.shown_text = ""
        elif command == _CLOCK_VERSION:
            first = CLOCK_VERSION
        elif command == _SET_AND_RUN:
            done = self._set_own_clock(content, now)
        if self._mode in (_UPDATE, _UPDATE_NICE):
            self._send(_TIMES, _acknowledgement(done, command, first, 0))

    def _set_own_clock(self, content: bytes, now: float) -> int:
        """A game with a clock of its own keeps it."""
        if self._table_clock is not None or len(content) != 7:
            return _REFUSED
        left, right = (
            3600 * (hours & 0x0F) + 60 * minutes + seconds
            for hours, minutes, seconds in (content[:3], content[3:6])
        )
        running = {0x01: "left", 0x02: "right"}.get(content[6] & 0x07, "")
        self._own_clock, self._own_since = ClockTimes(left, right, running), now
        return _DONE


_FIXED_ANSWERS: Final = {
    _SERIAL: (_SERIAL_MESSAGE, SERIAL_NUMBER.encode()),
    _LONG_SERIAL: (_LONG_SERIAL_MESSAGE, SERIAL_NUMBER.rjust(10, "0").encode()),
    _BUS_ADDRESS: (_BUS_ADDRESS_MESSAGE, bytes(2)),
    _TRADEMARK: (_TRADEMARK_MESSAGE, IDENTITY.encode()),
    _VERSION: (_VERSION_MESSAGE, bytes(BOARD_VERSION)),
    # It hangs on the mains: full, no time left to tell.
    _BATTERY: (_BATTERY_MESSAGE, bytes([100, 0x7F, 0x7F, 0, 0, 0, 0, 0, 0])),
}


def _digits(seconds: float) -> Iterator[int]:
    """Hours, minutes and seconds, the latter two by their decimal digits."""
    whole = min(int(seconds), HOURS_MAX * 3600 + 59 * 60 + 59)
    yield whole // 3600
    for part in (whole // 60 % 60, whole % 60):
        yield part // 10 << 4 | part % 10


def _acknowledgement(done: int, command: int, third: int, fourth: int) -> bytes:
    """What a clock answers, put into the bytes of the times: where hours would be is a 10."""
    high_of_first_two = 0x0A | (done & 0x80) >> 3 | (command & 0x80) >> 2
    high_of_last_two = 0x0A | (third & 0x80) >> 3 | (fourth & 0x80) >> 2
    return bytes(
        [
            high_of_last_two,
            done & 0x7F,
            command & 0x7F,
            high_of_first_two,
            third & 0x7F,
            fourth & 0x7F,
            0,
        ]
    )
