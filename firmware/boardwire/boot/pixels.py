"""Chains of WS2812 lamps by PIO and DMA: a frame goes out while Python does something else."""

import clock
import machine
import micropython
import rp2
from uctypes import addressof

from boardwire.moments import rebased

FIRST = 4
"""The first state machine of the second PIO, and so the first chain's; it has four."""
REQUEST = 8
"""What that one asks DMA with (RP2040 data sheet, 2.5.3.1)."""
COUNT, READ_TRIGGER = 2, 15
"""Registers of a DMA channel: how much is to go, and from where, which begins (2.5.7)."""
LAMP_US = 30
"""24 bits of 1.25 us."""
RESET_US = 300
"""How long a line rests before the next frame: 50 us on old lamps, 280 on the newest."""


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=24,
)
def _bits():  # type: ignore[no-untyped-def]
    # 8 MHz: 0.25 us high is a 0, 0.875 a 1.
    wrap_target()  # type: ignore[name-defined]  # noqa: F821
    label("next")  # type: ignore[name-defined]  # noqa: F821
    out(x, 1).side(0)[2]  # type: ignore[name-defined]  # noqa: F821
    jmp(not_x, "zero").side(1)[1]  # type: ignore[name-defined]  # noqa: F821
    jmp("next").side(1)[4]  # type: ignore[name-defined]  # noqa: F821
    label("zero")  # type: ignore[name-defined]  # noqa: F821
    nop().side(0)[4]  # type: ignore[name-defined]  # noqa: F821
    wrap()  # type: ignore[name-defined]  # noqa: F821


@micropython.viper
def _put(wanted: ptr8, at: int, places: int, red: int, green: int, blue: int):  # type: ignore[name-defined]  # noqa: F821
    wanted[at + (places & 3)] = red
    wanted[at + (places >> 2 & 3)] = green
    wanted[at + (places >> 4)] = blue


class Pixels:
    """One chain: what it shall show, four bytes a lamp, and what is on its way."""

    def __init__(self, number: int, gpio: int, length: int, order: str) -> None:
        # A word goes out from its highest byte on, which is the last one in memory.
        red, green, blue = [3 - order.index(colour) for colour in "RGB"]
        self._places = red | green << 2 | blue << 4
        self._wanted = bytearray(4 * length)
        self._going = bytearray(4 * length)
        self._free_at = 0
        pin = machine.Pin(gpio, machine.Pin.OUT, value=0)
        self._bits = rp2.StateMachine(FIRST + number, _bits, freq=8_000_000, sideset_base=pin)
        self._dma = rp2.DMA()
        control = self._dma.pack_ctrl(inc_write=False, treq_sel=REQUEST + number)
        self._dma.config(read=self._going, write=self._bits, count=0, ctrl=control)
        self._registers = self._dma.registers
        self._from = addressof(self._going)
        self._bits.active(1)

    def __setitem__(self, index: int, colour: tuple[int, int, int]) -> None:
        _put(self._wanted, 4 * index, self._places, colour[0], colour[1], colour[2])

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        self._free_at = rebased(self._free_at, by)

    def write(self, count: int, now: int) -> int:
        """Send the first lamps, as many; 0, or when to try again because others are on their way."""
        if now < self._free_at:
            return self._free_at
        self._going[:] = self._wanted
        registers = self._registers  # `config` would take as long as all the rest
        registers[COUNT] = count
        registers[READ_TRIGGER] = self._from
        # `now` is when this turn began: so much may have been done since that the line would get no rest.
        self._free_at = clock.now() + LAMP_US * count + RESET_US
        return 0
