"""Stands in for MicroPython's `machine` on an RP2040: pins, buses, watchdog. MicroPython subset."""

import sys
from binascii import hexlify

import simwire


class Pin:
    """One pin."""

    IN, OUT = 0, 1
    PULL_UP, PULL_DOWN = 1, 2

    def __init__(self, gpio, mode=0, pull=0, value=None):
        self.gpio = gpio
        if value is not None:
            self.value(value)

    def value(self, level):
        """Drive it."""
        simwire.tell("pin", simwire.world(), self.gpio, int(level))


class SPI:
    """A bus: bytes each way at once."""

    CALL_US = 20
    """What a call and the pins around it take MicroPython (an estimate)."""

    def __init__(self, number, baudrate, sck, mosi, miso):
        self.gpio = sck.gpio
        self.byte_ns = 8_000_000_000 // baudrate

    def _spend(self, count):
        simwire.spend(self.CALL_US + count * self.byte_ns // 1000)

    def write(self, data):
        """Send."""
        simwire.tell("spi-write", simwire.world(), self.gpio, self.byte_ns, hexlify(bytes(data)).decode())
        self._spend(len(data))

    def write_readinto(self, data, into):
        """Send, and keep what comes back."""
        told = hexlify(bytes(data)).decode()
        answer = simwire.ask("spi", simwire.world(), self.gpio, self.byte_ns, told)
        for place in range(len(answer)):
            into[place] = answer[place]
        self._spend(len(data))


class UART:
    """A serial line that never waits."""

    def __init__(self, number, baudrate, tx, rx, rxbuf):
        self.gpio = tx.gpio

    def any(self):
        """How many bytes have come."""
        return simwire.ask("uart-any", simwire.world(), self.gpio)[0]

    def read(self, count):
        """Take them."""
        return bytes(simwire.ask("uart-read", simwire.world(), self.gpio, count))

    def write(self, data):
        """Send."""
        simwire.tell("uart-write", simwire.world(), self.gpio, hexlify(bytes(data)).decode())
        simwire.spend(20)


class WDT:
    """The watchdog: once started, a Pico that isn't fed in time boots again."""

    timeout = None
    fed = 0

    def __init__(self, timeout):
        WDT.timeout = 1000 * timeout
        self.feed()

    def feed(self):
        """Give a sign of life."""
        WDT.fed = simwire.world()


def watch():
    """Boot again if nobody fed the watchdog."""
    if WDT.timeout is not None and simwire.world() - WDT.fed > WDT.timeout:
        reset()


def reset():
    """Boot again."""
    simwire.tell("reset", simwire.world())
    sys.exit()
