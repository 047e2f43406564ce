"""One virtual machine: qemu over a copy-on-write disk, asked to do things over a virtio port."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from userland import disk
from userland.agent import CONTROL_PORT
from userland.monitor import Monitor

BOOT_S = 1200.0
"""Until the agent answers: some five seconds with KVM, a minute or two where instructions are emulated."""
PROBE_S = 10.0
"""Until a kernel that finds no disk has given up; it takes two seconds where KVM runs it."""
EMULATED = ("-accel", "tcg,thread=multi", "-cpu", "Nehalem")
"""A plain processor: what newer ones can do costs an emulator more than it brings, a quarter of a boot, and
with `max` Linux takes its time from a slow chip (hpet)."""
BARE = "TIMEFORMAT='%3U %3S'; for _ in 1 2 3 4 5; do time python3 -c pass; done"
"""The yardstick: the seconds of the machine's processor that each of five bare Pythons took."""
TICKS = 100
"""Of `/proc/stat` in a second."""
MEMORY = "memory"
"""A file of an image: the memory of a machine that was frozen."""
BROUGHT_SIZE = 128 << 20
TURN_S = 0.003
"""How often whoever waits is let do something else meanwhile."""


class Ran(NamedTuple):
    """What a command in the machine left."""

    code: int
    told: str


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


@functools.cache
def accelerator(image: Path) -> tuple[str, ...]:
    """KVM if a kernel runs under it, else emulation. In a machine within a machine /dev/kvm may be there and
    run no kernel but its own."""
    kvm = ("-accel", "kvm", "-cpu", "host,migratable=no,-arch-capabilities")
    command = [
        *("qemu-system-x86_64", *kvm, "-m", "256", "-display", "none", "-monitor", "none", "-no-reboot"),
        *("-kernel", str(image / "vmlinuz"), "-append", "panic=-1"),
    ]
    if os.access("/dev/kvm", os.R_OK | os.W_OK):
        with contextlib.suppress(subprocess.TimeoutExpired):
            ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE_S)
            if ran.returncode == 0:
                return kvm
    return EMULATED


def bare_s() -> float:
    """Seconds of a processor of this machine's that a bare Python takes, whatever else it does meanwhile."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(5):
        subprocess.run([Path(sys.base_prefix) / "bin" / "python3", "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 5


class Machine:
    """A Debian system with a disk of its own in `folder`. Off at first."""

    def __init__(
        self, folder: Path, image: Path, brought: Sequence[Path] = (), *, logged: bool = False
    ) -> None:
        """`image`: a folder with a kernel and a disk to begin with, and perhaps a frozen machine's memory.

        `brought`: files that lie in /root once `unpack` was called. `logged`: each write is kept in `writes`.
        """
        self.folder, self.image = folder, image
        self.accelerator = accelerator(image)
        self.disk, self.writes = folder / "disk.qcow2", folder / "writes"
        self._logged = logged
        self._memory: Path | None = image / MEMORY if (image / MEMORY).exists() else None
        self._brought = folder / "brought.tar"
        with tarfile.open(self._brought, "w") as tar:
            for path in brought:
                tar.add(path, path.name)
            tar.addfile(tarfile.TarInfo("end"))
        # One size for all: a machine that goes on believes that it is the drive it knew.
        os.truncate(self._brought, BROUGHT_SIZE)
        below = next(each for each in (image / "disk.raw", image / "disk.qcow2") if each.exists())
        backing = ("-b", below, "-F", below.suffix[1:])
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", *backing, self.disk], check=True)
        self.meanwhile: Callable[[], None] = lambda: None
        """Called again and again while a command runs: what is outside of the machine goes on."""
        self.page, self.control = free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._count = 0
        self._readings: list[float] = []
        self.booted = 0.0
        """When it was switched on, as `time.monotonic` has it."""

    @property
    def pico(self) -> Path:
        """The socket where the bytes of the machine's Pico come out."""
        return self.folder / "pico"

    @property
    def emulated(self) -> bool:
        """Whether each of its instructions is emulated, ten to twenty times as slow as a processor."""
        return "tcg" in " ".join(self.accelerator)

    @property
    def processors(self) -> int:
        """How many it has. Emulated ones wait for each other longer than they work while this machine does
        other things: then one is enough."""
        return 1 if self.emulated else 2

    @property
    def console(self) -> str:
        return (self.folder / "console.log").read_text(errors="replace")

    def on(self) -> None:
        """Switch it on, or let a frozen one go on; returns once it can be asked."""
        for name in ("room", "pico", "monitor"):
            (self.folder / name).unlink(missing_ok=True)
        command: list[str | Path] = [
            *("qemu-system-x86_64", *self.accelerator, "-m", "768", "-display", "none"),
            *("-smp", str(self.processors)),
            *("-kernel", self.image / "vmlinuz", "-initrd", self.image / "initrd.img"),
            *("-append", f"root=/dev/vda rw console=ttyS0 net.ifnames=1 quiet {self._hurry()}"),
            *("-serial", f"file:{self.folder / 'console.log'}", "-monitor", "none"),
            *("-qmp", f"unix:{self.folder / 'monitor'},server=on,wait=off"),
            *self._drives(),
            *("-netdev", f"user,id=net,restrict=on,{self._forwards()}"),
            *("-device", "virtio-net-pci,netdev=net", "-device", "virtio-serial-pci"),
        ]
        for name in ("room", "pico"):
            command += ["-chardev", f"socket,id={name},path={self.folder / name},server=on,wait=off"]
            command += ["-device", f"virtserialport,chardev={name},name={name}"]
        memory, self._memory = self._memory, None
        if memory is not None:
            command += ["-incoming", f"exec:cat {memory}"]
        self.booted = time.monotonic()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self._channel = self._connected("room")
        if memory is not None:
            Monitor(self._connected("monitor")).go_on()
        self._rest = b""
        self.run("true", within_s=BOOT_S)

    def measure(self) -> None:
        """Take a reading of how slow it is. What is measured in there is measured in between readings."""
        taken = (line.split() for line in self.run(BARE).told.splitlines())
        there = statistics.median(float(user) + float(system) for user, system in taken)
        self._readings.append(there / bare_s())

    @property
    def slowness(self) -> float:
        """How many times as long a bare Python takes in there as on an idle processor out here: the median of
        the readings.

        It is slow by emulation, and by what else runs beside it: a processor that is taken away goes on by
        the clock in there. What else runs in there makes it no slower. At least 1: what has a limit made for
        a real processor is given as many times as long.
        """
        if not self._readings:
            self.measure()
        return max(1.0, round(statistics.median(self._readings), 1))

    def idle_s(self) -> float:
        """Seconds since it booted in which it waited for a clock, a disk or people: they are as long on a
        real processor."""
        ticks = self.run("head -n 1 /proc/stat").told.split()
        return (int(ticks[4]) + int(ticks[5])) / TICKS / self.processors

    def _hurry(self) -> str:
        """What an emulated kernel leaves out (it guards programs from each other), and time to start."""
        return "mitigations=off systemd.default_timeout_start_sec=900" if self.emulated else ""

    def _drives(self) -> list[str | Path]:
        # The power goes in there, not out here: what qemu was given is kept.
        file = {"driver": "file", "filename": str(self.disk), "cache": {"no-flush": True}}
        own: dict[str, object] = {"driver": "qcow2", "file": file}
        if self._logged:
            log = {"driver": "file", "filename": str(disk.new_log(self.writes))}
            own = {"driver": "blklogwrites", "file": own, "log": log}
        brought = {"driver": "raw", "file": {"driver": "file", "filename": str(self._brought)}}
        words: list[str | Path] = []
        for name, node in (("own", own), ("brought", {**brought, "read-only": True})):
            words += ["-blockdev", json.dumps({"node-name": name, **node})]
            words += ["-device", f"virtio-blk-pci,drive={name}"]
        return words

    def _forwards(self) -> str:
        ways = ((self.page, 8080), (self.control, CONTROL_PORT))
        return ",".join(f"hostfwd=tcp:127.0.0.1:{near}-:{far}" for near, far in ways)

    def freeze(self, into: Path) -> Path:
        """Stop it as it is, and keep memory and disk in the folder `into`: an image whose machines go on.

        The disk itself is moved there. This machine is over.
        """
        assert self.process is not None
        monitor = Monitor(self._connected("monitor"))
        monitor.keep_memory(into / MEMORY)
        monitor.quit()
        self.process.wait()
        self._channel.close()
        self.disk.rename(into / "disk.qcow2")
        for name in ("vmlinuz", "initrd.img"):
            (into / name).symlink_to((self.image / name).resolve())
        return into

    def _connected(self, name: str) -> socket.socket:
        """One of the sockets that qemu makes."""
        assert self.process is not None
        found, deadline = socket.socket(socket.AF_UNIX), time.monotonic() + BOOT_S
        while True:
            assert self.process.poll() is None, "qemu doesn't start"
            try:
                found.connect(str(self.folder / name))
            except OSError:
                assert time.monotonic() < deadline, "qemu doesn't start"
                time.sleep(0.05)
            else:
                return found

    def run(self, command: str, *, right: bool = True, within_s: float = 1800.0) -> Ran:
        """Run a shell's line as root. `right`: it has to end with 0."""
        self._count += 1
        asked = json.dumps({"id": self._count, "run": command}).encode() + b"\n"
        deadline = time.monotonic() + within_s
        self._channel.sendall(asked)
        with selectors.DefaultSelector() as ready:
            ready.register(self._channel, selectors.EVENT_READ)
            while True:
                assert time.monotonic() < deadline, f"{command}: no end\n{self.console[-3000:]}"
                self.meanwhile()
                if ready.select(TURN_S):
                    data = self._channel.recv(65536)
                    assert data, f"{command}: the machine is off\n{self.console[-3000:]}"
                    self._rest += data
                while b"\n" in self._rest:
                    line, _, self._rest = self._rest.partition(b"\n")
                    told = json.loads(line)
                    if told["id"] == self._count:
                        assert not right or told["code"] == 0, f"{command}: {told['code']}\n{told['told']}"
                        return Ran(told["code"], told["told"])

    def unpack(self) -> None:
        """Lay what was brought into /root."""
        self.run("blockdev --flushbufs /dev/vdb; tar -xf /dev/vdb -C /root")

    def reboot(self, down: Callable[[], None]) -> None:
        """As `sudo reboot` does; returns once it can be asked again. `down` is called when it goes down."""
        before = self.run("cat /proc/sys/kernel/random/boot_id").told
        self.run("systemd-run --on-active=0.2 --timer-property=AccuracySec=10ms systemctl reboot")
        self.booted = time.monotonic()
        down()
        deadline = self.booted + BOOT_S
        while True:
            # What was asked of the system that went down is never answered: it is asked again.
            found = None
            try:
                found = self.run("cat /proc/sys/kernel/random/boot_id", within_s=10.0)
            except AssertionError:
                assert time.monotonic() < deadline, self.console[-3000:]
            if found is not None and found.told != before:
                return

    def off(self) -> None:
        """Shut it down in good order."""
        assert self.process is not None
        self.run("systemd-run --on-active=0.2 --timer-property=AccuracySec=10ms systemctl poweroff")
        while self.process.poll() is None:
            self.meanwhile()
            time.sleep(TURN_S)
        self._channel.close()

    def cut(self) -> None:
        """The power goes: nobody is told, and what was not on the disk is lost."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self._channel.close()

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.cut()
