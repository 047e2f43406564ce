"""The emulated Pico's core as machine code for this Python alone, for whoever plays whole games on it.

    python -m boardlab.benchmarks.emulator                      # into build/emulator, half a minute
    PYTHONPATH=build/emulator make nightly ARGS=tests/pico/test_emulated_games.py

The wheels of rp2040py are compiled once for every Python, by its stable interface: calls from one part of the
core to another look a name up each time. They bring their C with them. Compiled for one Python it takes a
third of the time, and counts the same cycles.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from boardlab.benchmarks.compiled import CannotCompile, missing_build_tool

ROOT = Path(__file__).resolve().parents[4]
DIRECTORY = ROOT / "build" / "emulator"
NAME = "rp2040py"


def installed_package_path() -> Path:
    """Where the package is."""
    found = importlib.util.find_spec(NAME)
    if found is None or not found.origin:
        raise CannotCompile(f"{NAME} is not installed (it comes with the extra dev)")
    return Path(found.origin).parent


def build(directory: Path = DIRECTORY, *, optimize: str = "-O3") -> Path:
    """Compile it into a directory for `PYTHONPATH`, unless that was done with the same version and Python.

    It is there whole or not at all. Raises `CannotCompile` where something is missing for it.
    """
    lacking = missing_build_tool()
    if lacking is not None:
        raise CannotCompile(lacking)
    stamp = directory / "made-of"
    now = f"{NAME} {importlib.metadata.version(NAME)}, Python {sys.version}, {optimize}"
    if stamp.is_file() and stamp.read_text() == now:
        return directory
    print("compiling the emulated Pico's core: half a minute ...", file=sys.stderr)
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent, ignore_cleanup_errors=True) as made:
        _compile(installed_package_path(), Path(made) / NAME, optimize)
        (Path(made) / stamp.name).write_text(now)
        shutil.rmtree(directory, ignore_errors=True)
        Path(made).rename(directory)
    return directory


def _compile(package: Path, target: Path, optimize: str) -> None:
    shutil.copytree(package, target, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    shared = ["-shared", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    sources = sorted((target / "native").glob("*.c"))
    if not sources:
        raise CannotCompile(f"{package / 'native'}: there is no C; it comes with wheels of {NAME}")
    for source in sources:
        into = source.with_name(source.stem + sysconfig.get_config_var("EXT_SUFFIX"))
        words = [*shared, "-fPIC", optimize, "-fno-strict-aliasing", "-DNDEBUG", "-w"]
        include = f"-I{sysconfig.get_path('include')}"
        command = [*compiler, *words, include, str(source), "-o", str(into)]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        if told.returncode:
            raise CannotCompile(f"{source.name}: {told.stderr[-500:]}")


def main() -> int:
    try:
        directory = build()
    except CannotCompile as error:
        print(f"not compiled: {error}", file=sys.stderr)
        return 1
    print(f"PYTHONPATH={directory.relative_to(ROOT)} (of this version of {NAME}, for this Python)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
