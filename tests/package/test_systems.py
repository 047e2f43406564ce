"""The quick tests in clean systems of Debian and Ubuntu, each with its own Python. Root alone makes these."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = ("bookworm", "trixie", "sid", "noble", "resolute")
"""With Python 3.11, 3.13 and newer of Debian, then 3.12 and 3.14 of Ubuntu."""
PACKAGES = "python3,python3-venv,make,git,ca-certificates"
OF_THE_NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt")
INSIDE = (
    "cd /checkout && python3 --version && make .venv/.dev SYSTEM_TOOLS=no && "
    ".venv/bin/python -m pytest -q -n 1 -m 'not nightly and not slow'"
)
MOUNTED = (
    'mount --bind /proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/dev/shm" && '
    'exec chroot "$0" sh -c "$1"'
)

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a system in a folder"),
    pytest.mark.skipif(shutil.which("debootstrap") is None, reason="no debootstrap: apt install debootstrap"),
]


def system(name: str, root: Path) -> None:
    """Make a system with Python in a folder; skips where its mirror or what makes it is not to be had."""
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", name, str(root)]
    made = subprocess.run(command, capture_output=True, text=True)
    said = made.stdout + made.stderr
    if made.returncode and ("No such script" in said or "Failed getting release" in said):
        pytest.skip(f"{name} is not to be had here: {said.strip().splitlines()[-1]}")
    assert made.returncode == 0, said[-2000:]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_quick_tests_pass_in_a_clean_system(
    name: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    root = tmp_path / "root"
    system(name, root)
    for path in filter(os.path.exists, OF_THE_NETWORK):
        shutil.copyfile(path, f"{root}{path}")
    subprocess.run(["git", "clone", "-q", str(ROOT), str(root / "checkout")], check=True)
    kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_"))}
    kept |= {"HOME": "/root", "LANG": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", MOUNTED, str(root), INSIDE]
    tests = subprocess.run(command, env=kept, capture_output=True, text=True)
    version, *rest = tests.stdout.splitlines() or [""]
    record_property(name, version)
    assert tests.returncode == 0, f"{version}\n" + "\n".join(rest)[-4000:] + tests.stderr[-1000:]
