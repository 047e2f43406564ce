"""An image with the package that boots quickly where instructions are emulated, by an initrd of our own."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from userland import image as images
from userland.home import _kept

FIRST = Path(__file__).parent / "first.c"
LOADED = ("virtio_pci", "virtio_blk", "crc32c_generic", "ext4", "virtio_console", "virtio_net")
"""What a kernel of Debian needs beside itself to find its disk, the room that asks it, and a network."""


def installed(debian: Path, package: Path) -> Path:
    """A clean Debian into which apt has put the package, from outside of any machine."""

    def make(folder: Path) -> None:
        root = folder / "root"
        root.mkdir()
        _from_disk(debian, [f"rdump / {root}"])
        shutil.copy(package, root / "root" / package.name)
        typed = f"cd /root && DEBIAN_FRONTEND=noninteractive apt-get install -y ./{package.name}"
        inside = f"mount --bind /dev {root}/dev && mount -t proc proc {root}/proc && chroot {root} sh -c"
        command: list[str | Path] = ["unshare", "--mount", "sh", "-c", f"{inside} '{typed}'"]
        subprocess.run(command, check=True, capture_output=True)
        command = ["mke2fs", "-q", "-t", "ext4", "-d", root, folder / "disk.raw", images.SIZE]
        subprocess.run(command, check=True)
        shutil.rmtree(root)
        (folder / "vmlinuz").symlink_to((debian / "vmlinuz").resolve())

    return _kept("header", f"{debian.name}-{package.parent.name}", make)


def made(image: Path, release: str, into: Path) -> Path:
    """The image in the folder `into`, over the disk of `image`. Raises `CalledProcessError`."""
    into.mkdir()
    for name in ("vmlinuz", "disk.raw"):
        (into / name).symlink_to((image / name).resolve())
    tree = into / "tree"
    (tree / "modules").mkdir(parents=True)
    (tree / "dev").mkdir()
    subprocess.run(["gcc", "-O1", "-static", "-o", tree / "init", FIRST], check=True)
    top = f"/lib/modules/{release}"
    asked = [f"dump {top}/modules.dep {into}/modules.dep"]
    _from_disk(image, asked)
    for number, path in enumerate(_in_order((into / "modules.dep").read_text())):
        asked.append(f"dump {top}/{path} {tree}/modules/{number:02}-{Path(path).name}")
    _from_disk(image, asked)
    (into / "initrd.img").write_bytes(b"".join(archived(tree)))
    shutil.rmtree(tree)
    return into


def _from_disk(image: Path, requests: list[str]) -> None:
    command = ["debugfs", "-f", "-", image / "disk.raw"]
    subprocess.run(command, input="\n".join(requests), text=True, check=True, capture_output=True)


def _in_order(dependencies: str) -> list[str]:
    """The modules of `LOADED`, each after those that it needs: `modules.dep` has them the other way round."""
    found: dict[str, None] = {}
    for name in LOADED:
        line = re.search(rf"^(\S*/{name}\.ko):(.*)$", dependencies, re.M)
        assert line is not None, f"{name} is not among the modules"
        found |= dict.fromkeys([*reversed(line[2].split()), line[1]])
    return list(found)


def archived(tree: Path) -> Iterator[bytes]:
    """A tree as the kernel takes it for its first root: cpio's `newc`, each entry padded to four bytes."""
    entries = [(str(path.relative_to(tree)), path) for path in sorted(tree.rglob("*"))]
    for number, (name, path) in enumerate([*entries, ("TRAILER!!!", None)], 1):
        data = path.read_bytes() if path is not None and path.is_file() else b""
        mode = 0 if path is None else path.stat().st_mode
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        yield head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)
