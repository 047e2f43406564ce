"""Bytes to frames and back. MicroPython subset.

    7E  LEN SEQ payload CRC CRC  7E

LEN counts everything between the two sync bytes before escaping. The CRC (CCITT, little end first) covers
LEN, SEQ and payload. Inside, 7D escapes: 7D 5D is 7D, 7D 5E is 7E, 7D 23 is 03; a 7D with anything else
behind it, or nothing, stands in no frame. So the sync byte stands nowhere else, and a frame never holds the
byte that interrupts MicroPython. What lies between two sync bytes and is no frame is noise: it is counted,
dropped, and costs no frame that is whole.
"""

SYNC = b"\x7e"
OVERHEAD_BYTES = 4
LONGEST = 255
"""LEN is one byte."""
MAX_PAYLOAD_LENGTH = LONGEST - OVERHEAD_BYTES

_ESCAPES = ((b"\x7d", b"\x7d\x5d"), (b"\x7e", b"\x7d\x5e"), (b"\x03", b"\x7d\x23"))


def _make_crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        table.append(crc & 0xFFFF)
    return tuple(table)


_CRC = _make_crc_table()


def crc16(data: bytes) -> int:
    """CRC-16 CCITT (0x1021, begins with FFFF): finds every burst of up to 16 bits."""
    crc = 0xFFFF
    for byte in data:
        crc = (crc << 8 & 0xFF00) ^ _CRC[crc >> 8 ^ byte]
    return crc


def frame(sequence: int, payload: bytes) -> bytes:
    """One frame, sync bytes included. `payload` has at most `MAX_PAYLOAD_LENGTH` bytes."""
    body = bytes((len(payload) + OVERHEAD_BYTES, sequence)) + payload
    crc = crc16(body)
    body += bytes((crc & 0xFF, crc >> 8))
    for byte, escaped in _ESCAPES:
        if byte in body:
            body = body.replace(byte, escaped)
    return SYNC + body + SYNC


class Deframer:
    """Finds the whole frames in what comes, however it is cut."""

    def __init__(self) -> None:
        self.noise_count = 0
        """How many pieces between sync bytes were no frame."""
        self._held = b""

    def receive(self, data: bytes) -> list[tuple[int, bytes]]:
        """The frames that are whole now, each its sequence byte and its payload, oldest first."""
        pieces = (self._held + data).split(SYNC)
        held = pieces.pop()
        if len(held) > 2 * LONGEST:  # longer than any frame, however much of it is escaped
            self.noise_count += 1
            held = b"\0"  # no frame begins so: what follows up to the next sync byte is noise as well
        self._held = held
        frames = []
        for piece in pieces:
            if piece:
                body = _body(piece)
                if body is None:
                    self.noise_count += 1
                else:
                    frames.append((body[1], body[2:-2]))
        return frames


def _body(piece: bytes) -> bytes | None:
    if b"\x7d" in piece:
        if piece.count(b"\x7d") != sum([piece.count(escaped) for _, escaped in _ESCAPES]):
            return None  # a lone 7D: its other half was lost
        for byte, escaped in reversed(_ESCAPES):
            piece = piece.replace(escaped, byte)
    if len(piece) < OVERHEAD_BYTES or piece[0] != len(piece):
        return None
    return piece if crc16(piece[:-2]) == piece[-2] | piece[-1] << 8 else None
