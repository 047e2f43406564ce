"""The units are such that systemd takes them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNITS = Path(__file__).parents[2] / "systemd"


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not on this machine")
def test_systemd_takes_the_service_without_a_word(tmp_path: Path) -> None:
    unit = (UNITS / "boardumpire.service").read_text()
    start = "/opt/boardumpire/bin/boardumpire"
    assert f"ExecStart={start} run\n" in unit
    command = Path(sys.executable).with_name("boardumpire")
    copy = tmp_path / "boardumpire.service"
    copy.write_text(unit.replace(start, str(command)))
    verified = run("systemd-analyze", "verify", "--man=no", copy)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("systemd-sysusers"), reason="systemd-sysusers is not on this machine")
def test_systemd_makes_the_user_and_its_groups(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("dialout:x:20:\n")
    made = run("systemd-sysusers", f"--root={tmp_path}", UNITS / "boardumpire.sysusers")
    assert made.returncode == 0, made.stderr
    assert "boardumpire:" in (tmp_path / "etc" / "passwd").read_text()
    groups = (tmp_path / "etc" / "group").read_text()
    for group in ("gpio", "spi", "dialout"):
        assert any(line.startswith(f"{group}:") and "boardumpire" in line for line in groups.splitlines())


def test_the_service_needs_no_root_and_comes_back() -> None:
    lines = (UNITS / "boardumpire.service").read_text().splitlines()
    for line in (
        "Type=notify",
        "User=boardumpire",
        "SupplementaryGroups=gpio spi dialout audio",
        "StateDirectory=boardumpire",
        "RuntimeDirectory=boardumpire",
        "Restart=on-failure",
        "CapabilityBoundingSet=",
    ):
        assert line in lines
