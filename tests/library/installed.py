"""Environments with some of our distributions, installed from their wheels."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import distributions

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def wheels(into: Path, names: Iterable[str] = ()) -> list[Path]:
    """Wheels of these distributions, or of all. Raises `CalledProcessError`."""
    by_name = dict(zip(_names(), distributions.folders(), strict=True))
    folders = [by_name[name] for name in names or by_name]
    command = [*PIP, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(into), *map(str, folders)], check=True, timeout=120)
    return sorted(into.glob("*.whl"))


def _names() -> list[str]:
    return list(distributions.projects())


def bare(folder: Path) -> Path:
    """The Python of an environment with nothing in it, not even pip."""
    venv.create(folder, with_pip=False, symlinks=True)
    return folder / "bin" / "python"


def among_others(folder: Path) -> Path:
    """The Python of an environment that has what this one has, but for our own distributions."""
    python = bare(folder)
    others = folder / "others"
    others.mkdir()
    own = re.compile(rf"_?({'|'.join(_names())})[-.]")
    seen = Path(sysconfig.get_path("purelib"))
    for path in seen.iterdir():
        if not own.match(path.name) and path.suffix != ".pth":
            (others / path.name).symlink_to(path)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    (site / "others.pth").write_text(f"{others}\n")
    return python


def pip(python: Path, *words: str | Path) -> None:
    """Have pip work on the environment of that Python. Raises `CalledProcessError`."""
    subprocess.run([*PIP, "--python", python, *words], check=True, timeout=120, stdout=subprocess.DEVNULL)


def run(python: Path, *words: str) -> str:
    """What an isolated Python says, far from this repository."""
    command = [str(python), "-I", *words]
    told = subprocess.run(command, cwd=python.parent, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    return told.stdout


def is_whole(name: str, python: Path) -> bool:
    """Whether all files that a distribution brought are there."""
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (found,) = metadata.distributions(name=name, path=[str(site)])
    return all(Path(str(found.locate_file(file))).is_file() for file in found.files or ["none"])
