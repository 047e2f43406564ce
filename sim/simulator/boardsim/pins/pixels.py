"""What the lamps hear: the layer below Adafruit's neopixel libraries, decoded to colours.

Replaces, under the real `neopixel` library, what it imports from Blinka: `neopixel_write` (which needs a Pi),
`board`, `digitalio` and `microcontroller` (which ask what machine this is); under the real `neopixel_spi`,
the SPI bus object and `busio`. Checked by driving both real libraries and comparing every lamp
(tests/sim/test_pixels.py). A signal that a chain of WS2812 would not understand, or that has not exactly as
many lamps as the chain, is a `PixelError`, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from boardsim.world.copper import RGB, Copper
from boardware.parts import LampChain

BIT_US = 1.25
"""A bit on the wire, WS2812B data sheet; 1.1 to 1.4 is taken here."""
RESET_US = 50
"""The least low time that makes lamps show what they have heard (newer WS2812B want 280)."""
ZERO, ONE = 0xC0, 0xF0
"""How neopixel_spi paints a 0 and a 1 with the eight bits of an SPI byte."""
_DIGITS = bytes.maketrans(bytes([ZERO, ONE]), b"01")


class PixelError(ValueError):
    """A signal that lamps would misread: what came, what was expected, of which chain."""


def decode(data: bytes | bytearray, chain: LampChain) -> list[RGB]:
    """The colours in the bytes that a chain hears, in its order of colours. Raises `PixelError`."""
    data = decode_frame(data, chain)
    return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)]


def decode_frame(data: bytes | bytearray, chain: LampChain) -> bytes:
    """The same as red, green and blue of one lamp after the other. Raises `PixelError`."""
    each = len(chain.colour_order)
    if len(data) != each * chain.length:
        wanted = f"{each * chain.length} for {chain.length} lamps in the order {chain.colour_order}"
        raise PixelError(f"chain {chain.id}: {len(data)} bytes; expected {wanted}")
    frame = bytearray(3 * chain.length)
    for place, colour in enumerate("RGB"):
        frame[place::3] = data[chain.colour_order.index(colour) :: each]
    return bytes(frame)


def decode_spi(stream: bytes | bytearray, frequency: int, chain: LampChain) -> list[RGB]:
    """The colours in one SPI transfer: low, one byte a bit, low for the reset time. Raises `PixelError`."""
    bit_us = 8_000_000 / frequency
    if not 0.88 * BIT_US <= bit_us <= 1.12 * BIT_US:
        raise PixelError(f"chain {chain.id}: {frequency} Hz makes bits of {bit_us:.2f} us; expected {BIT_US}")
    body = bytes(stream).lstrip(b"\0")
    bits = body.rstrip(b"\0")
    low_us = (len(body) - len(bits)) * bit_us
    if low_us < RESET_US:
        raise PixelError(f"chain {chain.id}: reset of {low_us:.0f} us; expected at least {RESET_US}")
    garbled = bits.translate(None, bytes([ZERO, ONE]))
    if garbled:
        at = bits.index(garbled[0])
        raise PixelError(f"chain {chain.id}: bit {at} is 0x{garbled[0]:02x}; expected 0xc0 or 0xf0")
    if len(bits) % 8:
        raise PixelError(f"chain {chain.id}: {len(bits)} bits; expected a multiple of 8")
    return decode(int(bits.translate(_DIGITS) or b"0", 2).to_bytes(len(bits) // 8, "big"), chain)


class SimSpi:
    """A `busio.SPI` with one chain on its MOSI: what adafruit_bus_device asks of a bus, and no more."""

    def __init__(self, copper: Copper, chain: str) -> None:
        self._copper = copper
        self._chain = copper.board.chains[chain]
        self._locked = False
        self.frequency = 100_000

    def try_lock(self) -> bool:
        """Take the bus; `False` while somebody else has it."""
        if self._locked:
            return False
        self._locked = True
        return True

    def unlock(self) -> None:
        """Give the bus back."""
        self._locked = False

    def configure(self, *, baudrate: int = 100_000, polarity: int = 0, phase: int = 0, bits: int = 8) -> None:
        """Set the clock. Raises `RuntimeError` on a bus that nobody has locked, as Blinka's does."""
        if not self._locked:
            raise RuntimeError("First lock the bus with try_lock()")
        if (polarity, phase, bits) != (0, 0, 8):
            found = f"SPI of polarity {polarity}, phase {phase}, {bits} bits"
            raise PixelError(f"chain {self._chain.id}: {found}; expected 0, 0, 8")
        self.frequency = baudrate

    def write(self, buf: bytes | bytearray, *, start: int = 0, end: int | None = None) -> None:
        """One transfer, heard by the chain."""
        if not self._locked:
            raise RuntimeError("First lock the bus with try_lock()")
        colours = decode_spi(bytes(buf)[start:end], self.frequency, self._chain)
        self._copper.set_chain(self._chain.id, colours)

    def deinit(self) -> None:
        """Nothing to release."""


class Pin:
    """`board.D18`: a pin of the header."""

    def __init__(self, number: int) -> None:
        self.id = number

    def __repr__(self) -> str:
        return f"D{self.id}"


class DigitalInOut:
    """`digitalio.DigitalInOut`, as far as neopixel uses it."""

    def __init__(self, pin: Pin) -> None:
        self.pin = pin
        self.direction: str | None = None

    def switch_to_output(self, value: bool = False) -> None:
        """Make it an output."""
        self.direction = Direction.OUTPUT

    def deinit(self) -> None:
        """Make it nothing."""
        self.direction = None


class Direction:
    """`digitalio.Direction`."""

    INPUT = "input"
    OUTPUT = "output"


def neopixel_write(copper: Copper) -> Callable[[DigitalInOut, bytearray], None]:
    """The function `neopixel_write.neopixel_write`, with the board's chain of that pin listening."""

    def write(gpio: DigitalInOut, buf: bytearray) -> None:
        if gpio.direction != Direction.OUTPUT:
            raise PixelError(f"{gpio.pin!r} is no output")
        chain = chain_on(copper, gpio.pin.id, "pwm")
        copper.set_frame(chain, decode_frame(buf, copper.board.chains[chain]))

    return write


def chain_on(copper: Copper, gpio: int | None, way: str) -> str:
    """Which chain is soldered to a pin: the one that claims it, or the only one driven that `way`."""
    able = [chain for chain in copper.board.chains.values() if way in chain.drive_methods]
    claimed = [chain.id for chain in able if gpio in chain.claimed_gpios]
    if len(claimed) == 1:
        return claimed[0]
    if len(able) != 1:
        names = ", ".join(chain.id for chain in able) or "none"
        raise PixelError(f"GPIO{gpio}: expected one chain to be driven by {way}, found {names}")
    return able[0].id


def standin_modules(copper: Copper) -> dict[str, Any]:
    """The stand-ins by the names that Adafruit's libraries import, all ending in `copper`."""
    board = ModuleType("board")
    for number in range(28):
        setattr(board, f"D{number}", Pin(number))
    board.SPI = lambda: SimSpi(copper, chain_on(copper, 10, "spi"))  # type: ignore[attr-defined]
    digitalio = ModuleType("digitalio")
    digitalio.DigitalInOut = DigitalInOut  # type: ignore[attr-defined]
    digitalio.Direction = Direction  # type: ignore[attr-defined]
    write = ModuleType("neopixel_write")
    write.neopixel_write = neopixel_write(copper)  # type: ignore[attr-defined]
    microcontroller = ModuleType("microcontroller")
    microcontroller.Pin = Pin  # type: ignore[attr-defined]
    busio = ModuleType("busio")
    busio.SPI = SimSpi  # type: ignore[attr-defined]
    return {
        "board": board,
        "digitalio": digitalio,
        "neopixel_write": write,
        "microcontroller": microcontroller,
        "busio": busio,
    }


REIMPORTED_MODULES = ("neopixel", "neopixel_spi")
"""The real libraries, imported anew over the stand-ins."""
