"""A Raspberry Pi 3 of QEMU: Debian's own arm64 kernel and device tree, the package's program on its card.

Nothing of arm64 runs while it is made: packages are unpacked, not configured, so that it takes a minute. It
has no systemd: a script is its first process.

QEMU models the chip of the pins (outputs can be read back; inputs have no pulls, and only its test protocol
sets them), the card, serial lines, USB, and from version 9.1 on SPI without DMA.
"""

from __future__ import annotations

import lzma
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PYTHON = "3.13"
"""Trixie's."""
PROGRAMS = ("qemu-system-aarch64", "qemu-img", "mmdebstrap", "mke2fs", "fdtput", "fdtget", "cpio")
MODULES = ("crc32c_generic", "ext4", "bcm2835", "spi_bcm2835", "dwc2", "cdc_ether")
"""The file system of the card, the card, SPI, USB, the network adapter in its port."""
REVISION = "a02082"
"""A Pi 3 B, as its firmware tells the kernel; QEMU has no firmware."""
ENDED_S = 1800.0
"""Until it has told all: a minute or two on an idle machine."""
ENDED = "asked: ended with"
TURN_S = 0.5
_HURRY = "mitigations=off systemd.default_timeout_start_sec=900"
"""What an emulated kernel leaves out (it guards programs from each other), and time to start."""
_INCLUDED = "python3,linux-image-arm64,busybox-static,dash,coreutils,libc6"
_INITRD = """\
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /new
/bin/busybox mount -t devtmpfs d /dev
while read module; do /bin/busybox insmod $module; done </order
while [ ! -b /dev/mmcblk0 ]; do /bin/busybox sleep 1; done
/bin/busybox mount -t ext4 /dev/mmcblk0 /new
/bin/busybox mount --move /dev /new/dev
exec /bin/busybox switch_root /new $first
"""
_FIRST = """\
#!/usr/bin/dash
export PATH=/usr/sbin:/usr/bin HOME=/tmp PYTHONPATH=/opt/program
busybox mount -t proc p /proc; busybox mount -t sysfs s /sys
busybox mount -t tmpfs t /run; busybox mount -t tmpfs t /tmp
busybox ip link set lo up
python3 -u /asked.py </dev/null
echo "asked: ended with $?"
busybox sleep 1d
"""


def lacking() -> str:
    """Why no such Pi can be made here; empty where one can."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    wanted = "apt install qemu-system-arm qemu-utils mmdebstrap device-tree-compiler cpio"
    return f"{', '.join(missing)} not on this machine (Debian: {wanted})" if missing else ""


def has_spi() -> bool:
    """Whether this QEMU has the SPI of a Pi."""
    told = subprocess.run(["qemu-system-aarch64", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"version (\d+)\.(\d+)", told)
    return found is not None and (int(found[1]), int(found[2])) >= (9, 1)


def made(folder: Path, files: Mapping[str, str]) -> Path:
    """The folder with `Image`, `initrd`, `pi.dtb`, `spi.dtb` and `card`, with `files` in the card's root. Its
    Pi runs the script `asked.py` of these.

    Raises `CalledProcessError` without Debian or without an index of packages.
    """
    root = folder / "root"
    command = ["mmdebstrap", "--quiet", "--mode=root", "--variant=extract", "--architectures=arm64"]
    subprocess.run([*command, f"--include={_INCLUDED}", "trixie", root], check=True)
    for name in ("bin", "sbin", "lib"):
        if not (root / name).exists():
            (root / name).symlink_to(f"usr/{name}")
    for name in ("proc", "sys", "run", "dev", "tmp"):
        (root / name).mkdir(exist_ok=True)
    _lay_program(folder, root / "opt/program")
    (root / "first").write_text(_FIRST)
    (root / "first").chmod(0o755)
    for name, text in files.items():
        (root / name).write_text(text)
    shutil.copy(next((root / "boot").glob("vmlinuz-*")), folder / "Image")
    _lay_initrd(root, folder)
    _lay_device_trees(next(root.glob("usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb")), folder)
    for heavy in (root / "boot", next(root.glob("usr/lib/linux-image-*")), root / "var/cache"):
        shutil.rmtree(heavy)
    # The size of a card is a power of two; no mount and no loop device.
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, folder / "card", "1G"], check=True)
    shutil.rmtree(root)
    return folder


def _lay_program(folder: Path, into: Path) -> None:
    """The wheels of the package for arm64, as pip lays them on a Pi."""
    build = [sys.executable, ROOT / "package/build.py", "--arch", "arm64", "--python", PYTHON]
    subprocess.run([*build, "--into", folder / "deb"], check=True, capture_output=True)
    (package,) = (folder / "deb").glob("*.deb")
    subprocess.run(["dpkg-deb", "--extract", package, folder / "unpacked"], check=True)
    share = folder / "unpacked/usr/share/boardumpire"
    platforms = [word for minor in range(17, 37) for word in ("--platform", f"manylinux_2_{minor}_aarch64")]
    command = [
        *(sys.executable, "-m", "pip", "install", "--isolated", "--quiet", "--disable-pip-version-check"),
        *(
            "--no-index",
            "--no-deps",
            "--no-compile",
            "--require-hashes",
            "--only-binary=:all:",
            "--root-user-action",
            "ignore",
        ),
        *("--implementation", "cp", "--python-version", PYTHON, *platforms, "--target", into),
        *("--find-links", share / "wheels", "--requirement", share / f"requirements-{PYTHON}.txt"),
    ]
    subprocess.run(command, check=True)


def _lay_initrd(root: Path, folder: Path) -> None:
    """What mounts the card: a shell and the kernel's modules in the order that they need each other."""
    (modules,) = (root / "usr/lib/modules").iterdir()
    inside = {
        path.stem.replace("-", "_") for path in map(Path, (modules / "modules.builtin").read_text().split())
    }
    paths = {path.name.partition(".ko")[0].replace("-", "_"): path for path in modules.rglob("*.ko*")}
    tree, order = folder / "initrd-tree", dict[str, bytes]()

    def add(name: str) -> None:
        if name in inside or name in order:
            return
        packed = paths[name].read_bytes()
        data = lzma.decompress(packed) if paths[name].suffix == ".xz" else packed
        needed = re.search(rb"\0depends=([^\0]+)\0", data)
        for each in needed[1].decode().split(",") if needed else ():
            add(each.replace("-", "_"))
        order[name] = data

    for name in MODULES:
        add(name)
    (tree / "bin").mkdir(parents=True)
    shutil.copy(root / "usr/bin/busybox", tree / "bin")
    for name, data in order.items():
        (tree / f"{name}.ko").write_bytes(data)
    (tree / "order").write_text("".join(f"/{name}.ko\n" for name in order))
    (tree / "init").write_text(_INITRD)
    (tree / "init").chmod(0o755)
    names = "\n".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*")))
    packing = ["cpio", "--create", "--format=newc", "--quiet"]
    with (folder / "initrd").open("wb") as packed:
        subprocess.run(packing, input=names.encode(), stdout=packed, cwd=tree, check=True)


def _lay_device_trees(debian: Path, folder: Path) -> None:
    """Debian's own, and one with SPI as the overlay spi0-0cs of Raspberry Pi OS has it."""
    spi, pins = "/soc/spi@7e204000", "/soc/gpio@7e200000"
    for name in ("pi.dtb", "spi.dtb"):
        shutil.copy(debian, folder / name)
        _put(folder / name, "-c", "/system")
        _put(folder / name, "-t", "x", "/system", "linux,revision", REVISION)
    tree = folder / "spi.dtb"
    phandle = subprocess.run(
        ["fdtget", "-t", "x", tree, pins, "phandle"], capture_output=True, text=True, check=True
    ).stdout.strip()
    _put(tree, "-t", "s", spi, "status", "okay")
    _put(tree, "-d", spi, "dmas", "dma-names")
    # Chip select at a pin that the header doesn't have: GPIO8 is the board's.
    _put(tree, "-t", "x", spi, "cs-gpios", phandle, "2e", "1")
    _put(tree, "-c", f"{spi}/spidev@0")
    _put(tree, "-t", "s", f"{spi}/spidev@0", "compatible", "rohm,dh2228fv")
    _put(tree, "-t", "x", f"{spi}/spidev@0", "reg", "0")
    _put(tree, "-t", "i", f"{spi}/spidev@0", "spi-max-frequency", "125000000")


def _put(tree: Path, *words: str) -> None:
    """Calls `fdtput`, whose options stand before the tree."""
    count = 2 if words[0] == "-t" else 1
    subprocess.run(["fdtput", *words[:count], tree, *words[count:]], check=True)


def switched_on(
    pi: Path, tree: str, card: Path, serial: Path, *, below: Path | None = None, first: str = "/first"
) -> list[str | Path]:
    """The command that switches it on with that device tree. `card` is what it writes to, made over the card
    `below` if it isn't there; `serial` is the file of what it tells; `first` is its first process."""
    if not card.exists():
        backing = ("-b", below or pi / "card", "-F", "raw")
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", *backing, card], check=True)
    # QEMU's card is never told to flush: what it has taken has to be in the file.
    drive = f"file={card},if=sd,format=qcow2,cache=writethrough"
    return [
        *("qemu-system-aarch64", "-M", "raspi3b", "-accel", "tcg,thread=multi", "-display", "none"),
        *("-monitor", "none", "-no-reboot", "-kernel", pi / "Image", "-initrd", pi / "initrd"),
        *("-dtb", pi / tree, "-drive", drive),
        *("-serial", "null", "-serial", f"file:{serial}"),
        *("-append", f"console=ttyS1,115200 loglevel=3 panic=-1 first={first} {_HURRY}"),
    ]


def told(pi: Path, tree: str) -> str:
    """Switch it on with that device tree; what it told until it had ended."""
    serial = pi / f"{tree}.log"
    command = switched_on(pi, tree, pi / f"{tree}.qcow2", serial)
    text, deadline = "", time.monotonic() + ENDED_S
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        # QEMU's Pi can't switch itself off.
        while ENDED not in text and process.poll() is None and time.monotonic() < deadline:
            time.sleep(TURN_S)
            text = serial.read_text(errors="replace").replace("\r", "") if serial.exists() else ""
        process.kill()
    return text
