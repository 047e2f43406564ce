"""What the two ends say to each other. Each message is declared once, as the line a person reads in a log.

Both ends import this file and compare `DECLARATION_HASH` when they greet: two ends that were made from
different declarations don't guess. A field is `name=%type`: u8, u16, u32 are whole numbers, little end first;
`s` is text and `b` bytes, both led by their length in one byte. MicroPython subset.
"""

import struct
from binascii import crc32

from boardwire import lights, sounds
from boardwire.errors import LocalProtocolError, RemoteProtocolError

VERSION = 1
"""Of the wire: raised whenever a message changes."""

HOST, PICO = "host", "pico"

# The first four are not numbered and must stay as they are in every version: with them two ends that can't
# talk to each other still find out why, and a Pico can be brought to its prompt to be flashed.
GREETINGS = ("hello", "welcome", "stranger", "maintain")

# (who says it, the message, what it means)
MESSAGES = (
    (HOST, "hello session=%u16 wire=%u32", "begin a session; `wire` is the hash of this declaration"),
    (
        PICO,
        "welcome session=%u16 wire=%u32 version=%s board=%s plan=%u32 pico=%s",
        "who answers: firmware, the board and the Pico it was made for, the hash of its wiring",
    ),
    (PICO, "stranger wire=%u32", "what came belongs to no session that is known here: say hello"),
    (HOST, "maintain", "boot again into MicroPython's prompt, without the watchdog"),
    (PICO, "snapshot time=%u32 felt=%b", "every contact, eight a byte, the lowest bit first; 1 is closed"),
    (PICO, "lifted time=%u32 contact=%u16", "a contact opened, at this time of the Pico's clock"),
    (
        PICO,
        "hinted time=%u32 contact=%u16 heard=%u8",
        "the same, and its hint is lit, after so many `light`, `mask`, `forget`, `hint`, `arm` since `dark`",
    ),
    (PICO, "placed time=%u32 contact=%u16", "a contact closed and stayed closed"),
    (PICO, "ghost time=%u32 contact=%u16", "a contact looks closed but is not believed: no diodes"),
    (PICO, "pressed time=%u32 button=%u8", "a button went down"),
    (PICO, "released time=%u32 button=%u8", "a button that was told pressed came up"),
    (PICO, "alive time=%u32 felt=%u16", "a sign of life; `felt` is the CRC-16 of a snapshot's bytes"),
    (PICO, "log text=%s", "a line for the log"),
    (HOST, "look", "send a snapshot"),
    (HOST, "bright level=%u8", "how bright the lamps are, 1 to 255; the current cap is the Pico's own"),
    (HOST, "dark", "all lamps of all chains go dark; forget the hints"),
    (HOST, "light chain=%u8 light=%u16 lamps=%b", "these lamps, one index a byte, now have this light"),
    (HOST, "mask chain=%u8 light=%u16 lamps=%b", "the same, the lamps as bits, the lowest first"),
    (HOST, "forget epoch=%u8", "drop all hints and begin a table of them with this epoch"),
    (HOST, "hint contact=%u16 chain=%u8 light=%u16 lamps=%b", "when the contact opens these get this light"),
    (HOST, "arm epoch=%u8", "from now on follow the hints of that epoch, until any newer light"),
    (HOST, "sound spans=%b", "play tones and the silences between them, in turn, each so many 10 ms long"),
    (PICO, "tag time=%u32 reader=%u8 uid=%b", "a tag came over a reader, or something stands there anew"),
    (PICO, "gone time=%u32 reader=%u8 uid=%b", "a tag that was told is not there any more"),
    (PICO, "mute time=%u32 reader=%u8", "a reader doesn't answer"),
    (PICO, "heard time=%u32 reader=%u8", "a reader that was mute answers again"),
    (HOST, "watch readers=%b", "read these often, as bits, the lowest first; none: all in turn, slowly"),
)


def _field_codes(line: str) -> tuple[tuple[str, str], ...]:
    """`felt time=%u32` -> (("time", "u32"),)"""
    pairs = [word.split("=%") for word in line.split()[1:]]
    return tuple((pair[0], pair[1]) for pair in pairs)


_NUMBER_FORMATS = {"u8": ("B", 1), "u16": ("<H", 2), "u32": ("<I", 4)}
_NAMES = tuple(line.split()[0] for _, line, _ in MESSAGES)
_NUMBERS_BY_NAME = {name: number for number, name in enumerate(_NAMES, 1)}
_FIELDS = tuple(_field_codes(line) for _, line, _ in MESSAGES)
_SPEAKERS = tuple(who for who, _, _ in MESSAGES)


def _make_pack_format(fields: tuple[tuple[str, str], ...]) -> tuple[str, list[int], bool, int] | None:
    """How to pack at once a message of numbers, and perhaps one run of bytes after them.

    That is the form, with the message's own number before them and the length of the run behind them; how
    many bits each number has; whether there is a run; and the bytes before it. `None` for any other message.
    """
    codes = [code for _, code in fields]
    run = codes[-1:] == ["b"]
    if run:
        codes.pop()
    if [code for code in codes if code not in _NUMBER_FORMATS]:
        return None
    form = "<B" + "".join([_NUMBER_FORMATS[code][0][-1] for code in codes]) + ("B" if run else "")
    return form, [8 * _NUMBER_FORMATS[code][1] for code in codes], run, struct.calcsize(form)


_PACK_FORMATS = tuple(_make_pack_format(fields) for fields in _FIELDS)

DECLARATION_HASH = crc32(
    "\n".join(
        [str(VERSION), lights.declaration(), sounds.declaration()]
        + [who + " " + line for who, line, _ in MESSAGES]
    ).encode()
)
"""Of the declaration and of what a Pico makes of lights and sounds."""

MAX_TEXT_BYTES = 200
"""The most bytes that a text or a run of bytes may have."""


def encode(name: str, *values: object) -> bytes:
    """A message as bytes. Raises `LocalProtocolError` for what the declaration does not allow."""
    if name not in _NUMBERS_BY_NAME:
        raise LocalProtocolError("no message " + repr(name))
    number = _NUMBERS_BY_NAME[name]
    packed = _packed(number, values)
    if packed is not None:
        return packed
    fields = _FIELDS[number - 1]
    if len(fields) != len(values):
        raise LocalProtocolError(name + ": " + str(len(values)) + " values, expected " + str(len(fields)))
    out = bytes([number])
    for (field, code), value in zip(fields, values):  # noqa: B905 - counted above; MicroPython has no strict
        out += _encode_field(name + " " + field, code, value)
    return out


def pack_numbers(name: str, numbers: tuple) -> bytes:  # type: ignore[type-arg]
    """As `encode`, for a message of numbers alone; none of them is looked at."""
    number = _NUMBERS_BY_NAME[name]
    return struct.pack(_PACK_FORMATS[number - 1][0], number, *numbers)  # type: ignore[index]


def _packed(number: int, values: tuple) -> bytes | None:  # type: ignore[type-arg]
    """The message at once, if it has a shape and keeps to it."""
    shape = _PACK_FORMATS[number - 1]
    if shape is None:
        return None
    form, widths, run, _ = shape
    count = len(widths)
    if len(values) != count + run:
        return None
    for place in range(count):
        if not isinstance(values[place], int) or values[place] >> widths[place]:
            return None  # what is below 0 stays so, however far it is shifted
    if not run:
        return struct.pack(form, number, *values)
    data = values[count]
    if not isinstance(data, bytes) or len(data) > MAX_TEXT_BYTES:
        return None
    return struct.pack(form, number, *(values[:count] + (len(data),))) + data  # noqa: RUF005 - MicroPython


def _encode_field(where: str, code: str, value: object) -> bytes:
    if code in _NUMBER_FORMATS:
        form, size = _NUMBER_FORMATS[code]
        if not isinstance(value, int) or not 0 <= value < 1 << 8 * size:
            raise LocalProtocolError(where + ": " + repr(value) + ", expected " + code)
        return struct.pack(form, value)
    if code == "s":
        if not isinstance(value, str):
            raise LocalProtocolError(where + ": " + repr(value) + ", expected text")
        value = value.encode()
    if not isinstance(value, bytes) or len(value) > MAX_TEXT_BYTES:
        raise LocalProtocolError(where + ": expected at most " + str(MAX_TEXT_BYTES) + " bytes")
    return bytes([len(value)]) + value


def decode(data: bytes, speaker: str) -> list[tuple]:  # type: ignore[type-arg]
    """The messages in the bytes that `speaker` sent, each a tuple of its name and its values.

    Raises `RemoteProtocolError` for bytes that the declaration does not allow that end to send.
    """
    messages = []
    at = 0
    while at < len(data):
        number = data[at] - 1
        if not 0 <= number < len(_NAMES):
            raise RemoteProtocolError("no message has the number " + str(number + 1))
        if _SPEAKERS[number] != speaker:
            raise RemoteProtocolError(_NAMES[number] + " is not for the " + speaker + " to say")
        shape = _PACK_FORMATS[number]
        if shape is not None:
            form, _, run, size = shape
            end = at + size
            if end <= len(data):
                found = struct.unpack_from(form, data, at)
                if not run:
                    messages.append((_NAMES[number],) + found[1:])  # noqa: RUF005 - MicroPython
                    at = end
                    continue
                stop = end + found[-1]
                if stop <= len(data) and found[-1] <= MAX_TEXT_BYTES:
                    messages.append((_NAMES[number],) + found[1:-1] + (data[end:stop],))  # noqa: RUF005
                    at = stop
                    continue
        values: list[object] = [_NAMES[number]]
        at += 1
        for field, code in _FIELDS[number]:
            value, at = _decode_field(data, at, code, _NAMES[number] + " " + field)
            values.append(value)
        messages.append(tuple(values))
    return messages


def _decode_field(data: bytes, at: int, code: str, where: str) -> tuple[object, int]:
    if code in _NUMBER_FORMATS:
        form, size = _NUMBER_FORMATS[code]
        if at + size > len(data):
            raise RemoteProtocolError(where + " is cut short")
        return struct.unpack(form, data[at : at + size])[0], at + size
    if at >= len(data) or at + 1 + data[at] > len(data) or data[at] > MAX_TEXT_BYTES:
        raise RemoteProtocolError(where + " is cut short or too long")
    end = at + 1 + data[at]
    run = data[at + 1 : end]
    if code == "b":
        return run, end
    try:
        return run.decode(), end
    except UnicodeError:
        raise RemoteProtocolError(where + " is no text") from None


def lamps_message(lamps: list[int], length: int) -> tuple[str, bytes]:
    """Lamps of a chain in the shorter of two ways: `light` and their indices, or `mask` and bits."""
    if len(lamps) <= (max(lamps) + 8) // 8 and max(lamps) < 256:
        return "light", bytes(lamps)
    return "mask", bits(lamps, length)


def bits(numbers: list[int], length: int) -> bytes:
    """Numbers below `length` as bits, the lowest bit first; zeros at the end are left out."""
    mask = bytearray((length + 7) // 8)
    last = 0
    for number in numbers:
        mask[number // 8] |= 1 << number % 8
        last = max(last, number // 8 + 1)
    return bytes(mask[:last])


def numbers(mask: bytes) -> list[int]:
    """The numbers whose bits are set."""
    found = []
    for place, byte in enumerate(mask):
        number = 8 * place
        while byte:
            if byte & 1:
                found.append(number)
            byte >>= 1
            number += 1
    return found
