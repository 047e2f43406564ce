"""What befalls a board in a house, on a whole machine in mid-game: nothing told is lost, and it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from userland.board import FarBoard
from userland.home import goes_on
from userland.play import Guests, status

STATE = "/var/lib/boardumpire"
HOLD = """
import ctypes, os, sys, time
kernel, main = ctypes.CDLL(None, use_errno=True), int(sys.argv[1])
assert kernel.ptrace(16, main, None, None) == 0, os.strerror(ctypes.get_errno())
time.sleep(3600)
"""
"""Stops one thread of a process and lets the others go on."""
pytestmark = pytest.mark.nightly


@pytest.fixture
def guests(in_mid_game: Path, boards: Callable[..., FarBoard]) -> Iterator[Guests]:
    """Two people in the middle of a game at a machine that goes on."""
    guests = goes_on(boards(in_mid_game), seed=7)
    yield guests
    guests.lay_down()


def main_process(guests: Guests) -> str:
    return guests.service.machine.run("systemctl show -P MainPID boardumpire").told.strip()


def restarts(guests: Guests) -> int:
    return int(guests.service.machine.run("systemctl show -P NRestarts boardumpire").told)


def back_and_on(guests: Guests, moves: int = 2) -> None:
    """The daemon is back by itself: the game is the one that was told, chores are done, play goes on."""
    guests.after_a_cut()
    guests.service.start()
    guests.compare()
    guests.mend()
    guests.pick_up()
    guests.moves(moves)
    guests.compare()


def test_kill_9_in_mid_game(guests: Guests, record_property: Callable[[str, object], None]) -> None:
    """The daemon is killed in the middle of a move, three times: systemd starts it, and the game goes on."""
    for kill in range(3):
        before = main_process(guests)
        guests.begin_a_move()
        guests.service.machine.run("systemctl kill -s KILL boardumpire")
        guests.service.gone()
        began = time.monotonic()
        back_and_on(guests)
        assert main_process(guests) != before
        assert restarts(guests) == kill + 1
        record_property("kills", 1)
        record_property("seconds until the game went on", round(time.monotonic() - began, 1))


def test_a_loop_that_stands_still_is_started_anew(
    guests: Guests, record_property: Callable[[str, object], None]
) -> None:
    """The thread that turns the board is stopped, all others go on: the watchdog ends the daemon."""
    machine = guests.service.machine
    before = main_process(guests)
    machine.run(f"cat > /root/hold.py <<'END'\n{HOLD}END")
    machine.run(f"systemd-run --unit=hold python3 /root/hold.py {before}")
    began = time.monotonic()
    until(guests, lambda: main_process(guests) not in (before, "0"))
    record_property("seconds until it was started anew", round(time.monotonic() - began, 1))
    guests.service.gone()
    back_and_on(guests)
    assert "Watchdog timeout" in machine.run("journalctl -u boardumpire --no-pager").told


def test_the_pico_is_pulled_and_plugged_in_mid_game(
    guests: Guests, record_property: Callable[[str, object], None]
) -> None:
    """Its cable is pulled and put in again three times, once in the middle of a move; the daemon goes on."""
    before = main_process(guests)
    for turn in range(3):
        space, hands = str(guests.some_move()).split("-")[0], guests.service.hands
        if turn == 1:
            guests.service.do(hands.lift, space)
        guests.lay_down()
        guests.service.pull_usb()
        assert "pico" in " ".join(status(guests.service)["waits_for"]).lower()
        guests.service.plug_usb()
        guests.service.until_complete()
        guests.pick_up()
        if turn == 1:
            guests.service.do(hands.place, space)
        guests.compare()
        guests.mend()
        guests.moves(1)
        record_property("times pulled", 1)
    assert main_process(guests) == before
    guests.compare()


def test_a_reboot_in_mid_game(guests: Guests, record_property: Callable[[str, object], None]) -> None:
    """Somebody types `sudo reboot` in the middle of a move: the machine comes back with the game."""
    guests.begin_a_move()
    board = guests.service

    def down() -> None:
        board.gone()
        board.pull_out()

    board.machine.reboot(down)
    board.put_in()
    back_and_on(guests)
    record_property("seconds from reboot to a move", round(time.monotonic() - board.machine.booted, 1))


def until(guests: Guests, done: Callable[[], bool], within_s: float = 900.0) -> None:
    deadline = time.monotonic() + within_s
    while not done():
        assert time.monotonic() < deadline, guests.service.machine.run(
            "journalctl -u boardumpire --no-pager | tail -30"
        ).told


def fill(guests: Guests) -> None:
    """Leave no room on the disk, not even in the last block of a file of root's."""
    guests.lay_down()
    run = guests.service.machine.run
    run("fallocate -l $(($(stat -f -c '%f * %S' /) - 67108864)) /fill")
    for size in ("64k", "4k", "1"):
        run(f"dd if=/dev/zero of=/fill-{size} bs={size}; true")
    guests.pick_up()


def killed_and_tried_again(guests: Guests) -> None:
    """The daemon is killed, and systemd has started it again on the same disk for a while."""
    before = restarts(guests)
    guests.service.machine.run("systemctl kill -s KILL boardumpire")
    guests.service.gone()
    until(guests, lambda: restarts(guests) > before)
    guests.service.machine.run("sleep 15")


def stands_still(guests: Guests) -> str:
    """Move until nothing can be written; what the daemon says it waits for."""
    for _ in range(30):
        guests.begin_a_move()
        until(guests, lambda: guests.listen() or guests.attempt is None or bool(waits(guests)))
        if said := waits(guests):
            return said
        guests.mend()
    raise AssertionError("everything found room")


def waits(guests: Guests) -> str:
    return str(guests.service.ask("status")["waits"] or "")


def test_a_full_disk_in_mid_game(guests: Guests, record_property: Callable[[str, object], None]) -> None:
    """The disk fills up: the game waits and says so, also after a kill; with room it goes on by itself."""
    machine = guests.service.machine
    fill(guests)
    record_property("what it says", stands_still(guests))
    machine.run("rm /fill /fill-*")
    guests.wait()
    guests.mend()
    guests.compare()
    fill(guests)
    stands_still(guests)
    killed_and_tried_again(guests)
    machine.run("rm /fill /fill-*")
    back_and_on(guests)


def test_a_disk_that_turns_read_only_in_mid_game(
    guests: Guests, record_property: Callable[[str, object], None]
) -> None:
    """The kernel makes the disk read-only, as it does with a card that fails: the game waits, and goes on."""
    machine = guests.service.machine
    machine.run("echo u > /proc/sysrq-trigger; sleep 2; ! touch /root/written")
    record_property("what it says", stands_still(guests))
    machine.run("mount -o remount,rw /")
    guests.wait()
    guests.mend()
    guests.compare()
    machine.run("echo u > /proc/sysrq-trigger; sleep 2; ! touch /root/written")
    killed_and_tried_again(guests)
    machine.run("mount -o remount,rw /")
    back_and_on(guests)
