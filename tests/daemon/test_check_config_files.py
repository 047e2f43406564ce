"""`check-config` names what stands in the way of the board's own files before `run` ends over it."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from boardumpire.commands import check_config
from boardumpire.commands.file_access import SYSTEMD_UNIT, access_problems, hidden_files
from boardumpire.commands.service_checks import (
    account_problems,
    broker_findings,
    certificate_problems,
    ignored_files,
    unit_problems,
)
from boardumpire.errors import ConfigError
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_key, new_key
from boardumpire.service import config

NOBODY = 65534
UNITS = Path(__file__).parents[2] / "systemd"
PAGE = '[page]\nlisten = "127.0.0.1:8080"\n'
Change = Callable[[Path], object]


def a_key(state: Path, text: str | None = None, mode: int = 0o600) -> None:
    (state / "key").mkdir(mode=0o700, exist_ok=True)
    key = state / "key/board.key"
    if text is None:
        new_key(key)
    else:
        key.write_text(text)
    key.chmod(mode)


def beside(state: Path, name: str, content: bytes) -> None:
    (state / "key").mkdir(mode=0o700)
    (state / "key" / name).write_bytes(content)


def found(state: Path, more: str = "", user: str | None = None) -> list[str]:
    """What is found, as people read it."""
    path = state.parent / "boardumpire.toml"
    text = f'format = "boardumpire-config"\nversion = 1\n{more}'
    loaded = config.load_text(text, path, {"STATE_DIRECTORY": str(state)})
    return [each.as_line() for each in access_problems(loaded, user or pwd.getpwuid(os.geteuid()).pw_name)]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir(mode=0o700)
    return tmp_path / "state"


def test_a_board_that_has_played_and_one_that_has_not_are_right(state: Path) -> None:
    assert found(state) == []
    a_key(state)
    Store.open(state / "journal.sqlite", load_key(state / "key/board.key")).close()
    assert found(state) == []


@pytest.mark.parametrize(
    ("more", "change", "said"),
    [
        (
            '[journal]\npath = "games"\n',
            lambda s: (s / "games").mkdir(),
            "is a folder: set [journal] path to a file",
        ),
        ('[journal]\npath = "key/a/b"\n', lambda s: (s / "key").touch(), "key is no folder: set [journal]"),
        ("", lambda s: (s / "journal.sqlite").touch(), "empty; bring it back from a backup"),
        ("", lambda s: (s / "journal.sqlite").write_text("x" * 9000), "not a whole boardumpire-journal"),
        ("", lambda s: a_key(s, "rot13 1\n"), "not a key file; try"),
        ("", lambda s: a_key(s, mode=0o644), "has mode 0644"),
        ('[journal]\nkey = "key"\n', lambda s: (s / "key").mkdir(), "can't read the key: Is a"),
        (PAGE, lambda s: beside(s, "links.json", b"{nonsense"), "[page] links: "),
        (PAGE, lambda s: beside(s, "pin", b"abc"), "holds no PIN of 4 to 12 digits; remove it: sudo rm "),
        (PAGE, lambda s: beside(s, "pin", b"\xff"), "not digits: sudo rm "),
        ('[page]\nlinks = "key"\n', lambda s: (s / "key").mkdir(), "is a folder: set [page] links to a file"),
    ],
)
def test_what_would_end_a_start_is_named(state: Path, more: str, change: Change, said: str) -> None:
    change(state)
    (line,) = found(state, more)
    assert line.startswith("to do  ")
    assert said in line


@pytest.mark.skipif(os.geteuid() != 0, reason="only root sees with another user's eyes")
@pytest.mark.parametrize(
    ("what", "mode"), [("", 0), ("journal.sqlite-lock", 0o600), ("journal.sqlite-lock", 0o660)]
)
def test_root_sees_what_the_boards_own_user_may_not_write(what: str, mode: int) -> None:
    """Nor what only root's group may."""
    nobody = pwd.getpwuid(NOBODY).pw_name
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        state = Path(folder) / "state"
        state.mkdir(mode=0o700)
        os.chown(state, NOBODY, NOBODY)
        assert found(state, user=nobody) == []
        if what:
            (state / what).touch()
            (state / what).chmod(mode)
        else:
            os.chown(state, 0, 0)
            state.chmod(0o755)
        (line,) = found(state, user=nobody)
        assert f"sudo chown -R {nobody}: {state}" in line
        assert os.geteuid() == 0


def test_the_command_tells_it_with_the_rest(state: Path) -> None:
    path = state.parent / "boardumpire.toml"
    path.write_text('format = "boardumpire-config"\nversion = 1\n')
    (state / "journal.sqlite").touch()
    told = subprocess.run(
        [Path(sys.executable).with_name("boardumpire"), "check-config", "--config", path],
        env={**os.environ, "STATE_DIRECTORY": str(state), "RUNTIME_DIRECTORY": str(state)},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 1
    if "boardumpire" not in {user.pw_name for user in pwd.getpwall()}:
        assert "to do  journal: " in told.stdout


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[game.machines]\nblue = "9"\n', ":4: [game.machines] blue: no player '9'; try one of 1, 2"),
        ('[game.machines]\ngreen = "1"\n', ":4: [game.machines] green: no such seat; try one of red"),
        (f'[control]\nsocket = "{"x" * 108}"\n', ":4: [control] socket: found /run/boardumpire/xxx"),
    ],
)
def test_check_config_refuses_what_run_would_refuse(tmp_path: Path, more: str, said: str) -> None:
    path = tmp_path / "boardumpire.toml"
    with pytest.raises(ConfigError) as refused:
        check_config.load_checked_board(
            config.load_text(f'format = "boardumpire-config"\nversion = 1\n{more}', path, {})
        )
    assert str(refused.value).startswith(f"{path}{said}")


def test_what_the_unit_hides_from_the_service_is_no_right_configuration(state: Path) -> None:
    """`sudo check-config` sees a board file in /home, and the service, by ProtectHome, does not."""
    units = state.parent / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    text = (
        '[board]\nname = "/home/anna/mine.toml"\n[page]\ncertificate = "/root/page.pem"\nkey = "/etc/k.pem"\n'
    )
    path = Path("/etc/boardumpire/boardumpire.toml")
    loaded = config.load_text(f'format = "boardumpire-config"\nversion = 1\n{text}', path.with_name("x"), {})

    def hidden() -> list[str]:
        return [each.as_line() for each in hidden_files(loaded, state.parent)]

    assert hidden() == [], "no unit is installed: the board is run by hand"
    (units / SYSTEMD_UNIT).write_text((UNITS / SYSTEMD_UNIT).read_text())
    assert hidden() == [
        "to do  board: the service sees nothing in /home (/home/anna/mine.toml):"
        " sudo mv /home/anna/mine.toml /etc/boardumpire/, and name that",
        "to do  certificate: the service sees nothing in /root (/root/page.pem):"
        " sudo mv /root/page.pem /etc/boardumpire/, and name that",
    ]
    added = state.parent / f"etc/systemd/system/{SYSTEMD_UNIT}.d/own.conf"
    added.parent.mkdir(parents=True)
    added.write_text("[Service]\nProtectHome=no\n")
    assert hidden() == [], "the owner has allowed it"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can look as another user")
def test_what_root_alone_may_read_is_named_where_root_asks() -> None:
    with tempfile.TemporaryDirectory() as machine:
        Path(machine).chmod(0o755)
        state = Path(machine) / "state"
        state.mkdir(mode=0o700)
        os.chown(state, NOBODY, NOBODY)
        certificate = Path(machine) / "page.pem"
        certificate.touch(0o600)
        own = Path(machine) / "boardumpire.toml"
        text = f'format = "boardumpire-config"\nversion = 1\n[page]\ncertificate = "{certificate}"\n'
        own.write_text(text)
        own.chmod(0o600)
        later = Path(machine) / "conf.d" / "later.toml"
        later.parent.mkdir()
        later.write_text("# not yet\n")
        later.chmod(0o600)
        environ = {"STATE_DIRECTORY": str(state), "CONFIGURATION_DIRECTORY": machine}
        loaded = config.load(None, environ)
        said = [each.as_line() for each in access_problems(loaded, "nobody")]
        assert said == [
            f"to do  configuration: nobody may not read {own}: sudo chgrp nobody {own}; sudo chmod g+r {own}",
            f"to do  configuration: nobody may not read {later}:"
            f" sudo chgrp nobody {later}; sudo chmod g+r {later}",
            f"to do  certificate: nobody may not read {certificate}:"
            f" sudo chgrp nobody {certificate}; sudo chmod g+r {certificate}",
        ]


def installed(root: Path) -> Path:
    """A machine on which the service is installed, as `systemctl enable` leaves it; its folder of units."""
    units, own = root / "usr/lib/systemd/system", root / "etc/systemd/system"
    units.mkdir(parents=True)
    (own / "multi-user.target.wants").mkdir(parents=True)
    (units / SYSTEMD_UNIT).write_text((UNITS / SYSTEMD_UNIT).read_text())
    (own / "multi-user.target.wants" / SYSTEMD_UNIT).symlink_to(units / SYSTEMD_UNIT)
    (root / "etc/passwd").write_text("root:x:0:0::/:/bin/sh\nboardumpire:x:9:9::/:/bin/false\n")
    (root / "etc/group").write_text("".join(f"{each}:x:9:\n" for each in GROUPS))
    return own


GROUPS = ("boardumpire", "gpio", "spi", "dialout", "audio")


def edit(name: str, before: str, after: str) -> Change:
    def change(root: Path) -> None:
        path = root / name
        path.write_text(path.read_text().replace(before, after))

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (edit("etc/passwd", "boardumpire", "anna"), "there is no user boardumpire"),
        (edit("etc/group", "spi", "i2c"), "there is no group spi"),
        (
            lambda root: (root / "etc/systemd/system" / SYSTEMD_UNIT).symlink_to(os.devnull),
            "service: it is masked: sudo systemctl unmask boardumpire",
        ),
        (
            lambda root: (root / f"etc/systemd/system/multi-user.target.wants/{SYSTEMD_UNIT}").unlink(),
            "service: it doesn't start with the machine: sudo systemctl enable --now boardumpire",
        ),
        (lambda root: root, None),
    ],
)
def test_a_service_that_would_not_start_is_named(tmp_path: Path, change: Change, said: str | None) -> None:
    def lines() -> list[str]:
        return [each.as_line() for each in (*account_problems(tmp_path), *unit_problems(tmp_path))]

    assert lines() == [], "nothing is installed"
    installed(tmp_path)
    change(tmp_path)
    assert [each.startswith(f"to do  {said}") for each in lines()] == ([True] if said else [])


def test_what_the_unit_keeps_read_only_is_no_place_for_games(tmp_path: Path) -> None:
    own = installed(tmp_path)
    path = Path("/etc/boardumpire/x")
    text = 'format = "boardumpire-config"\nversion = 1\n[journal]\npath = "/srv/games/journal.sqlite"\n'
    loaded = config.load_text(text, path, {})

    def hidden() -> list[str]:
        return [each.as_line() for each in hidden_files(loaded, tmp_path)]

    (line,) = hidden()
    assert line.startswith("to do  [journal] path: the service may not write in /srv/games: ")
    assert "sudo systemctl edit boardumpire" in line
    (own / f"{SYSTEMD_UNIT}.d").mkdir()
    (own / f"{SYSTEMD_UNIT}.d/own.conf").write_text("[Service]\nReadWritePaths=/srv/games\n")
    assert hidden() == [], "the owner has allowed it, and the unit's own paths still hold"


def test_files_that_nobody_reads_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "conf.d"
    folder.mkdir()
    for name in ("mine.toml", "mine.toml~", ".mine.swp", "page.conf", "seats.toml.txt"):
        (folder / name).touch()
    text = 'format = "boardumpire-config"\nversion = 1\n'
    loaded = config.load_text(text, tmp_path / "boardumpire.toml", {})
    assert [each.remedy_command for each in ignored_files(loaded)] == [
        f"sudo mv {folder}/page.conf {folder}/page.toml",
        f"sudo mv {folder}/seats.toml.txt {folder}/seats.toml",
    ]


def test_a_broker_that_takes_no_connection_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listens:
        port = listens.getsockname()[1]
        text = f'format = "boardumpire-config"\nversion = 1\n[mqtt]\nbroker = "127.0.0.1:{port}"\n'
        loaded = config.load_text(text, tmp_path / "x", {})
        assert [each.remedy_command for each in broker_findings(loaded)] == [""]
    (found,) = broker_findings(loaded)
    assert found.text == f"[mqtt] broker: 127.0.0.1:{port} can't be reached (Connection refused)"


AUTHORITY = """
[ca]
default_ca = own
[own]
new_certs_dir = .
database = database
serial = serial
default_md = sha256
policy = names
[names]
commonName = supplied
"""


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")
@pytest.mark.parametrize("end", [2021, 2100])
def test_a_certificate_that_has_ended_is_named(tmp_path: Path, end: int) -> None:
    for name, content in (("authority", AUTHORITY), ("database", ""), ("serial", "01")):
        (tmp_path / name).write_text(content)
    for words in (
        "req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out asked -subj /CN=b",
        "ca -batch -config authority -selfsign -keyfile key -in asked -out made -notext"
        f" -startdate 20200101000000Z -enddate {end}0101000000Z",
    ):
        subprocess.run(["openssl", *words.split()], cwd=tmp_path, check=True, capture_output=True)
    text = f'format = "boardumpire-config"\nversion = 1\n[page]\ncertificate = "{tmp_path}/made"\n'
    loaded = config.load_text(text, tmp_path / "x", {})
    said = [each.text for each in certificate_problems(loaded)]
    assert said == (
        [f"{tmp_path}/x:4: [page] certificate: {tmp_path}/made has expired"] if end < 2026 else []
    )


def test_a_journal_that_another_program_holds_is_named(state: Path) -> None:
    text = 'format = "boardumpire-config"\nversion = 1\n'
    loaded = config.load_text(text, state.parent / "x", {"STATE_DIRECTORY": str(state)})
    user = pwd.getpwuid(os.geteuid()).pw_name
    a_key(state)
    store = Store.open(state / "journal.sqlite", load_key(state / "key/board.key"))
    try:
        assert access_problems(loaded, user, running=True) == []
        (found,) = access_problems(loaded, user, running=False)
    finally:
        store.close()
    assert found.as_line() == (
        "to do  journal: another program has it:"
        f" see which, and end it: sudo fuser -v {state}/journal.sqlite-lock"
    )
    assert access_problems(loaded, user, running=False) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone looks with the eyes of another user")
def test_a_folder_that_systemd_will_make_is_no_trouble() -> None:
    """A further board that was never started."""
    with tempfile.TemporaryDirectory() as machine:
        Path(machine).chmod(0o755)
        folder = Path(machine) / "north"
        text = 'format = "boardumpire-config"\nversion = 1\n'
        loaded = config.load_text(text, Path(machine) / "x", {"STATE_DIRECTORY": str(folder)})
        assert access_problems(loaded, "nobody", made_at_start=[folder]) == []
        assert "nobody may not write" in access_problems(loaded, "nobody")[0].as_line()
        folder.mkdir()
        assert (
            "nobody may not write" in access_problems(loaded, "nobody", made_at_start=[folder])[0].as_line()
        )


def test_a_state_folder_that_leads_nowhere_is_named(state: Path) -> None:
    state.rmdir()
    state.symlink_to("/media/stick/board")
    (line,) = found(state)
    assert line.startswith(f"to do  journal: {state} leads to /media/stick/board, and nothing is there")


@pytest.mark.parametrize(
    ("free", "flag", "said"),
    [(1 << 8, 0, "is full: make room"), (1 << 20, os.ST_RDONLY, "is read-only"), (1 << 20, 0, None)],
)
def test_a_disk_that_takes_nothing_is_named(
    state: Path, monkeypatch: pytest.MonkeyPatch, free: int, flag: int, said: str | None
) -> None:
    disk = os.statvfs(state)
    seen = os.statvfs_result((*disk[:1], 4096, *disk[2:4], free, *disk[5:8], flag, *disk[9:]))
    monkeypatch.setattr(os, "statvfs", lambda path: seen)
    lines = found(state)
    assert len(lines) == (said is not None)
    assert all(f"the file system of {state} {said}" in line for line in lines)
