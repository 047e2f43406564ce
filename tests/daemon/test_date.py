"""Whether a board knows the date: most Raspberry Pis have no clock that runs while they are off."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardumpire.service.clock import is_date_known


def test_the_date_is_known_once_the_network_has_set_it(tmp_path: Path) -> None:
    assert is_date_known(tmp_path), "no systemd-timesyncd: the machine is believed"
    sync = tmp_path / "run/systemd/timesync"
    sync.mkdir(parents=True)
    assert not is_date_known(tmp_path)
    (sync / "synchronized").touch()
    assert is_date_known(tmp_path)


@pytest.mark.parametrize(("since_epoch", "known"), [("1798056000\n", True), ("77\n", False), ("", False)])
def test_a_machine_with_a_clock_of_its_own_needs_no_network(
    since_epoch: str, known: bool, tmp_path: Path
) -> None:
    """A Pi 5 without a battery has such a clock, too: it begins in 1970 whenever power comes."""
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    clock = tmp_path / "sys/class/rtc/rtc0"
    clock.mkdir(parents=True)
    (clock / "since_epoch").write_text(since_epoch)
    assert is_date_known(tmp_path) == known
