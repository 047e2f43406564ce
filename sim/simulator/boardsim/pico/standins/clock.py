"""Stands in for the firmware's `clock`: time is what the world grants. MicroPython subset."""

import sys

import machine
import simwire
import strobe

RECENT_US = 10_000_000
"""The past that is left when the start of the clock is moved on."""

now = simwire.now


def rebase(steps):
    """As the firmware's."""
    by = (now() - RECENT_US) // steps * steps
    if by <= 0:
        return 0
    simwire.Time.start += by
    return by


def wait(until, looks):
    """Tell the world what is waited for, and block until it grants time, edges or bytes."""
    period = strobe.LOOK_US
    start = simwire.Time.start
    granted, changed, count = simwire.ask("wait", start + now(), start + looks.at, start + until, period)
    simwire.Time.granted = granted
    simwire.Time.spent = 0
    if changed:
        strobe.levels.clear()
    machine.watch()
    data = b""
    while len(data) < count:
        data += sys.stdin.buffer.read(count - len(data))
    return data
