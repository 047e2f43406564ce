"""`make install`: what the package does, from a checkout; `make uninstall` takes it away again.

The same files lie in the same places, and the same script makes users and environment. `DESTDIR` names a
folder that becomes the root of another machine: there only files are laid, which needs no root.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import build

SYSTEM_PYTHON = "/usr/bin/python3"
LISTED = Path("usr/share/boardumpire/installed")
"""What `make install` has laid there, a path a line: `make uninstall` takes these away."""


def main() -> None:
    """Install, or take away."""
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__)
    parser.add_argument("--destdir", metavar="DIR", default="", help="a folder instead of this machine")
    parser.add_argument("--remove", action="store_true", help="take away what was installed; games stay")
    given = parser.parse_args()
    os.umask(0o022)  # the service's user has to read and run what is laid, whatever this user's files are
    root = Path(given.destdir or "/")
    if not root.is_absolute():
        sys.exit(f"make: DESTDIR is {given.destdir}; give an absolute path")
    if not given.destdir and os.geteuid() != 0:
        sys.exit("make: this needs root: sudo make install, or sudo make uninstall")
    if _has_package(root):
        sys.exit("make: the package boardumpire is installed here: sudo apt remove boardumpire, then again")
    if given.remove:
        remove(root)
    else:
        install(root)


def _has_package(root: Path) -> bool:
    asked = ["dpkg-query", f"--admindir={root / 'var/lib/dpkg'}", "-Wf", "${db:Status-Status}", "boardumpire"]
    return shutil.which("dpkg-query") is not None and (
        subprocess.run(asked, capture_output=True, text=True).stdout == "installed"
    )


def install(root: Path) -> None:
    """Lay the files and make the environment; on this very machine also users, and the units turned on."""
    machine = os.uname().machine
    arch = next((arch for arch, name in build.MACHINES.items() if name == machine), None)
    if arch is None:
        sys.exit(f"make: there is no package for {machine}, only for {', '.join(build.MACHINES.values())}")
    asked = [SYSTEM_PYTHON, "-c", "import venv, ensurepip, sys; print('%d.%d' % sys.version_info[:2])"]
    told = subprocess.run(asked, capture_output=True, text=True)
    if told.returncode != 0:
        sys.exit(f"make: {SYSTEM_PYTHON} can't make an environment: sudo apt install python3-venv")
    before = (root / LISTED).exists()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        build.laid_out(tree, arch, "1", [told.stdout.strip()])
        _lay(tree, root)
    if root == Path("/"):
        _script(root, "postinst", "configure", "before" if before else "")
    else:
        _script(root, "postinst", "environment")
    print(f"installed; {root / build.CONFIG} says how to configure it")


def _lay(tree: Path, root: Path) -> None:
    _take_away(root)  # the wheels of another version
    laid = []
    for path in sorted(path for path in tree.rglob("*") if path.is_file()):
        there = path.relative_to(tree)
        laid.append(f"{there}\n")
        (root / there).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, root / there)
    (root / LISTED).write_text("".join(laid))


def remove(root: Path) -> None:
    """Take away all but games, key and configuration."""
    if not (root / LISTED).exists():
        sys.exit(f"make: nothing that `make install` laid is below {root}")
    _script(root, "prerm", "remove")
    _take_away(root)
    _script(root, "postrm", "remove")


def _take_away(root: Path) -> None:
    """The files, and folders of our own that are empty then."""
    listed = root / LISTED
    if not listed.exists():
        return
    for there in [*listed.read_text().splitlines(), str(LISTED)]:
        (root / there).unlink(missing_ok=True)
        for folder in Path(there).parents:
            if folder.name not in ("boardumpire", "wheels") or any((root / folder).iterdir()):
                break
            (root / folder).rmdir()


def _script(root: Path, name: str, *words: str) -> None:
    """One of the package's own scripts."""
    environ = {**os.environ, "DPKG_ROOT": "" if root == Path("/") else str(root)}
    subprocess.run(["sh", build.ROOT / "package/scripts" / name, *words], env=environ, check=True)


if __name__ == "__main__":
    main()
