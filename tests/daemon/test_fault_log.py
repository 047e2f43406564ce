"""What went wrong is known after a power cut, though the system's own journal is gone."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from boardumpire.commands import status
from boardumpire.service import fault_log
from boardumpire.service.fault_log import FILE_MAX_BYTES, FaultLog
from boardumpire.service.log_lines import DETAILS_KEY
from daemon.service import Service


def logger(folder: Path) -> logging.Logger:
    log = logging.Logger("own")
    log.addHandler(FaultLog(folder, lambda: 86_400.0))
    return log


def test_warnings_and_errors_are_kept_and_nothing_else(tmp_path: Path) -> None:
    log = logger(tmp_path)
    log.info("all is well")
    log.warning("a1 flutters", extra={DETAILS_KEY: {"event": "fault", "code": "flutter"}})
    log.warning("the code is 1234", extra={DETAILS_KEY: {"event": "set-up"}})
    try:
        raise ValueError("broken")
    except ValueError:
        log.exception("it\nfailed \x1b[31m")
    first, second = status.recent_faults(tmp_path)
    assert first == "1970-01-02T00:00:00Z WARNING a1 flutters event=fault code=flutter"
    assert second.startswith("1970-01-02T00:00:00Z ERROR it failed \\x1b[31m | ERROR Traceback")
    assert second.endswith("ValueError: broken")
    assert (tmp_path / fault_log.LOG_NAME).stat().st_mode & 0o777 == 0o600


def test_the_files_stay_small_and_the_latest_lines_are_kept(tmp_path: Path) -> None:
    log = logger(tmp_path)
    for number in range(3000):
        log.warning("fault %d %s", number, "x" * 100)
    log.error("long %s end", "y" * 100_000)
    assert {path.name for path in tmp_path.iterdir()} == {fault_log.LOG_NAME, fault_log.OLDER_LOG_NAME}
    assert all(path.stat().st_size <= FILE_MAX_BYTES for path in tmp_path.iterdir())
    lines = status.recent_faults(tmp_path)
    assert len(lines) > 200
    assert "fault 2999" in lines[-2]
    assert lines[-1].endswith("y end")


def test_a_disk_that_takes_nothing_and_a_link_in_the_way_disturb_nobody(tmp_path: Path) -> None:
    logger(tmp_path / "missing").warning("nowhere")
    theirs = tmp_path / "theirs"
    theirs.touch()
    (tmp_path / fault_log.LOG_NAME).symlink_to(theirs)
    logger(tmp_path).warning("not there")
    assert theirs.read_text() == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root could be led astray")
def test_root_reads_as_whose_the_folder_is(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_text("root's own\n")
    theirs.chmod(0o600)
    state = tmp_path / "state"
    state.mkdir()
    (state / fault_log.LOG_NAME).symlink_to(theirs)
    os.chown(state, 65534, 65534)
    with pytest.raises(status.BoardumpireError, match="Permission denied"):
        status.recent_faults(state)


@pytest.mark.slow
def test_a_service_that_was_killed_tells_what_went_wrong_before(service: Service) -> None:
    """It is asked while no service runs."""
    service.start()
    service.kill()
    service.socket.unlink(missing_ok=True)
    service.socket.mkdir()
    with pytest.raises(AssertionError):
        service.start()
    service.socket.rmdir()
    command = [
        Path(sys.executable).with_name("boardumpire"),
        "status",
        "--faults",
        "--config",
        service.config,
    ]
    environ = {"STATE_DIRECTORY": str(service.directory / "state")}
    told = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    assert "ERROR the service ends: [control] socket: can't listen at" in told.stdout
