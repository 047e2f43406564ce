"""What the firmware does for every byte of the wire, as machine code. It does the same as its namesakes."""

from array import array

import micropython

from boardwire import framing

_TABLE = array("H", framing._CRC)


@micropython.viper
def _crc(data: ptr8, count: int, table: ptr16) -> int:  # type: ignore[name-defined]  # noqa: F821
    crc = 0xFFFF
    for place in range(count):
        crc = ((crc << 8) & 0xFF00) ^ table[(crc >> 8) ^ data[place]]
    return crc


def crc16(data: bytes) -> int:
    """As `framing.crc16`."""
    return int(_crc(data, len(data), _TABLE))


def install() -> None:
    """Have the wire use these."""
    framing.crc16 = crc16
