"""Stands in for MicroPython's `neopixel`: the same buffer, written to the world. MicroPython subset."""

from binascii import hexlify

import simwire

LAMP_US = 30
"""24 bits of 1.25 us."""
RESET_US = 80
"""What shows that a frame is over: 50 us on old lamps, 280 on the newest."""


class NeoPixel:
    """A chain of lamps at a pin."""

    ORDER = (1, 0, 2, 3)

    def __init__(self, pin, n):
        self.pin = pin
        self.n = n
        self.buf = bytearray(3 * n)

    def __setitem__(self, index, colour):
        for place in range(3):
            self.buf[3 * index + self.ORDER[place]] = colour[place]

    def write(self):
        """Send the frame: nothing else is done meanwhile."""
        simwire.spend(LAMP_US * self.n + RESET_US)
        simwire.tell("pixels", simwire.now(), self.pin.gpio, hexlify(self.buf).decode())
