"""Whether a board knows the date: most Raspberry Pis have no clock that runs while they are off."""

from __future__ import annotations

from pathlib import Path

from boardumpire.service.clock import is_date_known


def test_the_date_is_known_once_the_network_has_set_it(tmp_path: Path) -> None:
    assert is_date_known(tmp_path), "no systemd-timesyncd: the machine is believed"
    sync = tmp_path / "run/systemd/timesync"
    sync.mkdir(parents=True)
    assert not is_date_known(tmp_path)
    (sync / "synchronized").touch()
    assert is_date_known(tmp_path)


def test_a_machine_with_a_clock_of_its_own_needs_no_network(tmp_path: Path) -> None:
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    (tmp_path / "sys/class/rtc/rtc0").mkdir(parents=True)
    assert is_date_known(tmp_path)
