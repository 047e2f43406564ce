"""Packages for the machines: as `make deb` builds it, a newer one, and a newer one that does not run."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNS = "boardumpire/commands/daemon.py"
"""The module of the wheel that `boardumpire run` begins in."""


class NoWheels(Exception):  # noqa: N818 - a state of the world
    """No package index with the wheels of a package can be reached."""


def built(into: Path, arch: str = "amd64", pythons: Iterable[str] = ("3.11",), *more: str) -> None:
    """Build the package, for Debian 12 unless said otherwise; `more` are options. Raises `NoWheels`."""
    build = [sys.executable, ROOT / "package" / "build.py", "--arch", arch, *more]
    build += [word for python in pythons for word in ("--python", python)]
    ran = subprocess.run([*build, "--into", into], capture_output=True, text=True)
    if "No matching distribution" in ran.stderr or "ConnectionError" in ran.stderr:
        raise NoWheels
    assert ran.returncode == 0, ran.stderr


def revised(package: Path, into: Path, revision: int, *, more: str = "") -> Path:
    """The package with another revision; `more` stands at the end of what `boardumpire run` begins in."""
    tree = into / f"revision-{revision}"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    share = tree / "usr/share/boardumpire"
    (wheel,) = (share / "wheels").glob("boardumpire-*.whl")
    before = _digest(wheel)
    with zipfile.ZipFile(wheel) as old:
        entries = [(each, old.read(each)) for each in old.infolist()]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
        for each, data in entries:
            new.writestr(each, data + more.encode() if each.filename == RUNS else data)
    for wanted in share.glob("requirements-*.txt"):
        wanted.write_text(wanted.read_text().replace(before, _digest(wheel)))
    control = tree / "DEBIAN" / "control"
    version = next(line for line in control.read_text().splitlines() if line.startswith("Version: "))
    renewed = f"{version.rpartition('-')[0]}-{revision}"
    control.write_text(control.read_text().replace(version, renewed))
    (tree / "DEBIAN" / "md5sums").unlink()
    made = into / f"boardumpire_{renewed.split()[1]}_{package.stem.rpartition('_')[2]}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, made]
    subprocess.run(command, check=True, capture_output=True)
    return made


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
