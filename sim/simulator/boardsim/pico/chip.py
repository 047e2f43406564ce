"""An emulated RP2040 that runs MicroPython's own image: instructions, PIO, DMA and USB, counted in cycles.

The chip is rp2040py's. It has no stalls of the flash cache, so silicon is equal or slower. What hangs on its
pins is told of edges, and drives them; the host's end of its USB line takes and gives bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from littlefs import LittleFS
from rp2040py.boards import BoardSpec
from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.device import BaseDevice
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.peripherals.peripheral import BasePeripheral
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator

from boardsim.pico.paced import BatchTurn, PioScheduler
from boardsim.pico.serial_line import UartLine
from boardware.ports import Micros

FILE_SYSTEM_OFFSET: Final = 0xA0000
"""Where MicroPython's port keeps its file system in the flash of a Pico ..."""
BLOCK, BLOCKS = 4096, 352
"""... and how large it is."""
DISK_VERSION: Final = 0x00020000
"""Of littlefs, as MicroPython reads it."""
BATCH: Final = 16
"""Instructions between two looks at the clock while no alarm is due."""
COUNTED_HERTZ: Final = 125_000_000
"""The frequency in hertz with which rp2040py counts cycles, whatever the chip is told."""
CRYSTAL: Final = 12_000_000
CLOCKS: Final = 0x40008
"""The upper bits of its address: which clock drives what."""
USB_HERTZ: Final = 48_000_000
"""What the other PLL gives."""
PLL_SYS: Final = 0x40028
"""The upper bits of its address (RP2040 data sheet, 2.18.4): what the core's frequency is made by."""
UARTS: Final = (0x40034, 0x40038)
LOCKED: Final = 1 << 31
CONTROL, FEEDBACK, POST_DIVIDERS = 0, 8, 12

EdgeListener = Callable[[int, bool, Micros], None]
"""Called with a pin, whether it is high now, and when."""


def file_system(files: Mapping[str, bytes]) -> bytes:
    """A file system with these files, by their paths."""
    made = LittleFS(block_size=BLOCK, block_count=BLOCKS, disk_version=DISK_VERSION)
    for path in sorted({str(folder) for name in files for folder in Path(name).parents} - {"."}):
        made.mkdir(path)
    for name, data in files.items():
        with made.open(name, "wb") as file:
            file.write(data)
    return bytes(made.context.buffer)


_CYCLE_NS: Final = 1e9 / COUNTED_HERTZ
"""As it is counted."""
_CYCLE_TOLERANCE: Final = 1e-3
"""Of a cycle: what is less is rounding."""


class _Clock(SimulationClock):
    """Time as the board has it while the core runs with another frequency than cycles are counted with.

    Cycles stay as long as rp2040py takes them to be; all else is stretched: what reads this clock, and every
    alarm that is set by it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._stretch = 1.0
        self._from = 0.0
        self._since = 0.0

    @property
    def _counted(self) -> float:
        return float(SimulationClock.nanos.__get__(self))

    @property
    def nanos(self) -> float:
        return self._since + (self._counted - self._from) / self._stretch

    def run_at(self, hertz: float) -> None:
        """From now on the core runs with that frequency."""
        self._since, self._from = self.nanos, self._counted
        self._stretch = hertz / COUNTED_HERTZ

    @property
    def cycle(self) -> int:
        """How many cycles have gone by."""
        return int(self._counted / _CYCLE_NS + _CYCLE_TOLERANCE)

    @property
    def next_cycle(self) -> int:
        """In which cycle the next alarm is, if there is one."""
        return int((self._counted + self.nanos_to_next_alarm) / _CYCLE_NS + _CYCLE_TOLERANCE)

    def at_cycle(self, alarm: Any, cycle: int) -> None:
        """Set an alarm for that cycle; for now, if it is over. It is set often."""
        SimulationClock.link_alarm(self, max(0.0, cycle * _CYCLE_NS - self._counted), alarm)

    def to_next(self) -> float:
        """Nanoseconds up to the next alarm."""
        return float(self.nanos_to_next_alarm) / self._stretch

    def link_alarm(self, nanos: float, alarm: Any) -> Any:
        return super().link_alarm(nanos * self._stretch, alarm)


class _Pll(BasePeripheral):
    """The PLL that the core's clock comes from. Whoever sets its last divider is told the frequency."""

    def __init__(self, mcu: Any, tuned: Callable[[float], None]) -> None:
        super().__init__(mcu, "PLL_SYS")
        self._tuned = tuned
        self.reset()

    def reset(self) -> None:
        self._registers = {CONTROL: 1, FEEDBACK: 0}

    def read_uint32(self, offset: int) -> int:
        return self._registers.get(offset, 0) | (LOCKED if offset == CONTROL else 0)

    def write_uint32(self, offset: int, value: int) -> None:
        self._registers[offset] = value
        if offset == POST_DIVIDERS:
            divider = (value >> 16 & 7) * (value >> 12 & 7) * (self._registers[CONTROL] & 0x3F)
            self._tuned(CRYSTAL * self._registers[FEEDBACK] / divider)


class EmulatedChip:
    """One RP2040 with MicroPython and a file system in its flash. It has power from the start."""

    def __init__(self, image: Path, files: Mapping[str, bytes], *, ahead: bool = False) -> None:
        """With `ahead` whoever watches pins is not told of rounds of the strobe in which nothing is new."""
        self._clock = _Clock()
        made = cast("type[RP2040]", lambda _: RP2040(self._clock))
        device = BaseDevice(board=BoardSpec(image=image, mcu=made))
        self._mcu: Any = device.mcu
        self._paced = PioScheduler(self._mcu, self._clock, ahead=ahead)
        self._turn = BatchTurn(self._mcu, self._clock)
        self._mcu.peripherals[PLL_SYS] = _Pll(self._mcu, self._set_frequency)
        self._lines = [
            UartLine(self._mcu, number, self._clock, self._peripheral_hertz) for number in range(len(UARTS))
        ]
        uarts: Any = self._mcu.uart
        for number, line in enumerate(self._lines):
            self._mcu.peripherals[UARTS[number]] = uarts[number] = line
        self.hertz = float(COUNTED_HERTZ)
        """How fast the core runs."""
        self._cdc = device.cdc
        self._mcu.flash[FILE_SYSTEM_OFFSET : FILE_SYSTEM_OFFSET + BLOCK * BLOCKS] = file_system(files)
        self.on_usb_data: Callable[[bytes, Micros], None] = lambda data, at: None
        """Called with what comes over USB, and when."""
        self._room = 0
        """How many bytes the chip wants to take just now."""
        self._queue = bytearray()
        self._stop = self._clock.create_alarm(self._end_run)
        self._over = True
        self._cdc.on_serial_data = lambda data: self.on_usb_data(bytes(data), self.now)
        usb = self._mcu.usb_ctrl
        self._read_done = usb.endpoint_read_done
        others: Any = usb.on_endpoint_read

        def wanted(endpoint: int, size: int) -> None:
            # A host sends nothing rather than empty packets, which would keep the chip busy.
            if endpoint and endpoint == self._cdc._out_endpoint:
                self._room = size
                self._feed()
            else:
                others(endpoint, size)

        usb.on_endpoint_read = wanted
        self._reset_usb: Any = usb.on_reset
        usb.on_reset = self._reset_transfers
        self._mcu.core.pc = FLASH_START_ADDRESS

    @property
    def now(self) -> Micros:
        """Microseconds since power came."""
        return int(self._clock.nanos) // 1000

    @property
    def nanos(self) -> float:
        """Nanoseconds since power came."""
        return float(self._clock.nanos)

    def read_file(self, path: str) -> bytes | None:
        """What is in that file of its flash; `None` where there is none."""
        disk = LittleFS(block_size=BLOCK, block_count=BLOCKS, mount=False)
        disk.context.buffer = bytearray(
            self._mcu.flash[FILE_SYSTEM_OFFSET : FILE_SYSTEM_OFFSET + BLOCK * BLOCKS]
        )
        disk.mount()
        try:
            with disk.open(path, "rb") as file:
                return bytes(file.read())
        except FileNotFoundError:
            return None

    def run(self, until: Micros) -> None:
        """Let it run up to that moment."""
        left = until * 1000 - self._clock.nanos
        if left <= 0:
            return
        self._stop.schedule(left)
        self._over = False
        while not self._over:
            self._turn.begin()
            execute_batch(cast("Simulator", self._turn), BATCH)

    @property
    def taken(self) -> int:
        """How many rounds of the strobe were taken together with others."""
        return self._paced.rounds.taken

    @property
    def words_to_come(self) -> int:
        """How many words DMA has still to carry into the ring of the strobe, one a row that is read."""
        (ring,) = self._paced.rounds.rings
        return int(ring._trans_count)

    @property
    def idle_us(self) -> float:
        """For how many microseconds nothing happens that isn't known, if nothing comes from outside. 0 while
        it computes or sends."""
        busy = not self._mcu.core.waiting or len(self._paced.running) > 1
        return 0.0 if busy else self._paced.free_nanos / 1000

    def note_pins_changed(self) -> None:
        """What hangs on its pins has changed."""
        self._paced.rounds.forget()

    def write(self, data: bytes) -> None:
        """Bytes of the host, over USB."""
        self._queue += data
        self._feed()

    def watch(self, gpio: int, edge: EdgeListener) -> None:
        """Have `edge` called whenever that pin changes."""
        self._mcu.gpio[gpio].add_listener(partial(self._edge, gpio, edge))

    def pin_output(self, gpio: int) -> tuple[bool, bool]:
        """Whether the chip drives that pin, and how."""
        pin = self._mcu.gpio[gpio]
        return bool(pin.output_enable), bool(pin.output_value)

    def drive(self, gpio: int, high: bool) -> None:
        """Drive that pin from outside."""
        self._paced.advance_to_clock()
        self._mcu.gpio[gpio].set_input_value(high)
        self._paced.set_alarm()

    def attach_spi(self, number: int, answer: Callable[[int, Micros, float], int]) -> None:
        """Have `answer` called with each byte that a bus sends, when, and how many nanoseconds it takes: it
        returns what comes back meanwhile."""
        bus = self._mcu.spi[number]
        back = 0
        ended = self._clock.create_alarm(lambda: bus.complete_transmit(back))

        def sent(byte: int) -> None:
            nonlocal back
            nanos = 8e9 / (bus.clock_frequency * self._peripheral_hertz() / self._mcu.clk_peri)
            back = answer(byte, self.now, nanos)
            ended.schedule(nanos)

        bus.on_transmit = sent

    def attach_uart(self, number: int, sent: Callable[[int, Micros], None]) -> None:
        """Have `sent` called with each byte that a serial line sends, and when its last bit has gone."""
        self._lines[number].on_byte_sent = lambda byte: sent(byte, self.now)

    def receive(self, number: int, byte: int, at: Micros) -> None:
        """Have that byte come over a serial line at that moment."""
        self._schedule_at(at * 1000, lambda: self._lines[number].feed(byte))

    def _schedule_at(self, nanos: float, act: Callable[[], None]) -> None:
        """Do something at a moment, in nanoseconds since power came; soon, if it is over."""
        self._clock.create_alarm(act).schedule(max(1.0, nanos - self.nanos))

    def _peripheral_hertz(self) -> float:
        """The frequency in hertz that buses divide (RP2040 data sheet, 2.15.7, CLK_PERI_CTRL)."""
        source = self._mcu.peripherals[CLOCKS].peri_ctrl >> 5 & 7
        return {2: USB_HERTZ, 4: CRYSTAL}.get(source, self.hertz)

    def _set_frequency(self, hertz: float) -> None:
        self.hertz = hertz
        self._clock.run_at(hertz)

    def _edge(self, gpio: int, edge: EdgeListener, *_: object) -> None:
        edge(gpio, bool(self._mcu.gpio[gpio].output_value), self.now)

    def _feed(self) -> None:
        if self._room and self._queue:
            data = bytes(self._queue[: self._room])
            del self._queue[: len(data)]
            self._room = 0
            self._read_done(self._cdc._out_endpoint, data)

    def _reset_transfers(self) -> None:
        """It was reset: no transfer is under way. For rp2040py's DMA they would go on."""
        for channel in self._mcu.dma.channels:
            channel.abort()
        self._queue.clear()
        self._room = 0
        self._reset_usb()

    def _end_run(self) -> None:
        self._over = True
        self._turn.stop()
