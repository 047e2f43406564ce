"""The header of a Raspberry Pi as a kernel module, built for the kernel of an image."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from boardware.parts import Board
from userland import image

HERE = Path(__file__).parent
SOURCES = (HERE / "pi_header.c", HERE / "Kbuild")
NAME = "pi_header"
FILE = f"{NAME}.ko"
DEVICE = "/sys/devices/platform/pi-header"
"""Where the machine has what `pi_header.c` tells and takes."""
DRIVER = "/sys/bus/platform/drivers/pi-header"
COMPILER = "gcc-12"
"""What Debian 12 builds its kernel with."""


class Pi(NamedTuple):
    """What a machine is to be taken for."""

    model: str
    compatible: str
    revision: int
    """As Raspberry Pi's documentation lists it."""
    label: str
    lines: int


PI_4 = Pi(
    "Raspberry Pi 4 Model B Rev 1.4", "raspberrypi,4-model-b;brcm,bcm2711", 0xC03114, "pinctrl-bcm2711", 58
)
PI_5 = Pi("Raspberry Pi 5 Model B Rev 1.0", "raspberrypi,5-model-b;brcm,bcm2712", 0xC04170, "pinctrl-rp1", 54)


class NoHeaders(Exception):  # noqa: N818 - a state of the world
    """What the module is built with can't be had; says what."""


def built(debian: Path) -> Path:
    """The module for the kernel of an image, kept beside the images.

    Raises `NoHeaders`, `CalledProcessError`.
    """
    kernel = release(debian)
    digest = hashlib.sha256(kernel.encode() + b"".join(each.read_bytes() for each in SOURCES))
    kept = image.BUILT / f"module-{digest.hexdigest()[:12]}" / FILE
    if not kept.exists():
        with tempfile.TemporaryDirectory(dir=image.BUILT, prefix="making-") as making:
            folder = Path(making) / "module"
            folder.mkdir()
            for each in SOURCES:
                shutil.copy(each, folder)
            make = ["make", "-s", "-C", _headers(kernel, Path(making)), f"M={folder}", "modules"]
            subprocess.run(make, check=True, capture_output=True)
            kept.parent.mkdir(exist_ok=True)
            (folder / FILE).rename(kept)
    return kept


def release(image: Path) -> str:
    """What the kernel of an image calls itself, `6.1.0-56-amd64`. Its head says where that stands."""
    data = (image / "vmlinuz").read_bytes()
    at = int.from_bytes(data[0x20E:0x210], "little") + 0x200
    return data[at : at + 100].split(b" ")[0].decode()


def _headers(kernel: str, making: Path) -> Path:
    """The folder to build in, below `making`: packages that are unpacked, not installed."""
    version, _, _ = kernel.rpartition("-")
    wanted = [f"linux-headers-{kernel}", f"linux-headers-{version}-common"]
    wanted.append(f"linux-kbuild-{'.'.join(kernel.split('.')[:2])}")
    if shutil.which(COMPILER) is None or shutil.which("make") is None:
        raise NoHeaders(f"no make or {COMPILER} here, which builds modules for {kernel}")
    if subprocess.run(["apt-get", "download", "-q", *wanted], cwd=making, capture_output=True).returncode:
        raise NoHeaders(f"apt-get has no {', '.join(wanted)}")
    for package in making.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, making], check=True)
    folder = making / "usr/src" / f"linux-headers-{kernel}"
    # It names the folder where it would have been installed.
    first = folder / "Makefile"
    first.write_text(first.read_text().replace("/usr/src/", f"{making}/usr/src/"))
    return folder


def parameters(board: Board, pi: Pi) -> str:
    """What the module is to be: a board with one bank, on the header of a Pi."""
    (bank,) = board.banks.values()
    wires = {"rows": bank.rows, "columns": bank.columns, "buttons": [b.gpio for b in board.buttons.values()]}
    words = [f"{name}={','.join(str(gpio) for gpio in gpios)}" for name, gpios in wires.items()]
    words += [f"diodes={int(bank.diodes)}", "spi=1", f"label={pi.label}", f"lines={pi.lines}"]
    words += [f"""model='"{pi.model}"'""", f"compatible='{pi.compatible}'", f"revision={pi.revision}"]
    return " ".join(words)
