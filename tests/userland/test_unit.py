"""The unit as systemd has it once the package is installed in a whole machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from userland.board import FarBoard

EXPOSED = 2.0
"""The exposure that systemd may find at most."""
pytestmark = pytest.mark.nightly


def test_the_units_verify_and_are_hardly_exposed(
    in_mid_game: Path, boards: Callable[..., FarBoard], record_property: Callable[[str, object], None]
) -> None:
    """systemd finds nothing wrong with what was installed, and the service exposed by 2.0 or less."""
    machine = boards(in_mid_game).machine
    machine.on()
    units = machine.run(
        "dpkg -L boardumpire | grep -E '/system/boardumpire[^/]*[.](service|timer)$'"
    ).told.split()
    assert len(units) == 3
    for unit in units:
        # A clean Debian has the page and no `man` to look it up with.
        assert machine.run(f"systemd-analyze verify --man=no {unit}").told == ""
    assert "/man1/boardumpire.1" in machine.run("dpkg -L boardumpire").told
    found = machine.run("systemd-analyze security --no-pager boardumpire.service").told
    level = re.search(r"Overall exposure level for boardumpire.service: ([\d.]+)", found)
    assert level is not None, found
    assert float(level[1]) <= EXPOSED
    record_property("exposure", float(level[1]))
    record_property("units verified", len(units))
    assert machine.run("systemctl list-units --failed --no-legend").told == ""
