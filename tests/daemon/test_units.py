"""The units are such that systemd takes them."""

from __future__ import annotations

import os
import runpy
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from boardumpire import cli
from boardumpire.makers.machine import RASPBERRY_PI_VENDOR_ID
from boardumpire.typed_commands import BOARD_VARIABLE, root_command, unit_name

PACKAGE = Path(__file__).parents[2] / "package"
TEMPLATES = runpy.run_path(str(PACKAGE / "templates.py"))
template_unit = TEMPLATES["template_unit"]
UNITS = Path(__file__).parents[2] / "systemd"
CONFIG = "etc/boardumpire/boardumpire.toml"


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True)


START = "/opt/boardumpire/bin/boardumpire"
UPDATE = ("/usr/lib/boardumpire/update", str(Path(__file__).parents[2] / "package" / "update.sh"))
EXPOSURE = 2.0
"""What `systemd-analyze security` may say at most, of 10."""
SHARED = ("User", "Group", "ExecStart", "Documentation")
"""What further boards have in common with the first one, besides the version: user, program and documents."""
analyzed = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="systemd-analyze is not on this machine"
)


def copied(folder: Path) -> list[Path]:
    """The units, with a program that is there."""
    command = Path(sys.executable).with_name("boardumpire")
    copies = []
    for unit in (path for kind in ("service", "timer", "path") for path in sorted(UNITS.glob(f"*.{kind}"))):
        copies.append(folder / unit.name)
        copies[-1].write_text(unit.read_text().replace(START, str(command)).replace(*UPDATE))
    return copies


@analyzed
def test_systemd_takes_the_units_without_a_word(tmp_path: Path) -> None:
    copies = copied(tmp_path)
    assert [copy.name.rpartition("boardumpire")[2] for copy in copies] == [
        "-backup.service",
        "-config.service",
        "-update.service",
        ".service",
        "-backup.timer",
        "-config.path",
    ]
    verified = run("systemd-analyze", "verify", "--man=no", *copies)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")


@analyzed
def test_systemd_takes_the_templates_of_further_boards(tmp_path: Path) -> None:
    """They are made from the units of the first board, and share no folder with it or with each other."""
    command = str(Path(sys.executable).with_name("boardumpire"))
    names = []
    for unit in sorted(path for kind in ("service", "timer", "path") for path in UNITS.glob(f"*.{kind}")):
        if unit.name in TEMPLATES["FOR_ALL_BOARDS"]:
            continue
        text = template_unit(unit.read_text())
        (tmp_path / f"{unit.stem}@{unit.suffix}").write_text(text.replace(START, command))
        (tmp_path / f"{unit.stem}@north{unit.suffix}").symlink_to(f"{unit.stem}@{unit.suffix}")
        names.append(tmp_path / f"{unit.stem}@north{unit.suffix}")
        for line in text.splitlines():
            key, _, value = line.replace("/opt/boardumpire", "").partition("=")
            assert "boardumpire" not in value or "%i" in value or key in SHARED, line
        assert "/usr/lib/boardumpire/update" not in text
    verified = run("systemd-analyze", "verify", "--man=no", *names)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")


@analyzed
@pytest.mark.parametrize("name", ["boardumpire.service", "boardumpire-backup.service"])
def test_what_a_unit_exposes_is_little(tmp_path: Path, name: str) -> None:
    copied(tmp_path)
    most = round(EXPOSURE * 10)
    told = run(
        "systemd-analyze", "security", "--offline=true", f"--threshold={most}", "--no-pager", tmp_path / name
    )
    assert told.returncode == 0, told.stdout


def test_every_kind_of_device_that_is_plugged_in_late_may_be_opened() -> None:
    """systemd looks a kind up when the service starts: its module has to be there by then."""
    text = (UNITS / "boardumpire.service").read_text()
    for kind, module in (("ttyACM", "cdc_acm"), ("ttyUSB", "usbserial"), ("spi", "spidev")):
        assert f"DeviceAllow=char-{kind} rw\n" in text
        for key in ("Wants", "After"):
            (line,) = [line for line in text.splitlines() if line.startswith(f"{key}=modprobe@")]
            assert f"modprobe@{module}.service" in line


def test_no_modem_manager_speaks_to_a_pico() -> None:
    """It would open each new serial port for seconds, to see whether a modem answers."""
    lines = (UNITS / "boardumpire.rules").read_text().splitlines()
    assert f'ATTRS{{idVendor}}=="{RASPBERRY_PI_VENDOR_ID}", ENV{{ID_MM_DEVICE_IGNORE}}="1"' in lines


def test_only_a_wrong_configuration_ends_the_service_for_good() -> None:
    """What `run` ends with where a Pico is missing is no exit code at all: see test_waits."""
    lines = (UNITS / "boardumpire.service").read_text().splitlines()
    assert [line for line in lines if line.startswith("RestartPreventExitStatus")] == [
        "RestartPreventExitStatus=2"
    ]
    assert "StartLimitIntervalSec=0" in lines
    assert cli.EXIT_BAD_INPUT == 2


def test_a_changed_configuration_is_tried_by_a_service_that_ended_alone() -> None:
    """A board that plays, and one that somebody has stopped, stay as they are."""
    service = (UNITS / "boardumpire-config.service").read_text()
    assert "ExecCondition=systemctl is-failed --quiet boardumpire.service\n" in service
    watched = (UNITS / "boardumpire-config.path").read_text()
    assert f"PathChanged=/{CONFIG}\n" in watched
    assert "Wants=boardumpire-config.path\n" in (UNITS / "boardumpire.service").read_text()


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


def systemd_version() -> int:
    told = run("systemctl", "--version").stdout if shutil.which("systemctl") else ""
    return int(told.split()[1]) if told.startswith("systemd ") else 0


@pytest.mark.skipif(systemd_version() < 254, reason="this systemd does not know how to wait longer each time")
def test_systemd_takes_the_back_off(tmp_path: Path) -> None:
    copied(tmp_path)
    added = tmp_path / "boardumpire.service.d" / "back-off.conf"
    added.parent.mkdir()
    added.write_text((UNITS / "boardumpire-back-off.conf").read_text())
    verified = run("systemd-analyze", "verify", "--man=no", tmp_path / "boardumpire.service")
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")


@pytest.mark.parametrize(("version", "kept"), [("252 (252.38-1~deb12u1)", False), ("257 (257.7-1)", True)])
def test_the_back_off_is_laid_where_systemd_knows_its_keys(tmp_path: Path, version: str, kept: bool) -> None:
    """By the package's own script, asked by a trigger, on a root where nothing else has to be done."""
    root = tmp_path / "root"
    for there, text in (
        ("root/usr/share/boardumpire/back-off.conf", (UNITS / "boardumpire-back-off.conf").read_text()),
        ("root/opt/boardumpire/bin/boardumpire", "#!/bin/sh\n"),
        ("bin/systemctl", f"#!/bin/sh\necho 'systemd {version}'\n"),
    ):
        path = tmp_path / there
        path.parent.mkdir(parents=True)
        path.write_text(text)
        path.chmod(0o755)
    environ = {"DPKG_ROOT": str(root), "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    script = UNITS.parent / "package" / "scripts" / "postinst"
    subprocess.run(["sh", script, "triggered", "/usr/bin/python3"], env=environ, check=True)
    found = root / "usr/lib/systemd/system/boardumpire.service.d/back-off.conf"
    assert found.exists() is kept


def test_the_service_may_speak_to_the_network_and_ask_for_its_own_addresses() -> None:
    """Without netlink `getifaddrs` fails: no link is printed, and no name is announced."""
    text = (UNITS / "boardumpire.service").read_text()
    (families,) = [line for line in text.splitlines() if line.startswith("RestrictAddressFamilies=")]
    assert set(families.partition("=")[2].split()) == {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"}


@pytest.mark.skipif(not shutil.which("systemd-tmpfiles"), reason="systemd-tmpfiles is not on this machine")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
def test_the_configuration_is_read_by_root_and_the_board_alone(tmp_path: Path) -> None:
    """A password of a broker stood in a file for everybody. That of an older version is closed, too."""
    etc = tmp_path / "etc"
    (etc / "boardumpire").mkdir(parents=True)
    older = etc / "boardumpire/boardumpire.toml"
    older.write_text("# mine\n")
    older.chmod(0o644)
    (etc / "group").write_text("root:x:0:\nboardumpire:x:990:\n")
    (etc / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\nboardumpire:x:990:990::/:/bin/false\n")
    made = run("systemd-tmpfiles", f"--root={tmp_path}", "--create", UNITS / "boardumpire.tmpfiles")
    assert made.returncode == 0, made.stderr
    found = {path: path.stat() for path in (older.parent, older.parent / "conf.d", older)}
    assert [stat.S_IMODE(each.st_mode) for each in found.values()] == [0o2770, 0o2750, 0o640]
    assert {each.st_gid for each in found.values()} == {990}
    (older.parent / "conf.d/mine.toml").touch()
    assert (older.parent / "conf.d/mine.toml").stat().st_gid == 990


def test_commands_for_a_further_board_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a message tells its owner to type, and what is typed for a board that nobody has started."""
    assert (root_command("setup"), unit_name()) == ("sudo boardumpire setup", "boardumpire")
    monkeypatch.setenv(BOARD_VARIABLE, "north")
    assert (root_command("setup"), unit_name()) == ("sudo boardumpire @north setup", "boardumpire@north")
    for name in ("@", "@nobody-made-it"):
        told = run("sh", PACKAGE / "boardumpire.sh", name, "status")
        assert (told.returncode, told.stdout) == (2, "")
        assert f"no board {name} on this machine; try: sudo" in told.stderr
