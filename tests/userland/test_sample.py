"""Where KVM runs a machine: one power cut of those that `make nightly` makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from userland.board import FarBoard
from userland.disk import as_left
from userland.home import goes_on
from userland.test_power_cuts import keeps, played_until_cut


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_a_power_cut_in_mid_game(in_mid_game: Path, boards: Callable[..., FarBoard], tmp_path: Path) -> None:
    """qemu is killed while people play: what they had been told is on the disk."""
    board = boards(in_mid_game)
    guests = goes_on(board, seed=1)
    played_until_cut(guests, soon=True)
    guests.after_a_cut()
    keeps(as_left(board.machine.disk, tmp_path / "left.raw"), guests, len(guests.told))
