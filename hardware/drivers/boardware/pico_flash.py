"""Puts the firmware of this package on a Pico, by mpremote; the version before stays there to go back to.

The Pico is brought to MicroPython's prompt (`maintain`), all files are copied beside the old ones and their
hashes compared. Only then they change places (`pico_swap`: all or nothing, whenever the power goes), the old
ones going to the folder `before`. Then the Pico boots and has to answer as the Pico of this board; if it does
not, the version before is put back. Whatever goes wrong, it is not left at the prompt.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import boardwire
from boardware.errors import DriverError
from boardware.pico_plan import PicoPlan
from boardware.pico_port import open_serial
from boardware.pico_swap import BOOT_FOLDER, CLEAR_PROGRAM, ROOT_FILES, swap_program
from boardwire import wire
from boardwire.link import OPEN, REFUSED, HostLink
from boardwire.station import VERSION

_PROMPT_PROBE_PROGRAM = """
import os
if "maintain" in os.listdir(): os.remove("maintain")
print(6 * 7)
"""
"""Asks whether the prompt is there. What had it come may still lie on the Pico, if mpremote interrupted the
start before it was looked at; then the next start would end at the prompt, too."""
CRASH_FILE = "crash.txt"
"""Where the firmware writes why it crashed."""
CRASH_MAX_BYTES = 4000
"""Bytes of it that are shown."""
STEP_TIMEOUT_S = 120.0
"""The longest that one step of mpremote may take."""
PROMPT_TIMEOUT_S = 15.0
"""How long a Pico has to come to its prompt, and to take a reset."""
STOP_POLL_INTERVAL_S = 0.2
"""How often it is asked, meanwhile, whether to stop."""
STOPPED_RESET_TIMEOUT_S = 5.0
"""How long it has to take a reset once the program is to stop."""

_HASH_PROGRAM = """
import hashlib, json, os
from binascii import hexlify
found = {}
def look(name):
    if os.stat(name)[0] & 0x4000:
        for inner in os.listdir(name): look(name + "/" + inner)
    else:
        with open(name, "rb") as file: found[name] = hexlify(hashlib.sha256(file.read()).digest()).decode()
look("new")
print(json.dumps(found))
"""
_NO_FILE_TEXT = "no such file"
_READ_FILE_PROGRAM = f"""
try:
    with open("WHERE", "rb") as file: print(repr(file.read(1000))[1:])
except OSError: print("{_NO_FILE_TEXT}")
"""
_match_version = re.compile(r"[0-9A-Za-z.+-]{1,40}").fullmatch


class FlashError(DriverError):
    """The Pico was not flashed: what was found, what it has now."""


class FirmwareVersion(NamedTuple):
    """What is on a Pico."""

    version: str
    wire: int

    def __str__(self) -> str:
        return f"{self.version} (wire {self.wire:08x})"


PACKAGED_VERSION = FirmwareVersion(VERSION, wire.DECLARATION_HASH)


class UnreadableVersion(NamedTuple):
    """A version file that lies on a Pico and is none: some firmware is there, nobody knows which."""

    file_name: str
    found: str

    def __str__(self) -> str:
        expected = '{"version": "1.2.3", "wire": 123}'
        return f"firmware of an unknown version ({self.file_name} holds {self.found}, expected as {expected})"


def stage_firmware(folder: Path, plan: PicoPlan) -> None:
    """Everything that belongs on the Pico's flash, as it is sent."""
    source = Path(boardwire.__file__).parent
    (folder / "boardwire").mkdir(parents=True)
    for module in source.glob("*.py"):
        shutil.copy(module, folder / "boardwire")
    for name in ROOT_FILES:
        shutil.copy(BOOT_FOLDER / name, folder)
    (folder / "pins.py").write_text(plan.pins_source(), encoding="utf-8")
    (folder / "version.json").write_text(json.dumps(PACKAGED_VERSION._asdict()), encoding="utf-8")


class PicoFlasher:
    """One Pico at one port. `say` is told each step, for people.

    Once `stopped` answers `True` it gives up, and the Pico keeps what it has; but files that have begun to
    change places do so, and are tried.
    """

    def __init__(
        self,
        plan: PicoPlan,
        port: str,
        say: Callable[[str], object] = lambda text: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.plan = plan
        self.port = port
        self._say = say
        self._stopped = stopped
        self._prompted = False
        self._swapped = False

    def flash(self, *, older: bool = False) -> None:
        """Put this package's firmware on it. Raises `FlashError`.

        `older` allows what is on it to be newer than this package. What is on it may be of any version, also
        of one that can't be read.
        """
        with self._exclusive_use():
            self._enter_prompt()
            had = self._read_version("version.json")
            self._say(f"{self.plan.pico}: has {had or 'no firmware of ours'}, gets {PACKAGED_VERSION}")
            if (
                isinstance(had, FirmwareVersion)
                and _version_parts(had.version) > _version_parts(PACKAGED_VERSION.version)
                and not older
            ):
                raise FlashError(
                    f"{self.plan.pico}: has {had}, which is newer than {PACKAGED_VERSION}; --older puts it on"
                )
            self._copy()
            self._swap_versions("new")
            self._say(f"{self.plan.pico}: copied and compared; it boots")
            why = self._boot_and_check(PACKAGED_VERSION)
            if why:
                self._say(f"{self.plan.pico}: {why}")
                if had is not None:
                    self._enter_prompt()
                    self._swap_versions("before")
                    self._boot_and_check(None)
                raise FlashError(f"{self.plan.pico}: {why}; it has {had or 'no firmware that works'} now")

    def restore_previous(self, expected: FirmwareVersion | None = None) -> None:
        """Put the version before back, `expected` if it is that one.

        Raises `FlashError` if there is none, or none that says what it is.
        """
        with self._exclusive_use():
            self._enter_prompt()
            before = self._read_version("before/version.json")
            if before is None:
                raise FlashError(f"{self.plan.pico}: no version before on it; it keeps what it has")
            if isinstance(before, UnreadableVersion):
                raise FlashError(
                    f"{self.plan.pico}: the one before is {before}; it keeps what it has: flash it"
                )
            if expected not in (None, before):
                raise FlashError(f"{self.plan.pico}: the one before is {before}; it keeps what it has")
            self._swap_versions("before")
            self._say(f"{self.plan.pico}: goes back to {before}")
            why = self._boot_and_check(before if before == PACKAGED_VERSION else None)
            if why:
                raise FlashError(f"{self.plan.pico}: {why}")

    def read_crash_report(self) -> str | None:
        """Why its firmware crashed last, as its `crash.txt` has it; `None` if it never did. It boots anew."""
        with self._exclusive_use():
            self._enter_prompt()
            text = self._run_program(
                _READ_FILE_PROGRAM.replace("WHERE", CRASH_FILE).replace("1000", str(CRASH_MAX_BYTES))
            ).strip()
        return None if text == _NO_FILE_TEXT else str(ast.literal_eval("b" + text).decode(errors="replace"))

    # Steps

    @contextlib.contextmanager
    def _exclusive_use(self) -> Iterator[None]:
        """One at a time at a port; a Pico that is at its prompt when that ends is reset."""
        with socket.socket(socket.AF_UNIX) as alone:
            try:
                alone.bind(f"\0boardumpire flash {os.path.realpath(self.port)}"[:100])
            except OSError:
                raise FlashError(f"{self.plan.pico} at {self.port}: another flash is at work there") from None
            try:
                yield
            finally:
                if self._prompted:
                    with contextlib.suppress(FlashError):
                        self._reset()

    def _reset(self) -> None:
        self._run_mpremote(("reset",), STOPPED_RESET_TIMEOUT_S if self._stopped() else PROMPT_TIMEOUT_S)
        self._prompted = False

    def _enter_prompt(self) -> None:
        """Bring it to MicroPython's prompt, whatever runs."""
        link = HostLink(self.plan.board.id, self.plan.wiring_hash, self.plan.pico)
        link.ask_for_prompt()
        try:
            port = self._open_port(5)
            port.write(link.data_to_send(0))
            time.sleep(0.2)  # until the bytes have left; then the Pico resets under us
            port.close()
        except OSError as error:
            raise FlashError(f"{self.plan.pico} at {self.port}: {error}") from None
        self._prompted = True
        end = time.monotonic() + PROMPT_TIMEOUT_S
        while True:
            try:
                if (
                    self._run_mpremote_step(
                        "exec", _PROMPT_PROBE_PROGRAM, limit_s=end - time.monotonic()
                    ).strip()
                    == "42"
                ):
                    return
            except FlashError:
                if time.monotonic() > end or self._stopped():
                    raise

    def _open_port(self, patience_s: float) -> Any:
        end = time.monotonic() + patience_s
        while True:
            try:
                return open_serial(self.port)
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def _boot_and_check(self, wanted: FirmwareVersion | None) -> str:
        """Reset it and greet it; why it can't be used, nothing if it can. `None`: any answer will do."""
        self._reset()
        link = HostLink(self.plan.board.id, self.plan.wiring_hash, self.plan.pico)
        start = time.monotonic()
        port, greeted = None, False
        try:
            while (now := time.monotonic() - start) < 15:
                try:
                    port = port or open_serial(self.port)
                    if not greeted:
                        greeted = True
                        link.greet(0)
                    port.write(link.data_to_send(round(now * 1e6)))
                    link.receive_data(port.read(4096))
                    event = link.next_event()
                except OSError:
                    port, event = None, None
                if link.state == OPEN and wanted is not None and link.version != wanted.version:
                    return f"it answers as {link.version}, expected {wanted}"
                if link.state == OPEN or (link.state == REFUSED and wanted is None):
                    return ""
                if link.state == REFUSED and event is not None:
                    return f"it answers, but {event[1]}"
                time.sleep(0.05)
            return "it does not answer"
        finally:
            if port is not None:
                port.close()

    def _read_version(self, where: str) -> FirmwareVersion | UnreadableVersion | None:
        """What the version file there tells; `None` if there is none."""
        text = self._run_program(_READ_FILE_PROGRAM.replace("WHERE", where)).strip()
        if text == _NO_FILE_TEXT:
            return None
        try:
            data = ast.literal_eval("b" + text)
        except (SyntaxError, ValueError):
            data = text.encode()
        try:
            told = json.loads(data)
        except (ValueError, RecursionError):
            told = None
        match told:
            case {"version": str(version), "wire": int(number)} if type(number) is int and _match_version(
                version
            ):
                return FirmwareVersion(version, number)
        return UnreadableVersion(
            where, ascii(data[:40].decode(errors="replace")) + ("..." if len(data) > 40 else "")
        )

    def _copy(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            new = Path(folder) / "new"
            stage_firmware(new, self.plan)
            self._run_program(CLEAR_PROGRAM + 'clear("new")')
            self._run_mpremote_step("fs", "cp", "-r", str(new), ":new")
            self._compare(new)

    def _compare(self, new: Path) -> None:
        found = json.loads(self._run_program(_HASH_PROGRAM))
        for path in sorted(new.rglob("*")):
            name = f"new/{path.relative_to(new).as_posix()}"
            if path.is_file() and found.get(name) != hashlib.sha256(path.read_bytes()).hexdigest():
                raise FlashError(f"{self.plan.pico}: {name} came out wrong; it keeps what it has")

    def _swap_versions(self, source: str) -> None:
        self._swapped = True
        if "swapped" not in self._run_program(swap_program(source)):
            raise FlashError(f"{self.plan.pico}: its files could not change places")

    def _run_program(self, program: str) -> str:
        return self._run_mpremote_step("exec", program)

    def _run_mpremote_step(self, *words: str, limit_s: float = STEP_TIMEOUT_S) -> str:
        """One command of mpremote; ends when the program is to stop, too. Raises `FlashError`."""
        if self._stopped() and not self._swapped:
            raise FlashError(f"{self.plan.pico}: the program stops; it keeps what it has")
        return self._run_mpremote(words, limit_s, self._stopped)

    def _run_mpremote(
        self, words: Sequence[str], limit_s: float, stopped: Callable[[], bool] = lambda: False
    ) -> str:
        """One command of mpremote, without the soft reset it does otherwise. Raises `FlashError`."""
        command = [sys.executable, "-m", "mpremote", "connect", self.port, "resume", *words]
        end = time.monotonic() + limit_s
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
            while True:
                try:
                    out, errors = running.communicate(
                        timeout=min(STOP_POLL_INTERVAL_S, max(0.0, end - time.monotonic()))
                    )
                    break
                except subprocess.TimeoutExpired:
                    late = time.monotonic() >= end
                    if late or (stopped() and not self._swapped):
                        running.kill()
                        why = (
                            f"mpremote {words[0]} took longer than {limit_s:.0f} s"
                            if late
                            else ("the program stops; it keeps what it has")
                        )
                        raise FlashError(f"{self.plan.pico}: {why}") from None
        if running.returncode:
            last = (errors.strip() or out.strip()).splitlines()[-1:]
            raise FlashError(f"{self.plan.pico}: mpremote {words[0]}: {' '.join(last)}")
        return out


def _version_parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
