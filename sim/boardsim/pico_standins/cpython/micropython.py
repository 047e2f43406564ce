"""Stands in for `micropython` where the firmware runs under CPython."""

import signal


def kbd_intr(byte):
    """Which byte interrupts: -1 is none."""
    signal.signal(signal.SIGINT, signal.default_int_handler if byte >= 0 else signal.SIG_DFL)
