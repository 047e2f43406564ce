"""A booted Debian in a container: systemd, apt and dpkg of a clean release, without a machine's hardware."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from abc import ABC, abstractmethod
from pathlib import Path

PROGRAMS = ("systemd-nspawn", "nsenter", "mmdebstrap")
_INCLUDED = "systemd,systemd-sysv,dbus,udev,procps,python3-venv"
_LEADER, _READY = "X_NSPAWN_LEADER_PID=", "READY=1"
"""What systemd-nspawn notifies: the process that is the container's first, and that it has booted."""
_BOOTED_WITHIN_S = 120


def lacking() -> str:
    """Why no container can be booted here; empty where one can."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        return f"{', '.join(missing)} not on this machine (Debian: apt install systemd-container mmdebstrap)"
    if os.geteuid() != 0:
        return "only root may boot a container"
    return ""


def make_root(release: str, root: Path, more: str = "", architecture: str = "amd64") -> None:
    """Make the files of a clean release, with `more` packages. Raises `CalledProcessError` where they can't
    be had, or where programs of that architecture don't run."""
    included = f"--include={_INCLUDED},{more}".strip(",")
    command = ["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", included]
    subprocess.run([*command, f"--architectures={architecture}", release, root], check=True)


def fetch_upgrade(root: Path, release: str, following: str) -> None:
    """Have apt know the next release and fetch its packages. Raises `CalledProcessError` without them."""
    command = f"sed -i s/{release}/{following}/ /etc/apt/sources.list && apt-get --quiet update"
    command += " && apt-get --quiet --yes --download-only full-upgrade"
    subprocess.run(["chroot", root, "sh", "-c", command], check=True, stdout=subprocess.DEVNULL)


class Debian(ABC):
    """A booted Debian that an administrator types at."""

    slowness = 1.0
    """How many times as long as in a container what is typed may take."""

    @abstractmethod
    def run(self, command: str, within_s: float = 300.0) -> subprocess.CompletedProcess[str]:
        """Have its shell run a command as root, without a terminal."""

    @abstractmethod
    def put(self, path: Path) -> str:
        """Copy a file into it; its path there."""

    def tell(self, command: str, within_s: float = 300.0) -> str:
        """What a command says that has to succeed."""
        ran = self.run(command, within_s)
        assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
        return ran.stdout.strip()


class Container(Debian):
    """One that runs, until `close`. It is in no network."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        path = folder / "notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(str(path))
            notified.settimeout(_BOOTED_WITHIN_S)
            command = ["systemd-nspawn", "--quiet", f"--directory={root}", "--machine=board", "--boot"]
            command += [
                "--private-network",
                "--register=no",
                "--keep-unit",
                "--console=pipe",
                "--notify-ready=yes",
            ]
            with (folder / "console.txt").open("wb") as console:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=console,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, "NOTIFY_SOCKET": str(path)},
                    start_new_session=True,
                )
            said: list[str] = []
            while _READY not in said:
                said += notified.recv(4096).decode().splitlines()
        path.unlink()
        (self._leader,) = (line.removeprefix(_LEADER) for line in said if line.startswith(_LEADER))

    def run(self, command: str, within_s: float = 300.0) -> subprocess.CompletedProcess[str]:
        words = ["nsenter", f"--target={self._leader}", "--all", "sh", "-c", f"cd /root; {command}"]
        environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        return subprocess.run(
            words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=within_s, env=environ
        )

    def put(self, path: Path) -> str:
        shutil.copy(path, self.root / "var" / path.name)
        return f"/var/{path.name}"

    def outside(self, path: str) -> Path:
        """A path in there as it is out here, also in what is mounted in there alone."""
        return Path(f"/proc/{self._leader}/root{path}")

    def close(self) -> None:
        """Switch it off."""
        self._process.terminate()
        self._process.wait()
