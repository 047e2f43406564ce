"""A whole Debian on an emulated Raspberry Pi 3: systemd and dpkg on a real kernel, asked over USB's network.

Its card is made by programs of arm64, which run here only where the kernel knows an interpreter for them.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from boardumpire.makers.setup.questions import PAGE_PORT
from userland import container
from userland.agent import ASKED_PORT, CONTROL_PORT
from userland.header import TREE
from userland.machine import free_port
from userland.raspberry import HERE, switched_on

BOOT_S = 1800.0
"""Until it can be asked; a minute and a half on a machine that does other things, too."""
INTERPRETER = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
_UNIT = """\
[Unit]
Description=The test's way into this machine
After=network.target
[Service]
ExecStart=/usr/bin/python3 -u /usr/local/sbin/test-agent
Restart=always
[Install]
WantedBy=multi-user.target
"""
_FILES = {
    "etc/fstab": "/dev/mmcblk0 / ext4 defaults 0 1\n",
    "etc/hostname": "board\n",
    "etc/hosts": "127.0.0.1 localhost\n127.0.1.1 board\n",
    "etc/systemd/network/80-test.network": "[Match]\nName=en* us* eth*\n[Network]\nAddress=10.0.2.15/24\n",
    "etc/systemd/system/test-agent.service": _UNIT,
}
"""The address is the one that QEMU's own network gives its guest."""
_ENABLED = ("test-agent.service", "systemd-networkd.service")


def lacking() -> str:
    """Why no card of a whole Debian can be made here; empty where one can."""
    if not INTERPRETER.exists():
        return "programs of arm64 don't run on this machine (Debian: apt install qemu-user-static)"
    return container.lacking()


def make_card(
    release: str, folder: Path, brought: Iterable[Path], change: Callable[[Path], None] = lambda root: None
) -> Path:
    """Make a card with a clean release and files that are `brought` along in `/var`; `change` is called with
    its root, in which programs run by `run_in`.

    Raises `CalledProcessError` without Debian's packages.
    """
    root, card = folder / "root", folder / "card"
    container.make_root(release, root, "systemd-timesyncd", "arm64")
    for name, text in _FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    shutil.copy(HERE / "agent.py", root / "usr/local/sbin/test-agent")
    for path in brought:
        shutil.copy(path, root / "var")
    subprocess.run(["systemctl", f"--root={root}", "--quiet", "enable", *_ENABLED], check=True)
    change(root)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, card, "2G"], check=True)
    shutil.rmtree(root)
    return card


def run_in(root: Path, command: str) -> None:
    """Have the shell of a root that isn't booted run a command, without a terminal."""
    words = ["systemd-nspawn", "--quiet", f"--directory={root}", "--register=no", "--keep-unit", "--pipe"]
    words += ["--setenv=DEBIAN_FRONTEND=noninteractive", "sh", "-c", command]
    ran = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ran.returncode == 0, f"{command}\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}"


class WholePi(container.Debian):
    """A Pi with a card of its own. Off at first."""

    slowness = 20.0
    """What takes a second in a container took 5 to 18 s."""

    def __init__(self, pi: Path, card: Path, folder: Path) -> None:
        """`pi`: the folder of its kernel and device tree. `card`: what its own card begins with."""
        self._pi, self._below, self._folder = pi, card, folder
        self._asked, self.control, self.page, self._boots = free_port(), free_port(), free_port(), 0
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pins(self) -> Path:
        """The socket of QEMU's test protocol, which sets the levels of its header."""
        return self._folder / f"qtest-{self._boots}"

    @property
    def serial(self) -> Path:
        return self._folder / f"serial-{self._boots}.log"

    def on(self) -> None:
        """Switch it on; returns once it has booted and can be asked."""
        self.switch_on()
        self.wait_until_booted()

    def switch_on(self) -> None:
        self._boots += 1
        card = self._folder / "card.qcow2"
        command = switched_on(self._pi, TREE, card, self.serial, below=self._below, first="/sbin/init")
        ways = ((self._asked, ASKED_PORT), (self.control, CONTROL_PORT), (self.page, PAGE_PORT))
        forwards = ",".join(f"hostfwd=tcp:127.0.0.1:{near}-:{far}" for near, far in ways)
        command += ["-device", "usb-net,netdev=net", "-netdev", f"user,id=net,restrict=on,{forwards}"]
        command += ["-qtest", f"unix:{self.pins},server=on,wait=off", "-qtest-log", "/dev/null"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def wait_until_booted(self) -> None:
        deadline = time.monotonic() + BOOT_S
        while not self._answers():
            assert self.process is not None
            assert self.process.poll() is None, "QEMU has ended"
            assert time.monotonic() < deadline, self.serial.read_text(errors="replace")[-3000:]
            time.sleep(1)

    def _answers(self) -> bool:
        try:
            return self.run("systemctl is-system-running --wait", 60).stdout.strip() in {
                "running",
                "degraded",
            }
        except (OSError, ValueError):  # there is no network yet, or nobody who answers
            return False

    def run(self, command: str, within_s: float = 300.0) -> subprocess.CompletedProcess[str]:
        within_s *= self.slowness
        with (
            socket.create_connection(("127.0.0.1", self._asked), within_s) as asked,
            asked.makefile("rw") as lines,
        ):
            lines.write(json.dumps({"id": 0, "run": command}) + "\n")
            lines.flush()
            told = json.loads(lines.readline())
        return subprocess.CompletedProcess(command, told["code"], told["told"], "")

    def put(self, path: Path) -> str:
        """The path of a file that was brought along."""
        return f"/var/{path.name}"

    def cut(self) -> None:
        """The power goes. What was not on the card is lost."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        if self.process is not None:
            self.cut()
