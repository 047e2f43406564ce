"""A newer package on a whole machine: taken after the game, never in it; one that does not run gives way."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from userland.board import FarBoard
from userland.following import APT_S
from userland.home import goes_on
from userland.machine import Machine
from userland.packages import revised
from userland.play import Guests

HOME = "/opt/boardumpire"
ENDS = "\n\nraise SystemExit(1)\n"
TAKEN_S = 60.0
"""Until a version has been taken, or has given way after three starts, at most; on a real processor."""


@pytest.mark.nightly
def test_an_upgrade_waits_for_the_game_and_a_bad_one_gives_way(
    in_mid_game: Path,
    package: Path,
    boards: Callable[..., FarBoard],
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """Installed in mid-game it is taken when the game is over; one that does not run gives way by itself."""
    newer, broken = revised(package, tmp_path, 2), revised(package, tmp_path, 3, more=ENDS)
    board = boards(in_mid_game, newer, broken)
    guests = goes_on(board, seed=5)
    machine, before = board.machine, links(guests)
    guests.lay_down()  # nobody would answer the page's pings while apt is at work
    machine.unpack()
    daemon = machine.run("systemctl show -P MainPID boardumpire").told
    installs(machine, newer)
    assert links(guests)["current"] == before["current"]
    assert links(guests)["next"] == f"{before['current']}+2"
    guests.pick_up()
    guests.moves(4)
    guests.compare()
    assert machine.run("systemctl show -P MainPID boardumpire").told == daemon, "not in mid-game"
    record_property("moves while a newer version waited", 4)
    guests.resign()
    guests.lay_down()
    took = runs(guests, f"{before['current']}+2")
    record_property("seconds from the end of the game to the newer version", took)
    assert links(guests)["previous"] == before["current"]
    installs(machine, broken)
    took = runs(guests, f"{before['current']}+2", after="did not start well 3 times")
    record_property("seconds until a bad one had given way", took)
    assert "refused" in machine.run(f"ls {HOME}").told
    games = machine.run("boardumpire record list").told
    assert len(games.splitlines()) >= 1, games


def installs(machine: Machine, package: Path) -> None:
    """As a maker does who has fetched it."""
    command = f"apt-get install -y ./{package.name}"
    machine.measure()
    machine.run(command, within_s=max(1800.0, APT_S * machine.slowness))


def links(guests: Guests) -> dict[str, str]:
    """The versions by the links that name them."""
    names = ("current", "next", "previous")
    each = f"cd {HOME}; for each in {' '.join(names)}; do readlink $each || echo; done"
    return dict(zip(names, guests.service.machine.run(each).told.splitlines(), strict=True))


def runs(guests: Guests, version: str, after: str = "") -> float:
    """Wait until that version runs and answers, and the log has told that; how many seconds it took."""
    machine = guests.service.machine
    within_s = max(900.0, TAKEN_S * machine.slowness)
    guests.service.hang_up()
    began = time.monotonic()
    while True:
        told = machine.run("journalctl -u boardumpire --no-pager").told
        answers = machine.run("boardumpire status", right=False).code == 0
        if links(guests)["current"] == version and answers and after in told:
            return round(time.monotonic() - began, 1)
        assert time.monotonic() < began + within_s, told[-3000:]
