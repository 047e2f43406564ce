"""The RP2040's pins by its registers: one operation for any number of pins. Not for an RP2350."""

import machine

_SIO = 0xD0000000  # RP2040 data sheet, 2.3.1.7
_IN = _SIO + 0x004
_OUT_SET = _SIO + 0x014
_OUT_CLEAR = _SIO + 0x018
_ENABLE_SET = _SIO + 0x024
_ENABLE_CLEAR = _SIO + 0x028


class Pins:
    """All pins, as `boardwire.scanner` wants them."""

    def __init__(self, rows: list[int], pulled_down: list[int], pulled_up: list[int]) -> None:
        for gpio in rows:
            machine.Pin(gpio, machine.Pin.IN)
        for gpio in pulled_down:
            machine.Pin(gpio, machine.Pin.IN, machine.Pin.PULL_DOWN)
        for gpio in pulled_up:
            machine.Pin(gpio, machine.Pin.IN, machine.Pin.PULL_UP)

    def high(self, mask: int) -> None:
        """Those that are driven give 3.3 V."""
        machine.mem32[_OUT_SET] = mask

    def low(self, mask: int) -> None:
        """Those that are driven give 0 V."""
        machine.mem32[_OUT_CLEAR] = mask

    def drive(self, mask: int) -> None:
        """Drive them."""
        machine.mem32[_ENABLE_SET] = mask

    def release(self, mask: int) -> None:
        """Let them float."""
        machine.mem32[_ENABLE_CLEAR] = mask

    def levels(self) -> int:
        """What all pins read."""
        return int(machine.mem32[_IN])
