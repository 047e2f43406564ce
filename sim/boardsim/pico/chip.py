"""An emulated RP2040 that runs MicroPython's own image: instructions, PIO, DMA and USB, counted in cycles.

The chip is rp2040py's. It has no stalls of the flash cache, so silicon is equal or slower. What hangs on its
pins is told of edges, and drives them; the host's end of its USB line takes and gives bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from littlefs import LittleFS
from rp2040py.boards import BoardSpec
from rp2040py.device import BaseDevice
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS

from boardware.ports import Micros

FILES: Final = 0xA0000
"""Where MicroPython's port keeps its file system in the flash of a Pico ..."""
BLOCK, BLOCKS = 4096, 352
"""... and how large it is."""
DISK_VERSION: Final = 0x00020000
"""Of littlefs, as MicroPython reads it."""
IDLE_NS: Final = 8000
"""A core that sleeps is taken on by so much at a time: a longer step would starve PIO of its DMA."""

Edge = Callable[[int, bool, Micros], None]
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


class Chip:
    """One RP2040 with MicroPython and a file system in its flash. It has power from the start."""

    def __init__(self, image: Path, files: Mapping[str, bytes]) -> None:
        device = BaseDevice(board=BoardSpec(image=image))
        self._simulator = device.simulator
        self._mcu: Any = device.mcu
        self._clock = device.mcu.clock
        self._cdc = device.cdc
        self._mcu.flash[FILES : FILES + BLOCK * BLOCKS] = file_system(files)
        self.heard: Callable[[bytes, Micros], None] = lambda data, at: None
        """Called with what comes over USB, and when."""
        self._room = 0
        """How many bytes the chip wants to take just now."""
        self._queue = bytearray()
        self._stop = self._clock.create_alarm(self._simulator.stop)
        self._idle = self._clock.create_alarm(self._idled)
        self._idle.schedule(IDLE_NS)
        self._cdc.on_serial_data = lambda data: self.heard(bytes(data), self.now)
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
        self._mcu.core.pc = FLASH_START_ADDRESS

    @property
    def now(self) -> Micros:
        """Microseconds since power came."""
        return int(self._clock.nanos) // 1000

    @property
    def nanos(self) -> float:
        """Nanoseconds since power came."""
        return float(self._clock.nanos)

    def file(self, path: str) -> bytes | None:
        """What is in that file of its flash; `None` where there is none."""
        disk = LittleFS(block_size=BLOCK, block_count=BLOCKS, mount=False)
        disk.context.buffer = bytearray(self._mcu.flash[FILES : FILES + BLOCK * BLOCKS])
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
        self._simulator.stopped = False
        while not self._simulator.stopped:
            execute_batch(self._simulator, 1)

    def write(self, data: bytes) -> None:
        """Bytes of the host, over USB."""
        self._queue += data
        self._feed()

    def watch(self, gpio: int, edge: Edge) -> None:
        """Have `edge` called whenever that pin changes."""
        self._mcu.gpio[gpio].add_listener(partial(self._edge, gpio, edge))

    def drives(self, gpio: int) -> tuple[bool, bool]:
        """Whether the chip drives that pin, and how."""
        pin = self._mcu.gpio[gpio]
        return bool(pin.output_enable), bool(pin.output_value)

    def drive(self, gpio: int, high: bool) -> None:
        """Drive that pin from outside."""
        self._mcu.gpio[gpio].set_input_value(high)

    def _edge(self, gpio: int, edge: Edge, *_: object) -> None:
        edge(gpio, bool(self._mcu.gpio[gpio].output_value), self.now)

    def _feed(self) -> None:
        if self._room and self._queue:
            data = bytes(self._queue[: self._room])
            del self._queue[: len(data)]
            self._room = 0
            self._read_done(self._cdc._out_endpoint, data)

    def _idled(self) -> None:
        self._idle.schedule(IDLE_NS)
