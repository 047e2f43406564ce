"""Trouble that may pass ends the service with 75, after which systemd starts it again; a wrong configuration
with 2."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daemon.service import DEADLINE_S, Service

TRY_AGAIN, WRONG = 75, 2


def ended(service: Service) -> int:
    """The exit code of a start that fails."""
    with pytest.raises(AssertionError):
        service.start()
    assert service.process is not None
    return service.process.wait(DEADLINE_S)


@pytest.fixture
def mount_disk(service: Service) -> Iterator[Callable[..., Path]]:
    """Mounts a real file system of 64 KB as a folder of the service."""
    mounted: list[Path] = []

    def mount(name: str) -> Path:
        folder = service.directory / name
        folder.mkdir(mode=0o700)
        words = ["mount", "-t", "tmpfs", "-o", "size=64k,mode=0700", "tmpfs", str(folder)]
        if shutil.which("mount") is None or subprocess.run(words, capture_output=True).returncode:
            pytest.skip("a small disk can't be mounted here: that is for root")
        mounted.append(folder)
        return folder

    yield mount
    service.close()
    for folder in mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> None:
    with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as file:
        while file.write(b"x" * 512):
            pass


@pytest.mark.parametrize("name", ["state", "run"])
def test_a_first_start_on_a_full_disk_is_tried_again(
    service: Service, mount_disk: Callable[..., Path], name: str
) -> None:
    folder = mount_disk(name)
    fill(folder)
    if name == "run":  # an inode is what a socket needs
        subprocess.run(["mount", "-o", "remount,nr_inodes=2", str(folder)], check=True)
    assert ended(service) == TRY_AGAIN, service.log


@pytest.mark.parametrize("name", ["state", "run"])
def test_a_first_start_on_a_read_only_disk_is_tried_again(
    service: Service, mount_disk: Callable[..., Path], name: str
) -> None:
    folder = mount_disk(name)
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    assert ended(service) == TRY_AGAIN, service.log


def test_a_page_with_a_full_disk_is_tried_again(service: Service, mount_disk: Callable[..., Path]) -> None:
    """The links and the PIN are made once the journal is there."""
    service.config.write_text(service.config.read_text() + '[page]\nlisten = "127.0.0.1:0"\n')
    key = mount_disk("state") / "key"
    key.mkdir(mode=0o700)
    fill(key)
    assert ended(service) == TRY_AGAIN, service.log


@pytest.mark.slow
def test_a_journal_that_another_program_holds_is_waited_for(service: Service) -> None:
    service.journal.parent.mkdir()
    with service.journal.with_name("journal.sqlite-lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert ended(service) == TRY_AGAIN
    assert "in use by another boardumpire" in service.log
    service.start()


@pytest.mark.slow
def test_what_is_in_the_way_of_the_socket_is_waited_for(service: Service) -> None:
    service.socket.parent.mkdir()
    service.socket.touch()
    assert ended(service) == TRY_AGAIN
    service.socket.unlink()
    service.start()


@pytest.mark.parametrize(
    "wrong", ["[board]\nname = 'none'\n", "[page]\nlisten = 'nowhere'\n", "nonsense", "[pages]\n"]
)
def test_a_wrong_configuration_is_not_tried_again(service: Service, wrong: str) -> None:
    service.config.write_text(service.config.read_text() + wrong)
    assert ended(service) == WRONG


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler on this machine")
def test_a_file_system_that_keeps_no_locks_is_told_of(service: Service) -> None:
    """Each daemon gets the lock there, and a second one opened the journal without a word."""
    source, shim = service.directory / "shim.c", service.directory / "shim.so"
    source.write_text("int flock(int file, int how) { (void)file; (void)how; return 0; }")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source], check=True)
    service.start()
    assert "keeps no locks" not in service.log
    service.kill()
    service.start(LD_PRELOAD=str(shim))
    assert "journal.sqlite: this file system keeps no locks" in service.log
