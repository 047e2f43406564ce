"""The page on installing, followed line by line in a clean Debian 12; then the board is on and plays."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from userland.board import COMPLETE_S, FarBoard
from userland.following import Log
from userland.home import FOLLOWED
from userland.play import Guests

LOG = Path(__file__).parents[2] / "build" / "nightly" / "install-and-play.txt"
PLAYED = 12


@pytest.mark.nightly
def test_a_clean_debian_follows_the_page_and_plays(
    at_home: Path, boards: Callable[..., FarBoard], record_property: Callable[[str, object], None]
) -> None:
    """Each command of the page in its order, then a boot with the Pico in, and a game over page and board to
    its end; the record of it is verified."""
    board = boards(at_home)
    log = Log(board.machine)
    start, guests = play_after_a_boot(board, log)
    record_property("times as slow as an idle processor, by a bare Python", start.slowness)
    record_property("seconds from power to a complete board", start.complete)
    record_property("seconds from power to the first ruling", start.ruled)
    record_property("of these it was idle", start.idle)
    record_property("actions played", len(guests.told))
    assert within(start, board, log, record_property)
    LOG.parent.mkdir(parents=True, exist_ok=True)
    LOG.write_text((at_home / FOLLOWED).read_text() + str(log))


class Start(NamedTuple):
    """Seconds from power until the board was complete, and until it had ruled; how many of these nothing ran;
    and how slow the machine was meanwhile."""

    complete: float
    ruled: float
    idle: float
    slowness: float

    def estimated(self) -> float:
        """Until it would have ruled on a real processor: that waits as long, and with the rest it is as many
        times sooner as a bare Python is."""
        return round(self.idle + (self.ruled - self.idle) / self.slowness, 1)


def within(start: Start, board: FarBoard, log: Log, record: Callable[[str, object], None]) -> bool:
    """Whether a board plays as soon as it should. Where instructions are emulated and that took too long, it
    is estimated."""
    if start.ruled < COMPLETE_S or not board.machine.emulated:
        return start.ruled < COMPLETE_S
    seconds = start.estimated()
    record("seconds from power to the first ruling, estimated for a real processor", seconds)
    log.note(f"estimated for a real processor, by a bare Python: {seconds} s")
    return seconds < COMPLETE_S


def test_an_estimate_leaves_what_waits_as_long_as_it_is() -> None:
    start = Start(complete=200.0, ruled=240.0, idle=40.0, slowness=10.0)
    assert start.estimated() == 60.0


def play_after_a_boot(board: FarBoard, log: Log) -> tuple[Start, Guests]:
    """Switch it on; the game is played with no other step."""
    machine = board.machine
    log.note("switched off and on")
    machine.on()
    machine.measure()
    board.put_in()
    board.start()
    complete = round(time.monotonic() - machine.booted, 1)
    guests = Guests(board, seed=1)
    machine.measure()
    guests.sit_down()
    machine.measure()
    guests.set_up()
    guests.moves(1)
    ruled = round(time.monotonic() - machine.booted, 1)
    idle = round(machine.idle_s(), 1)
    guests.lay_down()  # nobody would answer the page's pings meanwhile
    machine.measure()
    guests.pick_up()
    start = Start(complete, ruled, idle, machine.slowness)
    log.note(f"the board was complete {complete} s after power, a move was ruled on after {ruled} s")
    log.note(f"meanwhile a bare Python took {start.slowness} times as long, and nothing ran for {idle} s")
    guests.moves(PLAYED - 1)
    guests.compare()
    log.note(f"{len(guests.told)} actions told, all of them in the game: {' '.join(guests.told[-PLAYED:])}")
    log.typed("curl -s http://localhost:8080/healthz")
    guests.resign()
    log.typed("sudo boardumpire status")
    number = log.typed("sudo boardumpire record list").splitlines()[-1].split()[0]
    log.typed(f"sudo boardumpire record export {number} > game.record")
    log.typed("boardumpire verify game.record")
    guests.lay_down()
    return start, guests
