"""Frames of the wire made and read by machine code, as their namesakes in `boardwire.framing` do it."""

from array import array

import micropython

from boardwire import framing, link

_TABLE = array("H", framing._CRC)
_made = bytearray(2 * framing.LONGEST + 2)
_view = memoryview(_made)


@micropython.viper
def _frame(out: ptr8, sequence: int, payload: ptr8, count: int, table: ptr16) -> int:  # type: ignore[name-defined]  # noqa: F821
    """How many bytes the frame has."""
    crc = 0xFFFF
    out[0] = 0x7E
    at = 1
    for place in range(count + 4):
        if place == 0:
            byte = count + 4
        elif place == 1:
            byte = sequence
        elif place < count + 2:
            byte = payload[place - 2]
        elif place == count + 2:
            byte = crc & 0xFF
        else:
            byte = crc >> 8
        if place < count + 2:
            crc = ((crc << 8) & 0xFF00) ^ table[(crc >> 8) ^ byte]
        if byte == 0x7D or byte == 0x7E or byte == 0x03:
            out[at] = 0x7D
            at += 1
            byte ^= 0x20
        out[at] = byte
        at += 1
    out[at] = 0x7E
    return at + 1


@micropython.viper
def _body(piece: ptr8, count: int, out: ptr8, table: ptr16) -> int:  # type: ignore[name-defined]  # noqa: F821
    """How many bytes stand in a frame, or 0 if it is none."""
    crc = 0xFFFF
    at = 0
    place = 0
    while place < count:
        byte = piece[place]
        place += 1
        if byte == 0x7D:
            if place == count:
                return 0
            byte = piece[place] ^ 0x20
            place += 1
            if byte != 0x7D and byte != 0x7E and byte != 0x03:
                return 0
        out[at] = byte
        at += 1
    if at < 4 or out[0] != at:
        return 0
    for place in range(at - 2):
        crc = ((crc << 8) & 0xFF00) ^ table[(crc >> 8) ^ out[place]]
    if (crc & 0xFF) != out[at - 2] or (crc >> 8) != out[at - 1]:
        return 0
    return at


def frame(sequence: int, payload: bytes) -> bytes:
    """As `framing.frame`."""
    return bytes(_view[: int(_frame(_made, sequence, payload, len(payload), _TABLE))])


def body(piece: bytes) -> bytes | None:
    """As `framing._body`."""
    if len(piece) > 2 * framing.LONGEST:
        return None
    count = int(_body(piece, len(piece), _made, _TABLE))
    return bytes(_view[:count]) if count else None


def install() -> None:
    """Have the wire use these."""
    link.frame = frame
    framing._body = body
