"""Stands in for MicroPython's `machine` on an RP2040: registers, pins, watchdog. MicroPython subset."""

import sys

import simwire

levels = {}
"""What the pins were seen to read, by what was driven; emptied when anything on the bench changes."""

_SIO = 0xD0000000


class _Registers:
    """`mem32`, as far as the single-cycle I/O block goes."""

    def __init__(self):
        self.out = 0
        self.enable = 0

    def __setitem__(self, address, mask):
        register = address - _SIO
        if register == 0x014:
            self.out |= mask
        elif register == 0x018:
            self.out &= ~mask
        elif register == 0x024:
            self.enable |= mask
        elif register == 0x028:
            self.enable &= ~mask
        else:
            raise ValueError("no register at " + hex(address))

    def __getitem__(self, address):
        if address != _SIO + 0x004:
            raise ValueError("no register at " + hex(address))
        driven = (self.enable, self.out & self.enable)
        if driven not in levels:
            levels[driven] = simwire.ask("read", driven[0], driven[1])[0]
        return levels[driven]


mem32 = _Registers()


class Pin:
    """One pin."""

    IN, OUT = 0, 1
    PULL_UP, PULL_DOWN = 1, 2

    def __init__(self, gpio, mode, pull=0):
        self.gpio = gpio
        levels.clear()
        simwire.tell("pull", gpio, pull)

    def value(self, level):
        """Drive it."""
        simwire.tell("pin", simwire.now(), self.gpio, int(level))


class WDT:
    """The watchdog: once started, a Pico that isn't fed in time boots again."""

    timeout = None
    fed = 0

    def __init__(self, timeout):
        WDT.timeout = 1000 * timeout
        self.feed()

    def feed(self):
        """Give a sign of life."""
        WDT.fed = simwire.now()


def watch():
    """Boot again if nobody fed the watchdog."""
    if WDT.timeout is not None and simwire.now() - WDT.fed > WDT.timeout:
        reset()


def reset():
    """Boot again."""
    simwire.tell("reset", simwire.now())
    sys.exit()
