"""Stands in for the firmware's `speed`: computing is instant here. MicroPython subset."""


def hurry():
    """Nothing to do."""
