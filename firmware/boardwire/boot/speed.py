"""The frequency of the core. Set it before anything that divides it: PIO, buses."""

import sys
import time

import machine

HERTZ = 200_000_000
"""An RP2040 is certified for it at a core voltage of 1.15 V (notes of pico-sdk 2.1.1, February 2025)."""
REGULATOR = 0x40064000
"""The register of the core's voltage (RP2040 data sheet, 2.10.6) ..."""
V1_15 = 12 << 4
"""... and in its bits 4 to 7 what stands for 1.15 V. It begins with 1.10 V."""
SETTLES_US = 1000
"""How long the regulator gets for it."""


def hurry() -> None:
    """Run the core as fast as it is certified for. An RP2350 is left at its 150 MHz."""
    if "RP2040" in sys.implementation._machine and machine.freq() < HERTZ:
        machine.mem32[REGULATOR] = machine.mem32[REGULATOR] & ~0xF0 | V1_15
        time.sleep_us(SETTLES_US)
        machine.freq(HERTZ)
