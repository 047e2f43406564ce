"""Stands in for `micropython` where the firmware runs under CPython."""

import signal
import sys
import traceback


def kbd_intr(byte):
    """Which byte interrupts: -1 is none."""
    signal.signal(signal.SIGINT, signal.default_int_handler if byte >= 0 else signal.SIG_DFL)


def _print_exception(error, file=sys.stdout):
    traceback.print_exception(error, file=file)


sys.print_exception = _print_exception  # MicroPython has it
