"""The disk of a clean Debian 12, made from Debian's packages by mmdebstrap, kept in `build/userland`.

Besides what Debian calls important it has a kernel, Python, sudo, curl and the agent of the tests. What the
package depends on is not installed: apt has it in its cache, as if the machine had a network.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BUILT = HERE.parents[1] / "build" / "userland"
INCLUDED = (
    *("linux-image-amd64", "initramfs-tools", "python3", "sudo", "curl", "dbus", "ca-certificates"),
    "systemd-sysv",
)
CACHED = "python3-venv udev polkitd"
"""What the package depends on or recommends."""
SIZE = "3G"
PROGRAMS = ("qemu-system-x86_64", "qemu-img", "mmdebstrap", "mke2fs")

_UNIT = """\
[Unit]
Description=The room in which this machine is tested
DefaultDependencies=no
After=local-fs.target systemd-udevd.service
Before=shutdown.target
Conflicts=shutdown.target
[Service]
ExecStart=/usr/bin/python3 -u /usr/local/sbin/room-agent
Restart=always
[Install]
WantedBy=sysinit.target
"""
_PLUGGED = """\
[Unit]
Description=A Pico in a USB port of this machine
DefaultDependencies=no
After=local-fs.target systemd-udevd.service
ConditionPathExists=/etc/room-pico
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /usr/local/sbin/room-pico
[Install]
WantedBy=sysinit.target
"""
PLUG = (
    "modprobe dummy_hcd && modprobe g_serial use_acm=1 idVendor=0x2e8a idProduct=0x0005"
    " iManufacturer=MicroPython iProduct=Board iSerialNumber=E66164084373532B"
)
"""The kernel's own loop of USB: a gadget that says it is a Pico, on a host of its own."""
_NETWORK = "[Match]\nName=en*\n[Network]\nDHCP=ipv4\n"
_FILES = {
    "etc/fstab": "/dev/vda / ext4 defaults 0 1\n",
    "etc/hostname": "board\n",
    "etc/hosts": "127.0.0.1 localhost\n127.0.1.1 board\n",
    "etc/systemd/network/80-room.network": _NETWORK,
    "etc/systemd/system/room-agent.service": _UNIT,
    "etc/systemd/system/room-pico.service": _PLUGGED,
    "usr/local/sbin/room-pico": PLUG + "\n",
    "etc/systemd/system.conf.d/room.conf": "[Manager]\nDefaultTimeoutStopSec=20s\n",
}
_WITH_ALL = "-o APT::Install-Recommends=true"
"""As apt does in the machine: what is recommended comes along."""
_ENABLED = ("room-agent.service", "room-pico.service", "systemd-networkd.service")
_MASKED = ("apt-daily.timer", "apt-daily-upgrade.timer", "e2scrub_all.timer", "fstrim.timer")


def lacking() -> str:
    """Why no virtual machine can be made here; empty where one can."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        wanted = "apt install qemu-system-x86 qemu-utils mmdebstrap"
        return f"{', '.join(missing)} not on this machine (Debian: {wanted})"
    if os.geteuid() != 0:
        return "only root may make a Debian system"
    return ""


def made() -> Path:
    """The folder with `disk.raw`, `vmlinuz` and `initrd.img`. Raises `CalledProcessError` without Debian."""
    sources = b"".join((HERE / name).read_bytes() for name in ("image.py", "agent.py"))
    recipe = hashlib.sha256(sources).hexdigest()[:12]
    folder = BUILT / recipe
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            for old in BUILT.glob("????????????"):
                shutil.rmtree(old)
            with tempfile.TemporaryDirectory(dir=BUILT, prefix="making-") as making:
                _make(Path(making))
                (Path(making) / "kept").rename(folder)
    return folder


def _make(making: Path) -> None:
    root, kept, overlay = making / "root", making / "kept", making / "overlay"
    for name, text in _FILES.items():
        (overlay / name).parent.mkdir(parents=True, exist_ok=True)
        (overlay / name).write_text(text)
    shutil.copy(HERE / "agent.py", overlay / "usr/local/sbin/room-agent")
    command = [
        *("mmdebstrap", "--quiet", "--mode=root", "--variant=important", "--skip=cleanup/apt"),
        *(f"--include={','.join(INCLUDED)}", '--aptopt=Acquire::Languages "none"'),
        "--customize-hook=chroot $1 apt-get clean",
        f"--customize-hook=chroot $1 apt-get {_WITH_ALL} install --download-only --yes {CACHED}",
        f"--customize-hook=cp -r {overlay}/. $1/",
        f"--customize-hook=chroot $1 systemctl enable {' '.join(_ENABLED)}",
        f"--customize-hook=chroot $1 systemctl mask {' '.join(_MASKED)}",
        *("bookworm", root),
    ]
    subprocess.run(command, check=True)
    kept.mkdir()
    shutil.copy(next((root / "boot").glob("vmlinuz-*")), kept / "vmlinuz")
    shutil.copy(next((root / "boot").glob("initrd.img-*")), kept / "initrd.img")
    # No mount and no loop device: the file system is made from the folder.
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, kept / "disk.raw", SIZE], check=True)
