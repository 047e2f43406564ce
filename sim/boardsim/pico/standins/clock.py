"""Stands in for the firmware's `clock`: time is what the world grants. MicroPython subset."""

import sys

import machine
import simwire

now = simwire.now


def wait(until, or_until, period):
    """Tell the world what is waited for, and block until it grants time, edges or bytes."""
    granted, changed, count = simwire.ask("wait", now(), until, or_until, period)
    simwire.Time.granted = granted
    simwire.Time.spent = 0
    if changed:
        machine.levels.clear()
    machine.watch()
    data = b""
    while len(data) < count:
        data += sys.stdin.buffer.read(count - len(data))
    return data


def settle(span):
    """Let pins settle."""
    simwire.spend(span)
