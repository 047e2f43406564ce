"""Stands in for the firmware's `pixels`: the same frames, shown to the world. MicroPython subset."""

from binascii import hexlify

import simwire

LAMP_US = 30
"""24 bits of 1.25 us."""
RESET_US = 300
"""How long a line rests before the next frame."""


class Pixels:
    """A chain of lamps at a pin."""

    def __init__(self, number, gpio, length, order):
        self.gpio = gpio
        self.places = [order.index(colour) for colour in "RGB"]
        self.wanted = bytearray(3 * length)
        self.free_at = 0

    def __setitem__(self, index, colour):
        for place in range(3):
            self.wanted[3 * index + self.places[place]] = colour[place]

    def rebase(self, by):
        """Count moments from a start that is `by` later."""
        self.free_at -= by

    def write(self, count, now):
        """Send the first lamps, as many; 0, or when to try again because others are on their way."""
        if now < self.free_at:
            return self.free_at
        ends = simwire.world() + LAMP_US * count
        self.free_at = now + LAMP_US * count + RESET_US
        simwire.tell("pixels", ends, self.gpio, hexlify(self.wanted).decode())
        return 0
