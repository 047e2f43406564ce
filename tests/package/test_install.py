"""`make install` and the wheel: from a checkout, into a folder, without root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SYSTEM_PYTHON = "/usr/bin/python3"
USER_EDIT = "# somebody's own line\n"


WITHOUT_ROOT = ["unshare", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
"""Root is then nobody special: his own files are his, and nothing else is."""


def lacking() -> str:
    """Why nothing can be installed here; empty where it can."""
    found = subprocess.run([SYSTEM_PYTHON, "-c", "import venv, ensurepip"], capture_output=True)
    if found.returncode != 0:
        return f"{SYSTEM_PYTHON} has no python3-venv"
    if WITHOUT_ROOT and subprocess.run([*WITHOUT_ROOT, "true"], capture_output=True).returncode != 0:
        return "root can't be left here"
    return ""


def plainly(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run it as somebody without rights."""
    environ = {**os.environ, "HOME": str(folder)}
    command = [*WITHOUT_ROOT, *words]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environ)
    if ran.stderr.startswith("unshare: unshare failed"):
        pytest.skip("root can't be left here")
    return ran


@pytest.mark.nightly
@pytest.mark.skipif(bool(lacking()), reason=lacking() or "all is here")
def test_make_install_lays_what_the_package_does_and_needs_no_root(tmp_path: Path) -> None:
    root = tmp_path / "root"

    def make(what: str) -> subprocess.CompletedProcess[str]:
        made = (".venv/.play", f"DESTDIR={root}")  # nothing is put into .venv
        strict = ("sh", "-c", 'umask 077; exec "$@"', "sh")  # as some administrators have it
        return plainly(*strict, "make", "--no-print-directory", what, "--old-file", *made, folder=tmp_path)

    made = make("install")
    if "No matching distribution" in made.stderr or "ConnectionError" in made.stderr:
        pytest.skip("no package index with these wheels can be reached from here")
    assert made.returncode == 0, made.stderr
    defaults = root / "usr/share/boardumpire/boardumpire.toml"
    assert made.stdout == f"installed; {defaults} says how to configure it\n"
    for there in (
        "usr/bin/boardumpire",
        "usr/lib/systemd/system/boardumpire.service",
        "usr/lib/systemd/system/boardumpire-backup.timer",
        "usr/lib/systemd/system/boardumpire-config.path",
        "usr/lib/systemd/system/boardumpire-config.service",
        "usr/lib/sysusers.d/boardumpire.conf",
        "usr/lib/tmpfiles.d/boardumpire.conf",
        "usr/lib/udev/rules.d/60-boardumpire.rules",
        "usr/share/man/man1/boardumpire.1.gz",
    ):
        assert (root / there).is_file(), there

    closed = [path for path in root.rglob("*") if not path.is_symlink() and not path.stat().st_mode & 0o004]
    assert closed == [], "the service's user runs it"

    moved = tmp_path / "elsewhere"  # as the root of a machine is, once it is booted
    root.rename(moved)
    program, config = moved / "opt/boardumpire/bin/boardumpire", moved / defaults.relative_to(root)
    assert str(root) not in program.read_text()
    checked = plainly(program, "check-config", "--no-machine", "--config", config, folder=tmp_path)
    assert (checked.returncode, checked.stderr) == (0, "")
    moved.rename(root)

    config = root / "etc/boardumpire/boardumpire.toml"
    config.parent.mkdir(parents=True)
    config.write_text(USER_EDIT)
    again = make("install")
    assert again.returncode == 0, again.stderr
    assert config.read_text() == USER_EDIT

    gone = make("uninstall")
    assert gone.returncode == 0, gone.stderr
    assert [path for path in root.rglob("*") if path.is_file()] == [config]
    assert "nothing that `make install` laid" in make("uninstall").stderr


def test_this_machine_is_for_root_alone_and_a_folder_has_to_be_named_wholly(tmp_path: Path) -> None:
    script = (sys.executable, ROOT / "package" / "install.py")
    refused = plainly(*script, folder=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "needs root: sudo make install" in refused.stderr
    refused = plainly(*script, "--destdir", "there", folder=tmp_path)
    assert "give an absolute path" in refused.stderr


@pytest.mark.skipif(not shutil.which("dpkg-query"), reason="there is no dpkg on this machine")
def test_it_does_not_lie_down_over_the_package(tmp_path: Path) -> None:
    known = tmp_path / "root/var/lib/dpkg"
    (known / "updates").mkdir(parents=True)
    (known / "info").mkdir()
    (known / "status").write_text(
        "Package: boardumpire\nStatus: install ok installed\nVersion: 1.0.0-1\nArchitecture: all\n"
        "Maintainer: nobody <n@localhost.invalid>\nDescription: here\n"
    )
    refused = plainly(
        sys.executable, ROOT / "package" / "install.py", "--destdir", tmp_path / "root", folder=tmp_path
    )
    assert "the package boardumpire is installed here" in refused.stderr


@pytest.mark.slow
def test_the_wheel_carries_units_and_configuration(tmp_path: Path) -> None:
    words = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    made = subprocess.run(
        [sys.executable, *words, "--wheel-dir", tmp_path, ROOT / "controller" / "umpire"],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        carried = {
            name.partition(".data/data/share/boardumpire/systemd/")[2]: packed.read(name)
            for name in packed.namelist()
            if re.search(r"\.data/data/share/boardumpire/systemd/", name)
        }
    assert carried == {path.name: path.read_bytes() for path in (ROOT / "systemd").iterdir()}
    assert {"boardumpire.service", "boardumpire.toml"} <= carried.keys()
