"""Flashing over the emulated chip's own USB: mpremote itself, MicroPython's image, the chip's flash."""

from __future__ import annotations

import contextlib
import os
import pty
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardsim.pico.chip import EmulatedChip
from boardsim.pico.rig import flash_contents
from boardware import pico_flash
from boardware.description import load_board
from boardware.pico_flash import PACKAGED_VERSION, PicoFlasher
from boardware.pico_plan import PicoPlan, plans_by_pico
from boardware.ports import MS, SECOND, Micros

BOARD = "quick-battle-8x8-pico"
STEP: Micros = 2 * MS


class Cabled:
    """A chip at the end of a serial port that another process may open. It is never ahead of real time, and
    mostly far behind it."""

    def __init__(self, image: Path, files: dict[str, bytes]) -> None:
        self.chip = EmulatedChip(image, files)
        self._master, self._slave = pty.openpty()
        for end in (self._master, self._slave):
            tty.setraw(end)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self.chip.on_usb_data = lambda data, at: self._out.extend(data)
        self._out = bytearray()
        self._over = False
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._over:
            with contextlib.suppress(BlockingIOError):
                self.chip.write(os.read(self._master, 4096))
            self.chip.run(self.chip.now + STEP)
            if self._out:
                with contextlib.suppress(BlockingIOError):
                    del self._out[: os.write(self._master, self._out)]
            ahead = self.chip.now / 1e6 - (time.monotonic() - self._began)
            if ahead > 0:
                time.sleep(ahead)

    # What `pico_flash` takes for `time`: the chip's own.

    def monotonic(self) -> float:
        return self.chip.now / 1e6

    def sleep(self, seconds: float) -> None:
        end = self.monotonic() + seconds
        while self.monotonic() < end:
            time.sleep(0.002)

    def close(self) -> None:
        self._over = True
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def plan() -> PicoPlan:
    (found,) = plans_by_pico(load_board(BOARD)).values()
    return found


@pytest.fixture
def cabled(image: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, bytes]], Cabled]]:
    """Makes a chip with files in its flash. What `boardumpire flash` waits for is counted in its time."""
    made: list[Cabled] = []

    def make(files: dict[str, bytes]) -> Cabled:
        made.append(Cabled(image, files))
        monkeypatch.setattr(pico_flash, "time", made[-1])
        monkeypatch.setattr(pico_flash, "STEP_TIMEOUT_S", 3600.0)
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.nightly
def test_a_chip_is_flashed_out_of_its_session_and_goes_back_over_its_usb(
    cabled: Callable[[dict[str, bytes]], Cabled],
    plan: PicoPlan,
    record_property: Callable[[str, object], None],
) -> None:
    """Brought to its prompt while it works, flashed, and taken back to the version before. Each time it
    boots, answers, and every file in its flash is as it was sent."""
    sent = flash_contents(plan)
    older = {**sent, "version.json": b'{"version": "0.0.9", "wire": 1}'}
    at = cabled({placed(path): data for path, data in older.items()})
    said: list[str] = []
    PicoFlasher(plan, at.port, said.append).flash()
    assert said[0] == f"pico: has 0.0.9 (wire 00000001), gets {PACKAGED_VERSION}"
    held(at, sent)
    held(at, older, "before/")
    PicoFlasher(plan, at.port, said.append).restore_previous()
    assert said[-1] == "pico: goes back to 0.0.9 (wire 00000001)"
    held(at, older)
    assert at.chip.read_file("crash.txt") is None
    record_property("files", len(sent))
    record_property("bytes", sum(map(len, sent.values())))
    record_property("emulated seconds", at.chip.now // SECOND)


def placed(path: str) -> str:
    """Where a file lies that is at work."""
    return f"lib/{path}" if path.startswith("boardwire/") else path


def held(at: Cabled, sent: dict[str, bytes], before: str = "") -> None:
    """The flash holds what was sent, where it belongs."""
    for path, data in sent.items():
        place = before + path if before else placed(path)
        assert at.chip.read_file(place) == data, place
