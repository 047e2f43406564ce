"""One Pico's firmware in a process of its own: the real files under a real MicroPython, or under CPython.

The process blocks in `clock.wait` until it is granted time; between two grants it runs while virtual time
stands still. It stands on stand-ins for `machine`, `clock`, `strobe`, `pixels` and `fast`
(boardsim/pico/standins); all else is what a Pico boots.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import weakref
from importlib.util import find_spec
from pathlib import Path

import boardwire
from boardware.pico_plan import PicoPlan

STANDINS = Path(__file__).parent / "standins"
FIRMWARE = Path(boardwire.__file__).parent
HEAP = "512k"
"""An RP2040 has some 190 KiB; objects here are twice as big, as pointers have 64 bits."""


def interpreter_commands() -> dict[str, list[str]]:
    """The ways to run firmware on this machine, by name; the best first."""
    ways = {}
    micropython = find_spec("micropython_unix")
    if micropython is not None and micropython.origin is not None:
        # Its folder is all that it needs: without the other packages of Python it starts twice as soon.
        ways["micropython"] = [sys.executable, "-E", "-S", micropython.origin, "-X", f"heapsize={HEAP}"]
    ways["cpython"] = [sys.executable, "-u", "-B"]
    return ways


def write_flash(folder: Path, plan: PicoPlan) -> None:
    """What is on the Pico's flash after `boardumpire flash`."""
    (folder / "pins.py").write_text(plan.pins_source(), encoding="utf-8")
    for name in ("main.py", "tags.py"):
        (folder / name).symlink_to(FIRMWARE / "boot" / name)
    (folder / "lib").mkdir()
    (folder / "lib" / "boardwire").symlink_to(FIRMWARE)


class FirmwareProcess:
    """A running process. `read_line` is what it tells the world, `answer` what the world answers."""

    def __init__(self, flash: Path, way: str) -> None:
        hears, self._answers = os.pipe()
        self._lines_fd, tells = os.pipe()
        arguments = [str(STANDINS / "boot.py"), str(STANDINS), str(hears), str(tells)]
        self._process = subprocess.Popen(
            [*interpreter_commands()[way], *arguments],
            cwd=flash,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(hears, tells),
            bufsize=0,
            process_group=0,  # a Pico hears no Ctrl+C: what ends the program must not end it first
        )
        os.close(hears)
        os.close(tells)
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self._lines = b""
        self._ends = weakref.finalize(self, _end, self._process, self._answers, self._lines_fd)

    def read_line(self) -> list[str] | None:
        """The next thing that the firmware tells; `None` once it has ended."""
        while b"\n" not in self._lines:
            more = os.read(self._lines_fd, 65536)
            if not more:
                return None
            self._lines += more
        line, _, self._lines = self._lines.partition(b"\n")
        return line.decode().split()

    def answer(self, *numbers: int) -> None:
        """Answer a question of the firmware."""
        with contextlib.suppress(BrokenPipeError):  # it has ended: `read_line` says so
            os.write(self._answers, (" ".join(map(str, numbers)) + "\n").encode())

    def read_wire_output(self) -> bytes:
        """What the firmware wrote to its wire since the last call."""
        assert self._process.stdout is not None
        return self._process.stdout.read() or b""

    def send_wire_bytes(self, data: bytes) -> None:
        """Bytes that come over the wire. A 03 interrupts MicroPython while it lets itself be interrupted."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError, FileNotFoundError):  # it has ended: `read_line` says so
            if b"\x03" in data and self._catches_interrupts():
                self._process.send_signal(signal.SIGINT)
            self._process.stdin.write(data)

    def _catches_interrupts(self) -> bool:
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> signal.SIGINT - 1 & 1)
        return False

    def killed(self) -> bool:
        """Whether a signal of somebody else ended it. Call it when it has ended."""
        return self._process.wait() < 0

    def read_error_output(self) -> str:
        """What it wrote on standard error. Call it when it has ended."""
        assert self._process.stderr is not None
        said = self._process.stderr.read().decode(errors="replace").strip()
        return said or f"it ended with code {self._process.wait()}"

    def end(self) -> None:
        """Cut its power. Twice is allowed."""
        self._ends()


def _end(process: subprocess.Popen[bytes], *pipes: int) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    for pipe in pipes:
        os.close(pipe)


def flash_folder(plan: PicoPlan) -> tempfile.TemporaryDirectory[str]:
    """A folder that is the flash of a Pico which was flashed with this plan."""
    folder = tempfile.TemporaryDirectory(prefix=f"pico-{plan.pico}-")
    write_flash(Path(folder.name), plan)
    return folder
