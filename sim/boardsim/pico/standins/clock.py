"""Stands in for the firmware's `clock`: time is what the world grants. MicroPython subset."""

import sys

import machine
import simwire
import strobe

now = simwire.now


def wait(until, looks):
    """Tell the world what is waited for, and block until it grants time, edges or bytes."""
    period = strobe.LOOK_US
    granted, changed, count = simwire.ask("wait", now(), looks.at, until, period)
    simwire.Time.granted = granted
    simwire.Time.spent = 0
    if changed:
        strobe.levels.clear()
    machine.watch()
    data = b""
    while len(data) < count:
        data += sys.stdin.buffer.read(count - len(data))
    return data
