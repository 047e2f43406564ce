"""Commands and daemon with pads in real time: real serial ports, below which a chip is simulated."""

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boardsim.readers.tags import SimTag
from boardsim.world.world import World
from boardumpire.commands.daemon import Daemon
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.guide import Guide
from boardumpire.makers.workshop import BoardExamination
from boardumpire.service.config import load
from boardumpire.service.notify import Notifier
from boardware.description import load_board
from daemon.service import DEADLINE_S
from loops import run as run_alone
from tags.games import PADS
from tags.live import LivePad

PROGRAM = str(Path(sys.executable).with_name("boardumpire"))


@pytest.fixture
def board(tmp_path):
    world = World.create_file(tmp_path / "world", load_board(PADS))
    pads = {"pad-red": LivePad(), "pad-blue": LivePad()}
    ports = ", ".join(f'{name} = "{pad.path}"' for name, pad in pads.items())
    sim = f'world = "{tmp_path}/world"\n'
    (tmp_path / "c.toml").write_text(
        'format = "boardumpire-config"\nversion = 1\n'
        f'[board]\nname = "{PADS}"\n'
        '[drivers]\nsensors = "gpio-sim"\nlamps = "neopixel-pwm-sim"\nconsole = "console-sim"\n'
        f'tags = "pn532"\n[sensors]\n{sim}[lamps]\n{sim}[console]\n{sim}[tags]\nports = {{ {ports} }}\n'
        "answer_ms = 60000\n"
        f'[pieces]\ntags = "{tmp_path}/key/tags"\n'
        f'[journal]\npath = "{tmp_path}/journal.db"\nkey = "{tmp_path}/key/board.key"\n'
        f'[control]\nsocket = "{tmp_path}/s"\n'
    )
    running = []

    def started(*words):
        running.append(
            subprocess.Popen(
                [PROGRAM, *words, "--config", str(tmp_path / "c.toml")],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "NOTIFY_SOCKET": ""},
            )
        )
        return running[-1]

    yield tmp_path, world, pads, started
    for one in running:  # before its ports go: it would look for them, and find those of another test
        one.kill()
        one.communicate()
    for pad in pads.values():
        pad.close()
    world.copper.close()


def lit(lamp, running):
    """The lamp once it is green, the next frame or so after the line; as it is when a minute has gone by."""
    late = time.monotonic() + 60
    while lamp()[1] == 0 or lamp()[2] > 0:
        if running.poll() is not None or time.monotonic() > late:
            break
        os.sched_yield()
    return lamp()


@pytest.mark.slow
def test_a_piece_is_enrolled_at_a_real_serial_port_led_by_the_lamp_alone(board):
    folder, world, pads, started = board
    running = started("tags", "enrol", "red", "10")
    said(running, "red 10: show it to a pad\n")
    pads["pad-red"].tags.append(SimTag(b"\x04abcdef"))
    said(running, "red 10: known\n")
    shown = lit(lambda: world.copper.lamps()["pad-red"], running)
    assert shown[1] > 0 == shown[0] == shown[2]
    pads["pad-red"].tags.clear()
    said(running, "1 pieces are known\n")
    _, err = running.communicate()
    assert (running.returncode, err) == (0, "")
    assert (folder / "key" / "tags").read_text().endswith("04616263646566 red 10\n")
    assert set(world.copper.lamps().values()) == {(0, 0, 0)}


def said(running, wanted):
    """Wait for that line. On a busy machine pads may be slow for a while, which is said as well."""
    for line in running.stdout:
        if not line.startswith("pad-"):
            assert line == wanted
            return
    raise AssertionError(running.communicate()[1])


def listen(folder):
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(DEADLINE_S)
    line.connect(str(folder / "s"))
    line.sendall(b'{"do":"messages"}\n')
    return line, line.makefile()


def test_the_daemon_hears_a_piece_that_is_shown_and_a_stranger(board):
    folder, _, pads, started = board
    enrolled(folder)
    running = started("run")
    while "board" not in (line := running.stderr.readline()):
        assert line, "it ended"
    line, heard = listen(folder)
    pads["pad-red"].tags.append(SimTag(b"\x04abcdef"))
    seats = []
    for text in heard:
        message = json.loads(text)
        assert "616263" not in text
        if message.get("kind") == "shown":
            seats.append((message["pad"], message["seat"]))
            pads["pad-red"].tags.clear()
            pads["pad-blue"].tags[:] = [SimTag(b"\x04ABCDEF")]
        if len(seats) == 2:
            break
    assert seats == [("pad-red", "red"), ("pad-blue", None)]
    heard.close()
    line.close()
    running.send_signal(signal.SIGTERM)
    _, err = running.communicate()
    assert running.returncode == 0
    assert "616263" not in err


def enrolled(folder):
    (folder / "key").mkdir(mode=0o700, exist_ok=True)
    tags = folder / "key" / "tags"
    tags.write_text("boardumpire-tags 1\n04616263646566 red 10\n")
    tags.chmod(0o600)


def held(pad):
    """Whether somebody has its serial port, and so is woken by whatever comes over it."""
    with open(pad.path) as port:
        try:
            fcntl.flock(port, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_who_does_not_read_pads_is_not_woken_by_them(board):
    """A byte that nobody takes turns a runner for ever: before a piece is known, and while examined."""
    folder, _, pads, _ = board

    async def begun(do):
        daemon = Daemon(load(folder / "c.toml", {}), Notifier({}))
        try:
            await daemon.start()
            do(daemon)
        finally:
            daemon.stop()
            await daemon.wait_closed()

    def unread(daemon):
        assert not any(held(pad) for pad in pads.values())

    def lent(daemon):
        assert all(held(pad) for pad in pads.values())
        daemon.lend_board(
            lambda ports, now: BoardExamination(Guide(ports, check.run_steps(), now), lambda: None)
        )
        assert not any(held(pad) for pad in pads.values())
        daemon.return_board()
        assert all(held(pad) for pad in pads.values())

    check = Doctor(load_board(PADS), hands=False)
    run_alone(begun(unread))
    enrolled(folder)
    run_alone(begun(lent))
