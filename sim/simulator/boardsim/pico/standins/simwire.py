"""The stand-ins' way to the world: lines over two pipes, and the time spent. MicroPython subset."""

import sys

_hears = open(int(sys.argv[2]), "rb", 0)
_tells = open(int(sys.argv[3]), "wb", 0)


class Time:
    """Virtual microseconds: what the world granted last, and what was spent since."""

    granted = 0
    spent = 0
    start = 0
    """The moment that the Pico counts from."""


def world():
    """The virtual moment."""
    return Time.granted + Time.spent


def now():
    """The virtual moment as the Pico counts it."""
    return world() - Time.start


def spend(span):
    """Have that much time pass that this Pico is busy."""
    Time.spent += span


def tell(*words):
    """Tell the world something at this moment."""
    _tells.write((" ".join([str(word) for word in words]) + "\n").encode())


def ask(*words):
    """The same, and wait for its answer: a list of whole numbers."""
    tell(*words)
    line = _hears.readline()
    if not line:
        sys.exit()  # the world is gone
    return [int(word) for word in line.split()]
