"""A backup made in mid-game, of a board in service, brings the game back; a damaged one changes nothing."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest

from boardumpire.commands import backup
from boardumpire.errors import BoardumpireError, JournalError
from boardumpire.service import config
from boardumpire.service.config import Config
from daemon.service import Service
from daemon.test_daemon import set_up


def ran(service: Service, *words: str | Path, state: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A command, as somebody types it beside the board."""
    return subprocess.run(
        [Path(sys.executable).with_name("boardumpire"), *words, "--config", service.config],
        env={
            "STATE_DIRECTORY": str(state or state_of(service)),
            "RUNTIME_DIRECTORY": str(service.directory / "run"),
        },
        capture_output=True,
        text=True,
    )


def loaded(service: Service) -> Config:
    state, run = str(service.directory / "state"), str(service.directory / "run")
    return config.load(service.config, {"STATE_DIRECTORY": state, "RUNTIME_DIRECTORY": run})


def state_of(service: Service) -> Path:
    return service.directory / "state"


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-lock")
    }


@pytest.mark.slow
def test_a_game_is_brought_back_and_goes_on(service: Service, tmp_path: Path) -> None:
    service.start()
    set_up(service)
    before = service.ask("view", seat="red")["view"]
    made = ran(service, "backup", "--into", tmp_path / "stick")
    assert (made.returncode, made.stderr) == (0, "")
    file = Path(made.stdout.removesuffix(": made\n"))
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "stick").iterdir()] == [file.name], "no draft is left"
    busy = ran(service, "restore", file, "--replace")
    assert busy.returncode != 0
    assert "in use by another boardumpire" in busy.stderr
    assert service.end(signal.SIGTERM) == 0
    shutil.rmtree(tmp_path / "state")
    restored = ran(service, "restore", file)
    assert (restored.returncode, restored.stderr) == (0, "")
    assert f"{service.journal}: brought back" in restored.stdout
    assert ran(service, "journal", "check").stdout.startswith(
        f"{service.journal}: whole, and so is its second"
    )
    service.start()
    assert service.ask("view", seat="red")["view"] == before, "its own ranks too: the key came back"
    assert service.status()["waits"] is None


@pytest.mark.slow
def test_what_is_there_is_not_overwritten_unless_asked_and_is_kept_then(service: Service) -> None:
    service.start()
    set_up(service)
    found = loaded(service)
    file = backup.backup(found, service.directory / "backups", state_of(service))
    assert service.end(signal.SIGTERM) == 0
    with pytest.raises(BoardumpireError, match="is there already; --replace moves what is there aside"):
        backup.restore(found, file, state_of(service))
    told = backup.restore(found, file, state_of(service), replace=True)
    kept = [line.partition(": what was there")[0] for line in told if "what was there" in line]
    assert len(kept) >= 3, "journal, its second copy and the key"
    assert all(Path(path).exists() for path in kept)
    assert ran(service, "journal", "check").returncode == 0


NOBODY = 65534
"""Somebody who isn't root."""


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can bring back what is another user's")
@pytest.mark.parametrize("target", ["journal.sqlite-restored", "journal.sqlite-lock", "key/pin-restored"])
def test_what_root_brings_back_is_the_boards_and_no_link_leads_root_elsewhere(
    service: Service, target: str
) -> None:
    """`sudo boardumpire restore`, on a new card, and where the board's own user lays a trap for root."""
    service.start()
    set_up(service)
    file = backup.backup(loaded(service), service.directory / "b", state_of(service))
    assert service.end(signal.SIGTERM) == 0
    with tempfile.TemporaryDirectory() as card:
        state = Path(card) / "state"
        for folder in (state, state / "key"):
            folder.mkdir(mode=0o700)
            os.chown(folder, NOBODY, NOBODY)
        Path(card).chmod(0o711)
        brought = ran(service, "restore", file, state=state)
        assert (brought.returncode, brought.stderr) == (0, "")
        assert {path.stat().st_uid for path in (state, *state.rglob("*"))} == {NOBODY}, "its lock, too"
        theirs = Path(card) / "theirs"
        theirs.write_text("root's own")
        (state / target).unlink(missing_ok=True)
        (state / target).symlink_to(theirs)
        ran(service, "restore", file, "--replace", state=state)
        assert (theirs.read_text(), theirs.stat().st_uid) == ("root's own", os.geteuid())


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root reads what is root's")
@pytest.mark.parametrize("into", ["stick", "state/backups"])
def test_what_is_roots_never_gets_into_a_backup(service: Service, into: str) -> None:
    """The board's own user writes the configuration, and may lay links among its own files."""
    service.start()
    set_up(service)
    assert service.end(signal.SIGTERM) == 0
    with tempfile.TemporaryDirectory() as machine:
        Path(machine).chmod(0o711)
        state = Path(machine) / "state"
        shutil.copytree(state_of(service), state)
        theirs = Path(machine) / "theirs"
        theirs.write_text("root's own")
        theirs.chmod(0o600)
        for path in (state, *state.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        folder = Path(machine) / into
        well = ran(service, "backup", "--into", folder, state=state)
        assert (well.returncode, well.stderr) == (0, "")
        (file,) = folder.iterdir()
        assert file.stat().st_uid == (NOBODY if into.startswith("state") else 0)
        with tarfile.open(file) as packed:
            assert "board.key" in packed.getnames()
        (state / "key" / "tags").symlink_to(theirs)
        refused = ran(service, "backup", "--into", folder, state=state)
        assert refused.returncode != 0
        assert "Permission denied" in refused.stderr
        assert [file] == list(folder.iterdir())


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root could be led astray")
def test_a_link_of_the_boards_own_user_leads_no_backup_to_roots_files(service: Service) -> None:
    """`sudo boardumpire backup --keep 1` deleted what lay behind a link `backups` of this user."""
    service.start()
    set_up(service)
    assert service.end(signal.SIGTERM) == 0
    with tempfile.TemporaryDirectory() as machine:
        Path(machine).chmod(0o711)
        state, theirs = Path(machine) / "state", Path(machine) / "theirs"
        shutil.copytree(state_of(service), state)
        for path in (state, *state.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        theirs.mkdir()
        for number in range(3):
            (theirs / f"boardumpire-2020010{number + 1}T000000.tar").touch()
        before = sorted(theirs.iterdir())
        (state / "backups").symlink_to(theirs)
        os.chown(state / "backups", NOBODY, NOBODY, follow_symlinks=False)
        refused = ran(service, "backup", "--keep", "1", "--into", state / "backups", state=state)
        assert refused.returncode == 2
        assert "a link that another user than root has made" in refused.stderr
        assert sorted(theirs.iterdir()) == before
        os.chown(state / "backups", 0, 0, follow_symlinks=False)
        followed = ran(service, "backup", "--keep", "1", "--into", state / "backups", state=state)
        assert followed.returncode == 0, followed.stderr
        assert len(list(theirs.iterdir())) == 1, "root's own link is followed"


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_stick_without_room_is_named_and_not_the_journal(service: Service) -> None:
    service.start()
    ended = on_small_disk(service, 60, "backup --into /mnt")
    assert (ended.returncode, ended.stdout) == (75, "/mnt\n"), ended.stderr
    assert ended.stderr.startswith("boardumpire: /mnt: no room for a backup: ")


def on_small_disk(service: Service, room: int, words: str) -> subprocess.CompletedProcess[str]:
    """A command with a disk of so many kB at /mnt, which is listed after it."""
    program = f"{Path(sys.executable).with_name('boardumpire')} {words} --config {service.config}"
    mounted = (
        f"mount -t tmpfs -o size={room}k tmpfs /mnt || exit 99; {program}; code=$?; find /mnt; exit $code"
    )
    ended = subprocess.run(
        ["unshare", "--mount", "sh", "-c", mounted],
        env={**os.environ, "STATE_DIRECTORY": str(state_of(service))},
        capture_output=True,
        text=True,
    )
    if ended.returncode == 99:
        pytest.skip("no disk can be mounted here")
    return ended


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_where_there_is_no_room_nothing_is_changed_and_nothing_is_left(service: Service) -> None:
    service.start()
    set_up(service)
    file = backup.backup(loaded(service), service.directory / "b", state_of(service))
    assert service.end(signal.SIGTERM) == 0
    state = state_of(service)
    files = [path.stat().st_size for path in state.rglob("*")]
    room = sum(-(-size // 4096) * 4 for size in files) + max(files) // 2048
    small = f"""
        mount -t tmpfs -o size={room}k tmpfs /mnt || exit 99
        cp -r {state}/. /mnt; find /mnt | sort; cat /mnt/journal.sqlite | sha256sum
        {Path(sys.executable).with_name("boardumpire")} restore {file} --replace --config {service.config}
        find /mnt | sort; cat /mnt/journal.sqlite | sha256sum
    """
    ended = subprocess.run(
        ["unshare", "--mount", "sh", "-c", small],
        env={**os.environ, "STATE_DIRECTORY": "/mnt"},
        capture_output=True,
        text=True,
    )
    if ended.returncode == 99:
        pytest.skip("no disk can be mounted here")
    assert "No space left on device" in ended.stderr
    told = ended.stdout.splitlines()
    assert told[: len(told) // 2] == told[len(told) // 2 :], ended.stdout


def test_a_backup_for_others_holds_no_key(service: Service) -> None:
    service.start()
    set_up(service)
    found = loaded(service)
    with tarfile.open(
        backup.backup(found, service.directory / "b", state_of(service), with_key=False)
    ) as packed:
        assert packed.getnames() == ["backup.json", "journal.sqlite"]
    with tarfile.open(backup.backup(found, service.directory / "b", state_of(service))) as packed:
        assert "board.key" in packed.getnames()


@pytest.mark.slow
def test_only_backups_are_deleted_and_the_newest_are_kept(service: Service) -> None:
    service.start()
    folder = service.directory / "b"
    folder.mkdir()
    for name in ("boardumpire-20250101T000000.tar", "boardumpire-20250102T000000.tar", "my-own.tar"):
        (folder / name).touch()
    said = ran(service, "backup", "--into", folder, "--keep", "2")
    assert said.stdout.endswith("boardumpire-20250101T000000.tar: deleted\n")
    assert len(list(folder.iterdir())) == 3
    assert (folder / "my-own.tar").exists()
    assert ran(service, "backup", "--keep", "0").returncode == 2


@pytest.mark.slow
def test_whatever_the_clock_says_the_backup_made_last_is_the_newest(service: Service) -> None:
    """A Pi has no clock of its own: one that was ahead once, or starts in the past, costs nobody a backup."""
    service.start()
    folder = service.directory / "b"
    folder.mkdir()
    ahead = folder / "boardumpire-20990101T000000.tar"
    ahead.touch()
    for number in range(2, 12):
        made = backup.backup(loaded(service), folder, state_of(service))
        assert made.name == f"boardumpire-20990101T000000-{number}.tar"
    assert [path.name for path in backup.outdated_backups(folder, 9)] == [
        ahead.name,
        "boardumpire-20990101T000000-2.tar",
    ]
    said = ran(service, "backup", "--into", folder, "--keep", "1")
    assert said.stdout.startswith(f"{folder}/boardumpire-20990101T000000-12.tar: made\n")
    assert [path.name for path in folder.iterdir()] == ["boardumpire-20990101T000000-12.tar"]


def test_what_is_moved_aside_twice_in_a_second_is_there_twice(service: Service) -> None:
    service.start()
    found = loaded(service)
    made = backup.backup(found, service.directory / "b", state_of(service))
    assert service.end(signal.SIGTERM) == 0
    for _ in range(3):
        backup.restore(found, made, state_of(service), replace=True)
    assert len(list(service.journal.parent.glob("journal.sqlite-before-*"))) == 3


@pytest.mark.slow
def test_a_damaged_backup_is_refused_and_nothing_is_changed(service: Service) -> None:
    """One byte of it is wrong, at many places; what is accepted all the same brings back the very same."""
    service.start()
    set_up(service)
    found = loaded(service)
    file = backup.backup(found, service.directory / "b", state_of(service))
    assert service.end(signal.SIGTERM) == 0
    state = service.directory / "state"
    backup.restore(found, file, state_of(service), replace=True)
    for kept in state.rglob("*-before-*"):
        kept.unlink()
    whole, good = file.read_bytes(), digests(state)
    refused = 0
    places = range(0, len(whole), len(whole) // 97)
    for place in places:
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            backup.restore(found, file, state_of(service), replace=True)
        except (BoardumpireError, JournalError):
            refused += 1
        for kept in state.rglob("*-before-*"):
            kept.unlink()
        assert digests(state) == good, place
    assert refused > len(places) // 2
    for cut in (0, 100, len(whole) // 2):
        file.write_bytes(whole[:cut])
        with pytest.raises(BoardumpireError):
            backup.restore(found, file, state_of(service), replace=True)
    assert digests(state) == good


def test_what_is_no_backup_is_refused_by_name(service: Service, tmp_path: Path) -> None:
    found = loaded(service)
    other = tmp_path / "other.tar"
    for names, said in (
        ((), "no backup.json in it"),
        (("backup.json",), "not JSON"),
        (("../../etc/passwd",), "no backup.json in it"),
    ):
        with tarfile.open(other, "w") as packed:
            for name in names:
                packed.addfile(tarfile.TarInfo(name))
        with pytest.raises(BoardumpireError, match=said):
            backup.restore(found, other, tmp_path)
    with pytest.raises(
        BoardumpireError, match="No such file or directory; try a file that `boardumpire backup` made"
    ):
        backup.restore(found, tmp_path / "none.tar", tmp_path)
    with pytest.raises(JournalError, match="no such journal"):
        backup.backup(found, tmp_path / "b", tmp_path)
